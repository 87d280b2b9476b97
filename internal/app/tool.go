package app

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/config"
	"slipway/internal/rails/liquidity"
	"slipway/internal/rails/rates"
)

// NewTool builds the service for a command that works on the same database and ends. It can book what a bank reports
// and carry out what people decide. It signs nothing, places no order, hands no file over and does not listen: the
// service does what follows.
func NewTool(ctx context.Context, c *config.Config, log *slog.Logger, out Outside) (*App, error) {
	out.Networks = nil
	out.Signer = nil
	out.Sandbox = nil
	out.Banking.Channel = nil

	out.Tool = true
	if out.Banking.Liquidity != nil {
		out.Banking.Liquidity = func(string, *clock.Clock, rates.Source) (liquidity.Provider, io.Closer, error) {
			return noOrders{}, nil, nil
		}
	}

	return New(ctx, c, log, out)
}

// LiveTool returns the part of Live that a tool needs: our accounts at banks, the folder of their files, and the
// sanctions lists. It opens neither key nor chain, so that settling a deposit takes no password of the operator's key.
func LiveTool(c *config.Config) (out Outside, err error) {
	if out.Banking, err = bankOf(c); err != nil || len(c.Screening.ListFiles) == 0 {
		return out, err
	}

	all, err := screeningOf(c)
	out.Screening = Screening{Addresses: all.Addresses, Names: all.Names}

	return out, err
}

// noOrders refuses to trade: only the service trades.
type noOrders struct{}

var errNoOrders = errors.New("a command places no orders: the service does")

// Place returns an error.
func (noOrders) Place(context.Context, liquidity.Order) (liquidity.Result, error) {
	return liquidity.Result{}, errNoOrders
}

// Look returns an error.
func (noOrders) Look(context.Context, string) (liquidity.Result, error) {
	return liquidity.Result{}, errNoOrders
}
