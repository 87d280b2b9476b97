// Package apiclient calls Slipway's API as any other program would: JSON over HTTP, a session, and nothing but what the
// interface says. The demo, the benchmark and the scenario tests use it; each adds only the requests of its own story.
//
// It retries nothing. A caller that repeats a request uses an idempotency key (Key).
package apiclient

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"time"
)

const (
	maxAnswer = 16 << 20         // bytes of an answer
	timeout   = 20 * time.Second // of a request and its answer, for clients made by New
)

// Object is a JSON object of a request.
type Object = map[string]any

// Header is a header of a request.
type Header struct{ Name, Value string }

// Key returns the header that makes a request repeatable: a second request with the same key and body gets the answer
// of the first one.
func Key(value string) Header { return Header{Name: "Idempotency-Key", Value: value} }

// Client calls the API at one address. The zero Token is nobody's: requests carry no credentials.
type Client struct {
	Base  string // such as https://pay.example.org
	Token string // of the session; see SignIn
	HTTP  *http.Client
}

// New returns a client without a session.
func New(base string) *Client {
	return &Client{Base: base, HTTP: &http.Client{Timeout: timeout}}
}

// Answer is an answer with any status.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Problem is a problem document (RFC 9457): the body of every refusal.
type Problem struct {
	Status int     `json:"status"`
	Code   string  `json:"code"`
	Detail string  `json:"detail"`
	Errors []Field `json:"errors"`
}

// Field is what a Problem says about one value of the request: at Pointer in the body, or the parameter Name in "query",
// "path" or "header".
type Field struct {
	Pointer string `json:"pointer"`
	In      string `json:"in"`
	Name    string `json:"name"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Where returns the place of the value: the pointer, "?limit" or "header If-Match".
func (f Field) Where() string {
	switch f.In {
	case "":
		return f.Pointer
	case "query":
		return "?" + f.Name
	default:
		return f.In + " " + f.Name
	}
}

// Error returns status, code, and every field with its code.
func (p *Problem) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s: %s", p.Status, p.Code, p.Detail)

	for _, f := range p.Errors {
		fmt.Fprintf(&b, " [%s %s]", f.Where(), f.Code)
	}

	return b.String()
}

// Problem returns the problem document of a refusal, and false for every other answer.
func (a Answer) Problem() (*Problem, bool) {
	p := &Problem{}
	if a.Status < http.StatusBadRequest || json.Unmarshal(a.Body, p) != nil || p.Code == "" {
		return nil, false
	}

	return p, true
}

// Call sends a request and decodes the answer into out, unless out is nil. A refusal is returned as a *Problem.
func (c *Client) Call(ctx context.Context, method, path string, body, out any, headers ...Header) error {
	a, err := c.Send(ctx, method, path, body, headers...)
	if err != nil {
		return err
	}

	return a.decode(method, path, out)
}

// Send sends a request and returns its answer, whatever its status. body is nil, a string that is sent as it is, or
// anything that JSON can encode.
func (c *Client) Send(ctx context.Context, method, path string, body any, headers ...Header) (Answer, error) {
	var (
		send    io.Reader
		content string
	)

	switch b := body.(type) {
	case nil:
	case string:
		send = strings.NewReader(b)
		content = "application/json"

	default:
		raw, err := json.Marshal(b)
		if err != nil {
			return Answer{}, fmt.Errorf("encode the body of %s %s: %w", method, path, err)
		}

		send = bytes.NewReader(raw)
		content = "application/json"
	}

	return c.do(ctx, method, path, content, send, headers)
}

// Upload sends a file as a browser's form does, and decodes the answer like Call.
func (c *Client) Upload(ctx context.Context, path, name string, file []byte, out any, headers ...Header) error {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)

	part, err := form.CreateFormFile("file", name)
	if err != nil {
		return err
	}

	if _, err := part.Write(file); err != nil {
		return err
	}

	if err := form.Close(); err != nil {
		return err
	}

	a, err := c.do(ctx, http.MethodPost, path, form.FormDataContentType(), &body, headers)
	if err != nil {
		return err
	}

	return a.decode(http.MethodPost, path, out)
}

func (c *Client) do(
	ctx context.Context,
	method, path, content string,
	body io.Reader,
	headers []Header,
) (Answer, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.Base+path, body)
	if err != nil {
		return Answer{}, err
	}

	if content != "" {
		req.Header.Set("Content-Type", content)
	}

	if c.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.Token)
	}

	for _, h := range headers {
		req.Header.Set(h.Name, h.Value)
	}

	res, err := c.HTTP.Do(req)
	if err != nil {
		return Answer{}, err
	}
	defer res.Body.Close()

	raw, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))

	return Answer{Status: res.StatusCode, Header: res.Header, Body: raw}, err
}

func (a Answer) decode(method, path string, out any) error {
	if a.Status >= http.StatusBadRequest {
		if p, ok := a.Problem(); ok {
			return p
		}

		return fmt.Errorf("%s %s: status %d: %.500s", method, path, a.Status, a.Body)
	}

	if out == nil || len(a.Body) == 0 {
		return nil
	}

	if err := json.Unmarshal(a.Body, out); err != nil {
		return fmt.Errorf("answer of %s %s: %w", method, path, err)
	}

	return nil
}

// Person is who registers.
type Person struct{ FirstName, LastName, Email, Password string }

// Register creates a person's account. It opens no session; see SignIn.
func (c *Client) Register(ctx context.Context, p Person) error {
	return c.Call(ctx, http.MethodPost, "/auth/register", Object{
		"firstName": p.FirstName,
		"lastName":  p.LastName,
		"email":     p.Email,
		"password":  p.Password,
	}, nil)
}

// Session is what a sign-in opens. An account with a second factor gets a Temp token alone, which opens nothing until
// SecondFactor was called with it.
type Session struct {
	Access            string `json:"access_token"`
	Refresh           string `json:"refresh_token"`
	NeedsSecondFactor bool   `json:"requires_2fa"`
	Temp              string `json:"tempToken"`
}

// SignIn opens a session and sets Token to it. If the account has a second factor, Token becomes empty.
func (c *Client) SignIn(ctx context.Context, email, password string) (s Session, err error) {
	err = c.Call(ctx, http.MethodPost, "/auth/login", Object{"email": email, "password": password}, &s)
	if err == nil {
		c.Token = s.Access
	}

	return s, err
}

// SecondFactor completes a sign-in with a code of the second factor, and sets Token to the session.
func (c *Client) SecondFactor(ctx context.Context, temp, code string) (s Session, err error) {
	err = c.Call(ctx, http.MethodPost, "/auth/2fa/login", Object{"tempToken": temp, "code": code}, &s)
	if err == nil {
		c.Token = s.Access
	}

	return s, err
}
