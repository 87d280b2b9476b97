package bank_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/bank"
)

// payee returns what the bank is known to have found of the name on a payout, without the time.
func (w *world) payee(i int) bank.PayeeCheck {
	w.t.Helper()
	c := w.status(i).Payee
	require.False(w.t, c.At.IsZero())
	c.At = time.Time{}

	return c
}

// names imports a report about the names on the payments of the first payout's file.
func (w *world) names(id string, of ...txStatus) {
	w.t.Helper()
	w.imported(report{id: id, message: w.status(0).MessageID, group: "RVCM", blockStatus: "RVCM", tx: of}.xml())
}

// A bank that does not find a payee's name at the account waits for a decision: an alert says so until the bank goes on
// with the payment or refuses it. The report proves that the file arrived, and moves nothing besides.
func TestANameThatDiffersIsAnAlertUntilTheBankGoesOn(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.paid(4)
		w.names("V1", txStatus{end(0), "RVNM", "", ""}, txStatus{end(1), "RVMC", "", "Anna Keller-Meier"},
			txStatus{end(2), "RVNA", "", ""}, txStatus{end(3), "RCVC", "", "Somebody"})

		differ := []string{
			"PAYOUT_PAYEE_DIFFERS " + pay(0).Key,
			"PAYOUT_PAYEE_DIFFERS " + pay(1).Key,
			"PAYOUT_PAYEE_DIFFERS " + pay(2).Key,
		}
		require.ElementsMatch(t, differ, w.alerts())
		require.Equal(t, bank.PayeeCheck{Status: bank.PayeeDiffers, Code: "RVNM", Waits: true}, w.payee(0))
		require.Equal(t, bank.PayeeCheck{
			Status: bank.PayeeClose,
			Code:   "RVMC",
			Name:   "Anna Keller-Meier",
			Waits:  true,
		}, w.payee(1))
		require.Equal(t, bank.PayeeCheck{Status: bank.PayeeUnsupported, Code: "RVNA", Waits: true}, w.payee(2))
		require.Equal(t, bank.PayeeCheck{Status: bank.PayeeMatched, Code: "RCVC"}, w.payee(3))

		for i := range 4 {
			w.is(i, bank.HandedOver)
		}

		w.names("V1 again", txStatus{end(0), "RVNM", "", ""})
		require.Len(t, w.told("payee"), 4, "the second report says nothing new")

		// what comes before an execution is no decision
		w.imported(report{id: "V2", message: w.status(0).MessageID, group: "ACTC"}.xml())
		w.is(0, bank.Accepted)
		require.ElementsMatch(t, differ, w.alerts())

		w.imported(report{id: "V3", message: w.status(0).MessageID, group: "PART", tx: []txStatus{
			{end(0), "ACSP", "", ""}, {end(1), "RJCT", "CUST", ""},
		}}.xml())
		w.is(0, bank.Accepted)
		w.is(1, bank.Rejected)
		require.Equal(t, differ[2:], w.alerts())
		require.Equal(t, bank.PayeeCheck{Status: bank.PayeeDiffers, Code: "RVNM"}, w.payee(0))

		w.imported(stmt(debit(2, "S2")).xml())
		w.is(2, bank.Booked)
		require.Empty(t, w.alerts())
		require.False(t, w.payee(2).Waits)
		require.Len(t, w.told("payee"), 6, "the two that the bank has decided about")

		w.names("V4", txStatus{end(1), "RVNM", "", ""})
		w.is(1, bank.Rejected)
		require.Empty(t, w.alerts(), "it came too late")
	})
}

// A file in which some name differs says so of each payment only if no status says which one it is.
func TestAFileInWhichSomeNameDiffers(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	w.paid(2)
	w.names("V1", txStatus{end(1), "RVNM", "", ""})
	require.Empty(t, w.status(0).Payee)
	require.Equal(t, bank.PayeeCheck{Status: bank.PayeeDiffers, Code: "RVNM", Waits: true}, w.payee(1))

	w.names("V2")
	require.Equal(t, bank.PayeeCheck{Status: bank.PayeePending, Code: "RVCM", Waits: true}, w.payee(0))
	require.Len(t, w.alerts(), 2)
}

// A bank that has begun with a payment waits for nobody, whatever it says of the name in the same report.
func TestANameThatDiffersOnAPaymentUnderWayIsNoAlert(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	w.paid(1)
	w.imported(report{
		id:          "V1",
		message:     w.status(0).MessageID,
		group:       "ACSP",
		blockStatus: "RVCM",
		tx:          []txStatus{{end(0), "RVNM", "", ""}},
	}.xml())
	w.is(0, bank.Accepted)
	require.Equal(t, bank.PayeeCheck{Status: bank.PayeeDiffers, Code: "RVNM"}, w.payee(0))
	require.Empty(t, w.alerts())
}

// A report about names proves that a file is at the bank whose hand-over nobody knew.
func TestAReportAboutNamesProvesThatAFileArrived(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w, ch := fickleWorld(t, d)
		ch.commit = func(ctx context.Context, staged, name string) error {
			return errors.Join(ch.Channel.Commit(ctx, staged, name), errCut)
		}
		ch.look = func(context.Context, string) error { return errCut }
		w.plan(pay(0), pay(1))
		require.ErrorIs(t, w.rail.Work(context.Background()), errCut)
		w.is(0, bank.Filed)

		w.names("V1", txStatus{end(0), "RVNM", "", ""})
		w.is(0, bank.HandedOver)
		require.Equal(t, []string{pay(0).Key}, w.told("handed"))
		require.True(t, w.payee(0).Waits)

		w.work()
		w.is(1, bank.HandedOver)
		require.Len(t, files(t, w.out), 1)
	})
}

// The name that a bank gives is somebody's: nothing in the database shows it.
func TestTheNameThatABankGivesIsSealed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.paid(1)
		w.names("V1", txStatus{end(0), "RVMC", "", "Rosalind Overbeck"})
		require.Equal(t, "Rosalind Overbeck", w.status(0).Payee.Name)

		for _, query := range []string{"SELECT text FROM bank_reports", "SELECT sealed FROM bank_payee_checks"} {
			rows, err := db.Select(context.Background(), d, func(s *string) []any { return []any{s} }, query)
			require.NoError(t, err)
			require.NotEmpty(t, rows)
			require.NotContains(t, strings.Join(rows, " "), "Overbeck")
		}
	})
}

// What a bank has found is said in words, with the name at the account, and with what waits for whom.
func TestWhatABankFindsOfANameIsSaidInWords(t *testing.T) {
	require.Empty(t, bank.PayeeCheck{}.Text(), "the bank has said nothing")

	found := bank.PayeeCheck{Status: bank.PayeeClose, Code: "RVMC", Name: "Anna Keller-Meier"}
	require.Contains(t, found.Text(), "It is in the name of Anna Keller-Meier.")
	require.NotContains(t, found.Text(), "holds the payment")

	found.Waits = true
	require.Contains(t, found.Text(), "The bank holds the payment until somebody has decided")

	found.Name = ""
	require.NotContains(t, found.Text(), "in the name of")
}
