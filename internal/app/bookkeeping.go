package app

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/payments/bookkeeping"
	"slipway/internal/payments/dayrate"
	"slipway/internal/platform/config"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/rates"
)

// buildBookkeeping builds the reference rates of days, and the exports for organisations' own books.
func (a *App) buildBookkeeping() {
	a.DayRates = dayrate.New(a.DB, a.publisher())
	a.Bookkeeping = bookkeeping.New(bookkeeping.Deps{
		DB:        a.DB,
		Rates:     a.DayRates,
		Approvals: a.Approvals,
		Currency:  a.Config.Operator.Currency,
		Outside: bookkeeping.Outside{
			Hashes:     chain.HashesOf,
			EndToEnd:   bank.EndToEndOf,
			References: bank.ReferencesOf,
			BalanceAt:  a.balanceAt,
		},
	})

	a.Jobs.Every(dayrate.Job, dayrate.Every, a.DayRates.Refresh)
}

// balanceAt reads what a wallet had of a token before a moment.
func (a *App) balanceAt(
	ctx context.Context, network, token, owner string, before time.Time,
) (bookkeeping.Point, *big.Int, error) {
	if err := a.ensureSound(ctx, network); err != nil {
		return bookkeeping.Point{}, nil, err
	}

	call := chain.BalanceOf(common.HexToAddress(token), common.HexToAddress(owner))

	b, results, newest, err := a.Rail.AtTime(ctx, network, before, call)
	if errors.Is(err, chain.ErrNoReceipt) {
		return bookkeeping.Point{}, nil, fmt.Errorf("%w: %w", bookkeeping.ErrNoBlock, err)
	}

	if err != nil {
		return bookkeeping.Point{}, nil, err
	}

	if len(results[0]) == 0 {
		return bookkeeping.Point{}, new(big.Int), nil // the token's contract is younger than the block
	}

	units, err := chain.Word(results[0])

	return bookkeeping.Point{Number: b.Number, Hash: b.Hash.Hex(), Newest: newest}, units, err
}

// publisher returns who publishes the reference rates of days: the simulated market where prices come from it, else the
// central bank. A sandbox without prices has none.
func (a *App) publisher() rates.Publisher {
	if p, ok := a.rates.(rates.Publisher); ok {
		return p
	}

	if a.rates == nil && a.Config.Mode != config.Live {
		return nil
	}

	return rates.ECBHistory{URL: a.Config.Rates.ECBHistoryURL}
}
