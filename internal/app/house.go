package app

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/payments/house"
	"slipway/internal/payments/settlement"
	"slipway/internal/platform/db"
	"slipway/internal/platform/halt"
	"slipway/internal/platform/observe"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/chain"
)

// house builds what holds the books against chains and banks.
func (a *App) house() {
	d := house.Deps{
		DB:          a.DB,
		Log:         a.Log,
		Keys:        a.Keys,
		Jobs:        a.Jobs,
		Approvals:   a.Approvals,
		Chain:       houseChain{rail: a.Rail, settlement: a.Settlement, sound: a.ensureSound},
		NetworkHalt: chain.HaltName,
		AccountHalt: bank.HaltName,
		Standing:    a.standing,
	}

	for _, n := range a.outside.Networks {
		d.Networks = append(d.Networks, n.Record.ID)
	}

	if a.Bank != nil {
		for _, h := range a.Bank.Accounts() {
			d.Accounts = append(d.Accounts, house.Account{ID: h.ID, Asset: bank.Asset(h.Currency)})
		}
	}

	a.House = house.New(d)
}

// standing is what the statements of one of our accounts say.
func (a *App) standing(ctx context.Context, q db.Querier, account string) (house.Standing, error) {
	s, err := a.Bank.Reconciliation(ctx, q, account)
	if errors.Is(err, db.ErrNone) || errors.Is(err, bank.ErrIncomparable) {
		return house.Standing{}, house.ErrNothing
	}

	return house.Standing{
		Statement:  fmt.Sprintf("statement %s of %s", s.Statement, s.On),
		Moved:      s.Moved,
		Advised:    s.Advised,
		Waiting:    s.Waiting,
		DoubtedIn:  s.DoubtedIn,
		DoubtedOut: s.DoubtedOut,
	}, err
}

// houseChain answers what the house asks of chains.
type houseChain struct {
	rail       *chain.Rail
	settlement *settlement.Service
	sound      func(ctx context.Context, networkID string) error
}

// Balances reads what wallets hold at a block that is final to enough nodes.
func (c houseChain) Balances(
	ctx context.Context,
	network string,
	places []house.Place,
) (house.Point, []*big.Int, error) {
	if err := c.sound(ctx, network); err != nil {
		return house.Point{}, nil, err
	}

	calls := make([]chain.CallMsg, len(places))
	for i, p := range places {
		calls[i] = chain.BalanceOf(common.HexToAddress(p.Token), common.HexToAddress(p.Wallet))
	}

	b, results, err := c.rail.AtFinal(ctx, network, calls...)
	if err != nil {
		return house.Point{}, nil, err
	}

	out := make([]*big.Int, len(results))

	for i, r := range results {
		if out[i], err = chain.Word(r); err != nil {
			return house.Point{}, nil, fmt.Errorf("balance of %s in %s: %w", places[i].Wallet, places[i].Token, err)
		}
	}

	return pointOf(b), out, nil
}

func pointOf(b chain.Block) house.Point { return house.Point{Number: b.Number, Hash: b.Hash.Hex()} }

// Transfers reads what a transaction in a final block has moved.
func (c houseChain) Transfers(ctx context.Context, network, hash string) (house.Point, []house.Transfer, error) {
	b, moved, err := c.rail.TransfersOf(ctx, network, common.HexToHash(hash))
	if errors.Is(err, chain.ErrNoReceipt) {
		err = fmt.Errorf("%w: %w", house.ErrNoEvidence, err)
	}

	out := make([]house.Transfer, len(moved))
	for i, m := range moved {
		out[i] = house.Transfer{
			Token: m.Token.Hex(),
			From:  m.From.Hex(),
			To:    m.To.Hex(),
			Units: new(big.Int).SetBytes(m.Units),
		}
	}

	return pointOf(b), out, err
}

// Ours reports whether a transaction is an attempt of one of our sends.
func (c houseChain) Ours(ctx context.Context, q db.Querier, hash string) (bool, error) {
	return c.rail.Known(ctx, q, common.HexToHash(hash))
}

// Exposures returns what is under way around a block.
func (c houseChain) Exposures(
	ctx context.Context,
	q db.Querier,
	network string,
	block uint64,
) (map[string]settlement.Exposure, error) {
	return c.settlement.Exposures(ctx, q, network, block)
}

// houseGauges are what people watch of the house's balances.
func (a *App) houseGauges() {
	each := func(pick func(c house.Check) float64) func(context.Context) (map[string]float64, error) {
		return func(ctx context.Context) (map[string]float64, error) {
			all, err := house.Checks(ctx, a.DB)
			out := make(map[string]float64, len(all))

			for _, c := range all {
				out[c.Subject] = pick(c)
			}

			return out, err
		}
	}

	a.metrics.Gauges(
		observe.Gauge{
			Name: "house_difference",
			Help: "What a chain or bank has more (or less) of the house's own than the books explain, in the " +
				"asset's units.",
			Label: "subject",
			Read: each(func(c house.Check) float64 {
				f, _ := new(big.Rat).SetFrac(
					c.Difference,
					new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(c.Asset.Decimals)), nil),
				).Float64()

				return f
			}),
		},
		observe.Gauge{
			Name:  "house_agreed_seconds",
			Help:  "Time since the books last agreed with a chain or bank.",
			Label: "subject",
			Read:  each(func(c house.Check) float64 { return a.DB.Now().Sub(c.AgreedAt).Seconds() }),
		},
		observe.Gauge{
			Name:  "house_halted",
			Help:  "1 for each network or bank account whose new sends are halted.",
			Label: "name",
			Read:  a.halted,
		},
	)
}

func (a *App) halted(ctx context.Context) (map[string]float64, error) {
	all, err := halt.All(ctx, a.DB)
	out := map[string]float64{}

	for _, h := range all {
		out[h.Name] = 1
	}

	return out, err
}
