package chain

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"syscall"
	"time"
)

// Limits of one exchange with a node. A node is not trusted: it may be slow, endless or broken.
const (
	defaultTimeout   = 10 * time.Second
	defaultMaxAnswer = 24 << 20
	maxCallsPerBatch = 100
)

// NodeError is a node's error answer. Only Classify judges its text.
type NodeError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Error returns code and text as the node wrote them, shortened for logs.
func (e *NodeError) Error() string { return fmt.Sprintf("node error %d: %.300s", e.Code, e.Message) }

// TransportError means that the result of an exchange is unknown: the request may have been carried out or not.
type TransportError struct {
	Provider string // the host only: the rest of the address may hold a secret
	Reason   string
	cause    error
	tooLarge bool // the node may refuse the size of the request: a smaller one may succeed
}

// Error names the host and the reason, never the address.
func (e *TransportError) Error() string {
	if e.cause == nil {
		return fmt.Sprintf("node at %s: %s", e.Provider, e.Reason)
	}

	return fmt.Sprintf("node at %s: %s: %v", e.Provider, e.Reason, e.cause)
}

// Unwrap returns the cause.
func (e *TransportError) Unwrap() error { return e.cause }

// call is one JSON-RPC request.
type call struct {
	method string
	params []any
}

// answer is the answer to one call: a result or the node's error.
type answer struct {
	result json.RawMessage
	err    error
}

// into decodes the result, or returns the node's error.
func (a answer) into(v any) error {
	if a.err != nil {
		return a.err
	}

	if err := json.Unmarshal(a.result, v); err != nil {
		return &TransportError{Reason: "an answer of the wrong form", cause: err}
	}

	return nil
}

type wireCall struct {
	Version string `json:"jsonrpc"`
	ID      int    `json:"id"`
	Method  string `json:"method"`
	Params  []any  `json:"params"`
}

