package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"slipway/internal/platform/config"
	"slipway/internal/platform/secret"
)

// OpenAPI returns the document of this build's live operations. It needs no running service.
func OpenAPI(ctx context.Context) (doc []byte, err error) {
	a, done, err := blank(ctx)
	if err != nil {
		return nil, err
	}

	defer func() { err = errors.Join(err, done()) }()

	return a.API.OpenAPI()
}

// RouteList returns method, path, access, name and roles of every live operation, one a line.
func RouteList(ctx context.Context) (text string, err error) {
	a, done, err := blank(ctx)
	if err != nil {
		return "", err
	}

	defer func() { err = errors.Join(err, done()) }()

	var b strings.Builder
	for _, r := range a.API.Routes() {
		line := fmt.Sprintf("%-7s %-45s %-9s %-30s %s", r.Method, r.Path, r.Access, r.ID, strings.Join(r.Roles, ","))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}

	return b.String(), nil
}

// blank returns an app on an empty database without networks: enough to list its operations.
func blank(ctx context.Context) (*App, func() error, error) {
	dir, err := os.MkdirTemp("", "slipway-blank-")
	if err != nil {
		return nil, nil, err
	}

	c, err := config.Load(config.Source{})
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}

	c.DataDir = dir
	c.Database.URL = secret.Text("sqlite:" + filepath.Join(dir, "blank.db"))

	a, err := New(ctx, c, slog.New(slog.DiscardHandler), Outside{})
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}

	return a, func() error { return errors.Join(a.Close(), os.RemoveAll(dir)) }, nil
}
