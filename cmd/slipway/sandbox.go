//go:build !nosandbox

package main

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/ethereum/go-ethereum/crypto"

	"slipway/internal/app"
	"slipway/internal/app/world"
	"slipway/internal/demo"
	"slipway/internal/pages/console"
	"slipway/internal/pages/signin"
	"slipway/internal/platform/clock"
	"slipway/internal/platform/config"
)

// sandboxCommands are the commands that need simulators.
type sandboxCommands struct {
	Demo demoCommand `cmd:"" help:"Pay, convert and deposit in an embedded sandbox, and check every figure."`
	Dev  devCommand  `cmd:"" help:"Run a sandbox for development: API, chain, bank, identity provider. Its data stays in a folder."`

	Trigger triggerCommand `cmd:"" help:"Carry out a real flow in a running sandbox: payment, fiat, onramp, return, deposit-mismatch and others."`
}

type demoCommand struct {
	Keep string `help:"Folder to keep the demo's database in. Without it, the database is deleted." type:"path"`
	Bank string `help:"Folder of the demo's bank. It is emptied first; the bank's files stay there." default:"data/demo/bank" type:"path"`

	Watch bool `help:"Leave the demo's world running afterwards, to look at in the console. Ctrl-C ends it."`
}

// demoPeriod is how often the demo's chain makes a block.
const demoPeriod = 500 * time.Millisecond

// Run starts a sandbox, plays the demo's story as a client, and returns an error if a figure is not what it must be.
func (c demoCommand) Run(ctx context.Context, g *globals) (err error) {
	dir := c.Keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "slipway-demo-"); err != nil {
			return err
		}

		defer os.RemoveAll(dir)
	}

	if err := emptyBank(c.Bank); err != nil {
		return err
	}

	fmt.Fprintln(
		g.out,
		"Slipway demo: an embedded database, an EVM chain in this process, the router contract, a bank, an "+
			"identity provider, the API, and a client.",
	)

	s, err := startSandbox(ctx, sandboxSettings{
		dir:    dir,
		bank:   c.Bank,
		period: demoPeriod,
		listen: "127.0.0.1:0",
		log:    slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
	})
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, s.close()) }()
	fmt.Fprintf(g.out, "API %s, chain %s, identity provider %s\n", s.base, s.world.Chain.URL(), s.world.Identity.URL)

	person, err := demo.Run(ctx, demo.Config{
		API:      s.base,
		World:    s.world,
		DB:       s.app.DB,
		Bank:     s.app.Bank,
		Out:      g.out,
		Terminal: isTerminal(g.out),
	})
	if err != nil {
		return fmt.Errorf("the demo failed: %w", err)
	}

	fmt.Fprintln(g.out, "\nEvery figure is what it must be. Try it yourself: go run ./cmd/slipway dev")

	if !c.Watch {
		return nil
	}

	s.user.Store(&person)
	fmt.Fprintf(g.out, `
Look at what the demo has left behind:

  console         %s/console
  user            %s
  password        %s
  second factor   %s  (for an authenticator; the page for signing in shows the code too)

Stop with Ctrl-C.
`, s.base, person.Email, person.Password, person.Secret)

	return s.wait(ctx, g.out)
}

// emptyBank deletes the bank's folder of an earlier demo. It refuses a folder that is not a bank's.
func emptyBank(dir string) error {
	list, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) || (err == nil && len(list) == 0) {
		return nil
	}

	if err != nil {
		return err
	}

	if _, err := os.Stat(filepath.Join(dir, "books.db")); err != nil {
		return fmt.Errorf("%s holds other files than those of an earlier demo: name another folder with --bank", dir)
	}

	return os.RemoveAll(dir)
}

type devCommand struct {
	Data string `help:"Folder for database, chain, bank and identity provider." default:"data/dev" type:"path"`
}

