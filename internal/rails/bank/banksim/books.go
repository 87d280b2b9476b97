//go:build !nosandbox

package banksim

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/big"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the books are a SQLite file
)

// The books. Amounts are minor units as digits; times are microseconds since 1970. world/<CUR> holds everyone else's
// money: what we receive comes from there and what we pay goes there, so that every journal sums to zero.
const schema = `
CREATE TABLE IF NOT EXISTS account (
	id        TEXT PRIMARY KEY,
	currency  TEXT NOT NULL,
	customer  INTEGER NOT NULL,
	balance   TEXT NOT NULL DEFAULT '0',  -- kept with every posting; Check adds the postings up and compares
	statement INTEGER NOT NULL DEFAULT 0, -- number of the last statement
	closing   TEXT NOT NULL DEFAULT '0'   -- its closing balance
);
CREATE TABLE IF NOT EXISTS journal (
	id   INTEGER PRIMARY KEY,
	at   INTEGER NOT NULL,
	kind TEXT NOT NULL -- opening, payment, return, deposit, reversal
);
CREATE TABLE IF NOT EXISTS posting (
	journal INTEGER NOT NULL REFERENCES journal(id),
	account TEXT NOT NULL REFERENCES account(id),
	units   TEXT NOT NULL -- signed
);
CREATE INDEX IF NOT EXISTS posting_journal ON posting (journal);
CREATE TABLE IF NOT EXISTS file (
	id       INTEGER PRIMARY KEY,
	name     TEXT NOT NULL,
	sha256   TEXT NOT NULL,
	message  TEXT NOT NULL, -- MsgId, or '' when it could not be read
	received INTEGER NOT NULL,
	taken    INTEGER NOT NULL, -- 1 when it has left the inbox
	outcome  TEXT NOT NULL, -- ACCEPTED, PARTIAL, REJECTED, DUPLICATE
	reason   TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS file_message ON file (message);
CREATE INDEX IF NOT EXISTS file_sha ON file (sha256);
CREATE TABLE IF NOT EXISTS instruction (
	id         INTEGER PRIMARY KEY,
	file       INTEGER NOT NULL REFERENCES file(id),
	block      TEXT NOT NULL, -- PmtInfId
	end_to_end TEXT NOT NULL,
	account    TEXT NOT NULL, -- ours
	units      TEXT NOT NULL,
	facts      TEXT NOT NULL, -- JSON of what the order said: see payment
	ending     TEXT NOT NULL,
	state      TEXT NOT NULL,
	reason     TEXT NOT NULL,
	due        INTEGER NOT NULL, -- when something happens to it next; 0 when nothing does
	executed   INTEGER NOT NULL, -- how many times: at most 1 unless duplicates are accepted
	returned   TEXT NOT NULL DEFAULT '' -- minor units that came back
);
CREATE INDEX IF NOT EXISTS instruction_end ON instruction (end_to_end);
CREATE INDEX IF NOT EXISTS instruction_due ON instruction (due);
CREATE TABLE IF NOT EXISTS entry (
	id        INTEGER PRIMARY KEY,
	account   TEXT NOT NULL REFERENCES account(id),
	units     TEXT NOT NULL, -- without sign
	credit    INTEGER NOT NULL,
	reversal  INTEGER NOT NULL,
	status    TEXT NOT NULL, -- PDNG, BOOK, GONE
	at        INTEGER NOT NULL, -- of booking
	journal   INTEGER NOT NULL, -- 0 while pending
	code      TEXT NOT NULL, -- bank transaction code, such as PMNT/ICDT/ESCT
	facts     TEXT NOT NULL, -- JSON of the details: see detail
	advised   TEXT NOT NULL, -- the status that was advised last
	statement INTEGER NOT NULL -- number of the statement that carries it; 0: none yet
);
CREATE INDEX IF NOT EXISTS entry_open ON entry (account, statement);
CREATE INDEX IF NOT EXISTS entry_unadvised ON entry (advised);
CREATE TABLE IF NOT EXISTS debit (
	instruction INTEGER NOT NULL REFERENCES instruction(id),
	entry       INTEGER NOT NULL REFERENCES entry(id),
	units       TEXT NOT NULL,
	PRIMARY KEY (instruction, entry)
);
CREATE TABLE IF NOT EXISTS answer (
	id      INTEGER PRIMARY KEY,
	name    TEXT NOT NULL UNIQUE,
	kind    TEXT NOT NULL, -- pain.002, camt.054, camt.053, pacs.004, hostile
	body    BLOB NOT NULL,
	written INTEGER NOT NULL, -- 0: to be written
	lost    INTEGER NOT NULL -- 1: it never leaves the bank
);
CREATE INDEX IF NOT EXISTS answer_unwritten ON answer (written);
CREATE TABLE IF NOT EXISTS setting (
	name  TEXT PRIMARY KEY,
	value TEXT NOT NULL
);`

