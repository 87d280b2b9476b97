//go:build !nosandbox

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
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
	k.server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
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
		name:     fmt.Sprintf("create, %d endpoints told of each, %d a second, %s", sentEndpoints, pacedCreates, d.database),
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

// behind measures how far the feed is behind the commits, under as many creates as the service takes: from the moment
// that a client has its answer until the stream of events shows it.
func (d *eventBed) behind(ctx context.Context) error {
	const clients = 16

	f := figure{
		name:     "stream of events behind the answer of a create, 16 clients, p99, " + d.database,
		must:     300,
		goal:     100,
		below:    true,
		unit:     "ms",
		yardName: "-",
		load:     loadAverage(),
	}

	body := d.draftBody(d.quiet, 1, nil)

	for range d.Rounds {
		w, err := d.watch(ctx, d.quiet)
		if err != nil {
			return err
		}

		_, err = drive(ctx, clients, d.Long, func(int) (worker, error) {
			c, err := dial(d.child.address)

			return worker{do: func() error {
				answer, err := c.expect(http.StatusCreated, request(nil, "POST", "/transactions", d.quiet.token, "", body))
				if err != nil {
					return err
				}

				var n named
				err = json.Unmarshal(answer, &n)
				w.answered(n.ID)

				return err
			}, close: c.close}, err
		})
		if err != nil {
			return err
		}

		late, err := w.end(ctx)
		if err != nil {
			return err
		}

		slices.Sort(late)
		f.ratios = append(f.ratios, late[len(late)*99/100].Seconds()*1000)
	}

	f.ours = f.ratios
	d.report.add(f)

	return nil
}

// watch is a stream of events that is read beside what happens.
type watch struct {
	body io.ReadCloser

	mu    sync.Mutex
	known map[string]time.Time // when a client had its answer
	shown map[string]time.Time // when the stream has shown it
}

func (d *eventBed) watch(ctx context.Context, t tenant) (*watch, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+d.child.address+"/events/stream", nil)
	if err != nil {
		return nil, err
	}

	r.Header.Set("Authorization", "Bearer "+t.token)

	a, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}

	if a.StatusCode != http.StatusOK {
		return nil, errors.Join(fmt.Errorf("the stream is answered %d", a.StatusCode), a.Body.Close())
	}

	w := &watch{body: a.Body, known: map[string]time.Time{}, shown: map[string]time.Time{}}
	go w.read()

	return w, nil
}

func (w *watch) read() {
	lines := bufio.NewScanner(w.body)
	lines.Buffer(nil, 1<<20)

	for lines.Scan() {
		text, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if !ok {
			continue
		}

		at := time.Now()

		var e struct{ Object string }
		if json.Unmarshal(text, &e) != nil {
			return
		}

		w.mu.Lock()
		w.shown[e.Object] = at
		w.mu.Unlock()
	}
}

func (w *watch) answered(id string) {
	at := time.Now()

	w.mu.Lock()
	defer w.mu.Unlock()
	w.known[id] = at
}

// end waits until the stream has shown everything, closes it, and returns how much later than its answer each came.
func (w *watch) end(ctx context.Context) ([]time.Duration, error) {
	defer w.body.Close() // it was only read

	for begin := time.Now(); ; time.Sleep(2 * time.Millisecond) {
		late, missing := w.late()
		if missing == 0 {
			return late, nil
		}

		if ctx.Err() != nil || time.Since(begin) > eventsLimit {
			return nil, fmt.Errorf("the stream has not shown %d of %d creates", missing, missing+len(late))
		}
	}
}

// late returns by how much events came after their answers, 0 for those that came before, and how many have not come.
func (w *watch) late() (all []time.Duration, missing int) {
	w.mu.Lock()
	defer w.mu.Unlock()

	for id, at := range w.known {
		shown, ok := w.shown[id]
		if !ok {
			missing++
			continue
		}

		all = append(all, max(shown.Sub(at), 0))
	}

	return all, missing
}

