package outbound

import (
	"context"
	"fmt"
	"math/big"

	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/rails/chain"
)

// Exposure is what the treasury's balance of a token at a block may differ by from what the ledger has now: by what
// is under way, and by what has become final since. In base units.
type Exposure struct {
	In    *big.Int // may have arrived, and is not posted: pulls under way; or was sent, and may have been undone
	Out   *big.Int // may have left, and is not posted; or arrived, and may have been undone
	Later *big.Int // posted of blocks behind that one, signed
}

// Exposures returns the exposure of a network's treasury at a block, by token. It knows each send by itself: what it
// leaves out has been posted, and had its effect by then.
func (s *Service) Exposures(
	ctx context.Context,
	q db.Querier,
	networkID string,
	block uint64,
) (map[string]Exposure, error) {
	open, later, err := s.Rail.Around(ctx, q, networkID, block)
	if err != nil {
		return nil, fmt.Errorf("sends around block %d: %w", block, err)
	}

	out := exposures{}
	if err := out.pulls(ctx, q, open); err != nil {
		return nil, err
	}

	if err := out.sendings(ctx, q, networkID, open); err != nil {
		return nil, err
	}

	return out, out.later(ctx, q, networkID, later)
}

// exposures are gathered by token.
type exposures map[string]Exposure

func (e exposures) of(token string) Exposure {
	x, ok := e[token]
	if !ok {
		x = Exposure{
			In:    new(big.Int),
			Out:   new(big.Int),
			Later: new(big.Int),
		}
		e[token] = x
	}

	return x
}

// pulls adds the debits of FIAT transactions that are on their way to the treasury. One that was posted, and whose
// block was replaced since, may be missing instead.
func (e exposures) pulls(ctx context.Context, q db.Querier, open []chain.SendRef) error {
	again := map[string]bool{}

	var ids []string

	for _, s := range open {
		if k, ok := effect.Parse(s.Key); ok && k.Word == effect.Batch {
			again[k.Subject] = s.Again
			ids = append(ids, k.Subject)
		}
	}

	pulls, err := transaction.Pulls(ctx, q, ids)
	if err != nil {
		return fmt.Errorf("pulls under way: %w", err)
	}

	for _, p := range pulls {
		x := e.of(p.Token)
		if again[p.Transaction] {
			x.Out.Add(x.Out, p.Units)
		} else {
			x.In.Add(x.In, p.Units)
		}
	}

	return nil
}

// sendings adds what the treasury sends and of which it is not known yet whether it left. What was refused or doubted
// may have left by an attempt of a database that is no more.
func (e exposures) sendings(ctx context.Context, q db.Querier, networkID string, open []chain.SendRef) error {
	unknown, err := where(ctx, q, "state IN ('PLANNED', 'REFUSED', 'DOUBTFUL') AND network = ?", networkID)
	if err != nil {
		return err
	}

	for _, u := range unknown {
		x := e.of(u.Amount.Asset().Code)
		x.Out.Add(x.Out, u.Amount.Units())
	}

	for _, s := range open {
		key, ok := effect.Parse(s.Key)
		if !s.Again || !ok || !key.ByTreasury() {
			continue
		}

		undone, err := ByKey(ctx, q, key)
		if err != nil {
			return err
		}

		if undone.State == Final {
			x := e.of(undone.Amount.Asset().Code)
			x.In.Add(x.In, undone.Amount.Units())
		}
	}

	return nil
}

// later adds what was posted to the treasury of sends that became final behind the block.
func (e exposures) later(ctx context.Context, q db.Querier, networkID string, sends []chain.SendRef) error {
	var keys []string

	for _, s := range sends {
		key, ok := effect.Parse(s.Key)

		switch {
		case !ok:
		case key.ByTreasury():
			keys = append(keys, chart.SendSettledKey(key))
		default:
			keys = append(keys, chart.PulledKey(key.Subject))
		}
	}

	posted, err := ledger.PostedTo(ctx, q, ledger.TreasuryAccount(networkID), keys)

	for token, units := range posted {
		x := e.of(token)
		x.Later.Add(x.Later, units)
	}

	return err
}
