//go:build !nosandbox

package fiat_test

import (
	"math/big"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/transaction"
	"slipway/internal/payments/transaction/transactiontest"
	"slipway/internal/rails/chain/contract"
)

// held returns the identifier of the quote in an answer of check-allowance.
func held(t *testing.T, w *transactiontest.World, draft string) string {
	t.Helper()

	id := w.Post(draft, "check-allowance").Status(200).Text("quote._id")
	require.NotEmpty(t, id)

	return id
}

// count returns how many quotes of a transaction have a status.
func count(t *testing.T, w *transactiontest.World, transaction, status string) int64 {
	t.Helper()
	return w.Number("SELECT count(*) FROM quotes WHERE transaction_id = ? AND status = ?", transaction, status)
}

// What check-allowance shows is what submit takes, wherever the rate goes meanwhile.
func TestCheckAllowanceLocksTheQuoteThatSubmitTakes(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		id := w.Draft(w.Fiat("900.00"))

		a := w.Post(id, "check-allowance").Status(200)
		require.Equal(t, "1000.50", a.Text("required"))

		locked := a.Text("quote._id")
		require.NotEmpty(t, locked)

		expires, err := time.Parse(time.RFC3339, a.Text("quote.expiresAt"))
		require.NoError(t, err)
		require.WithinDuration(t, w.DB.Now().Add(quote.HeldLifetime), expires, time.Second)

		w.Rate("USDC", "EUR", 80, 100)
		require.Equal(t, locked, held(t, w, id), "a second call locks nothing")

		valid := w.Post(id, "validate").Status(200)
		require.Equal(t, locked, valid.Text("quote._id"))
		require.Equal(t, "1000.50", valid.Text("totals.tokenDebit"))

		w.Market.Down(true) // the price is known
		w.Advance(quote.HeldLifetime - time.Second)
		require.Equal(t, "1000.50", w.Post(id, "submit").Status(200).Text("totals.tokenDebit"))

		v := w.Read(id)
		require.Equal(t, locked, v.Text("quote._id"))
		require.Equal(t, a.Text("quote.expiresAt"), v.Text("quote.expiresAt"), "submit adds no time")
		require.Equal(t, locked, held(t, w, id))

		w.Post(id, "accept").Status(200)
		require.EqualValues(t, 1, w.Number("SELECT count(*) FROM quotes"))
	})
}

// A held quote is for its own content: other amounts get another price, and the first one counts as unused.
func TestHeldQuoteIsForItsOwnContent(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		id := w.Draft(w.Fiat("900.00"))
		first := held(t, w, id)
		w.Rate("USDC", "EUR", 80, 100)

		more := w.Fiat("900.00")
		more["payments"] = twice(more)

		for name, other := range map[string]object{"another amount": w.Fiat("900.01"), "one payment more": more} {
			w.Send("PUT", "/transactions/"+id, other).Status(200)
			require.Empty(t, w.Post(id, "validate").Status(200).Text("quote._id"), name)
		}

		again := transactiontest.With(w.Fiat("900.00"), object{"reason": "Invoice 9"})
		w.Send("PUT", "/transactions/"+id, again).Status(200)
		require.Equal(t, first, held(t, w, id), "a reason has no price")

		w.Send("PUT", "/transactions/"+id, w.Fiat("800.00")).Status(200)
		require.Equal(t, "1000.50", w.Post(id, "submit").Status(200).Text("totals.tokenDebit"), "at the present rate")
		require.EqualValues(t, 1, count(t, w, id, "REPLACED"))
		require.EqualValues(t, 1, count(t, w, id, "CURRENT"))
		require.Zero(t, count(t, w, id, "HELD"))
	})
}

// The price is that of the bank account as it is now, on the rail that reaches it now: submit takes it.
func TestHeldQuoteIsForTheAccountAsItIs(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		w.Rails = []string{"SEPA", "SWIFT"}
		id := w.Draft(w.Fiat("900.00"))

		w.Send("PATCH", "/bank-accounts/"+w.Account, object{
			"bankCountry": "AE",
			"iban":        "AE070331234567890123456",
			"bicSwift":    "EBILAEADXXX",
		}).Status(200)
		w.Exec("UPDATE bank_accounts SET cool_until = 0") // a day later

		first := held(t, w, id)
		require.EqualValues(t, 1, w.Number("SELECT count(*) FROM quotes WHERE status = 'HELD'"))
		w.Rate("USDC", "EUR", 80, 100)

		w.Post(id, "submit").Status(200)
		require.Equal(t, first, w.Read(id).Text("quote._id"))
	})
}

