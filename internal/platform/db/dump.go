package db

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/pressly/goose/v3"
)

// A dump of PostgreSQL is the rows of every table, as they are at one moment, in PostgreSQL's binary form of COPY. The
// tables themselves are made by the migrations that had run, so a dump needs no program beside this one, and goes into
// every version of PostgreSQL: the schema knows BIGINT, TEXT, BOOLEAN and BYTEA alone.
//
// For each table there are a line of JSON (dumped), the bytes of COPY in pieces, each behind its length, and a piece of
// length 0. A line without a table ends the dump.

// ErrNoTables is returned by Dump and Fill for SQLite, whose file is copied as it is: see CopyTo.
var ErrNoTables = errors.New("the database is a file")

// dumped is the line before a table.
type dumped struct {
	Table   string   `json:"table"`
	Columns []string `json:"columns"`
}

// maxPiece limits a piece that is read: a longer one is none of ours.
const maxPiece = 16 << 20

// Dump writes the rows of all tables of a PostgreSQL database. Others read and write meanwhile. It returns ErrNoTables
// for SQLite.
func (d *DB) Dump(ctx context.Context, w io.Writer) error {
	e, ok := d.engine.(*pgEngine)
	if !ok {
		return ErrNoTables
	}

	out := bufio.NewWriterSize(w, 1<<20)

	err := pgx.BeginTxFunc(ctx, e.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly},
		func(tx pgx.Tx) error {
			tables, err := tablesOf(ctx, tx)
			if err != nil {
				return err
			}

			for _, t := range tables {
				if err := dumpTable(ctx, tx.Conn().PgConn(), t, out); err != nil {
					return fmt.Errorf("read the table %s: %w", t.Table, err)
				}
			}

			return writeLine(out, dumped{})
		})
	if err != nil {
		return fmt.Errorf("dump: %w", err)
	}

	return out.Flush()
}

// tablesOf returns the tables of the schema with their columns, except that of the migrations. Those that refer to
// others come last, so that what a row refers to is there before it.
func tablesOf(ctx context.Context, tx pgx.Tx) ([]dumped, error) {
	rows, err := tx.Query(ctx, `SELECT t.relname::text, array_agg(c.attname::text ORDER BY c.attnum)
		FROM pg_catalog.pg_class t JOIN pg_catalog.pg_attribute c ON c.attrelid = t.oid
		WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind = 'r' AND t.relname <> $1
			AND c.attnum > 0 AND NOT c.attisdropped
		GROUP BY t.oid, t.relname
		ORDER BY EXISTS (SELECT 1 FROM pg_catalog.pg_constraint f WHERE f.conrelid = t.oid AND f.contype = 'f'), t.relname`, goose.DefaultTablename)
	if err != nil {
		return nil, err
	}

	return pgx.CollectRows(rows, func(r pgx.CollectableRow) (t dumped, err error) {
		return t, r.Scan(&t.Table, &t.Columns)
	})
}

func dumpTable(ctx context.Context, conn *pgconn.PgConn, t dumped, out *bufio.Writer) error {
	if err := writeLine(out, t); err != nil {
		return err
	}

	if _, err := conn.CopyTo(ctx, pieces{out}, "COPY "+t.text()+" TO STDOUT BINARY"); err != nil {
		return err
	}

	return binary.Write(out, binary.BigEndian, uint32(0))
}

// text returns the table with its columns, as COPY names them.
func (t dumped) text() string {
	columns := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		columns[i] = pgx.Identifier{c}.Sanitize()
	}

	return pgx.Identifier{t.Table}.Sanitize() + " (" + strings.Join(columns, ", ") + ")"
}

func writeLine(out *bufio.Writer, t dumped) error {
	line, err := json.Marshal(t)
	if err == nil {
		_, err = out.Write(append(line, '\n'))
	}

	return err
}

// pieces writes each piece behind its length.
type pieces struct{ out *bufio.Writer }

// Write writes b as one piece.
func (p pieces) Write(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}

	if err := binary.Write(p.out, binary.BigEndian, uint32(len(b))); err != nil {
		return 0, err
	}

	return p.out.Write(b)
}

// Fill writes what Dump has written into the tables of a PostgreSQL database, which migrations have made and which are
// emptied first: all of it, or nothing. It returns ErrNoTables for SQLite.
func (d *DB) Fill(ctx context.Context, r io.Reader) error {
	e, ok := d.engine.(*pgEngine)
	if !ok {
		return ErrNoTables
	}

	in := bufio.NewReaderSize(r, 1<<20)

	err := pgx.BeginFunc(ctx, e.pool, func(tx pgx.Tx) error {
		tables, err := tablesOf(ctx, tx)
		if err != nil {
			return err
		}

		if err := emptyTables(ctx, tx, tables); err != nil {
			return err
		}

		for {
			t, err := readLine(in)
			if err != nil || t.Table == "" {
				return err
			}

			if !slices.ContainsFunc(tables, func(own dumped) bool { return own.Table == t.Table }) {
				return fmt.Errorf("there is no table %s", t.Table)
			}

			text := "COPY " + t.text() + " FROM STDIN BINARY"
			if _, err := tx.Conn().PgConn().CopyFrom(ctx, &piecesOf{in: in}, text); err != nil {
				return fmt.Errorf("fill the table %s: %w", t.Table, err)
			}
		}
	})
	if err != nil {
		return fmt.Errorf("fill the database: %w", err)
	}

	return nil
}

// emptyTables removes what migrations have written. All at once, since some tables refer to others.
func emptyTables(ctx context.Context, tx pgx.Tx, tables []dumped) error {
	var names []string
	for _, t := range tables {
		names = append(names, pgx.Identifier{t.Table}.Sanitize())
	}

	_, err := tx.Exec(ctx, "TRUNCATE "+strings.Join(names, ", "))

	return err
}

func readLine(in *bufio.Reader) (t dumped, err error) {
	line, err := in.ReadSlice('\n')
	if err != nil {
		return t, noEnd(err)
	}

	return t, json.Unmarshal(line, &t)
}

// noEnd returns that a dump ends too early.
func noEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}

	return err
}

// piecesOf reads the pieces of one table.
type piecesOf struct {
	in    *bufio.Reader
	left  uint32 // of the piece that is being read
	ended bool
}

// Read reads what the pieces have, up to the empty one.
func (p *piecesOf) Read(b []byte) (int, error) {
	if p.left == 0 && !p.ended {
		if err := binary.Read(p.in, binary.BigEndian, &p.left); err != nil {
			return 0, noEnd(err)
		}

		p.ended = p.left == 0
	}

	if p.ended {
		return 0, io.EOF
	}

	if p.left > maxPiece {
		return 0, fmt.Errorf("a piece of %d bytes is none of a dump", p.left)
	}

	n, err := p.in.Read(b[:min(len(b), int(p.left))])
	p.left -= uint32(n)

	return n, noEnd(err)
}
