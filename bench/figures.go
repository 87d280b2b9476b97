//go:build !nosandbox

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/platform/db"
)

const (
	tenants        = 16   // organisations that load is spread over
	acceptsARound  = 1000 // moves of each side in one round
	readable       = 1000 // transactions that reads pick from
	yardstickMoves = 1_000_000_000
	yardstickReads = 2_000_000_000
)

// bed is one database with everything that the figures on it need.
type bed struct {
	*bench
	database string
	service  string // address of the service's database
	bareURL  string
	bare     bare
	child    *child
	tenants  []tenant
	key      func() string
}

// loads takes the figures of one database engine.
func (b *bench) loads(ctx context.Context, database string) (err error) {
	if !wanted(b.Only, "create") && !wanted(b.Only, "accept") && !wanted(b.Only, "read") && !wanted(b.Only, "auth") &&
		!wanted(b.Only, "client") {
		return nil
	}

	d := &bed{bench: b, database: database}
	defer func() { err = errors.Join(err, d.end(ctx)) }()

	if err := d.prepare(ctx); err != nil {
		return fmt.Errorf("prepare %s: %w", database, err)
	}

	for _, f := range []struct {
		name string
		take func(context.Context) error
	}{{"create", d.creates}, {"read", d.reads}, {"auth", d.authentication}, {"client", d.client}, {"accept", d.accepts}} {
		if !wanted(b.Only, f.name) {
			continue
		}

		say("%s on %s", f.name, database)

		if err := f.take(ctx); err != nil {
			return fmt.Errorf("%s on %s: %w", f.name, database, err)
		}
	}

	return nil
}

// prepare makes both databases, signs the organisations up beside running jobs, and starts the service again without
// them.
func (d *bed) prepare(ctx context.Context) (err error) {
	say("preparing %s", d.database)

	if d.service, err = d.fresh(ctx, d.database); err != nil {
		return err
	}

	if d.bareURL, err = d.fresh(ctx, d.database); err != nil {
		return err
	}

	if err = migrated(ctx, d.bareURL); err != nil {
		return err
	}

	if file, ok := strings.CutPrefix(d.bareURL, "sqlite:"); ok {
		d.bare, err = newBareSQLite(ctx, file)
	} else {
		d.bare = &barePostgres{ctx: ctx, url: d.bareURL}
	}

	if err != nil {
		return err
	}

	n := d.made.Load()

	d.key = func() string { return "bench-" + strconv.FormatInt(n, 10) + "-" + strconv.FormatInt(d.made.Add(1), 10) }
	if d.child, err = d.startChild(ctx, d.service, "", true); err != nil {
		return err
	}

	for i := range tenants {
		t, err := d.signUp(ctx, d.child.address, i, i == 0)
		if err != nil {
			return err
		}

		d.tenants = append(d.tenants, t)
	}

	if err := d.child.stop(); err != nil {
		return err
	}

	d.child, err = d.startChild(ctx, d.service, d.Profile, false)

	return err
}

// end stops what runs. What the service said is an error: one that warns may not do all that is measured.
func (d *bed) end(ctx context.Context) error {
	if d.bare != nil {
		d.bare.close()
	}

	err := d.child.stop()
	d.drop(ctx, d.service)
	d.drop(ctx, d.bareURL)

	return err
}

// yardstick is a side of bare clients.
func (d *bed) yardstick(clients int, make func() (worker, error)) side {
	return func(ctx context.Context, _ int) (outcome, error) {
		if pg, ok := d.bare.(*barePostgres); ok {
			defer pg.close()
		}

		return drive(ctx, clients, d.Long, func(int) (worker, error) { return make() })
	}
}

// overHTTP is a side of HTTP clients, each with a connection of its own.
func (d *bed) overHTTP(clients int, want int, next func(i int) func(buffer []byte) ([]byte, error)) side {
	return func(ctx context.Context, _ int) (outcome, error) {
		return drive(ctx, clients, d.Long, func(i int) (worker, error) {
			return httpWorker(d.child.address, want, next(i))
		})
	}
}

