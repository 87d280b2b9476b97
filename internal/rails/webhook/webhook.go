// Package webhook sends a message to an address that a customer has named, and lets it lead nowhere else.
//
// Messages are signed as Standard Webhooks describe. The address is judged where it is dialled, after every look-up: a
// name that leads into a private network, or does so the second time, is not connected to. Redirects are answers, and
// no proxy of the environment is used.
//
// An error of Send means that no answer came: the receiver may have the message all the same.
//
// Read in this order: webhook.go, sign.go, guard.go.
package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/remote"
)

// The limits of one try.
const (
	sendTimeout = 15 * time.Second
	dialTimeout = 5 * time.Second
	answerLimit = 16 << 10 // bytes of an answer's body that are kept
)

// Message is what is sent. Each try of it has the same ID and the same Body.
type Message struct {
	ID   string
	URL  string
	At   time.Time // of this try
	Body []byte
	Keys []string // whsec_… or whsk_…; each signs. None: the message is not signed
}

// Answer is what came back.
type Answer struct {
	Status     int
	Body       []byte        // its first 16 kB
	RetryAfter time.Duration // 0: the receiver has not asked for a pause
	Signature  string        // that was sent
	Elapsed    time.Duration
}

// Sender sends messages. It is safe for concurrent use.
type Sender struct {
	client http.Client
	clock  *clock.Clock
}

// New returns a sender that connects to what the guard admits.
func New(g Guard) *Sender {
	return withTransport(
		remote.Guarded(g.Control(), net.Dialer{Timeout: dialTimeout}, func(d net.Dialer) *http.Transport {
			return transportOver(d.DialContext)
		}),
	)
}

func withTransport(t http.RoundTripper) *Sender {
	return &Sender{clock: clock.New(), client: http.Client{
		Timeout:       sendTimeout,
		Transport:     t,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func transportOver(dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Transport {
	return &http.Transport{
		DialContext:            dial,
		TLSHandshakeTimeout:    dialTimeout,
		ResponseHeaderTimeout:  sendTimeout,
		MaxResponseHeaderBytes: answerLimit,
		MaxIdleConnsPerHost:    4,
		IdleConnTimeout:        30 * time.Second,
		DisableCompression:     true, // a small answer must not become a large one
	}
}

// Send sends a message once. The answer has the signature and the elapsed time also when there is an error.
func (s *Sender) Send(ctx context.Context, m Message) (a Answer, err error) {
	a.Signature, err = Sign(m.Keys, m.ID, m.At, m.Body)
	if err != nil {
		return a, err
	}

	begun := s.clock.Elapsed()
	defer func() { a.Elapsed = s.clock.Elapsed() - begun }()

	r, err := http.NewRequestWithContext(ctx, http.MethodPost, m.URL, bytes.NewReader(m.Body))
	if err != nil {
		return a, err
	}

	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Slipway-Webhooks")
	r.Header.Set("Webhook-Id", m.ID)
	r.Header.Set("Webhook-Timestamp", strconv.FormatInt(m.At.Unix(), 10))

	if a.Signature != "" {
		r.Header.Set("Webhook-Signature", a.Signature)
	}

	answer, err := s.client.Do(r)
	if err != nil {
		return a, err
	}
	defer answer.Body.Close() // it was only read

	a.Status = answer.StatusCode
	a.RetryAfter = retryAfter(answer.Header.Get("Retry-After"), m.At)

	// The status counts. What came of the body is shown.
	a.Body, _ = io.ReadAll(io.LimitReader(answer.Body, answerLimit))

	return a, nil
}

// retryAfter returns the pause that a Retry-After asks for (RFC 9110, 10.2.3): seconds, or a date.
func retryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}

	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}

	return 0
}

// Explain returns what a customer may know of an error of Send. It names no address of the network that the service
// runs in.
func Explain(err error) string {
	var refused *RefusedError

	var lookup *net.DNSError

	var timeout net.Error

	switch {
	case err == nil:
		return ""
	case errors.As(err, &refused):
		return "The name leads to an address that is not public, or to a port that is not allowed."
	case errors.As(err, &lookup):
		return "The name was not found."
	case errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Sprintf("There was no answer within %d seconds.", int(sendTimeout.Seconds()))
	}

	return "The connection failed, or was not encrypted as it must be."
}
