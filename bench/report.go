//go:build !nosandbox

package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// figure is one line of the table.
type figure struct {
	name, yardName, unit string
	must, goal           float64
	below                bool // smaller is better: must and goal are upper bounds

	yard, ours, ratios, p99 []float64
	load                    float64
	note                    string
}

// report collects figures.
type report struct {
	begin   time.Time
	figures []figure
}

func (r *report) add(f figure) {
	r.figures = append(r.figures, f)

	say(
		"  %-70s %.2f (%.2f to %.2f)   %.0f / %.0f %s",
		f.name,
		median(f.ratios),
		slices.Min(f.ratios),
		slices.Max(f.ratios),
		median(f.ours),
		median(f.yard),
		f.unit,
	)
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}

	s := slices.Sorted(slices.Values(v))
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}

	return s[len(s)/2]
}

func loadAverage() float64 {
	raw, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}

	first, _, _ := strings.Cut(string(raw), " ")
	v, _ := strconv.ParseFloat(first, 64)

	return v
}

// verdict compares a figure with its floor and its goal.
func (f figure) verdict() string {
	v := median(f.ratios)

	better := func(bound float64) bool { return f.below && v <= bound || !f.below && v >= bound }
	switch {
	case f.goal == 0:
		return "for information"
	case better(f.goal):
		return "goal reached"
	case better(f.must):
		return "above the floor, goal missed"
	default:
		return "BELOW THE FLOOR"
	}
}

// markdown returns the table with its explanation.
func (r *report) markdown(b *bench) string {
	var out bytes.Buffer

	fmt.Fprintf(&out, "# Benchmarks\n\nWritten by `make bench` on %s: %s, %s, %d cores; load average at the end %.1f. "+
		"The run took %s.\n\n",
		r.begin.UTC().Format("2 January 2006 15:04 UTC"),
		runtime.Version(),
		machine(),
		runtime.NumCPU(),
		loadAverage(),
		time.Since(r.begin).Round(time.Second),
	)
	fmt.Fprintf(&out, introduction, b.Rounds, b.Long)

	for _, f := range r.figures {
		out.WriteString(f.row())
	}

	for _, f := range r.figures {
		if f.note != "" {
			fmt.Fprintf(&out, "\n%s: %s\n", f.name, f.note)
		}
	}

	out.WriteString(explanation)

	return out.String()
}

// introduction stands above the table, and begins it. It takes the number of rounds and their length.
const introduction = "Each ratio is the service's figure divided by the yardstick's, or by the limit, of the same " +
	"round: both sides ran alternately, %d rounds of %s each, the same number of clients, the same machine and " +
	"database server, durable settings on both (SQLite `synchronous=FULL`, PostgreSQL `fsync=on`, " +
	"`synchronous_commit=on`). The median is what counts; the range shows the noise of a shared machine. The service " +
	"is a child process; load generator, yardsticks and development chain share the cores with it, and the " +
	"generator's own time counts against the service.\n\n" +
	"| what | Slipway | yardstick | ratio: median (range) | p99 | must / goal | load | |\n" +
	"|---|---|---|---|---|---|---|---|\n"

// row returns the figure's row of the table.
func (f figure) row() string {
	p99 := ""
	if len(f.p99) > 0 {
		p99 = fmt.Sprintf("%.1f ms", median(f.p99))
	}

	yard := f.yardName
	if len(f.yard) > 0 {
		yard = fmt.Sprintf("%s: %s", f.yardName, digits(median(f.yard)))
	}

	bound := fmt.Sprintf("%s / %s", digits(f.must), digits(f.goal))
	if f.below {
		bound = "at most " + bound
	}

	if f.goal == 0 {
		bound = "-"
	}

	return fmt.Sprintf("| %s | %s %s | %s | %s (%s to %s) | %s | %s | %.1f | %s |\n",
		f.name,
		digits(median(f.ours)),
		f.unit,
		yard,
		digits(median(f.ratios)),
		digits(slices.Min(f.ratios)),
		digits(slices.Max(f.ratios)),
		p99,
		bound,
		f.load,
		f.verdict(),
	)
}

