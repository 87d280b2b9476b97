package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

var (
	usdc = money.Asset{Code: "USDC", Decimals: 6}
	eth  = money.Asset{Code: "ETH", Decimals: 18}
)

func units(a money.Asset, n int64) money.Amount { return money.FromUnits(a, big.NewInt(n)) }

func line(account ledger.Account, asset money.Asset, n int64) ledger.Posting {
	return ledger.Posting{Account: account, Amount: units(asset, n)}
}

// hold takes value from a wallet for an organisation, release gives it to a receiver.
func hold(key string, n int64) ledger.Journal {
	return ledger.Journal{
		Key:          key,
		Kind:         "hold",
		Organisation: "org_1",
		Transaction:  "txn_1",
		Postings: []ledger.Posting{
			line(ledger.WalletAccount("net_1", "0xAB"), usdc, -n), line(ledger.HoldAccount("n", "org_1"), usdc, n),
		},
	}
}

func post(d *db.DB, journals ...ledger.Journal) error {
	return d.Write(context.Background(), func(tx *db.Tx) error {
		for _, j := range journals {
			if err := ledger.Post(tx, j); err != nil {
				return err
			}
		}

		return nil
	})
}

func verify(t *testing.T, d *db.DB) ledger.Report {
	t.Helper()
	r, err := ledger.Verify(context.Background(), d, ledger.Proof{})
	require.NoError(t, err)

	return r
}

func seal(t *testing.T, d *db.DB) int {
	t.Helper()
	n, err := ledger.Seal(context.Background(), d, nil)
	require.NoError(t, err)

	return n
}

// M-01: a journal that does not sum to zero for each asset by itself never reaches the book.
func TestUnbalancedJournalIsRefused(t *testing.T) {
	a := ledger.HoldAccount("n", "a")
	b := ledger.ReceiverAccount("n", "b")

	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for name, j := range map[string]ledger.Journal{
			"empty":                     {Key: "k"},
			"one side":                  {Key: "k", Postings: []ledger.Posting{line(a, usdc, 1)}},
			"off by one":                {Key: "k", Postings: []ledger.Posting{line(a, usdc, -10), line(b, usdc, 9)}},
			"assets against each other": {Key: "k", Postings: []ledger.Posting{line(a, usdc, -10), line(b, eth, 10)}},
			"one asset of two": {
				Key:      "k",
				Postings: []ledger.Posting{line(a, usdc, -10), line(b, usdc, 10), line(a, eth, 1)},
			},
			"one name, two sorts of unit": {
				Key:      "k",
				Postings: []ledger.Posting{line(a, usdc, -10), line(b, money.Asset{Code: "USDC", Decimals: 18}, 10)},
			},
			"no account": {
				Key:      "k",
				Postings: []ledger.Posting{line("", usdc, -10), line(b, usdc, 10)},
			},
			"no key": {Postings: []ledger.Posting{line(a, usdc, -10), line(b, usdc, 10)}},
		} {
			t.Run(name, func(t *testing.T) {
				require.Error(t, post(d, hold("with "+name, 1), j))
			})
		}

		r := verify(t, d)
		require.Zero(t, r.Journals, "and takes what was posted beside it along")
		require.Zero(t, r.Postings)
		require.NoError(t, post(d, ledger.Journal{
			Key:      "k",
			Postings: []ledger.Posting{line(a, usdc, 10), line(b, usdc, -10), line(a, eth, -1), line(b, eth, 1)},
		}))
	})
}

func TestSameEffectTwiceIsRefused(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		require.NoError(t, post(d, hold("transaction/1/hold", 5)))
		require.True(t, db.IsUnique(post(d, hold("transaction/1/hold", 5)), "journals"))
		require.True(t, db.IsUnique(post(d, hold("transaction/1/hold", 7)), "journals"), "whatever it says")

		require.True(
			t,
			db.IsUnique(post(d, hold("twice", 1), hold("twice", 1)), "journals"),
			"in one transaction as well",
		)

		require.Equal(t, 1, verify(t, d).Journals)
	})
}

