package statement_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/paper/papertest"
)

// On paper a wallet begins a month with what it ended the month before with, and every movement of the organisation's
// own days stands between the two, with what is there after it.
func TestWalletsOfAMonthOnPaper(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		ask := func(org int, month string) string {
			d.Do("GET", "/bookkeeping/periods/"+month+"/statement", d.token(d.mails[org]), "").OK(200)

			made, err := d.statements.Wallets(t.Context(), d.orgs[org], month)
			require.NoError(t, err)
			require.Equal(t, "wallets-"+month+".pdf", made.Name)

			var pages []string
			for _, page := range papertest.Read(t, made.PDF).Pages {
				pages = append(pages, page...)
			}

			return strings.Join(pages, "|")
		}

		path := "/bookkeeping/periods/2031-11/statement"
		d.Do("GET", path, d.token(d.mails[0]), "").Refused(409, "BOOKKEEPING_EMPTY")
		d.Do("GET", strings.Replace(path, "-11", "-13", 1), d.token(d.mails[0]), "").Refused(422, "FORMAT_INVALID")

		d.fee(0, "txn_a", "convert", "1250.00")
		d.fee(0, "txn_a", "rejected", "-50.00")
		d.fee(1, "txn_b", "convert", "9.00")
		d.until(november.AddDate(0, 1, 2).Add(17 * time.Hour))
		d.press.until = november.AddDate(0, 1, 2)
		d.fee(0, "txn_c", "convert", "100.00")

		first := ask(0, "2031-11")
		for _, want := range []string{
			"Statement of wallets, November 2031",
			"USDC on net_1",
			"2031-11-01|Opening balance|0.00|0.00",
			"−1,250.00|−1,250.00|−1,250.00", // moved, left and worth
			"50.00|−1,200.00|50.00",
			"2031-11-30|Closing balance|−1,200.00|−1,200.00",
		} {
			require.Contains(t, first, want)
		}

		require.NotContains(t, first, "txn_c")
		require.NotContains(t, first, "txn_b")

		second := ask(0, "2031-12")
		require.Contains(t, second, "2031-12-01|Opening balance|−1,200.00|−1,200.00")
		require.Contains(t, second, "txn_c")
		require.NotContains(t, second, "txn_a")
		require.Contains(t, second, "2031-12-31|Closing balance|−1,300.00|−1,300.00")
	})
}
