package settlement

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/outbound"
	"slipway/internal/payments/receivable"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
	"slipway/internal/rails/chain"
)

// Held things of a transaction are sent again, or given up, when two operators decide so. They are sends that the rail
// has on HOLD, the transaction's own and the treasury's, and tokens that are kept because the wallet refused them.
// Nothing can be paid twice by this: the router accepts each number once, and a further round follows only on proof
// that the last one moved nothing.

// HeldAction is a decision about the held things of a transaction.
type HeldAction string

// The actions.
const (
	SendAgain HeldAction = "RESEND"
	GiveUp    HeldAction = "GIVE_UP" // then the router is asked what happened, as for every refused send
)

// heldDecision is what an operator requests, and the facts it is based on.
type heldDecision struct {
	Transaction string     `json:"transaction"`
	Action      HeldAction `json:"action"`
	Keys        []string   `json:"keys"` // what is held
}

// askHeld requests a second operator's agreement to an action on everything that is held of a transaction. It returns
// chain.ErrNotHeld if nothing is held. A second call replaces the first request.
func (s *Service) askHeld(ctx context.Context, transactionID string, action HeldAction, done approval.Done) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		t, err := s.transactionNamed(ctx, tx, transactionID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, t.Version); err != nil {
			return err
		}

		held, err := s.heldOf(ctx, tx, t, action)
		if err != nil {
			return err
		}

		asked := heldDecision{Transaction: t.ID, Action: action}
		said := make([]string, len(held))

		for i, h := range held {
			asked.Keys = append(asked.Keys, h.key)
			said[i] = h.summary
		}

		raw, err := json.Marshal(asked)
		if err != nil {
			return fmt.Errorf("encode decision about what is held of %s: %w", t.ID, err)
		}

		summary := "What is held of transaction %[1]s (%[2]s) is sent again: %[3]s."
		if action == GiveUp {
			summary = "What is held of transaction %[1]s (%[2]s) is given up: %[3]s."
		}

		a, err := s.Approvals.Ask(ctx, tx, approval.Request{
			Kind:   approval.Held,
			Object: t.ID,
			Data:   string(raw),
			Summary: words.Phrase(
				summary,
				t.ID,
				string(t.Settlement),
				words.List(words.Semicolons, said...),
			),
		})
		if err != nil {
			return err
		}

		return done(tx, a)
	})
}

// transactionNamed returns the transaction that a person has named.
func (s *Service) transactionNamed(ctx context.Context, q db.Querier, id string) (transaction.Transaction, error) {
	t, err := transaction.ByID(ctx, q, id)
	if errors.Is(err, db.ErrNone) {
		err = fault.Missing("transaction")
	}

	return t, err
}

// held is one held thing of a transaction: a send of the rail, or a treasury sending whose tokens are kept.
type held struct {
	key, summary string
	kept         *outbound.Effect // nil: the rail has it on HOLD
}

// heldOf returns what is held of a transaction and allows the action, in a fixed order. It returns chain.ErrNotHeld if
// there is nothing, and chain.ErrNotDead if it is too early to decide.
func (s *Service) heldOf(
	ctx context.Context,
	q db.Querier,
	t transaction.Transaction,
	action HeldAction,
) (out []held, err error) {
	sent, err := outbound.SendKeys(ctx, q, []string{t.ID})
	if err != nil {
		return nil, err
	}

	for _, key := range append([]string{effect.BatchOf(t.ID).String()}, sent[t.ID]...) {
		err := s.Rail.Endable(ctx, q, key, action == GiveUp)
		if errors.Is(err, chain.ErrNotHeld) {
			continue
		}

		if err != nil {
			return nil, err
		}

		status, err := s.Rail.Status(ctx, q, key)
		if err != nil {
			return nil, err
		}

		summary := words.Phrase("%[1]s: %[2]s", key+", "+string(status.State), status.Note)
		out = append(out, held{key: key, summary: summary})
	}

	if action == SendAgain {
		kept, err := s.keptSends(ctx, q, t)
		if err != nil {
			return nil, err
		}

		out = append(out, kept...)
	}

	if len(out) == 0 {
		return nil, fmt.Errorf("%w: %s", chain.ErrNotHeld, t.ID)
	}

	return out, nil
}

