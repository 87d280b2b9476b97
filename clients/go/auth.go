package slipway

import (
	"context"
	"errors"
	"fmt"
	"net/http"
)

// Auth says who calls: APIClient, Person or Bearer.
type Auth interface {
	// open returns the tokens of a new session.
	open(ctx context.Context, c *Client) (tokens, error)
}

type tokens struct{ access, refresh string }

// APIClient are the credentials of a program, as POST /auth/api-key made them.
type APIClient struct{ ID, Secret string }

func (a APIClient) open(ctx context.Context, c *Client) (tokens, error) {
	t, err := c.ClientToken(ctx, ClientTokenRequest{ClientID: a.ID, Secret: a.Secret}, unsigned)
	if err != nil {
		return tokens{}, err
	}

	return tokens{t.AccessToken, t.RefreshToken}, nil
}

// Person signs in with a password, and with a code of the second factor if there is one.
type Person struct {
	Email, Password string
	// Code returns a present code of the authenticator. nil: there is no second factor.
	Code func(ctx context.Context) (string, error)
}

// ErrSecondFactor means that the account has a second factor and Person.Code is nil.
var ErrSecondFactor = errors.New("slipway: the account has a second factor, so Person needs Code")

func (p Person) open(ctx context.Context, c *Client) (tokens, error) {
	t, err := c.Login(ctx, LoginRequest{Email: p.Email, Password: p.Password}, unsigned)
	if err != nil {
		return tokens{}, err
	}

	if !t.Requires2Fa {
		return tokens{t.AccessToken, t.RefreshToken}, nil
	}

	if p.Code == nil {
		return tokens{}, ErrSecondFactor
	}

	code, err := p.Code(ctx)
	if err != nil {
		return tokens{}, fmt.Errorf("slipway: code of the second factor: %w", err)
	}

	full, err := c.LoginSecondFactor(ctx, LoginSecondFactorRequest{TempToken: t.TempToken, Code: code}, unsigned)
	if err != nil {
		return tokens{}, err
	}

	return tokens{full.AccessToken, full.RefreshToken}, nil
}

// Bearer is an access token that somebody else takes care of. It is never replaced.
type Bearer string

func (b Bearer) open(context.Context, *Client) (tokens, error) { return tokens{access: string(b)}, nil }

// unsigned marks a call that opens a session and so cannot wait for one.
func unsigned(r *request) { r.unsigned = true }

// session holds the tokens of a client.
type session struct {
	auth Auth
	turn chan struct{} // holds one value; who takes it may read and replace now
	now  tokens
}

func newSession(a Auth) *session {
	if a == nil {
		return nil
	}

	s := &session{auth: a, turn: make(chan struct{}, 1)}
	s.turn <- struct{}{}

	return s
}

// token returns a token that is not the used one. Of all callers whose token has expired one replaces it, and the
// others wait for that: a refresh token is good once.
func (s *session) token(ctx context.Context, c *Client, used string) (string, error) {
	select {
	case <-s.turn:
	case <-ctx.Done():
		return "", ctx.Err()
	}

	defer func() { s.turn <- struct{}{} }()

	if s.now.access != "" && s.now.access != used {
		return s.now.access, nil
	}

	fresh, err := s.renewed(ctx, c)
	if err != nil {
		return "", err
	}

	s.now = fresh

	return fresh.access, nil
}

// renewed exchanges the refresh token, or signs in where there is none or it is not good any more.
func (s *session) renewed(ctx context.Context, c *Client) (tokens, error) {
	refresh := s.now.refresh
	s.now = tokens{} // it is used up, whatever comes of it

	if refresh == "" {
		return s.auth.open(ctx, c)
	}

	t, err := c.Refresh(ctx, Header("Authorization", "Bearer "+refresh))

	var p *Problem
	if errors.As(err, &p) && p.Status == http.StatusUnauthorized {
		return s.auth.open(ctx, c)
	}

	if err != nil {
		return tokens{}, err
	}

	return tokens{t.AccessToken, t.RefreshToken}, nil
}
