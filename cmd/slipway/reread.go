package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"slipway/internal/app"
	"slipway/internal/app/cli"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
	"slipway/internal/platform/epoch"
)

type rereadCommand struct {
	Show    rereadShowCommand    `cmd:"" help:"Show why nothing leaves, what was found, and what waits for people."`
	Confirm rereadConfirmCommand `cmd:"" help:"Let payments leave again: two operators decide, who have asked the bank and prove who they are."`
}

// tool builds the service for a command, calls do, and closes it.
func (g *globals) tool(ctx context.Context, do func(a *app.App) error) (err error) {
	c, err := g.deployment()
	if err != nil {
		return err
	}

	out, err := outsideOf(c)
	if err != nil {
		return err
	}

	a, err := app.NewTool(ctx, c, slog.New(slog.DiscardHandler), out)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, a.Close()) }()

	return do(a)
}

type rereadShowCommand struct {
	Limit rowLimit `help:"How many past re-readings to show, the newest first." default:"10"`
}

// Run prints the re-readings of the world outside.
func (c rereadShowCommand) Run(ctx context.Context, g *globals) error {
	return g.tool(ctx, func(a *app.App) error {
		current, err := a.Instance.Current(ctx)
		switch {
		case errors.Is(err, db.ErrNone):
			fmt.Fprintln(g.out, "This database follows the instance's own last state: what may leave leaves.")
		case err != nil:
			return err

		case current.State == epoch.StateWaiting:
			fmt.Fprintf(g.out, "Nothing leaves: %s.\nThe world was re-read. Ask the bank for the files and payments "+
				"it has, look at \"slipway bank held\", then: slipway reread confirm --note WHAT-IT-SAID\n",
				current.Explanation)

		default:
			fmt.Fprintf(g.out, "Nothing leaves: %s.\nThe world is being re-read.\n", current.Explanation)
		}

		past, err := a.Instance.Past(ctx, int(c.Limit))
		if err != nil {
			return err
		}

		for _, r := range past {
			showRereading(g, r)
		}

		return nil
	})
}

// showRereading prints one re-reading.
func showRereading(g *globals, r epoch.Rereading) {
	fmt.Fprintf(g.out, "\n%s  %s  %s\n", r.At.Format(clockLayout), r.Cause, r.State)

	if r.Sign != "" {
		fmt.Fprintln(g.out, "  because "+cli.Plain(r.Sign))
	}

	for _, f := range r.Found {
		fmt.Fprintln(g.out, "  "+cli.Plain(f))
	}

	if r.LastError != "" {
		fmt.Fprintln(g.out, "  the last reading failed, and is tried again: "+cli.Plain(r.LastError))
	}

	if r.AskedBy != "" {
		fmt.Fprintf(
			g.out,
			"  confirmed by %s and %s: %s\n",
			cli.Plain(r.AskedBy),
			cli.Plain(r.ApprovedBy),
			cli.Plain(r.Note),
		)
	}
}

type rereadConfirmCommand struct {
	Note string `required:"" help:"What the bank has said. It is recorded."`
}

// Run has two operators end a re-reading that waits for people. No service need run.
func (c rereadConfirmCommand) Run(ctx context.Context, g *globals) error {
	return g.tool(ctx, func(a *app.App) error {
		if _, err := epoch.Waiting(ctx, a.DB); err != nil {
			return err
		}

		return g.byTwo(ctx, a, "reread confirm", func(ctx context.Context, done approval.Done) error {
			return a.AskConfirmation(ctx, c.Note, done)
		})
	})
}
