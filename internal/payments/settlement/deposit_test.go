//go:build !nosandbox

package settlement_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/transaction"
	"slipway/internal/payments/transaction/onramp"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/banksim"
	"slipway/internal/rails/liquidity/liquiditysim"
)

// D-04, D-05, D-06: every deposit that is not exactly what is waited for goes to suspense, is converted by nobody,
// and its transaction says so where it is known. The exact one that follows is matched all the same.
func TestInexactDepositsGoToSuspense(t *testing.T) {
	reasons := map[banksim.Kind][]reconcile.Reason{
		banksim.Short:         {reconcile.ReasonUnder},
		banksim.Over:          {reconcile.ReasonOver},
		banksim.FeeShortened:  {reconcile.ReasonUnder},
		banksim.OtherSender:   {reconcile.ReasonSender},
		banksim.Split:         {reconcile.ReasonUnder, reconcile.ReasonUnder, reconcile.ReasonUnder},
		banksim.NoReference:   {reconcile.ReasonNoReference},
		banksim.WrongCurrency: {reconcile.ReasonAccount},
	}

	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		for kind, want := range reasons {
			before := map[string]bool{}
			for _, d := range h.Suspense() {
				before[d.Entry] = true
			}

			id, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
			h.Deposit(banksim.Deposit{
				Currency:  "EUR",
				Amount:    "2500.00",
				Reference: reference,
				Sender:    c.Name(),
				Kind:      kind,
			})
			h.BankUntil("in suspense", func() bool { return len(h.Suspense()) == len(before)+len(want) })

			for _, d := range h.Suspense() {
				if !before[d.Entry] {
					require.Equal(t, want[0], d.Reason, kind)
				}
			}

			v := c.Read(id)
			require.Equal(t, transaction.StatusWaiting, v.Status, kind)

			if want[0] != reconcile.ReasonNoReference {
				require.Equal(t, "DEPOSIT_MISMATCH", v.Settlement, kind)
				require.NotEmpty(t, v.StatusInfo, kind)
			}

			h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: reference, Sender: c.Name()})
			h.BankUntil("delivered", func() bool { return c.Read(id).Status == completed })
			h.Oracle()
		}

		require.EqualValues(
			t,
			len(reasons),
			h.Count("SELECT count(*) FROM effects WHERE word = 'convert'"),
			"nothing inexact was converted",
		)
	})
}

// D-11: a deposit from somebody else goes to suspense, although submit has named that sender, and so does one from an
// account that the organisation has not told as its own; the right one that follows is matched all the same.
func TestADepositFromSomebodyElseIsNotConverted(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")

		const foreign = "FR1420041010050500013M02606"
		c.Do("POST", "/bank-accounts", apptest.Object{
			"bankCountry": "DE",
			"currency":    "EUR",
			"iban":        apptest.SenderAccount,
			"bicSwift":    "COBADEFFXXX",
			"receiver":    c.Self,
		}).OK(201)

		for i, from := range []banksim.Deposit{
			{Sender: "Mallory Ltd", SenderAccount: foreign},
			{Sender: "Mallory Ltd", SenderAccount: apptest.SenderAccount},
			{Sender: c.Name(), SenderAccount: foreign},
			{SenderAccount: foreign},
			{},
		} {
			id := c.Do("POST", "/transactions", apptest.Object{
				"type":           "ONRAMP",
				"token":          "USDC",
				"walletAddress":  c.Payer.Address.Hex(),
				"amountCurrency": "EUR",
				"payments":       []apptest.Object{{"type": "ONRAMP", "receiver": c.Self, "amount": "2500.00"}},
			}).OK(201).ID()

			var told struct {
				Reference string `json:"reference"`
			}

			c.Do("POST", "/transactions/"+id+"/submit", apptest.Object{"sender": from.Sender}).OK(200)
			c.Do("GET", "/transactions/"+id+"/bank-details", nil).OK(200).Into(&told)
			from.Currency = "EUR"
			from.Amount = "2500.00"
			from.Reference = told.Reference

			h.Deposit(from)
			h.BankUntil("in suspense", func() bool { return len(h.Suspense()) == i+1 })
			require.Equal(t, "DEPOSIT_MISMATCH", c.Read(id).Settlement)
			require.Equal(t, reconcile.ReasonSender, h.Suspense()[i].Reason)
			require.Zero(t, h.Count("SELECT count(*) FROM effects WHERE word = 'convert' AND transaction_id = ?", id))

			if from.Sender == "Mallory Ltd" {
				continue // whom submit has named stays asked for
			}

			h.Deposit(banksim.Deposit{
				Currency:      "EUR",
				Amount:        "2500.00",
				Reference:     told.Reference,
				Sender:        c.Name(),
				SenderAccount: apptest.SenderAccount,
			})
			h.BankUntil("delivered", func() bool { return c.Read(id).Status == completed })
		}

		h.Oracle()
	})
}

