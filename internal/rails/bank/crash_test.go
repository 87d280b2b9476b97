//go:build !nosandbox

package bank_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/failpoint"
	"slipway/internal/rails/bank"
)

// The child process of the kill tests finds its world in these.
const (
	childDatabase = "SLIPWAY_TEST_CHILD_DATABASE"
	childFolder   = "SLIPWAY_TEST_CHILD_FOLDER"
)

// TestChildProcess is not a test of its own: it is the process that the kill tests let die.
func TestChildProcess(t *testing.T) {
	address := os.Getenv(childDatabase)
	if address == "" {
		t.Skip("runs as the child of another test")
	}

	d, err := db.Open(context.Background(), db.Config{URL: address, Clock: clock.New(), Keys: dbtest.Keys(t)})
	require.NoError(t, err)
	w := openWorld(t, d, os.Getenv(childFolder), nil)
	require.NoError(t, w.rail.Work(context.Background()))
	require.NoError(t, d.Close())
}

// addresses runs a test on each database, with the address a second process can open.
func addresses(t *testing.T, test func(t *testing.T, w *world, address string)) {
	t.Helper()

	for name, address := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return "sqlite:" + dbtest.SQLiteFile(t) },
		"postgres": func(t *testing.T) string { return dbtest.PostgresURL(t) },
	} {
		t.Run(name, func(t *testing.T) {
			at := address(t)
			d, err := db.Open(context.Background(), db.Config{URL: at, Clock: clock.New(), Keys: dbtest.Keys(t)})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, d.Close()) })
			test(t, newWorld(t, d), at)
		})
	}
}

// dies runs one round in a child that is killed at a place; false when it lived.
func (w *world) dies(address, point string) bool {
	w.t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestChildProcess$", "-test.timeout=60s")

	cmd.Env = append(os.Environ(), childDatabase+"="+address, childFolder+"="+w.dir, failpoint.Variable+"="+point)

	output, err := cmd.CombinedOutput()
	if err == nil {
		return false
	}

	var exit *exec.ExitError
	require.True(w.t, errors.As(err, &exit), string(output))
	require.Equal(w.t, syscall.SIGKILL, exit.Sys().(syscall.WaitStatus).Signal(), string(output))

	return true
}

// F-01, F-03, F-04, P-01, P-03: the process is killed, up to three times in a row, at each named place between
// "selected" and "handed over". The bank sees every payout once, in the very bytes that were stored first, and never
// half a file.
func TestAKillAtAnyPlaceLeavesOneInstruction(t *testing.T) {
	for _, point := range []string{
		"bank.rows_selected", "bank.bytes_built", "bank.bytes_saved", "bank.upload_half", "bank.staged", "bank.uploaded_unrenamed",
		"bank.renamed_unmarked", "bank.arrived",
	} {
		t.Run(point, func(t *testing.T) {
			addresses(t, func(t *testing.T, w *world, address string) {
				w.plan(pay(0), pay(1), pay(2))
				require.True(t, w.dies(address, point), "it must die at the place once")

				stored := w.storedFile()
				for range 2 {
					w.dies(address, point)
				}

				w.work()
				w.work()
				w.exactlyOnce(3)

				if stored != "" {
					require.Equal(t, stored, w.sent()[0], "the same bytes as were stored before the kill")
				}

				for _, name := range files(t, w.out) {
					require.False(t, strings.HasSuffix(name, ".tmp"), name)
				}

				w.is(2, bank.HandedOver)
			})
		})
	}
}

// storedFile is the bytes of the only payment file; "" before there are any.
func (w *world) storedFile() string {
	w.t.Helper()

	for _, content := range dbtest.Opened(w.t, w.d, bank.Sealed()[1]) {
		return content
	}

	return ""
}

