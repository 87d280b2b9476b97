package ledger_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/payments/ledger"
	"slipway/internal/platform/clock"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/witness"
)

// signedBook is a database whose journals are signed, and the keyring that signs them.
func signedBook(t *testing.T, address string) (*db.DB, *secret.Keyring) {
	t.Helper()

	keys, err := secret.ParseKeyring(secret.NewKey("k1"))
	require.NoError(t, err)

	d, err := db.Open(context.Background(), db.Config{URL: address, Clock: clock.New(), Sign: ledger.Signer(keys)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })

	return d, keys
}

func eachSigned(t *testing.T, test func(t *testing.T, address string, d *db.DB, keys *secret.Keyring)) {
	t.Helper()

	t.Run("sqlite", func(t *testing.T) {
		address := "sqlite:" + dbtest.SQLiteFile(t)
		d, keys := signedBook(t, address)
		test(t, address, d, keys)
	})

	t.Run("postgres", func(t *testing.T) {
		address := dbtest.PostgresURL(t)
		d, keys := signedBook(t, address)
		test(t, address, d, keys)
	})
}

func witnessOf(t *testing.T, d *db.DB, keys *secret.Keyring) (ledger.Witness, witness.Store) {
	t.Helper()

	folder, err := witness.OpenFolder(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, folder.Close()) })

	return ledger.Witness{DB: d, Keys: keys, Store: folder, Log: slog.New(slog.DiscardHandler)}, folder
}

func proven(t *testing.T, d *db.DB, proof ledger.Proof) ledger.Report {
	t.Helper()

	r, err := ledger.Verify(t.Context(), d, proof)
	require.NoError(t, err)

	return r
}

// M-07: a journal that somebody slips in with the right hash, and with a signature of another journal, has none of
// its own: it gets no link, and Verify finds it.
func TestAJournalThatWasSlippedInIsFound(t *testing.T) {
	eachSigned(t, func(t *testing.T, address string, d *db.DB, keys *secret.Keyring) {
		require.NoError(t, post(d, hold("h0", 10)))

		n, err := ledger.Seal(t.Context(), d, keys)
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.Empty(t, proven(t, d, ledger.Proof{Keys: keys}).Faults)

		// The attacker has our program and the database, and not the keyring: his journal is perfect otherwise.
		forger, err := db.Open(t.Context(), db.Config{URL: address, Clock: d.Clock()})
		require.NoError(t, err)
		require.NoError(t, post(forger, hold("slipped", 1_000_000)))
		require.NoError(t, forger.Close())
		attack(
			t,
			d,
			"UPDATE journals SET signature = (SELECT signature FROM journals WHERE key = 'h0') WHERE key = 'slipped'",
		)

		n, err = ledger.Seal(t.Context(), d, keys)
		require.NoError(t, err)
		require.Zero(t, n)

		r := proven(t, d, ledger.Proof{Keys: keys})
		require.Len(t, r.Faults, 1)
		require.Contains(t, r.Faults[0], "was not written by this service")
	})
}

// M-07: the newest journals, cut off with their links, are missed by the head that was kept outside; and a head that
// was made by somebody else is none.
func TestABookThatWasCutOffIsFound(t *testing.T) {
	eachSigned(t, func(t *testing.T, _ string, d *db.DB, keys *secret.Keyring) {
		w, store := witnessOf(t, d, keys)

		for _, key := range []string{"h0", "h1", "h2"} {
			require.NoError(t, post(d, hold(key, 10)))
		}

		_, err := ledger.Seal(t.Context(), d, keys)
		require.NoError(t, err)
		require.NoError(t, w.Keep(t.Context()))

		head, err := w.Kept(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 3, head.Seq)

		newest := journalID(t, d, "h2")
		attack(t, d, "DELETE FROM ledger_chain WHERE journal = ?", newest)
		attack(t, d, "DELETE FROM postings WHERE journal = ?", newest)
		attack(t, d, "DELETE FROM journals WHERE id = ?", newest)

		require.Empty(t, proven(t, d, ledger.Proof{Keys: keys}).Faults, "by itself the book looks sound")
		r := proven(t, d, ledger.Proof{Keys: keys, Head: head})
		require.Len(t, r.Faults, 1)
		require.Contains(t, r.Faults[0], "link 3 is missing")
		require.ErrorIs(t, w.Keep(t.Context()), ledger.ErrHeadGone)

		// The book goes on, and the head does not come true by it.
		require.NoError(t, post(d, hold("h3", 10)))
		_, err = ledger.Seal(t.Context(), d, keys)
		require.NoError(t, err)
		require.ErrorIs(t, w.Keep(t.Context()), ledger.ErrHeadGone)

		kept, err := w.Kept(t.Context())
		require.NoError(t, err)
		require.Equal(t, head, kept, "nothing wrote over the evidence")

		require.NoError(t, w.Accept(t.Context()))
		require.NoError(t, w.Keep(t.Context()))

		names, err := store.List(t.Context(), "ledger")
		require.NoError(t, err)
		require.Len(t, names, 3, "the newest, the day's, and the one that was given up")

		require.NoError(
			t,
			store.Put(
				t.Context(),
				"ledger/head.json",
				[]byte(`{"seq":1,"hash":"x","at":"2026-01-01T00:00:00Z","signature":"k1:00"}`),
			),
		)
		require.ErrorIs(t, w.Keep(t.Context()), ledger.ErrHeadForged)
	})
}
