package house

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/words"
)

// A difference that two operators accept halts nothing any more, as long as it does not grow. It is told all the same
// until it is gone.

// release is a difference that waits for a second operator.
type release struct {
	Difference string `json:"difference"` // signed units
}

// AskRelease asks a second operator to accept the difference that was found in something, and so to let what it has
// halted go on.
func (s *Service) AskRelease(ctx context.Context, subject, why string, done approval.Done) error {
	why, err := approval.Reason("/reason", why)
	if err != nil {
		return err
	}

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		c, known, err := bySubject(ctx, tx, subject)
		if err != nil {
			return err
		}

		if !known {
			return fault.Missing("balance")
		}

		if c.Difference.Sign() == 0 || c.State == Accepted {
			return fault.New(
				fault.Conflict,
				fault.NothingToRelease,
				"No difference was found that nobody has accepted.",
			)
		}

		raw, err := json.Marshal(release{Difference: c.Difference.String()})
		if err != nil {
			return fmt.Errorf("encode the difference in %s: %w", subject, err)
		}

		by := approval.Sum(money.FromUnits(c.Asset, c.Difference))

		summary := words.Phrase(
			"Accept that %[1]s differs by %[2]s, and let %[3]s go on. %[4]s",
			subject,
			by,
			c.Halts,
			why,
		)
		if c.Halts == "" {
			summary = words.Phrase("Accept that %[1]s differs by %[2]s. %[3]s", subject, by, why)
		}

		a, err := s.Approvals.Ask(ctx, tx, approval.Request{
			Kind:    approval.Release,
			Object:  subject,
			Data:    string(raw),
			Summary: summary,
		})
		if err != nil {
			return err
		}

		return done(tx, a)
	})
}

// releaseDecided accepts an approved difference, unless it has grown since.
func (s *Service) releaseDecided(ctx context.Context, tx *db.Tx, a approval.Approval) error {
	if a.Status != approval.Approved {
		return nil
	}

	var r release
	if err := json.Unmarshal([]byte(a.Data), &r); err != nil {
		return fmt.Errorf("decode the difference of %s: %w", a.ID, err)
	}

	c, known, err := bySubject(ctx, tx, a.Object)
	if err != nil || !known {
		return err
	}

	accepted, err := money.ParseUnits(r.Difference)
	if err != nil {
		return fmt.Errorf("difference of %s: %w", a.ID, err)
	}

	if c.Difference.Sign() != 0 && !covers(accepted, c.Difference) {
		return fault.New(
			fault.Conflict,
			fault.ApprovalOvertaken,
			"The difference is another one than when this was asked for. Ask again.",
		)
	}

	c.Accepted = accepted
	c.InRow = 0
	storeCheck(tx, c)
	trail.Audit(ctx, tx, "", "house.accepted", c.Subject, words.English(a.Summary))

	return s.lift(ctx, tx, c, "two operators have accepted the difference")
}
