//go:build !nosandbox

package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"slipway/internal/payments/ledger"
	"slipway/internal/payments/reconcile"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank"
)

// bookkeeper does in an import's writes what settlement does: a booked payout is posted in the ledger, a credit becomes a deposit that
// waits to be matched. It leaves out what is of the transaction and not of the statement.
type bookkeeper struct{ deposits *reconcile.Service }

// Booked posts that a payout left the house's account.
func (*bookkeeper) Booked(_ context.Context, tx *db.Tx, p bank.Payout, e bank.Entry) error {
	lines := append(ledger.OnBank(p.From, e.Amount.Neg(), p.EndToEndID),
		ledger.Posting{Account: ledger.BankClearing(p.Rail), Amount: p.Amount.Neg()}, ledger.Posting{Account: ledger.PayeeAccount("rcv_bench"), Amount: p.Amount})
	return ledger.Post(tx, ledger.Journal{Key: p.Key + "/booked", Kind: "booked", Organisation: "org_bench", Transaction: p.Object, Postings: lines})
}

// Credited records the deposits.
func (k *bookkeeper) Credited(_ context.Context, tx *db.Tx, entries []bank.Entry) error {
	deposits := make([]reconcile.Deposit, len(entries))
	for i, e := range entries {
		deposits[i] = reconcile.Deposit{Entry: e.ID, House: e.Account, Amount: e.Amount, Texts: []string{e.Remittance}, BankRef: e.BankRef, SenderName: e.Counterparty,
			SenderAccount: e.CounterpartyAccount, BookedAt: e.BookedAt}
	}
	k.deposits.Credited(tx, deposits)
	return nil
}

// HandedOver has nothing to do here.
func (*bookkeeper) HandedOver(context.Context, *db.Tx, bank.Payout) error { return nil }

// Rejected has nothing to do here.
func (*bookkeeper) Rejected(context.Context, *db.Tx, bank.Payout, bank.Reason) error { return nil }

// Held has nothing to do here.
func (*bookkeeper) Held(context.Context, *db.Tx, bank.Payout, string) error { return nil }

// Returned has nothing to do here.
func (*bookkeeper) Returned(context.Context, *db.Tx, bank.Payout, bank.Return) error { return nil }

// Debited has nothing to do here.
func (*bookkeeper) Debited(context.Context, *db.Tx, []bank.Entry) error { return nil }

const entryColumns = "id, account, file_id, kind, position, status, named, units, currency, credit, reversal, booked_at, value_at, bank_ref, code, end_to_end_id, uetr, " +
	"instr_id, payment_info_id, mandate_id, remittance, refs, counterparty, counterparty_account, return_code, return_text, info, parts"

// storedEntries reads what an import has stored, so that the yardstick inserts the same.
func storedEntries(ctx context.Context, d *db.DB) ([][]any, error) {
	type entry struct {
		text   [21]string
		number [4]int64
		flag   [3]bool
	}
	found, err := db.Select(ctx, d, func(e *entry) []any {
		s, n, b := &e.text, &e.number, &e.flag
		return []any{&s[0], &s[1], &s[2], &s[3], &n[0], &s[4], &b[0], &s[5], &s[6], &b[1], &b[2], &n[1], &n[2], &s[7], &s[8], &s[9], &s[10], &s[11], &s[12], &s[13], &s[14], &s[15], &s[16],
			&s[17], &s[18], &s[19], &s[20], &n[3]}
	}, "SELECT "+entryColumns+" FROM bank_entries ORDER BY position")
	rows := make([][]any, len(found))
	for i, e := range found {
		s, n, b := e.text, e.number, e.flag
		rows[i] = []any{s[0], s[1], s[2], s[3], n[0], s[4], b[0], s[5], s[6], b[1], b[2], n[1], n[2], s[7], s[8], s[9], s[10], s[11], s[12], s[13], s[14], s[15], s[16], s[17], s[18], s[19], s[20], n[3]}
	}
	return rows, err
}

// The match in bare SQL: every debit that carries a payout's identification and amount books it, every credit becomes a deposit that waits.
var bareImportSteps = []string{
	`INSERT INTO bank_matches (payout_id, kind, movement, units, settled, created_at) SELECT p.id, 'BOOKED', e.id, e.units, TRUE, 0 FROM bank_entries e
	JOIN bank_payouts p ON p.end_to_end_id = e.end_to_end_id WHERE NOT e.credit AND e.status = 'BOOK' AND e.units = p.units AND e.account = p.house`,
	`UPDATE bank_payouts SET state = 'BOOKED', updated_at = 1 WHERE id IN (SELECT payout_id FROM bank_matches)`,
	`INSERT INTO deposits (entry, house, currency, decimals, units, texts, bank_ref, sender_name, sender_account, booked_at, state, version, created_at, updated_at)
	SELECT id, account, currency, 2, units, remittance, bank_ref, counterparty, counterparty_account, booked_at, 'NEW', 1, 0, 0 FROM bank_entries WHERE credit AND status = 'BOOK'`,
}

// bareImport inserts the rows in bulk and matches them, on a database of its own with the same payouts.
func (b *bench) bareImport(ctx context.Context, database string, rows [][]any) (took time.Duration, err error) {
	address, err := b.fresh(ctx, database)
	if err != nil {
		return 0, err
	}
	defer b.drop(ctx, address)
	if err := migrated(ctx, address); err != nil {
		return 0, err
	}
	d, err := db.Open(ctx, db.Config{URL: address})
	if err != nil {
		return 0, err
	}
	_, _, err = b.plannedRail(ctx, d)
	if err = errors.Join(err, d.Close()); err != nil {
		return 0, err
	}
	begin := time.Now()
	if file, ok := strings.CutPrefix(address, "sqlite:"); ok {
		err = bareImportSQLite(ctx, file, rows)
	} else {
		err = bareImportPostgres(ctx, address, rows)
	}
	return time.Since(begin), err
}

// bareImportSQLite inserts a hundred rows at a time by one prepared statement, all in one transaction.
func bareImportSQLite(ctx context.Context, file string, rows [][]any) (err error) {
	conn, err := sql.Open("sqlite", "file:"+file+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	const at = 100
	if len(rows)%at != 0 {
		return fmt.Errorf("%d rows are no multiple of %d", len(rows), at)
	}
	columns := columnsIn(entryColumns)
	st, err := tx.PrepareContext(ctx, "INSERT INTO bank_entries ("+entryColumns+") VALUES "+strings.TrimSuffix(strings.Repeat(marks(columns)+",", at), ","))
	if err != nil {
		return err
	}
	args := make([]any, 0, at*columns)
	for from := 0; from < len(rows); from += at {
		args = args[:0]
		for _, r := range rows[from : from+at] {
			args = append(args, r...)
		}
		if _, err := st.ExecContext(ctx, args...); err != nil {
			return err
		}
	}
	for _, q := range bareImportSteps {
		if _, err := tx.ExecContext(ctx, q); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// bareImportPostgres copies the rows.
func bareImportPostgres(ctx context.Context, address string, rows [][]any) error {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	tx, err := conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	names := strings.Split(strings.ReplaceAll(entryColumns, " ", ""), ",")
	if _, err := tx.CopyFrom(ctx, pgx.Identifier{"bank_entries"}, names, pgx.CopyFromRows(rows)); err != nil {
		return err
	}
	for _, q := range bareImportSteps {
		if _, err := tx.Exec(ctx, q); err != nil {
			return err
		}
	}
	return tx.Commit(ctx)
}
