package analysis

import (
	"context"
	"fmt"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/core/state"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/rails/screening"
)

// CasePrefix begins the identifiers of cases.
const CasePrefix = "scc"

// CaseStatus is how far people are with a name that is like a listed one.
type CaseStatus string

// The statuses of a case. Only CLEARED lets the name pass.
const (
	CaseOpen      CaseStatus = "OPEN"      // staff decide next
	CaseProposed  CaseStatus = "PROPOSED"  // one person has said what it is; a second one decides next
	CaseCleared   CaseStatus = "CLEARED"   // it is another party
	CaseConfirmed CaseStatus = "CONFIRMED" // it is the listed party
)

// CaseMoves is every allowed change of a case.
var CaseMoves = state.New("Screening case",
	state.Move[CaseStatus]{To: CaseOpen, On: "a name is like a listed one"},
	state.Move[CaseStatus]{From: CaseOpen, To: CaseProposed, On: "the first person says what it is"},
	state.Move[CaseStatus]{From: CaseProposed, To: CaseProposed, On: "somebody says something else"},
	state.Move[CaseStatus]{
		From: CaseProposed,
		To:   CaseCleared,
		On:   "a second person says too that it is another party",
	},
	state.Move[CaseStatus]{
		From: CaseProposed,
		To:   CaseConfirmed,
		On:   "a second person says too that it is the listed party",
	},
	state.Move[CaseStatus]{From: CaseCleared, To: CaseProposed, On: "somebody doubts it"},
	state.Move[CaseStatus]{From: CaseConfirmed, To: CaseProposed, On: "somebody doubts it"},
)

// Case is one name of one organisation's that is like one listed name.
type Case struct {
	ID, Organisation     string
	Subject, Name        string // folded, and as it was asked first
	Hit                  screening.Hit
	Object               string // for which it was found first
	Status               CaseStatus
	Said                 Proposal[CaseStatus] // CLEARED or CONFIRMED
	Version              int64
	CreatedAt, UpdatedAt time.Time
}

func newCase(in Inquiry, folded, name string, hit screening.Hit, now time.Time) Case {
	return Case{
		ID:           id.New(CasePrefix, now),
		Organisation: in.Organisation,
		Subject:      folded,
		Name:         name,
		Hit:          hit,
		Object:       in.Object,
		Status:       CaseOpen,
		Version:      1,
	}
}

// decide applies one person's word: the first proposes, a second who says the same decides. Who says something else
// than was proposed or decided proposes anew, and until then the name is blocked. notSecond is as in Proposal.Say.
func (c Case) decide(who string, notSecond error, verdict CaseStatus, reason string) (Case, error) {
	if c.Status == verdict {
		return c, fault.New(fault.Conflict, fault.CaseDecided, "The case is %s already.", c.Status)
	}

	said, err := c.Said.Say(who, notSecond, verdict, reason)
	if err != nil {
		return c, err
	}

	next := c
	next.Said = said

	next.Status = CaseProposed
	if said.Decided() {
		next.Status = verdict
	}

	if !CaseMoves.Allows(c.Status, next.Status) {
		return c, fmt.Errorf("screening case %s cannot go from %s to %s", c.ID, c.Status, next.Status)
	}

	return next, nil
}

// Decide records what one of the platform's people says of a case. done is called at the end of the write.
func (s *Service) Decide(
	ctx context.Context,
	caseID string,
	verdict CaseStatus,
	reason string,
	done func(tx *db.Tx, c Case) error,
) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		c, err := caseByID(ctx, tx, caseID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, c.Version); err != nil {
			return err
		}

		notSecond, err := user.CallerAsSecond(ctx, tx, user.Staff, tx.Now)
		if err != nil {
			return err
		}

		next, err := c.decide(caller.Of(ctx).User, notSecond, verdict, reason)
		if err != nil {
			return err
		}

		next = updateCase(tx, next)
		trail.Audit(
			ctx,
			tx,
			c.Organisation,
			"screening.case",
			c.ID,
			string(next.Status)+" "+string(verdict)+": "+reason,
		)

		return done(tx, next)
	})
}
