//go:build !nosandbox

// Package idvsim is a simulated identity verification provider for sandboxes and tests: a server of the provider's API
// with its own books, the widget on which a person submits documents, and webhooks that are signed and sent as the
// provider does.
//
// What it promises: a change and its webhooks are in the books before anything is answered, so a restart changes
// nothing and loses no webhook. An external id belongs to one applicant forever. Two events of an applicant never have
// the same time. Nobody reviews documents: a tester selects the outcome, or the applicant's name does. It can be made
// to misbehave.
//
// Read in this order: idvsim.go (books), applicant.go (states of an applicant), webhook.go (delivery), api.go (the
// signed API), widget.go (the pages), steer.go.
package idvsim

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/inprocess"
	"slipway/internal/platform/journal"
	"slipway/internal/platform/secret"
	"slipway/internal/rails/idv"
)

// Config configures the provider.
type Config struct {
	Folder        string // holds books and documents; empty: they are lost with the process
	URL           string // address of the pages, for links only
	AppToken      string
	Secret        secret.Text // of requests to it
	WebhookSecret secret.Text
	Algorithm     string              // of webhooks; empty: idv.SHA256
	Levels        map[string]idv.Kind // by name: the kind of applicants on it
	Clock         *clock.Clock
	Log           *slog.Logger
}

// Server is the provider. It is safe for concurrent use.
type Server struct {
	inprocess.Steered[Behaviour]
	config  Config
	handler http.Handler

	mu         sync.Mutex // guards the fields below; the journal excludes other processes
	journal    *journal.Journal[entry]
	applicants map[string]applicant // by id
	users      map[string]string    // ids by external id
	tokens     map[string]token     // by the token's hash
	webhooks   map[int]webhook      // by number
	travel     Travel
	target     string
	carrier    *http.Client

	sending sync.Mutex    // held while webhooks are sent: they are sent one after the other
	wake    chan struct{} // something may be due
}

// entry is one change in the books. It is applied completely or not at all.
type entry struct {
	Applicant *applicant `json:"applicant,omitempty"`
	Token     *token     `json:"token,omitempty"`
	Webhooks  []webhook  `json:"webhooks,omitempty"`
	Travel    Travel     `json:"travel,omitempty"`
}

