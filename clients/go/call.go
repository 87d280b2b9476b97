package slipway

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	randv2 "math/rand/v2"
	"mime/multipart"
	"net/http"
	"time"
)

// operation is a call of an operation, as the generated methods describe it.
type operation struct {
	method string
	path   string // filled in
	params any    // of the query
	body   any    // a File goes as a form, a string as it is, and anything else as JSON
	keyed  bool   // it may be repeated: it reads, or it takes an Idempotency-Key
}

// request is a call on its way. Each try sends the same.
type request struct {
	method, path string
	header       http.Header
	content      []byte // nil: no body
	keyed        bool
	unsigned     bool // it carries no token
	seen         *Answer
}

// call performs an operation and decodes its answer.
func call[T any](ctx context.Context, c *Client, op operation, options []Option) (*T, error) {
	out := new(T)
	return out, c.decoded(ctx, op, options, out)
}

func callList[T any](ctx context.Context, c *Client, op operation, options []Option) (out []T, err error) {
	return out, c.decoded(ctx, op, options, &out)
}

func (c *Client) decoded(ctx context.Context, op operation, options []Option, out any) error {
	raw, err := c.raw(ctx, op, options)
	if err != nil || len(raw) == 0 || out == nil {
		return err
	}

	if err := json.Unmarshal(raw, out); err != nil {
		return fmt.Errorf("slipway: answer of %s %s: %w", op.method, op.path, err)
	}

	return nil
}

func (c *Client) perform(ctx context.Context, op operation, options []Option) error {
	return c.decoded(ctx, op, options, nil)
}

// raw performs an operation and returns the body of its answer. A refusal is returned as a *Problem.
func (c *Client) raw(ctx context.Context, op operation, options []Option) ([]byte, error) {
	r, err := c.request(op, options)
	if err != nil {
		return nil, err
	}

	a, err := c.repeat(ctx, r)
	if err != nil {
		return nil, err
	}

	if a.Status < http.StatusBadRequest {
		return a.Body, nil
	}

	p, ok := a.Problem()
	if !ok { // of a proxy, perhaps
		p = &Problem{
			Status: a.Status,
			Code:   fmt.Sprint("HTTP_", a.Status),
			Detail: http.StatusText(a.Status),
			Body:   a.Body,
		}
	}

	p.Key = r.header.Get("Idempotency-Key")

	return nil, p
}

// Call sends a request to a path that no method is named after, such as one of the sandbox, and decodes the answer into
// out, unless out is nil. body is nil, a File, or anything that JSON can encode.
func (c *Client) Call(ctx context.Context, method, path string, body, out any, options ...Option) error {
	keyed := method == http.MethodGet || method == http.MethodHead
	return c.decoded(ctx, operation{method: method, path: path, body: body, keyed: keyed}, options, out)
}

// Send sends a request once and returns its answer, whatever its status. body is nil, a string that is sent as it is,
// or anything that JSON can encode. It gets no key and is not repeated.
func (c *Client) Send(ctx context.Context, method, path string, body any, options ...Option) (Answer, error) {
	r, err := c.request(operation{method: method, path: path, body: body}, options)
	if err != nil {
		return Answer{}, err
	}

	return c.authorised(ctx, r)
}

// request encodes a call. A call that may be repeated and changes something gets its key here.
func (c *Client) request(op operation, options []Option) (*request, error) {
	r := &request{method: op.method, path: op.path, header: http.Header{}, keyed: op.keyed}

	if op.params != nil {
		if q := query(op.params); q != "" {
			r.path += "?" + q
		}
	}

	if c.organisation != "" {
		r.header.Set("Slipway-Organisation", c.organisation)
	}

	if err := r.encode(op); err != nil {
		return nil, fmt.Errorf("slipway: body of %s %s: %w", op.method, op.path, err)
	}

	for _, o := range options {
		o(r)
	}

	if r.keyed && r.method != http.MethodGet && r.header.Get("Idempotency-Key") == "" {
		r.header.Set("Idempotency-Key", rand.Text())
	}

	if r.header.Get("Idempotency-Key") != "" {
		r.keyed = true
	}

	return r, nil
}

func (r *request) encode(op operation) (err error) {
	switch body := op.body.(type) {
	case nil:
		return nil
	case File:
		return r.form(body)
	case string:
		r.content = []byte(body)
	default:
		r.content, err = json.Marshal(body)
	}

	r.header.Set("Content-Type", "application/json")

	return err
}

