package observe_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/observe"
	"slipway/internal/platform/web"
)

var (
	_ web.Metrics      = (*observe.Metrics)(nil)
	_ observe.Database = (*db.DB)(nil)
)

func scrape(h http.Handler) string {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return w.Body.String()
}

func TestRequestsAreCountedByRouteAndNeverByPath(t *testing.T) {
	m := observe.NewMetrics()
	m.Request("POST", "/transactions/{id}/accept", 409, 3*time.Millisecond)
	m.Request("POST", "/transactions/{id}/accept", 201, 3*time.Millisecond)
	m.Request("BREW", "", 0, time.Second)
	out := scrape(m.Handler())

	require.Contains(t, out,
		`slipway_http_request_duration_seconds_count{method="POST",route="/transactions/{id}/accept",status="4xx"} 1`)

	require.Contains(t, out,
		`slipway_http_request_duration_seconds_count{method="POST",route="/transactions/{id}/accept",status="2xx"} 1`)

	require.Contains(t, out, `slipway_http_request_duration_seconds_count{method="other",route="none",status="2xx"} 1`)
	require.NotContains(t, out, "BREW", "a caller must not be able to make series")
	require.Contains(t, out, "go_goroutines")
	require.Contains(t, out, "process_")
}

func TestRequestsThatComeTogetherAreAllCounted(t *testing.T) {
	m := observe.NewMetrics()

	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 400 {
				m.Request("GET", "/route/"+strconv.Itoa(i%20), 200, time.Millisecond)
			}
		})
	}

	all.Wait()

	out := scrape(m.Handler())
	for i := range 20 {
		require.Contains(
			t,
			out,
			fmt.Sprintf(
				`slipway_http_request_duration_seconds_count{method="GET",route="/route/%d",status="2xx"} 160`,
				i,
			),
		)
	}
}

func TestCountingARequestAllocatesNothing(t *testing.T) {
	m := observe.NewMetrics()
	count := func() { m.Request("GET", "/transactions/{id}", 200, time.Millisecond) }
	count()
	require.Zero(t, testing.AllocsPerRun(100, count))
}

func BenchmarkRequest(b *testing.B) {
	m := observe.NewMetrics()
	b.ReportAllocs()

	for b.Loop() {
		m.Request("GET", "/transactions/{id}", 200, time.Millisecond)
	}
}

type groups struct{}

func (groups) Groups() (transactions, bodies, alone int64) { return 3, 40, 2 }
func (groups) Waiting() int                                { return 7 }
func (groups) Unconfirmed() time.Duration                  { return 3 * time.Second }

func TestGaugesAreReadWhenAsked(t *testing.T) {
	m := observe.NewMetrics()
	m.Gauges(observe.DatabaseGauges(groups{})...)
	m.Gauges(observe.Gauge{
		Name: "clearing_account_age_seconds", Help: "Age of the oldest open item.", Label: "account",
		Read: func(context.Context) (map[string]float64, error) {
			return map[string]float64{"bank": 12, "chain": 0.5}, nil
		},
	})

	out := scrape(m.Handler())
	for _, want := range []string{
		"slipway_db_transactions_total 3", "slipway_db_bodies_total 40", "slipway_db_alone_total 2", "slipway_db_waiting 7",
		`slipway_clearing_account_age_seconds{account="bank"} 12`, `slipway_clearing_account_age_seconds{account="chain"} 0.5`, "# TYPE slipway_db_bodies_total counter",
	} {
		require.Contains(t, out, want)
	}

	require.Panics(t, func() { m.Gauges(observe.Gauge{Name: "db_waiting"}) })
}

// One figure that hangs, fails or panics is left out; the others are there within the limit, and a hanging one is
// asked once.
func TestBadGaugeDoesNotHoldUpTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := observe.NewMetrics()
		release := make(chan struct{})

		var hangs, reads atomic.Int64
		m.Gauges(
			observe.Gauge{Name: "hangs", Help: "x", Read: func(context.Context) (map[string]float64, error) {
				hangs.Add(1)
				<-release
				return map[string]float64{"": 1}, nil
			}},
			observe.Gauge{
				Name: "fails",
				Help: "x",
				Read: observe.Query(func(context.Context) (int64, error) { return 0, errors.New("no") }),
			},
			observe.Gauge{Name: "panics", Help: "x", Read: observe.Value(func() int { panic("no") })},
			observe.Gauge{Name: "good", Help: "x", Read: observe.Value(func() int64 { return reads.Add(1) })},
		)
		begin := time.Now()
		out := scrape(m.Handler())
		require.LessOrEqual(t, time.Since(begin), 3*time.Second)
		require.Contains(t, out, "slipway_good 1")

		for _, bad := range []string{"slipway_hangs ", "slipway_fails ", "slipway_panics "} {
			require.NotContains(t, out, bad)
		}

		out = scrape(m.Handler())
		require.Contains(t, out, "slipway_good 1", "a fresh figure is not asked again")
		require.Contains(t, out, `slipway_gauge_failures_total{gauge="fails"}`)
		require.Contains(t, out, `slipway_gauge_failures_total{gauge="hangs"}`)
		require.EqualValues(t, 1, hangs.Load(), "a figure that hangs must not pile up")
		close(release)
		time.Sleep(6 * time.Second) // virtual
		out = scrape(m.Handler())
		require.Contains(t, out, "slipway_good 2")
		require.Contains(t, out, "slipway_hangs 1")
	})
}

func TestMetricNamesAreWellFormed(t *testing.T) {
	for _, g := range observe.DatabaseGauges(groups{}) {
		require.Equal(t, g.Total, strings.HasSuffix(g.Name, "_total"), g.Name)
		require.NotEmpty(t, g.Help)
	}
}
