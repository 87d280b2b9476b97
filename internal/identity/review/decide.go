package review

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// What the platform's people do: look, tick, comment, propose and confirm.

// change loads a case that waits for people, changes it, and calls done, in one write.
func (s *Service) change(
	ctx context.Context,
	caseID string,
	f func(tx *db.Tx, c *Case) error,
	done func(tx *db.Tx, c Case) error,
) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		c, err := byID(ctx, tx, caseID)
		if errors.Is(err, db.ErrNone) {
			return fault.Missing("case")
		}

		if err != nil {
			return err
		}

		if err := c.open(); err != nil {
			return err
		}

		if err := f(tx, &c); err != nil {
			return err
		}

		update(tx, c)

		c.Version++ // as it is stored now

		return done(tx, c)
	})
}

// open refuses a case that does not wait for people.
func (c Case) open() error {
	if c.Status == Submitted {
		return nil
	}

	return fault.New(
		fault.Conflict,
		fault.ReviewNotOpen,
		"The case is %s; people decide while it is SUBMITTED.",
		c.Status,
	)
}

// sayable refuses a verdict that a person cannot give now: about himself, too early, as the second word on his own
// proposal, or as the second word of somebody who cannot be the second person now (notSecond; nil: he can).
func (c Case) sayable(who string, notSecond error, verdict Verdict, comment string) error {
	if c.Subject == who {
		return fault.New(fault.Forbidden, fault.SecondPersonRequired, "Nobody decides about himself.")
	}

	if err := c.mayBe(verdict, comment); err != nil {
		return err
	}

	switch {
	case !c.stands(verdict):
		return nil

	case c.ProposedBy == who:
		return fault.New(
			fault.Forbidden,
			fault.SecondPersonRequired,
			"You have proposed this; another person confirms it.",
		)
	}

	return notSecond
}

// stands reports whether a verdict is proposed of what the case rests on now.
func (c Case) stands(verdict Verdict) bool {
	return c.ProposedBasis == c.Basis && c.Proposal == verdict
}

// someWords stand for the comment that a rejection needs, where nobody has written it yet.
const someWords = "-"

// allowedActions returns what the caller may do with a case. notSecond is as in sayable.
func (c Case) allowedActions(ctx context.Context, notSecond error) []string {
	acts := []caller.Act{
		{Word: "checklist", Operation: "checkReview", Refusal: c.open()},
		{Word: "comments", Operation: "commentReview", Refusal: c.open()},
	}

	for _, verdict := range []Verdict{Approve, RejectRetry, RejectFinal} {
		acts = append(acts, caller.Act{
			Word:      strings.ReplaceAll(strings.ToLower(string(verdict)), "_", "-"),
			Operation: "decideReview",
			Refusal:   cmp.Or(c.open(), c.sayable(caller.Of(ctx).User, notSecond, verdict, someWords)),
		})
	}

	return caller.Allowed(ctx, acts...)
}

// Check ticks a point of the checklist, or takes the tick back.
func (s *Service) Check(
	ctx context.Context,
	caseID, point string,
	ticked bool,
	done func(tx *db.Tx, c Case) error,
) error {
	return s.change(ctx, caseID, func(tx *db.Tx, c *Case) error {
		if !slices.Contains(Points(c.Kind), point) {
			return fault.Missing("point of the checklist")
		}

		if _, is := c.Checklist[point]; is == ticked {
			return nil
		}

		c.Basis++

		if !ticked {
			delete(c.Checklist, point)
			trail.Audit(ctx, tx, auditOf(*c), "review.unchecked", c.ID, point)

			return nil
		}

		c.Checklist[point] = Tick{By: caller.Of(ctx).User, At: tx.Now}
		trail.Audit(ctx, tx, auditOf(*c), "review.checked", c.ID, point)

		return nil
	}, done)
}