// keptSends returns the tokens of a transaction that are kept because its wallet refused them.
func (s *Service) keptSends(ctx context.Context, q db.Querier, t transaction.Transaction) (out []held, err error) {
	sends, err := outbound.SendsOf(ctx, q, t.ID)
	sends = slices.DeleteFunc(sends, func(x outbound.Effect) bool { return x.State != outbound.Kept })

	if err != nil || len(sends) == 0 {
		return nil, err
	}

	blocked, err := receivable.Blocked(ctx, q, t.Organisation)
	if err != nil {
		return nil, err
	}

	if blocked {
		return nil, notResendable(owesWhy)
	}

	for _, x := range sends {
		out = append(out, held{
			key: x.RailKey(),
			summary: words.Phrase("%[1]s, %[2]s kept for %[3]s: %[4]s",
				x.RailKey(), approval.Sum(x.Amount), x.To, x.Info),
			kept: &x,
		})
	}

	return out, nil
}

// heldDecided refuses the approval if anything is no longer held as it was when the request was made.
func (s *Service) heldDecided(ctx context.Context, tx *db.Tx, a approval.Approval) error {
	if a.Status != approval.Approved {
		return nil
	}

	d, err := decisionOf[heldDecision](a)
	if err != nil {
		return err
	}

	t, err := s.transactionNamed(ctx, tx, d.Transaction)
	if err != nil {
		return err
	}

	now, err := s.heldOf(ctx, tx, t, d.Action)
	if err != nil && !errors.Is(err, chain.ErrNotHeld) && !errors.Is(err, chain.ErrNotDead) {
		return err
	}

	same := slices.EqualFunc(now, d.Keys, func(h held, key string) bool { return h.key == key })
	if err != nil || !same {
		return overtaken("What is held of the transaction has changed")
	}

	return nil
}

// settleHeld carries out what two operators have decided. It skips what is no longer held. It is called again until it
// has succeeded or was refused, and may start over after a partial run.
func (s *Service) settleHeld(ctx context.Context, a approval.Approval, done func(tx *db.Tx) error) error {
	d, err := decisionOf[heldDecision](a)
	if err != nil {
		return err
	}

	do := s.Rail.Release
	if d.Action == GiveUp {
		do = s.Rail.GiveUp
	}

	for _, key := range d.Keys {
		if err := do(ctx, key); err != nil && !errors.Is(err, chain.ErrNotHeld) {
			return err
		}
	}

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if d.Action == SendAgain {
			if err := s.retryKept(ctx, tx, d); err != nil {
				return err
			}
		}

		return done(tx)
	})
}

// retryKept requests again the sendings that a decision names and whose tokens are kept because the wallet refused
// them.
func (s *Service) retryKept(ctx context.Context, tx *db.Tx, d heldDecision) error {
	t, err := s.transactionNamed(ctx, tx, d.Transaction)
	if err != nil {
		return err
	}

	kept, err := s.keptSends(ctx, tx, t)
	if err != nil {
		return err
	}

	kept = slices.DeleteFunc(kept, func(h held) bool { return !slices.Contains(d.Keys, h.key) })
	if len(kept) == 0 {
		return nil
	}

	for _, h := range kept {
		if err := s.Outbound.SendAgain(tx, *h.kept); err != nil {
			return err
		}
	}

	s.enqueueStep(tx, t.ID)

	if t.Type == transaction.TypeFiat {
		return s.progress(ctx, tx, t)
	}

	return s.advance(ctx, tx, t, transaction.Step{
		Status:     t.Status,
		Settlement: t.Settlement,
		Info:       words.Phrase("The tokens are sent again."),
		What:       "resent",
	})
}