// D-05, D-07: a deposit that comes twice, and one for a transaction that has ended, pay once. Matching again changes
// nothing (D-01).
func TestSecondDepositGoesToSuspense(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		id, reference := c.OnrampSubmitted("USDC", "GBP", "2500.00")
		h.Deposit(banksim.Deposit{
			Currency:  "GBP",
			Amount:    "2500.00",
			Reference: reference,
			Sender:    c.Name(),
			Kind:      banksim.Duplicate,
		})
		h.BankUntil("delivered", func() bool { return c.Read(id).Status == completed })
		h.Deposit(banksim.Deposit{Currency: "GBP", Amount: "2500.00", Reference: reference, Sender: c.Name()})
		h.BankUntil("in suspense", func() bool { return len(h.Suspense()) == 2 })

		for _, d := range h.Suspense() {
			require.Equal(t, reconcile.ReasonNotOpen, d.Reason)
			require.Equal(t, id, d.Transaction)
		}

		h.Control(banksim.Control{Op: "duplicate_file", Kind: "camt.054"})
		h.Control(banksim.Control{Op: "statement"})

		for range 3 {
			h.BankRound()
			require.NoError(t, h.App.Settlement.Deposits.Match(t.Context()))
		}

		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM deposit_matches"))
		require.EqualValues(t, 3, h.Count("SELECT count(*) FROM deposits"))
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM effects WHERE word <> 'convert'"))
		h.Oracle()
	})
}

// D-05, D-07: two persons assign the parts of a split deposit to its transaction, which begins when the sum is exact,
// and send another one back to the account it came from.
func TestTwoPersonsSettleSuspense(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		id, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
		h.Deposit(banksim.Deposit{
			Currency:  "EUR",
			Amount:    "2500.00",
			Reference: reference,
			Sender:    c.Name(),
			Kind:      banksim.Split,
		})
		h.Deposit(banksim.Deposit{
			Currency:      "EUR",
			Amount:        "7.00",
			Sender:        "Someone Else",
			SenderAccount: apptest.SenderAccount,
		})
		h.BankUntil("in suspense", func() bool { return len(h.Suspense()) == 4 })

		parts := 0
		for _, d := range h.Suspense() {
			if d.Transaction == "" {
				_, err := h.Says("ann", d.Entry, reconcile.Decision{
					Action:      reconcile.ActionAssign,
					Transaction: "txn_none",
				})
				require.Error(t, err)
				h.Decide(d.Entry, reconcile.Decision{Action: reconcile.ActionRefund})

				continue
			}

			require.Equal(t, transaction.StatusWaiting, c.Read(id).Status)
			h.Decide(d.Entry, reconcile.Decision{Action: reconcile.ActionAssign, Transaction: id})
			parts++
			h.Oracle()
		}

		require.Equal(t, 3, parts)
		h.BankUntil("delivered and sent back", func() bool {
			return c.Read(id).Status == completed &&
				h.Count("SELECT count(*) FROM deposits WHERE state = 'REFUNDED'") == 1
		})
		require.Empty(t, h.Suspense())
		h.Oracle()
		require.EqualValues(
			t,
			0,
			h.Count("SELECT count(*) FROM postings WHERE account LIKE 'clearing/%' AND units = '0'"),
		)
	})
}

