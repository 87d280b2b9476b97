package reconcile_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/identity/approval"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/receivable"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/jobs"
	"slipway/internal/standards/creditorref"
)

// service matches deposits of a database by itself. A transaction whose deposit is complete is moved on, but no
// money; what refuse names cannot be.
func service(d *db.DB, refuse string) *reconcile.Service {
	log := slog.New(slog.DiscardHandler)
	transactions := transaction.New(transaction.Deps{DB: d})
	approvals := approval.New(approval.Deps{DB: d})

	return reconcile.New(reconcile.Deps{
		DB:           d,
		Transactions: transactions,
		Receivables:  receivable.New(receivable.Deps{DB: d, Approvals: approvals, Transactions: transactions}),
		Approvals:    approvals,
		Jobs:         jobs.New(d, log, jobs.Config{}),
		Log:          log,
		House:        func(transaction.Transaction) string { return "eur" },
		Own: func(context.Context, db.Querier, []string) (map[string]reconcile.Own, error) {
			return map[string]reconcile.Own{"org_1": {Names: []string{"Erika Mustermann"}}}, nil
		},
		Begin: func(ctx context.Context, tx *db.Tx, t transaction.Transaction) error {
			if t.ID == refuse {
				return errors.New("refused")
			}

			_, err := transactions.Advance(ctx, tx, t, transaction.Step{
				Status:     transaction.StatusProcess,
				Settlement: transaction.SettlementReceived,
				What:       "funds_received",
			})

			return err
		},
	})
}

var eur = money.Asset{Code: "EUR", Decimals: 2}

// stranger is a deposit that nobody waits for. Its texts seem to hold a reference now and then, as a bank's do.
func stranger(n int) reconcile.Deposit {
	return reconcile.Deposit{
		Entry:      fmt.Sprintf("ent_%08d", n),
		House:      "eur",
		Amount:     money.FromUnits(eur, big.NewInt(int64(100+n))),
		Texts:      []string{fmt.Sprintf("RECHNUNG %d VOM 14.03.2026 KUNDE 88120", n), "NOTPROVIDED"},
		BankRef:    fmt.Sprint("REF", n),
		SenderName: "Erika Mustermann",
		BookedAt:   time.Unix(1_800_000_000, 0),
	}
}

// reference of the on-ramp with a number.
func reference(n int) string { return creditorref.Deposit([5]byte{1, 2, 3, byte(n >> 8), byte(n)}) }

// payer is the deposit of an on-ramp, in every respect.
func payer(n int) reconcile.Deposit {
	d := stranger(n)
	d.Texts = []string{"Deposit " + reference(n)}
	return d
}

func onramp(n int) string { return fmt.Sprintf("txn_%08d", n) }

// await stores on-ramps that wait for their deposits.
func await(tb testing.TB, d *db.DB, numbers ...int) {
	tb.Helper()

	t := db.InsertInto(
		"transactions",
		"id, organisation, number, type, status, settlement_status, token, decimals, network, wallet, "+
			"wallet_address, debit, created_by, created_at, updated_at, version",
	)

	p := db.InsertInto(
		"payments",
		"transaction_id, position, units, reason, receiver, snapshot, address, wallet_type, network, updated_at",
	)

	x := db.InsertInto("transaction_terms", "transaction_id, currency, decimals, fiat_units, reference, sender")

	require.NoError(tb, d.Write(context.Background(), func(tx *db.Tx) error {
		now := db.Micros(tx.Now)
		for _, n := range numbers {
			tx.Insert(
				t,
				onramp(n),
				"org_1",
				int64(n),
				string(transaction.TypeOnramp),
				string(transaction.StatusWaiting),
				string(transaction.SettlementAwaiting),
				"USDC",
				int64(6),
				"net",
				"wal",
				"0x01",
				"0",
				"usr_1",
				now,
				now,
				int64(1),
			)

			tx.Insert(p, onramp(n), int64(0), "0", "", "rcv", "{}", "0x01", "EOA", "net", now)
			tx.Insert(x, onramp(n), "EUR", int64(2), fmt.Sprint(100+n), reference(n), "ERIKA MUSTERMANN")
		}

		return nil
	}))
}

