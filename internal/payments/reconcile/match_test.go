package reconcile_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/jobs"
)

// service matches deposits of a database by itself: nothing of it moves money.
func service(d *db.DB) *reconcile.Service {
	log := slog.New(slog.DiscardHandler)
	return reconcile.New(reconcile.Deps{DB: d, Transactions: transaction.New(transaction.Deps{DB: d}), Jobs: jobs.New(d, log, jobs.Config{}), Log: log,
		House:   func(transaction.Transaction) string { return "" },
		Senders: func(context.Context, db.Querier, transaction.Transaction) ([]string, error) { return nil, nil }})
}

// credit writes down deposits, a thousand in one write as the bank's rail does.
func credit(tb testing.TB, d *db.DB, s *reconcile.Service, first, n int) {
	tb.Helper()
	const part = 1_000
	for at := 0; at < n; at += part {
		require.NoError(tb, d.Write(context.Background(), func(tx *db.Tx) error {
			var some []reconcile.Deposit
			for i := at; i < min(at+part, n); i++ {
				some = append(some, reconcile.Deposit{Entry: fmt.Sprintf("ent_%08d", first+i), House: "eur", Amount: money.FromUnits(money.Asset{Code: "EUR", Decimals: 2}, big.NewInt(int64(100+i))),
					Texts: []string{fmt.Sprintf("RECHNUNG %d VOM 14.03.2026 KUNDE 88120", i), "NOTPROVIDED"}, BankRef: fmt.Sprint("REF", i), SenderName: "Erika Mustermann", BookedAt: tx.Now})
			}
			s.Credited(tx, some)
			return nil
		}))
	}
}

// D-01, D-04: many deposits that nobody waits for are all in suspense afterwards, each booked once, however often they are matched and by
// however many at once; the book is sound and the suspense account is their sum.
func TestMatchingMovesEachDepositOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const n = 2_300
		s := service(d)
		credit(t, d, s, 0, n)
		errs := make(chan error, 3)
		for range 3 {
			go func() { errs <- s.Match(context.Background()) }()
		}
		for range 3 {
			require.NoError(t, <-errs)
		}
		require.NoError(t, s.Match(context.Background()))
		states, err := db.Value[int64](t.Context(), d, "SELECT count(*) FROM deposits WHERE state = 'SUSPENSE' AND version = 2")
		require.NoError(t, err)
		require.EqualValues(t, n, states)
		_, err = ledger.Seal(t.Context(), d)
		require.NoError(t, err)
		r, err := ledger.Verify(t.Context(), d)
		require.NoError(t, err)
		require.Empty(t, r.Faults)
		require.Equal(t, n, r.Journals)
		sum, err := ledger.BalanceOf(t.Context(), d, ledger.SuspenseAccount("EUR"), money.Asset{Code: "EUR", Decimals: 2})
		require.NoError(t, err)
		require.EqualValues(t, n*100+n*(n-1)/2, sum.Units().Int64())
	})
}

// What matching and posting cost for each deposit that goes to suspense.
func BenchmarkMatch(b *testing.B) {
	for _, c := range []struct {
		name string
		open func(testing.TB) *db.DB
	}{{"sqlite", func(tb testing.TB) *db.DB { return dbtest.SQLite(tb) }}} {
		b.Run(c.name, func(b *testing.B) {
			d := c.open(b)
			s := service(d)
			credit(b, d, s, 0, b.N)
			b.ResetTimer()
			require.NoError(b, s.Match(context.Background()))
		})
	}
}