// Run serves a sandbox until it gets a signal. Started again on the same folder, it continues where it stopped.
func (c devCommand) Run(ctx context.Context, g *globals) (err error) {
	loaded, err := g.load()
	if err != nil {
		return err
	}

	if !loaded.Mode.Personal() {
		return fmt.Errorf("dev runs a sandbox and refuses mode = %q: slipway serve is for it", loaded.Mode)
	}

	log, err := openLog(os.Stderr, loaded.Log.Level, loaded.Log.Format)
	if err != nil {
		return err
	}

	defer log.Close(logLimit)

	s, err := startSandbox(ctx, sandboxSettings{
		dir:         c.Data,
		bank:        filepath.Join(c.Data, "bank"),
		period:      loaded.Dev.BlockPeriod,
		listen:      loaded.HTTP.Listen,
		chainListen: loaded.Dev.ChainListen,
		keepChain:   true,
		log:         log.Logger,
		dropped:     log.Dropped,
		config:      loaded,
	})
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, s.close()) }()

	person, err := demo.SignUp(ctx, s.base, s.app.DB)
	if err != nil {
		return fmt.Errorf("sandbox credentials: %w", err)
	}

	s.user.Store(&person)
	describe(g.out, s, person, c.Data)

	return s.wait(ctx, g.out)
}

// describe prints where everything is, and how to sign in.
func describe(out io.Writer, s *sandbox, p demo.Person, data string) {
	organisation := "(sign in to see it)"
	if p.Organisation != "" {
		organisation = p.Organisation + " (APPROVED)"
	}

	fmt.Fprintf(out, `
Slipway sandbox is ready.

%s  API             %s
  every operation %s/docs
  OpenAPI         %s/openapi.json
  mailbox         %s/sandbox/mailbox
  chain           %s  (chain id %d)
  identity        %s  (verification: pages for people and testers)
  data            %s

  user            %s
  password        %s
  organisation    %s

  bank            %s  (inbox, outbox, archive: files)
  deposits        POST /sandbox/deposits    controls: POST /sandbox/bank

  router          %s
`, consoleLine(s.base), s.base, s.base, s.base, s.base, s.world.Chain.URL(), world.ChainID, s.world.Identity.URL, data, p.Email, cmp.Or(p.Password, "(changed)"), organisation, s.world.BankFolder, s.world.Router.Hex())

	for _, t := range s.world.Tokens {
		fmt.Fprintf(out, "  test %-10s %s  (%d decimals)\n", t.Code, t.Address.Hex(), t.Decimals)
	}

	fmt.Fprintln(out, "\n  Test keys, each with gas money and 1,000,000 of every token. They are public: never send "+
		"anything of worth there.")

	for _, a := range s.world.Accounts {
		fmt.Fprintf(out, "  %s  0x%s\n", a.Address.Hex(), hex.EncodeToString(crypto.FromECDSA(a.Key)))
	}

	fmt.Fprintf(out, "\n  slipway bank, ledger and user work on this sandbox when started here, elsewhere after\n"+
		"  export SLIPWAY_DATA_DIR=%s\n", data)
	fmt.Fprintln(out, "\n  Stop with Ctrl-C; started again on the same folder, it continues where it stopped.")
}

// consoleLine says where the console is, or nothing in a build without it.
func consoleLine(base string) string {
	if !console.Present {
		return ""
	}

	return fmt.Sprintf("  console         %s/console  (sign in with the user below)\n", base)
}

// outsideOf returns the outside parties of a tool's deployment, by its mode.
func outsideOf(c *config.Config) (app.Outside, error) {
	if c.Mode.RealMoney() {
		return app.LiveTool(c)
	}

	out := app.SandboxAt(world.At(""))

	if !c.Mode.Personal() {
		out.Banking.Archive = filepath.Join(simulatorFolder(c), "bank", "received")
		return app.TestTool(c, out)
	}

	// where the sandbox that runs on this folder keeps it
	out.Banking.Archive = filepath.Join(c.DataDir, "bank", "received")

	var err error
	out.Clock, err = clockOf(c)

	return out, err
}

// simulatorFolder is where the simulators of a deployment for tests keep their books.
func simulatorFolder(c *config.Config) string { return filepath.Join(c.DataDir, "simulators") }