func httpWorker(address string, want int, next func(buffer []byte) ([]byte, error)) (worker, error) {
	c, err := dial(address)
	if err != nil {
		return worker{}, err
	}

	var buffer []byte

	return worker{do: func() error {
		var err error
		if buffer, err = next(buffer); err != nil {
			return err
		}

		_, err = c.expect(want, buffer)

		return err
	}, close: c.close}, nil
}

func (d *bed) creates(ctx context.Context) error {
	for _, payments := range []int{1, 30} {
		for _, clients := range []int{16, 64} {
			body := d.draftBody(d.tenants[0], payments, nil)

			err := d.interleaved(ctx, figure{
				name:     fmt.Sprintf("create, %d payment(s), %d clients, %s", payments, clients, d.database),
				must:     0.5,
				goal:     1,
				yardName: "bare INSERTs",
				unit:     "creates/s",
			},
				d.yardstick(clients, func() (worker, error) { return d.bare.creator(payments) }),
				d.overHTTP(clients, 201, func(int) func([]byte) ([]byte, error) {
					return func(buffer []byte) ([]byte, error) {
						return request(buffer, "POST", "/transactions", d.tenants[0].token, d.key(), body), nil
					}
				}))
			if err != nil {
				return err
			}
		}
	}

	return nil
}

func (d *bed) reads(ctx context.Context) error {
	names, err := prepared(ctx, d.bareURL, "txn_bench_r", "DRAFT", readable, yardstickReads)
	if err != nil {
		return err
	}

	ids, err := d.createMany(ctx, d.tenants[:1], readable, 3)
	if err != nil {
		return err
	}

	if err := analyze(ctx, d.service, d.bareURL); err != nil {
		return err
	}

	const clients = 16

	f := figure{
		name:     "GET one transaction with 3 payments, 16 clients, " + d.database,
		must:     0.5,
		goal:     0.85,
		yardName: "bare SELECT",
		unit:     "reads/s",
	}
	if d.database == "sqlite" { // there a bare read is a call inside the process: no HTTP service can come near
		f.must = 0
		f.goal = 0
		f.yardName = "bare SELECT, in the process"
	}

	return d.interleaved(ctx, f,
		d.yardstick(clients, func() (worker, error) { return d.bare.reader(names) }),
		d.overHTTP(clients, 200, func(int) func([]byte) ([]byte, error) {
			pick := newPick(len(ids))

			return func(buffer []byte) ([]byte, error) {
				return request(buffer, "GET", "/transactions/"+ids[pick()].id, d.tenants[0].token, "", nil), nil
			}
		}))
}

func (d *bed) authentication(ctx context.Context) error {
	if d.database != "sqlite" && wanted(d.On, "sqlite") {
		return nil // the answer asks no database
	}

	const clients = 16

	of := func(path, token string) side {
		return d.overHTTP(clients, 200, func(int) func([]byte) ([]byte, error) {
			return func(buffer []byte) ([]byte, error) { return request(buffer, "GET", path, token, "", nil), nil }
		})
	}

	return d.interleaved(ctx, figure{
		name:     "authenticated GET of a fixed answer, 16 clients",
		must:     0.9,
		goal:     0.97,
		yardName: "the same without authentication",
		unit:     "reads/s",
	},
		of("/bench/open", ""), of("/bench/closed", d.tenants[0].token))
}

func (d *bed) accepts(ctx context.Context) error {
	const clients = 16

	for _, f := range []struct {
		how string
		to  []tenant
	}{{"spread over " + strconv.Itoa(tenants) + " organisations", d.tenants}, {"one organisation", d.tenants[:1]}} {
		count := acceptsARound * d.Rounds

		names, err := prepared(
			ctx,
			d.bareURL,
			"txn_bench_"+f.how[:3],
			"WAITING_ACCEPTANCE",
			count,
			yardstickMoves+int64(len(f.to))*10_000_000,
		)
		if err != nil {
			return err
		}

		waiting, err := d.waiting(ctx, f.to, count)
		if err != nil {
			return err
		}

		if err := analyze(ctx, d.service, d.bareURL); err != nil {
			return err
		}

		err = d.interleaved(ctx, figure{
			name:     "accept, 16 clients, " + f.how + ", " + d.database,
			must:     0.4,
			goal:     0.9,
			yardName: "bare move",
			unit:     "accepts/s",
		},
			func(ctx context.Context, round int) (outcome, error) {
				if pg, ok := d.bare.(*barePostgres); ok {
					defer pg.close()
				}

				part := &line{names: names[round*acceptsARound : (round+1)*acceptsARound]}

				return drive(ctx, clients, time.Minute, func(int) (worker, error) {
					return d.bare.mover(part, func(i int) string { return f.to[i%len(f.to)].organisation })
				})
			},
			func(ctx context.Context, round int) (outcome, error) {
				return d.each(ctx, waiting[round*acceptsARound:(round+1)*acceptsARound], "/accept", true)
			})
		if err != nil {
			return err
		}
	}

	return nil
}

