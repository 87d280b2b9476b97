//go:build !nosandbox

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"

	"slipway/internal/app/apiclient"
)

const (
	sentEvents    = 3000 // deliveries to one endpoint in one round
	sentEndpoints = 5    // endpoints of the organisation whose creates are compared
	pacedCreates  = 20   // creates a second while endpoints are told of each
	pacedRound    = 4    // times the usual round
	kills         = 3
	commandRuns   = 9 // calls of the command line in one round
)

// eventsLimit bounds each wait for events.
const eventsLimit = 2 * time.Minute

// eventBed is a running service, and an address that takes its webhooks.
type eventBed struct {
	*bench
	database string
	child    *child
	quiet    tenant // has no endpoint
	told     tenant // has sentEndpoints
	one      tenant // has one
	taker    *taker
}

// events measures what it costs to tell others what happens.
func (b *bench) events(ctx context.Context) error {
	for _, database := range []string{"sqlite", "postgres"} {
		if !wanted(b.On, database) || database == "postgres" && b.Postgres == "" {
			continue
		}

		if err := b.eventsOn(ctx, database); err != nil {
			return fmt.Errorf("on %s: %w", database, err)
		}
	}

	return b.command(ctx)
}

func (b *bench) eventsOn(ctx context.Context, database string) (err error) {
	say("events on %s", database)

	address, err := b.fresh(ctx, database)
	if err != nil {
		return err
	}
	defer b.drop(ctx, address)

	d := &eventBed{bench: b, database: database, taker: newTaker()}
	defer d.taker.server.Close()

	if d.child, err = b.startChild(ctx, address, b.Profile, true); err != nil {
		return err
	}

	defer func() { err = errors.Join(err, d.child.stop()) }()

	for i, t := range []*tenant{&d.quiet, &d.told, &d.one} {
		if *t, err = b.signUp(ctx, d.child.address, i, false); err != nil {
			return err
		}
	}

	for i := range sentEndpoints {
		if _, err = d.endpoint(ctx, d.told, fmt.Sprint("/told/", i)); err != nil {
			return err
		}
	}

	if err = analyze(ctx, address); err != nil {
		return err
	}

	for _, take := range []func(context.Context) error{d.replays, d.creates, d.behind} {
		if err := take(ctx); err != nil {
			return err
		}
	}

	return d.deliveries(ctx, address)
}

// taker is the address of a customer: it counts the messages that are new to it, by path and id.
type taker struct {
	mu     sync.Mutex
	bodies map[string][]byte
	come   map[string]int // different messages by path
	twice  int            // messages that came again, with the same bytes
	failed error          // one came again with other bytes
	server *httptest.Server
}

func newTaker() *taker {
	k := &taker{bodies: map[string][]byte{}, come: map[string]int{}}
	k.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}

		if _, rest, asked := bytes.Cut(body, []byte(`"challenge":"`)); asked { // the address proves itself
			challenge, _, _ := bytes.Cut(rest, []byte(`"`))
			_, _ = w.Write(challenge)

			return
		}

		k.take(r.URL.Path, r.Header.Get("Webhook-Id"), body)
	}))

	return k
}

func (k *taker) take(path, id string, body []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()

	before, again := k.bodies[path+id]
	if !again {
		k.bodies[path+id] = body
		k.come[path]++

		return
	}

	k.twice++

	if !bytes.Equal(before, body) {
		k.failed = fmt.Errorf("message %s has other bytes the second time", id)
	}
}

// count returns how many messages have come to paths that begin so.
func (k *taker) count(path string) (n int) {
	k.mu.Lock()
	defer k.mu.Unlock()

	for p, come := range k.come {
		if strings.HasPrefix(p, path) {
			n += come
		}
	}

	return n
}

// until waits until so many messages have come to a path.
func (k *taker) until(ctx context.Context, path string, n int) error {
	for begin := time.Now(); k.count(path) < n; time.Sleep(2 * time.Millisecond) {
		if ctx.Err() != nil || time.Since(begin) > eventsLimit {
			return fmt.Errorf("%d messages of %d have come to %s", k.count(path), n, path)
		}
	}

	return k.failed
}

func (d *eventBed) api(t tenant) *apiclient.Client {
	return &apiclient.Client{Base: "http://" + d.child.address, HTTP: http.DefaultClient, Token: t.token}
}

