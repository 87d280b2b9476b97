package db_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/secret"
)

var (
	sealedNote  = db.SealColumn("notes", "sealed", "owner, number").FoundBy("found", noteFound)
	sealedFile  = db.SealBytes("note_files", "content", "id")
	insertNote  = db.InsertInto("notes", "owner, number, sealed, found")
	insertFiled = db.InsertInto("note_files", "id, content")
)

func noteFound(key db.Key, texts []string) string {
	if texts[0] == "" {
		return ""
	}

	return key[0].(string) + "/" + texts[0]
}

type note struct {
	owner, first, second string
	number               int64
}

func (n *note) dest() []any {
	return []any{&n.owner, &n.number, sealedNote.Into(db.Key{&n.owner, &n.number}, &n.first, &n.second)}
}

func (n note) insert(tx *db.Tx) {
	key := db.Key{n.owner, n.number}

	tx.Insert(insertNote, n.owner, n.number, sealedNote.Of(key, n.first, n.second),
		sealedNote.HashesOf(key, n.first, n.second)[0])
}

func notes(t *testing.T, q db.Querier, w db.Where) []note {
	t.Helper()

	out, err := db.Select(
		t.Context(),
		q,
		(*note).dest,
		"SELECT owner, number, sealed FROM notes"+w.SQL()+" ORDER BY owner, number",
		w.Args...)

	require.NoError(t, err)

	return out
}

// eachSealed runs a test on each database with two tables that hold what is sealed. open opens the database once more
// with other keys, the first of them current.
func eachSealed(t *testing.T, test func(t *testing.T, open func(keys ...secret.Text) *db.DB)) {
	t.Helper()

	run := func(t *testing.T, url string) {
		open := func(keys ...secret.Text) *db.DB {
			c := db.Config{URL: url}
			if len(keys) > 0 {
				ring, err := secret.ParseKeyring(secret.Text(strings.Join(secret.RevealAll(keys), ",")))
				require.NoError(t, err)
				c.Keys = ring
			}

			d, err := db.Open(t.Context(), c)
			require.NoError(t, err)

			t.Cleanup(func() { require.NoError(t, d.Close()) })

			return d
		}

		d := open()

		require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(
				`CREATE TABLE notes (owner TEXT NOT NULL, number BIGINT NOT NULL, sealed TEXT NOT NULL, found
					TEXT NOT NULL, PRIMARY KEY (owner, number))`,
			)
			if err == nil {
				_, err = tx.Exec("CREATE TABLE note_files (id TEXT PRIMARY KEY, content BYTEA NOT NULL)")
			}

			return err
		}))

		test(t, open)
	}

	t.Run("sqlite", func(t *testing.T) { run(t, "sqlite:"+dbtest.SQLiteFile(t)) })
	t.Run("postgres", func(t *testing.T) { run(t, dbtest.PostgresURL(t)) })
}

