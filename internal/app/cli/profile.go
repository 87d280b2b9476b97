// Package cli is the command line's side of the API: profiles with credentials, calls of any operation, and how answers
// are printed.
//
// It knows no operation by name. What can be called, and with which fields, stands in package operations, which is
// written from the registered routes.
//
// Read in this order: profile.go (who calls which deployment), call.go (a call from its words to its answer), fields.go
// (the fields of its body), proof.go (second factor or password before a change), fault.go (refusals and exit codes),
// output.go (how answers are printed), listen.go (following events), explain.go (where a transaction stands).
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"slipway/internal/app/apiclient"
)

// Profile is a deployment and who calls it.
type Profile struct {
	URL      string    `json:"url"`
	Test     bool      `json:"test,omitempty"`    // a deployment without real money: nothing asks for --yes
	InClear  bool      `json:"inClear,omitempty"` // credentials may cross a network unencrypted
	ClientID string    `json:"clientId,omitempty"`
	Secret   string    `json:"secret,omitempty"`
	Access   string    `json:"accessToken,omitempty"`
	Refresh  string    `json:"refreshToken,omitempty"`
	Until    time.Time `json:"accessUntil,omitzero"`
}

// File holds the profiles by name.
type File struct {
	Path     string             `json:"-"`
	Profiles map[string]Profile `json:"profiles"`
}

// The environment wins over the file.
const (
	EnvURL     = "SLIPWAY_API_URL"
	EnvClient  = "SLIPWAY_API_CLIENT_ID"
	EnvSecret  = "SLIPWAY_API_CLIENT_SECRET"
	EnvToken   = "SLIPWAY_API_TOKEN" // an access token; it is not renewed
	EnvProfile = "SLIPWAY_API_PROFILE"
	EnvInClear = "SLIPWAY_API_IN_CLEAR" // not empty: credentials may cross a network unencrypted
	EnvFile    = "SLIPWAY_API_PROFILES"
)

// accessFor is for how long an access token is taken for good: less than it lives, so that none ends under way.
const accessFor = 14 * time.Minute

// ErrNoProfile is returned where nobody has signed in.
var ErrNoProfile = errors.New("not signed in: run slipway login, or set SLIPWAY_API_URL with SLIPWAY_API_CLIENT_ID " +
	"and SLIPWAY_API_CLIENT_SECRET")

// ErrInClear is returned in place of sending a credential over a network unencrypted.
var ErrInClear = errors.New("the address is not https, and not this machine: the secret would cross the network in " +
	"clear. Use the https address. In a network that you trust, sign in with --in-clear, or set " + EnvInClear + "=1")

// Protected returns ErrInClear if what is sent to the deployment could be read on its way.
func (p *Profile) Protected() error {
	u, err := url.Parse(p.URL)
	if err != nil {
		return err
	}

	a, err := netip.ParseAddr(u.Hostname())
	here := u.Hostname() == "localhost" || err == nil && a.IsLoopback()

	if p.InClear || here || u.Scheme == "https" {
		return nil
	}

	return ErrInClear
}

// Path returns where the profiles are: $SLIPWAY_API_PROFILES, or slipway/profiles.json in the user's configuration.
func Path() (string, error) {
	if path := os.Getenv(EnvFile); path != "" {
		return path, nil
	}

	dir, err := os.UserConfigDir()

	return filepath.Join(dir, "slipway", "profiles.json"), err
}

// Open reads the profiles; a missing file has none. A file that others may read is refused.
func Open(path string) (*File, error) {
	f := &File{Path: path, Profiles: map[string]Profile{}}

	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}

	if err != nil {
		return nil, err
	}

	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s has credentials and may be read by others: chmod 600 it", path)
	}

	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}

	if err := json.Unmarshal(raw, f); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}

	if f.Profiles == nil {
		f.Profiles = map[string]Profile{}
	}

	return f, nil
}

// Change reads the profiles under a lock, changes them, and writes them in one step, so that two commands at a time do
// not lose each other's tokens.
func Change(path string, change func(f *File) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}

	lock, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, lock.Close()) }()

	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}

	f, err := Open(path)
	if err != nil {
		return err
	}

	if err := change(f); err != nil {
		return err
	}

	raw, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}

	if err := os.WriteFile(path+".new", append(raw, '\n'), 0o600); err != nil {
		return err
	}

	return os.Rename(path+".new", path)
}

// Session calls the API for a profile, and renews its tokens.
type Session struct {
	*apiclient.Client
	Name string
	Profile

	// Ask has a person type a secret without showing it; nil: there is nobody at a terminal.
	Ask func(what string) (string, error)

	path string // of the file; empty: all comes from the environment
}