// openBooks opens the books and adds missing accounts.
func (b *Bank) openBooks() error {
	// the path is part of a URI
	path := strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(filepath.Join(b.config.Folder, "books.db"))

	d, err := sql.Open(
		"sqlite",
		"file:"+path+"?_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)&_pragma=synchronous(FULL)"+
			"&_pragma=foreign_keys(1)&_txlock=immediate",
	)
	if err != nil {
		return err
	}

	d.SetMaxOpenConns(1) // one writer at a time

	ctx := context.Background()
	if _, err = d.ExecContext(ctx, schema); err != nil {
		return errors.Join(err, d.Close())
	}

	b.db = d
	if err = b.write(ctx, func(t *sql.Tx) error { return b.openAccounts(ctx, t) }); err != nil {
		return errors.Join(err, d.Close())
	}

	return nil
}

func (b *Bank) openAccounts(ctx context.Context, t *sql.Tx) error {
	for _, a := range b.config.Accounts {
		if _, err := t.ExecContext(
			ctx,
			`INSERT INTO account (id, currency, customer) VALUES (?, ?, 0) ON CONFLICT DO NOTHING`,
			worldOf(a.Currency),
			a.Currency,
		); err != nil {
			return err
		}

		r, err := t.ExecContext(
			ctx,
			`INSERT INTO account (id, currency, customer) VALUES (?, ?, 1) ON CONFLICT DO NOTHING`,
			a.ID,
			a.Currency,
		)
		if err != nil {
			return err
		}

		if n, err := r.RowsAffected(); err != nil || n == 0 || a.Opening == "" {
			if err != nil {
				return err
			}

			continue
		}

		units, err := parseAmount(a.Currency, a.Opening)
		if err != nil {
			return fmt.Errorf("opening balance of %s: %w", a.ID, err)
		}

		if _, err := b.post(ctx, t, "opening", a.ID, a.Currency, units); err != nil {
			return err
		}

		if _, err := t.ExecContext(
			ctx,
			`UPDATE account SET closing = ? WHERE id = ?`,
			units.String(),
			a.ID,
		); err != nil {
			return err
		}
	}

	return nil
}

// worldOf returns the account of everyone else in a currency.
func worldOf(currency string) string { return "world/" + currency }

// post moves money between one of our accounts and everyone else: our account gets units, or pays them if negative.
func (b *Bank) post(ctx context.Context, t *sql.Tx, kind, account, currency string, units *big.Int) (int64, error) {
	r, err := t.ExecContext(ctx, `INSERT INTO journal (at, kind) VALUES (?, ?)`, b.now(), kind)
	if err != nil {
		return 0, err
	}

	journal, err := r.LastInsertId()
	if err != nil {
		return 0, err
	}

	for _, p := range []struct {
		account string
		units   *big.Int
	}{{account, units}, {worldOf(currency), new(big.Int).Neg(units)}} {
		if _, err := t.ExecContext(
			ctx,
			`INSERT INTO posting (journal, account, units) VALUES (?, ?, ?)`,
			journal,
			p.account,
			p.units.String(),
		); err != nil {
			return 0, err
		}

		balance, err := balanceOf(ctx, t, p.account)
		if err != nil {
			return 0, err
		}

		if _, err := t.ExecContext(
			ctx,
			`UPDATE account SET balance = ? WHERE id = ?`,
			balance.Add(balance, p.units).String(),
			p.account,
		); err != nil {
			return 0, err
		}
	}

	return journal, nil
}

// querier is a transaction or the database.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// balanceOf returns an account's present balance in minor units.
func balanceOf(ctx context.Context, q querier, account string) (*big.Int, error) {
	var text string
	if err := q.QueryRowContext(ctx, `SELECT balance FROM account WHERE id = ?`, account).Scan(&text); err != nil {
		return nil, fmt.Errorf("balance of %s: %w", account, err)
	}

	return unitsOf(text)
}

// each reads rows one by one.
func each(ctx context.Context, q querier, query string, args []any, row func(r *sql.Rows) error) (err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, rows.Close()) }()

	for rows.Next() {
		if err := row(rows); err != nil {
			return err
		}
	}

	return rows.Err()
}

// setting reads a setting; "" if it was never set.
func setting(ctx context.Context, q querier, name string) (string, error) {
	var value string

	err := q.QueryRowContext(ctx, `SELECT value FROM setting WHERE name = ?`, name).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}

	return value, err
}

func set(ctx context.Context, t *sql.Tx, name, value string) error {
	_, err := t.ExecContext(
		ctx,
		`INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
		name,
		value,
	)

	return err
}
