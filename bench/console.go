//go:build !nosandbox

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"slipway/internal/pages/console"
	"slipway/internal/platform/browsertest"
)

const (
	consoleRows    = 10_000 // transactions of the organisation that is looked at
	consoleStreams = 1000
	consoleShare   = 200 // streams that one organisation may have open
	consoleChanges = 200 // changes a round whose way to the screen is measured
	consoleSlow    = 4   // how many times slower the processor is made
	consoleShells  = time.Second
)

// consoleBed is the console on a service with an organisation's transactions.
type consoleBed struct {
	*bench
	child *child
	t     tenant   // whose console is looked at
	all   []tenant // that one, and those of whom each has consoleShare streams open
	site  string
}

// console measures the console: what a browser loads and runs, how soon it shows a change, and what it costs the
// server.
func (b *bench) console(ctx context.Context) (err error) {
	if !console.Present {
		say("console: left out of this build")
		return nil
	}

	say("console")

	d := &consoleBed{bench: b}

	address, err := b.fresh(ctx, "sqlite")
	if err != nil {
		return err
	}
	defer b.drop(ctx, address)

	if err := d.prepare(ctx, address); err != nil {
		return err
	}

	defer func() { err = errors.Join(err, d.child.stop()) }()

	if err := d.streams(ctx); err != nil {
		return err
	}

	if err := d.shell(ctx); err != nil {
		return err
	}

	if err := d.bundle(ctx); err != nil {
		return err
	}

	return attempted(b.dir, func(t testing.TB) {
		browser := browsertest.Start(t)
		d.changes(ctx, t, browser)
		d.firstView(t, browser)
		d.longList(t, browser)
	})
}

// prepare makes an organisation with its transactions, and starts the service on them.
func (d *consoleBed) prepare(ctx context.Context, address string) error {
	c, err := d.startChild(ctx, address, "", true)
	if err != nil {
		return err
	}

	for n := range 1 + consoleStreams/consoleShare {
		t, err := d.signUp(ctx, c.address, n, false)
		if err != nil {
			return errors.Join(err, c.stop())
		}

		d.all = append(d.all, t)
	}

	if err := c.stop(); err != nil {
		return err
	}

	d.t = d.all[0]

	if err := fillList(ctx, address, d.t, consoleRows); err != nil {
		return err
	}

	if d.child, err = d.startChild(ctx, address, d.Profile, true); err != nil {
		return err
	}

	d.site = "http://" + d.child.address

	return nil
}

// at returns the address of a page of the organisation.
func (d *consoleBed) at(page string) string { return d.site + "/console/o/" + d.t.organisation + page }

// streams measures what open streams of events take of the service's memory, over what it takes without them.
func (d *consoleBed) streams(ctx context.Context) error {
	f := figure{
		name:     fmt.Sprintf("resident memory of %d open streams of events, over idle", consoleStreams),
		must:     60,
		goal:     60,
		below:    true,
		unit:     "MB",
		yardName: "-",
		load:     loadAverage(),
	}
	idle := d.child.memory("VmRSS")
	open := make([]*conn, 0, consoleStreams)

	defer func() {
		for _, c := range open {
			c.close()
		}
	}()

	for n := range consoleStreams {
		ask := request(nil, "GET", "/events/stream", d.all[1+n/consoleShare].token, "", nil)

		c, err := dial(d.child.address)
		if err != nil {
			return err
		}

		open = append(open, c)

		if _, err := c.c.Write(ask); err != nil {
			return err
		}

		if status, _, err := c.head(); err != nil || status != http.StatusOK {
			return errors.Join(err, fmt.Errorf("stream %d is answered %d", len(open), status))
		}
	}

	f.ratios = []float64{d.child.memory("VmRSS") - idle}
	f.ours = f.ratios
	f.note = fmt.Sprintf("%.0f MB without them", idle)
	d.report.add(f)

	return ctx.Err()
}

// shell measures how soon the page that all addresses of the console share is answered.
func (d *consoleBed) shell(ctx context.Context) error {
	f := figure{
		name:     "the console's page served, one client, p99",
		must:     1,
		goal:     1,
		below:    true,
		unit:     "ms",
		yardName: "-",
		load:     loadAverage(),
	}

	var p50 []float64

	for range d.Rounds {
		out, err := drive(ctx, 1, consoleShells, func(int) (worker, error) {
			return httpWorker(d.child.address, http.StatusOK, func(buffer []byte) ([]byte, error) {
				return request(buffer, "GET", "/console/o/"+d.t.organisation, "", "", nil), nil
			})
		})
		if err != nil {
			return err
		}

		f.ratios = append(f.ratios, out.p99.Seconds()*1000)
		p50 = append(p50, out.p50.Seconds()*1000)
	}

	f.ours = f.ratios
	f.note = fmt.Sprintf("p50 %.2f ms", median(p50))
	d.report.add(f)

	return nil
}

