package openid

import (
	"io"
	"net"
	"net/http"
	"time"

	"slipway/internal/platform/remote"
)

// transport returns connections to what the guard admits: an admin has named the issuer, and the issuer names the rest.
func transport(guard Guard) http.RoundTripper {
	return remote.Guarded(guard.Control(), net.Dialer{Timeout: timeout / 2}, func(d net.Dialer) *http.Transport {
		return &http.Transport{
			DialContext:            d.DialContext,
			TLSHandshakeTimeout:    timeout / 2,
			ResponseHeaderTimeout:  timeout,
			MaxResponseHeaderBytes: 64 << 10,
			MaxIdleConnsPerHost:    2,
			IdleConnTimeout:        30 * time.Second,
			DisableCompression:     true, // a small answer must not become a large one
		}
	})
}

// bounded judges each address as it is written, before it is connected to, and ends an answer that is too long.
type bounded struct {
	guard Guard
	next  http.RoundTripper
}

// RoundTrip sends a request.
func (b *bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := b.guard.CheckURL(r.URL.String()); err != nil {
		if r.Body != nil {
			_ = r.Body.Close() // as every transport does
		}

		return nil, refuse(Unreachable, "The provider names an address that %s.", err)
	}

	answer, err := b.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}

	answer.Body = &short{ReadCloser: answer.Body, left: maxAnswer}

	return answer, nil
}

// short is a body that breaks off when it is too long.
type short struct {
	io.ReadCloser

	left int
}

// Read reads at most what is left.
func (s *short) Read(p []byte) (int, error) {
	if s.left <= 0 {
		return 0, tooLong()
	}

	n, err := s.ReadCloser.Read(p[:min(len(p), s.left)])
	s.left -= n

	return n, err
}
