package reconcile

import (
	"context"
	"fmt"
	"slices"

	"slipway/internal/payments/chart"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Withdrawn takes back the recorded movements of one booking, because the bank has reported it anew: its parts, who
// paid, what for. The caller records the replacements in the same write. Withdrawn returns false and changes nothing if
// one of the movements pays a transaction, is on its way back, was assigned by people or took a deposit back: that
// stands, whatever the bank reports later. A proposal of one person lapses. Without movements it returns false.
func (s *Service) Withdrawn(ctx context.Context, tx *db.Tx, entries []string) (bool, error) {
	if len(entries) == 0 {
		return false, nil
	}

	deposits, err := depositsAmong(ctx, tx, entries)
	if err != nil {
		return false, fmt.Errorf("deposits: %w", err)
	}

	debits, err := debitsAmong(ctx, tx, entries)
	if err != nil {
		return false, fmt.Errorf("debits: %w", err)
	}

	if len(deposits)+len(debits) < len(entries) ||
		slices.ContainsFunc(deposits, func(d Deposit) bool { return !table.Allows(d.State, StateWithdrawn) }) ||
		slices.ContainsFunc(debits, func(x Debit) bool { return x.Reversal }) {
		return false, nil
	}

	for _, d := range deposits {
		if err := s.withdrawDeposit(ctx, tx, d); err != nil {
			return false, fmt.Errorf("deposit %s: %w", d.Entry, err)
		}
	}

	for _, x := range debits {
		withdrawDebit(tx, x)

		if err := chart.PostOn(tx, x.days(), chart.DebitWithdrawn{Deposit: x.event()}); err != nil {
			return false, fmt.Errorf("debit %s: %w", x.Entry, err)
		}
	}

	return true, nil
}

// withdrawDeposit takes one deposit out of suspense. A deposit that is NEW was not posted yet.
func (s *Service) withdrawDeposit(ctx context.Context, tx *db.Tx, d Deposit) error {
	if d.State != StateNew {
		if err := chart.PostOn(tx, d.days(), chart.DepositWithdrawn{Of: d.of(), Deposit: d.ForBook()}); err != nil {
			return err
		}
	}

	trail.Audit(ctx, tx, d.Organisation, "deposit.withdrawn", d.Entry, string(d.State))
	moveDeposit(tx, d, StateWithdrawn)

	return s.lapse(ctx, tx, d)
}
