//go:build !nosandbox

package apptest

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/stretchr/testify/require"

	"slipway/internal/payments/chart/charttest"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
)

// posted gathers which events of the chart the scenarios of a package have posted. Each event must be posted by one, or
// a wrong sign in it would be seen by nobody.
var posted = struct {
	sync.Mutex
	shapes map[string]bool
}{shapes: map[string]bool{}}

// NotePosted notes the events of a scenario's book. Oracle does so, too.
func (h *Harness) NotePosted() {
	h.T.Helper()

	type row struct{ id, key, kind, transaction, account string }

	rows, err := db.Select(context.Background(), h.DB(),
		func(r *row) []any { return []any{&r.id, &r.key, &r.kind, &r.transaction, &r.account} },
		`SELECT j.id, j.key, j.kind, j.transaction_id, p.account
			FROM journals j JOIN postings p ON p.journal = j.id ORDER BY j.id, p.line`)
	require.NoError(h.T, err)

	journals := map[string]*ledger.Journal{}

	for _, r := range rows {
		j := journals[r.id]
		if j == nil {
			j = &ledger.Journal{Key: r.key, Kind: r.kind, Transaction: r.transaction}
			journals[r.id] = j
		}

		j.Postings = append(j.Postings, ledger.Posting{Account: ledger.Account(r.account)})
	}

	posted.Lock()
	defer posted.Unlock()

	for _, j := range journals {
		posted.shapes[charttest.Shape(*j)] = true
	}
}

// neverPosted returns the events that the scenarios of a folder must post and have not posted. It knows only after all
// tests have run.
func neverPosted(folder string) []string {
	for _, name := range []string{"test.run", "test.skip", "test.list"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return nil
		}
	}

	missing := map[string]bool{}

	for _, e := range charttest.Examples() {
		if shape := charttest.Shape(e.Event.Journal()); e.Folder() == folder && !posted.shapes[shape] {
			missing[fmt.Sprintf("%s (%s)", e.Name(), shape)] = true
		}
	}

	return slices.Sorted(maps.Keys(missing))
}
