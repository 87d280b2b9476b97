package observe

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// namespace begins the name of every metric of ours.
const namespace = "slipway"

// Metrics is the process's registry. It counts requests by itself (it is a web.Metrics) and asks everything else through gauges.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.HistogramVec
	gauges   *gauges
}

// NewMetrics makes a registry with the Go runtime's and the process's own figures.
func NewMetrics() *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: "http_request_duration_seconds", Help: "Requests by method, route and class of status.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"method", "route", "status"}),
	}
	m.gauges = newGauges(m.registry)
	m.registry.MustRegister(m.requests, m.gauges, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Request counts a request that is over. Callers cannot make new series: a method that is not of HTTP counts as "other", a path that
// matched no route as "none".
func (m *Metrics) Request(method, route string, status int, took time.Duration) {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
	default:
		method = "other"
	}
	if route == "" {
		route = "none"
	}
	m.requests.WithLabelValues(method, route, class(status)).Observe(took.Seconds())
}

// class is the first digit of a status. A handler that wrote nothing has answered 200.
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

// Registry is for collectors that others bring along.
func (m *Metrics) Registry() *prometheus.Registry { return m.registry }

// Handler serves the figures in Prometheus' text form.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, ErrorHandling: promhttp.ContinueOnError, EnableOpenMetrics: true})
}
