package approval

import (
	"context"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Job is the kind of the job that carries out what was approved. Its payload is the identifier of the approval.
const Job = "approval"

// platformLifetime is how long what operators ask for can be approved. What was looked at a week ago is looked at
// again.
const platformLifetime = 7 * 24 * time.Hour

// expirePage is how many requests expire in one write.
const expirePage = 500

// Outcome is what has become of an approval that a job carries out. It is empty where the decision itself took effect.
type Outcome string

// The outcomes.
const (
	Waiting    Outcome = "WAITING" // approved; the job acts next
	CarriedOut Outcome = "CARRIED_OUT"
	Refused    Outcome = "REFUSED" // what was approved could not be done any more
)

// overdue reports whether it is too late to approve or to carry out.
func (a Approval) overdue(now time.Time) bool {
	return !a.NotAfter.IsZero() && !now.Before(a.NotAfter)
}

// planned returns an approval with the job that carries it out, where its kind has one.
func (s *Service) planned(tx *db.Tx, a Approval, h Handler, approve bool) Approval {
	if approve && h.After != nil {
		a.Outcome = Waiting
		s.deps.Later(tx, a.ID)
	}

	return a
}

// CarryOut does what an approval is about, for kinds with an After, and records what became of it. What cannot be
// done any more is REFUSED; while somebody outside does not answer, an error is returned and the job calls again. A
// second call does nothing.
func (s *Service) CarryOut(ctx context.Context, approvalID string) error {
	a, err := anyone(ctx, s.deps.DB, approvalID)
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
		return err // not knowing is not refusing
	}

	return s.refuse(ctx, a, refusal.Error())
}

func (s *Service) refuse(ctx context.Context, a Approval, why string) error {
	return s.deps.DB.Write(ctx, func(tx *db.Tx) error { return s.end(ctx, tx, a, Refused, why) })
}

// end is the only writer of an outcome.
func (s *Service) end(ctx context.Context, tx *db.Tx, a Approval, to Outcome, why string) error {
	a.Outcome = to
	a.OutcomeInfo = why
	a.Version++

	if err := end(tx, a); err != nil {
		return err
	}

	what := map[Outcome]string{CarriedOut: "carried_out", Refused: "refused"}[to]
	trail.Audit(ctx, tx, a.Organisation, "approval."+what, a.ID, string(a.Kind)+" "+a.Object+" "+why)

	return trail.Event(tx, "approval."+what, a.Organisation, a.ID, a.Version, a.notice())
}

// Expire ends requests that nobody has decided in time.
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