// Note adds a comment for the platform's other people. It is part of what a decision rests on.
func (s *Service) Note(ctx context.Context, caseID, text string, done func(tx *db.Tx, c Case) error) error {
	return s.change(ctx, caseID, func(tx *db.Tx, c *Case) error {
		insertComment(tx, c.ID, caller.Of(ctx).User, text)

		c.Basis++

		trail.Audit(ctx, tx, auditOf(*c), "review.commented", c.ID, "")

		return nil
	}, done)
}

// Decide proposes a verdict, or confirms what another person has proposed. basis is what the caller has looked at. A
// verdict that differs from the proposal, or comes after a change, becomes the proposal. comment is for the applicant.
//
// The person who has proposed may change the proposal and cannot confirm it. Nor can whoever got his role just now
// (user.GrantDelay).
func (s *Service) Decide(
	ctx context.Context,
	caseID string,
	verdict Verdict,
	comment string,
	basis int64,
	done func(tx *db.Tx, c Case) error,
) error {
	me := caller.Of(ctx).User

	return s.change(ctx, caseID, func(tx *db.Tx, c *Case) error {
		if basis != c.Basis {
			return fault.New(
				fault.Conflict,
				fault.ReviewChanged,
				"The case has changed since you looked at it. Look again.",
			)
		}

		notSecond, err := user.CallerAsSecond(ctx, tx, user.Staff, tx.Now)
		if err != nil {
			return err
		}

		if err := c.sayable(me, notSecond, verdict, comment); err != nil {
			return err
		}

		if !c.stands(verdict) {
			c.Proposal = verdict
			c.ProposedBy = me
			c.ProposedBasis = c.Basis
			c.ProposedWords = comment
			trail.Audit(ctx, tx, auditOf(*c), "review.proposed", c.ID, string(verdict))

			return nil
		}

		c.Status = Approved
		if verdict != Approve {
			c.Status = Rejected
			c.Retry = verdict == RejectRetry
			c.Comment = c.ProposedWords
		}

		c.DecidedBy = me
		c.DecidedAt = tx.Now
		trail.Audit(ctx, tx, auditOf(*c), "review.decided", c.ID, string(verdict))

		return s.Reviewed(tx, c.Subject)
	}, done)
}

// mayBe refuses a verdict that the case does not allow.
func (c Case) mayBe(verdict Verdict, comment string) error {
	var l fault.List

	if verdict != Approve {
		if comment == "" {
			l.Add("/comment", fault.Required, "is needed with a rejection: the applicant reads it.")
		}

		return l.Err()
	}

	for _, point := range Points(c.Kind) {
		if _, ticked := c.Checklist[point]; !ticked {
			return fault.New(fault.Conflict, fault.ReviewIncomplete, "%s is not ticked on the checklist.", point)
		}
	}

	if c.Screening != ScreeningClear {
		return fault.New(
			fault.Conflict,
			fault.ReviewIncomplete,
			"Screening is %s; a case is approved when it is CLEAR.",
			c.Screening,
		)
	}

	return nil
}

// Looked returns a case with its documents and comments, and records in the audit log that the caller has seen it.
func (s *Service) Looked(ctx context.Context, caseID string) (c Case, d []Document, m []Comment, err error) {
	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		c, err = byID(ctx, tx, caseID)
		if errors.Is(err, db.ErrNone) {
			return fault.Missing("case")
		}

		if err != nil {
			return err
		}

		if d, err = documentsOf(ctx, tx, caseID); err != nil {
			return err
		}

		if m, err = commentsOf(ctx, tx, caseID); err != nil {
			return err
		}

		trail.Audit(ctx, tx, auditOf(c), "review.read", c.ID, "")

		return nil
	})

	return c, d, m, err
}

// Download opens a document of a case, and records in the audit log that the caller has read it.
func (s *Service) Download(ctx context.Context, caseID, key string) (File, error) {
	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		c, err := byID(ctx, tx, caseID)
		if errors.Is(err, db.ErrNone) {
			return fault.Missing("case")
		}

		if err != nil {
			return err
		}

		trail.Audit(ctx, tx, auditOf(c), "review.document", c.ID, key)

		return nil
	})
	if err != nil {
		return File{}, err
	}

	return s.File(ctx, caseID, key)
}