// Whose a deposit is, is booked as soon as it is known: at once, if it names an organisation's transaction and comes
// from that organisation, or else when people find out. So each movement of its bank stands in its book once. What is a
// stranger's stands in no organisation's book.
func TestADepositStandsInItsOwnersBookOnce(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		id, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")

		own := h.Deposit(banksim.Deposit{
			Currency:      "EUR",
			Amount:        "2000.00",
			Reference:     reference,
			Sender:        c.Name(),
			SenderAccount: apptest.SenderAccount,
		})
		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Sender: c.Name()})
		strange := h.Deposit(banksim.Deposit{
			Currency:      "EUR",
			Amount:        "7.00",
			Reference:     reference,
			Sender:        "Mallory Ltd",
			SenderAccount: apptest.SenderAccount,
		})
		h.BankUntil("in suspense", func() bool { return len(h.Suspense()) == 3 })
		require.Equal(t, []string{"suspense/EUR/" + c.Org + " 200000", "sender/EUR -200000"}, ofSuspense(t, h, c.Org))

		for _, d := range h.Suspense() {
			want := reconcile.Decision{Action: reconcile.ActionRefund}
			if d.Reason == reconcile.ReasonNoReference {
				want = reconcile.Decision{Action: reconcile.ActionAssign, Transaction: id}
			}

			h.Decide(d.Entry, want)
		}

		h.BankUntil("delivered and sent back", func() bool {
			return c.Read(id).Status == completed &&
				h.Count("SELECT count(*) FROM deposits WHERE state = 'REFUNDED'") == 2
		})
		h.Oracle()

		suspense := "suspense/EUR/" + c.Org
		require.ElementsMatch(t, []string{
			"sender/EUR -200000", suspense + " 200000", // came, and was not enough
			suspense + " -200000", "sender/EUR 200000", // went back
			"sender/EUR -250000", suspense + " 250000", // came without a reference, and was assigned
			suspense + " -250000",
		}, ofSuspense(t, h, c.Org))

		// what was sent back is taken back besides: its owner owes it, and nobody whose transaction it has named
		for _, refs := range [][]string{strange, own} {
			h.Control(banksim.Control{Op: "reverse", Entry: refs[0]})
		}

		h.BankUntil("taken back", func() bool { return h.Count("SELECT count(*) FROM receivables") == 2 })
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM receivables WHERE organisation = ? "+
			"AND transaction_id = ? AND units = '200000'", c.Org, id))
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM receivables WHERE organisation = 'unknown' "+
			"AND transaction_id = '' AND units = '700'"))
		require.Equal(t, []string{"sender/EUR 700"}, ofSuspense(t, h, "unknown"))
		h.Oracle()
	})
}

// ofSuspense returns the postings in an organisation's book to senders and suspense.
func ofSuspense(t *testing.T, h *apptest.Harness, organisation string) []string {
	t.Helper()

	out, err := db.Select(t.Context(), h.DB(), func(s *string) []any { return []any{s} },
		`SELECT p.account || ' ' || p.units FROM journals j JOIN postings p ON p.journal = j.id
			WHERE j.organisation = ? AND (p.account LIKE 'sender/%' OR p.account LIKE 'suspense/%')
			ORDER BY j.id, p.line`, organisation)
	require.NoError(t, err)

	return out
}

// D-07: a deposit that comes after its time is over is nobody's: it waits for people.
func TestLateDeposit(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		id, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
		h.DB().Clock().Advance(32 * 24 * time.Hour)
		c.Login()
		_, err := onramp.Expire(t.Context(), h.App.Transactions, 100)
		require.NoError(t, err)

		c.Ends(id, failed)
		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: reference, Sender: c.Name()})
		h.BankUntil("in suspense", func() bool { return len(h.Suspense()) == 1 })
		require.Equal(t, reconcile.ReasonNotOpen, h.Suspense()[0].Reason)

		c.Ends(id, failed)
		h.Oracle()
	})
}

