package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"slipway/internal/payments/ledger"
	"slipway/internal/platform/config"
	"slipway/internal/platform/db"
)

// sandboxFolder is where slipway dev keeps a sandbox that was given no other folder.
const sandboxFolder = "data/dev"

// deployment reads the configuration of a deployment that is there already, for tools that work on it. Where nothing
// says which, it is the one whose database is in the usual folder, or the sandbox that slipway dev runs from here. A
// tool never begins an empty database: it would report that nothing is there, and be right about the wrong place.
func (g *globals) deployment() (*config.Config, error) {
	c, err := g.load()
	if err != nil || c.Given("database.url") {
		return c, err
	}

	if c.Given("data_dir") {
		if !hasDatabase(c.DataDir) {
			return nil, fmt.Errorf("there is no database in %s: is data_dir right?", c.DataDir)
		}

		return c, nil
	}

	var found []string
	for _, dir := range []string{c.DataDir, sandboxFolder} {
		if hasDatabase(dir) {
			found = append(found, dir)
		}
	}

	const choose = "name the deployment's settings by --config FILE, or its folder by SLIPWAY_DATA_DIR=FOLDER"

	switch len(found) {
	case 0:
		const none = "there is no database in %s or %s: " + choose + " (slipway dev prints its own)"
		return nil, fmt.Errorf(none, c.DataDir, sandboxFolder)
	case 1:
		c.DataDir = found[0]
		return c, nil
	default:
		return nil, errors.New("there are databases in " + strings.Join(found, " and ") + ": " + choose)
	}
}

// hasDatabase reports whether a folder holds the SQLite file of a deployment.
func hasDatabase(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, config.DatabaseName))
	return err == nil && info.Mode().IsRegular()
}

// open opens the database of a deployment that is there already.
func (g *globals) open(ctx context.Context) (*db.DB, error) {
	c, err := g.deployment()
	if err != nil {
		return nil, err
	}

	return openDatabase(ctx, c)
}

// openDatabase opens the configured database. An SQLite file that is missing is created. It returns db.ErrKeys for a
// keyring that does not open what is sealed in the database.
func openDatabase(ctx context.Context, c *config.Config) (*db.DB, error) {
	keys, err := c.SealingKeys()
	if err != nil {
		return nil, err
	}

	now, err := clockOf(c)
	if err != nil {
		return nil, err
	}

	d, err := db.Open(ctx, db.Config{URL: c.DatabaseURL(), Clock: now, Sign: ledger.Signer(keys), Keys: keys})
	if err != nil {
		return nil, err
	}

	if err := d.CheckKeys(ctx); err != nil {
		return nil, errors.Join(err, d.Close())
	}

	return d, nil
}