// What is sealed is read by every kind of read, found by its keyed hash within its bounds alone, and lies nowhere in
// clear. (C-02)
func TestSealedColumnIsReadFoundAndNeverInClear(t *testing.T) {
	eachSealed(t, func(t *testing.T, open func(keys ...secret.Text) *db.DB) {
		d := open(secret.NewKey("k1"))
		long := strings.Repeat("canary bytes ", 1000)
		one := note{"ann", "canary one", "and two", 1}
		all := []note{one, {"ann", "", "only two", 2}, {"ann", "", "", 3}, {"bob", "canary one", "", 1}}
		require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
			for _, n := range all {
				n.insert(tx)
			}

			tx.Insert(insertFiled, "f1", sealedFile.OfBytes(db.Key{"f1"}, []byte("canary bytes")))
			tx.Insert(insertFiled, "f2", sealedFile.OfBytes(db.Key{"f2"}, nil))
			tx.Insert(insertFiled, "f3", sealedFile.OfBytes(db.Key{"f3"}, []byte(long)))

			return nil
		}))
		require.Equal(t, all, notes(t, d, db.Where{}))

		var found db.Where
		db.Find(d, &found, sealedNote, "ann/canary one")
		require.Equal(t, []note{one}, notes(t, d, found))
		require.NoError(t, d.Snapshot(t.Context(), func(q db.Querier) error {
			var w db.Where
			db.Find(q, &w, sealedNote, "ann/canary one")
			require.Equal(t, []note{one}, notes(t, q, w))

			return nil
		}))
		require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
			var w db.Where
			db.Find(tx, &w, sealedNote, "bob/canary one")
			require.Len(t, notes(t, tx, w), 1)

			return nil
		}))

		for id, want := range map[string]string{"f1": "canary bytes", "f2": "", "f3": long} {
			var name string
			content, err := db.One(t.Context(), d, func(b *[]byte) []any {
				return []any{&name, sealedFile.IntoBytes(db.Key{&name}, b)}
			}, "SELECT id, content FROM note_files WHERE id = ?", id)
			require.NoError(t, err)
			require.Equal(t, want, string(content))
		}

		sizes, err := db.Select(t.Context(), d, func(n *int) []any {
			return []any{n}
		}, "SELECT length(content) FROM note_files WHERE id = ?", "f3")
		require.NoError(t, err)
		require.Less(t, sizes[0], len(long)/10, "what is long is compressed before it is encrypted")

		stored, err := db.Select(t.Context(), d, func(s *string) []any {
			return []any{s}
		}, "SELECT sealed || ' ' || found FROM notes")
		require.NoError(t, err)
		require.NotContains(t, strings.Join(stored, "\n"), "canary")
		require.Contains(t, stored, " ", "of nothing, nothing is kept")
		require.NotEqual(t, strings.Fields(stored[0])[1], strings.Fields(stored[3])[1],
			"the same text of two owners is not seen to be the same")
	})
}

// Bytes are compressed before they are encrypted, whatever they are: an answer of forty payments takes little room, and
// what cannot be compressed comes back too.
func TestSealedBytesAreCompressed(t *testing.T) {
	noise := make([]byte, 20_000)
	_, err := rand.NewChaCha8([32]byte{1}).Read(noise)
	require.NoError(t, err)

	answer := []byte(strings.Repeat(`{"type":"CRYPTO","status":"DRAFT","amount":"1.50","reason":"wages"},`, 400))

	eachSealed(t, func(t *testing.T, open func(keys ...secret.Text) *db.DB) {
		d := open(secret.NewKey("k1"))

		for id, content := range map[string][]byte{"answer": answer, "noise": noise} {
			require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
				tx.Insert(insertFiled, id, sealedFile.OfBytes(db.Key{id}, content))
				return nil
			}))

			var name string
			read, err := db.One(t.Context(), d, func(b *[]byte) []any {
				return []any{&name, sealedFile.IntoBytes(db.Key{&name}, b)}
			}, "SELECT id, content FROM note_files WHERE id = ?", id)
			require.NoError(t, err)
			require.Equal(t, content, read)
		}

		stored, err := db.Value[int64](t.Context(), d, "SELECT length(content) FROM note_files WHERE id = 'answer'")
		require.NoError(t, err)
		require.Less(t, stored, int64(len(answer)/10))
	})
}

// A short value is compressed against what its column's values are alike, so that it takes little room; longer ones are
// compressed alone. Either is read as it was, and none without the text.
func TestShortBytesAreCompressedAgainstTheirLike(t *testing.T) {
	like := `{"type":"CRYPTO","status":"DRAFT","amount":"1.50","reason":"wages","network":"base","token":"USDC",` +
		`"decimals":6,"settlementStatus":"IDLE"}`
	short := strings.Replace(like, "1.50", "2.75", 1)
	long := strings.Repeat(short, 60)
	alike := sealedFile.Alike([]byte(like))

	eachSealed(t, func(t *testing.T, open func(keys ...secret.Text) *db.DB) {
		d := open(secret.NewKey("k1"))

		for id, content := range map[string]string{"short": short, "long": long} {
			require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
				tx.Insert(insertFiled, id, alike.OfBytes(db.Key{id}, []byte(content)))
				return nil
			}))

			read := func(c *db.Sealed) (got []byte, err error) {
				var name string

				return db.One(t.Context(), d, func(b *[]byte) []any {
					return []any{&name, c.IntoBytes(db.Key{&name}, b)}
				}, "SELECT id, content FROM note_files WHERE id = ?", id)
			}

			got, err := read(alike)
			require.NoError(t, err)
			require.Equal(t, content, string(got))

			if id == "short" {
				_, err = read(sealedFile)
				require.ErrorContains(t, err, "packed in a way that this version does not know")
			}
		}

		lengths, err := db.Select(t.Context(), d, func(n *int64) []any {
			return []any{n}
		}, "SELECT length(content) FROM note_files WHERE id = 'short'")
		require.NoError(t, err)
		require.Less(t, lengths[0], int64(len(short)*2/3), "with what encryption adds")
	})
}