// partsOfThePage are the files that the page names, and partsOfTheScript those that its script loads later.
var (
	partsOfThePage   = regexp.MustCompile(`"(/console/a/[^"]+)"`)
	partsOfTheScript = regexp.MustCompile("import\\([`\"']\\./([a-z]+\\.js)")
)

// bundle counts the bytes that a browser loads for the console, compressed as they are on the line.
func (d *consoleBed) bundle(ctx context.Context) error {
	page, err := d.load(ctx, "/console", "identity")
	if err != nil {
		return err
	}

	sum := 0

	paths := []string{"/console"}
	for _, m := range partsOfThePage.FindAllStringSubmatch(string(page), -1) {
		paths = append(paths, m[1])
		if !strings.HasSuffix(m[1], ".js") {
			continue
		}

		script, err := d.load(ctx, m[1], "identity")
		if err != nil {
			return err
		}

		for _, later := range partsOfTheScript.FindAllStringSubmatch(string(script), -1) {
			paths = append(paths, path.Join(path.Dir(m[1]), later[1]))
		}
	}

	for _, file := range paths {
		part, err := d.load(ctx, file, "gzip")
		if err != nil {
			return err
		}

		sum += len(part)
	}

	size := []float64{float64(sum) / 1000}
	d.report.add(figure{
		name:     "the console's page, scripts and style, compressed",
		must:     130,
		goal:     130,
		below:    true,
		unit:     "kB",
		yardName: "-",
		ours:     size,
		ratios:   size,
		note:     fmt.Sprintf("%d files", len(paths)),
	})

	return nil
}

// load returns the bytes of a file as they come over the line.
func (d *consoleBed) load(ctx context.Context, file, encoding string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, d.site+file, nil)
	if err != nil {
		return nil, err
	}

	r.Header.Set("Accept-Encoding", encoding)

	a, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer a.Body.Close() // it was only read

	if a.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s is answered %d", file, a.StatusCode)
	}

	return io.ReadAll(a.Body)
}

// signInTo opens the form that signs in and leads to a page, and fills it in. Enter sends it.
func (d *consoleBed) signInTo(p *browsertest.Page, page string) {
	next := strings.TrimPrefix(d.at(page), d.site)
	p.Open(d.site + "/console/session?next=" + url.QueryEscape(next))
	p.Await("input[name=email]")
	p.Fill("input[name=email]", email(0))
	p.Fill("input[name=password]", password)
}

// settled waits until a page shows all that it has asked for.
func settled(p *browsertest.Page) {
	p.Await("main h1")
	p.Await("main:not(:has([aria-busy=true]))")
}

// firstView measures the script of the first page after a sign-in, by browsers that have never been here.
func (d *consoleBed) firstView(t testing.TB, browser *browsertest.Browser) {
	f := figure{
		name:     fmt.Sprintf("script of the first view after sign-in, processor %d times slower", consoleSlow),
		must:     150,
		goal:     150,
		below:    true,
		unit:     "ms",
		yardName: "-",
		load:     loadAverage(),
	}

	for range d.Rounds {
		p := browser.Page(t, browsertest.Look{})
		d.signInTo(p, "")
		p.Slow(consoleSlow)
		before := p.Script()
		p.Submit()
		settled(p)
		f.ratios = append(f.ratios, (p.Script()-before).Seconds()*1000)
		p.Close() // a slowed page keeps the processor busy for as long as it is open
	}

	f.ours = f.ratios
	d.report.add(f)
}

// watched keeps what the browser calls long tasks: those of more than 50 ms, in which nothing else can be done.
const watched = `
	window.stalls = [];
	new PerformanceObserver(all => stalls.push(...all.getEntries().map(e => e.duration))).observe({type: 'longtask'});`

// longList scrolls and filters the list of all transactions, and counts the stalls.
func (d *consoleBed) longList(t testing.TB, browser *browsertest.Browser) {
	f := figure{
		name:     fmt.Sprintf("stalls of more than 50 ms while a list of %d scrolls and filters", consoleRows),
		must:     0.5, // none, most of the times
		goal:     0.5,
		below:    true,
		unit:     "",
		yardName: "-",
		load:     loadAverage(),
	}
	longest := 0.0

	for range d.Rounds {
		p := browser.Page(t, browsertest.Look{})
		p.Beside(watched, func(string) string { return "" })
		d.signInTo(p, "/transactions")
		p.Submit()
		settled(p)
		p.Await("tbody tr:nth-child(50)")
		p.Holds("stalls.length = 0, true")
		d.walk(p)
		f.ratios = append(f.ratios, p.Number("stalls.length"))
		longest = max(longest, p.Number("Math.max(0, ...stalls)"))
		p.Close()
	}

	f.ours = f.ratios
	f.note = fmt.Sprintf("the longest took %.0f ms", longest)
	d.report.add(f)
}

