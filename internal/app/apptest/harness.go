//go:build !nosandbox

// Package apptest gives tests the whole service: the composed app on a database of its own, a development chain
// beside it, people who can sign in, and an oracle that holds the books against the chain.
//
// Requests go to the handler directly; nothing listens. Jobs are stepped by the test, the chain makes blocks when the
// test says so, and only the rail works in the background, as it does in the service. Nothing is judged by time:
// every wait is for a condition.
//
// Read in this order:
//
//   - The service and who uses it: harness.go, client.go (people and requests), colleague.go (further people of an
//     organisation), operators.go (those of the platform).
//   - The world outside: ground.go (the chain as it is), bank.go (what tests do with the bank), bankside.go (what the
//     bank shows), market.go (its rates).
//   - The invariants: oracle.go, oracle_rules.go (each as a query), oracle_conserve.go (of each transaction),
//     oracle_bank.go (of bank and books), events.go (that each event of the chart was posted).
//   - Accidents: process.go (the same service in a process that can be killed), snapshot.go (backups put back).
package apptest

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/world"
	"slipway/internal/platform/config"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/inprocess"
	"slipway/internal/platform/platformtest"
	"slipway/internal/platform/platformtest/waits"
	"slipway/internal/platform/secret"
	"slipway/internal/rails/chain/anvil"
	"slipway/internal/rails/chain/devchain"
	"slipway/internal/rails/chain/faultrpc"
)

// patience bounds every wait of a test; nothing is judged by it.
const patience = 20 * time.Second

// maxJobs bounds the jobs of one step: more means that one calls itself.
const maxJobs = 5_000

// Config is what differs between worlds. The zero value is a chain that mines only when told, seen directly.
type Config struct {
	Proxy bool // a fault proxy stands between the service and the node
	// Keys is security.keyring of the first app, and of further ones unless Harness.Keys is changed. Empty: the
	// sandbox's.
	Keys secret.Text
	// Environ is the configuration of the first app; see Harness.Environ.
	Environ []string
	// Tune changes what the app is built from, last.
	Tune func(*app.Outside)
}

// Harness is one world with the apps that run in it.
type Harness struct {
	T     testing.TB
	World *world.World
	Proxy *faultrpc.Proxy   // nil without Config.Proxy
	Eth   *ethclient.Client // asks the node directly, past the proxy
	URL   string            // of the database
	App   *app.App          // the first one
	Keys  secret.Text       // security.keyring of apps that are opened from now on; empty: the sandbox's
	// Environ is the configuration of apps that are opened from now on: "SLIPWAY_LIQUIDITY__NAME=second".
	Environ []string

	config  Config
	running map[*app.App]func()
	mu      sync.Mutex // of fields that parallel requests share
}

// Each runs the test once on each database, each time in a new world with one app.
func Each(t *testing.T, test func(t *testing.T, h *Harness)) {
	t.Helper()
	EachWith(t, Config{}, test)
}

// EachWith is Each in worlds of another kind.
func EachWith(t *testing.T, c Config, test func(t *testing.T, h *Harness)) {
	t.Helper()
	EachURL(t, func(t *testing.T, url string) { test(t, New(t, c, url)) })
}

// EachURL runs the test once with the address of a fresh SQLite file and once with that of a fresh PostgreSQL database.
func EachURL(t *testing.T, test func(t *testing.T, url string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, "sqlite:"+dbtest.SQLiteFile(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, dbtest.PostgresURL(t)) })
}

// chainVariable names the node that worlds run on. Without it, it is the development chain; "anvil" is Foundry's, a
// process for each world.
const chainVariable = "SLIPWAY_TEST_CHAIN"

// chainOf returns how worlds of a test open their chain. Each goes on from a chain of the same process on which
// everything is deployed.
func chainOf(t testing.TB) func(devchain.Config) (world.Chain, error) {
	if os.Getenv(chainVariable) == "anvil" {
		return func(c devchain.Config) (world.Chain, error) { return anvil.Start(t, c), nil }
	}

	return func(c devchain.Config) (_ world.Chain, err error) {
		if c.From, err = furnished(); err != nil {
			return nil, err
		}

		return devchain.Start(c)
	}
}

// furnished returns the chain of a world as it is when its tests begin.
var furnished = sync.OnceValues(func() (*devchain.Snapshot, error) {
	var chain *devchain.Chain

	w, err := world.Start(context.Background(), world.Config{
		Mode:    devchain.Manual,
		Without: world.Parts{Bank: true, Identity: true},
		OpenChain: func(c devchain.Config) (_ world.Chain, err error) {
			chain, err = devchain.Start(c)
			return chain, err
		},
	})
	if err != nil {
		return nil, err
	}

	s, err := chain.Snapshot()

	return s, errors.Join(err, w.Close())
})

