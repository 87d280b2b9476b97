//go:build !nosandbox

package app_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
)

// routerLimits is the answer of GET /wallets/{id}/limits.
type routerLimits struct {
	Known         bool `json:"known"`
	SignedIntents struct {
		Required *bool      `json:"required"`
		EndsAt   *time.Time `json:"endsAt"`
		Policy   bool       `json:"policy"`
	} `json:"signedIntents"`
	DailyCaps []struct {
		Token      string     `json:"token"`
		Limit      *string    `json:"limit"`
		SpentToday string     `json:"spentToday"`
		NextLimit  *string    `json:"nextLimit"`
		NextFrom   *time.Time `json:"nextFrom"`
		Policy     *string    `json:"policy"`
	} `json:"dailyCaps"`
	Calls []struct {
		To      string  `json:"to"`
		Data    string  `json:"data"`
		Purpose string  `json:"purpose"`
		Token   string  `json:"token"`
		Amount  *string `json:"amount"`
	} `json:"calls"`
}

func limitsOf(c *apptest.Client) (l routerLimits) {
	c.Do("GET", "/wallets/"+c.Wallet+"/limits", nil).OK(200).Into(&l)
	return l
}

// sendLimits has the wallet send the calls that bring the router to the policy.
func sendLimits(h *apptest.Harness, c *apptest.Client) (purposes []string) {
	for _, call := range limitsOf(c).Calls {
		h.Send(c.Payer, common.HexToAddress(call.To), hexutil.MustDecode(call.Data))
		purposes = append(purposes, call.Purpose)
	}

	return purposes
}

// Under a policy of signed intents nothing is paid from a wallet without its signature of exactly the batch, whatever
// the wallet has set on the router.
func TestPolicyWantsTheWalletsSignature(t *testing.T) { // X-01 X-05 Z-07
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x := newTeam(h)
		before := x.ada.Submitted("USDC", "2.00")
		require.Empty(t, policy(x.ada, object{"signedIntents": true}))

		// Also what was submitted before, and by whom the policy says nothing else about.
		x.ada.Act(before, "accept").Refused(422, "INTENT_REQUIRED")
		require.Equal(t, transaction.StatusWaiting, x.ada.Read(before).Status)

		var intent struct {
			Required  bool   `json:"required"`
			Deadline  int64  `json:"deadline"`
			TypedData string `json:"typedData"`
		}
		x.ada.Do("GET", "/transactions/"+before+"/intent", nil).OK(200).Into(&intent)
		require.True(t, intent.Required)
		x.ada.Do("POST", "/transactions/"+before+"/accept", object{"intent": object{
			"deadline":  intent.Deadline,
			"signature": signTyped(t, x.ada.Payer, intent.TypedData),
		}}).OK(200)
		h.Settle()
		x.ada.Ends(before, transaction.StatusCompleted, transaction.PaymentCompleted)

		// A permit names no payees, so the wallet signs an intent besides; an authorization names them.
		for _, code := range []string{"DAI", "USDC"} {
			h.Approve(h.World.Token(code), x.ada.Payer, new(big.Int))
			id := x.ada.Draft(code, "1.00")
			o := offer(t, x.ada, id)

			if code == "DAI" {
				require.NotEmpty(t, o.Permit.Intent)

				alone := permit(t, o, x.ada.Payer)
				delete(alone["permit"].(object), "intent")
				x.ada.Do("POST", "/transactions/"+id+"/submit", alone).Refused(422, "INTENT_REQUIRED")
			}

			x.ada.Do("POST", "/transactions/"+id+"/submit", permit(t, o, x.ada.Payer)).OK(200)
			x.ada.Act(id, "accept").OK(200)
			h.Settle()
			x.ada.Ends(id, transaction.StatusCompleted, transaction.PaymentCompleted)
		}

		// Less waits for the second admin.
		pending := policy(x.ada, object{})
		require.NotEmpty(t, pending)
		h.Approve(h.World.Token("USDC"), x.ada.Payer, apptest.Units(h.World.Token("USDC"), 10))

		unsigned := x.ada.Submitted("USDC", "1.00")
		x.ada.Act(unsigned, "accept").Refused(422, "INTENT_REQUIRED")
		x.ben.Do("POST", "/approvals/"+pending+"/approve", nil).OK(200)
		x.ada.Act(unsigned, "accept").OK(200)
		h.Settle()
		h.Oracle()
	})
}

// A policy that another process has set, of which the caller's token knows nothing yet, is kept by accept's statement
// itself. (Z-07, N-04)
func TestPolicyOfPayersThatCommittedFirstWins(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x := newTeam(h)
		id := x.ada.Submitted("USDC", "1.00")
		x.ada.Act(id, "check-allowance").OK(200)
		h.Exec("UPDATE organisations SET signed_intents = TRUE, payer_rules = 7, policy_version = 7")

		x.ada.Act(id, "accept").Refused(422, "INTENT_REQUIRED")
		require.Zero(t, h.Count("SELECT count(*) FROM journals"))
		require.Equal(t, transaction.StatusWaiting, x.ada.Read(id).Status)
	})
}

