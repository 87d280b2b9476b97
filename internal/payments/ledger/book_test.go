package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/day"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/secret"
)

// keysOf returns the keys of the journals that a filter selects, newest first.
func keysOf(t *testing.T, d *db.DB, f ledger.Filter) (keys []string) {
	t.Helper()

	found, total, err := ledger.Journals(t.Context(), d, f, caller.Window{Limit: 10})
	require.NoError(t, err)
	require.EqualValues(t, len(found), total)

	for _, j := range found {
		keys = append(keys, j.Key)
	}

	return keys
}

// Every member of a filter selects, alone and beside others; a period begins with its first moment and ends before its
// last.
func TestJournalsAreFoundByWhatTheySay(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var at []time.Time

		for i := range 3 {
			account := ledger.HoldAccount("n", fmt.Sprint("org_", i))
			require.NoError(t, post(d, ledger.Journal{
				Key:          fmt.Sprint("k", i),
				Kind:         fmt.Sprint("kind", i),
				Organisation: fmt.Sprint("org_", i),
				Transaction:  fmt.Sprint("txn_", i),
				Postings:     []ledger.Posting{line(account, usdc, 1), line("wallet/n/0x1", usdc, -1)},
			}))

			found, _, err := ledger.Journals(
				t.Context(),
				d,
				ledger.Filter{Key: fmt.Sprint("k", i)},
				caller.Window{Limit: 1},
			)
			require.NoError(t, err)
			require.Len(t, found, 1)

			at = append(at, found[0].At.Truncate(time.Millisecond))
			d.Clock().Advance(time.Hour)
		}

		of := string(ledger.HoldAccount("n", "org_1"))

		for name, x := range map[string]struct {
			filter ledger.Filter
			want   []string
		}{
			"nothing":                {ledger.Filter{}, []string{"k2", "k1", "k0"}},
			"key":                    {ledger.Filter{Key: "k1"}, []string{"k1"}},
			"kind":                   {ledger.Filter{Kind: "kind1"}, []string{"k1"}},
			"organisation":           {ledger.Filter{Organisation: "org_1"}, []string{"k1"}},
			"transaction":            {ledger.Filter{Transaction: "txn_1"}, []string{"k1"}},
			"account":                {ledger.Filter{Account: of}, []string{"k1"}},
			"account of all":         {ledger.Filter{Account: "wallet/n/0x1"}, []string{"k2", "k1", "k0"}},
			"from":                   {ledger.Filter{From: at[1]}, []string{"k2", "k1"}},
			"before":                 {ledger.Filter{Before: at[1]}, []string{"k0"}},
			"a period":               {ledger.Filter{From: at[1], Before: at[2]}, []string{"k1"}},
			"account in a period":    {ledger.Filter{Account: "wallet/n/0x1", From: at[1], Before: at[2]}, []string{"k1"}},
			"account before it":      {ledger.Filter{Account: of, Before: at[1]}, nil},
			"key of another kind":    {ledger.Filter{Key: "k1", Kind: "kind2"}, nil},
			"two that say the same":  {ledger.Filter{Transaction: "txn_2", Organisation: "org_2"}, []string{"k2"}},
			"two that say otherwise": {ledger.Filter{Transaction: "txn_2", Organisation: "org_1"}, nil},
		} {
			require.Equal(t, x.want, keysOf(t, d, x.filter), name)
		}
	})
}

// A page may end within a journal: the rest of its journals is read besides, and of nothing there is none.
func TestTheRestOfAPageIsThatOfItsJournals(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		require.NoError(t, post(d, hold("h0", 10), hold("h1", 20)))

		period := ledger.Period{
			Organisation: "org_1",
			From:         day.Of(d.Now().UTC()),
			Before:       day.Of(d.Now().UTC()).AddDate(0, 0, 1),
		}

		all, total, err := ledger.Book(t.Context(), d, period, caller.Window{Limit: 10})
		require.NoError(t, err)
		require.Len(t, all, 4)
		require.EqualValues(t, 4, total)

		house, total, err := ledger.Book(t.Context(), d, ledger.Period{House: true}, caller.Window{Limit: 10})
		require.NoError(t, err)
		require.Equal(t, all, house)
		require.Zero(t, total, "nobody counts the house's")

		for _, e := range all {
			require.Equal(t, "hold", e.Kind)
			require.Equal(t, "USDC", e.Asset)
			require.WithinDuration(t, d.Now(), e.At, time.Minute)
		}

		page, _, err := ledger.Book(t.Context(), d, period, caller.Window{Limit: 1, After: all[0].Position()})
		require.NoError(t, err)
		require.Equal(t, all[1:3], page, "one more than the page has")

		rest, err := ledger.Rest(t.Context(), d, period, page[:1])
		require.NoError(t, err)
		require.Equal(t, all[:2], rest)

		rest, err = ledger.Rest(t.Context(), d, period, page)
		require.NoError(t, err)
		require.Equal(t, all, rest)

		rest, err = ledger.Rest(t.Context(), d, period, nil)
		require.NoError(t, err)
		require.Empty(t, rest)

		later := ledger.Period{Organisation: "org_1", From: day.Of(d.Now().UTC()).AddDate(0, 0, 1)}
		_, total, err = ledger.Book(t.Context(), d, later, caller.Window{Limit: 10})
		require.NoError(t, err)
		require.Zero(t, total)

		_, _, err = ledger.Book(t.Context(), d, period, caller.Window{Limit: 1, After: all[0].Journal})
		require.True(t, fault.Is(err, fault.CursorInvalid))
	})
}

