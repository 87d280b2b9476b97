//go:build !nosandbox

package app_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/banksim"
)

// What is invoiced for a month is what its book has of fees, to the cent, and the same in both ways: the invoices of its
// transactions less their credit notes, and the collective invoice. Payments are made and refused, and a deposit buys
// tokens. Another organisation has no fees.
func TestAMonthIsInvoicedToTheCent(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		now := h.DB().Now().UTC()
		month := time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC)
		h.DB().Clock().Advance(month.AddDate(0, 1, -3).Sub(now))
		m.Fix("EUR", 9_137)

		c := h.Client("Ada")
		other := h.Client("Bob")

		for _, x := range []*apptest.Client{c, other} {
			x.StaySignedIn()
			x.Do("PATCH", "/organisations/"+x.Org, apptest.Object{"timeZone": "UTC", "homeCurrency": "CHF"}).OK(200)
		}

		good := c.NewBankAccount("EUR", "000")
		gone := c.NewBankAccount("EUR", "002")
		pay := func(of *apptest.Client, amounts ...string) {
			var payments []apptest.Object
			for i, amount := range amounts {
				account := good
				if i > 0 {
					account = gone
				}

				payments = append(payments, of.FiatPayment(account, amount))
			}

			of.FiatAccepted("USDC", payments...)
		}

		pay(c, "900.01")
		pay(c, "313.37", "77.77", "55.01")
		h.SettleAll()

		_, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Sender: c.Name(), Reference: reference})
		h.BankUntil("the deposit has bought tokens", func() bool {
			return h.Count("SELECT count(*) FROM transactions WHERE type = 'ONRAMP' AND status = 'COMPLETED'") == 1
		})

		name := month.Format("2006-01")
		path := "/bookkeeping/periods/" + name + "/invoice"
		c.Do("POST", path, nil).Refused(409, "PERIOD_NOT_OVER")
		other.Do("POST", path, nil).Refused(409, "PERIOD_NOT_OVER")

		h.DB().Clock().Advance(month.AddDate(0, 1, 6).Sub(h.DB().Now()))

		ended, err := db.Select(t.Context(), h.DB(), func(s *string) []any { return []any{s} },
			"SELECT id FROM transactions WHERE status = ?", string(transaction.StatusCompleted))
		require.NoError(t, err)
		require.Len(t, ended, 3)

		total := func(kind, id string) *big.Rat {
			v := contentWhere(t, h, "invoices", "kind = ? AND transaction_id = ?", kind, id)
			return number(t, v.Home.Total)
		}
		singles := new(big.Rat)

		for _, id := range ended {
			if a := c.Do("POST", "/transactions/"+id+"/credit-note", nil, asPDF); a.Status == 200 {
				require.EqualValues(t, 2, h.Count("SELECT count(*) FROM invoices"), "with the invoice that it corrects")
				singles.Sub(singles, total("CREDIT_NOTE", id))

				for _, l := range contentWhere(t, h, "invoices", "kind = ?", "CREDIT_NOTE").Lines {
					require.NotContains(t, l.Label, "×", "how the whole fee was made up")
				}
			} else {
				a.Refused(409, "NOTHING_GIVEN_BACK")
			}
		}

		require.Negative(t, singles.Sign(), "there is a credit note")

		for _, id := range ended {
			c.Do("POST", "/transactions/"+id+"/invoice", nil, asPDF).OK(200)
			singles.Add(singles, total("INVOICE", id))
		}

		file := c.Do("POST", path, nil, asPDF).OK(200)
		kept(t, "collective-invoice", file.Raw)
		require.Equal(t, file.Raw, c.Do("POST", path, nil, asPDF).OK(200).Raw)
		other.Do("POST", path, nil).Refused(409, "NO_FEES")

		booked := new(big.Rat)

		for _, l := range book(t, c, "&from="+name+"-01&to="+month.AddDate(0, 1, -1).Format(time.DateOnly)) {
			if len(l.AccountKind) < 7 || l.AccountKind[:7] != "income/" {
				continue
			}

			if l.Debit != nil {
				booked.Add(booked, number(t, *l.Debit))
			} else {
				booked.Sub(booked, number(t, *l.Credit))
			}
		}

		collective := contentOf(t, h, "invoices", "")
		require.Zero(t, booked.Cmp(number(t, collective.Home.Total)), "%s and %v", booked.FloatString(2), collective)
		require.Zero(t, booked.Cmp(singles), "%s and %s", booked.FloatString(2), singles.FloatString(2))
		require.Len(t, collective.Lines, 4, "one for each transaction, and one for what was given back")
		h.Oracle()
	})
}