// Under a policy of daily caps nothing is paid from a wallet whose cap on the router is higher, or missing. The calls
// that set it come with the limits, and the router keeps the cap.
func TestPolicyWantsADailyCap(t *testing.T) { // X-05 X-06
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x := newTeam(h)
		x.ada.Do("PUT", "/organisations/"+x.ada.Org+"/approval-policy", object{
			"fourEyes":      false,
			"payeeApproval": false,
			"dailyCaps": []object{
				{"token": "EUR", "amount": "1"},
				{"token": "USDC", "amount": "0"},
				{"token": "USDC", "amount": "5"},
			},
		}).Refused(
			422,
			"VALIDATION",
			"/dailyCaps/0/token TOKEN_UNKNOWN",
			"/dailyCaps/1/amount AMOUNT_INVALID",
			"/dailyCaps/2/token NOT_ALLOWED",
		)

		caps := object{"dailyCaps": []object{{"token": "USDC", "amount": "10.00"}}}
		require.Empty(t, policy(x.ada, caps))

		id := x.ada.Submitted("USDC", "4.00")
		x.ada.Act(id, "accept").Refused(422, "DAILY_CAP_MISSING")
		require.Contains(t, x.ada.Act(id, "accept").Raw, "any amount")

		require.Equal(t, []string{"SET_DAILY_CAP"}, sendLimits(h, x.ada))
		require.Empty(t, limitsOf(x.ada).Calls)
		x.ada.Act(id, "accept").OK(200)
		h.Settle()
		x.ada.Ends(id, transaction.StatusCompleted, transaction.PaymentCompleted)

		for _, c := range limitsOf(x.ada).DailyCaps {
			if c.Token == "USDC" {
				require.Equal(t, "10.00", *c.Limit)
				require.Equal(t, "10.00", *c.Policy)
				require.Equal(t, "4.00", c.SpentToday)
			} else {
				require.Nil(t, c.Limit)
				require.Nil(t, c.Policy)
			}
		}

		// A lower cap holds at once, for the policy and for the router.
		require.Empty(t, policy(x.ada, object{"dailyCaps": []object{{"token": "USDC", "amount": "6.00"}}}))

		id = x.ada.Submitted("USDC", "1.00")
		x.ada.Act(id, "accept").Refused(422, "DAILY_CAP_MISSING")
		sendLimits(h, x.ada)
		x.ada.Act(id, "accept").OK(200)
		h.Settle()
		x.ada.Ends(id, transaction.StatusCompleted, transaction.PaymentCompleted)

		// A higher one waits for the second admin, and then 48 hours on the router.
		pending := policy(x.ada, caps)
		require.NotEmpty(t, pending)
		require.Empty(t, limitsOf(x.ada).Calls)
		x.ben.Do("POST", "/approvals/"+pending+"/approve", nil).OK(200)
		require.Equal(t, []string{"SET_DAILY_CAP"}, sendLimits(h, x.ada))

		now := limitsOf(x.ada)
		require.Empty(t, now.Calls, "it is scheduled")

		for _, c := range now.DailyCaps {
			if c.Token == "USDC" {
				require.Equal(t, "6.00", *c.Limit)
				require.Equal(t, "10.00", *c.NextLimit)
				require.NotNil(t, c.NextFrom)
			}
		}

		h.Oracle()
	})
}

// A wallet learns from its limits how to require signatures, and how to stop that; a chain that does not answer leaves
// them unknown.
func TestWalletsLimitsAreRead(t *testing.T) { // X-06 X-07
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x := newTeam(h)
		require.Empty(t, limitsOf(x.ada).Calls)
		require.Empty(t, policy(x.ada, object{"signedIntents": true}))

		require.Equal(t, []string{"REQUIRE_SIGNATURES"}, sendLimits(h, x.ada))

		now := limitsOf(x.ada)
		require.True(t, *now.SignedIntents.Required)
		require.True(t, now.SignedIntents.Policy)
		require.Nil(t, now.SignedIntents.EndsAt)
		require.Empty(t, now.Calls)

		x.ben.Do("POST", "/approvals/"+policy(x.ada, object{})+"/approve", nil).OK(200)
		require.Equal(t, []string{"END_SIGNATURES"}, sendLimits(h, x.ada))

		now = limitsOf(x.ada)
		require.True(t, *now.SignedIntents.Required, "for 48 hours")
		require.NotNil(t, now.SignedIntents.EndsAt)
		require.Empty(t, now.Calls)

		x.cleo.Do("GET", "/wallets/"+x.ada.Wallet+"/limits", nil).OK(200)
		h.Client("Bob").Do("GET", "/wallets/"+x.ada.Wallet+"/limits", nil).Refused(404, "NOT_FOUND")
	})
}
