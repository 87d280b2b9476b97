// Package apiclient calls Slipway's API with the client that customers use (clients/go), in the words of stories: a
// person registers, signs in, and calls paths. The demo, the benchmark's set-up and the scenario tests use it; each
// adds only the requests of its own story.
//
// It retries nothing, and a token is replaced only by signing in: stories look at what comes back. A caller that
// repeats a request uses an idempotency key (Key).
package apiclient

import (
	"context"
	"net/http"
	"time"

	slipway "slipway-client"
)

const timeout = 20 * time.Second // of a request and its answer, for clients made by New

// Object is a JSON object of a request.
type Object = map[string]any

// What the customers' client has.
type (
	Answer  = slipway.Answer
	Problem = slipway.Problem
)

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

// Customer returns the client with all operations, for the present session.
func (c *Client) Customer() (*slipway.Client, error) {
	config := slipway.Config{Address: c.Base, HTTP: c.HTTP, Tries: 1}
	if c.Token != "" {
		config.Auth = slipway.Bearer(c.Token)
	}

	return slipway.New(config)
}

// Call sends a request and decodes the answer into out, unless out is nil. A refusal is returned as a *Problem.
func (c *Client) Call(ctx context.Context, method, path string, body, out any, headers ...Header) error {
	api, err := c.Customer()
	if err != nil {
		return err
	}

	return api.Call(ctx, method, path, body, out, options(headers)...)
}

// Send sends a request and returns its answer, whatever its status. body is nil, a string that is sent as it is, or
// anything that JSON can encode.
func (c *Client) Send(ctx context.Context, method, path string, body any, headers ...Header) (Answer, error) {
	api, err := c.Customer()
	if err != nil {
		return Answer{}, err
	}

	return api.Send(ctx, method, path, body, options(headers)...)
}

// Upload sends a file as a browser's form does, and decodes the answer like Call.
func (c *Client) Upload(ctx context.Context, path, name string, file []byte, out any, headers ...Header) error {
	return c.Call(ctx, http.MethodPost, path, slipway.File{Name: name, Content: file}, out, headers...)
}

func options(headers []Header) (out []slipway.Option) {
	for _, h := range headers {
		out = append(out, slipway.Header(h.Name, h.Value))
	}

	return out
}

// Person is who registers.
type Person struct{ FirstName, LastName, Email, Password string }

// Register creates a person's account. It opens no session; see SignIn.
func (c *Client) Register(ctx context.Context, p Person) error {
	api, err := c.Customer()
	if err != nil {
		return err
	}

	_, err = api.Register(ctx, slipway.RegisterRequest{
		FirstName: p.FirstName,
		LastName:  p.LastName,
		Email:     p.Email,
		Password:  p.Password,
	})

	return err
}

// Session is what a sign-in opens. An account with a second factor gets a Temp token alone, which opens nothing until
// SecondFactor was called with it.
type Session struct {
	Access            string
	Refresh           string
	NeedsSecondFactor bool
	Temp              string
}

// SignIn opens a session and sets Token to it. If the account has a second factor, Token becomes empty.
func (c *Client) SignIn(ctx context.Context, email, password string) (Session, error) {
	api, err := (&Client{Base: c.Base, HTTP: c.HTTP}).Customer()
	if err != nil {
		return Session{}, err
	}

	in, err := api.Login(ctx, slipway.LoginRequest{Email: email, Password: password})
	if err != nil {
		return Session{}, err
	}

	c.Token = in.AccessToken

	return Session{in.AccessToken, in.RefreshToken, in.Requires2Fa, in.TempToken}, nil
}

// SecondFactor completes a sign-in with a code of the second factor, and sets Token to the session.
func (c *Client) SecondFactor(ctx context.Context, temp, code string) (Session, error) {
	api, err := c.Customer()
	if err != nil {
		return Session{}, err
	}

	in, err := api.LoginSecondFactor(ctx, slipway.LoginSecondFactorRequest{TempToken: temp, Code: code})
	if err != nil {
		return Session{}, err
	}

	c.Token = in.AccessToken

	return Session{Access: in.AccessToken, Refresh: in.RefreshToken}, nil
}
