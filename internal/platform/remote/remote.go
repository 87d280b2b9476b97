// Package remote exchanges requests and answers with an outside party over HTTP.
//
// It promises that an answer is complete and within its size limit, or there is an error. It follows no redirect, which
// would carry the request and its signature to a stranger. Its errors contain no addresses, which may be confidential.
// It retries nothing and interprets nothing: the caller decides what an answer means.
//
// Read remote.go, then proxy.go (by which way requests leave, and which addresses they may reach).
package remote

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"
)

// Errors of an answer that came and cannot be used.
var (
	ErrBroken = errors.New("the answer broke off")
	ErrLong   = errors.New("the answer is longer than allowed")
)

// Party is an outside party. It is safe for concurrent use.
type Party struct {
	http *http.Client
	most int64
}

// New returns a party. It sets the time limit of one exchange, the size limit of an answer in bytes, and the transport;
// nil is the network.
func New(timeout time.Duration, most int64, transport http.RoundTripper) *Party {
	return &Party{most: most, http: &http.Client{
		Transport: transport, Timeout: timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// IsAddress reports whether a text is an http or https address with a host.
func IsAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

// Exchange sends a request once and returns its answer, whatever the status. After an error the request may have been
// carried out.
func (p *Party) Exchange(r *http.Request) (status int, body []byte, err error) {
	res, err := p.http.Do(r) //nolint:gosec // the address is the operator's setting
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // url.Error prints the whole address
		}

		return 0, nil, err
	}

	defer func() { _ = res.Body.Close() }()

	body, err = io.ReadAll(io.LimitReader(res.Body, p.most+1))
	switch {
	case err != nil:
		return 0, nil, errors.Join(ErrBroken, err)
	case int64(len(body)) > p.most:
		return 0, nil, ErrLong
	}

	return res.StatusCode, body, nil
}
