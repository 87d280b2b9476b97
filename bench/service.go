//go:build !nosandbox

package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"runtime"
	"strconv"
	"time"

	"slipway/internal/app"
	"slipway/internal/app/world"
	"slipway/internal/platform/config"
	"slipway/internal/platform/observe"
	"slipway/internal/platform/web"
)

// serviceCommand is the measured side: Slipway in a process of its own, on a chain that another process runs. It is
// what `serve` is, with the sandbox's key and the two operations that the cost of authentication is measured with.
type serviceCommand struct {
	Database string `required:"" help:"Address of the database."`
	Data     string `required:"" help:"Folder of what the service keeps outside of the database."`
	Chain    string `required:"" help:"Address of the development chain."`
	Listen   string `required:"" help:"Address and port to answer on."`
	Work     bool   `help:"Run jobs and the chain's sender too; without it the API alone answers."`
	Profile  string `help:"Address and port for profiles."`
	ListRows int    `default:"5000000" help:"Transactions kept in memory for lists."`
}

// Run serves until a signal comes.
func (c *serviceCommand) Run(ctx context.Context) error {
	settings, err := config.Load(config.Source{Environ: []string{
		"SLIPWAY_DATABASE__URL=" + c.Database,
		"SLIPWAY_DATA_DIR=" + c.Data,
		"SLIPWAY_HTTP__ACCESS_LOG=false",
		"SLIPWAY_DATABASE__LIST_ROWS=" + strconv.Itoa(c.ListRows),
		"SLIPWAY_LIMITS__READS=0",
		"SLIPWAY_LIMITS__WRITES=0",
		"SLIPWAY_LIMITS__SIGN_INS=10000",
		"SLIPWAY_DOCUMENTS__ROOM=0",
		"SLIPWAY_DOCUMENTS__UPLOADS_PER_HOUR=0",
	}})
	if err != nil {
		return err
	}

	settings.HTTP.BaseURL = "http://" + c.Listen

	l, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return err
	}

	out := app.SandboxAt(world.At(c.Chain))
	own := out.Sandbox
	out.Sandbox = func(a *app.App, api *web.API) { own(a, api); operations(api) }
	observe.EaseCollection()

	a, err := app.New(
		ctx,
		settings,
		slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
		out,
	)
	if err != nil {
		return err
	}

	c.profiles()

	if c.Work {
		return errors.Join(a.Run(ctx, l), a.Close())
	}

	server := &http.Server{
		Handler:           a.Handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
	}

	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()

	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}

	return a.Close()
}

func (c *serviceCommand) profiles() {
	if c.Profile == "" {
		return
	}

	runtime.MemProfileRate = 512 << 10
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)

	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	go func() { _ = http.ListenAndServe(c.Profile, mux) }()
}

// small is a fixed answer of a usual size.
type small struct {
	ID     string   `json:"_id"`
	Name   string   `json:"name"`
	Status string   `json:"status"`
	Words  []string `json:"words"`
}

// operations are one answer twice: once for everybody, once for members of an organisation. Nothing else differs.
func operations(api *web.API) {
	answer := func(context.Context, *struct{}) (*small, error) {
		return &small{
			ID:     "net_dev",
			Name:   "Development chain",
			Status: "ACTIVE",
			Words:  []string{"C2C", "BATCH", "DEV"},
		}, nil
	}

	op := web.Operation{
		Method:  "GET",
		Path:    "/bench/open",
		ID:      "benchOpen",
		Summary: "A fixed answer for everybody",
		Tag:     "Bench",
		Access:  web.Public,
	}

	web.Register(api, op, answer)
	op.Path = "/bench/closed"
	op.ID = "benchClosed"
	op.Summary = "A fixed answer for members"
	op.Access = web.Tenant
	web.Register(api, op, answer)
}
