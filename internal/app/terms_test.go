//go:build !nosandbox

package app_test

import (
	"math/big"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
	"slipway/internal/payments/transaction/onramp"
	"slipway/internal/rails/bank/banksim"
)

// What the operators agree on with an organisation is what it is charged and held to from the next price on.
func TestTermsAreWhatAnOrganisationIsChargedAndHeldTo(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		other := h.Client("Bob")
		operator := h.Operators()
		// whose commission, and the whole debit: 1000 and 1.055556 besides it
		price := func(c *apptest.Client, account string) []string {
			v := read(c, c.Do("POST", "/transactions", fiatBody(c, payout(c, account, "900.00", "EUR"))).OK(201).ID())
			return []string{v.CommissionType, v.Sums.TokenDebit}
		}
		standard := []string{"STANDARD", "1006.055556"}
		custom := []string{"CUSTOM", "1003.555556"}
		mine := account(h, c, "EUR")
		others := account(h, other, "EUR")
		require.Equal(t, standard, price(c, mine))

		path := "/operations/organisations/" + c.Org + "/terms"
		terms := object{
			"transactionValueLimit": "2000.00",
			"minUSDPaymentAmount":   "10",
			"customCommissions": []object{
				{"tradingPair": "pair_usdc_eur", "value": 0.25},
				{"tradingPair": object{"_id": "pair_usdc_chf"}, "value": 1, "isHidden": true},
			},
		}
		c.Do("PATCH", path, terms).Refused(403, "ROLE_REQUIRED")
		operator.Approve(operator.Do("PATCH", path, terms))
		require.Equal(t, custom, price(c, mine))
		require.Equal(t, standard, price(other, others), "others keep theirs")
		c.Do("POST", "/transactions", fiatBody(c, payout(c, mine, "1800.01", "EUR"))).Refused(
			422,
			"TRANSACTION_VALUE_LIMIT",
			"/payments TRANSACTION_VALUE_LIMIT",
		)
		c.Do("POST", "/transactions", fiatBody(c, payout(c, mine, "8.99", "EUR"))).Refused(
			422,
			"AMOUNT_BELOW_PAYMENT_MINIMUM",
			"/payments/0/amount AMOUNT_BELOW_PAYMENT_MINIMUM",
		)

		var shown struct {
			Limit       string           `json:"transactionValueLimit"`
			Commissions []map[string]any `json:"customCommissions"`
		}
		c.Do("GET", "/organisations/"+c.Org, nil).OK(200).Into(&shown)
		require.Equal(t, "2000.00", shown.Limit)
		require.Equal(t, []map[string]any{{
			"organisation": c.Org,
			"tradingPair":  "pair_usdc_eur",
			"value":        0.25,
			"isHidden":     false,
		}}, shown.Commissions,
			"one that is hidden is charged and not shown")

		operator.Do("PATCH", path, object{
			"transactionValueLimit": "-1",
			"cumulativeAmount":      "1.001",
			"customCommissions": []object{
				{"tradingPair": "nobody", "value": 0.4},
				{"tradingPair": "pair_usdc_eur", "value": 51},
				{"tradingPair": "pair_usdc_eur", "value": 0.12345},
			},
		}).Refused(
			422,
			"VALIDATION",
			"/transactionValueLimit AMOUNT_INVALID",
			"/cumulativeAmount AMOUNT_INVALID",
			"/customCommissions/0/tradingPair TRADING_PAIR_UNKNOWN",
			"/customCommissions/1/value OUT_OF_RANGE",
			"/customCommissions/2/tradingPair NOT_ALLOWED",
			"/customCommissions/2/value OUT_OF_RANGE",
		)
		operator.Do("PATCH", "/operations/organisations/org_00000000000000000000000000/terms", object{}).Refused(
			404,
			"NOT_FOUND",
		)

		operator.Approve(operator.Do("PATCH", path, object{
			"transactionValueLimit": "0",
			"customCommissions":     []object{},
		}))
		require.Equal(t, standard, price(c, mine), "an empty list takes them away")
	})
}