// The bank refuses to send a deposit back: it is in suspense again, its transaction says so, and when people have had
// it tried again it is over.
func TestRefusedRefundOfADepositIsTriedAgain(t *testing.T) {
	provided(t, func(t *testing.T, h *apptest.Harness, provider *liquiditysim.Server) {
		c := h.Client("Ada")
		provider.Steer(liquiditysim.Reject, 0)
		h.Control(banksim.Control{Op: "reject", Count: 1, Reason: "AC06"})
		id, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")

		h.Deposit(banksim.Deposit{
			Currency:      "EUR",
			Amount:        "2500.00",
			Reference:     reference,
			Sender:        c.Name(),
			SenderAccount: apptest.SenderAccount,
		})

		h.BankUntil("refused", func() bool { return c.Read(id).Settlement == "REFUND_FAILED" })
		all := h.Suspense()
		require.Len(t, all, 1)
		require.Equal(t, reconcile.ReasonNotBack, all[0].Reason)

		h.Oracle()
		h.Decide(all[0].Entry, reconcile.Decision{Action: reconcile.ActionRefund})
		h.BankUntil("back", func() bool { return c.Read(id).Settlement == "REFUNDED" })
		c.Ends(id, failed, transaction.PaymentFailed)
		require.Equal(t, 1, h.ExecutedOnce())

		h.Oracle()
	})
}

// The bank refuses to send back what people have decided to send out of suspense: it is in suspense again, in the book
// in which it was, and they decide anew. What went back and was returned from there is a deposit of the same owner.
func TestRefusedRefundOutOfSuspense(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		_, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")

		for text, sender := range map[string]string{"nobody's": "Somebody", reference: c.Name()} {
			h.Deposit(banksim.Deposit{
				Currency:      "EUR",
				Amount:        "10.00",
				Reference:     text,
				Sender:        sender,
				SenderAccount: apptest.SenderAccount,
			})
		}

		refund := func() {
			for _, d := range h.Suspense() {
				h.Decide(d.Entry, reconcile.Decision{Action: reconcile.ActionRefund})
			}

			require.Empty(t, h.Suspense())
		}
		came := []string{"suspense/EUR/" + c.Org + " 1000", "sender/EUR -1000"}
		left := "suspense/EUR/" + c.Org + " -1000"

		h.BankUntil("in suspense", func() bool { return len(h.Suspense()) == 2 })
		require.Equal(t, came, ofSuspense(t, h, c.Org))

		h.Control(banksim.Control{Op: "reject", Count: 2, Reason: "AC06"})
		refund()
		h.BankUntil("refused", func() bool { return len(h.Suspense()) == 2 })

		for _, d := range h.Suspense() {
			require.Equal(t, reconcile.ReasonNotBack, d.Reason)
		}

		refused := slices.Concat(came, []string{left, "suspense/EUR/" + c.Org + " 1000"})
		require.Equal(t, refused, ofSuspense(t, h, c.Org))
		h.Oracle()

		refund()
		h.BankUntil("back", func() bool { return h.ExecutedOnce() == 2 })
		back := slices.Concat(refused, []string{left, "sender/EUR 1000"})
		h.BankUntil("booked", func() bool {
			return h.Count("SELECT count(*) FROM deposits WHERE state = 'REFUNDED'") == 2
		})
		require.Equal(t, back, ofSuspense(t, h, c.Org))
		h.Oracle()

		sent, err := db.Select(t.Context(), h.DB(), func(s *string) []any { return []any{s} },
			"SELECT end_to_end_id FROM bank_payouts WHERE state = 'BOOKED'")
		require.NoError(t, err)

		for _, key := range sent {
			h.Control(banksim.Control{Op: "late_return", EndToEndID: key, Reason: "AC04"})
		}

		h.BankUntil("in suspense again", func() bool { return len(h.Suspense()) == 2 })
		require.Equal(t, slices.Concat(back, came), ofSuspense(t, h, c.Org))
		h.Oracle()
	})
}

