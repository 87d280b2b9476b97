//go:build !nosandbox

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"slipway/internal/platform/db"
)

// listClients is how many clients list at the same time.
const listClients = 16

// listDays is over how many days the listed transactions were made.
const listDays = 1000

// listLimit is what a list may take, 99 times of 100.
const listLimit = 50 // ms

// lists measures lists of one organisation with many transactions: each kind of list with 16 clients, and what keeping
// lists fast costs creates.
func (b *bench) lists(ctx context.Context) error {
	for _, database := range []string{"sqlite", "postgres"} {
		if !wanted(b.On, database) || database == "postgres" && b.Postgres == "" {
			continue
		}

		for _, rows := range b.ListRows {
			say("lists on %s, %d transactions", database, rows)

			if err := b.listsOf(ctx, database, rows); err != nil {
				return fmt.Errorf("on %s, %d transactions: %w", database, rows, err)
			}
		}
	}

	return nil
}

func (b *bench) listsOf(ctx context.Context, database string, rows int) error {
	address, err := b.fresh(ctx, database)
	if err != nil {
		return err
	}
	defer b.drop(ctx, address)

	c, err := b.startChild(ctx, address, "", true)
	if err != nil {
		return err
	}

	t, err := b.signUp(ctx, c.address, 0, false)
	if err = errors.Join(err, c.stop()); err != nil {
		return err
	}

	if err := fillList(ctx, address, t, rows); err != nil {
		return err
	}

	if err := analyze(ctx, address); err != nil {
		return err
	}

	if c, err = b.startChild(ctx, address, b.Profile, true, "--list-rows="+strconv.Itoa(2*rows)); err != nil {
		return err
	}

	err = b.listKinds(ctx, c, database, t, rows)
	if err = errors.Join(err, c.stop()); err != nil {
		return err
	}

	return b.listCreates(ctx, address, database, t, rows)
}

// listReasons and listNames are what searches find often.
var (
	listReasons = []string{"Rent", "Salary", "Consulting", "Hosting", "Travel"}
	listStates  = []string{"COMPLETED", "COMPLETED", "COMPLETED", "COMPLETED", "DRAFT", "WAITING_ACCEPTANCE", "FAILED"}
	listTokens  = []string{"USDC", "USDC", "USDT", "DAI"}
)

// fillList stores the transactions of an organisation, each with one payment, as bulk. Their receivers are 2,000, and
// their wallets 5,000. None was changed later than now: what is created next comes last in the order of changes, as it
// does in a service whose clock is right.
func fillList(ctx context.Context, address string, t tenant, rows int) error {
	d, err := db.Open(ctx, db.Config{URL: address})
	if err != nil {
		return err
	}
	defer d.Close()

	const atOnce = 10_000

	var (
		n                 numbers
		insertTransaction = db.InsertInto("transactions", bareTransaction)
		insertPayment     = db.InsertInto("payments", barePayment)
		r                 = rand.New(rand.NewPCG(1, 2))
		now               = time.Now()
		begin             = now.AddDate(0, 0, -listDays)
		step              = listDays * 24 * time.Hour / time.Duration(rows)
	)

	for first := 0; first < rows; first += atOnce {
		err := d.Write(ctx, func(tx *db.Tx) error {
			for i := first; i < min(first+atOnce, rows); i++ {
				at := begin.Add(time.Duration(i) * step)
				name := newName(at)
				payee := fmt.Sprintf("Keller %d GmbH", r.IntN(2000))
				wallet := fmt.Sprintf("0x%040x", 7919*(1+r.IntN(5000)))
				reason := fmt.Sprintf("%s invoice 2026-%07d", listReasons[r.IntN(len(listReasons))], i)
				amount := fmt.Sprintf("%d.%02d", r.IntN(100_000), r.IntN(100))

				row := n.draft(name, 1, at)
				row[1] = t.organisation
				row[4] = listStates[r.IntN(len(listStates))]
				row[6] = listTokens[r.IntN(len(listTokens))]
				row[12] = strings.ToLower(strings.Join([]string{row[10].(string), reason, wallet, amount, payee}, " "))

				changed := at.Add(time.Duration(r.IntN(1000)) * time.Hour)
				if changed.After(now) {
					changed = now
				}

				row[15] = db.Micros(changed)
				tx.Insert(insertTransaction, row...)

				payment := item(name, 0, at)
				payment[3] = reason
				payment[6] = wallet
				tx.Insert(insertPayment, payment...)
			}

			return nil
		})
		if err != nil {
			return err
		}
	}

	return nil
}

// listKind is a sort of list; query returns one of its queries.
type listKind struct {
	name  string
	query func(r *rand.Rand, rows int) string
}