// testParties starts the simulators of what the configuration of a deployment for tests leaves out. It returns all
// outside parties, and what ends the simulators.
func testParties(ctx context.Context, c *config.Config, log *slog.Logger) (app.Outside, func() error, error) {
	end := func() error { return nil }

	out, err := app.Test(c, func(used config.Simulated) (app.Outside, error) {
		dir := simulatorFolder(c)

		set, err := worldOf(ctx, sandboxSettings{
			dir:         dir,
			bank:        filepath.Join(dir, "bank"),
			period:      c.Dev.BlockPeriod,
			chainListen: c.Dev.ChainListen,
			keepChain:   true,
			log:         log,
		})
		if err != nil {
			return app.Outside{}, err
		}

		set.ClockFile = ""
		set.Without = world.Parts{Chain: !used.Chain, Bank: !used.Bank, Identity: !used.Verification}

		w, err := world.Start(ctx, set)
		if err != nil {
			return app.Outside{}, err
		}

		w.Books = dir
		end = w.Close

		return app.Simulators(w, used), nil
	})
	if err != nil {
		return out, end, errors.Join(err, end())
	}

	return out, end, nil
}

// clockOf returns the time of a deployment: a sandbox may have moved its clock.
func clockOf(c *config.Config) (*clock.Clock, error) {
	if !c.Mode.Personal() {
		return clock.New(), nil
	}

	return world.ClockAt(world.ClockFile(c.DataDir))
}

type sandboxSettings struct {
	dir         string
	bank        string
	listen      string
	chainListen string
	keepChain   bool // and the identity provider's books
	period      time.Duration
	log         *slog.Logger
	dropped     func() int64   // lines of the log; nil: none is
	config      *config.Config // nil: the demo's
}

// sandbox is a running world with its API.
type sandbox struct {
	world *world.World
	app   *app.App
	base  string
	stop  context.CancelFunc
	ended chan error
	user  atomic.Pointer[demo.Person] // whom the page for signing in shows; nil: nobody yet
}

// standing returns the user whom the page for signing in shows.
func (s *sandbox) standing() signin.Person {
	p := s.user.Load()
	if p == nil || p.Password == "" {
		return signin.Person{}
	}

	return signin.Person{Email: p.Email, Password: p.Password, Code: p.Code(s.world.Clock.Now())}
}

// wait returns when the sandbox is to end, or has ended by itself.
func (s *sandbox) wait(ctx context.Context, out io.Writer) error {
	select {
	case <-ctx.Done():
		fmt.Fprintln(out, "\nstopping")
		return nil
	case err := <-s.ended:
		return err
	}
}

// named returns a listener's host and port by the name that this machine has for itself: browsers bind passkeys to a
// name, and never to an IP address.
func named(a net.Addr) string {
	host, port, err := net.SplitHostPort(a.String())
	if err == nil && (host == "127.0.0.1" || host == "::1") {
		host = "localhost"
	}

	return net.JoinHostPort(host, port)
}

// startSandbox starts a world and an API on it.
func startSandbox(ctx context.Context, set sandboxSettings) (*sandbox, error) {
	c := set.config
	if c == nil {
		var err error
		if c, err = demoConfig(set.bank); err != nil {
			return nil, err
		}
	}

	l, err := new(net.ListenConfig).Listen(ctx, "tcp", set.listen)
	if err != nil {
		return nil, fmt.Errorf("http.listen: %w", err)
	}

	c.DataDir = set.dir
	c.HTTP.BaseURL = "http://" + named(l.Addr())

	w, err := worldOf(ctx, set)
	if err != nil {
		return nil, err
	}

	s := &sandbox{base: c.HTTP.BaseURL, ended: make(chan error, 1)}
	if s.world, err = world.Start(ctx, w); err != nil {
		return nil, err
	}

	out := app.Sandbox(s.world)
	out.Standing = s.standing
	out.LogDropped = set.dropped
	out.MemoryLimit = limitMemory(c, set.log)

	if s.app, err = app.New(ctx, c, set.log, out); err != nil {
		return nil, errors.Join(err, s.world.Close())
	}

	// the API ends before the chain does, and both only through close
	running, stop := context.WithCancel(context.WithoutCancel(ctx))

	s.stop = stop
	go func() { s.ended <- s.app.Run(running, l) }()

	return s, nil
}