// A deposit that can neither be converted nor sent back, since the bank did not name the account it came from, is
// held and said.
func TestDepositThatCannotGoBackIsHeld(t *testing.T) {
	provided(t, func(t *testing.T, h *apptest.Harness, provider *liquiditysim.Server) {
		c := h.Client("Ada")
		provider.Steer(liquiditysim.Reject, 0)
		id, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: reference, Sender: c.Name()})
		h.BankUntil("held", func() bool { return c.Read(id).Settlement == "ON_HOLD" })
		v := c.Read(id)
		require.Equal(t, transaction.StatusProcess, v.Status)
		require.Contains(t, v.StatusInfo, "cannot be sent back")

		for range 3 {
			require.NoError(t, h.App.Settlement.Step(t.Context(), id))
		}

		require.Equal(t, len(v.Timeline), len(c.Read(id).Timeline), "who has been told is not told again")
		require.Zero(t, h.Count("SELECT count(*) FROM bank_payouts"))
		h.Oracle()
	})
}

// D-08: of a deposit that came in parts one is taken back, and another cannot be sent back: the statement that says
// so is booked all the same, the transaction stops, and people are left with the other part.
func TestReversalOfAPartIsBookedWhateverBecomesOfTheOthers(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		id, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
		h.Exec("UPDATE jobs SET dead = TRUE WHERE kind = 'settle'")
		refs := h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "1500.00", Reference: reference, Sender: c.Name()})
		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "1000.00", Reference: reference, Sender: c.Name()})
		h.BankRounds(3) // no job runs beside the bank
		require.NoError(t, h.App.Settlement.Deposits.Match(t.Context()))

		for _, d := range h.Suspense() {
			h.Decide(d.Entry, reconcile.Decision{Action: reconcile.ActionAssign, Transaction: id})
		}

		require.Equal(t, "FUNDS_RECEIVED", c.Read(id).Settlement)
		h.Control(banksim.Control{Op: "reverse", Entry: refs[0]})
		h.BankRounds(3)
		require.Equal(t, "RETURNED", c.Ends(id, failed, transaction.PaymentFailed).Settlement)
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM deposits WHERE state = 'REVERSED'"))
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM deposits WHERE state = 'MATCHED'"))
	})
}

// D-08: the sender's bank takes a deposit back while it is not known whether its conversion was carried out: the
// transaction stops, and the order is still looked at to its end, since the house must know what it owns.
func TestReversalWhileTheOrderIsUnknown(t *testing.T) {
	provided(t, func(t *testing.T, h *apptest.Harness, provider *liquiditysim.Server) {
		c := h.Client("Ada")
		c.StaySignedIn()
		provider.Steer(liquiditysim.Drop, 0)
		id, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
		refs := h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: reference, Sender: c.Name()})
		h.BankUntil("not known", func() bool { return c.Read(id).Settlement == "UNCERTAIN" })
		h.Control(banksim.Control{Op: "reverse", Entry: refs[0]})
		h.BankUntil("stopped", func() bool { return c.Read(id).Status == failed })
		provider.Steer(liquiditysim.Normal, 0)

		h.BankUntil("known", func() bool {
			h.DB().Clock().Advance(3 * time.Minute)
			require.NoError(t, h.App.Settlement.Sweep(t.Context()))
			return h.Count("SELECT count(*) FROM effects WHERE word = 'convert' AND state = 'FINAL'") == 1
		})

		require.Len(t, provider.Orders(), 1)
		require.Zero(t, h.Count("SELECT count(*) FROM effects WHERE word <> 'convert'"))
		require.Zero(t, h.Count("SELECT count(*) FROM receivables"))

		h.Oracle()
	})
}

// D-08: the sender's bank takes a deposit back, before the tokens were sent: the transaction stops, nothing is lost
// and nothing is owed.
func TestReversalBeforeTokens(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		id, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
		h.Exec("UPDATE jobs SET dead = TRUE WHERE kind = 'settle'")
		refs := h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: reference, Sender: c.Name()})
		h.BankRounds(3) // no job runs beside the bank
		require.NoError(t, h.App.Settlement.Deposits.Match(t.Context()))
		require.Equal(t, "FUNDS_RECEIVED", c.Read(id).Settlement)

		h.Control(banksim.Control{Op: "reverse", Entry: refs[0]})
		h.BankRounds(3)
		v := c.Ends(id, failed, transaction.PaymentFailed)
		require.Equal(t, "RETURNED", v.Settlement)

		h.SettleAll()
		require.Zero(t, h.Count("SELECT count(*) FROM receivables"))
		require.Zero(t, h.Count("SELECT count(*) FROM chain_sends"))

		h.Oracle()
	})
}

