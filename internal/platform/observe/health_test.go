package observe_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/observe"
)

func ask(h http.Handler) (int, string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	return w.Code, w.Body.String()
}

func TestHealthzAsksNobody(t *testing.T) {
	code, body := ask(observe.Healthz())
	require.Equal(t, 200, code)
	require.JSONEq(t, `{"status":"ok"}`, body)
}

func TestReadyzNamesWhatFailsButNotWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		l, err := observe.NewLogger(&log, "info", "json")
		require.NoError(t, err)

		release := make(chan struct{})

		r := observe.NewReadiness(l,
			observe.Check{Name: "database", Probe: func(context.Context) error { return nil }},
			observe.Check{
				Name:  "migrations",
				Probe: func(context.Context) error { return errors.New("canary host db1") },
			},
			observe.Check{
				Name:  "node",
				Limit: 50 * time.Millisecond,
				Probe: func(context.Context) error { <-release; return nil },
			},
			observe.Check{Name: "jobs", Probe: func(context.Context) error { panic("canary") }},
		)

		code, body := ask(r)
		close(release)
		require.Equal(t, 503, code)

		require.JSONEq(
			t,
			`{"status":"unavailable","checks":[{"name":"database","status":"ok","millis":0},{"name":"migrations","status":"failed","millis":0},
			{"name":"node","status":"late","millis":50},{"name":"jobs","status":"failed","millis":0}]}`,
			body,
		)

		require.NotContains(t, body, "canary")
		require.Contains(t, log.String(), "canary host db1")
	})
}

func TestReadyzAsksOnceForManyCallersAndAgainLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		broken := atomic.Bool{}
		r := observe.NewReadiness(nil, observe.Check{Name: "database", Probe: func(context.Context) error {
			asked.Add(1)

			if broken.Load() {
				return errors.New("no")
			}

			return nil
		}})

		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				code, _ := ask(r)
				require.Equal(t, 200, code)
			})
		}

		wg.Wait()
		require.EqualValues(t, 1, asked.Load())
		broken.Store(true)
		time.Sleep(time.Second) // virtual
		code, _ := ask(r)
		require.Equal(t, 503, code)
	})
}

// What some requests are served without makes the process degraded, never unavailable.
func TestReadyzIsDegradedWithoutWhatIsOptional(t *testing.T) {
	r := observe.NewReadiness(slog.New(slog.DiscardHandler),
		observe.Check{Name: "database", Probe: func(context.Context) error { return nil }},
		observe.Check{Name: "rates", Optional: true, Probe: func(context.Context) error { return errors.New("no") }},
	)
	code, body := ask(r)
	require.Equal(t, 200, code)
	require.Contains(t, body, `"status":"degraded"`)
	require.Contains(t, body, `"name":"rates","status":"failed"`)
}

func TestReadyzIsUnavailableOnceDraining(t *testing.T) {
	r := observe.NewReadiness(nil)
	code, body := ask(r)
	require.Equal(t, 200, code)
	require.JSONEq(t, `{"status":"ok","checks":[]}`, body)

	r.Drain()
	code, body = ask(r)
	require.Equal(t, 503, code)
	require.JSONEq(t, `{"status":"draining","checks":[]}`, body)
}
