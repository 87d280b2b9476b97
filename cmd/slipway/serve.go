package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"slipway/internal/app"
	"slipway/internal/platform/config"
	"slipway/internal/platform/observe"
)

type serveCommand struct{}

// Run serves until it gets a signal. It refuses every setting that is only for trying.
func (serveCommand) Run(ctx context.Context, g *globals) (err error) {
	c, err := g.load()
	if err != nil {
		return err
	}

	if c.Mode != config.Live {
		return errors.New(`serve is for real money and needs mode = "live"; for a sandbox run "slipway dev"`)
	}

	log, err := observe.NewLogger(os.Stderr, c.Log.Level, c.Log.Format)
	if err != nil {
		return err
	}

	out, err := app.Live(c)
	if err != nil {
		return err
	}

	observe.EaseCollection()

	a, err := app.New(ctx, c, log, out)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, a.Close()) }()

	l, err := new(net.ListenConfig).Listen(ctx, "tcp", c.HTTP.Listen)
	if err != nil {
		return fmt.Errorf("http.listen: %w", err)
	}

	log.Info("ready",
		"listen", l.Addr().String(),
		"base_url", c.HTTP.BaseURL,
		"database", a.DB.Dialect().String(),
		"version", app.Version,
	)

	return a.Run(ctx, l)
}
