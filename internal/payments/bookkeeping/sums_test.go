package bookkeeping_test

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/payments/bookkeeping"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
)

const perMonth = 260 // journals of two lines: more than a page in two months

// month posts a month's journals and ends days after it, with all rates.
func (d *desk) month(first time.Time) {
	d.T.Helper()

	end := first.AddDate(0, 1, -1)
	d.until(end.Add(12 * time.Hour))

	usdc := money.FromUnits(money.Asset{Code: "USDC", Decimals: 6}, big.NewInt(1_234_567))

	require.NoError(d.T, d.DB.Write(d.T.Context(), func(tx *db.Tx) error {
		for i := range perMonth {
			err := ledger.Post(tx, ledger.Journal{
				Key:          fmt.Sprintf("%s/%d", first.Format(time.DateOnly), i),
				Kind:         "hold",
				Organisation: d.org,
				Postings: []ledger.Posting{
					{Account: ledger.WalletAccount("net_1", "0xAB"), Amount: usdc.Neg()},
					{Account: ledger.PayeeAccount(fmt.Sprintf("rcv_%d", i)), Amount: usdc},
				},
			})
			if err != nil {
				return err
			}
		}

		return nil
	}))

	d.settle(first)
}

// settle moves the clock to when a month is settled, with the rate of its last day.
func (d *desk) settle(first time.Time) {
	end := first.AddDate(0, 1, -1)
	d.until(end.Add(8 * 24 * time.Hour))
	d.press.publish(end, "1.25")
	d.until(end.Add(8*24*time.Hour + time.Hour))
}

// reads counts how often the lines of books are read.
func (d *desk) reads(ask func()) (n int) {
	d.T.Helper()

	d.DB.Watch(func(query string, _ []any) {
		if strings.Contains(query, "JOIN postings") {
			n++
		}
	})
	defer d.DB.Watch(nil)

	ask()

	return n
}

func (d *desk) balances(on time.Time) string {
	d.T.Helper()

	return d.Do("GET", "/bookkeeping/balances?on="+on.Format(time.DateOnly), d.token, "").OK(200).Raw
}

func (d *desk) statement(first time.Time) string {
	d.T.Helper()

	raw := d.Do("GET", "/bookkeeping/statement?from="+first.Format(time.DateOnly)+
		"&to="+first.AddDate(0, 1, -1).Format(time.DateOnly), d.token, "").OK(200).Raw

	return madeAt.ReplaceAllString(raw, "")
}

var madeAt = regexp.MustCompile("<CreDtTm>[^<]*</CreDtTm>")

func (d *desk) forget() {
	d.T.Helper()
	require.NoError(d.T, d.DB.Write(d.T.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec("DELETE FROM book_sums")
		return err
	}))
}

func (d *desk) faults() []string {
	d.T.Helper()

	faults, err := bookkeeping.VerifySums(d.T.Context(), d.DB, "EUR")
	require.NoError(d.T, err)

	return faults
}

// A later month costs no more reads than an early one, and its figures are those of all lines. The months before it are
// closed: what tokens have cost is followed from the last closed month.
func TestAMonthCostsWhatItHolds(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		var balance, statement [7]int

		for i := range balance {
			first := december.AddDate(0, i, 0)
			d.month(first)

			if i > 0 {
				d.decide(first.AddDate(0, -1, 0).Format("2006-01"), "close").OK(200)
			}

			balance[i] = d.reads(func() { d.balances(first.AddDate(0, 1, -1)) })
			statement[i] = d.reads(func() { d.statement(first) })
		}

		require.LessOrEqual(t, balance[6], balance[2])
		require.LessOrEqual(t, statement[6], statement[2])

		last := december.AddDate(0, 6, 0)
		end := last.AddDate(0, 1, -1)
		books, camt := d.balances(end), d.statement(last)
		old := d.statement(december.AddDate(0, 4, 0))

		require.Empty(t, d.faults())
		d.forget()
		require.Greater(t, d.reads(func() { d.balances(end) }), balance[2]+2, "all lines")

		d.forget()
		require.Equal(t, d.balances(end), books)
		d.forget()
		require.Equal(t, d.statement(last), camt)
		d.forget()
		require.Equal(t, d.statement(december.AddDate(0, 4, 0)), old)
	})
}

// What is posted late into a month counts in its balances at once, and so does everything that gives its lines another
// value. A closed month has neither.
func TestSumsCountAsLongAsTheyAreRight(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		end := december.AddDate(0, 0, 30)
		d.press.publish(december.AddDate(0, 0, 14), "1.25")
		d.moved("first", "100", ledger.Days{})
		d.settle(december)

		require.Contains(t, d.balances(end), `"credit":"80.00"`)
		d.moved("late", "10", ledger.OfBank(end, end))
		require.Contains(t, d.balances(end), `"credit":"88.00"`)
		d.until(d.DB.Now().Add(2 * time.Hour))
		require.Contains(t, d.balances(end), `"credit":"88.00"`)
		require.Zero(t, d.reads(func() { d.balances(end) }), "kept again")

		d.Do("PATCH", "/organisations/"+d.org, d.token, `{"homeCurrency":"CHF"}`).OK(200)
		require.Contains(t, d.balances(end), `"credit":"82.50"`)
		d.Do(
			"PUT",
			"/bookkeeping/accounts",
			d.token,
			`{"accounts":[{"kind":"wallet","number":"1371","name":"W"}]}`,
		).OK(
			200,
		)
		require.Contains(t, d.balances(end), `"1371"`)

		require.Zero(t, d.reads(func() { d.balances(end) }), "kept once more")

		settings := `{"costMethod":"AVERAGE","feesInCost":true,"revalueTokens":false,"revalueCurrencies":true}`
		d.Do("PUT", "/bookkeeping/settings", d.token, settings).OK(200)
		require.NotZero(t, d.reads(func() { d.balances(end) }), "tokens may have cost something else")
		d.Do("PUT", "/bookkeeping/settings", d.token, settings).OK(200)
		require.Zero(t, d.reads(func() { d.balances(end) }), "the same settings again change nothing")

		d.decide("2031-12", "close").OK(200)

		closed := d.balances(end)
		d.moved("later", "10", ledger.OfBank(end, end))
		require.Equal(t, closed, d.balances(end), "January's")
		require.Contains(t, d.balances(end.AddDate(0, 0, 1)), `"credit":"90.00"`)

		d.settle(december.AddDate(0, 1, 0))
		require.Contains(t, d.balances(december.AddDate(0, 2, -1)), `"credit":"90.00"`)
		require.Equal(t, closed, d.balances(end))
		require.Empty(t, d.faults())

		d.decide("2031-12", "reopen").OK(200)
		require.Contains(t, d.balances(end), `"credit":"90.00"`)
		require.Empty(t, d.faults())
	})
}

// Sums that are not those of the journals are found.
func TestVerificationFindsWrongSums(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		d.press.publish(december.AddDate(0, 0, 14), "1.25")
		d.moved("first", "100", ledger.Days{})
		d.settle(december)
		d.balances(december.AddDate(0, 0, 30))
		require.Empty(t, d.faults())

		require.NoError(t, d.DB.Write(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec("UPDATE book_sums SET sums = REPLACE(sums, '-100000000', '-100000001')")
			return err
		}))

		faults := d.faults()
		require.Len(t, faults, 1)
		require.Contains(t, faults[0], "before 2032-01-01: wallet has -100000001 base units of USDC")
	})
}
