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

// serveMetrics serves the metrics for Prometheus on an address of their own.
func (a *App) serveMetrics(ctx context.Context, listen string) error {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", listen)
	if err != nil {
		return fmt.Errorf("telemetry.metrics_listen: %w", err)
	}

	mux := http.NewServeMux()
	mux.Handle("GET /metrics", a.metrics.Handler())

	metrics := server.New(server.Config{Handler: mux, Log: a.Log, Connections: metricsConnections})

	return metrics.Serve(ctx, l, time.Second)
}
