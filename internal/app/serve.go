package app

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"slipway/internal/platform/server"
)

// metricsConnections limits the connections of the listener for metrics: each watcher has one.
const metricsConnections = 64

// Serve answers clients on the listener until ctx ends. It starts none of the background work that Run does. It returns
// an error if the process may open too few files.
func (a *App) Serve(ctx context.Context, l net.Listener) error {
	proxies, err := a.Config.HTTP.Proxies()
	if err != nil {
		return err
	}

	wanted := a.Config.HTTP.MaxConnections

	connections, err := server.Connections(wanted, a.Config.Database.Readers+a.Config.Database.Writers)
	if err != nil {
		return err
	}

	if connections < wanted {
		a.Log.Warn("the limit of open files allows for fewer connections than http.max_connections",
			slog.Int("connections", connections), slog.Int("wanted", wanted))
	}

	front := server.New(server.Config{
		Handler:     a.Handler,
		Log:         a.Log,
		Connections: connections,
		Trusted:     proxies,
		Problem:     a.API.ParserProblem,
	})

	defer context.AfterFunc(ctx, a.Feed.Close)() // streams would not end by themselves

	return front.Serve(ctx, l, a.Config.Shutdown.Grace)
}

// listenForMetrics listens at the address of the metrics for Prometheus, if they have one of their own, and returns
// what serves them. It listens before the service says that it is ready.
func (a *App) listenForMetrics(ctx context.Context) (serve func(context.Context) error, err error) {
	address := a.Config.Telemetry.MetricsListen
	if address == "" {
		return nil, nil
	}

	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("telemetry.metrics_listen: %w", err)
	}

	mux := http.NewServeMux()
	mux.Handle("GET /metrics", a.metrics.Handler())

	metrics := server.New(server.Config{Handler: mux, Log: a.Log, Connections: metricsConnections})

	return func(ctx context.Context) error { return metrics.Serve(ctx, l, time.Second) }, nil
}