// credit writes down deposits, a thousand in one write as the bank's rail does.
func credit(tb testing.TB, d *db.DB, s *reconcile.Service, deposits ...reconcile.Deposit) {
	tb.Helper()

	for part := range slices.Chunk(deposits, 1000) {
		require.NoError(tb, d.Write(context.Background(), func(tx *db.Tx) error {
			return s.Credited(context.Background(), tx, part)
		}))
	}
}

// states counts deposits by state and reason, each of which was moved once after it was recorded, or never.
func states(t *testing.T, d *db.DB) map[string]int {
	t.Helper()
	all, err := db.Select(t.Context(), d, func(s *string) []any {
		return []any{s}
	}, "SELECT state || ' ' || reason || ' ' || version FROM deposits")
	require.NoError(t, err)

	out := map[string]int{}
	for _, s := range all {
		out[s]++
	}

	return out
}

// booked checks that the book is sound, that each deposit which is not NEW stands in it once and where it belongs, and
// what is in suspense.
func booked(t *testing.T, d *db.DB, suspense int64) (journals int) {
	t.Helper()

	for {
		n, err := ledger.Seal(t.Context(), d, nil)
		require.NoError(t, err)

		if n == 0 {
			break
		}
	}

	r, err := ledger.Verify(t.Context(), d, ledger.Proof{})
	require.NoError(t, err)
	require.Empty(t, r.Faults)

	type deposit struct{ memo, organisation, account, units string }
	row := func(x *deposit) []any { return []any{&x.memo, &x.organisation, &x.account, &x.units} }
	lines, err := db.Select(
		t.Context(),
		d,
		row,
		`SELECT p.memo, j.organisation, p.account, p.units FROM postings p JOIN journals j ON j.id = p.journal
			WHERE p.account = 'clearing/convert/EUR' OR p.account LIKE 'suspense/EUR%' ORDER BY p.memo`,
	)
	require.NoError(t, err)
	want, err := db.Select(
		t.Context(),
		d,
		row,
		`SELECT house || '/' || entry AS memo, owner, CASE
			WHEN state = 'MATCHED' THEN 'clearing/convert/EUR'
			WHEN owner = '' THEN 'suspense/EUR'
			ELSE 'suspense/EUR/' || owner END, units
			FROM deposits WHERE state <> 'NEW' ORDER BY 1`,
	)
	require.NoError(t, err)
	require.Equal(t, want, lines)
	sum, err := db.Value[int64](t.Context(), d,
		"SELECT COALESCE(SUM(CAST(units AS BIGINT)), 0) FROM postings WHERE account LIKE 'suspense/EUR%'")
	require.NoError(t, err)
	require.Equal(t, suspense, sum)

	return r.Journals
}

// D-01, D-04: what names no transaction is in suspense as soon as it is recorded, booked once: by one journal for all
// that one write records. There is nothing left to match, and no second recording.
func TestStrangersGoToSuspenseAtOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const n = 2_300
		s := service(d, "")

		var all []reconcile.Deposit
		for i := range n {
			all = append(all, stranger(i))
		}

		credit(t, d, s, all...)
		got := states(t, d)
		require.Len(t, got, 2, "%v", got)
		require.Positive(t, got["SUSPENSE UNKNOWN_REFERENCE 1"])
		require.Equal(t, n, got["SUSPENSE UNKNOWN_REFERENCE 1"]+got["SUSPENSE NO_REFERENCE 1"])

		const sum = n*100 + n*(n-1)/2
		require.Equal(t, 3, booked(t, d, sum))
		jobs, err := db.Value[int64](t.Context(), d, "SELECT count(*) FROM jobs")
		require.NoError(t, err)
		require.Zero(t, jobs, "there is nothing to match")

		err = d.Write(t.Context(), func(tx *db.Tx) error { return s.Credited(t.Context(), tx, all[7:8]) })
		require.True(t, db.IsUnique(err, "deposits") || db.IsUnique(err, "journals"), "%v", err)
		require.NoError(t, s.Match(t.Context()))
		require.Equal(t, 3, booked(t, d, sum))
	})
}

