package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/id"
	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// sealedBook has four sealed journals.
func sealedBook(t *testing.T, d *db.DB) {
	t.Helper()

	for i := range 4 {
		require.NoError(t, post(d, hold(fmt.Sprint("h", i), 10)))
	}

	require.Equal(t, 4, seal(t, d))
	r := verify(t, d)
	require.Empty(t, r.Faults)
	require.Equal(t, 4, r.Sealed)
	require.Zero(t, r.Unsealed)
}

func journalID(t *testing.T, d *db.DB, key string) string {
	t.Helper()
	s, err := db.Value[string](context.Background(), d, "SELECT id FROM journals WHERE key = ?", key)
	require.NoError(t, err)

	return s
}

// B-05, M-01, M-03, M-07: what someone does to the tables past the ledger shows.
func TestVerifyFindsEveryAttackOnTheTables(t *testing.T) {
	long := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

	insert := func(t *testing.T, d *db.DB, journal string, at int64) {
		attack(
			t,
			d,
			`INSERT INTO journals (id, key, kind, organisation, transaction_id, hash, created_at)
				SELECT ?, 'slipped', kind, organisation, transaction_id, hash, ?
				FROM journals WHERE key = 'h0'`,
			journal,
			at,
		)
	}
	for name, c := range map[string]struct {
		do   func(t *testing.T, d *db.DB)
		says string
	}{
		"changed posting": {func(t *testing.T, d *db.DB) {
			attack(t, d, "UPDATE postings SET units = '11' WHERE units = '10'")
		}, "does not have the content"},
		"changed on both sides": {func(t *testing.T, d *db.DB) {
			attack(t, d, "UPDATE postings SET units = CASE units WHEN '10' THEN '11' ELSE '-11' END")
		}, "does not have the content"},
		"other account": {func(t *testing.T, d *db.DB) {
			attack(t, d, "UPDATE postings SET account = 'receiver/mine' WHERE units = '10'")
		}, "does not have the content"},
		"other memo": {func(t *testing.T, d *db.DB) {
			attack(t, d, "UPDATE postings SET memo = 'x' WHERE line = 0")
		}, "does not have the content"},
		"no number": {func(t *testing.T, d *db.DB) {
			attack(t, d, "UPDATE postings SET units = 'x' WHERE line = 0")
		}, "is no number"},
		"deleted posting": {func(t *testing.T, d *db.DB) {
			attack(t, d, "DELETE FROM postings WHERE line = 1 AND journal = ?", journalID(t, d, "h1"))
		}, "does not have the content"},
		"deleted postings": {func(t *testing.T, d *db.DB) {
			attack(t, d, "DELETE FROM postings WHERE journal = ?", journalID(t, d, "h1"))
		}, "has no postings"},
		"added posting": {func(t *testing.T, d *db.DB) {
			attack(t, d, `INSERT INTO postings (journal, line, account, asset, units)
				VALUES (?, 2, 'a', 'USDC', '0')`, journalID(t, d, "h1"))
		}, "does not have the content"},
		"posting of no journal": {func(t *testing.T, d *db.DB) {
			attack(t, d, `INSERT INTO postings (journal, line, account, asset, units)
				VALUES ('jrn_x', 0, 'hold/n/org_1', 'USDC', '1')`)
		}, "belong to no journal"},
		"deleted journal": {func(t *testing.T, d *db.DB) {
			attack(t, d, "DELETE FROM journals WHERE key = 'h1'")
		}, "which is gone"},
		"deleted with postings": {func(t *testing.T, d *db.DB) {
			attack(t, d, "DELETE FROM postings WHERE journal = ?", journalID(t, d, "h1"))
			attack(t, d, "DELETE FROM journals WHERE key = 'h1'")
		}, "which is gone"},
		"deleted with its link": {func(t *testing.T, d *db.DB) {
			attack(t, d, "DELETE FROM postings WHERE journal = ?", journalID(t, d, "h1"))
			attack(t, d, "DELETE FROM journals WHERE key = 'h1'")
			attack(t, d, "DELETE FROM ledger_chain WHERE seq = 2")
		}, "gap before link 3"},
		"changed key": {func(t *testing.T, d *db.DB) {
			attack(t, d, "UPDATE journals SET key = 'x' WHERE key = 'h1'")
		}, "does not have the content"},
		"changed transaction": {func(t *testing.T, d *db.DB) {
			attack(t, d, "UPDATE journals SET transaction_id = 'x' WHERE key = 'h1'")
		}, "does not have the content"},
		"changed time": {func(t *testing.T, d *db.DB) {
			attack(t, d, "UPDATE journals SET created_at = created_at + 1 WHERE key = 'h1'")
		}, "does not have the content"},
		"changed content hash": {func(t *testing.T, d *db.DB) {
			attack(t, d, "UPDATE journals SET hash = 'x' WHERE key = 'h1'")
		}, "link 2 does not follow"},
		"changed link": {func(t *testing.T, d *db.DB) {
			attack(t, d, "UPDATE ledger_chain SET hash = 'x' WHERE seq = 2")
		}, "link 2 does not follow"},
		"changed newest link": {func(t *testing.T, d *db.DB) {
			attack(t, d, "UPDATE ledger_chain SET hash = 'x' WHERE seq = 4")
		}, "link 4 does not follow"},
		"deleted link": {func(t *testing.T, d *db.DB) {
			attack(t, d, "DELETE FROM ledger_chain WHERE seq = 2")
		}, "gap before link 3"},
		"deleted first link": {func(t *testing.T, d *db.DB) {
			attack(t, d, "DELETE FROM ledger_chain WHERE seq = 1")
		}, "gap before link 2"},
		"swapped links": {func(t *testing.T, d *db.DB) {
			for _, move := range [][2]int64{{2, 99}, {3, 2}, {99, 3}} {
				attack(t, d, "UPDATE ledger_chain SET seq = ? WHERE seq = ?", move[1], move[0])
			}
		}, "link 2 does not follow"},
		"swapped journals of links": {func(t *testing.T, d *db.DB) {
			one := journalID(t, d, "h1")

			two := journalID(t, d, "h2")
			for _, move := range [][2]string{{one, "x"}, {two, one}, {"x", two}} {
				attack(t, d, "UPDATE ledger_chain SET journal = ? WHERE journal = ?", move[1], move[0])
			}
		}, "link 2 does not follow"},
		"inserted journal with the hash of another": {func(t *testing.T, d *db.DB) {
			insert(t, d, id.New("jrn", d.Now()), db.Micros(d.Now()))
		}, "does not have the content"},
		"inserted journal of long ago": {func(t *testing.T, d *db.DB) {
			insert(t, d, id.New("jrn", long), db.Micros(long))
		}, "the chain has long passed its time"},
		"inserted journal with an old id": {func(t *testing.T, d *db.DB) {
			insert(t, d, id.New("jrn", long), db.Micros(d.Now()))
		}, "an id of another time"},
		"inserted journal before every id": {func(t *testing.T, d *db.DB) {
			insert(t, d, "", db.Micros(d.Now()))
		}, "1 journals have an id that no journal can have"},
	} {
		t.Run(name, func(t *testing.T) {
			d := dbtest.SQLite(t)
			sealedBook(t, d)
			c.do(t, d)
			require.Contains(t, strings.Join(verify(t, d).Faults, "\n"), c.says)
			seal(t, d)
			require.NotEmpty(t, verify(t, d).Faults, "sealing again does not heal it")
		})
	}
}