// New makes a world and an app in it on a database that has the current schema. Both end with the test.
func New(t testing.TB, c Config, url string) *Harness {
	t.Helper()
	h := &Harness{
		T:       t,
		URL:     url,
		Keys:    c.Keys,
		Environ: c.Environ,
		config:  c,
		running: map[*app.App]func(){},
	}
	started := waits.For(t, "start of a chain")

	var err error
	h.World, err = world.Start(context.Background(), world.Config{Mode: devchain.Manual, OpenChain: chainOf(t)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.World.Close()) })

	started()

	h.Eth, err = ethclient.Dial(h.World.URL)
	require.NoError(t, err)
	t.Cleanup(h.Eth.Close)

	if c.Proxy {
		h.Proxy, err = faultrpc.New(h.World.URL)
		require.NoError(t, err)
		t.Cleanup(h.Proxy.Close)
	}

	h.App = h.Start()

	return h
}

// NodeURL is where the service reaches the node.
func (h *Harness) NodeURL() string {
	if h.Proxy != nil {
		return h.Proxy.URL()
	}

	return h.World.URL
}

// Start opens a further app on the harness's database, with its rail running. It stops with the test, or with Stop.
func (h *Harness) Start() *app.App {
	h.T.Helper()
	a, err := h.Open()
	require.NoError(h.T, err)
	h.run(a)

	return a
}

// Open builds an app on the harness's database and gives the error of its start. It is not run.
func (h *Harness) Open() (*app.App, error) {
	places := world.At(h.NodeURL())
	places.BankFolder = h.World.BankFolder
	places.Identity = h.World.Identity
	out := Outside(places)

	out.Clock = h.World.Clock // the bank's days are the service's

	out.Shared = true // a harness may have several
	if h.config.Tune != nil {
		h.config.Tune(&out)
	}

	return open(h.URL, h.World.BankFolder, out, h.Keys, h.Environ...)
}

// Outside is the sandbox at a chain, with everything cheap and quick.
func Outside(p world.Places) app.Outside {
	out := app.SandboxAt(p)
	out.Passwords = &argon2id.Params{
		Memory:      64,
		Iterations:  1,
		Parallelism: 1,
		SaltLength:  16,
		KeyLength:   32,
	}
	out.NoLimits = true
	out.AnyDurability = true // test servers run without fsync
	out.RunTwice = os.Getenv("SLIPWAY_TEST_RUN_TWICE") != ""
	out.Banking.Look = 20 * time.Millisecond
	rail := &out.Networks[0].Rail
	rail.Poll = 4 * time.Millisecond
	rail.StuckAfter = time.Hour
	rail.Timeout = 2 * time.Second

	return out
}

// open builds an app on a database, with what it keeps in files beside the bank's.
func open(url, dir string, out app.Outside, keys secret.Text, environ ...string) (*app.App, error) {
	c, err := config.Load(config.Source{Environ: environ})
	if err != nil {
		return nil, err
	}

	c.Database.URL = secret.Text(url)
	c.DataDir = filepath.Join(dir, "data")
	c.QRBills.CacheDir = platformtest.PDFCache()
	c.Security.Keyring = keys

	log := slog.DiscardHandler
	if os.Getenv("SLIPWAY_TEST_LOG") != "" {
		log = slog.NewTextHandler(os.Stderr, nil)
	}

	return app.New(context.Background(), c, slog.New(log), out)
}

func (h *Harness) run(a *app.App) {
	h.World.IDV.SetWebhook(a.Config.HTTP.BaseURL+"/idv/webhook", inprocess.Transport(a.Handler)) // to the newest app
	ctx, cancel := context.WithCancel(context.Background())

	done := make(chan error, 1)
	go func() { done <- a.Rail.Run(ctx) }()

	var once sync.Once
	stop := func() {
		once.Do(func() {
			cancel()
			require.NoError(h.T, <-done)
			require.NoError(h.T, a.Close())
		})
	}
	h.mu.Lock()
	h.running[a] = stop
	h.mu.Unlock()
	h.T.Cleanup(stop)
}

// Stop ends an app as a process that is told to: its rail finishes its round, then its database closes.
func (h *Harness) Stop(a *app.App) {
	h.T.Helper()
	h.mu.Lock()
	stop := h.running[a]
	delete(h.running, a)
	h.mu.Unlock()
	require.NotNil(h.T, stop, "this app does not run")
	stop()
}

// Restart stops the first app and puts a new one in its place.
func (h *Harness) Restart() {
	h.T.Helper()
	h.Stop(h.App)
	h.App = h.Start()
}

// SQLiteFile is the path of the harness's database, for tests that copy it; empty on PostgreSQL.
func (h *Harness) SQLiteFile() string {
	path, ok := strings.CutPrefix(h.URL, "sqlite:")
	if !ok {
		return ""
	}

	return path
}