// token opens the widget for one applicant. The books hold its hash.
type token struct {
	Hash      string    `json:"hash"`
	Applicant string    `json:"applicant"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// Errors that callers compare with errors.Is.
var (
	ErrNotFound = errors.New("there is no such applicant")
	ErrToken    = errors.New("the access token is unknown or has expired")
)

// New opens the books.
func New(c Config) (*Server, error) {
	if c.Clock == nil {
		c.Clock = clock.New()
	}

	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}

	if c.Algorithm == "" {
		c.Algorithm = idv.SHA256
	}

	if !idv.Known(c.Algorithm) {
		return nil, fmt.Errorf("simulated identity provider: %.40q is not an algorithm of webhooks", c.Algorithm)
	}

	s := &Server{
		config:     c,
		applicants: map[string]applicant{},
		users:      map[string]string{},
		tokens:     map[string]token{},
		webhooks:   map[int]webhook{},
		travel:     Once,
		wake:       make(chan struct{}, 1),
	}
	s.handler = s.routes()

	path := ""
	if c.Folder != "" {
		path = filepath.Join(c.Folder, "books.jsonl")
	}

	var err error
	if s.journal, err = journal.Open[entry](path); err == nil {
		err = s.alone(func() error { return nil })
	}

	if err != nil {
		return nil, fmt.Errorf("books of the simulated identity provider: %w", err)
	}

	return s, nil
}

// Close closes the books.
func (s *Server) Close() error { return s.journal.Close() }

// alone runs work while no other goroutine or process changes the books.
func (s *Server) alone(work func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.journal.Alone(s.book, work)
}

// book applies a change to the books. Call it only inside alone.
func (s *Server) book(e entry) {
	if a := e.Applicant; a != nil {
		s.applicants[a.ID] = *a
		s.users[a.ExternalUserID] = a.ID
	}

	if e.Token != nil {
		s.tokens[e.Token.Hash] = *e.Token
	}

	for _, w := range e.Webhooks {
		s.webhooks[w.Number] = w
	}

	if e.Travel != "" {
		s.travel = e.Travel
	}
}

// keep writes a change to the journal, applies it, and wakes the sender of webhooks. Call it only inside alone.
func (s *Server) keep(e entry) error {
	if err := s.journal.Write(e); err != nil {
		return fmt.Errorf("journal: %w", err)
	}

	s.book(e)

	if len(e.Webhooks) > 0 {
		select {
		case s.wake <- struct{}{}:
		default:
		}
	}

	return nil
}

// now returns the provider's time, in milliseconds as its events have it.
func (s *Server) now() time.Time { return s.config.Clock.Now().Truncate(time.Millisecond) }

// change loads an applicant by its id or external id, lets work change it, and stores it with the webhooks that work
// returns.
func (s *Server) change(ref string, work func(a *applicant) ([]webhook, error)) (Applicant, error) {
	var out Applicant
	err := s.alone(func() error {
		a, ok := s.find(ref)
		if !ok {
			return ErrNotFound
		}

		hooks, err := work(&a)
		if err != nil {
			return err
		}

		out = a.view()

		return s.keep(entry{Applicant: &a, Webhooks: hooks})
	})

	return out, err
}

// find returns a copy of an applicant. Call it only inside alone.
func (s *Server) find(ref string) (applicant, bool) {
	a, ok := s.applicants[ref]
	if !ok {
		a, ok = s.applicants[s.users[ref]]
	}

	a.Documents = slices.Clone(a.Documents)

	return a, ok
}

// Applicant returns an applicant by its id or external id.
func (s *Server) Applicant(ref string) (Applicant, error) {
	var out Applicant
	err := s.alone(func() error {
		a, ok := s.find(ref)
		if !ok {
			return ErrNotFound
		}

		out = a.view()

		return nil
	})

	return out, err
}

// Applicants lists every applicant, newest first. Tests compare the service with it.
func (s *Server) Applicants() ([]Applicant, error) {
	var out []Applicant
	err := s.alone(func() error {
		for _, a := range s.applicants {
			out = append(out, a.view())
		}

		return nil
	})
	slices.SortFunc(out, func(a, b Applicant) int {
		if c := b.CreatedAt.Compare(a.CreatedAt); c != 0 {
			return c
		}

		return strings.Compare(b.ID, a.ID)
	})

	return out, err
}

// newToken creates an access token for an applicant and adds it to the entry.
func (s *Server) newToken(e *entry, applicantID string, ttl time.Duration) string {
	text := "_act-sbx-" + rand.Text()
	e.Token = &token{Hash: hashOf(text), Applicant: applicantID, ExpiresAt: s.now().Add(ttl)}
	return text
}

// Open returns an access token for an applicant's widget, as the API does for the service, for a tester without one.
func (s *Server) Open(ref string) (string, error) {
	var text string
	err := s.alone(func() error {
		a, ok := s.find(ref)
		if !ok {
			return ErrNotFound
		}

		var e entry
		text = s.newToken(&e, a.ID, testerTTL)

		return s.keep(e)
	})

	return text, err
}

// testerTTL is the lifetime of a tester's token.
const testerTTL = time.Hour

// opened returns the applicant that an access token opens.
func (s *Server) opened(text string) (string, error) {
	var id string
	err := s.alone(func() error {
		t, ok := s.tokens[hashOf(text)]
		if !ok || !s.now().Before(t.ExpiresAt) {
			return ErrToken
		}

		id = t.Applicant

		return nil
	})

	return id, err
}

func hashOf(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:])
}

// newID returns an identifier in the provider's form: 24 hexadecimal digits that begin with the time.
func newID(now time.Time) string {
	raw := make([]byte, 8)
	_, _ = io.ReadFull(rand.Reader, raw) // it never fails since Go 1.24
	return fmt.Sprintf("%08x", now.Unix()) + hex.EncodeToString(raw)
}

// ServeHTTP serves the API and the pages.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Transport returns a transport that calls the server within the process, without a listener. Content and signatures
// are the same.
func (s *Server) Transport() http.RoundTripper { return inprocess.Transport(s) }

// WidgetURL returns the address of the widget for an access token; without one, the address to which ?token= is added.
func (s *Server) WidgetURL(accessToken string) string {
	at := s.config.URL + "/widget"
	if accessToken != "" {
		at += "?token=" + url.QueryEscape(accessToken)
	}

	return at
}