func twice(body object) []object {
	payments := body["payments"].([]object)
	return append(payments, payments[0])
}

// A rate that the client does not expect is refused, also when the quote was locked before the expectation was written.
func TestHeldQuoteIsComparedWithTheEstimate(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		id := w.Draft(w.Fiat("900.00"))
		first := held(t, w, id)

		w.Rate("USDC", "EUR", 80, 100)
		expects := func(rate string) object {
			return transactiontest.With(w.Fiat("900.00"), object{"estimatedRate": rate})
		}

		w.Send("PUT", "/transactions/"+id, expects("0.80")).Status(200)

		for _, operation := range []string{"validate", "check-allowance", "submit"} {
			w.Post(id, operation).Refused(422, fault.EstimateOff, "/payments/0/estimatedRate")
		}

		w.Send("PUT", "/transactions/"+id, expects("0.80")).Status(200)
		w.Rate("USDC", "EUR", 90, 100)
		w.Send("PUT", "/transactions/"+id, expects("0.90")).Status(200)
		w.Post(id, "submit").Status(200)
		require.Equal(t, first, w.Read(id).Text("quote._id"))
	})
}

// A wallet of several people takes hours to sign. The quote is locked anew, and the allowance with its headroom still
// covers it: nobody signs twice, and the debit is exact.
func TestHeadroomCoversARateThatMoved(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		w.Node.Set(10_000_000_000, 0)
		id := w.Draft(w.Fiat("900.00"))

		a := w.Post(id, "check-allowance").Status(200)
		require.Equal(t, "1", a.Text("headroomPercent"))

		call := a.List("approvalCalls")[0].(map[string]any)
		require.Equal(t, "1010.505", call["amount"])
		w.Node.Set(10_000_000_000, approved(t, call))

		w.Advance(6 * time.Hour)
		w.Rate("USDC", "EUR", 895, 1000)

		a = w.Post(id, "check-allowance").Status(200)
		require.Equal(t, true, a.Get("sufficient"))
		require.Empty(t, a.List("approvalCalls"))
		require.Equal(t, "1006.086593", a.Text("required"))
		require.NotEmpty(t, a.Text("quote._id"))

		w.Post(id, "submit").Status(200)
		w.Post(id, "accept").Status(200)

		paid, err := transaction.ByID(t.Context(), w.DB, id)
		require.NoError(t, err)
		require.Equal(t, "1006.086593", paid.DebitAmount().String())
	})
}

// approved decodes how many units an approve call approves.
func approved(t *testing.T, call map[string]any) int64 {
	t.Helper()

	method := contract.Token().PackApprove(common.Address{}, new(big.Int))[:4]
	data := common.FromHex(call["data"].(string))
	require.Equal(t, method, data[:4])

	return new(big.Int).SetBytes(data[4+32:]).Int64()
}

// The headroom is what the call asks for, or else what the organisation has set, within its limits, and only where a
// rate can move.
func TestHeadroomOfACallAndOfAnOrganisation(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		w.Node.Set(10_000_000_000, 0)
		id := w.Draft(w.Fiat("900.00"))
		check := func(id, percent string) (headroom string, units int64) {
			a := w.Send("POST", "/transactions/"+id+"/check-allowance", object{"headroomPercent": percent}).Status(200)
			return a.Text("headroomPercent"), approved(t, a.List("approvalCalls")[0].(map[string]any))
		}

		for percent, units := range map[string]int64{"0": 1_000_500_000, "5": 1_050_525_000, "0.3333": 1_003_834_667} {
			headroom, got := check(id, percent)
			require.Equal(t, percent, headroom)
			require.Equal(t, units, got)
		}

		for _, wrong := range []string{"5.0001", "-1", "1.00001", "all", "1e1", "500"} {
			w.Send("POST", "/transactions/"+id+"/check-allowance", object{"headroomPercent": wrong}).
				Refused(422, fault.OutOfRange, "/headroomPercent")
		}

		w.Exec("UPDATE organisations SET quote_headroom_percent = '2.5' WHERE id = ?", w.Org)
		require.Equal(t, "2.5", w.Post(id, "check-allowance").Status(200).Text("headroomPercent"))

		crypto := w.Draft(w.Crypto("100"))
		headroom, units := check(crypto, "")
		require.Equal(t, "0", headroom)
		require.EqualValues(t, 100_000_000, units, "what depends on no rate is approved exactly")
		w.Send("POST", "/transactions/"+crypto+"/check-allowance", object{"headroomPercent": "1"}).
			Refused(422, fault.NotAllowed, "/headroomPercent")
	})
}

