package review

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/trail"
	provider "slipway/internal/rails/idv"
)

// NewFile is a file that an applicant hands in.
type NewFile struct {
	Case, Name, DeclaredType string
	Body                     io.Reader
}

// File is a stored document, opened.
type File struct {
	Name, ContentType string
	Size              int64
	Body              io.ReadCloser
}

// Deps is what the service needs from elsewhere.
type Deps struct {
	DB      *db.DB
	Log     *slog.Logger
	Jobs    *jobs.Runner
	BaseURL string // begins the address of the hosted form
	Sandbox bool
	// Store checks and keeps a file; then runs in the write in which it becomes visible, with its key.
	Store func(ctx context.Context, f NewFile, then func(tx *db.Tx, key string) error) error
	// File opens a document of a case.
	File func(ctx context.Context, caseID, key string) (File, error)
	// Screen asks whether names are listed. It calls outside. clean is false while people have not cleared a finding.
	Screen func(ctx context.Context, caseID string, names []string) (clean bool, err error)
	// Reviewed runs in the write that changes what a case means to its subject.
	Reviewed func(tx *db.Tx, subject string) error
}

// Service holds the cases. It implements idv.Provider.
type Service struct{ Deps }

// screenJob asks whether an applicant is listed. Its payload is the case.
const screenJob = "review-screen"

// screenAgain is how long to wait before names that were like listed ones are asked about again: people may have
// cleared them.
const screenAgain = 10 * time.Minute

// New returns the service and registers its job.
func New(d Deps) *Service {
	s := &Service{d}
	s.Jobs.Handle(screenJob, func(ctx context.Context, j jobs.Job) (jobs.Result, error) {
		again, err := s.screen(ctx, j.Payload)
		if err == nil && again {
			return jobs.Again(screenAgain), nil
		}

		return jobs.Done(), err
	})

	return s
}

// Create opens the case of a subject, or returns the one that stands there.
func (s *Service) Create(ctx context.Context, n provider.New) (out provider.Review, err error) {
	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		c, err := bySubject(ctx, tx, n.ExternalUserID)
		if errors.Is(err, db.ErrNone) {
			c = Case{
				ID:         id.New(Prefix, tx.Now),
				Kind:       n.Kind,
				Subject:    n.ExternalUserID,
				Level:      n.LevelName,
				Status:     Open,
				Form:       map[string]string{},
				Registered: known(n.Info),
				Checklist:  map[string]Tick{},
				Basis:      1,
				Version:    1,
				CreatedAt:  tx.Now,
				UpdatedAt:  tx.Now,
			}
			insert(tx, c)

			err = nil
		}

		out = c.review(s.Sandbox)

		return err
	})

	return out, unknown(err)
}

// Applicant returns the review of a case.
func (s *Service) Applicant(ctx context.Context, applicantID string) (provider.Review, error) {
	c, err := byID(ctx, s.DB, applicantID)
	if errors.Is(err, db.ErrNone) {
		return provider.Review{}, provider.ErrNotFound
	}

	return c.review(s.Sandbox), unknown(err)
}

// UpdateInfo corrects what is known of an applicant, while the form can be changed.
func (s *Service) UpdateInfo(ctx context.Context, _ provider.Kind, applicantID string, info map[string]any) error {
	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		c, err := byID(ctx, tx, applicantID)
		if err != nil {
			return err
		}

		if !c.editable() {
			return provider.ErrRefused
		}

		for name, v := range known(info) {
			c.Registered[name] = v
		}

		c.Basis++
		update(tx, c)

		return nil
	})

	switch {
	case errors.Is(err, db.ErrNone):
		return provider.ErrNotFound
	case errors.Is(err, provider.ErrRefused):
		return err
	}

	return unknown(err)
}

// Token issues a token that opens the hosted form once.
func (s *Service) Token(
	ctx context.Context,
	externalUserID, levelName string,
	ttl time.Duration,
) (out provider.Token, err error) {
	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		c, err := bySubject(ctx, tx, externalUserID)
		if err != nil {
			return err
		}

		if c.Level != levelName { // an answer on another level is none
			c.Level = levelName
			c.Basis++

			update(tx, c)
		}

		out.Value = newVisit(tx, c.ID, kindToken, tx.Now.Add(ttl))
		out.ExpiresAt = tx.Now.Add(ttl)
		out.URL = s.BaseURL + "/verify#" + out.Value

		return nil
	})
	if errors.Is(err, db.ErrNone) {
		return out, provider.ErrNotFound
	}

	return out, unknown(err)
}

// newVisit stores the hash of a new secret that opens a case, and returns the secret.
func newVisit(tx *db.Tx, caseID, kind string, expires time.Time) string {
	var bits [32]byte
	_, _ = rand.Read(bits[:]) // it never fails

	secret := base64.RawURLEncoding.EncodeToString(bits[:])
	insertVisit(tx, hashOf(secret), caseID, kind, expires)

	return secret
}

func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// unknown marks an error of our own as one that says nothing about the applicant.
func unknown(err error) error {
	if err == nil {
		return nil
	}

	return fmt.Errorf("%w: %w", provider.ErrUnknown, err)
}

// known returns what the rest of the program knows of an applicant, as answers of the form.
func known(info map[string]any) map[string]string {
	out := map[string]string{}

	for name, v := range info {
		if text, ok := v.(string); ok && text != "" {
			out[name] = text
		}
	}

	return out
}

// screen asks about the names of a submitted case, and reports whether to ask again later.
func (s *Service) screen(ctx context.Context, caseID string) (again bool, err error) {
	before, err := byID(ctx, s.DB, caseID)
	if err != nil || before.Status != Submitted || before.Screening == ScreeningClear {
		return false, err
	}

	clean, err := s.Screen(ctx, before.ID, before.names())
	if err != nil {
		return false, fmt.Errorf("screen case %s: %w", before.ID, err)
	}

	found := ScreeningFound
	if clean {
		found = ScreeningClear
	}

	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		c, err := byID(ctx, tx, caseID)
		if err != nil || c.Status != Submitted || c.SubmittedAt != before.SubmittedAt || c.Screening == found {
			return err
		}

		c.Screening = found
		c.Basis++
		update(tx, c)
		trail.Audit(ctx, tx, "", "review.screened", c.ID, string(found))

		return nil
	})

	return !clean, err
}