// Where a line comes from is found in the organisation's own journals: by transaction, and by what its suspense and its
// claims name.
func TestOriginsAreTheOrganisationsOwn(t *testing.T) {
	eur := money.Asset{Code: "EUR", Decimals: 2}

	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		named := func(account ledger.Account, organisation, memo string) ledger.Journal {
			to := line(account, eur, 5)
			to.Memo = memo

			return ledger.Journal{
				Key:          string(account) + " " + memo,
				Organisation: organisation,
				Postings:     []ledger.Posting{line(ledger.SenderAccount("EUR"), eur, -5), to},
			}
		}

		require.NoError(t, post(d,
			hold("h", 10),
			named(ledger.SuspenseAccount("EUR", "org_1"), "org_1", "eur/ent_1"),
			named(ledger.SuspenseAccount("EUR", "org_1"), "org_1", "eur/ent_2"),
			named(ledger.SuspenseAccount("CHF", "org_1"), "org_1", "eur/ent_1"),
			named(ledger.SuspenseAccount("EUR", "org_2"), "org_2", "eur/ent_1"),
			named(ledger.ReceivableAccount("org_1"), "org_1", "eur/ent_1"),
			named(ledger.ReceivableAccount("org_2"), "org_2", "eur/ent_1"),
			named(ledger.PayeeAccount("rcv"), "org_1", "eur/ent_1"),
		))
		last := journalID(t, d, "payee/rcv eur/ent_1")

		origins := func(of ledger.Sources) (keys []string) {
			found, err := ledger.Origins(t.Context(), d, ledger.Period{Organisation: "org_1"}, last, of)
			require.NoError(t, err)

			for _, e := range found {
				if e.Line == 0 {
					keys = append(keys, e.Key)
				}
			}

			return keys
		}

		require.Empty(t, origins(ledger.Sources{}))
		require.Equal(t, []string{"h"}, origins(ledger.Sources{Transactions: []string{"txn_1"}}))
		require.Equal(t, []string{"h"}, origins(ledger.Sources{Keys: []string{"h", "payee/rcv"}}))
		require.Empty(t, origins(ledger.Sources{Keys: []string{"receivable/org_2 eur/ent_1"}}), "of another's book")
		require.ElementsMatch(t, []string{"h", "suspense/EUR/org_1 eur/ent_1", "receivable/org_1 eur/ent_1"},
			origins(ledger.Sources{
				Transactions: []string{"txn_1"},
				Accounts:     []string{"suspense/EUR/org_1", "suspense/EUR/org_2", "receivable/org_1"},
				Memos:        []string{"eur/ent_1", "other"},
			}))
	})
}

// The head is kept anew when the book has grown, and only then.
func TestTheHeadFollowsTheBook(t *testing.T) {
	eachSigned(t, func(t *testing.T, _ string, d *db.DB, keys *secret.Keyring) {
		w, _ := witnessOf(t, d, keys)
		require.NoError(t, w.Keep(t.Context()))

		head, err := w.Kept(t.Context())
		require.NoError(t, err)
		require.Nil(t, head, "an empty book has none")

		for n := range int64(3) {
			require.NoError(t, post(d, hold(fmt.Sprint("h", n), 10)))
			_, err := ledger.Seal(t.Context(), d, keys)
			require.NoError(t, err)
			require.NoError(t, w.Keep(t.Context()))

			head, err = w.Kept(t.Context())
			require.NoError(t, err)
			require.Equal(t, n+1, head.Seq)

			d.Clock().Advance(time.Minute)
			require.NoError(t, w.Keep(t.Context()))

			again, err := w.Kept(t.Context())
			require.NoError(t, err)
			require.Equal(t, head, again, "a second call writes nothing")
		}
	})
}