// endpoint adds an endpoint that is told of drafts, and returns its path.
func (d *eventBed) endpoint(ctx context.Context, t tenant, path string) (string, error) {
	var e named
	err := d.api(t).Call(ctx, "POST", "/webhook-endpoints", object{
		"url":   d.taker.server.URL + path,
		"types": []string{"transaction.created"},
	}, &e)

	return "/webhook-endpoints/" + e.ID, err
}

// replays compares the answer that an Idempotency-Key keeps with a plain read of the same transaction.
func (d *eventBed) replays(ctx context.Context) error {
	const clients = 16

	body := d.draftBody(d.quiet, 3, nil)

	made, err := createMany(ctx, d.child.address, []tenant{d.quiet}, readable, func(int) []byte { return body })
	if err != nil {
		return err
	}

	run := fmt.Sprint("replay-", d.database, "-")
	keys := &line{names: make([]string, readable)}

	_, err = drive(ctx, clients, eventsLimit, func(int) (worker, error) {
		return httpWorker(d.child.address, http.StatusCreated, func(buffer []byte) ([]byte, error) {
			_, i, err := keys.take()
			return request(buffer, "POST", "/transactions", d.quiet.token, fmt.Sprint(run, i), body), err
		})
	})
	if err != nil {
		return err
	}

	over := func(want int, next func(i int, buffer []byte) []byte) side {
		return func(ctx context.Context, _ int) (outcome, error) {
			return drive(ctx, clients, d.Long, func(int) (worker, error) {
				pick := newPick(readable)

				return httpWorker(d.child.address, want, func(buffer []byte) ([]byte, error) {
					return next(pick(), buffer), nil
				})
			})
		}
	}

	return d.interleaved(ctx, figure{
		name:     "create repeated with its Idempotency-Key, 3 payments, 16 clients, " + d.database,
		must:     1 / 1.2,
		goal:     1,
		yardName: "GET of a transaction",
		unit:     "answers/s",
	}, over(http.StatusOK, func(i int, buffer []byte) []byte {
		return request(buffer, "GET", "/transactions/"+made[i].id, d.quiet.token, "", nil)
	}), over(http.StatusCreated, func(i int, buffer []byte) []byte {
		return request(buffer, "POST", "/transactions", d.quiet.token, fmt.Sprint(run, i), body)
	}))
}

// creates compares creates of an organisation with five endpoints, each told of each, with those of one without: at a
// pace at which both processors have time left, since they have to tell of it as well.
func (d *eventBed) creates(ctx context.Context) error {
	made := 0
	told := 0

	of := func(t tenant) side {
		body := d.draftBody(t, 1, nil)

		return func(ctx context.Context, _ int) (outcome, error) {
			took, err := d.paced(func() []byte {
				made++
				key := fmt.Sprint("paced-", d.database, "-", made)

				return request(nil, "POST", "/transactions", t.token, key, body)
			})
			if err != nil {
				return outcome{}, err
			}

			if t.organisation == d.told.organisation {
				told += sentEndpoints * len(took)
			}

			slices.Sort(took)

			return outcome{
				perSecond: 1 / took[len(took)/2].Seconds(),
				p99:       took[len(took)*99/100],
			}, d.taker.until(ctx, "/told/", told)
		}
	}

	return d.interleaved(ctx, figure{
		name: fmt.Sprintf("create, %d endpoints told of each, %d a second, %s",
			sentEndpoints, pacedCreates, d.database),
		must:     0.97,
		goal:     0.99,
		yardName: "without endpoints",
		unit:     "creates/s",
	}, of(d.quiet), of(d.told))
}

// paced sends a request every so often, and returns how long each took.
func (d *eventBed) paced(next func() []byte) (took []time.Duration, err error) {
	c, err := dial(d.child.address)
	if err != nil {
		return nil, err
	}
	defer c.close()

	tick := time.NewTicker(time.Second / pacedCreates)
	defer tick.Stop()

	for begin := time.Now(); time.Since(begin) < pacedRound*d.Long; {
		<-tick.C

		ask := next()
		at := time.Now()

		if _, err := c.expect(http.StatusCreated, ask); err != nil {
			return nil, err
		}

		took = append(took, time.Since(at))
	}

	return took, nil
}