// P-01, D-01: killed in the middle of a statement, the import goes on: every entry counts once, every payout is
// booked once.
func TestAKillInTheMiddleOfAStatement(t *testing.T) {
	for _, point := range []string{"bank.file_kept", "bank.statement_half", "bank.statement_half:2"} {
		t.Run(point, func(t *testing.T) {
			addresses(t, func(t *testing.T, w *world, address string) {
				w.paid(2)

				entries := []entry{debit(0, "D0")}
				for i := range 5000 {
					entries = append(entries, deposit(int64(100+i), "", "same text"), deposit(100, "", "all alike"))
				}

				entries = append(entries, debit(1, "D1"))
				require.NoError(
					t,
					os.WriteFile(filepath.Join(w.in, "statement.xml"), []byte(stmt(entries...).xml()), 0o600),
				)
				require.True(t, w.dies(address, point))
				w.dies(address, point)
				w.later(2 * time.Minute)
				w.work()
				w.is(0, bank.Booked)
				w.is(1, bank.Booked)
				require.Len(t, w.told("entry"), 10_002)
				list, err := w.rail.Inbox(context.Background(), w.d, bank.InboxImported, "", 0)
				require.NoError(t, err)
				require.Len(t, list, 1)
				require.Equal(t, 10_002, list[0].New)
				require.Equal(t, 2, list[0].Matched)
				require.Equal(t, []string{"statement.xml"}, files(t, filepath.Join(w.in, "done")))
			})
		})
	}
}

// P-01, B-14: killed in the middle of a ZIP, the import goes on there. What was archived of it until then does not show
// that the database is old: the bank still offers the ZIP.
func TestAKillInTheMiddleOfAZIP(t *testing.T) {
	first, second := twoDays()

	for _, point := range []string{"bank.file_kept", "bank.file_kept:2"} {
		t.Run(point, func(t *testing.T) {
			addresses(t, func(t *testing.T, w *world, address string) {
				file := zipped(t, "1.xml", first, "inner.zip", zipped(t, "2.xml", second))
				require.NoError(t, os.WriteFile(filepath.Join(w.in, "days.zip"), []byte(file), 0o600))
				require.True(t, w.dies(address, point))

				signs, err := w.rail.Signs(t.Context())
				require.NoError(t, err)
				require.Empty(t, signs)

				w.later(2 * time.Minute)
				w.work()
				require.Equal(t, []string{"1.00 one", "2.00 two"}, w.told("credited"))

				signs, err = w.rail.Signs(t.Context())
				require.NoError(t, err)
				require.Empty(t, signs)
			})
		})
	}
}

// P-01: an import that a crash left in the middle is finished from the archive, also when nobody brings the file again.
func TestAnImportIsFinishedFromTheArchive(t *testing.T) {
	addresses(t, func(t *testing.T, w *world, address string) {
		var entries []entry
		for i := range 4500 {
			entries = append(entries, deposit(int64(100+i), "", "x"))
		}

		file := filepath.Join(w.in, "statement.xml")
		require.NoError(t, os.WriteFile(file, []byte(stmt(entries...).xml()), 0o600))
		require.True(t, w.dies(address, "bank.statement_half"))
		require.NoError(t, os.Remove(file))
		require.Len(t, w.told("entry"), 2000)
		w.work()
		require.Len(t, w.told("entry"), 2000, "another process may still be at it")
		w.later(2 * time.Minute)
		w.work()
		require.Len(t, w.told("entry"), 4500)
		require.Empty(t, w.alerts())
	})
}

// P-01: killed in the middle of what a file had left out, the import goes on there.
func TestAKillInTheMiddleOfWhatWasLeftOut(t *testing.T) {
	addresses(t, func(t *testing.T, w *world, address string) {
		const n = 2500

		lines := make([]string, n)
		for i := range lines {
			lines[i] = ":61:2611201120C1,00NTRFNONREF\r\n:86:alike"
		}

		ours := mt940(1, "100,00", "2600,00", lines...)
		file := ours + inPounds(ours)
		openWorld(t, w.d, w.dir, euroOnly).imported(file)

		require.NoError(t, os.WriteFile(filepath.Join(w.in, "again.sta"), []byte(file), 0o600))
		require.True(t, w.dies(address, "bank.statement_half"))
		require.Equal(t, n+2000, len(w.told("entry")))
		w.later(2 * time.Minute)
		w.work()
		require.Equal(t, 2*n, len(w.told("entry")))
		require.Empty(t, w.alerts())
	})
}

// P-01, F-05: killed in the middle of a status report, every payout fails once.
func TestAKillInTheMiddleOfAReport(t *testing.T) {
	addresses(t, func(t *testing.T, w *world, address string) {
		const n = 600
		for i := range n {
			w.plan(pay(i))
		}

		w.work()
		r := report{id: "P1", message: w.status(0).MessageID, group: "RJCT", groupReason: "AC04"}
		require.NoError(t, os.WriteFile(filepath.Join(w.in, "report.xml"), []byte(r.xml()), 0o600))
		require.True(t, w.dies(address, "bank.pain002_half"))
		w.later(2 * time.Minute)
		w.work()
		require.Len(t, w.told("rejected"), n)
	})
}
