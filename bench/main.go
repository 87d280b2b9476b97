//go:build !nosandbox

// Command slipway-bench measures Slipway beside the limits of what it stands on: the same rows by bare SQL on the
// same database, the same HTTP without authentication, the gas of a block. It sets up everything itself and ends by
// itself; `make bench` runs it beside a throw-away PostgreSQL server.
//
// Every figure is a ratio of two sides that ran alternately in one run, with the same number of clients, so that a
// slow or busy machine hits both. The service runs in a child process; the clients, the yardsticks and the
// development chain run in this one, on the same cores: their time counts against the service.
//
// Read in this order:
//
//   - How a ratio is taken: main.go, load.go, http.go (the client), report.go.
//   - The measured side: child.go (a service in a process), service.go (what runs there), setup.go (its organisation),
//     production.go (the binary that is run for real), attempt.go (a browser without a test).
//   - The yardsticks: store_bare.go with store_bare_sqlite.go and store_bare_postgres.go, store_banking.go (a
//     statement's import), store_settle.go (what is read beside them).
//   - The figures: figures.go, client.go (the Go client), banking.go with banking_statement.go and banking_import.go,
//     documents.go, statements.go, uploads.go, settle.go, gas.go, start.go, lists.go, console.go, events.go,
//     events_stream.go, events_sent.go.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"github.com/jackc/pgx/v5"

	"slipway/internal/app/world"
)

type commandLine struct {
	Run     bench          `cmd:"" default:"withargs" help:"Measure and write the table."`
	Service serviceCommand `cmd:"" hidden:""`
	Parse   parseCommand   `cmd:"" hidden:""`
}

// bench is one run.
type bench struct {
	Rounds   int           `default:"5" help:"Rounds of every figure."`
	Long     time.Duration `default:"1s" help:"How long one side works in one round."`
	Only     []string      `help:"Figures to take: create, accept, read, auth, client, banking, documents, settle, gas, start, lists, console, events. Default: all." sep:","`
	On       []string      `help:"Databases to take them on: sqlite, postgres. Default: both." sep:","`
	ListRows []int         `default:"1000000" help:"Transactions of the organisation whose lists are measured: 1000000,10000000 for both." sep:","`
	Out      string        `help:"File for the table." default:""`
	Profile  string        `help:"Address and port where the service gives profiles while it is measured."`
	Postgres string        `env:"SLIPWAY_TEST_POSTGRES" help:"Server on which databases may be created."`

	world  *world.World
	report report
	dir    string
	made   atomic.Int64
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	line := &commandLine{}
	parsed := kong.Parse(line, kong.Name("slipway-bench"))
	parsed.BindTo(ctx, (*context.Context)(nil))

	if err := parsed.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "slipway-bench: "+err.Error())
		os.Exit(1)
	}
}

// Run takes every figure, prints the table and writes it.
func (b *bench) Run(ctx context.Context) (err error) {
	b.report.begin = time.Now()

	if b.dir, err = os.MkdirTemp("", "slipway-bench-"); err != nil {
		return err
	}

	defer os.RemoveAll(b.dir)

	if b.world, err = world.Start(ctx, world.Config{Period: time.Second}); err != nil {
		return err
	}

	defer func() { err = errors.Join(err, b.world.Close()) }()
	defer func() { err = errors.Join(err, b.write(err == nil)) }()

	if err := b.approveRouter(ctx); err != nil {
		return err
	}

	for _, database := range []string{"sqlite", "postgres"} {
		if !wanted(b.On, database) || database == "postgres" && b.Postgres == "" {
			continue
		}

		if err := b.loads(ctx, database); err != nil {
			return err
		}
	}

	for _, f := range []struct {
		name string
		take func(context.Context) error
	}{
		{"banking", b.banking},
		{"documents", b.documents},
		{"settle", b.settle},
		{"gas", b.gas},
		{"start", b.start},
		{"lists", b.lists},
		{"console", b.console},
		{"events", b.events},
	} {
		if !wanted(b.Only, f.name) {
			continue
		}

		if err := f.take(ctx); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}

	return nil
}

// write prints the table, and if the run is whole, writes it to Out. The table of the loop in that file stays.
func (b *bench) write(whole bool) error {
	table := b.report.markdown(b)
	fmt.Println(table)

	if b.Out == "" || !whole {
		return nil
	}

	old, err := os.ReadFile(b.Out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}

	return os.WriteFile(b.Out, []byte(table+loopOf(string(old))), 0o644)
}

// loopOf returns the table of the loop at the end of a page, which another command writes (scripts/timings loop).
func loopOf(page string) string {
	const head = "\n## The loop\n"

	_, section, ok := strings.Cut(page, head)
	if !ok {
		return ""
	}

	return head + section
}

func wanted(list []string, name string) bool {
	if len(list) == 0 {
		return true
	}

	for _, x := range list {
		if x == name {
			return true
		}
	}

	return false
}

// say tells who watches how far the run is.
func say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// fresh makes an empty database and gives its address.
func (b *bench) fresh(ctx context.Context, database string) (string, error) {
	name := fmt.Sprintf("bench_%d_%d", os.Getpid(), b.made.Add(1))
	if database == "sqlite" {
		return "sqlite:" + filepath.Join(b.dir, name+".db"), nil
	}

	c, err := pgx.Connect(ctx, b.Postgres)
	if err != nil {
		return "", err
	}

	defer func() { _ = c.Close(ctx) }()

	if _, err := c.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		return "", err
	}

	u, err := url.Parse(b.Postgres)
	if err != nil {
		return "", err
	}

	u.Path = "/" + name

	return u.String(), nil
}

// analyze gives PostgreSQL the statistics that its autovacuum gathers within a minute or two: what was prepared is
// younger than that, and plans made without them are not those of a database in use.
func analyze(ctx context.Context, addresses ...string) error {
	for _, a := range addresses {
		if strings.HasPrefix(a, "sqlite:") {
			continue
		}

		c, err := pgx.Connect(ctx, a)
		if err != nil {
			return err
		}

		_, err = c.Exec(ctx, "ANALYZE")
		if err = errors.Join(err, c.Close(ctx)); err != nil {
			return err
		}
	}

	return nil
}

// dataDir is the folder of what services on this database keep outside of it.
func (b *bench) dataDir(address string) string {
	place, _, _ := strings.Cut(address, "?")
	return filepath.Join(b.dir, "data-"+path.Base(place))
}

// drop removes what fresh made, and what services on it have kept outside.
func (b *bench) drop(ctx context.Context, address string) {
	_ = os.RemoveAll(b.dataDir(address))

	if file, ok := strings.CutPrefix(address, "sqlite:"); ok {
		for _, end := range []string{"", "-wal", "-shm"} {
			_ = os.Remove(file + end)
		}

		return
	}

	u, err := url.Parse(address)
	if err != nil {
		return
	}

	c, err := pgx.Connect(ctx, b.Postgres)
	if err != nil {
		return
	}

	defer func() { _ = c.Close(ctx) }()
	_, _ = c.Exec(ctx, "DROP DATABASE IF EXISTS "+strings.TrimPrefix(u.Path, "/")+" WITH (FORCE)")
}