// Held reports whether nothing may leave, since the database does not follow.
func (h *Harness) Held() bool {
	h.T.Helper()
	held, err := h.App.Instance.Held(context.Background())
	require.NoError(h.T, err)

	return held
}

// DB is the first app's database.
func (h *Harness) DB() *db.DB { return h.App.DB }

// Tune changes what further apps are built from, after what Config.Tune does.
func (h *Harness) Tune(f func(*app.Outside)) {
	first := h.config.Tune

	h.config.Tune = func(out *app.Outside) {
		if first != nil {
			first(out)
		}

		f(out)
	}
}

// Exec changes the database behind the service's back.
func (h *Harness) Exec(query string, args ...any) {
	h.T.Helper()
	require.NoError(h.T, h.DB().Write(context.Background(), func(tx *db.Tx) error {
		_, err := tx.Exec(query, args...)
		return err
	}))
}

// Count reads one number.
func (h *Harness) Count(query string, args ...any) int64 {
	h.T.Helper()
	n, err := db.Value[int64](context.Background(), h.DB(), query, args...)
	require.NoError(h.T, err)

	return n
}

// RunJobs runs what is due now in every app, in turns.
func (h *Harness) RunJobs() {
	h.T.Helper()
	h.mu.Lock()

	apps := make([]*app.App, 0, len(h.running))
	for a := range h.running {
		apps = append(apps, a)
	}

	h.mu.Unlock()

	for _, a := range apps {
		_, err := a.Jobs.RunDue(context.Background(), maxJobs)
		require.NoError(h.T, err)
	}
}

// IdentityRound lets the identity provider send the webhooks that are due, and the jobs run that follow. It gives how
// many were sent.
func (h *Harness) IdentityRound() int {
	h.T.Helper()
	n, err := h.World.IDV.Deliver(context.Background())
	require.NoError(h.T, err)
	h.RunJobs()

	return n
}

// Until waits for a condition while jobs run and no block comes.
func (h *Harness) Until(what string, condition func() bool) {
	h.T.Helper()
	h.wait(what, condition, h.RunJobs)
}

// Await waits for a condition that comes by itself: no job runs meanwhile, which could wait itself.
func (h *Harness) Await(what string, condition func() bool) {
	h.T.Helper()
	h.wait(what, condition, func() {})
}

// MineUntil waits for a condition while jobs run and blocks come.
func (h *Harness) MineUntil(what string, condition func() bool) {
	h.T.Helper()
	h.wait(what, condition, func() {
		h.RunJobs()
		h.World.Chain.Mine(1)
	})
}

// wait takes steps until a condition holds.
func (h *Harness) wait(what string, condition func() bool, step func()) {
	h.T.Helper()

	deadline := time.NewTimer(patience)
	defer deadline.Stop()

	tick := time.NewTicker(4 * time.Millisecond)
	defer tick.Stop()

	for !condition() {
		step()

		select {
		case <-deadline.C:
			h.T.Fatalf("waited in vain: %s\n%s", what, h.Describe())
		case <-tick.C:
		}
	}
}

// openStates are those in which the service still has something to do.
const openStates = `SELECT count(*) FROM transactions
	WHERE deleted = FALSE AND status IN ('PROCESSING', 'RELEASED') AND (settlement_status <> 'UNCERTAIN'
	OR EXISTS (SELECT 1 FROM jobs
	WHERE key = 'settle-doubt/' || transactions.id))`

// Settle runs jobs and mines until no transaction is under way any more; those that are UNCERTAIN wait for a person
// and count as ended.
func (h *Harness) Settle() {
	h.T.Helper()
	h.MineUntil("every transaction has ended", func() bool { return h.Count(openStates) == 0 })
}

// Describe lists transactions and sends, for the message of a test that fails.
func (h *Harness) Describe() string {
	var b strings.Builder
	for _, q := range []string{
		`SELECT id || ' ' || status || ' ' || settlement_status || ' ' || status_info
			FROM transactions ORDER BY id LIMIT 20`,
		`SELECT key || ' ' || state || ' nonce ' || nonce || ' block ' || block || ' ' || reason
			FROM chain_sends ORDER BY key LIMIT 20`,
		"SELECT network || ' next ' || next_nonce || ' ' || frozen || ' ' || note FROM chain_signers",
		"SELECT kind || ' ' || key || ' ' || last_error FROM jobs WHERE last_error <> '' LIMIT 20",
		"SELECT 'nothing leaves: ' || cause || ' ' || state || ' ' || sign FROM rereadings WHERE ended_at = 0",
	} {
		lines, err := db.Select(context.Background(), h.DB(), func(s *string) []any { return []any{s} }, q)
		if err != nil {
			return err.Error()
		}

		b.WriteString(strings.Join(lines, "\n") + "\n")
	}

	if health, err := h.App.Rail.Health(context.Background()); err == nil && len(health) > 0 {
		b.WriteString("rail: " + health[0].LastErr + "\n")
	}

	return b.String()
}
