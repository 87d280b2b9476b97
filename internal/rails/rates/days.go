package rates

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"slipway/internal/standards/ecb"
)

// ECBHistoryURL is where the European Central Bank publishes the rates of the last 90 days.
const ECBHistoryURL = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml"

// Publisher returns the reference rates of past days, newest first: what books are kept with. Repeating a request is
// harmless.
type Publisher interface {
	Days(ctx context.Context) ([]ecb.Day, error)
	Name() string // of the source, for records
}

// Limits of a request for a history. The complete one since 1999 has 7 MB.
const (
	historyTimeout  = time.Minute
	historyMaxBytes = 16 << 20
)

// ECBHistory returns the published days of the central bank's history. It asks the bank on each call.
type ECBHistory struct {
	URL       string            // empty: ECBHistoryURL
	Transport http.RoundTripper // nil: the default
}

// Name implements Publisher.
func (ECBHistory) Name() string { return ecbSource }

// Days implements Publisher.
func (h ECBHistory) Days(ctx context.Context) ([]ecb.Day, error) {
	url := h.URL
	if url == "" {
		url = ECBHistoryURL
	}

	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}

	client := &http.Client{Transport: h.Transport, Timeout: historyTimeout}

	res, err := client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", ecbSource, ErrUnavailable, err)
	}

	defer func() { _ = res.Body.Close() }()

	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %w: HTTP status %d", ecbSource, ErrUnavailable, res.StatusCode)
	}

	body := &io.LimitedReader{R: res.Body, N: historyMaxBytes + 1}

	days, err := ecb.Parse(body)
	if body.N == 0 {
		err = errors.New("the answer is longer than allowed")
	}

	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", ecbSource, ErrUnavailable, err)
	}

	return days, nil
}
