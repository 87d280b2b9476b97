package observe

import (
	"maps"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// namespace begins the name of every metric of ours.
const namespace = "slipway"

// Metrics is the process's registry. It counts requests itself (it is a web.Metrics) and reads everything else through
// gauges.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.HistogramVec
	known    atomic.Pointer[map[series]prometheus.Observer] // of requests: a copy replaces it when there is a new one
	gauges   *gauges
}

// series is what a request counts in. A program has some hundreds of them, all of them made by its first requests.
type series struct{ method, route, class string }

// NewMetrics returns a registry with the Go runtime's and the process's own figures.
func NewMetrics() *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace,
			Name:      "http_request_duration_seconds",
			Help:      "Requests by method, route and class of status.",
			Buckets:   []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"method", "route", "status"}),
	}
	m.known.Store(&map[series]prometheus.Observer{})
	m.gauges = newGauges(m.registry)
	m.registry.MustRegister(m.requests, m.gauges, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))

	return m
}

// Request counts a request that is over. Callers cannot create series: a method that is not of HTTP counts as "other",
// a path that matched no route as "none".
func (m *Metrics) Request(method, route string, status int, elapsed time.Duration) {
	switch method {
	case http.MethodGet,
		http.MethodHead,
		http.MethodPost,
		http.MethodPut,
		http.MethodPatch,
		http.MethodDelete,
		http.MethodOptions:

	default:
		method = "other"
	}

	if route == "" {
		route = "none"
	}

	m.of(series{method, route, class(status)}).Observe(elapsed.Seconds())
}

// of finds a series without the lock that the library takes and without reading each label twice, as it does.
func (m *Metrics) of(s series) prometheus.Observer {
	known := m.known.Load()
	if o, ok := (*known)[s]; ok {
		return o
	}

	s.method = strings.Clone(s.method) // of a request's first line, which is otherwise garbage
	o := m.requests.WithLabelValues(s.method, s.route, s.class)
	more := maps.Clone(*known)
	more[s] = o
	m.known.CompareAndSwap(known, &more) // if another series was added meanwhile, this one is stored the next time

	return o
}

// class returns the first digit of a status. A handler that wrote nothing has answered 200.
func class(status int) string {
	switch status / 100 {
	case 0, 2:
		return "2xx"
	case 1:
		return "1xx"
	case 3:
		return "3xx"
	case 4:
		return "4xx"
	default:
		return "5xx"
	}
}

// Registry returns the registry, for further collectors.
func (m *Metrics) Registry() *prometheus.Registry { return m.registry }

// Handler serves the figures in Prometheus' text form.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		MaxRequestsInFlight: 4,
		ErrorHandling:       promhttp.ContinueOnError,
		EnableOpenMetrics:   true,
	})
}