// cumulativeAmount counts what was submitted: each transaction once, and none that was deleted or failed.
func TestWhatDiedCountsTowardsNoLimit(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		operator := h.Operators()
		operator.Approve(
			operator.Do("PATCH", "/operations/organisations/"+c.Org+"/terms", object{"cumulativeAmount": "1500"}),
		)
		account := c.NewBankAccount("EUR", "000")
		usdc := h.World.Token("USDC")
		first := c.FiatSubmitted("USDC", c.FiatPayment(account, "900.00")) // 1,000 US dollars
		second := c.Do("POST", "/transactions", fiatBody(c, c.FiatPayment(account, "900.00"))).OK(201).ID()
		refused := func(id string) {
			t.Helper()
			c.Act(id, "submit").Refused(422, "CUMULATIVE_AMOUNT_LIMIT", "/payments CUMULATIVE_AMOUNT_LIMIT")
		}
		refused(second)
		c.Do("DELETE", "/transactions/"+first, nil).OK(200)
		c.Act(second, "submit").OK(200)
		third := c.Do("POST", "/transactions", fiatBody(c, c.FiatPayment(account, "900.00"))).OK(201).ID()
		refused(third)

		c.Act(second, "accept").OK(200)
		refused(third)
		h.Approve(usdc, c.Payer, new(big.Int))
		h.SettleAll()
		c.Ends(second, transaction.StatusFailed, transaction.PaymentFailed)
		h.Approve(usdc, c.Payer, apptest.Units(usdc, 10_000))
		h.DB().Clock().Advance(fundsAge)
		c.Act(third, "submit").OK(200)
	})
}

// cumulativeAmount counts on-ramps from their submission on, however many are submitted at one moment; one that is
// deleted, rejected or overdue counts no more.
func TestSubmittedOnrampsCountTowardsTheLimit(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		operator := h.Operators()
		operator.Approve(
			operator.Do("PATCH", "/operations/organisations/"+c.Org+"/terms", object{"cumulativeAmount": "3300"}),
		)
		// 1,100 US dollars
		draft := func() string { return c.Do("POST", "/transactions", onrampBody(c, "990.00", "EUR")).OK(201).ID() }

		const many = 8

		ids := make([]string, many)
		for i := range ids {
			ids[i] = draft()
		}

		var wg sync.WaitGroup

		codes := make([]string, many)
		for i, id := range ids {
			wg.Go(func() { codes[i] = c.Act(id, "submit").Code() })
		}

		wg.Wait()

		submitted := []string{}
		for i, code := range codes {
			if code == "" {
				submitted = append(submitted, ids[i])
				continue
			}

			require.Equal(t, "CUMULATIVE_AMOUNT_LIMIT", code)
		}

		require.Len(t, submitted, 3)

		refused := func() {
			t.Helper()
			c.Act(draft(), "submit").Refused(422, "CUMULATIVE_AMOUNT_LIMIT", "/payments CUMULATIVE_AMOUNT_LIMIT")
		}
		refused()
		require.Nil(t, read(c, submitted[0]).Quote, "an on-ramp has no price before its deposit")
		c.Do("DELETE", "/transactions/"+submitted[0], nil).OK(200)
		c.Act(draft(), "submit").OK(200)
		refused()
		operator.Do("POST", "/transactions/"+submitted[1]+"/reject", object{"reason": "sanctions"}).OK(200)
		c.Act(draft(), "submit").OK(200)
		refused()

		h.DB().Clock().Advance(31 * 24 * time.Hour)
		c.Login()
		_, err := onramp.Expire(t.Context(), h.App.Transactions, 100)
		require.NoError(t, err)
		require.Zero(t, h.Count("SELECT count(*) FROM quotes WHERE status = 'CURRENT'"))
	})
}

// An on-ramp is held against the limits before anybody is told where to send the deposit; one that has arrived is
// delivered whatever the limits have become.
func TestLimitsKeepNoDepositThatHasArrived(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		operator := h.Operators()
		c.StaySignedIn()
		limit := func(terms object) {
			operator.Approve(operator.Do("PATCH", "/operations/organisations/"+c.Org+"/terms", terms))
		}
		limit(object{"transactionValueLimit": "2000", "cumulativeAmount": "1500"})

		for amount, code := range map[string]string{
			"1800.01": "TRANSACTION_VALUE_LIMIT",
			"1400.00": "CUMULATIVE_AMOUNT_LIMIT",
		} {
			id := c.Do("POST", "/transactions", onrampBody(c, amount, "EUR")).OK(201).ID()
			c.Act(id, "submit").Refused(422, code, "/payments "+code)

			if code == "TRANSACTION_VALUE_LIMIT" {
				c.Act(id, "validate").Refused(422, code, "/payments "+code)
			}
		}

		id, reference := c.OnrampSubmitted("USDC", "EUR", "1350.00")
		limit(object{"transactionValueLimit": "100", "cumulativeAmount": "100", "minUSDPaymentAmount": "5000"})
		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "1350.00", Reference: reference, Sender: c.Name()})
		h.BankUntil("delivered", func() bool { return c.Read(id).Status == completed })
		h.Oracle()
	})
}