// deliveries measures how many messages a second one endpoint gets of what has waited for it, and kills the service
// under way: nothing may be lost, and what comes twice has the same bytes.
func (d *eventBed) deliveries(ctx context.Context, address string) error {
	f := figure{
		name:     "deliveries to one endpoint, " + d.database,
		must:     1,
		goal:     2,
		unit:     "deliveries/s",
		yardName: "limit",
		load:     loadAverage(),
	}

	path, err := d.endpoint(ctx, d.one, "/one")
	if err != nil {
		return err
	}

	sent := 0

	for range d.Rounds {
		begin, err := d.released(ctx, path)
		if err != nil {
			return err
		}

		sent += sentEvents
		if err := d.taker.until(ctx, "/one", sent); err != nil {
			return err
		}

		perSecond := sentEvents / time.Since(begin).Seconds()
		f.yard = append(f.yard, 1000)
		f.ours = append(f.ours, perSecond)
		f.ratios = append(f.ratios, perSecond/1000)
	}

	twice := d.taker.twice

	if _, err := d.released(ctx, path); err != nil {
		return err
	}

	for part := range kills {
		if err := d.taker.until(ctx, "/one", sent+sentEvents*(part+1)/(kills+1)); err != nil {
			return err
		}

		if err := d.kill(ctx, address); err != nil {
			return err
		}
	}

	sent += sentEvents
	if err := d.taker.until(ctx, "/one", sent); err != nil {
		return err
	}

	f.note = fmt.Sprintf("the service was killed %d times among %d deliveries; all came, %d of them twice",
		kills, sentEvents, d.taker.twice-twice)
	d.report.add(f)

	return nil
}

// released switches the endpoint off, lets deliveries wait for it, and switches it on. It returns when that was.
func (d *eventBed) released(ctx context.Context, path string) (begin time.Time, err error) {
	c := d.api(d.one)

	if err := c.Call(ctx, "PATCH", path, object{"isEnabled": false}, nil); err != nil {
		return begin, err
	}

	body := d.draftBody(d.one, 1, nil)
	if _, err := createMany(ctx, d.child.address, []tenant{d.one}, sentEvents, func(int) []byte { return body }); err != nil {
		return begin, err
	}

	var waiting struct{ Total int }

	for begin = time.Now(); waiting.Total < sentEvents; time.Sleep(10 * time.Millisecond) {
		if time.Since(begin) > eventsLimit {
			return begin, fmt.Errorf("%d deliveries of %d are written", waiting.Total, sentEvents)
		}

		if err := c.Call(ctx, "GET", path+"/deliveries?status[]=PENDING&limit=1", nil, &waiting); err != nil {
			return begin, err
		}
	}

	begin = time.Now()

	return begin, c.Call(ctx, "PATCH", path, object{"isEnabled": true}, nil)
}

// kill ends the service as a power cut does, and starts it again.
func (d *eventBed) kill(ctx context.Context, address string) (err error) {
	if err := d.child.cmd.Process.Kill(); err != nil {
		return err
	}

	_ = d.child.cmd.Wait() // it was killed

	d.child, err = d.startChild(ctx, address, d.Profile, true)

	return err
}

// command measures the command line from the start of its process to its end, for one read.
func (b *bench) command(ctx context.Context) (err error) {
	say("command line")

	f := figure{
		name:     "slipway api receivers list: start of the process to its answer, production build",
		must:     60,
		goal:     30,
		below:    true,
		unit:     "ms",
		yardName: "-",
		load:     loadAverage(),
	}

	binary := filepath.Join(b.dir, "slipway")
	if err := buildForProduction(ctx, binary); err != nil {
		return err
	}

	address, err := b.fresh(ctx, "sqlite")
	if err != nil {
		return err
	}
	defer b.drop(ctx, address)

	c, err := b.startChild(ctx, address, "", true)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, c.stop()) }()

	t, err := b.signUp(ctx, c.address, 0, false)
	if err != nil {
		return err
	}

	for range b.Rounds {
		var took []float64

		for range commandRuns {
			cmd := exec.CommandContext(ctx, binary, "api", "receivers", "list", "--limit", "1", "-o", "id")
			cmd.Env = []string{"SLIPWAY_API_URL=http://" + c.address, "SLIPWAY_API_TOKEN=" + t.token}
			cmd.Stderr = os.Stderr
			begin := time.Now()

			out, err := cmd.Output()
			if err != nil || !bytes.HasPrefix(out, []byte("rcv_")) {
				return errors.Join(err, fmt.Errorf("the command line answers %q", out))
			}

			took = append(took, time.Since(begin).Seconds()*1000)
		}

		f.ratios = append(f.ratios, median(took))
	}

	f.ours = f.ratios
	b.report.add(f)

	return nil
}
