package db

import (
	"context"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/pressly/goose/v3"
)

// Upgrade is what Migrate would do to a database.
type Upgrade struct {
	At, Wanted int64       // numbers of the last migration that ran, and of the last that there is
	Missing    []Migration // in the order in which they would run
	Late       []string    // files that are missing and have a number below At: Migrate refuses them
	Unknown    []int64     // ran by another program, and are in no file: the database is newer than the files
}

// Migration is a file that has not run yet.
type Migration struct {
	Name string
	Work []Work
}

// Work is what a migration does to all rows of a table that is there already. Nobody else can write to the table until
// it ends; to the whole database, on SQLite.
type Work struct {
	What  string // such as CREATE INDEX
	Table string
	Rows  int64
}

// Upgrade compares the database with the files of a folder. Unlike Migrate it changes nothing, also where there is no
// table of versions yet, and waits for no other process.
func (d *DB) Upgrade(ctx context.Context, files fs.FS) (Upgrade, error) {
	var u Upgrade

	tables, err := d.tables(ctx)
	if err != nil {
		return u, fmt.Errorf("list tables: %w", err)
	}

	var ran []int64

	if slices.Contains(tables, goose.DefaultTablename) {
		const query = "SELECT version_id FROM " + goose.DefaultTablename + " WHERE version_id > 0 ORDER BY version_id"
		if ran, err = Select(ctx, d, func(v *int64) []any { return []any{v} }, query); err != nil {
			return u, fmt.Errorf("read versions: %w", err)
		}
	}

	if len(ran) > 0 {
		u.At = ran[len(ran)-1]
	}

	entries, err := fs.ReadDir(ofDialect{files, d.Dialect()}, ".")
	if err != nil {
		return u, fmt.Errorf("list migrations: %w", err)
	}

	u.Unknown = slices.Clone(ran)

	for _, e := range entries {
		number, err := goose.NumericComponent(e.Name())
		if err != nil {
			return u, fmt.Errorf("migration %s: %w", e.Name(), err)
		}

		u.Wanted = max(u.Wanted, number)
		u.Unknown = slices.DeleteFunc(u.Unknown, func(n int64) bool { return n == number })

		switch {
		case slices.Contains(ran, number):
			continue
		case number < u.At:
			u.Late = append(u.Late, e.Name())
			continue
		}

		text, err := fs.ReadFile(files, e.Name())
		if err != nil {
			return u, fmt.Errorf("migration %s: %w", e.Name(), err)
		}

		work, err := d.work(ctx, string(text), tables)
		if err != nil {
			return u, fmt.Errorf("migration %s: %w", e.Name(), err)
		}

		u.Missing = append(u.Missing, Migration{e.Name(), work})
	}

	keys, err := d.collationWork(ctx)
	if len(keys) > 0 {
		u.Missing = append(u.Missing, Migration{keysStep, keys})
	}

	return u, err
}

// keysStep is what Migrate does after the files.
const keysStep = `collation "C" of keys`

// tables returns the names of the tables that are there.
func (d *DB) tables(ctx context.Context) ([]string, error) {
	query := "SELECT name FROM sqlite_schema WHERE type = 'table'"
	if d.Dialect() == Postgres {
		query = "SELECT tablename::text FROM pg_catalog.pg_tables WHERE schemaname = current_schema()"
	}

	return Select(ctx, d, func(name *string) []any { return []any{name} }, query)
}

// longWork are the statements whose time grows with the rows of the table that the group names. ADD COLUMN with a
// constant default, RENAME and DROP are none of them.
var longWork = []struct {
	what string
	form *regexp.Regexp
}{
	{"CREATE INDEX", regexp.MustCompile(`(?is)^CREATE\s+(?:UNIQUE\s+)?INDEX\b.*?\bON\s+(\w+)`)},
	{"UPDATE", regexp.MustCompile(`(?is)^UPDATE\s+(\w+)`)},
	{"DELETE", regexp.MustCompile(`(?is)^DELETE\s+FROM\s+(\w+)`)},
	{"INSERT of all rows", regexp.MustCompile(`(?is)^INSERT\s+INTO\b.*?\bSELECT\b.*?\bFROM\s+(\w+)`)},
	{"ALTER COLUMN TYPE", regexp.MustCompile(`(?is)^ALTER\s+TABLE\s+(\w+)\s+ALTER\s+COLUMN\b.*\bTYPE\b`)},
	{"ADD CONSTRAINT", regexp.MustCompile(`(?is)^ALTER\s+TABLE\s+(\w+)\s+ADD\s+CONSTRAINT\b`)},
}

// lineComment is a comment of SQL.
var lineComment = regexp.MustCompile(`(?m)--.*$`)

// work returns what the Up part of a file does to all rows of tables that are there.
func (d *DB) work(ctx context.Context, text string, tables []string) ([]Work, error) {
	up, _, _ := strings.Cut(text, "-- +goose Down")

	var out []Work

	for _, statement := range strings.Split(lineComment.ReplaceAllString(up, ""), ";") {
		for _, l := range longWork {
			found := l.form.FindStringSubmatch(strings.TrimSpace(statement))
			if found == nil || !slices.Contains(tables, found[1]) {
				continue
			}

			rows, err := Value[int64](ctx, d, "SELECT count(*) FROM "+found[1])
			if err != nil {
				return nil, fmt.Errorf("count %s: %w", found[1], err)
			}

			out = append(out, Work{l.what, found[1], rows})
		}
	}

	return out, nil
}