// typed is a function that changes a field as somebody who types does.
const typed = `const type = (field, value, event) => {
	field.value = value;
	field.dispatchEvent(new Event(event, {bubbles: true}));
	return field;
}; `

// walk goes down three pages of the list, row by row, and filters it in each way.
func (d *consoleBed) walk(p *browsertest.Page) {
	for range 3 {
		p.TabTo("a.whole")

		for range 49 {
			p.Press(browsertest.Down)
		}

		last := p.Attribute("tbody tr:last-child a.whole", "href")
		p.Holds("[...document.querySelectorAll('.below a')].at(-1).click(), true")
		p.Await("tbody:not(:has(a[href='" + last + "'])) tr:nth-child(50)")
	}

	for _, filter := range []string{
		"type(document.querySelectorAll('.filter select')[0], 'DRAFT', 'change')",
		"type(document.querySelectorAll('.filter select')[2], 'DAI', 'change')",
		"type(document.querySelector('header input[type=search]'), 'keller', 'input').form.requestSubmit()",
	} {
		p.Holds("(() => { " + typed + filter + "; return true })()")
		p.Await(".chips")
		p.Await("main:not(:has([aria-busy=true])) tbody tr:nth-child(50)")
		p.Holds("document.querySelector('.chips > .link').click(), true")
		p.Await("main:not(:has(.chips)):not(:has([aria-busy=true])) tbody tr:nth-child(50)")
	}
}

// painted notes when the list has been painted with another first row: its link, and the time since 1970 in ms.
const painted = `
	window.shown = {};
	new MutationObserver(() => {
		const first = document.querySelector('tbody a.whole')?.href.split('/').at(-1);
		if (!first || first in shown) return;
		shown[first] = 0;
		requestAnimationFrame(() => { shown[first] = performance.timeOrigin + performance.now(); });
	}).observe(document, {childList: true, subtree: true});`

// changes measures how long after its commit a transaction stands on a screen that is open.
func (d *consoleBed) changes(ctx context.Context, t testing.TB, browser *browsertest.Browser) {
	f := figure{
		name:     "a change on an open screen after its commit, p99",
		must:     300,
		goal:     300,
		below:    true,
		unit:     "ms",
		yardName: "-",
		load:     loadAverage(),
	}

	p := browser.Page(t, browsertest.Look{})
	defer p.Close()
	p.Beside(painted, func(string) string { return "" })
	d.signInTo(p, "/transactions")
	p.Submit()
	settled(p)

	var p50 []float64

	for range d.Rounds {
		took, err := d.changesShown(ctx, p)
		if err != nil {
			t.Errorf("%v", err)
			return
		}

		f.ratios = append(f.ratios, took[len(took)*99/100])
		p50 = append(p50, median(took))
	}

	f.ours = f.ratios
	f.note = fmt.Sprintf("p50 %.0f ms; %d changes a round, one after the other", median(p50), consoleChanges)
	d.report.add(f)
}

// changesShown makes drafts beside an open list, and returns how long each of them took to stand on the screen, in ms,
// the shortest first. What a draft carries as its time was read before its commit.
func (d *consoleBed) changesShown(ctx context.Context, p *browsertest.Page) ([]float64, error) {
	c, err := dial(d.child.address)
	if err != nil {
		return nil, err
	}
	defer c.close()

	var (
		took []float64
		body = d.draftBody(d.t, 1, nil)
	)

	for range consoleChanges {
		key := fmt.Sprintf("console-%d", d.made.Add(1))

		answer, err := c.expect(http.StatusCreated, request(nil, "POST", "/transactions", d.t.token, key, body))
		if err != nil {
			return nil, err
		}

		var made struct {
			ID        string    `json:"_id"`
			CreatedAt time.Time `json:"createdAt"`
		}
		if err := json.Unmarshal(answer, &made); err != nil {
			return nil, err
		}

		at, err := shownAt(ctx, p, made.ID)
		if err != nil {
			return nil, err
		}

		took = append(took, at-float64(made.CreatedAt.UnixMicro())/1000)
	}

	slices.Sort(took)

	return took, nil
}

// shownAt waits until a transaction has been painted, and returns when: milliseconds since 1970.
func shownAt(ctx context.Context, p *browsertest.Page, id string) (float64, error) {
	for range 200 {
		time.Sleep(50 * time.Millisecond)

		if at := p.Number(fmt.Sprintf("shown[%q] ?? 0", id)); at > 0 || ctx.Err() != nil {
			return at, ctx.Err()
		}
	}

	return 0, fmt.Errorf("%s did not come to the screen: the first row is %s", id, p.Text("tbody tr"))
}