func TestBookTellsBalancesAndLinesOfATransaction(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := context.Background()
		release := ledger.Journal{Key: "r", Kind: "final", Transaction: "txn_1", Postings: []ledger.Posting{
			line(ledger.HoldAccount("n", "org_1"), usdc, -4), {
				Account: ledger.ReceiverAccount("n", "rcv_1"),
				Amount:  units(usdc, 4),
				Memo:    "pay_1",
			},
		}}
		require.NoError(t, post(d, hold("h", 10), release))
		require.NoError(t, post(d, ledger.Journal{
			Key:         "g",
			Kind:        "gas",
			Transaction: "txn_2",
			Postings: []ledger.Posting{
				line(ledger.GasAccount("net_1"), eth, -3), line(ledger.GasExpense("net_1"), eth, 3),
			},
		}))

		require.NoError(t, post(d, ledger.Journal{
			Key:         "a",
			Kind:        "hold",
			Transaction: "txn_3",
			Postings: []ledger.Posting{
				line(
					ledger.ReservedAccount("net_1", "0xAB"),
					usdc,
					-2,
				),
				line(ledger.HoldAccount("n", "org_3"), usdc, 2),
			},
		}))

		for account, want := range map[ledger.Account]string{
			ledger.HoldAccount("n", "org_1"):      "0.000006",
			ledger.ReceiverAccount("n", "rcv_1"):  "0.000004",
			ledger.WalletAccount("net_1", "0xab"): "-0.00001",
			ledger.HoldAccount("n", "org_2"):      "0.00",
			ledger.GasAccount("net_1"):            "0.00",
		} {
			got, err := ledger.BalanceOf(ctx, d, account, usdc)
			require.NoError(t, err)
			require.Equal(t, want, got.String(), account)
		}

		lines, err := ledger.OfTransaction(ctx, d, "txn_1")
		require.NoError(t, err)

		var got []string
		for _, l := range lines {
			got = append(got, fmt.Sprint(l.Journal, " ", l.Account, " ", l.Units, l.Asset, " ", l.Memo))
		}

		require.Equal(
			t,
			[]string{
				"h wallet/net_1/0xab -10USDC ",
				"h hold/n/org_1 10USDC ",
				"r hold/n/org_1 -4USDC ",
				"r receiver/n/rcv_1 4USDC pay_1",
			},
			got,
			"in the order they were posted",
		)
		r := verify(t, d)
		require.Empty(t, r.Faults)
		require.Equal(t, []string{"ETH", "USDC"}, r.Assets)

		var open []string
		for _, b := range r.Open {
			open = append(open, fmt.Sprint(b.Account, " ", b.Units))
		}

		require.Equal(t, []string{"hold/n/org_1 6", "hold/n/org_3 2", "reserved/net_1/0xab -2"}, open,
			"what is still open is listed, not faulted")
	})
}

// Invariants, over random journals, some refused, beside a model in memory:
//  1. every account has the balance of the model, in every asset;
//  2. all accounts together sum to zero in every asset (M-01);
//  3. the book verifies after every seal, and is sealed whole (M-07);
//  4. Verify faults a floor exactly when the model is below it (M-03).
func TestBookAgreesWithAModelOfBalances(t *testing.T) {
	accounts := []ledger.Account{
		ledger.WalletAccount("n", "0x1"),
		ledger.HoldAccount("n", "a"),
		ledger.HoldAccount("n", "b"),
		ledger.ClearingAccount("n"),
		ledger.ReceiverAccount("n", "r"),
		ledger.GasAccount("n"),
	}

	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		run := 0
		rapid.Check(t, func(t *rapid.T) {
			run++

			m := &model{d: d, balance: map[string]int64{}, prefix: fmt.Sprint(run)}
			for range rapid.IntRange(1, 6).Draw(t, "journals") {
				m.step(t, accounts)
			}

			m.compare(t, accounts)
		})
		r, err := ledger.Verify(context.Background(), d, ledger.Proof{})
		require.NoError(t, err)

		for _, f := range r.Faults {
			require.Contains(t, f, "is below zero", "the only faults are floors that the random journals broke")
		}
	})
}

