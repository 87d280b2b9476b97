package observe

import (
	"context"
	"fmt"
	"sort"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// How long one figure may take to read, and how long it is cached, so that frequent scrapes cost the database little.
const (
	gaugeLimit = 2 * time.Second
	gaugeKept  = 5 * time.Second
)

// Gauge is a figure that is read when the metrics are requested, such as the number of dead jobs.
type Gauge struct {
	Name  string // without the prefix slipway_; its unit last: "oldest_open_send_seconds"
	Help  string // one sentence
	Label string // what Read's keys are, such as "network"; empty: Read returns one value under ""
	Total bool   // it only ever grows: a counter, whose name ends in _total
	Read  func(ctx context.Context) (map[string]float64, error)
}

// Value returns the Read of a gauge that needs no query.
func Value[N int | int64 | float64](read func() N) func(context.Context) (map[string]float64, error) {
	return func(context.Context) (map[string]float64, error) { return map[string]float64{"": float64(read())}, nil }
}

// Query returns the Read of a gauge that queries one number.
func Query[N int | int64 | float64](
	read func(ctx context.Context) (N, error),
) func(context.Context) (map[string]float64, error) {
	return func(ctx context.Context) (map[string]float64, error) {
		n, err := read(ctx)
		return map[string]float64{"": float64(n)}, err
	}
}

// Database is what DatabaseGauges reads; *db.DB implements it.
type Database interface {
	Groups() (transactions, bodies, alone int64)
	Waiting() int
	Unconfirmed() time.Duration
}

// DatabaseGauges returns gauges of how writes are committed together, how many wait, and whether commits are confirmed.
func DatabaseGauges(d Database) []Gauge {
	part := func(i int) func(context.Context) (map[string]float64, error) {
		return Value(func() int64 {
			transactions, bodies, alone := d.Groups()
			return [...]int64{transactions, bodies, alone}[i]
		})
	}

	return []Gauge{
		{Name: "db_transactions_total", Total: true, Help: "Write transactions committed.", Read: part(0)},
		{
			Name:  "db_bodies_total",
			Total: true,
			Help:  "Write bodies committed; divided by the transactions it is the size of a group.",
			Read:  part(1),
		},
		{
			Name:  "db_alone_total",
			Total: true,
			Help:  "Write bodies that had to run alone after their group failed.",
			Read:  part(2),
		},
		{Name: "db_waiting", Help: "Write bodies that wait for a writer.", Read: Value(d.Waiting)},
		{
			Name: "db_unconfirmed_seconds",
			Help: "For how long the database has confirmed no commit although there was something to write.",
			Read: Value(func() float64 { return d.Unconfirmed().Seconds() }),
		},
	}
}

// Gauges adds figures. They are read when the metrics are requested, all at once, each with a time limit. One that
// fails or is late is left out and counted in slipway_gauge_failures_total. Add all of them before serving. It panics
// on a duplicate name.
func (m *Metrics) Gauges(list ...Gauge) {
	m.gauges.mu.Lock()
	defer m.gauges.mu.Unlock()

	for _, g := range list {
		for _, other := range m.gauges.list {
			if other.Name == g.Name {
				panic("observe: the gauge " + g.Name + " stands twice")
			}
		}

		var labels []string
		if g.Label != "" {
			labels = []string{g.Label}
		}

		m.gauges.list = append(m.gauges.list, &gauge{
			Gauge: g,
			desc:  prometheus.NewDesc(namespace+"_"+g.Name, g.Help, labels, nil),
		})
	}
}

// gauges is a collector that describes nothing beforehand: its figures are added while the program is put together.
type gauges struct {
	mu       sync.Mutex
	list     []*gauge
	failures *prometheus.CounterVec
}

// gauge is a figure and its last reading. Only one reading is under way at a time, so that a hanging one does not
// pile up.
type gauge struct {
	Gauge
	desc *prometheus.Desc

	mu      sync.Mutex
	running chan struct{} // closed when the reading that is under way ends; nil: none is
	values  map[string]float64
	err     error
	at      time.Time
}

func newGauges(r *prometheus.Registry) *gauges {
	g := &gauges{failures: prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: namespace, Name: "gauge_failures_total", Help: "Figures that could not be read in time.",
	}, []string{"gauge"})}
	r.MustRegister(g.failures)

	return g
}

// Describe leaves the collector unchecked.
func (g *gauges) Describe(chan<- *prometheus.Desc) {}

// Collect reads every figure at once.
func (g *gauges) Collect(out chan<- prometheus.Metric) {
	g.mu.Lock()
	list := append([]*gauge(nil), g.list...)
	g.mu.Unlock()

	var wg sync.WaitGroup
	for _, x := range list {
		wg.Go(func() {
			values, err := x.read()
			if err != nil {
				g.failures.WithLabelValues(x.Name).Inc()
				return
			}

			x.send(out, values)
		})
	}

	wg.Wait()
}

func (x *gauge) send(out chan<- prometheus.Metric, values map[string]float64) {
	kind := prometheus.GaugeValue
	if x.Total {
		kind = prometheus.CounterValue
	}

	keys := make([]string, 0, len(values))
	for k := range values {
		keys = append(keys, k)
	}

	sort.Strings(keys)

	for _, k := range keys {
		if x.Label == "" {
			out <- prometheus.MustNewConstMetric(x.desc, kind, values[k])
			return
		}

		out <- prometheus.MustNewConstMetric(x.desc, kind, values[k], k)
	}
}

// read returns the last reading if it is fresh, else waits for a new one as long as it may take.
func (x *gauge) read() (map[string]float64, error) {
	x.mu.Lock()
	if !x.at.IsZero() && time.Since(x.at) < gaugeKept {
		defer x.mu.Unlock()
		return x.values, x.err
	}

	if x.running == nil {
		x.running = make(chan struct{})
		go x.ask(x.running)
	}

	running := x.running
	x.mu.Unlock()

	late := time.NewTimer(gaugeLimit)
	defer late.Stop()

	select {
	case <-running:
		x.mu.Lock()
		defer x.mu.Unlock()
		return x.values, x.err
	case <-late.C:
		return nil, context.DeadlineExceeded
	}
}

func (x *gauge) ask(done chan struct{}) {
	ctx, cancel := context.WithTimeout(context.Background(), gaugeLimit)
	defer cancel()

	var values map[string]float64

	err := fmt.Errorf("gauge %s panicked", x.Name)
	defer func() {
		_ = recover() // a figure must not end the process; the failure is counted
		x.mu.Lock()
		x.values = values
		x.err = err
		x.at = time.Now()
		x.running = nil
		x.mu.Unlock()
		close(done)
	}()
	values, err = x.Read(ctx)
}
