package bank_test

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/bank"
)

// reported returns a file that a user of a program like this one reported, or skips the test.
func reported(t *testing.T, name string) string {
	t.Helper()

	folder := filepath.Join(cmp.Or(os.Getenv("SLIPWAY_FIXTURES"), "../../../../shared/fixtures"), "reported_cases")

	content, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Skip("the reported files are not on this machine (SLIPWAY_FIXTURES)")
	}

	return string(content)
}

// Each of these says that 2,500.00 came with the text of a deposit and that the first payout, of 10.00, left.
func TestReportedStatementsAreBooked(t *testing.T) {
	for _, name := range []string{
		"B01/blank-before-type.sta",
		"B02/value-date-30-feb.sta",
		"B05/joined-by-dollar.rje",
		"B05/joined-by-etx-soh.fin",
		"B06/blocks-on-lines.sta",
		"B06/old-ing-header.sta",
		"B08/amount-without-comma.sta",
		"B08/type-with-blanks.sta",
		"B10/debit-eref-colon.sta",
	} {
		t.Run(name, func(t *testing.T) {
			file := reported(t, name)
			w := newWorld(t, dbtest.SQLite(t))
			w.paid(1)
			w.imported(file)

			require.Equal(t, []string{"2500.00 Deposit PX4K-7Q2M"}, w.told("credited"))
			w.is(0, bank.Booked)
		})
	}
}

func TestReportedFilesAreReadAsTheirUsersExpected(t *testing.T) {
	t.Run("B08, a report that books nothing", func(t *testing.T) {
		file := reported(t, "B08/mt942-floor-limit-without-comma.sta")
		w := newWorld(t, dbtest.SQLite(t))
		require.Equal(t, "MT942", w.imported(file).Kind)
		require.Empty(t, w.told("credited"))
	})

	t.Run("B10, a return behind the bank's words", func(t *testing.T) {
		days := strings.Split(reported(t, "B10/return-behind-mtlg.sta"), "###")
		w := newWorld(t, dbtest.SQLite(t))
		w.paid(1)

		for _, day := range days {
			w.imported(strings.TrimSpace(day) + "\r\n")
		}

		w.is(0, bank.Returned)
	})

	t.Run("B11, days of the year for numbers", func(t *testing.T) {
		one := reported(t, "B11/abn-day1.sta")
		two := reported(t, "B11/abn-day2.sta")
		w := newWorld(t, dbtest.SQLite(t))
		w.imported(one)
		w.imported(two)
		require.Equal(t, []string{"25.00 Deposit 1", "25.00 Deposit 2"}, w.told("credited"))
	})

	t.Run("B12, two accounts", func(t *testing.T) {
		file := reported(t, "B12/two-accounts.xml")
		w := newWorld(t, dbtest.SQLite(t))
		got := w.imported(file)
		require.Contains(t, got.Remark, "left out")
		require.Len(t, w.told("credited"), 1)
	})

	t.Run("B14, a ZIP", func(t *testing.T) {
		file := reported(t, "B14/c53.zip")
		w := newWorld(t, dbtest.SQLite(t))
		require.Equal(t, "ZIP", w.imported(file).Kind)
	})
}
