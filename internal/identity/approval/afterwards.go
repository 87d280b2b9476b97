package approval

import (
	"context"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Job is the kind of the job that carries out what was approved. Its payload is the identifier of the approval.
const Job = "approval"

// platformLifetime is how long a request of operators can be approved. After a week somebody must look again.
const platformLifetime = 7 * 24 * time.Hour

// expirePage is how many requests expire in one write.
const expirePage = 500

// Outcome is the result of an approval that a job carries out. It is empty if the decision itself took effect.
type Outcome string

// The outcomes.
const (
	Waiting    Outcome = "WAITING" // approved; the job acts next
	CarriedOut Outcome = "CARRIED_OUT"
	Refused    Outcome = "REFUSED" // it could not be carried out any more
)

// overdue reports whether it is too late to approve or to carry out.
func (a Approval) overdue(now time.Time) bool {
	return !a.NotAfter.IsZero() && !now.Before(a.NotAfter)
}

// schedule queues the job that carries an approval out, if its kind has one, and returns the approval as WAITING.
func (s *Service) schedule(tx *db.Tx, a Approval, h Handler) Approval {
	if h.After != nil {
		a.Outcome = Waiting
		s.deps.Schedule(tx, a.ID)
	}

	return a
}

// CarryOut carries out an approval whose kind has an After, and records the outcome. What cannot be done any more is
// REFUSED. While somebody outside does not answer it returns an error, and the job calls again. Once there is an
// outcome, a call does nothing.
func (s *Service) CarryOut(ctx context.Context, approvalID string) error {
	a, err := byIDAnywhere(ctx, s.deps.DB, approvalID)
	if err != nil || a.Outcome != Waiting {
		return err
	}

	h, err := s.handler(a.Kind)
	if err != nil {
		return err
	}

	if a.overdue(s.deps.DB.Now()) {
		return s.refuse(ctx, a, "It could not be carried out in time.")
	}

	err = h.After(ctx, a, func(tx *db.Tx) error { return s.end(ctx, tx, a, CarriedOut, "") })

	refusal, refused := fault.As(err)
	if !refused || refusal.Kind == fault.Unavailable {
		return err // unknown is not refused
	}

	return s.refuse(ctx, a, refusal.Error())
}

func (s *Service) refuse(ctx context.Context, a Approval, reason string) error {
	return s.deps.DB.Write(ctx, func(tx *db.Tx) error { return s.end(ctx, tx, a, Refused, reason) })
}

// end is the only writer of an outcome.
func (s *Service) end(ctx context.Context, tx *db.Tx, a Approval, to Outcome, info string) error {
	a.Outcome = to
	a.OutcomeInfo = info
	a.Version++

	if err := end(tx, a); err != nil {
		return err
	}

	action := "approval." + strings.ToLower(string(to))
	trail.Audit(ctx, tx, a.Organisation, action, a.ID, string(a.Kind)+" "+a.Object+" "+info)

	return trail.Event(tx, action, a.Organisation, a.ID, a.Version, a.eventData())
}

// Expire moves requests that nobody has decided in time to EXPIRED, at most expirePage of them.
func (s *Service) Expire(ctx context.Context) error {
	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		late, err := overdueAt(ctx, tx, tx.Now, expirePage)
		if err != nil {
			return err
		}

		for _, a := range late {
			if _, err := s.move(ctx, tx, a, Expired, ""); err != nil {
				return err
			}
		}

		return nil
	})
}
