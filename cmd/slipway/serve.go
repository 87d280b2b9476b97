package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"

	"slipway/internal/app"
	"slipway/internal/platform/config"
	"slipway/internal/platform/observe"
)

type serveCommand struct{}

// Run serves until it gets a signal. Where money is real it refuses every setting that is only for trying.
func (serveCommand) Run(ctx context.Context, g *globals) (err error) {
	c, err := g.load()
	if err != nil {
		return err
	}

	if c.Mode.Personal() {
		return errors.New(`serve needs mode = "live" or mode = "test"; for a sandbox run "slipway dev"`)
	}

	log, err := openLog(os.Stderr, c.Log.Level, c.Log.Format)
	if err != nil {
		return err
	}

	defer log.Close(logLimit)
	signal.Ignore(syscall.SIGHUP) // whatever rotates logs sends it to everybody

	if ignored := c.IgnoredProxies(); len(ignored) > 0 {
		log.Warn("the environment names a proxy, and all requests leave directly",
			"variables", ignored, "set", "outgoing.proxy")
	}

	out, end, err := partiesOf(ctx, c, log.Logger)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, end()) }()

	out.LogDropped = log.Dropped
	out.MemoryLimit = limitMemory(c, log.Logger)

	a, err := app.New(ctx, c, log.Logger, out)
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil // it was told to end before it had begun
	}

	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, a.Close()) }()

	observe.EaseCollection() // from here on: what a start allocates is no load

	l, err := new(net.ListenConfig).Listen(ctx, "tcp", c.HTTP.Listen)
	if err != nil {
		return fmt.Errorf("http.listen: %w", err)
	}

	log.Info("ready",
		"mode", string(c.Mode),
		"simulated", c.Simulated().Parts(),
		"listen", l.Addr().String(),
		"base_url", c.HTTP.BaseURL,
		"database", a.DB.Dialect().String(),
		"version", app.Version,
	)

	return a.Run(ctx, l)
}

// partiesOf returns the outside parties of a deployment, and what ends those that run in this process.
func partiesOf(ctx context.Context, c *config.Config, log *slog.Logger) (app.Outside, func() error, error) {
	if c.Mode.RealMoney() {
		out, err := app.Live(c)
		return out, func() error { return nil }, err
	}

	return testParties(ctx, c, log)
}