// digits formats a number, with two decimals below 100.
func digits(v float64) string {
	switch {
	case math.IsNaN(v):
		return ""
	case v >= 100 || v == math.Trunc(v):
		return strconv.FormatFloat(v, 'f', 0, 64)
	default:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
}

// machine returns what the figures were measured on, without its name.
func machine() string {
	raw, err := os.ReadFile("/proc/meminfo")

	fields := strings.Fields(string(raw))
	if err != nil || len(fields) < 2 {
		return runtime.GOOS + "/" + runtime.GOARCH
	}

	kb, _ := strconv.ParseFloat(fields[1], 64)

	return fmt.Sprintf("%s/%s, %.0f GB memory", runtime.GOOS, runtime.GOARCH, kb*1024/1e9)
}

const explanation = `
## What is compared

- **create**: ` + "`POST /transactions`" + ` over HTTP with everything it does: authentication, validation against
  the directory, Idempotency-Key, event, audit line, durable before the answer. The yardstick writes the
  transaction row and its payment rows alone: on PostgreSQL one prepared statement a create and one
  connection a client, on SQLite one transaction a create on the one writer.
- **accept**: ` + "`POST /transactions/{id}/accept`" + ` with Idempotency-Key: gates, hold in the ledger,
  timeline, job, event, audit line. The yardstick is one transaction: the guarded UPDATE, two postings,
  one event. The transactions wait already on both sides; the service has submitted its own itself and
  still knows most of them (up to 16,384 payments). Settlement is not running.
- Before reads and accepts are measured on PostgreSQL, both databases are analysed, as autovacuum does it within a
  minute or two.
- **GET**: the whole view as JSON, authenticated. The service keeps what was read lately and asks the database whether
  it is still the newest version. The yardstick reads the same rows with one prepared SELECT.
- **authenticated**: one operation registered twice, once for everybody (requests carry no credentials) and once for
  members of an organisation (requests carry a token); nothing else differs.
- **camt.053**: the same bytes read by Slipway's scanner and by encoding/xml, an entry at a time, the same fields. The
  memory is that of a process that only reads, over what it held before.
- **import**: a file in which one entry in ten is the debit of a payout and one in ten the deposit of an on-ramp that
  waits for it; the rest is credits that nobody waits for. From disk until all of it is committed: read twice, kept,
  stored, matched, posted in the ledger (payouts and matched deposits by a journal each, the rest by one journal for
  each write), on-ramps moved on with timeline, event, audit line and job. The yardstick inserts the finished entries
  in bulk (COPY, or a hundred rows a statement) with as many commits as the service makes, matches them with payouts
  and on-ramps and marks both sides, by one statement each, and writes one posting for each entry; it reads no file,
  looks for no reference in texts, and keeps neither journals nor history. Of a payout's own transaction nothing is
  done on either side.
- **pain.001**: from planned payouts to the file's bytes stored, every payment checked; what stands between that and
  the bank is one rename. **quote**: in the process.
- **QR bill**: the page drawn by the same PDF library at the same resolution, and the picture given to the library
  that decodes QR codes; the service looks for every code of every page, reads what they say by the standard's
  grammar, and starts a sandbox of its own for each document.
- **upload**: a PDF of noise, looked at while it comes (its structure, what it could run), hashed, made durable and
  entered in the database. The yardstick hashes and stores the same bytes and knows nothing of HTTP.
- **settled to finality**: batches of 30 new addresses, one operator key, blocks of 60 million gas each second, from
  the first batch that was COMPLETED to the last; the limit is what fits into the blocks of that time by the measured
  gas. A backlog is accepted first.
- **gas**: exact; [Gas](reference/gas.md) says how each way of paying is measured. The floors are those the project set
  itself for a plain token; the goals are those of the cheapest method known. From a Safe both are what its own batch of
  transfers is published to cost. Beside other ways, the ratio is ours divided by theirs; none of theirs keeps the
  payments of a batch from failing with one.
- **start and idle memory**: slipway serve, built for production (-tags nosandbox), on SQLite with a current schema,
  an encrypted key file and nodes outside of it. **Memory under load**: the service as it is measured above, on
  SQLite.
- **console**: a Chromium without a window, on the same cores, and an organisation of 10,000 transactions. The script
  of the first view is what Chromium spent compiling and running it, in a browser that was never here. A stall is a
  task of more than 50 ms while the list is walked row by row over three pages and filtered in three ways. A change is
  a draft that a program makes while the list is open; its time is read before its commit, and ends with the frame that
  paints it.
- **deliveries**: of events that have waited for an endpoint, from when it is switched on until its receiver, which runs
  in this process, has them all. Then the service is killed under way: a message that is lost, or comes twice with other
  bytes, ends the run.
- **create with endpoints**: the median time of creates that follow each other at a fixed pace, in an organisation with
  endpoints that are told of each, and in one without. The next round waits until all are told.
- **stream behind the answer**: while clients create as fast as they can, from a client's answer until another
  connection's stream of events has shown it.
- **command line**: a process for each call, with a token that it has already; the service runs beside it.
`