// model is a book in memory. Each run has accounts of its own, by the prefix.
type model struct {
	d       *db.DB
	prefix  string
	n       int
	balance map[string]int64
}

func (m *model) step(t *rapid.T, accounts []ledger.Account) {
	m.n++
	asset := rapid.SampledFrom([]money.Asset{usdc, eth}).Draw(t, "asset")

	var lines []ledger.Posting
	sum := int64(0)

	change := map[string]int64{}
	for range rapid.IntRange(1, 4).Draw(t, "lines") {
		n := rapid.Int64Range(-1_000_000, 1_000_000).Draw(t, "units")
		account := rapid.SampledFrom(accounts).Draw(t, "account") + ledger.Account("/"+m.prefix)
		lines = append(lines, line(account, asset, n))
		change[string(account)+asset.Code] += n
		sum += n
	}

	sound := rapid.Bool().Draw(t, "balanced")
	if sound {
		account := rapid.SampledFrom(accounts).Draw(t, "last") + ledger.Account("/"+m.prefix)
		lines = append(lines, line(account, asset, -sum))
		change[string(account)+asset.Code] -= sum
	}

	err := post(m.d, ledger.Journal{Key: fmt.Sprintf("%s/%d", m.prefix, m.n), Postings: lines})
	if (err == nil) != (sound || sum == 0) {
		t.Fatalf("sum %d, balanced %v: %v", sum, sound, err)
	}

	if err != nil {
		return
	}

	for k, n := range change {
		m.balance[k] += n
	}

	if rapid.Bool().Draw(t, "seal") {
		if _, err := ledger.Seal(context.Background(), m.d, nil); err != nil {
			t.Fatal(err)
		}
	}
}

func (m *model) compare(t *rapid.T, accounts []ledger.Account) {
	ctx := context.Background()
	if _, err := ledger.Seal(ctx, m.d, nil); err != nil {
		t.Fatal(err)
	}

	r, err := ledger.Verify(ctx, m.d, ledger.Proof{})
	if err != nil || r.Unsealed != 0 || r.Sealed != r.Journals {
		t.Fatalf("%+v %v", r, err)
	}

	below := map[string]bool{}
	for _, f := range r.Faults {
		below[f] = true
	}

	for _, asset := range []money.Asset{usdc, eth} {
		total := new(big.Int)
		for i, base := range accounts {
			account := base + ledger.Account("/"+m.prefix)
			got, err := ledger.BalanceOf(ctx, m.d, account, asset)

			want := m.balance[string(account)+asset.Code]
			if err != nil || got.Units().Int64() != want {
				t.Fatalf("%s has %s, not %d: %v", account, got, want, err)
			}

			total.Add(total, got.Units())
			floor := i > 0 && i < 5 // wallets and gas may be below zero

			said := below[fmt.Sprintf("account %s is below zero: %d base units of %s", account, want, asset.Code)]
			if said != (floor && want < 0) && len(r.Faults) < 50 {
				t.Fatalf("%s at %d: faulted %v", account, want, said)
			}
		}

		if total.Sign() != 0 {
			t.Fatalf("%s sums to %s", asset.Code, total)
		}
	}
}

func TestBalanceOfUnreadableRowIsAnError(t *testing.T) {
	d := dbtest.SQLite(t)
	require.NoError(t, post(d, hold("h", 1)))
	attack(t, d, "UPDATE postings SET units = 'one' WHERE line = 1")
	_, err := ledger.BalanceOf(context.Background(), d, ledger.HoldAccount("n", "org_1"), usdc)
	require.ErrorContains(t, err, `"one" is no number`)
}

// attack writes to the database past the ledger.
func attack(t *testing.T, d *db.DB, statement string, args ...any) {
	t.Helper()

	require.NoError(t, d.Write(context.Background(), func(tx *db.Tx) error {
		n, err := tx.Exec(statement, args...)
		if err == nil && n == 0 {
			err = errors.New("the attack touched no row")
		}

		return err
	}))
}
