package bank

import (
	"context"
	"fmt"
	"math/big"

	"slipway/internal/platform/db"
)

// settleBlock matches a debit that covers all payouts of a block that the bank did not refuse. Its amount must be their
// sum. A different amount may mean that the report (pain.002) that refuses some of them has not arrived: the debit is
// passed on as unmatched and checked again with each report about its file (settleBlocks).
func (s *settling) settleBlock(ctx context.Context, rows []*payoutRow, m Entry) error {
	open, fits := openOf(rows, m)
	if !fits {
		for _, p := range open {
			s.contradict(
				p,
				fmt.Sprintf(
					"entry %s debits its block with %s, which is not the sum of the block's open payouts",
					m.ID,
					m.Amount,
				),
			)
		}

		if len(open) > 0 {
			s.tx.Insert(insertBlock, m.ID, s.blockFile[m.block()], false, db.Micros(s.tx.Now))
		}

		s.unmatched(m)

		return nil
	}

	for i, p := range open {
		one := m
		one.ID = partID(m.ID, int64(i+1))
		one.Amount = amount(p.Currency, p.Units)
		one.EndToEndID = p.EndToEndID

		one.UETR = p.UETR
		if err := s.book(ctx, p, one); err != nil {
			return err
		}
	}

	return nil
}

// openOf returns the payouts of a block that a debit may cover, and whether it is their sum.
func openOf(rows []*payoutRow, m Entry) (open []*payoutRow, fits bool) {
	sum := new(big.Int)
	for _, p := range rows {
		if p.House == m.Account && p.State != Rejected && p.State != Booked && p.State != Returned {
			open = append(open, p)
			sum.Add(sum, amount(p.Currency, p.Units).Units())
		}
	}

	return open, len(open) > 0 && sum.Cmp(m.Amount.Units()) == 0
}

// settleBlocks checks debits of the blocks of some payment files again, after a report about them. If the sum matches
// now, the debit is withdrawn from where it was booked as unmatched, and matched with its payouts.
func (r *Rail) settleBlocks(ctx context.Context, tx *db.Tx, messages []string) error {
	ids, err := unsettledBlocks(ctx, tx, messages)
	if err != nil {
		return fmt.Errorf("debits of blocks: %w", err)
	}

	for _, id := range ids {
		if err := r.settleAgain(ctx, tx, id); err != nil {
			return fmt.Errorf("debit %s of a block: %w", id, err)
		}
	}

	return nil
}

// settleAgain checks one debit of a block again.
func (r *Rail) settleAgain(ctx context.Context, tx *db.Tx, entryID string) error {
	moves, err := movements(ctx, tx, entryID)
	if err != nil || len(moves) != 1 {
		return err
	}

	m := moves[0]

	s, err := r.begin(ctx, tx, moves)
	if err != nil {
		return err
	}

	open, fits := openOf(s.blocks[m.block()], m)
	if !fits {
		return nil
	}

	if withdrawn, err := r.c.Observer.Withdrawn(ctx, tx, moves); err != nil || !withdrawn {
		return err
	}

	ids := make([]string, len(open))
	for i, p := range open {
		p.Conflict = ""
		ids[i] = p.ID
	}

	if err := clearConflicts(tx, ids); err != nil {
		return err
	}

	noteBlockSettled(tx, entryID)

	return s.settleAll(ctx, moves)
}
