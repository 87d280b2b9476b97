package invoicelink

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
)

// SendAgain mails a link that is open, or that nobody submitted in time, once more. Only the hash of a token is
// stored, so it gets another one: from now on the mails before lead nowhere. What was handed in so far stays if the
// link has not expired, and the 14 days begin anew. The token is in the mail alone and not in the answer: otherwise
// whoever sends it again could enter an account by it, and confirm as a second person what he has entered himself. A
// second call mails it a second time, within the limits of Create.
func (s *Service) SendAgain(ctx context.Context, organisation, linkID string, done Done) error {
	token := secret.Token(tokenPrefix)

	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		k, err := ByID(ctx, tx, organisation, linkID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, k.Version); err != nil {
			return err
		}

		if k.Status != k.StatusAt(tx.Now) { // the job was not here yet
			if k, err = s.end(ctx, tx, k, Expired, expiredEvent); err != nil {
				return err
			}
		}

		if err := k.sendable(tx.Now); err != nil {
			return err
		}

		if err := s.deps.OrgApproved(ctx, tx, organisation); err != nil {
			return err
		}

		if err := s.checkMailLimits(ctx, tx, k); err != nil {
			return err
		}

		if err := k.renew(tx.Now, hashOf(token)); err != nil {
			return err
		}

		const event = "invoice_link.sent_again"
		if k, err = update(tx, k, event); err != nil {
			return err
		}

		trail.Audit(ctx, tx, k.Organisation, event, k.ID, k.Email)

		if err := s.mailLink(ctx, tx, Made{k, s.deps.BaseURL + "/i#" + token}, caller.Of(ctx).User); err != nil {
			return err
		}

		return done(tx, k)
	})
}

// sendable refuses to send a link again by which an invoice has come, or that a member has ended.
func (k Link) sendable(now time.Time) error {
	if k.Status = k.StatusAt(now); k.Status != Open && k.Status != Expired {
		return k.closedError()
	}

	return nil
}

// renew gives a link another token and its whole lifetime. One that has expired is open again, and empty: end has
// deleted what was handed in.
func (k *Link) renew(now time.Time, hash string) error {
	if k.Status == Expired {
		if err := k.move(Open); err != nil {
			return err
		}
	}

	k.hash = hash
	k.ExpiresAt = now.Add(Lifetime)
	k.Mails++
	k.MailedAt = now
	k.MailProblem = ""

	return nil
}