// D-08, M-02: the same after the conversion, while the tokens wait at a treasury that is short. The conversion is
// posted back line by line, the house keeps what it bought, and nothing is owed.
func TestReversalAfterConversion(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		refill := shortOf(h, "balance")
		id, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
		refs := h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: reference, Sender: c.Name()})
		h.BankUntil("it waits for the treasury", func() bool { return waiting(h) == 1 })

		h.Control(banksim.Control{Op: "reverse", Entry: refs[0]})
		h.BankUntil("stopped", func() bool { return c.Read(id).Status == failed })
		v := c.Ends(id, failed, transaction.PaymentFailed)
		require.Equal(t, "RETURNED", v.Settlement)
		require.NotEmpty(t, v.Fees)

		for _, f := range v.Fees {
			require.Equal(t, f.Amount, f.GivenBack, "nothing was charged in the end: %v", f)
		}

		require.Zero(t, h.Count("SELECT count(*) FROM receivables"))

		lines, err := ledger.OfTransaction(t.Context(), h.DB(), id)
		require.NoError(t, err)

		there := map[string]string{}
		back := map[string]string{}

		for _, l := range lines {
			switch l.Kind {
			case "convert":
				there[l.Account+" "+l.Asset] = l.Units
			case "unwind":
				back[l.Account+" "+l.Asset] = strings.TrimPrefix("-"+l.Units, "--")
			}
		}

		require.Contains(t, there, string(ledger.FxAccount("EUR", "USDC"))+" EUR")
		require.Equal(t, there, back)
		h.Oracle()

		refill()
		sweep(t, h)
		h.SettleAll()
		require.Zero(t, h.Count("SELECT count(*) FROM chain_sends"), "what was stopped is not sent later")
		h.Oracle()
	})
}

// D-08, M-08: the same after the tokens have gone out: COMPLETED stays, the organisation owes the amount, and nothing
// more is paid out for it until that is settled.
func TestReversalAfterTokens(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		id, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
		refs := h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: reference, Sender: c.Name()})
		h.BankUntil("delivered", func() bool { return c.Read(id).Status == completed })
		h.Control(banksim.Control{Op: "reverse", Entry: refs[0]})
		h.BankUntil("told", func() bool { return c.Read(id).Settlement == "RETURNED" })
		require.Equal(t, completed, c.Read(id).Status)
		require.EqualValues(
			t,
			1,
			h.Count("SELECT count(*) FROM receivables WHERE organisation = ? AND state = 'OPEN'", c.Org),
		)
		h.DB().Clock().Advance(time.Hour)
		metrics := h.Do(h.App, "GET", "/metrics", c.Token, nil).OK(200).Raw
		require.Contains(t, metrics, `settlement_open{kind="receivable"} 1`)
		require.Regexp(t, `settlement_oldest_seconds\{kind="receivable"\} 3[6-9]\d\d`, metrics, "an hour old")
		other := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "100"), "100.00"))
		h.BankUntil("held", func() bool { return c.Read(other).Settlement == "ON_HOLD" })

		sends := h.Count("SELECT count(*) FROM chain_sends")
		for range 5 {
			h.BankRound()
			h.World.Chain.Mine(1)
		}

		require.Equal(t, sends, h.Count("SELECT count(*) FROM chain_sends"))
		h.Oracle()
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM receivables WHERE state = 'OPEN'"))

		// it pays again as it has paid before, and what is held goes on by itself
		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: reference, Sender: c.Name()})
		h.BankUntil("settled", func() bool { return c.Read(id).Settlement == "SETTLED" })

		h.BankUntil("paid", func() bool {
			h.DB().Clock().Advance(time.Minute)
			require.NoError(t, h.App.Settlement.Sweep(t.Context()))
			return c.Read(other).Status == completed
		})
		h.Oracle()
	})
}
