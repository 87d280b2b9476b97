//go:build !nosandbox

package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
)

// barePostgres gives every client a connection of its own. One create is one prepared statement and so one transaction.
type barePostgres struct {
	ctx context.Context
	url string
	numbers
	conns []*pgx.Conn
}

func (b *barePostgres) connect() (*pgx.Conn, error) {
	c, err := pgx.Connect(b.ctx, b.url)
	if err == nil {
		b.conns = append(b.conns, c)
	}

	return c, err
}

func (b *barePostgres) close() {
	for _, c := range b.conns {
		_ = c.Close(context.WithoutCancel(b.ctx))
	}

	b.conns = nil
}

// dollars writes $1, $2 … for the question marks.
func dollars(text string) string {
	var out strings.Builder

	n := 0
	for _, r := range text {
		if r != '?' {
			out.WriteRune(r)
			continue
		}

		n++
		out.WriteString("$" + strconv.Itoa(n))
	}

	return out.String()
}

func (b *barePostgres) creator(payments int) (worker, error) {
	c, err := b.connect()
	if err != nil {
		return worker{}, err
	}

	text := dollars(
		"WITH t AS (INSERT INTO transactions (" + bareTransaction + ") VALUES " + marks(
			columnsIn(bareTransaction),
		) + ") INSERT INTO payments (" + barePayment +
			") SELECT CAST(? AS TEXT), x.position, x.units, x.reason, x.receiver, x.snapshot, x.address, CAST(? AS " +
			"TEXT), CAST(? AS TEXT), CAST(? AS BIGINT) " +
			"FROM unnest(?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[]) AS x(position, units, " +
			"reason, receiver, snapshot, address)",
	)

	return worker{do: func() error {
		now := time.Now()
		name := newName(now)
		positions := make([]int64, payments)

		texts := make([][]string, 5)
		for i := range payments {
			p := item(name, i, now)
			positions[i] = int64(i)

			for k := range texts {
				texts[k] = append(texts[k], p[2+k].(string))
			}
		}

		args := append(b.draft(name, payments, now), name, "EOA", "net_dev", db.Micros(now), positions)
		for _, t := range texts {
			args = append(args, t)
		}

		_, err := c.Exec(b.ctx, text, args...)

		return err
	}}, nil
}

// mover does all in one statement: nothing is inserted unless the guarded UPDATE touched its row.
func (b *barePostgres) mover(ids *line, organisation func(i int) string) (worker, error) {
	c, err := b.connect()
	if err != nil {
		return worker{}, err
	}

	text := dollars(
		"WITH m AS (" + bareMove + " RETURNING id), p AS (INSERT INTO postings (" + barePosting + ") " +
			"SELECT CAST(? AS TEXT), x.line, x.account, CAST(? AS TEXT), x.units " +
			"FROM m, unnest(?::bigint[], ?::text[], ?::text[]) AS x(line, account, units)) " +
			"INSERT INTO events (" + bareEvent + ") SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), " +
			"m.id, 3, CAST(? AS TEXT), CAST(? AS BIGINT) FROM m",
	)

	return worker{do: func() error {
		name, n, err := ids.take()
		if err != nil {
			return err
		}

		now := time.Now()
		micros := db.Micros(now)
		org := organisation(n)

		tag, err := c.Exec(
			b.ctx,
			text,
			"usr_01kexample000000000000000",
			micros,
			micros,
			name,
			id.New("jrn", now),
			"USDC",
			[]int64{0, 1},
			[]string{"wallet/net_dev/0x70997970c51812dc3a010c7d01b50e0d17dc79c8", "hold/" + org},
			[]string{"-30000", "30000"},
			id.New("evt", now),
			"transaction.accepted",
			org,
			`{"_id":"`+name+`","status":"PROCESSING"}`,
			micros,
		)
		if err == nil && tag.RowsAffected() != 1 {
			err = fmt.Errorf("the move of %s touched %d rows", name, tag.RowsAffected())
		}

		return err
	}}, nil
}

func (b *barePostgres) reader(ids []string) (worker, error) {
	c, err := b.connect()
	if err != nil {
		return worker{}, err
	}

	text := dollars(bareRead)
	pick := newPick(len(ids))

	return worker{do: func() error {
		rows, err := c.Query(b.ctx, text, ids[pick()])
		if err != nil {
			return err
		}

		return scanAll(rows, rows.Close)
	}}, nil
}