// D-01: what names transactions is decided once, however often and by however many at once; each transaction gets one
// deposit.
func TestMatchingDecidesOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const n = 1_200 // more than a page
		s := service(d, "")

		var (
			numbers []int
			all     []reconcile.Deposit
		)
		for i := range n {
			numbers = append(numbers, i)
			all = append(all, payer(i), stranger(n+i))
		}

		await(t, d, numbers...)
		credit(t, d, s, all...)
		require.Equal(t, n, states(t, d)["NEW  1"])

		errs := make(chan error, 3)
		for range 3 {
			go func() { errs <- s.Match(context.Background()) }()
		}

		for range 3 {
			require.NoError(t, <-errs)
		}

		require.NoError(t, s.Match(t.Context()))
		require.Equal(t, n, states(t, d)["MATCHED  2"])

		const strangers = n*(100+n) + n*(n-1)/2
		require.Equal(t, 3+n, booked(t, d, strangers))
		paid, err := db.Value[int64](
			t.Context(),
			d,
			`SELECT count(*) FROM transactions t
				JOIN deposit_matches m ON m.transaction_id = t.id
				WHERE t.status = 'PROCESSING' AND t.version = 2`,
		)
		require.NoError(t, err)
		require.EqualValues(t, n, paid)
	})
}

// D-04 to D-07: in one page the first of two deposits that name one transaction pays it and the second is late; what
// is inexact is told to the transaction's owner; all that goes to suspense is posted. One whose transaction cannot go
// on stays NEW, is told, and keeps no other back; when it can, the next run matches it.
func TestAPageOfEveryKind(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		await(t, d, 1, 2, 3, 4, 5)
		twice := payer(1)
		short := payer(2)
		both := payer(3)
		twice.Entry = "ent_twice"
		short.Amount = money.FromUnits(eur, big.NewInt(99))
		both.Texts = []string{reference(3), reference(4)}
		both.Owner = "org_2" // it is known whose it is, whatever it names
		s := service(d, onramp(5))
		credit(t, d, s, payer(1), twice, short, both, payer(5))
		require.ErrorContains(t, s.Match(t.Context()), "refused")
		after := map[string]int{
			"MATCHED  2":                    1,
			"SUSPENSE NOT_AWAITED 2":        1,
			"SUSPENSE AMOUNT_UNDER 2":       1,
			"SUSPENSE SEVERAL_REFERENCES 2": 1,
			"NEW  1":                        1,
		}
		require.Equal(t, after, states(t, d))
		booked(t, d, 101+99+103)

		owner, err := reconcile.OwnerOf(t.Context(), d, both.Entry)
		require.NoError(t, err)
		require.Equal(t, both.Owner, owner)

		told, err := db.Value[string](
			t.Context(),
			d,
			"SELECT settlement_status FROM transactions WHERE id = ?",
			onramp(2),
		)
		require.NoError(t, err)
		require.Equal(t, string(transaction.SettlementMismatch), told)

		require.NoError(t, service(d, "").Match(t.Context()))
		after["MATCHED  2"] = 2
		after["NEW  1"] = 0
		delete(after, "NEW  1")
		require.Equal(t, after, states(t, d))
		booked(t, d, 101+99+103)
	})
}

// A page is decided on transactions as they were before its write. One that has moved since is decided about as it
// stands then, and the others of its page are not kept back.
func TestATransactionThatMovesBeforeItsPageIsWritten(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := service(d, "")
		await(t, d, 1, 2, 3)
		credit(t, d, s, payer(1), payer(2), payer(3))
		moved := false

		d.Watch(func(query string, _ []any) {
			if moved || !strings.Contains(query, "FROM payment_terms") { // the last of what is read for a page
				return
			}

			moved = true
			require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
				_, err := tx.Exec(
					"UPDATE transactions SET status = 'CANCELLED', version = version + 1 WHERE id = ?",
					onramp(2),
				)

				return err
			}))
		})

		require.NoError(t, s.Match(t.Context()))

		d.Watch(nil)
		require.True(t, moved)
		require.Equal(t, map[string]int{"MATCHED  2": 2, "SUSPENSE NOT_AWAITED 2": 1}, states(t, d))

		booked(t, d, 102)
		status, err := db.Value[string](t.Context(), d, "SELECT status FROM transactions WHERE id = ?", onramp(2))
		require.NoError(t, err)
		require.Equal(t, "CANCELLED", status)
	})
}