// form encodes a file as a browser's form does.
func (r *request) form(f File) error {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)

	part, err := form.CreateFormFile("file", f.Name)
	if err != nil {
		return err
	}

	if _, err := part.Write(f.Content); err != nil {
		return err
	}

	if err := form.Close(); err != nil {
		return err
	}

	r.content = body.Bytes()
	r.header.Set("Content-Type", form.FormDataContentType())

	return nil
}

// repeat tries a request until it has an answer that counts. A request that may have had its effect is repeated only
// under its key, or if it reads.
func (c *Client) repeat(ctx context.Context, r *request) (Answer, error) {
	for n := 1; ; n++ {
		a, err := c.authorised(ctx, r)
		if r.seen != nil {
			*r.seen = Answer{Status: a.Status, Header: a.Header}
		}

		if n >= c.tries || !r.worthRepeating(a, err) {
			return a, err
		}

		asked := retryAfter(a.Header)
		if asked > longestWaited {
			return a, err
		}

		if wait(ctx, max(asked, pauseAfter(n))) != nil {
			return a, err
		}
	}
}

// worthRepeating reports whether a further try is harmless and may come to something.
func (r *request) worthRepeating(a Answer, err error) bool {
	var lost *LostError

	switch {
	case errors.As(err, &lost):
		return r.keyed && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
	case err != nil:
		return false
	case a.Status == http.StatusTooManyRequests:
		return a.Header.Get("Retry-After") != "" // it was refused before it was looked at
	default:
		return r.keyed && a.Status >= http.StatusInternalServerError && a.Status != http.StatusNotImplemented
	}
}

// pauseAfter returns the pause after a number of tries: twice as long each time, and up to a half longer, so that what
// has failed together is not repeated together.
func pauseAfter(n int) time.Duration {
	p := min(firstPause<<(n-1), longestPause)
	return p + time.Duration(randv2.Int64N(int64(p/2))) //nolint:gosec // a pause, no secret
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()

	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// authorised sends a request with a token. If the token is not good any more, it sends the request again with a new
// one: what is answered 401 has had no effect.
func (c *Client) authorised(ctx context.Context, r *request) (Answer, error) {
	if c.session == nil || r.unsigned || r.header.Get("Authorization") != "" {
		return c.try(ctx, r, "")
	}

	token, err := c.session.token(ctx, c, "")
	if err != nil {
		return Answer{}, err
	}

	a, err := c.try(ctx, r, token)
	if err != nil || a.Status != http.StatusUnauthorized {
		return a, err
	}

	fresh, renewErr := c.session.token(ctx, c, token)
	if renewErr != nil || fresh == token {
		return a, renewErr
	}

	return c.try(ctx, r, fresh)
}

// try sends a request once. What is answered by a challenge was not looked at: it is sent again with the proof.
func (c *Client) try(ctx context.Context, r *request, token string) (Answer, error) {
	a, err := c.once(ctx, r, token, "")

	for range workTries {
		challenge := a.challenge()
		if err != nil || challenge == "" {
			break
		}

		var proof string
		if proof, err = prove(ctx, challenge); err == nil {
			a, err = c.once(ctx, r, token, proof)
		}
	}

	return a, err
}

// once sends a request once, with a proof of work unless that is "".
func (c *Client) once(ctx context.Context, r *request, token, proof string) (Answer, error) {
	req, err := http.NewRequestWithContext(ctx, r.method, c.base+r.path, bytes.NewReader(r.content))
	if err != nil {
		return Answer{}, fmt.Errorf("slipway: %w", err)
	}

	req.Header = r.header.Clone()
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}

	if proof != "" {
		req.Header.Set(workHeader, proof)
	}

	lost := func(err error) error {
		return &LostError{Method: r.method, Path: r.path, Key: r.header.Get("Idempotency-Key"), Err: err}
	}

	res, err := c.http.Do(req)
	if err != nil {
		return Answer{}, lost(err)
	}
	defer res.Body.Close() // it was only read

	body, err := io.ReadAll(io.LimitReader(res.Body, answerLimit+1))
	if err == nil && len(body) > answerLimit {
		err = fmt.Errorf("the answer is longer than %d bytes", answerLimit)
	}

	if err != nil {
		return Answer{}, lost(err)
	}

	return Answer{Status: res.StatusCode, Header: res.Header, Body: body}, nil
}
