//go:build !nosandbox

package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apptest"
	"slipway/internal/app/backups"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/backup"
	"slipway/internal/platform/config"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/schema"
)

// backedUp runs the test in worlds whose service has a place for back-ups.
func backedUp(t *testing.T, test func(t *testing.T, h *apptest.Harness)) {
	t.Helper()
	apptest.EachURL(t, func(t *testing.T, url string) {
		place := t.TempDir()
		test(t, apptest.New(t, apptest.Config{Environ: []string{"SLIPWAY_BACKUP__FOLDER=" + place}}, url))
	})
}

// linkAll gives every journal its link in the book's chain.
func linkAll(h *apptest.Harness) {
	h.T.Helper()
	_, err := ledger.Seal(h.T.Context(), h.DB(), h.App.Keys)
	require.NoError(h.T, err)
}

// B-16: a back-up of a working service is put back aside, and found sound; what came after it is counted.
func TestADrillProvesABackup(t *testing.T) {
	backedUp(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		upload(c, bill)
		before := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "000"), "100.00"))
		linkAll(h)

		h.DB().Clock().Advance(time.Minute)
		m, err := h.App.Backups.Take(t.Context())
		require.NoError(t, err)
		require.NotZero(t, m.HeadSeq)
		require.NotZero(t, m.Count, "the document")

		d, err := h.App.Backups.Drill(t.Context(), "")
		require.NoError(t, err)
		require.Empty(t, d.Faults)
		require.Equal(t, m.Name, d.Name)
		require.EqualValues(t, m.HeadSeq, d.Journals)
		require.Zero(t, d.Lost)

		h.DB().Clock().Advance(time.Minute)
		h.SettleAll()
		require.Equal(t, completed, c.Read(before).Status)
		c.Draft("USDC", "10.00")
		linkAll(h)

		d, err = h.App.Backups.Drill(t.Context(), m.Name)
		require.NoError(t, err)
		require.Empty(t, d.Faults)
		require.EqualValues(t, 1, d.Lost.Transactions)
		require.EqualValues(t, 1, d.Lost.Changed)
		require.EqualValues(t, h.Count("SELECT count(*) FROM ledger_chain")-m.HeadSeq, d.Lost.Links)
		require.Positive(t, d.Lost.Links)
	})
}

// B-16: what a drill is for: each way in which a back-up cannot be used is found before it is needed, and the alarm
// goes on.
func TestADrillFindsWhatIsNotSound(t *testing.T) {
	backedUp(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		upload(c, bill)
		c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "000"), "100.00"))
		linkAll(h)

		fault := func(say string) {
			t.Helper()
			h.DB().Clock().Advance(time.Hour)
			_, err := h.App.Backups.Take(t.Context())
			require.NoError(t, err)
			d, err := h.App.Backups.Drill(t.Context(), "")
			require.NoError(t, err)
			require.NotEmpty(t, d.Faults)
			require.Contains(t, strings.Join(d.Faults, "\n"), say)

			age, err := h.App.Backups.DrillAge()
			require.NoError(t, err)
			require.GreaterOrEqual(t, age, time.Hour, "since a drill that found no fault")
		}

		_, err := h.App.Backups.Take(t.Context())
		require.NoError(t, err)
		d, err := h.App.Backups.Drill(t.Context(), "")
		require.NoError(t, err)
		require.Empty(t, d.Faults)

		// An insider changes a posting, and the back-up has it so.
		h.Exec("UPDATE postings SET units = units || '0' WHERE line = 1")
		fault("does not have the content it was written with")
		h.Exec("UPDATE postings SET units = substr(units, 1, length(units) - 1) WHERE line = 1")

		// Somebody cut the book behind the head that is kept outside.
		book, err := app.Book(h.App.Config, h.DB(), h.App.Log)
		require.NoError(t, err)
		require.NoError(t, book.Keep(t.Context()))
		h.Exec("UPDATE ledger_chain SET hash = 'another' WHERE seq = (SELECT max(seq) FROM ledger_chain)")
		fault("whose head was kept outside of the database")
	})
}