// The same, once on each database: what Verify reads is the same on both.
func TestVerifyFindsAttacksOnBothDatabases(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		sealedBook(t, d)
		attack(t, d, "UPDATE postings SET units = '11' WHERE units = '10' AND journal = ?", journalID(t, d, "h1"))
		attack(t, d, "DELETE FROM journals WHERE key = 'h2'")
		attack(t, d, "UPDATE ledger_chain SET hash = 'x' WHERE seq = 1")

		all := strings.Join(verify(t, d).Faults, "\n")
		for _, says := range []string{"(h1) does not have the content", "(h1) is off by 1 base units of USDC", "which is gone", "link 1 does not follow", "belong to no journal"} {
			require.Contains(t, all, says)
		}
	})
}

// M-03: what was promised and not sent is never below zero; what is outside of the house may be.
func TestVerifyFindsAccountsBelowTheirFloor(t *testing.T) {
	out := ledger.WalletAccount("n", "0x1")

	for account, floor := range map[ledger.Account]bool{
		ledger.HoldAccount("n", "o"):         true,
		ledger.ClearingAccount("n"):          true,
		ledger.ReceiverAccount("n", "r"):     true,
		ledger.GasExpense("n"):               true,
		ledger.ConvertClearing("EUR"):        true,
		ledger.BankClearing("SEPA"):          true,
		ledger.ReturnClearing("EUR"):         true,
		ledger.PayeeAccount("r"):             true,
		ledger.SuspenseAccount("EUR", "o"):   true,
		ledger.HeldAccount("EUR", "o"):       true,
		ledger.IncomeAccount("network", "n"): true,
		ledger.GasAccount("n"):               false,
		ledger.WalletAccount("n", "0x2"):     false,
		ledger.TreasuryAccount("n"):          false,
		ledger.BankAccount("h"):              false,
		ledger.PositionAccount("EUR"):        false,
		ledger.FxAccount("USDC", "EUR"):      false,
		ledger.ReceivableAccount("o"):        false,
		ledger.SenderAccount("EUR"):          false,
	} {
		d := dbtest.SQLite(t)

		require.NoError(t, post(d, ledger.Journal{
			Key:      "k",
			Postings: []ledger.Posting{line(account, usdc, -1), line(out, usdc, 1)},
		}))

		faults := strings.Join(verify(t, d).Faults, "\n")

		require.Equal(
			t,
			floor,
			strings.Contains(faults, "account "+string(account)+" is below zero: -1"),
			"%s: %s",
			account,
			faults,
		)
	}
}