func listKindsOf() []listKind {
	day := func(r *rand.Rand) string {
		return time.Now().AddDate(0, 0, -r.IntN(listDays)).Format(time.DateOnly)
	}
	filters := func(r *rand.Rand, _ int) string {
		return "&status[]=" + listStates[r.IntN(len(listStates))] + "&tokens[]=" + listTokens[r.IntN(len(listTokens))]
	}
	offset := func(r *rand.Rand, rows int) string { return "&offset=" + strconv.Itoa(r.IntN(rows/10)) }

	kinds := []listKind{
		{"newest page", func(*rand.Rand, int) string { return "" }},
		{"any offset", func(r *rand.Rand, rows int) string { return "&offset=" + strconv.Itoa(r.IntN(rows)) }},
		{"two filters", filters},
		{"two filters, from and any offset", func(r *rand.Rand, rows int) string {
			return filters(r, rows) + offset(r, rows) + "&from=" + day(r)
		}},
		{"by updatedAt, any offset", func(r *rand.Rand, rows int) string {
			return "&sortBy=updatedAt&offset=" + strconv.Itoa(r.IntN(rows))
		}},
		{"by status, two filters, any offset", func(r *rand.Rand, rows int) string {
			return "&sortBy=status" + filters(r, rows) + offset(r, rows)
		}},
		{"search for one transaction", func(r *rand.Rand, rows int) string {
			return fmt.Sprintf("&searchTerm=2026-%07d", r.IntN(rows))
		}},
		{"search for a receiver", func(r *rand.Rand, _ int) string {
			return fmt.Sprintf("&searchTerm=keller+%d", r.IntN(2000))
		}},
		{"search for a frequent word, a filter", func(r *rand.Rand, rows int) string {
			return filters(r, rows) + "&searchTerm=" + strings.ToLower(listReasons[r.IntN(len(listReasons))])
		}},
		{
			"search for two digits",
			func(r *rand.Rand, _ int) string { return fmt.Sprintf("&searchTerm=%02d", r.IntN(100)) },
		},
	}

	return append(kinds, listKind{"all of these in turn", func(r *rand.Rand, rows int) string {
		return kinds[r.IntN(len(kinds))].query(r, rows)
	}})
}

// listKinds measures every kind of list.
func (b *bench) listKinds(ctx context.Context, c *child, database string, t tenant, rows int) error {
	if err := listsAreIndexed(ctx, c.address, t, rows); err != nil {
		return err
	}

	for _, k := range listKindsOf() {
		f := figure{
			name:     fmt.Sprintf("list of %d: %s, %d clients, p99 (%s)", rows, k.name, listClients, database),
			must:     listLimit,
			goal:     listLimit,
			below:    true,
			unit:     "ms",
			yardName: "-",
			load:     loadAverage(),
		}

		var perSecond, p50 []float64

		for round := range b.Rounds {
			out, err := drive(ctx, listClients, b.Long, func(i int) (worker, error) {
				r := rand.New(rand.NewPCG(uint64(round), uint64(i)))

				return httpWorker(c.address, 200, func(buffer []byte) ([]byte, error) {
					return request(buffer, "GET", "/transactions?limit=20"+k.query(r, rows), t.token, "", nil), nil
				})
			})
			if err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}

			f.ratios = append(f.ratios, out.p99.Seconds()*1000)
			f.p99 = append(f.p99, out.p99.Seconds()*1000)
			p50 = append(p50, out.p50.Seconds()*1000)
			perSecond = append(perSecond, out.perSecond)
		}

		f.ours = f.ratios
		f.note = fmt.Sprintf("p50 %.1f ms; %.0f lists a second", median(p50), median(perSecond))
		b.report.add(f)
		say("    %s", f.note)
	}

	return nil
}

// listsAreIndexed waits until a list is answered from memory: until one that the database takes long for comes soon.
func listsAreIndexed(ctx context.Context, address string, t tenant, rows int) error {
	w, err := httpWorker(address, 200, func(buffer []byte) ([]byte, error) {
		path := "/transactions?limit=1&tokens[]=USDC&sortBy=updatedAt&offset=" + strconv.Itoa(rows/4)
		return request(buffer, "GET", path, t.token, "", nil), nil
	})
	if err != nil {
		return err
	}
	defer w.close()

	limit := time.Now().Add(time.Minute + time.Duration(rows)*50*time.Microsecond)
	soon := 0

	for time.Now().Before(limit) {
		begin := time.Now()

		if err := errors.Join(w.do(), ctx.Err()); err != nil {
			return err
		}

		soon++
		if time.Since(begin) > 25*time.Millisecond {
			soon = 0
		}

		if soon == 5 {
			return nil
		}

		time.Sleep(100 * time.Millisecond)
	}

	return errors.New("the list was not indexed in time")
}

// listCreates measures creates of the organisation with its list in memory, beside creates without.
func (b *bench) listCreates(ctx context.Context, address, database string, t tenant, rows int) error {
	body := b.draftBody(t, 1, nil)
	made := 0

	with := func(kept int) side {
		return func(ctx context.Context, _ int) (outcome, error) {
			c, err := b.startChild(ctx, address, "", true, "--list-rows="+strconv.Itoa(kept))
			if err != nil {
				return outcome{}, err
			}

			if kept > 0 {
				if err := listsAreIndexed(ctx, c.address, t, rows); err != nil {
					return outcome{}, errors.Join(err, c.stop())
				}
			}

			made++

			out, err := drive(ctx, listClients, b.Long, func(i int) (worker, error) {
				n := 0

				return httpWorker(c.address, 201, func(buffer []byte) ([]byte, error) {
					n++
					key := fmt.Sprintf("list-%d-%d-%d", made, i, n)

					return request(buffer, "POST", "/transactions", t.token, key, body), nil
				})
			})

			return out, errors.Join(err, c.stop())
		}
	}

	return b.interleaved(ctx, figure{
		name:     fmt.Sprintf("create beside a list of %d in memory, %d clients (%s)", rows, listClients, database),
		must:     0.95,
		goal:     0.97,
		unit:     "per s",
		yardName: "create without",
	}, with(0), with(2*rows))
}
