package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/money"
	"slipway/internal/payments/house"
	"slipway/internal/payments/outbound"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/liquidity"
)

// buildHouse builds the service that compares the books with chains and banks.
func (a *App) buildHouse() {
	d := house.Deps{
		DB:          a.DB,
		Log:         a.Log,
		Keys:        a.Keys,
		Jobs:        a.Jobs,
		Approvals:   a.Approvals,
		Chain:       houseChain{rail: a.Rail, outbound: a.Settlement.Outbound, sound: a.ensureSound},
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

	if a.liquidity != nil {
		for name, b := range a.liquidity.Bookkeepers() {
			d.Providers = append(d.Providers, house.Provider{Name: name, Statement: stated(b)})
		}
	}

	a.House = house.New(d)
}

// stated returns the function that reads the statement of a provider.
func stated(of liquidity.Bookkeeper) func(context.Context, time.Time) (house.Stated, error) {
	return func(ctx context.Context, from time.Time) (out house.Stated, err error) {
		s, err := of.Statement(ctx, from)
		if errors.Is(err, liquidity.ErrNoStatement) {
			return out, house.ErrNothing
		}

		amount := func(asset string, decimals int, units *big.Int) money.Amount {
			return money.FromUnits(money.Asset{Code: asset, Decimals: decimals}, units)
		}

		for _, m := range s.Movements {
			day, _ := time.Parse(time.DateOnly, m.Day) // it was checked when it was read
			out.Movements = append(out.Movements, house.Stating{
				ID:     m.ID,
				Kind:   string(m.Kind),
				Order:  m.Key,
				Place:  cmp.Or(m.Network, m.Asset),
				Amount: amount(m.Asset, m.Decimals, m.Amount()),
				Day:    day,
			})
		}

		for _, b := range s.Balances {
			out.Balances = append(out.Balances, house.Stating{
				Place:  cmp.Or(b.Network, b.Asset),
				Amount: amount(b.Asset, b.Decimals, b.Amount()),
			})
		}

		return out, err
	}
}

// standing returns what the statements of one of our accounts say.
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

// houseChain reads chains for the house.
type houseChain struct {
	rail     *chain.Rail
	outbound *outbound.Service
	sound    func(ctx context.Context, networkID string) error
}

// Balances returns what wallets hold at a block that enough nodes call final.
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

func pointOf(b chain.Block) house.Point {
	return house.Point{Number: b.Number, Hash: b.Hash.Hex(), At: time.Unix(int64(b.Time), 0)}
}

// Transfers returns what a transaction in a final block has moved.
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
) (map[string]outbound.Exposure, error) {
	return c.outbound.Exposures(ctx, q, network, block)
}
