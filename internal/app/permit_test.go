//go:build !nosandbox

package app_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
	"slipway/internal/payments/transaction"
	"slipway/internal/rails/chain/contract"
)

// offered is what check-allowance answers about signatures.
type offered struct {
	Sufficient bool `json:"sufficient"`
	Permit     *struct {
		Manner    string `json:"manner"`
		Deadline  int64  `json:"deadline"`
		TypedData string `json:"typedData"`
		Intent    string `json:"intent"`
	} `json:"permit"`
}

// signTyped signs typed data as a wallet does: it reads nothing but the text.
func signTyped(t *testing.T, a world.Account, text string) string {
	t.Helper()

	var typed apitypes.TypedData
	require.NoError(t, json.Unmarshal([]byte(text), &typed))

	digest, _, err := apitypes.TypedDataAndHash(typed)
	require.NoError(t, err)

	signature, err := crypto.Sign(digest, a.Key)
	require.NoError(t, err)

	signature[64] += 27

	return hexutil.Encode(signature)
}

// offer asks check-allowance of a draft of a wallet that has approved nothing.
func offer(t *testing.T, c *apptest.Client, id string) offered {
	t.Helper()

	var o offered
	c.Act(id, "check-allowance").OK(200).Into(&o)
	require.False(t, o.Sufficient)
	require.NotNil(t, o.Permit)

	return o
}

// permit is the body of submit or accept with what a wallet has signed.
func permit(t *testing.T, o offered, by world.Account) object {
	t.Helper()

	p := object{
		"manner":    o.Permit.Manner,
		"deadline":  o.Permit.Deadline,
		"signature": signTyped(t, by, o.Permit.TypedData),
	}
	if o.Permit.Intent != "" {
		p["intent"] = signTyped(t, by, o.Permit.Intent)
	}

	return object{"permit": p}
}

// manners are the test tokens with what each takes: an authorization (EIP-3009), a permit (EIP-2612), and Permit2 for a
// token that has nothing of its own.
var manners = map[string]string{"USDC": "AUTHORIZATION", "DAI": "PERMIT", "USDT": "PERMIT2"}

// One signature pays: the wallet sends no transaction, needs no coin for gas, and approves nothing that is left over.
func TestOneSignaturePaysWithoutAnApproval(t *testing.T) { // X-05 X-11
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")

		for code, manner := range manners {
			token := h.World.Token(code)
			h.Approve(token, c.Payer, new(big.Int))

			if manner == "PERMIT2" {
				h.Send(
					c.Payer,
					token.Address,
					contract.Token().PackApprove(contract.Permit2, apptest.Units(token, 1_000)),
				)
			}

			sent, err := h.Eth.PendingNonceAt(t.Context(), c.Payer.Address)
			require.NoError(t, err)
			before := h.Balance(token, c.Payer.Address)

			id := c.Draft(code, "12.50", "7.50")
			o := offer(t, c, id)
			require.Equal(t, manner, o.Permit.Manner)

			c.Do("POST", "/transactions/"+id+"/submit", permit(t, o, c.Payer)).OK(200)
			c.Act(id, "accept").OK(200)
			h.Settle()
			c.Ends(id, transaction.StatusCompleted, transaction.PaymentCompleted, transaction.PaymentCompleted)

			require.Equal(t, apptest.Units(token, 20), new(big.Int).Sub(before, h.Balance(token, c.Payer.Address)))
			require.Zero(t, h.Allowance(token, c.Payer.Address).Sign())
			require.Zero(t, h.Balance(token, h.World.Router).Sign())

			after, err := h.Eth.PendingNonceAt(t.Context(), c.Payer.Address)
			require.NoError(t, err)
			require.Equal(t, sent, after, "the wallet has sent nothing")
		}

		h.Oracle()
	})
}

// What is no signature of the paying wallet over exactly this transaction is refused before anything is stored.
func TestForeignSignaturesAreRefused(t *testing.T) { // X-02 X-11
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		stranger := h.Account("Stranger")

		for _, code := range []string{"USDC", "DAI"} {
			h.Approve(h.World.Token(code), c.Payer, new(big.Int))
			id := c.Draft(code, "12.50")
			other := offer(t, c, c.Draft(code, "12.51"))
			o := offer(t, c, id)

			refused := func(code string, change func(p object)) {
				t.Helper()

				body := permit(t, o, c.Payer)
				change(body["permit"].(object))
				c.Do("POST", "/transactions/"+id+"/submit", body).Refused(422, code)
			}

			refused(
				"SIGNATURE_MISMATCH",
				func(p object) { p["signature"] = signTyped(t, stranger, o.Permit.TypedData) },
			)
			refused(
				"SIGNATURE_MISMATCH",
				func(p object) { p["signature"] = signTyped(t, c.Payer, other.Permit.TypedData) },
			)
			refused("SIGNATURE_MISMATCH", func(p object) { p["deadline"] = o.Permit.Deadline + 1 })
			refused("SIGNATURE_DEADLINE_INVALID", func(p object) { p["deadline"] = h.DB().Now().Unix() })
			late := h.DB().Now().Add(31 * 24 * time.Hour).Unix()
			refused("SIGNATURE_DEADLINE_INVALID", func(p object) { p["deadline"] = late })
			refused("SIGNATURE_MALFORMED", func(p object) { p["signature"] = "0x1" })

			c.Do("POST", "/transactions/"+id+"/submit", nil).Refused(422, "ALLOWANCE_INSUFFICIENT")
			c.Do("POST", "/transactions/"+id+"/submit", permit(t, o, c.Payer)).OK(200)
			c.Act(id, "accept").OK(200)
			h.Settle()
			c.Ends(id, transaction.StatusCompleted, transaction.PaymentCompleted)
		}

		h.Oracle()
	})
}