// created is a transaction that was made over HTTP, and whose it is.
type created struct {
	id string
	of tenant
}

// createMany makes transactions over HTTP, in turn for each organisation.
func (d *bed) createMany(ctx context.Context, of []tenant, count, payments int) ([]created, error) {
	bodies := make([][]byte, len(of))
	for i, t := range of {
		bodies[i] = d.draftBody(t, payments, nil)
	}

	return createMany(ctx, d.child.address, of, count, func(i int) []byte { return bodies[i%len(of)] })
}

func createMany(
	ctx context.Context,
	address string,
	of []tenant,
	count int,
	body func(i int) []byte,
) ([]created, error) {
	out := make([]created, count)
	numbers := &line{names: make([]string, count)}

	_, err := drive(ctx, 16, 5*time.Minute, func(int) (worker, error) {
		c, err := dial(address)

		var buffer []byte

		return worker{do: func() error {
			_, i, err := numbers.take()
			if err != nil {
				return err
			}

			t := of[i%len(of)]
			buffer = request(buffer, "POST", "/transactions", t.token, "", body(i))

			answer, err := c.expect(201, buffer)
			if err != nil {
				return err
			}

			var n named
			err = json.Unmarshal(answer, &n)
			out[i] = created{n.ID, t}

			return err
		}, close: c.close}, err
	})

	return out, err
}

// waiting makes transactions that wait for acceptance. What they reserve is released in the database between the
// parts, since a wallet that pays thousands of waiting transactions is no case of life and only slows the preparing.
func (d *bed) waiting(ctx context.Context, of []tenant, count int) ([]created, error) {
	all, err := d.createMany(ctx, of, count, 3)
	if err != nil {
		return nil, err
	}

	own, err := db.Open(ctx, db.Config{URL: d.service})
	if err != nil {
		return nil, err
	}
	defer own.Close()

	for at := 0; at < count; at += 500 {
		if _, err := d.each(ctx, all[at:min(at+500, count)], "/submit", false); err != nil {
			return nil, err
		}

		if err := own.Write(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec(releaseEverything)
			return err
		}); err != nil {
			return nil, err
		}
	}

	return all, nil
}

// each posts to one operation of each transaction.
func (d *bed) each(ctx context.Context, all []created, operation string, keyed bool) (outcome, error) {
	return each(ctx, d.child.address, all, operation, func() string {
		if keyed {
			return d.key()
		}

		return ""
	})
}

func each(ctx context.Context, address string, all []created, operation string, key func() string) (outcome, error) {
	todo := &line{names: make([]string, len(all))}

	return drive(ctx, 16, 5*time.Minute, func(int) (worker, error) {
		return httpWorker(address, 200, func(buffer []byte) ([]byte, error) {
			_, i, err := todo.take()
			if err != nil {
				return buffer, err
			}

			return request(buffer, "POST", "/transactions/"+all[i].id+operation, all[i].of.token, key(), nil), nil
		})
	})
}

// addresses gives addresses that nobody has used, each once.
func addresses() func() common.Address {
	var mu sync.Mutex
	n := uint64(0)

	return func() common.Address {
		mu.Lock()
		defer mu.Unlock()
		n++

		return common.BytesToAddress([]byte(fmt.Sprintf("slipway bench %06d", n)))
	}
}

var errDoubled = errors.New("the books or the chain disagree with what was paid")
