package main

import (
	"context"
	"fmt"
	"strings"

	"slipway/internal/app"
	"slipway/internal/identity/approval"
	"slipway/internal/payments/receivable"
)

type bankOwedCommand struct {
	Limit rowLimit `help:"How many, the oldest first." default:"200"`
}

// Run lists what organisations owe, the oldest first.
func (c bankOwedCommand) Run(ctx context.Context, g *globals) error {
	return g.withBank(ctx, func(a *app.App) error {
		list, total, err := owed(ctx, a, int(c.Limit))
		if err != nil {
			return err
		}

		if len(list) == 0 {
			_, err := fmt.Fprintln(g.out, "no organisation owes anything")
			return err
		}

		var rows [][]string

		for _, r := range list {
			currency := r.Owed.Asset().Code

			returns, err := a.Settlement.Receivables.Returns(ctx, a.DB, r.Organisation, currency)
			if err != nil {
				return err
			}

			var setOff []string
			for _, x := range returns {
				setOff = append(setOff, x.ID+" ("+x.Amount.String()+" "+currency+")")
			}

			rows = append(rows, []string{
				r.CreatedAt.Format(clockLayout),
				r.ID,
				r.Organisation,
				r.Transaction,
				r.Owed.String() + " " + currency,
				r.Amount.String(),
				r.House,
				r.Reference,
				strings.Join(setOff, ", "),
			})
		}

		err = columns(g.out, "since\tid\torganisation\ttransaction\towed\tof\taccount\treference\treturns", rows)
		if err != nil {
			return err
		}

		return left(g.out, total-len(list), "--limit lists them")
	})
}

// owed returns the first receivables, and how many there are.
func owed(ctx context.Context, a *app.App, limit int) (list []receivable.Receivable, total int, err error) {
	list, err = receivable.OpenOf(ctx, a.DB, "", limit)
	if err != nil {
		return nil, 0, err
	}

	n, err := receivable.CountOpen(ctx, a.DB)

	return list, int(n), err
}

type bankSettleOwedCommand struct {
	ID       string `arg:"" help:"What is owed: the identifier that bank owed shows."`
	WriteOff bool   `help:"Give it up." xor:"what" required:""`
	SetOff   string `help:"Keep the money of this returned payment for it, as far as it goes." placeholder:"RETURN" xor:"what" required:""`
	Note     string `required:"" help:"Why. It is recorded."`
}

// Run has two operators decide.
func (c bankSettleOwedCommand) Run(ctx context.Context, g *globals) error {
	return g.withBank(ctx, func(a *app.App) error {
		d := receivable.Decision{Means: receivable.ByWriteOff, Reason: c.Note}
		if c.SetOff != "" {
			d.Means = receivable.BySetOff
			d.Return = c.SetOff
		}

		return g.byTwo(ctx, a, "bank settle-owed "+c.ID, func(ctx context.Context, done approval.Done) error {
			return a.Settlement.Receivables.Ask(ctx, c.ID, d, done)
		})
	})
}
