package comment

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Subject is a kind of record that people comment on.
type Subject struct {
	// Prefix begins the identifiers of the records.
	Prefix string
	// Path is that of the records in the interface, and Name what one is called in names of operations. Empty: members
	// neither write nor list comments on them, only the platform's people do.
	Path, Name string
	// Organisation returns the organisation whose record it is, or db.ErrNone. It is asked whoever calls: the operation
	// compares it with the caller's. A record of the platform has none.
	Organisation func(ctx context.Context, q db.Querier, id string) (string, error)
	// Commented is called in the write of a comment that the organisation sees. It raises the version of a record
	// whose view is kept by version; nil: none is.
	Commented func(ctx context.Context, tx *db.Tx, id string) error
}

// Deps are the service's dependencies.
type Deps struct {
	DB *db.DB
	// Subjects are the kinds of records.
	Subjects []Subject
	// Writers are the roles of a member that may write comments.
	Writers []string
	// Documents returns those of the keys that are documents of an organisation.
	Documents func(ctx context.Context, q db.Querier, organisation string, keys []string) (map[string]bool, error)
}

// Service holds the use cases of comments.
type Service struct{ deps Deps }

// New returns the service.
func New(d Deps) *Service { return &Service{d} }

// reader is who asks for comments: members ask below a record of their organisation, of one kind; the platform's people
// (nil) ask for every record.
type reader = *Subject

// find returns the kind of a record and its organisation. A record that the reader may not see is refused like one that
// does not exist.
func (s *Service) find(ctx context.Context, q db.Querier, object string, by reader) (Subject, string, error) {
	for _, x := range s.deps.Subjects {
		if !id.Valid(x.Prefix, object) || by != nil && by.Prefix != x.Prefix {
			continue
		}

		organisation, err := x.Organisation(ctx, q, object)
		if isMissing(err) || err == nil && by != nil && organisation != caller.Of(ctx).Organisation {
			break
		}

		return x, organisation, err
	}

	return Subject{}, "", fault.Missing("record")
}

// isMissing reports whether an error says that there is no such record, in whatever words.
func isMissing(err error) bool {
	f, ok := fault.As(err)
	return errors.Is(err, db.ErrNone) || ok && f.Code == fault.NotFoundCode
}

// add writes a comment. A second call writes another one, unless the request carries an Idempotency-Key.
func (s *Service) add(ctx context.Context, c Comment, by reader, done func(*db.Tx, Comment) error) error {
	c.Author = caller.Of(ctx).User
	c.Text = strings.TrimSpace(c.Text)

	write := func(tx *db.Tx) error {
		subject, organisation, err := s.find(ctx, tx, c.Object, by)
		if err != nil {
			return err
		}

		c := c
		c.ID = id.New(idPrefix, tx.Now)
		c.Organisation = organisation
		c.CreatedAt = tx.Now

		if err := s.check(ctx, tx, c); err != nil {
			return err
		}

		insert(tx, c)
		trail.Audit(ctx, tx, organisation, "comment.created", c.Object, c.ID)

		if subject.Commented != nil && !c.Internal {
			if err := subject.Commented(ctx, tx, c.Object); err != nil {
				return err
			}
		}

		return done(tx, c)
	}

	err := s.deps.DB.Write(ctx, write)
	if db.Overtaken(err) { // the record was changed at the same moment: the body reads it again
		err = s.deps.DB.Write(ctx, write)
	}

	return err
}

// check refuses an empty comment, and documents that are not the organisation's. It runs in the write that refers to
// them; after that nobody can delete them.
func (s *Service) check(ctx context.Context, q db.Querier, c Comment) error {
	var l fault.List
	if c.Text == "" {
		l.Add("/comment", fault.Required, "is required.")
	}

	if len(c.Documents) > 0 {
		known, err := s.deps.Documents(ctx, q, c.Organisation, c.Documents)
		if err != nil {
			return err
		}

		for i, key := range c.Documents {
			if !known[key] {
				l.Add("/documents/"+strconv.Itoa(i), fault.DocumentUnknown, "There is no such document.")
			}
		}
	}

	return l.Err()
}