// The second page is read while the first is written, and names a transaction that the first one moves. It is decided
// about in the same run.
func TestTwoPagesNameOneTransaction(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := service(d, "")

		const pageful = 1000
		numbers := make([]int, pageful)

		all := make([]reconcile.Deposit, pageful)
		for i := range pageful {
			numbers[i] = i + 1
			all[i] = payer(i + 1)
		}

		await(t, d, numbers...)
		second := stranger(pageful + 1)
		second.Texts = payer(1).Texts
		credit(t, d, s, append(all, second)...)
		require.NoError(t, s.Match(t.Context()))
		require.Equal(t, map[string]int{"MATCHED  2": pageful, "SUSPENSE NOT_AWAITED 2": 1}, states(t, d))
	})
}

// What is owed is paid on the deposit's own days, if its reference says what it pays. If people say it, it is paid when
// they do.
func TestADepositPaysWhatIsOwedOnItsOwnDay(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := service(d, "")

		owe := func(n int, reference string) {
			require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
				return s.Receivables.Begin(t.Context(), tx, receivable.Receivable{
					ID:           fmt.Sprint("ent_owed_", n),
					Organisation: "org_1",
					House:        "eur",
					Reference:    reference,
					Amount:       stranger(n).Amount,
				})
			}))
		}

		owe(1, reference(1))
		owe(2, reference(2))

		x := payer(1)
		x.ValueAt = x.BookedAt.AddDate(0, 0, 1)
		credit(t, d, s, x, stranger(2))
		require.NoError(t, s.Match(t.Context()))

		for _, person := range []string{"ann", "bob"} {
			_, _, err := settle(t, s, stranger(2).Entry, person, reconcile.Decision{
				Action:     reconcile.ActionSettle,
				Receivable: "ent_owed_2",
			})
			require.NoError(t, err)
		}

		days, err := db.Select(t.Context(), d, func(s *string) []any { return []any{s} },
			"SELECT booked_on || ' ' || value_on FROM journals WHERE kind = 'receivable' ORDER BY id")
		require.NoError(t, err)
		require.Equal(t, []string{"2027-01-15 2027-01-16", " "}, days)
	})
}

// What recording and matching cost for each deposit, one in ten of which pays an on-ramp.
func BenchmarkMatch(b *testing.B) {
	d := dbtest.SQLite(b)
	s := service(d, "")

	var (
		numbers []int
		all     []reconcile.Deposit
	)
	for i := range b.N {
		if i%10 == 0 {
			numbers = append(numbers, i)
			all = append(all, payer(i))
		} else {
			all = append(all, stranger(i))
		}
	}

	await(b, d, numbers...)
	b.ResetTimer()
	credit(b, d, s, all...)
	require.NoError(b, s.Match(context.Background()))
}

// F-11: a deposit that is recorded while the matching step runs, and behind what it reads, wakes the step for a run
// of its own. Nobody waits for the sweep.
func TestADepositRecordedWhileMatchingIsMatchedNext(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := service(d, "")
		await(t, d, 1, 2)
		credit(t, d, s, payer(1))

		late := false
		s.Jobs.Handle(reconcile.JobKind, func(ctx context.Context, _ jobs.Job) (jobs.Result, error) {
			err := s.Match(ctx)
			if !late {
				late = true
				credit(t, d, s, payer(2))
			}

			return jobs.Done(), err
		})
		ran, err := s.Jobs.RunDue(t.Context(), 10)
		require.NoError(t, err)
		require.Equal(t, 2, ran)
		require.Equal(t, map[string]int{"MATCHED  2": 2}, states(t, d))
	})
}