type wireAnswer struct {
	ID     *int            `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *NodeError      `json:"error"`
}

// provider is the address and the state of one node.
type provider struct {
	name      string // host
	url       string
	http      *http.Client
	maxAnswer int64

	mu       sync.Mutex
	verified bool      // it has confirmed the chain id
	wrong    string    // its answer if it named another chain
	head     uint64    // its latest head
	maxHead  uint64    // its highest head
	fell     time.Time // when its head went back; zero: it did not
	behind   bool      // its head went back or lags: nothing is concluded from it
	failures int       // consecutive
	lastErr  string

	asideUntil time.Time
	asideFor   time.Duration
	lies       int64  // how often it was refuted
	lie        string // what was refuted last

	batches bound // calls in one request
	ranges  bound // blocks of one eth_getLogs
}

func newProvider(address string, c ClientConfig) (*provider, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, errors.New("a node's address starts with http:// or https:// and names a host")
	}

	return &provider{
		name:      u.Host,
		url:       address,
		maxAnswer: c.MaxAnswer,
		http: &http.Client{
			Transport: c.Transport, Timeout: c.Timeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// batch sends calls in one request and returns one answer for each, in order. An error means that nothing is known
// about any of them.
func (p *provider) batch(ctx context.Context, calls []call) ([]answer, error) {
	wire := make([]wireCall, len(calls))
	for i, c := range calls {
		wire[i] = wireCall{Version: "2.0", ID: i, Method: c.method, Params: c.params}
	}

	var (
		body []byte
		err  error
	)
	if len(wire) == 1 {
		body, err = json.Marshal(wire[0])
	} else {
		body, err = json.Marshal(wire)
	}

	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", calls[0].method, err)
	}

	raw, err := p.post(ctx, body)
	if err != nil {
		p.note(err)
		return nil, err
	}

	out, err := p.match(raw, len(calls))
	p.note(err)

	return out, err
}

func (p *provider) fail(reason string, cause error) *TransportError {
	var u *url.Error
	if errors.As(cause, &u) {
		cause = u.Err // url.Error prints the complete address
	}

	return &TransportError{Provider: p.name, Reason: reason, cause: cause}
}

// failSize is fail for what may come of the size of the request.
func (p *provider) failSize(reason string, cause error) *TransportError {
	e := p.fail(reason, cause)
	e.tooLarge = true

	return e
}

func (p *provider) post(ctx context.Context, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, bytes.NewReader(body))
	if err != nil {
		return nil, p.fail("request", err)
	}

	req.Header.Set("Content-Type", "application/json")

	res, err := p.http.Do(req)

	switch {
	case errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET): // so Erigon refuses a batch
		return nil, p.failSize("it closed the connection", err)
	case err != nil:
		return nil, p.fail("no answer", err)
	}

	defer res.Body.Close()

	raw, err := io.ReadAll(io.LimitReader(res.Body, p.maxAnswer+1))
	switch {
	case err != nil:
		return nil, p.fail("the answer broke off", err)
	case int64(len(raw)) > p.maxAnswer:
		return nil, p.failSize("the answer is longer than allowed", nil)
	case res.StatusCode != http.StatusOK:
		return nil, p.status(res.StatusCode, raw)
	}

	return raw, nil
}

// status returns the error for an answer with another status than 200, with what the node says in it. Providers refuse
// with 400, 403, 413, 429, 500 or 503 what is too large for them. Some statuses say that the size is not the reason.
func (p *provider) status(status int, raw []byte) error {
	reason := fmt.Sprintf("HTTP status %d", status)

	var said error

	var one wireAnswer
	if json.Unmarshal(raw, &one) == nil && one.Error != nil {
		said = one.Error
	}

	switch status {
	case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusNotFound, http.StatusBadGateway:
		return p.fail(reason, said)
	}

	if status < http.StatusBadRequest {
		return p.fail(reason, said)
	}

	return p.failSize(reason, said)
}

// match sorts answers in the order of the calls. A node may answer a complete batch with one error.
func (p *provider) match(raw []byte, n int) ([]answer, error) {
	trimmed := bytes.TrimLeft(raw, " \t\r\n")
	if len(trimmed) == 0 {
		return nil, p.fail("an empty answer", nil)
	}

	var list []wireAnswer
	if trimmed[0] != '[' {
		var one wireAnswer
		if err := json.Unmarshal(raw, &one); err != nil {
			return nil, p.fail("not JSON", err)
		}

		if one.Error == nil && n > 1 {
			return nil, p.failSize("one answer to several calls", nil)
		}

		if n > 1 {
			return nil, p.failSize("it refused a batch", one.Error)
		}

		zero := 0
		one.ID = &zero // a single call can only have this answer
		list = []wireAnswer{one}
	} else if err := json.Unmarshal(raw, &list); err != nil {
		return nil, p.fail("not JSON", err)
	}

	if n > 1 {
		if said, refused := refusedBatch(list, n); refused {
			return nil, p.failSize("it refused a batch", said)
		}
	}

	out := make([]answer, n)
	for i := range out {
		out[i].err = p.fail("no answer to this call", nil)
	}

	for _, a := range list {
		if a.ID == nil || *a.ID < 0 || *a.ID >= n {
			continue
		}

		switch {
		case a.Error != nil:
			out[*a.ID] = answer{err: a.Error}
		case len(a.Result) > 0:
			out[*a.ID] = answer{result: a.Result}
		}
	}

	return out, nil
}

// refusedBatch reports whether a list of answers refuses the batch, and the node's words. geth answers the first call
// of a batch that is too long with an error and leaves the others out. If the answer would be too long, it answers the
// calls that are left with an error. Other nodes answer every call with the same words about batches.
func refusedBatch(list []wireAnswer, n int) (said error, refused bool) {
	about := 0

	for _, a := range list {
		if a.Error == nil {
			continue
		}

		said = a.Error

		switch {
		case a.Error.isAnswerTooLarge():
			return said, true
		case a.Error.isAboutBatches():
			about++
		}
	}

	return said, len(list) < n || about == n
}

func (p *provider) note(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()

	if err == nil {
		p.failures = 0
		p.lastErr = ""
		return
	}

	p.failures++
	p.lastErr = err.Error()
}

// rank orders providers: good ones first, failing ones later, those that are behind last.
func (p *provider) rank() int {
	p.mu.Lock()
	defer p.mu.Unlock()

	switch {
	case p.behind:
		return 2
	case p.failures > 0:
		return 1
	}

	return 0
}

func (p *provider) usable() (verified bool, wrong string, behind bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.verified, p.wrong, p.behind
}
