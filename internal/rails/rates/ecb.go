package rates

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"slipway/internal/platform/clock"
	"slipway/internal/standards/ecb"
)

// ECBURL is where the European Central Bank publishes the rates of the latest working day.
const ECBURL = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml"

// ecbSource is the name of the source in rates.
const ecbSource = "ECB"

// Limits of requests to the bank.
const (
	ecbTimeout  = 10 * time.Second
	ecbMaxBytes = 256 << 10        // the daily file has 2 kB
	ecbRecheck  = 10 * time.Minute // between two requests while a newer set should be published
	ecbRelook   = 6 * time.Hour    // between two requests otherwise, for corrections of the day
)

// ECBConfig configures the address of the rates and how old they may be.
type ECBConfig struct {
	URL   string // empty: ECBURL
	Clock *clock.Clock
	// publications that may be missing: with 0, a late publication stops the rates at once
	MaxMissed int
	Transport http.RoundTripper // nil: the default
}

// ECB returns the reference rates between all currencies of the daily file, through the euro, without rounding. It asks
// the bank only if a newer set should be published, with conditional requests, and keeps what it has while that is
// fresh: a failed request changes nothing. The rates of a day may be used until more than MaxMissed later publications
// are missing (working days of TARGET, so a Friday's rates are valid until Monday afternoon). They are reference rates;
// nobody promises to trade at them. It is safe for concurrent use.
type ECB struct {
	config ECBConfig
	client *http.Client
	turn   chan struct{} // the holder of its one token asks the bank

	mu       sync.Mutex
	day      ecb.Day // zero date: none yet
	lastLook time.Time
	etag     string
	modified string
	failure  error // of the last request
}

// NewECB returns the adapter. It does not call the bank.
func NewECB(c ECBConfig) *ECB {
	if c.URL == "" {
		c.URL = ECBURL
	}

	if c.Clock == nil {
		c.Clock = clock.New()
	}

	e := &ECB{
		config: c,
		turn:   make(chan struct{}, 1),
		client: &http.Client{Transport: c.Transport, Timeout: ecbTimeout},
	}
	e.turn <- struct{}{}

	return e
}

// Rate implements Source.
func (e *ECB) Rate(ctx context.Context, base, quote string) (Rate, error) {
	day, err := e.fresh(ctx)
	if err != nil {
		return Rate{}, err
	}

	v, ok := day.Cross(base, quote)
	if !ok {
		return Rate{}, unknownPair(ecbSource, base, quote)
	}

	asOf := day.Date.Add(15 * time.Hour)
	if ecb.Missed(day.Date, e.config.Clock.Now()) > e.config.MaxMissed {
		return Rate{}, &Stale{
			Base:   base,
			Quote:  quote,
			Source: ecbSource,
			AsOf:   asOf,
			Limit:  fmt.Sprintf("%d publications", e.config.MaxMissed),
		}
	}

	return Rate{
		Base:   base,
		Quote:  quote,
		Value:  v,
		AsOf:   asOf,
		Source: ecbSource,
	}, nil
}

// fresh returns the newest available day. One caller at a time asks the bank; others meanwhile use what there is.
func (e *ECB) fresh(ctx context.Context) (ecb.Day, error) {
	day, due, failure := e.known()
	if !due {
		return result(day, failure)
	}

	if day.Date.IsZero() {
		select {
		case <-e.turn:
		case <-ctx.Done():
			return day, fmt.Errorf("%s: %w: %w", ecbSource, ErrUnavailable, ctx.Err())
		}
	} else {
		select {
		case <-e.turn:
		default:
			return day, nil
		}
	}

	defer func() { e.turn <- struct{}{} }()

	if day, due, failure = e.known(); due { // another caller may have asked while this one waited
		e.refresh(ctx)
		day, _, failure = e.known()
	}

	return result(day, failure)
}

// result returns the day if there is one, otherwise why there is none.
func result(day ecb.Day, failure error) (ecb.Day, error) {
	if day.Date.IsZero() {
		return day, fmt.Errorf("%s: %w: %w", ecbSource, ErrUnavailable, failure)
	}

	return day, nil
}

// known returns the present state and whether a request is due.
func (e *ECB) known() (day ecb.Day, due bool, failure error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.config.Clock.Now()

	since := now.Sub(e.lastLook)
	switch {
	case e.lastLook.IsZero():
		due = true
	case e.day.Date.IsZero():
		due = since >= time.Minute
	case ecb.Missed(e.day.Date, now) > 0:
		due = since >= ecbRecheck
	default:
		due = since >= ecbRelook
	}

	return e.day, due, e.failure
}

// refresh asks the bank and stores a newer set. It ignores an older set than the present one: a cache in between may be
// outdated.
func (e *ECB) refresh(ctx context.Context) {
	day, etag, modified, err := e.fetch(ctx)
	if ctx.Err() != nil && err != nil {
		return // the caller went away; that proves nothing about the bank
	}

	e.mu.Lock()
	defer e.mu.Unlock()
	e.lastLook = e.config.Clock.Now()

	e.failure = err
	if err == nil && !day.Date.IsZero() && !day.Date.Before(e.day.Date) {
		e.day = day
		e.etag = etag
		e.modified = modified
	}
}

// fetch asks once. A zero day without an error means that nothing has changed.
func (e *ECB) fetch(ctx context.Context) (day ecb.Day, etag, modified string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, e.config.URL, nil)
	if err != nil {
		return day, "", "", err
	}

	e.mu.Lock()
	if !e.day.Date.IsZero() {
		setIf(req.Header, "If-None-Match", e.etag)
		setIf(req.Header, "If-Modified-Since", e.modified)
	}

	e.mu.Unlock()

	res, err := e.client.Do(req)
	if err != nil {
		return day, "", "", err
	}

	defer func() { _ = res.Body.Close() }()

	switch res.StatusCode {
	case http.StatusNotModified:
		return day, "", "", nil
	case http.StatusOK:
	default:
		return day, "", "", fmt.Errorf("HTTP status %d", res.StatusCode)
	}

	body := &io.LimitedReader{R: res.Body, N: ecbMaxBytes + 1}

	days, err := ecb.Parse(body)
	if body.N == 0 {
		return day, "", "", errors.New("the answer is longer than allowed")
	}

	if err != nil {
		return day, "", "", err
	}

	if days[0].Date.After(e.config.Clock.Now().Add(24 * time.Hour)) {
		return day, "", "", fmt.Errorf(
			"the rates are of %s, which is still to come",
			days[0].Date.Format(time.DateOnly),
		)
	}

	return days[0], res.Header.Get("ETag"), res.Header.Get("Last-Modified"), nil
}

func setIf(h http.Header, name, value string) {
	if value != "" {
		h.Set(name, value)
	}
}
