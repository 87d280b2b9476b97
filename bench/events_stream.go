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
	"slices"
	"sync"
	"time"
)

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
				ask := request(nil, "POST", "/transactions", d.quiet.token, "", body)

				answer, err := c.expect(http.StatusCreated, ask)
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