// A quote that expires between the check and the write of submit is not taken: submit prices again.
func TestSubmitTakesNoQuoteThatExpiresMeanwhile(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		id := w.Draft(w.Fiat("900.00"))
		first := held(t, w, id)
		w.Rate("USDC", "EUR", 80, 100)

		w.Node.Asked = func() {
			w.Node.Asked = nil
			w.Advance(quote.HeldLifetime)
		}
		require.Equal(t, "1125.50", w.Post(id, "submit").Status(200).Text("totals.tokenDebit"))
		require.NotEqual(t, first, w.Read(id).Text("quote._id"))
	})
}

// Of two callers who find no quote, the slower one gets what the faster one has locked. One whose draft was changed at
// the same moment locks nothing.
func TestDraftHasOneHeldQuote(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		id := w.Draft(w.Fiat("900.00"))

		var faster string

		w.Market.Asked = func() {
			w.Market.Asked = nil
			faster = held(t, w, id)
		}
		require.Equal(t, held(t, w, id), faster)
		require.EqualValues(t, 1, w.Number("SELECT count(*) FROM quotes"))

		w.Advance(quote.HeldLifetime)
		w.Market.Asked = func() {
			w.Market.Asked = nil
			w.Send("PUT", "/transactions/"+id, w.Fiat("1.00")).Status(200)
		}
		w.Post(id, "check-allowance").Refused(409, fault.TxChanged, "")
		require.EqualValues(t, 1, w.Number("SELECT count(*) FROM quotes"))
	})
}

// Who may not write sees the price and locks nothing, since an organisation has only so many quotes to leave unused.
func TestWhoMayNotWriteLocksNoQuote(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		id := w.Draft(w.Fiat("900.00"))
		viewer := w.Org + "/" + w.User + "//" + organisation.Viewer
		look := func() string {
			a := w.Do(viewer, "POST", "/transactions/"+id+"/check-allowance", "").Status(200)
			require.Equal(t, "1000.50", a.Text("required"))

			return a.Text("quote._id")
		}

		require.Empty(t, look())
		require.Zero(t, w.Number("SELECT count(*) FROM quotes"))

		locked := held(t, w, id)
		require.Equal(t, locked, look(), "what is locked is shown to everyone")
	})
}

// A quote of a draft that is deleted, rejected or let be counts as unused. So does one of a draft while it holds, since
// a draft reserves nothing that would limit their number. One that was submitted counts no longer.
func TestQuotesOfDraftsAreNoFreeOptions(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		const free = 20

		drafts := make([]string, free)
		for i := range drafts {
			drafts[i] = w.Draft(w.Fiat("1.00"))
			require.Equal(t, "0.9", w.Post(drafts[i], "check-allowance").Status(200).Text("quote.rate"))
		}

		further := func() string {
			return w.Post(w.Draft(w.Fiat("2.00")), "validate").Status(200).Text("quote.rate")
		}
		require.Equal(t, "0.8991", further())

		w.Post(drafts[0], "submit").Status(200)
		require.Equal(t, "0.9", further(), "19 are held")

		w.Send("PUT", "/transactions/"+drafts[1], w.Fiat("1.01")).Status(200)
		held(t, w, drafts[1])
		require.Equal(t, "0.8991", further(), "one was replaced, 19 are held")

		w.Send("DELETE", "/transactions/"+drafts[1], nil).Status(200)
		w.Advance(quote.HeldLifetime)
		require.Equal(t, "0.8991", further(), "deleted and expired ones")
		require.EqualValues(t, 1, count(t, w, drafts[1], "DEAD"))

		w.Exec("UPDATE quotes SET locked_at = locked_at - 86400000000") // a day later
		require.Equal(t, "0.9", further())
	})
}

// Many callers at once get one and the same quote.
func TestManyChecksAtOnceLockOneQuote(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		id := w.Draft(w.Fiat("900.00"))
		quotes := make([]string, 8)

		var wg sync.WaitGroup
		for i := range quotes {
			wg.Go(func() { quotes[i] = w.Send("POST", "/transactions/"+id+"/check-allowance", nil).Text("quote._id") })
		}

		wg.Wait()

		require.NotEmpty(t, quotes[0])

		for _, q := range quotes {
			require.Equal(t, quotes[0], q)
		}

		require.EqualValues(t, 1, w.Number("SELECT count(*) FROM quotes"))
	})
}