// A value that was moved to another row, or that an attacker has written in clear, is an error; so is reading without
// keys. (C-02, B-05)
func TestSealedValueOpensInItsRowAlone(t *testing.T) {
	eachSealed(t, func(t *testing.T, open func(keys ...secret.Text) *db.DB) {
		key := secret.NewKey("k1")
		d := open(key)
		require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
			note{"ann", "a", "", 1}.insert(tx)
			note{"ann", "b", "", 2}.insert(tx)
			return nil
		}))
		read := func(d *db.DB) error {
			_, err := db.One(t.Context(), d, (*note).dest, "SELECT owner, number, sealed FROM notes WHERE number = 1")
			return err
		}
		change := func(query string) {
			require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
				_, err := tx.Exec(query)
				return err
			}))
		}
		require.NoError(t, read(d))
		require.ErrorContains(t, read(open()), "without a keyring")
		require.ErrorIs(t, read(open(secret.NewKey("k2"))), secret.ErrUnknownKey)

		change("UPDATE notes SET sealed = (SELECT o.sealed FROM notes o WHERE o.number = 2) WHERE number = 1")
		require.ErrorIs(t, read(d), secret.ErrForged)
		change("UPDATE notes SET sealed = 'in clear' WHERE number = 1")
		require.ErrorIs(t, read(d), secret.ErrForm)
	})
}

// Keys are replaced while others write: nobody waits, nothing is lost, everything is found all the time, and in the
// end the old key can go. (C-02)
func TestSealingKeyIsReplacedUnderLoad(t *testing.T) {
	eachSealed(t, func(t *testing.T, open func(keys ...secret.Text) *db.DB) {
		first := secret.NewKey("k1")
		second := secret.NewKey("k2")
		old := open(first)
		both := open(second, first)

		const rows = 450 // more than two pages
		write := func(d *db.DB, n note) error {
			return d.Write(context.Background(), func(tx *db.Tx) error {
				key := db.Key{n.owner, n.number}

				tx.Change(
					"UPDATE notes SET sealed = ?, found = ? WHERE owner = ? AND number = ?",
					sealedNote.Of(
						key,
						n.first,
						n.second,
					),
					sealedNote.HashesOf(key, n.first, n.second)[0],
					n.owner,
					n.number,
				)

				return nil
			})
		}
		require.NoError(t, old.Write(t.Context(), func(tx *db.Tx) error {
			for i := range rows {
				note{"ann", "x", "0", int64(i)}.insert(tx)
			}

			tx.Insert(insertFiled, "f1", sealedFile.OfBytes(db.Key{"f1"}, []byte("bytes")))

			return nil
		}))

		var load sync.WaitGroup
		stop := make(chan struct{})

		written := make([]int, 3)
		for i := range written {
			load.Go(func() {
				for n := 1; ; n++ {
					select {
					case <-stop:
						return
					default:
					}

					if err := write(both, note{"ann", "x", fmt.Sprint(n), int64(i * 200)}); !errors.Is(
						err,
						db.ErrRetry,
					) {
						require.NoError(t, err)
						written[i] = n
					}

					var w db.Where
					db.Find(both, &w, sealedNote, "ann/x")
					require.Len(t, notes(t, both, w), rows, "all are found at every moment")
				}
			})
		}

		pass := func() (n int) {
			for _, c := range []*db.Sealed{sealedNote, sealedFile} {
				for after, end := db.Key(nil), false; !end; end = after == nil {
					done, next, err := both.Reseal(t.Context(), c, after, 100)
					require.NoError(t, err)
					n = n + done
					after = next
				}
			}

			return n
		}
		require.Greater(t, pass(), rows-len(written)-1)
		close(stop)
		load.Wait()
		require.Zero(t, pass(), "what is sealed anew is left alone")

		only := open(second)

		var w db.Where
		db.Find(only, &w, sealedNote, "ann/x")
		all := notes(t, only, w)
		require.Len(t, all, rows)

		for i, n := range written {
			require.Equal(t, fmt.Sprint(n), all[i*200].second, "what was written meanwhile is there")
		}
	})
}

