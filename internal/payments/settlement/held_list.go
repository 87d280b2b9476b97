package settlement

import (
	"context"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/payments/outbound"
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
	To          string // of kept tokens, the address
	Why         string
	Since       time.Time
	Kept        bool // tokens are kept; otherwise Status says where the send stands
	Status      chain.Status
}

// mostHeld limits the list of each kind.
const mostHeld = 200

// OnHold lists what is held on chains, the sends first, at most 200 of each kind. It returns besides how many there are
// in all.
func (s *Service) OnHold(ctx context.Context, q db.Querier) ([]OnHold, int, error) {
	held, sends, err := chain.Holds(ctx, q, mostHeld)
	if err != nil {
		return nil, 0, err
	}

	keys := make([]string, len(held))
	for i, h := range held {
		keys[i] = h.Key
	}

	statuses, err := s.Rail.Statuses(ctx, q, keys)
	if err != nil {
		return nil, 0, err
	}

	var out []OnHold

	for _, h := range held {
		key, err := keyOf(h.Key)
		if err != nil {
			return nil, 0, err
		}

		t, err := s.transactionOf(ctx, q, key)
		if err != nil {
			return nil, 0, err
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

	kept, all, err := outbound.KeptSends(ctx, q, mostHeld)
	for _, x := range kept {
		out = append(out, OnHold{
			Key:         x.RailKey(),
			Transaction: x.Transaction,
			Amount:      x.Amount,
			To:          x.To,
			Why:         words.English(x.Info),
			Since:       x.UpdatedAt,
			Kept:        true,
		})
	}

	return out, sends + all, err
}
