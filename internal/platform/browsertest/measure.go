package browsertest

import (
	"context"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// Slow makes the page's processor so many times slower than this one, as Chromium's tools for developers do.
func (p *Page) Slow(times float64) {
	p.t.Helper()

	ctx := p.chromium("a slow processor")
	_, err := chromedp.Call(ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: times})
	require.NoError(p.t, err)
	_, err = chromedp.Call(ctx, performance.Enable, performance.EnableParams{
		TimeDomain: performance.EnableTimeDomainThreadTicks,
	})
	require.NoError(p.t, err)
}

// Script returns how much time of a processor as slow as Slow has made it went into compiling and running the scripts
// of this tab so far. What else the machine does meanwhile does not count, the harness's own questions do. Call Slow
// first.
func (p *Page) Script() time.Duration {
	p.t.Helper()

	ctx, cancel := context.WithTimeout(p.chromium("a measure of scripts"), waitLimit)
	defer cancel()

	got, err := chromedp.Call(ctx, performance.GetMetrics, cdp.Empty{})
	require.NoError(p.t, err)

	seconds := 0.0

	for _, m := range got.Metrics {
		if m.Name == "ScriptDuration" || strings.HasPrefix(m.Name, "V8Compile") {
			seconds += m.Value
		}
	}

	return time.Duration(seconds * float64(time.Second))
}

// Number returns the value of a JavaScript expression that is a number.
func (p *Page) Number(expression string) float64 {
	p.t.Helper()
	return value[float64](p, expression)
}