// Of two processes that begin one database at once, each with keys of its own, one is refused: in its first start and
// afterwards. The keys may have one name or two.
func TestOfTwoKeyringsAtOnceOneIsRefused(t *testing.T) {
	for _, second := range []string{"k1", "k2"} {
		eachSealed(t, func(t *testing.T, open func(keys ...secret.Text) *db.DB) {
			both := []*db.DB{open(secret.NewKey("k1")), open(secret.NewKey(second))}
			problems := make([]error, len(both))

			var starts sync.WaitGroup
			for i, d := range both {
				starts.Go(func() { problems[i] = d.UseKeys(context.Background()) })
			}

			starts.Wait()

			refused := 0
			if problems[0] == nil {
				refused = 1
			}

			require.NoError(t, problems[1-refused])
			require.ErrorIs(t, problems[refused], db.ErrKeys)
			require.ErrorIs(t, both[refused].CheckKeys(t.Context()), db.ErrKeys)
			require.NoError(t, both[1-refused].UseKeys(t.Context()), "a second call")
		})
	}
}

// A key that has sealed something is asked for until nothing of it is left.
func TestAKeyIsAskedForUntilNothingOfItIsLeft(t *testing.T) {
	eachSealed(t, func(t *testing.T, open func(keys ...secret.Text) *db.DB) {
		first := secret.NewKey("k1")
		second := secret.NewKey("k2")
		both := open(second, first)

		require.NoError(t, open(first).UseKeys(t.Context()))
		require.NoError(t, open(first, second).UseKeys(t.Context()), "before the new key seals, all can open it")
		require.NoError(t, both.UseKeys(t.Context()))

		require.ErrorContains(t, open(first).CheckKeys(t.Context()), "the key k2 is missing")
		require.ErrorContains(t, open(second).CheckKeys(t.Context()), "the key k1 is missing")
		require.ErrorContains(t, open(secret.NewKey("k1"), second).CheckKeys(t.Context()), "its key k1 is another one")

		require.NoError(t, both.ForgetOlderKeys(t.Context()))
		require.NoError(t, open(second).CheckKeys(t.Context()))
		require.NoError(t, open().CheckKeys(t.Context()), "a process without keys reads nothing that is sealed")
	})
}

// A database whose table of keys was lost is not begun anew with another keyring, under which nothing of it opens.
func TestAnotherKeyringIsRefusedWhereSomethingIsSealed(t *testing.T) {
	eachSealed(t, func(t *testing.T, open func(keys ...secret.Text) *db.DB) {
		first := open(secret.NewKey("k1"))
		require.NoError(t, first.UseKeys(t.Context(), sealedNote, sealedFile))
		require.NoError(t, first.Write(t.Context(), func(tx *db.Tx) error {
			key := db.Key{"f"}
			tx.Insert(insertFiled, "f", sealedFile.OfBytes(key, []byte("a file")))

			_, err := tx.Exec("DELETE FROM sealing_keys")

			return err
		}))

		for _, other := range []string{"k1", "k2"} {
			err := open(secret.NewKey(other)).UseKeys(t.Context(), sealedNote, sealedFile)
			require.ErrorIs(t, err, db.ErrKeys)
			require.ErrorContains(t, err, "note_files.content")
		}

		require.NoError(t, first.UseKeys(t.Context(), sealedNote, sealedFile))
		require.ErrorIs(t, open(secret.NewKey("k2")).CheckKeys(t.Context()), db.ErrKeys)
	})
}