// Somebody gives the permit to the token before our send does: the payment completes all the same.
func TestPermitUsedByAnotherPays(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		token := h.World.Token("DAI")
		h.Approve(token, c.Payer, new(big.Int))

		id := c.Draft("DAI", "3.00")
		o := offer(t, c, id)
		body := permit(t, o, c.Payer)
		c.Do("POST", "/transactions/"+id+"/submit", body).OK(200)

		signature := hexutil.MustDecode(body["permit"].(object)["signature"].(string))
		h.Send(h.World.Treasury, token.Address, contract.SampleOf("TestDAI").Pack(
			"permit",
			c.Payer.Address,
			h.World.Router,
			apptest.Units(token, 3),
			big.NewInt(o.Permit.Deadline),
			signature[64],
			common.BytesToHash(signature[:32]),
			common.BytesToHash(signature[32:64]),
		))

		c.Act(id, "accept").OK(200)
		h.Settle()
		c.Ends(id, transaction.StatusCompleted, transaction.PaymentCompleted)
		h.Oracle()
	})
}

// A permit replaces the approval, so it waits for transactions that rest on it, and they for it.
func TestPermitTakesNoApprovalFromOthers(t *testing.T) { // E-10
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		token := h.World.Token("DAI")
		h.Approve(token, c.Payer, new(big.Int))

		signed := c.Draft("DAI", "5.00")
		o := offer(t, c, signed)

		h.Approve(token, c.Payer, apptest.Units(token, 10))

		resting := c.Submitted("DAI", "10.00")
		c.Do("POST", "/transactions/"+signed+"/submit", permit(t, o, c.Payer)).Refused(422, "PERMIT_CONFLICT")
		c.Do("DELETE", "/transactions/"+resting, nil).OK(200)

		c.Do("POST", "/transactions/"+signed+"/submit", permit(t, o, c.Payer)).OK(200)
		c.Do("POST", "/transactions/"+c.Draft("DAI", "1.00")+"/submit", nil).Refused(422, "PERMIT_CONFLICT")

		c.Act(signed, "accept").OK(200)
		h.Settle()
		c.Ends(signed, transaction.StatusCompleted, transaction.PaymentCompleted)
		h.Oracle()
	})
}

// A signature whose deadline passes before it is accepted pays nothing; a new one at accept does.
func TestLapsedSignatureIsReplacedAtAccept(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		h.Approve(h.World.Token("DAI"), c.Payer, new(big.Int))

		submitShort := func() string {
			id := c.Draft("DAI", "2.00")
			o := offer(t, c, id)
			short := h.DB().Now().Add(15 * time.Minute).Unix()
			o.Permit.TypedData = strings.ReplaceAll(
				o.Permit.TypedData,
				fmt.Sprint(o.Permit.Deadline),
				fmt.Sprint(short),
			)
			o.Permit.Deadline = short
			c.Do("POST", "/transactions/"+id+"/submit", permit(t, o, c.Payer)).OK(200)
			h.DB().Clock().Advance(16 * time.Minute)
			c.Login()

			return id
		}

		first := submitShort()
		c.Act(first, "accept").OK(200)
		h.Settle()

		v := c.Ends(first, transaction.StatusFailed, transaction.PaymentFailed)
		require.Contains(t, v.StatusInfo, "deadline")

		second := submitShort()
		c.Do("POST", "/transactions/"+second+"/accept", permit(t, offer(t, c, second), c.Payer)).OK(200)
		h.Settle()
		c.Ends(second, transaction.StatusCompleted, transaction.PaymentCompleted)
		h.Oracle()
	})
}

// A wallet that requires signed intents is paid from only with the signature of exactly the batch.
func TestSignedIntentIsTakenAtAccept(t *testing.T) { // X-01 X-05 K-06
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		h.Send(c.Payer, h.World.Router, contract.Router().PackSetSignedIntentsOnly(true))

		id := c.Submitted("USDC", "6.00")

		var intent struct {
			Required  bool   `json:"required"`
			Deadline  int64  `json:"deadline"`
			TypedData string `json:"typedData"`
		}
		c.Do("GET", "/transactions/"+id+"/intent", nil).OK(200).Into(&intent)
		require.True(t, intent.Required)

		accept := func(by world.Account) apptest.Answer {
			return c.Do("POST", "/transactions/"+id+"/accept", object{"intent": object{
				"deadline":  intent.Deadline,
				"signature": signTyped(t, by, intent.TypedData),
			}})
		}

		c.Act(id, "accept").Refused(422, "INTENT_REQUIRED")
		accept(h.Account("Stranger")).Refused(422, "SIGNATURE_MISMATCH")
		accept(c.Payer).OK(200)
		h.Settle()
		c.Ends(id, transaction.StatusCompleted, transaction.PaymentCompleted)

		// A permit names no payees, so the wallet signs both.
		h.Approve(h.World.Token("DAI"), c.Payer, new(big.Int))
		both := c.Draft("DAI", "1.00")
		o := offer(t, c, both)
		require.NotEmpty(t, o.Permit.Intent)

		alone := permit(t, o, c.Payer)
		delete(alone["permit"].(object), "intent")
		c.Do("POST", "/transactions/"+both+"/submit", alone).Refused(422, "INTENT_REQUIRED")
		c.Do("POST", "/transactions/"+both+"/submit", permit(t, o, c.Payer)).OK(200)
		c.Act(both, "accept").OK(200)
		h.Settle()
		c.Ends(both, transaction.StatusCompleted, transaction.PaymentCompleted)
		h.Oracle()
	})
}