// The service itself takes back-ups and tries them, each when it is due, and one process of several does it.
func TestBackupsAreTakenWhenTheyAreDue(t *testing.T) {
	backedUp(t, func(t *testing.T, h *apptest.Harness) {
		names := func() int {
			all, err := h.App.Backups.Place().Names()
			require.NoError(t, err)

			return len(all)
		}
		due := func(after time.Duration) {
			h.DB().Clock().Advance(after)
			require.NoError(t, h.App.Backups.Due(t.Context()))
		}

		due(0)
		require.Equal(t, 1, names())

		first, err := h.App.Backups.LastDrill()
		require.NoError(t, err)
		require.NotZero(t, first.Sound)

		due(59 * time.Minute)
		require.Equal(t, 1, names())
		due(time.Minute)
		require.Equal(t, 2, names())

		last, err := h.App.Backups.LastDrill()
		require.NoError(t, err)
		require.Equal(t, first, last)
		due(24 * time.Hour)

		last, err = h.App.Backups.LastDrill()
		require.NoError(t, err)
		require.Greater(t, last.Name, first.Name)

		release, err := h.App.Backups.Place().Lock() // another process is at it
		require.NoError(t, err)
		due(time.Hour)
		require.Equal(t, 3, names())
		release()
		due(0)
		require.Equal(t, 4, names())
	})
}

// A place that is full or away is tried again after a while, and says so each time.
func TestABackupThatFailsIsTriedAgain(t *testing.T) {
	backedUp(t, func(t *testing.T, h *apptest.Harness) {
		folder := h.App.Backups.Place().Folder()
		require.NoError(t, os.RemoveAll(folder)) // not mounted any more
		require.ErrorContains(t, h.App.Backups.Due(t.Context()), "mount it, or make it")
		require.NoError(t, h.App.Backups.Due(t.Context()), "not at once")

		require.NoError(t, os.Mkdir(folder, 0o700))
		h.DB().Clock().Advance(10 * time.Minute)
		require.NoError(t, h.App.Backups.Due(t.Context()))

		age, err := h.App.Backups.Age()
		require.NoError(t, err)
		require.Less(t, age, time.Minute)
	})
}

// B-06: a back-up of the service's own is put back to an empty place while payments have gone on, and nothing is paid
// twice.
func TestABackupOfTheServicesOwnIsPutBack(t *testing.T) {
	backedUp(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		payment := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "000"), "100.00"))
		h.MineUntil("the tokens are here", func() bool { return c.Read(payment).Settlement == "CONVERTED" })

		_, err := h.App.Backups.Take(t.Context())
		require.NoError(t, err)

		h.SettleAll()
		require.Equal(t, completed, c.Read(payment).Status)
		require.Equal(t, 1, h.ExecutedOnce())
		sent, _ := h.Ground()

		settings := h.App.Config
		keys := h.App.Keys
		place := h.App.Backups.Place()
		h.Stop(h.App)

		_, err = backups.Restore(t.Context(), settings, keys, schema.Files(), place, "")
		require.ErrorContains(t, err, "back-up is put back", "the database is there")

		h.Lose()
		lock := filepath.Join(place.Folder(), ".lock")
		require.NoError(t, os.Remove(lock))
		require.NoError(t, os.Mkdir(lock, 0o700)) // it cannot be locked, as a disk that can only be read
		r, err := backups.Restore(t.Context(), settings, keys, schema.Files(), place, "")
		require.NoError(t, err)
		require.NoError(t, os.Remove(lock))
		require.NotEmpty(t, r.Database)

		h.App = h.Start()
		require.True(t, h.Held(), "the witness knows more than this database")
		h.BankUntil("it is known again", func() bool { return c.Read(payment).Status == completed })
		require.False(t, h.Held())
		require.Equal(t, 1, h.ExecutedOnce())

		again, _ := h.Ground()
		require.Equal(t, sent, again)
	})
}

