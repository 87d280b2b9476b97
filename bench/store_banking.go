//go:build !nosandbox

package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"slipway/internal/platform/db"
)

const entryColumns = "id, account, file_id, kind, position, status, named, statement, advised, bare, units, " +
	"currency, credit, reversal, booked_at, value_at, bank_ref, code, end_to_end_id, uetr, " +
	"instr_id, payment_info_id, mandate_id, sealed, refs, counterparty, return_code, parts"

// entryKinds are the columns' types: s for text, i for a number, b for a truth.
const entryKinds = "ssssisbsbbssbbiisssssssssssi"

// storedEntries reads what an import has stored, so that the yardstick inserts the same.
func storedEntries(ctx context.Context, d *db.DB) ([][]any, error) {
	found, err := db.Select(ctx, d, func(row *[]any) []any {
		*row = make([]any, len(entryKinds))

		for i, kind := range entryKinds {
			switch kind {
			case 's':
				(*row)[i] = new(string)
			case 'i':
				(*row)[i] = new(int64)
			case 'b':
				(*row)[i] = new(bool)
			}
		}

		return *row
	}, "SELECT "+entryColumns+" FROM bank_entries ORDER BY position")

	for _, row := range found {
		for i, at := range row {
			row[i] = reflect.ValueOf(at).Elem().Interface()
		}
	}

	return found, err
}

// bareImportSteps match and post what was inserted, by one statement each over all lines. Every debit that carries a
// payout's identification and amount books it; every other credit becomes a deposit, which pays the on-ramp whose
// reference, account, currency and amount it has, or lies in suspense; both sides of each match are marked. Every
// line is posted by one row.
//
// It is what a program would do that has nothing but these tables to fill: it is told in which column a reference
// stands, holds no sender against the declared one, keeps no journals, no history, no events and no jobs, and could
// not go on after a crash but would begin anew.
var bareImportSteps = []string{
	`INSERT INTO bank_matches (payout_id, kind, movement, units, settled, created_at)
		SELECT p.id, 'BOOKED', e.id, e.units, TRUE, 0
		FROM bank_entries e JOIN bank_payouts p ON p.end_to_end_id = e.end_to_end_id
		WHERE NOT e.credit AND e.status = 'BOOK' AND e.units = p.units AND e.account = p.house`,
	`UPDATE bank_payouts SET state = 'BOOKED', updated_at = 1 WHERE id IN (SELECT payout_id FROM bank_matches)`,
	`INSERT INTO deposits (entry, house, currency, decimals, units, sealed, bank_ref, sender_name, booked_at, state,
		reason, transaction_id, organisation, version, created_at, updated_at)
		SELECT e.id, e.account, e.currency, 2, e.units, e.sealed, e.bank_ref, e.counterparty, e.booked_at,
			CASE WHEN t.id IS NULL THEN 'SUSPENSE' ELSE 'MATCHED' END,
			CASE WHEN t.id IS NULL THEN 'UNKNOWN_REFERENCE' ELSE '' END,
			COALESCE(t.id, ''), COALESCE(t.organisation, ''), 1, 0, 0
		FROM bank_entries e
		LEFT JOIN transaction_terms r ON r.reference = e.refs AND r.reference <> '' AND r.currency = e.currency
			AND r.fiat_units = e.units
		LEFT JOIN transactions t ON t.id = r.transaction_id AND t.status = 'WAITING_ACCEPTANCE'
		WHERE e.credit AND e.status = 'BOOK'`,
	`INSERT INTO deposit_matches (entry, transaction_id, matched_by, matched_at)
		SELECT entry, transaction_id, 'rule', 0 FROM deposits WHERE state = 'MATCHED'`,
	`UPDATE transactions
		SET status = 'PROCESSING', settlement_status = 'FUNDS_RECEIVED', version = version + 1, updated_at = 1
		WHERE id IN (SELECT transaction_id FROM deposit_matches)`,
	`INSERT INTO postings (journal, line, account, asset, units, memo)
		SELECT 'jrn_bare', position, CASE WHEN credit THEN 'suspense/EUR' ELSE 'payee/rcv_bench' END, currency, units, id
		FROM bank_entries WHERE status = 'BOOK'`,
}

// bareCommit is how many entries the yardstick commits at once: as many as the service does, so that neither side has
// more of them undone by a crash, nor pays for fewer durable commits.
const bareCommit = 2000

// bareImport inserts the rows in bulk, matches and posts them, on a database of its own with the same payouts and
// on-ramps: a commit for so many rows, and one for each step of the match.
func (b *bench) bareImport(ctx context.Context, database string, rows [][]any) (took time.Duration, err error) {
	address, err := b.fresh(ctx, database)
	if err != nil {
		return 0, err
	}
	defer b.drop(ctx, address)

	if err := migrated(ctx, address); err != nil {
		return 0, err
	}

	d, err := db.Open(ctx, db.Config{URL: address, Keys: keyring()})
	if err != nil {
		return 0, err
	}

	_, err = b.prepare(ctx, d)
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

// bareImportSQLite inserts a hundred rows at a time by one prepared statement.
func bareImportSQLite(ctx context.Context, file string, rows [][]any) (err error) {
	conn, err := sql.Open(
		"sqlite",
		"file:"+file+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)"+
			"&_pragma=foreign_keys(1)&_pragma=cache_size(-16000)&_pragma=temp_store(2)",
	)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, conn.Close()) }()

	const at = 100

	if len(rows)%bareCommit != 0 {
		return fmt.Errorf("%d rows are no multiple of %d", len(rows), bareCommit)
	}

	columns := columnsIn(entryColumns)

	st, err := conn.PrepareContext(
		ctx,
		"INSERT INTO bank_entries ("+entryColumns+") VALUES "+strings.TrimSuffix(
			strings.Repeat(marks(columns)+",", at),
			",",
		),
	)
	if err != nil {
		return err
	}

	args := make([]any, 0, at*columns)
	for some := range slices.Chunk(rows, bareCommit) {
		tx, err := conn.BeginTx(ctx, nil)
		if err != nil {
			return err
		}

		own := tx.StmtContext(ctx, st)
		for part := range slices.Chunk(some, at) {
			args = args[:0]
			for _, r := range part {
				args = append(args, r...)
			}

			if _, err := own.ExecContext(ctx, args...); err != nil {
				return errors.Join(err, tx.Rollback())
			}
		}

		if err := tx.Commit(); err != nil {
			return err
		}
	}

	for _, q := range bareImportSteps {
		if _, err := conn.ExecContext(ctx, q); err != nil {
			return err
		}
	}

	return nil
}

// bareImportPostgres copies the rows.
func bareImportPostgres(ctx context.Context, address string, rows [][]any) error {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}

	defer func() { _ = conn.Close(ctx) }()

	names := strings.Split(strings.ReplaceAll(entryColumns, " ", ""), ",")
	for some := range slices.Chunk(rows, bareCommit) {
		if _, err := conn.CopyFrom(ctx, pgx.Identifier{"bank_entries"}, names, pgx.CopyFromRows(some)); err != nil {
			return err
		}
	}

	for _, q := range bareImportSteps {
		if _, err := conn.Exec(ctx, q); err != nil {
			return err
		}
	}

	return nil
}
