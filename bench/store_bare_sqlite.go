//go:build !nosandbox

package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
)

// bareSQLite has one writer connection that the clients take in turns, since SQLite has one writer anyway, and one
// connection for each reading client. Every create is a transaction of its own with synchronous=FULL.
type bareSQLite struct {
	ctx context.Context
	dsn string
	numbers

	mu    sync.Mutex // one client writes at a time
	pool  *sql.DB
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
	reads *sql.DB
}

func newBareSQLite(ctx context.Context, file string) (*bareSQLite, error) {
	dsn := "file:" + file + "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)" +
		"&_pragma=cache_size(-16000)&_pragma=temp_store(2)"
	b := &bareSQLite{ctx: ctx, dsn: dsn, stmts: map[string]*sql.Stmt{}}

	var err error
	if b.pool, err = sql.Open("sqlite", dsn); err != nil {
		return nil, err
	}

	if b.conn, err = b.pool.Conn(ctx); err != nil {
		return nil, err
	}

	if b.reads, err = sql.Open("sqlite", dsn); err != nil {
		return nil, err
	}

	b.reads.SetMaxIdleConns(64)

	return b, nil
}

func (b *bareSQLite) close() {
	_ = b.conn.Close()
	_ = b.pool.Close()
	_ = b.reads.Close()
}

// exec runs a prepared statement on the writer; the caller holds mu.
func (b *bareSQLite) exec(text string, args ...any) (int64, error) {
	st, ok := b.stmts[text]
	if !ok {
		var err error
		if st, err = b.conn.PrepareContext(b.ctx, text); err != nil {
			return 0, err
		}

		b.stmts[text] = st
	}

	res, err := st.Exec(args...)
	if err != nil {
		return 0, err
	}

	return res.RowsAffected()
}

// durably runs the body in a transaction of its own.
func (b *bareSQLite) durably(body func() error) error {
	b.mu.Lock()
	defer b.mu.Unlock()

	if _, err := b.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}

	err := body()
	if err == nil {
		_, err = b.exec("COMMIT")
	}

	if err != nil {
		_, rerr := b.exec("ROLLBACK")
		err = errors.Join(err, rerr)
	}

	return err
}

func (b *bareSQLite) creator(payments int) (worker, error) {
	one := "INSERT INTO transactions (" + bareTransaction + ") VALUES " + marks(columnsIn(bareTransaction))
	row := marks(columnsIn(barePayment))
	many := "INSERT INTO payments (" + barePayment + ") VALUES " + strings.TrimSuffix(
		strings.Repeat(row+",", payments),
		",",
	)

	return worker{do: func() error {
		now := time.Now()
		name := newName(now)
		t := b.draft(name, payments, now)

		var items []any
		for i := range payments {
			items = append(items, item(name, i, now)...)
		}

		return b.durably(func() error {
			if _, err := b.exec(one, t...); err != nil {
				return err
			}

			_, err := b.exec(many, items...)

			return err
		})
	}}, nil
}

func (b *bareSQLite) mover(ids *line, organisation func(i int) string) (worker, error) {
	postings := "INSERT INTO postings (" + barePosting + ") VALUES (?,0,?,?,?), (?,1,?,?,?)"
	event := "INSERT INTO events (" + bareEvent + ") VALUES " + marks(columnsIn(bareEvent))

	return worker{do: func() error {
		name, n, err := ids.take()
		if err != nil {
			return err
		}

		now := time.Now()
		micros := db.Micros(now)
		org := organisation(n)
		journal := id.New("jrn", now)

		return b.durably(func() error {
			n, err := b.exec(bareMove, "usr_01kexample000000000000000", micros, micros, name)
			if err == nil && n != 1 {
				err = fmt.Errorf("the move of %s touched %d rows", name, n)
			}

			if err != nil {
				return err
			}

			if _, err := b.exec(
				postings,
				journal,
				"wallet/net_dev/0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
				"USDC",
				"-30000",
				journal,
				"hold/"+org,
				"USDC",
				"30000",
			); err != nil {
				return err
			}

			_, err = b.exec(
				event,
				id.New("evt", now),
				"transaction.accepted",
				org,
				name,
				int64(3),
				`{"_id":"`+name+`","status":"PROCESSING"}`,
				micros,
			)

			return err
		})
	}}, nil
}

func (b *bareSQLite) reader(ids []string) (worker, error) {
	c, err := b.reads.Conn(b.ctx)
	if err != nil {
		return worker{}, err
	}

	st, err := c.PrepareContext(b.ctx, bareRead)
	if err != nil {
		return worker{}, err
	}

	pick := newPick(len(ids))

	return worker{do: func() error {
		rows, err := st.Query(ids[pick()])
		if err != nil {
			return err
		}

		return scanAll(rows, func() { _ = rows.Close() })
	}, close: func() { _ = c.Close() }}, nil
}

// newPick gives indexes below n in no order.
func newPick(n int) func() int {
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	return func() int { return r.IntN(n) }
}

// bareRow is what a bare read gives; every column is read, as a service would have to.
type bareRow struct {
	id, organisation, status, settlement, token, wallet, debit   string
	number, createdAt, version, position, updatedAt              int64
	outcome, units, reason, receiver, snapshot, address, wallet2 string
}

func scanAll(rows interface {
	Next() bool
	Scan(...any) error
	Err() error
}, done func(),
) error {
	defer done()

	var all []bareRow
	for rows.Next() {
		var r bareRow
		if err := rows.Scan(
			&r.id,
			&r.organisation,
			&r.number,
			&r.status,
			&r.settlement,
			&r.token,
			&r.wallet,
			&r.debit,
			&r.createdAt,
			&r.version,
			&r.position,
			&r.outcome,
			&r.units,
			&r.reason,
			&r.receiver,
			&r.snapshot,
			&r.address,
			&r.wallet2,
			&r.updatedAt,
		); err != nil {
			return err
		}

		all = append(all, r)
	}

	if err := rows.Err(); err != nil {
		return err
	}

	if len(all) != 3 {
		return fmt.Errorf("a read gave %d payments, not 3", len(all))
	}

	return nil
}