// A back-up without its keyring is refused before anything is put back, and so is one for another engine.
func TestABackupIsPutBackToItsOwnAlone(t *testing.T) {
	backedUp(t, func(t *testing.T, h *apptest.Harness) {
		_, err := h.App.Backups.Take(t.Context())
		require.NoError(t, err)

		settings := *h.App.Config
		place := h.App.Backups.Place()
		settings.DataDir = t.TempDir()

		_, err = backups.Restore(t.Context(), &settings, dbtest.Keys(t), schema.Files(), place, "")
		require.ErrorIs(t, err, backup.ErrForged)

		other := "SLIPWAY_DATABASE__URL=postgres://nobody@127.0.0.1:1/none"
		if h.SQLiteFile() == "" {
			other = "SLIPWAY_DATABASE__URL=sqlite:" + filepath.Join(t.TempDir(), "slipway.db")
		}

		c, err := config.Load(config.Source{Environ: []string{other, "SLIPWAY_DATA_DIR=" + t.TempDir()}})
		require.NoError(t, err)
		_, err = backups.Restore(t.Context(), c, h.App.Keys, schema.Files(), place, "")
		require.ErrorContains(t, err, "the back-up is of")
	})
}

// A document whose bytes rot in the place is named by the drill, and mended by the next back-up once it is gone.
func TestADrillReadsEveryFile(t *testing.T) {
	backedUp(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		upload(c, bill)

		_, err := h.App.Backups.Take(t.Context())
		require.NoError(t, err)
		objects, err := filepath.Glob(filepath.Join(h.App.Backups.Place().Folder(), "objects", "??", "*"))
		require.NoError(t, err)
		require.Len(t, objects, 1)
		require.NoError(t, os.WriteFile(objects[0], []byte("rotten"), 0o600))

		d, err := h.App.Backups.Drill(t.Context(), "")
		require.NoError(t, err)
		require.Len(t, d.Faults, 1)
		require.Contains(t, d.Faults[0], "documents/")
		require.Contains(t, d.Faults[0], objects[0])

		require.NoError(t, os.Remove(objects[0]))
		h.DB().Clock().Advance(time.Hour)
		_, err = h.App.Backups.Take(t.Context())
		require.NoError(t, err)
		d, err = h.App.Backups.Drill(t.Context(), "")
		require.NoError(t, err)
		require.Empty(t, d.Faults)
	})
}

// A drill leaves nothing behind, removes what one has left whose process died, and never touches a database that no
// drill has made.
func TestADrillWorksAside(t *testing.T) {
	backedUp(t, func(t *testing.T, h *apptest.Harness) {
		_, err := h.App.Backups.Take(t.Context())
		require.NoError(t, err)

		if file := h.SQLiteFile(); file != "" {
			left := filepath.Join(filepath.Dir(file), "drill.unfinished")
			require.NoError(t, os.MkdirAll(left, 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(left, "slipway.db"), []byte("half"), 0o600))

			d, err := h.App.Backups.Drill(t.Context(), "")
			require.NoError(t, err)
			require.Empty(t, d.Faults)
			require.NoDirExists(t, left)

			return
		}

		live := backup.Postgres(h.URL)
		aside := live.Name() + "_drill"
		there := func() int64 {
			return h.Count("SELECT count(*) FROM pg_database WHERE datname = '" + aside + "'")
		}

		_, _, err = live.Aside(t.Context()) // the process dies here
		require.NoError(t, err)
		require.EqualValues(t, 1, there())

		d, err := h.App.Backups.Drill(t.Context(), "")
		require.NoError(t, err)
		require.Empty(t, d.Faults)
		require.Zero(t, there())

		h.Database("CREATE DATABASE " + aside)
		_, err = h.App.Backups.Drill(t.Context(), "")
		require.ErrorIs(t, err, backups.ErrNoPlace, "that says nothing of the back-up")
		require.ErrorContains(t, err, "no drill has made it")
		last, err := h.App.Backups.LastDrill()
		require.NoError(t, err)
		require.Empty(t, last.Faults)
		require.EqualValues(t, 1, there())
		h.Database("DROP DATABASE " + aside)
	})
}