// Connect returns a session of a profile that has signed in, or of the environment. name may be empty.
func Connect(ctx context.Context, name string) (*Session, error) {
	if name == "" {
		name = os.Getenv(EnvProfile)
	}

	if name == "" {
		name = "default"
	}

	s := &Session{Name: name}

	if address := os.Getenv(EnvURL); address != "" {
		s.Profile = Profile{
			URL:      strings.TrimRight(address, "/"),
			InClear:  os.Getenv(EnvInClear) != "",
			ClientID: os.Getenv(EnvClient),
			Secret:   os.Getenv(EnvSecret),
			Access:   os.Getenv(EnvToken),
		}
		s.Test = strings.HasPrefix(s.Secret, testSecret)
	} else {
		path, err := Path()
		if err != nil {
			return nil, err
		}

		f, err := Open(path)
		if err != nil {
			return nil, err
		}

		p, ok := f.Profiles[name]
		if !ok {
			return nil, ErrNoProfile
		}

		s.Profile = p
		s.path = path
	}

	if err := s.Protected(); err != nil {
		return nil, err
	}

	s.Client = apiclient.New(s.URL)
	s.HTTP.Timeout = longest

	return s, s.authorize(ctx)
}

// longest is how long a call may take: a long poll waits for half a minute.
const longest = 75 * time.Second

// testSecret begins the secrets of clients of a deployment without real money.
const testSecret = "sk_test_"

// tokens are what every way of signing in answers.
type tokens struct {
	Access     string `json:"access_token"`
	Refresh    string `json:"refresh_token"`
	SecondStep bool   `json:"requires_2fa"`
	Temporary  string `json:"tempToken"`
}

func (p *Profile) take(t tokens) {
	p.Access = t.Access
	p.Refresh = t.Refresh
	p.Until = time.Now().Add(accessFor)
}

// authorize sets the token of the calls that follow, a new one where the last one ends soon. One command renews at a
// time; those that wait find what it has stored.
func (s *Session) authorize(ctx context.Context) error {
	s.Token = s.Access

	switch {
	case s.path == "" && s.Access != "":
		return nil
	case s.path == "":
		if s.ClientID == "" {
			return ErrNoProfile
		}

		return s.renew(ctx)
	case time.Now().Before(s.Until):
		return nil
	}

	return Change(s.path, func(f *File) error {
		s.Profile = f.Profiles[s.Name]
		if time.Now().Before(s.Until) {
			s.Token = s.Access
			return nil
		}

		if err := s.renew(ctx); err != nil {
			return err
		}

		f.Profiles[s.Name] = s.Profile

		return nil
	})
}

func (s *Session) renew(ctx context.Context) error {
	var t tokens

	var err error
	if s.ClientID != "" {
		s.Token = ""
		err = s.Call(ctx, "POST", "/auth/token", apiclient.Object{"clientId": s.ClientID, "secret": s.Secret}, &t)
	} else {
		s.Token = s.Refresh
		err = s.Call(ctx, "POST", "/auth/refresh", nil, &t)
	}

	if err != nil {
		return Refusal(err, "sign in again: ")
	}

	s.take(t)
	s.Token = s.Access

	return nil
}

// Login signs in with what a person or a program has, and stores the profile. code is asked for the second factor,
// and only where one is needed.
func Login(ctx context.Context, name string, p Profile, email, password string, code func() (string, error)) error {
	if err := p.Protected(); err != nil {
		return err
	}

	c := apiclient.New(p.URL)

	var t tokens

	var err error
	if p.ClientID != "" {
		p.Test = strings.HasPrefix(p.Secret, testSecret)
		err = c.Call(ctx, "POST", "/auth/token", apiclient.Object{"clientId": p.ClientID, "secret": p.Secret}, &t)
	} else {
		err = c.Call(ctx, "POST", "/auth/login", apiclient.Object{"email": email, "password": password}, &t)
	}

	if err == nil && t.SecondStep {
		var typed string
		if typed, err = code(); err != nil {
			return err
		}

		body := apiclient.Object{"tempToken": t.Temporary, "code": strings.TrimSpace(typed)}
		err = c.Call(ctx, "POST", "/auth/2fa/login", body, &t)
	}

	if err != nil {
		return Refusal(err, "")
	}

	p.take(t)

	path, err := Path()
	if err != nil {
		return err
	}

	return Change(path, func(f *File) error {
		f.Profiles[name] = p
		return nil
	})
}

// Logout ends the profile's session at the service and removes it from the file, even where the service cannot be
// reached.
func Logout(ctx context.Context, name string) error {
	path, err := Path()
	if err != nil {
		return err
	}

	return Change(path, func(f *File) error {
		p, ok := f.Profiles[name]
		if !ok {
			return ErrNoProfile
		}

		delete(f.Profiles, name)

		if p.Protected() != nil {
			return nil // its tokens end by themselves
		}

		c := apiclient.New(p.URL)
		c.Token = p.Refresh
		_ = c.Call(ctx, "POST", "/auth/logout", nil, nil) // the tokens end by themselves

		return nil
	})
}