// What came in and matches nothing is in suspense before it leaves it: in the book of each organisation, and at every
// moment. A deposit that leaves another book than it has entered is found, although all books together are right.
func TestVerifyFindsSuspenseBelowZeroInOneBook(t *testing.T) {
	move := func(key, organisation string, units int64) ledger.Journal {
		return ledger.Journal{
			Key:          key,
			Organisation: organisation,
			Postings: []ledger.Posting{
				line(ledger.SuspenseAccount("EUR", "o"), usdc, units),
				line(ledger.SenderAccount("EUR"), usdc, -units),
			},
		}
	}

	for name, x := range map[string]struct {
		first, second ledger.Journal
		apart         time.Duration
		fault         bool
	}{
		"in before out":                {move("a", "o", 5), move("b", "o", -5), 2 * time.Hour, false},
		"out before in":                {move("a", "o", -5), move("b", "o", 5), 2 * time.Hour, true},
		"clocks that differ":           {move("a", "o", -5), move("b", "o", 5), time.Minute, false},
		"in by nobody, out by its own": {move("a", "", 5), move("b", "o", -5), time.Minute, true},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				for i, j := range []ledger.Journal{x.first, x.second} {
					require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
						tx.Now = tx.Now.Add(time.Duration(i-1) * x.apart)
						return ledger.Post(tx, j)
					}))
				}

				found := strings.Contains(strings.Join(verify(t, d).Faults, "\n"), "was below zero in the book of o")
				require.Equal(t, x.fault, found)
			})
		})
	}
}

func TestSealersAtOnceLinkEveryJournalOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var all sync.WaitGroup

		errs := make([]error, 40)
		for i := range errs {
			all.Go(func() {
				if errs[i] = post(d, hold(fmt.Sprint(i), 1)); errs[i] == nil {
					_, errs[i] = ledger.Seal(context.Background(), d, nil)
				}
			})
		}

		all.Wait()
		require.NoError(t, errors.Join(errs...))
		seal(t, d)
		r := verify(t, d)
		require.Empty(t, r.Faults)
		require.Equal(t, 40, r.Sealed)
		require.Zero(t, seal(t, d), "nothing is left")
	})
}

// A journal's id and time are made when its transaction begins; it may become visible after younger ones have been
// linked.
func TestJournalsThatCommitLateAreStillSealed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		require.NoError(t, post(d, hold("young", 1)))
		require.Equal(t, 1, seal(t, d))

		require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
			tx.Now = tx.Now.Add(-59 * time.Minute) // as if it had begun then
			return ledger.Post(tx, hold("late", 1))
		}))

		require.Less(t, journalID(t, d, "late"), journalID(t, d, "young"))
		require.Equal(t, 1, seal(t, d))

		r := verify(t, d)
		require.Empty(t, r.Faults)
		require.Equal(t, 2, r.Sealed)
	})
}

