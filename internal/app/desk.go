package app

import (
	"context"
	"errors"

	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/epoch"
	"slipway/internal/platform/words"
)

// This file holds what operators decide from the command line and not through a route of its own.

// handleRereading registers what ends a re-reading of the world: two operators, who have asked the bank.
func (a *App) handleRereading() {
	a.Approvals.Handle(approval.Rereading, approval.Handler{
		Roles:   []string{user.Operator},
		Decided: rereadingDecided,
	})
}

// AskConfirmation asks a second operator to let payments leave again. note is what the bank has said. It returns
// epoch.ErrNotWaiting unless a re-reading waits for people. A second call replaces the first request.
func (a *App) AskConfirmation(ctx context.Context, note string, done approval.Done) error {
	note, err := approval.Reason("/note", note)
	if err != nil {
		return err
	}

	return a.DB.Write(ctx, func(tx *db.Tx) error {
		r, err := epoch.Waiting(ctx, tx)
		if err != nil {
			return err
		}

		ap, err := a.Approvals.Ask(ctx, tx, approval.Request{
			Kind:   approval.Rereading,
			Object: r.ID,
			Data:   note,
			Summary: words.List(
				words.Spaces,
				words.Phrase(
					"Payments leave again. They were stopped on %s: the database may be old.",
					words.When(r.At),
				),
				note,
			),
		})
		if err != nil {
			return err
		}

		return done(tx, ap)
	})
}

// rereadingDecided ends the re-reading that was asked about, unless it has ended or another one has begun.
func rereadingDecided(ctx context.Context, tx *db.Tx, ap approval.Approval) error {
	if ap.Status != approval.Approved {
		return nil
	}

	err := epoch.Confirm(ctx, tx, epoch.Confirmation{
		Rereading:  ap.Object,
		AskedBy:    ap.RequestedBy,
		ApprovedBy: ap.DecidedBy,
		Note:       ap.Data,
	})
	if errors.Is(err, epoch.ErrNotWaiting) {
		return fault.New(fault.Conflict, fault.ApprovalOvertaken,
			"The re-reading has ended, or another one has begun. Look again, and ask again.")
	}

	return err
}

// DecideApproval writes the decision of the caller, an operator, about a request of another one, and returns the
// approval as it is afterwards. What ends a hold at a bank is carried out before it returns: its job does not run while
// no service runs, nor while nothing leaves. Anything else that has to ask somebody outside is left to the job. A
// second decision is refused.
func (a *App) DecideApproval(ctx context.Context, id string, approve bool, comment string) (approval.Approval, error) {
	var decided approval.Approval

	err := a.Approvals.DecideAsOperator(ctx, id, approve, comment, func(_ *db.Tx, ap approval.Approval) error {
		decided = ap
		return nil
	})
	if err != nil || decided.Kind != approval.BankHold || decided.Outcome != approval.Waiting {
		return decided, err
	}

	err = a.Approvals.CarryOut(ctx, id)
	if err != nil && !errors.Is(err, db.ErrStale) { // else the job was faster
		return decided, err
	}

	return approval.ByID(ctx, a.DB, "", id)
}
