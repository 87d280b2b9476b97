//go:build !nosandbox

package app_test

import (
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/banksim"
)

// What is invoiced for a month is what its book has of fees, to the cent, and the same in both ways: the invoices of
// its transactions less their credit notes, and the collective invoice. So is the VAT, which stands on lines of its own
// and is that of the prices, whatever has been set since. Payments are made and refused, and a deposit buys tokens.
// Another organisation has no fees.
func TestAMonthIsInvoicedToTheCent(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		now := h.DB().Now().UTC()
		month := time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC)
		h.DB().Clock().Advance(month.AddDate(0, 1, -3).Sub(now))

		german := []string{
			"SLIPWAY_OPERATOR__NAME=Slip GmbH",
			"SLIPWAY_OPERATOR__COUNTRY=DE",
			"SLIPWAY_OPERATOR__VAT_ID=DE123456789",
			"SLIPWAY_OPERATOR__VAT_PERCENT=19",
		}
		restartWith(h, german...)
		m.Fix("EUR", 9_137)

		c := h.Client("Ada")
		other := h.Client("Bob")

		for _, x := range []*apptest.Client{c, other} {
			x.StaySignedIn()
			x.Do("PATCH", "/organisations/"+x.Org, apptest.Object{"timeZone": "UTC", "homeCurrency": "CHF"}).OK(200)
		}

		live := func(country string) {
			require.NoError(t, h.DB().Write(t.Context(), func(tx *db.Tx) error {
				_, err := tx.Exec("UPDATE organisations SET country = ?", country)
				return err
			}))
		}
		live("DE")

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

		live("US")

		german[3] = "SLIPWAY_OPERATOR__VAT_PERCENT=7"
		restartWith(h, german...)

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
		singles, vats := new(big.Rat), new(big.Rat)
		vat := func(kind, id string) *big.Rat {
			v := contentWhere(t, h, "invoices", "kind = ? AND transaction_id = ?", kind, id)
			require.Len(t, v.Home.Taxes, 1)
			require.Equal(t, "19", v.Home.Taxes[0].Percent)

			return number(t, v.Home.VAT)
		}

		for _, id := range ended {
			if a := c.Do("POST", "/transactions/"+id+"/credit-note", nil, asPDF); a.Status == 200 {
				require.EqualValues(t, 2, h.Count("SELECT count(*) FROM invoices"), "with the invoice that it corrects")
				singles.Sub(singles, total("CREDIT_NOTE", id))
				vats.Sub(vats, vat("CREDIT_NOTE", id))

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
			vats.Add(vats, vat("INVOICE", id))
		}

		file := c.Do("POST", path, nil, asPDF).OK(200)
		kept(t, "collective-invoice", file.Raw)
		require.Equal(t, file.Raw, c.Do("POST", path, nil, asPDF).OK(200).Raw)
		other.Do("POST", path, nil).Refused(409, "NO_FEES")

		booked, tax := new(big.Rat), new(big.Rat)

		for _, l := range book(t, c, "&from="+name+"-01&to="+month.AddDate(0, 1, -1).Format(time.DateOnly)) {
			value := new(big.Rat)

			if l.Debit != nil {
				value = number(t, *l.Debit)
			} else {
				value.Neg(number(t, *l.Credit))
			}

			switch {
			case strings.HasPrefix(l.AccountKind, "income/"):
				booked.Add(booked, value)
			case l.AccountKind == "tax":
				require.Equal(t, "DE-S-19", l.TaxCode)
				booked.Add(booked, value)
				tax.Add(tax, value)
			}
		}

		collective := contentOf(t, h, "invoices", "")
		require.Zero(t, booked.Cmp(number(t, collective.Home.Total)), "%s and %v", booked.FloatString(2), collective)
		require.Zero(t, booked.Cmp(singles), "%s and %s", booked.FloatString(2), singles.FloatString(2))
		require.Positive(t, tax.Sign())
		require.Zero(t, tax.Cmp(vats), "%s and %s", tax.FloatString(2), vats.FloatString(2))
		require.Zero(t, tax.Cmp(number(t, collective.Home.VAT)))
		require.Len(t, collective.Home.Taxes, 1)
		require.Len(t, collective.Lines, 4, "one for each transaction, and one for what was given back")
		h.Oracle()
	})
}
