package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// PostgreSQL sorts text by the rules of its machine's languages unless it is told otherwise. Those rules change with
// the machine: an index that was built under the old ones then misses rows, and a unique one takes a second row of the
// same key. The collation "C" compares bytes and never changes, and it is what SQLite does. So every text that an index
// is built on has it. Migrate sees to that after the migrations, so that none has to say so.

// keyColumns lists the columns of text that an index sorts by the rules of a language, also within an expression.
const keyColumns = `SELECT DISTINCT t.relname::text, quote_ident(a.attname)
	FROM pg_index i
	JOIN pg_class t ON t.oid = i.indrelid AND t.relnamespace = current_schema()::regnamespace AND t.relkind IN ('r', 'p')
	JOIN pg_class x ON x.oid = i.indexrelid
	JOIN pg_am m ON m.oid = x.relam AND m.amname = 'btree'
	JOIN pg_attribute a ON a.attrelid = t.oid AND a.atttypid = 'text'::regtype
		AND a.attcollation <> '"C"'::regcollation
	WHERE a.attnum = ANY (i.indkey) OR EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = x.oid
		AND d.classid = 'pg_class'::regclass AND d.refobjid = t.oid AND d.refobjsubid = a.attnum)
	ORDER BY 1, 2`

// keysOfTable is a table whose columns get the collation "C".
type keysOfTable struct {
	table   string
	columns []string
}

func byTable(rows [][2]string) (out []keysOfTable) {
	for _, r := range rows {
		if len(out) == 0 || out[len(out)-1].table != r[0] {
			out = append(out, keysOfTable{table: r[0]})
		}

		last := &out[len(out)-1]
		last.columns = append(last.columns, r[1])
	}

	return out
}

// statement returns what gives the columns the collation. It builds the table's indexes anew, and fails where a unique
// one finds two rows of one key.
func (k keysOfTable) statement() string {
	parts := make([]string, len(k.columns))
	for i, c := range k.columns {
		parts[i] = "ALTER COLUMN " + c + ` TYPE TEXT COLLATE "C"`
	}

	return "ALTER TABLE " + k.table + " " + strings.Join(parts, ", ")
}

// collateKeys gives the collation "C" to all keys that do not have it yet, a table at a time.
func collateKeys(ctx context.Context, conn *sql.DB) error {
	found, err := keysToCollate(ctx, conn)
	if err != nil {
		return fmt.Errorf("collation of keys: %w", err)
	}

	for _, k := range byTable(found) {
		if _, err := conn.ExecContext(ctx, k.statement()); err != nil {
			return fmt.Errorf("collation of the keys of %s: %w", k.table, err)
		}
	}

	return nil
}

func keysToCollate(ctx context.Context, conn *sql.DB) (found [][2]string, err error) {
	rows, err := conn.QueryContext(ctx, keyColumns)
	if err != nil {
		return nil, err
	}
	defer rows.Close()

	for rows.Next() {
		var r [2]string
		if err := rows.Scan(&r[0], &r[1]); err != nil {
			return nil, err
		}

		found = append(found, r)
	}

	return found, rows.Err()
}

// collationWork returns what collateKeys would do to tables that are there.
func (d *DB) collationWork(ctx context.Context) ([]Work, error) {
	if d.Dialect() != Postgres {
		return nil, nil
	}

	found, err := Select(ctx, d, func(r *[2]string) []any { return []any{&r[0], &r[1]} }, keyColumns)
	if err != nil {
		return nil, fmt.Errorf("collation of keys: %w", err)
	}

	var out []Work

	for _, k := range byTable(found) {
		rows, err := Value[int64](ctx, d, "SELECT count(*) FROM "+k.table)
		if err != nil {
			return nil, fmt.Errorf("count %s: %w", k.table, err)
		}

		out = append(out, Work{"COLLATE", k.table, rows})
	}

	return out, nil
}

// Collation is by which rules of its machine PostgreSQL sorts text.
type Collation struct{ Built, Now string }

// Changed reports whether the rules are others than when the database was made.
func (c Collation) Changed() bool { return c.Built != "" && c.Now != "" && c.Built != c.Now }

// codeNoFunction is the code of a function that a server does not have.
const codeNoFunction = "42883"

// Collation returns the versions of the rules by which the database sorts what is no key. They are empty where there
// are none: on SQLite, with the collation "C", and on a PostgreSQL before 15, which does not tell.
func (d *DB) Collation(ctx context.Context) (Collation, error) {
	if d.Dialect() != Postgres {
		return Collation{}, nil
	}

	const query = `SELECT coalesce(datcollversion, ''), coalesce(pg_database_collation_actual_version(oid), '')
		FROM pg_database WHERE datname = current_database()`

	c, err := One(ctx, d, func(c *Collation) []any { return []any{&c.Built, &c.Now} }, query)

	var server *pgconn.PgError
	if errors.As(err, &server) && server.Code == codeNoFunction {
		return Collation{}, nil
	}

	return c, err
}