// One verification runs at a time; it is stored with who asked for it, what was read and what was found.
func TestAVerificationIsStoredWithWhatItFound(t *testing.T) {
	eachSigned(t, func(t *testing.T, address string, d *db.DB, keys *secret.Keyring) {
		w, _ := witnessOf(t, d, keys)

		for _, key := range []string{"h0", "h1"} {
			require.NoError(t, post(d, hold(key, 10)))
		}

		_, err := ledger.Seal(t.Context(), d, keys)
		require.NoError(t, err)
		require.NoError(t, w.Keep(t.Context()))
		require.NoError(t, post(d, hold("h2", 10)))

		ask := func(user string) (v ledger.Verification, fresh bool) {
			t.Helper()
			require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) (err error) {
				v, fresh, err = ledger.AskVerification(t.Context(), tx, user)
				return err
			}))

			return v, fresh
		}
		newest := func() ledger.Verification {
			t.Helper()

			all, _, err := ledger.Verifications(t.Context(), d, caller.Window{Limit: 1})
			require.NoError(t, err)

			return all[0]
		}

		v, fresh := ask("usr_1")
		require.True(t, fresh)

		same, fresh := ask("usr_2")
		require.False(t, fresh)
		require.Equal(t, v.ID, same.ID)
		require.Equal(t, ledger.Running, newest().State)
		require.WithinDuration(t, d.Now(), newest().CreatedAt, time.Minute)
		require.Zero(t, newest().EndedAt)

		require.NoError(t, w.Carry(t.Context(), v.ID))

		got := newest()
		require.Equal(t, v.ID, got.ID)
		require.Equal(t, "usr_1", got.AskedBy)
		require.Equal(t, ledger.Sound, got.State)
		require.Equal(t, []int{3, 3, 6, 3, 0}, []int{got.Read, got.Journals, got.Postings, got.Links, got.Unlinked})
		require.Equal(t, []string{"USDC"}, got.Found.Assets)
		require.Equal(t, []ledger.Transit{{
			Account: string(ledger.HoldAccount("n", "org_1")),
			Asset:   "USDC",
			Units:   "30",
		}}, got.Found.Open)
		require.NotZero(t, got.HeadAt)
		require.NotZero(t, got.EndedAt)

		require.NoError(t, w.Carry(t.Context(), v.ID))
		require.Equal(t, got, newest(), "one that has ended stays")

		forger, err := db.Open(t.Context(), db.Config{URL: address, Clock: d.Clock()})
		require.NoError(t, err)
		require.NoError(t, post(forger, hold("slipped", 10)))
		require.NoError(t, forger.Close())
		attack(t, d, `INSERT INTO journals (id, key, kind, organisation, transaction_id, hash, created_at)
			SELECT '', 'nameless', kind, organisation, transaction_id, hash, created_at FROM journals WHERE key = 'h0'`)
		d.Clock().Advance(time.Second)

		other, fresh := ask("usr_2")
		require.True(t, fresh)
		require.NoError(t, w.Carry(t.Context(), other.ID))

		got = newest()
		require.Equal(t, ledger.Unsound, got.State)
		require.Equal(t, []int{4, 4, 8, 3, 1}, []int{got.Read, got.Journals, got.Postings, got.Links, got.Unlinked},
			"what has no place in the book is not counted as read")
		require.Len(t, got.Found.Faults, 2)
		require.Contains(t, got.Found.Faults[0], "1 journals have an id that no journal can have")
		require.Contains(t, got.Found.Faults[1], "was not written by this service")
	})
}

// A proof tells how far it is: at last, that it has read everything.
func TestAProofTellsHowFarItIs(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		sealedBook(t, d)

		var last []int

		_, err := ledger.Verify(t.Context(), d, ledger.Proof{Watch: func(read, all int) { last = []int{read, all} }})
		require.NoError(t, err)
		require.Equal(t, []int{4, 4}, last)
	})
}

// Faults are listed in one order, whatever order they are found in.
func TestFaultsAreListedInOrder(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for i := range 12 {
			account := ledger.HoldAccount("n", fmt.Sprint("org_", i))
			require.NoError(t, post(d, ledger.Journal{
				Key:      fmt.Sprint("k", i),
				Postings: []ledger.Posting{line(account, usdc, -1), line("wallet/n/0x1", usdc, 1)},
			}))
		}

		faults := verify(t, d).Faults
		require.Len(t, faults, 12)
		require.IsIncreasing(t, faults)
	})
}
