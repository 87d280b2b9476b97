package settlement

import (
	"context"
	"slices"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
	"slipway/internal/rails/chain"
)

// OnHold is something of a transaction on a chain that waits for two operators: a send that the rail has on hold, or
// tokens that are kept because the wallet refused them.
type OnHold struct {
	Key         string
	Transaction string
	Amount      money.Amount
	To          string // the address, "" where it is several
	Why         string
	Since       time.Time
	Kept        bool // tokens are kept; otherwise Status says where the send stands
	Status      chain.Status
}

// mostKept limits the list of kept tokens.
const mostKept = 200

// OnHold lists what is held on chains, the sends first, at most 200 of each kind.
func (s *Service) OnHold(ctx context.Context, q db.Querier) ([]OnHold, error) {
	held, err := chain.Holds(ctx, q)
	if err != nil {
		return nil, err
	}

	keys := make([]string, len(held))
	for i, h := range held {
		keys[i] = h.Key
	}

	statuses, err := s.Rail.Statuses(ctx, q, keys)
	if err != nil {
		return nil, err
	}

	var out []OnHold

	for _, h := range held {
		key, err := keyOf(h.Key)
		if err != nil {
			return nil, err
		}

		t, err := s.transactionOf(ctx, q, key)
		if err != nil {
			return nil, err
		}

		one := OnHold{
			Key:         h.Key,
			Transaction: t.ID,
			Amount:      money.FromUnits(money.Asset{Code: t.Token, Decimals: t.Decimals}, t.Debit),
			Why:         statuses[h.Key].Note,
			Since:       h.Since,
			Status:      statuses[h.Key],
		}
		out = append(out, one)
	}

	kept, err := s.allKept(ctx, q)

	return append(out, kept...), err
}

// allKept lists the tokens that are kept because wallets refused them.
func (s *Service) allKept(ctx context.Context, q db.Querier) (out []OnHold, err error) {
	rows, err := sendTable.Select(ctx, q, "WHERE state = 'FAILED' AND number <> 0 ORDER BY key LIMIT ?", mostKept)
	if err != nil {
		return nil, err
	}

	for i := range rows {
		x, err := rows[i].value()
		if err != nil {
			return nil, err
		}

		one := OnHold{
			Key:         x.railKey().String(),
			Transaction: x.Transaction,
			Amount:      x.amount(),
			Why:         words.English(x.Info),
			Since:       rows[i].updated,
			Kept:        true,
		}
		if len(x.Legs) == 1 {
			one.To = x.Legs[0].To
		}

		out = append(out, one)
	}

	return slices.Clip(out), nil
}