// demoConfig returns the configuration of the demo: one client sends all its requests as fast as it can.
func demoConfig(bank string) (*config.Config, error) {
	c, err := config.Load(config.Source{})
	if err != nil {
		return nil, err
	}

	c.Limits.Reads = 0
	c.Limits.Writes = 0
	c.QRBills.WarmUp = true
	c.QRBills.CacheDir = filepath.Join(filepath.Dir(bank), "cache", "pdfium")

	return c, nil
}

// The usual ports. A wallet that was set up for the chain, and an open page of the identity provider, work again after
// a restart.
const (
	usualChainPort    = 8545 // where wallets expect a chain on this machine
	usualIdentityPort = 8780
)

// worldOf returns the world's settings. A world that is kept has the ports that it had before, or else the usual ones,
// if they are free.
func worldOf(ctx context.Context, set sandboxSettings) (world.Config, error) {
	w := world.Config{Period: set.period, BankDir: set.bank, Log: set.log}

	var err error
	if w.Port, err = portOf(set.chainListen); err != nil || !set.keepChain {
		return w, err
	}

	w.Dir = filepath.Join(set.dir, "chain")
	w.IdentityDir = filepath.Join(set.dir, "identity")
	w.ClockFile = world.ClockFile(set.dir)

	if err := os.MkdirAll(set.dir, 0o700); err != nil {
		return w, err
	}

	if w.Port == 0 {
		if w.Port, err = keptPort(ctx, filepath.Join(set.dir, "chain.port"), usualChainPort); err != nil {
			return w, err
		}
	}

	w.IdentityPort, err = keptPort(ctx, filepath.Join(set.dir, "identity.port"), usualIdentityPort)

	return w, err
}

// keptPort returns the port that a file names, and writes the file with the first start: the usual port if it is free,
// else any that is. While another process has the port, the start is refused, because what refers to it would reach
// that process.
func keptPort(ctx context.Context, file string, usual int) (int, error) {
	raw, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		port := usual
		if !free(ctx, usual) {
			if port, err = freePort(ctx); err != nil {
				return 0, err
			}
		}

		return port, os.WriteFile(file, fmt.Appendln(nil, port), 0o600)
	}

	if err != nil {
		return 0, err
	}

	port, err := strconv.ParseUint(strings.TrimSpace(string(raw)), 10, 16)
	if err != nil {
		return 0, fmt.Errorf("%s holds no port: delete it to have another one chosen", file)
	}

	if !free(ctx, int(port)) {
		return 0, fmt.Errorf("port %d of this sandbox is in use: stop what listens there, or delete %s", port, file)
	}

	return int(port), nil
}

// free reports whether nobody listens on a port of this machine.
func free(ctx context.Context, port int) bool {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return false
	}

	return l.Close() == nil
}

// freePort returns a port of this machine on which nobody listens now.
func freePort(ctx context.Context) (int, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}

	_, port, err := net.SplitHostPort(l.Addr().String())
	if err := errors.Join(err, l.Close()); err != nil {
		return 0, err
	}

	return strconv.Atoi(port)
}

// portOf returns the port of an address, or 0 for "".
func portOf(listen string) (int, error) {
	if listen == "" {
		return 0, nil
	}

	a, err := net.ResolveTCPAddr("tcp", listen)
	if err != nil {
		return 0, fmt.Errorf("dev.chain_listen: %w", err)
	}

	return a.Port, nil
}

// close stops the API, then closes the database, then the chain.
func (s *sandbox) close() error {
	signal.Reset(os.Interrupt, syscall.SIGTERM) // a second Ctrl-C ends at once
	s.stop()

	var err error
	select {
	case err = <-s.ended:
	case <-time.After(30 * time.Second):
		err = errors.New("the API did not stop in time")
	}

	return errors.Join(err, s.app.Close(), s.world.Close())
}
