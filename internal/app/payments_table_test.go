//go:build !nosandbox

package app_test

import (
	"encoding/csv"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
)

// payments reads the table of payments, by the names of its columns.
func payments(t *testing.T, c *apptest.Client, query string) (out []map[string]string) {
	t.Helper()

	rows, err := csv.NewReader(strings.NewReader(c.Do("GET", "/transactions/export"+query, nil).OK(200).Raw)).ReadAll()
	require.NoError(t, err)

	for _, cells := range rows[1:] {
		row := map[string]string{}
		for i, name := range rows[0] {
			row[name] = cells[i]
		}

		out = append(out, row)
	}

	return out
}

// 1. Each payment has a row, with what it is known by at the bank and on the chain. 2. What the rows of a transaction
// take from the wallet is what the transaction has taken. 3. Columns are those that are asked for, in their order.
// 4. Spreadsheets read it. 5. Filters are those of the list, all pages are in it, and nobody reads another's.
func TestPaymentsAreATable(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		other := h.Client("Bob")

		sold := c.FiatAccepted(
			"USDC",
			c.FiatPayment(c.NewBankAccount("EUR", "000"), "90.01"),
			c.FiatPayment(c.NewBankAccount("EUR", "002"), "90.02"),
		)
		h.SettleAll()
		sent := c.Accepted("USDC", "12.500001", "7.25")
		h.Settle()

		rows := payments(t, c, "")
		require.Len(t, rows, 4)
		require.Empty(t, payments(t, other, ""))

		debit := map[string]*big.Rat{sold: new(big.Rat), sent: new(big.Rat)}

		for _, r := range rows {
			debit[r["transaction"]].Add(debit[r["transaction"]], number(t, r["debit"]))
			require.Contains(t, r["purpose"], "Invoice 2026-11")
			require.NotEmpty(t, r["payee"])
			require.NotEmpty(t, r["account"])
			require.Regexp(t, `^\d{4}-\d\d-\d\d$`, r["endedOn"])
		}

		for _, r := range rows {
			v := c.Read(r["transaction"])
			require.Equal(t, v.Chain[0].TxHash, r["hash"], "not that of what came back")
		}

		require.Greater(t, len(c.Read(sold).Chain), 1)

		for id, sum := range debit {
			require.Zero(t, number(t, c.Read(id).Totals.TokenDebit).Cmp(sum), id)
		}

		fiat := payments(t, c, "?type[]=FIAT&direction=1")
		require.Len(t, fiat, 2)
		require.Equal(
			t,
			[]string{"COMPLETED", "90.01", "EUR"},
			[]string{fiat[0]["status"], fiat[0]["amount"], fiat[0]["currency"]},
		)
		require.Equal(t, h.EndToEnd(sold, 0), fiat[0]["endToEndId"])
		require.Equal(t, "REFUNDED", fiat[1]["status"])
		require.NotEmpty(t, fiat[0]["rate"])

		some := "?type[]=CRYPTO&columns[]=amount&columns[]=payee"
		require.Equal(t, "amount,payee\r\n12.500001,Alice Keller\r\n7.25,Alice Keller\r\n",
			c.Do("GET", "/transactions/export"+some, nil).OK(200).Raw)
		require.Equal(t, "\ufeffamount;payee\r\n12,500001;Alice Keller\r\n7,25;Alice Keller\r\n",
			c.Do("GET", "/transactions/export"+some+"&format=EXCEL_DECIMAL_COMMA", nil).OK(200).Raw)
		c.Do("GET", "/transactions/export?columns[]=colour", nil).Refused(422, "NOT_IN_ENUM")

		for range 250 {
			c.Draft("USDC", "1.00")
		}

		require.Len(t, payments(t, c, "?columns[]=payment"), 254)
	})
}