// What was posted while no sealer ran is linked when one runs again, however long that was.
func TestSealerThatWasOffFindsWhatWasPostedMeanwhile(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		require.NoError(t, post(d, hold("a", 1)))
		require.Equal(t, 1, seal(t, d))
		require.NoError(t, post(d, hold("b", 1)))
		d.Clock().Advance(72 * time.Hour)
		require.NoError(t, post(d, hold("c", 1)))
		require.Equal(t, 2, seal(t, d))
		require.Empty(t, verify(t, d).Faults)
	})
}

func TestSealLinksLargeBacklogsInSteps(t *testing.T) {
	d := dbtest.SQLite(t)

	var many []ledger.Journal
	for i := range 1203 {
		many = append(many, hold(fmt.Sprint(i), 1))
	}

	require.NoError(t, post(d, many...))
	require.Equal(t, []int{1000, 203, 0}, []int{seal(t, d), seal(t, d), seal(t, d)})
	r := verify(t, d)
	require.Empty(t, r.Faults)
	require.Equal(t, 1203, r.Sealed, "verification reads the book in pages")
	require.Equal(t, 2406, r.Postings)
}

// A chain cut at its end proves nothing by itself: the hash that was kept elsewhere does.
func TestHeadShowsAChainThatWasCutAtItsEnd(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		n, hash, err := ledger.Head(ctx, d)
		require.NoError(t, err)
		require.Zero(t, n)
		require.Empty(t, hash)

		sealedBook(t, d)
		n, hash, err = ledger.Head(ctx, d)
		require.NoError(t, err)
		require.EqualValues(t, 4, n)

		last := journalID(t, d, "h3")
		attack(t, d, "DELETE FROM ledger_chain WHERE seq = 4")
		attack(t, d, "DELETE FROM postings WHERE journal = ?", last)
		attack(t, d, "DELETE FROM journals WHERE id = ?", last)
		require.Empty(t, verify(t, d).Faults)
		require.NoError(t, post(d, hold("other", 1)))

		seal(t, d)
		m, other, err := ledger.Head(ctx, d)
		require.NoError(t, err)
		require.Equal(t, n, m)
		require.NotEqual(t, hash, other)
	})
}

// M-09: the whole book replayed from nothing, in the order of the chain, gives the balance of every account.
func TestReplayInOrderOfTheChainGivesEveryBalance(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()

		for i := range 12 {
			out := ledger.Journal{
				Key:          fmt.Sprint("out", i),
				Kind:         "final",
				Organisation: "org_1",
				Transaction:  "txn_1",
				Postings: []ledger.Posting{
					line(ledger.HoldAccount("n", "org_1"), usdc, -int64(i+1)),
					line(ledger.ReceiverAccount("n", fmt.Sprint("rcv_", i%3)), usdc, int64(i+1)),
					line(ledger.GasAccount("net_1"), eth, -int64(i)),
					line(ledger.GasExpense("net_1"), eth, int64(i)),
				},
			}

			require.NoError(t, post(d, hold(fmt.Sprint("in", i), 100), out))
		}

		require.Equal(t, 24, seal(t, d))

		type posting struct{ account, asset, units string }
		rows, err := db.Select(
			ctx,
			d,
			func(p *posting) []any { return []any{&p.account, &p.asset, &p.units} },
			`SELECT p.account, p.asset, p.units FROM ledger_chain c
				JOIN postings p ON p.journal = c.journal ORDER BY c.seq, p.line`,
		)
		require.NoError(t, err)
		require.Len(t, rows, 12*6)

		replayed := map[ledger.Account]map[string]*big.Int{}
		for _, p := range rows {
			account := ledger.Account(p.account)
			if replayed[account] == nil {
				replayed[account] = map[string]*big.Int{usdc.Code: new(big.Int), eth.Code: new(big.Int)}
			}

			n, ok := new(big.Int).SetString(p.units, 10)
			require.True(t, ok)
			sum := replayed[account][p.asset]
			sum.Add(sum, n)
		}

		require.Len(t, replayed, 7)

		for account, sums := range replayed {
			for _, asset := range []money.Asset{usdc, eth} {
				got, err := ledger.BalanceOf(ctx, d, account, asset)
				require.NoError(t, err)
				require.Equal(t, sums[asset.Code].String(), got.Units().String(), "%s of %s", asset.Code, account)
			}
		}
	})
}
