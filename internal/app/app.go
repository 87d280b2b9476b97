// Package app puts Slipway together: New builds everything in one readable list, Run serves until its context ends,
// Close lets go.
//
// What differs between a sandbox and a live deployment is an Outside: which chains, which key, which screening.
// Nothing else in the program asks for the mode.
package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/directory/analysis"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/document"
	"slipway/internal/directory/network"
	"slipway/internal/directory/payee"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/refdata"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/auth"
	"slipway/internal/identity/idv"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/preference"
	"slipway/internal/identity/twofactor"
	"slipway/internal/identity/user"
	"slipway/internal/pages/account"
	"slipway/internal/payments/billscan"
	"slipway/internal/payments/house"
	"slipway/internal/payments/invoicelink"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/notice"
	"slipway/internal/payments/payable"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/settlement"
	"slipway/internal/payments/statement"
	"slipway/internal/payments/transaction"
	"slipway/internal/payments/transaction/crypto"
	"slipway/internal/payments/transaction/fiat"
	"slipway/internal/payments/transaction/onramp"
	"slipway/internal/platform/cache"
	"slipway/internal/platform/clock"
	"slipway/internal/platform/config"
	"slipway/internal/platform/db"
	"slipway/internal/platform/epoch"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/observe"
	"slipway/internal/platform/qrscan"
	"slipway/internal/platform/replica"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/web"
	"slipway/internal/platform/witness"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/rates"
	"slipway/internal/schema"
	"slipway/internal/standards/eip55"
)

// Version is what /openapi.json and the command line say; the build sets it.
const Version = "0.1.0"

// Outside is the parties beyond this process.
type Outside struct {
	Networks  []Network
	Signer    chain.Signer
	Screening Screening
	// Clock is whose time the service lives in; nil: the wall clock, on its own.
	Clock   *clock.Clock
	Banking Banking
	// Verification is who verifies people and organisations.
	Verification Verification
	// Sandbox registers the operations that steer simulators; nil in a live deployment.
	Sandbox func(a *App, api *web.API)
	// PrivateNodes lets operators name nodes on loopback and in private networks.
	PrivateNodes bool
	// Passwords is how dear the hash of a password is; nil: as dear as auth makes it. Tests take a cheap one.
	Passwords *argon2id.Params
	// NoLimits lets tests ask as often as they like.
	NoLimits bool
	// RunTwice makes the database run every write body twice, for tests: it proves that bodies have no outside effect.
	RunTwice bool
	// Tool is set for a command that works on the service's database and lets nothing leave.
	Tool bool
	// AnyDurability lets tests run on a database that may lose what it has acknowledged.
	AnyDurability bool
}

// Network is a chain this deployment pays on: what the directory shows of it, and how the rail reaches it.
type Network struct {
	Record network.Network
	Tokens []network.Token
	Rail   chain.Network
}

// App is a running Slipway.
type App struct {
	Config       *config.Config
	Log          *slog.Logger
	DB           *db.DB
	Keys         *secret.Keyring
	API          *web.API
	Instance     *epoch.Instance
	Rail         *chain.Rail
	Replica      *replica.Replica
	Jobs         *jobs.Runner
	Auth         *auth.Service
	Mail         *mail.Outbox
	Preferences  *preference.Service
	Notices      *notice.Service
	Users        *user.Service
	Organisation *organisation.Service
	Verification *idv.Service
	Approvals    *approval.Service
	Quotes       *quote.Service // nil without rates
	Bank         *bank.Rail     // nil without accounts at banks
	Transactions *transaction.Service
	Documents    *document.Service
	Payables     *payable.Service
	InvoiceLinks *invoicelink.Service
	BillScan     *billscan.Service
	Settlement   *settlement.Service
	Statements   *statement.Service
	House        *house.Service
	Wallets      *wallet.Service
	Screenings   *analysis.Service
	BankAccounts *bankaccount.Service
	Handler      http.Handler

	outside   Outside
	deposits  []transaction.DepositAccount
	metrics   *observe.Metrics
	health    *observe.Readiness
	trace     *observe.Tracing
	rates     rates.Source // nil without Banking
	providers []io.Closer  // of liquidity, the one of [liquidity] first
	files     io.Closer    // of documents; nil: nothing to close
	witness   witness.Store
	scanner   *qrscan.Reader
	factors   *twofactor.Service
	observer  *lateObserver
	checked   sync.Map // networks whose tokens and router were compared with the chain
}

// New opens the database, brings its schema up to date, and builds every part. Nothing runs before Run.
func New(ctx context.Context, c *config.Config, log *slog.Logger, out Outside) (*App, error) {
	if out.Clock == nil {
		out.Clock = clock.New()
	}

	keys, err := Keyring(c)
	if err != nil {
		return nil, err
	}

	d, err := db.Open(ctx, db.Config{
		URL:      c.DatabaseURL(),
		Clock:    out.Clock,
		Readers:  c.Database.Readers,
		Writers:  c.Database.Writers,
		MaxGroup: c.Database.GroupLimit,
		Sign:     ledger.Signer(keys),
		Keys:     keys,
		RunTwice: out.RunTwice,
	})
	if err != nil {
		return nil, err
	}

	a := &App{
		Config:  c,
		Log:     log,
		DB:      d,
		Keys:    keys,
		outside: out,
	}
	if err := a.build(ctx); err != nil {
		return nil, errors.Join(err, d.Close())
	}

	return a, nil
}

func (a *App) build(ctx context.Context) error {
	if err := a.DB.CheckDurability(ctx); err != nil && !a.outside.AnyDurability {
		return err
	}

	if _, err := a.DB.Migrate(ctx, schema.Files()); err != nil {
		return err
	}

	if err := network.Seed(ctx, a.DB); err != nil {
		return fmt.Errorf("seed networks: %w", err)
	}

	a.Replica = replica.New(a.DB, a.Log)

	a.Jobs = jobs.New(a.DB, a.Log, jobs.Config{Replica: a.Replica})
	if err := a.openWitness(); err != nil {
		return err
	}

	a.observer = &lateObserver{}

	a.Rail = chain.New(chain.Config{
		DB:       a.DB,
		Observer: a.observer,
		Log:      a.Log,
		Replica:  a.Replica,
		Held:     a.Instance.Held,
	})

	if err := a.services(); err != nil {
		return err
	}

	if err := a.compareWithWitness(ctx); err != nil {
		return err
	}

	if err := a.networks(ctx); err != nil {
		return err
	}

	if err := a.serving(ctx); err != nil {
		return err
	}

	debug.FreeOSMemory() // opening the key took megabytes that are not needed again

	return nil
}

// services builds the nouns, each with what it needs of the others.
func (a *App) services() error {
	countries := func(_ context.Context, _ db.Querier, ref string) (user.Country, error) { return countryOf(ref) }
	if err := a.identity(countries); err != nil {
		return err
	}

	rail := railAdapter{
		rail:  a.Rail,
		db:    a.DB,
		heads: cache.New[int64](a.DB.Clock(), headAge, 100),
		sound: a.ensureSound,
	}

	addresses := a.screening()

	a.Wallets = wallet.New(wallet.Deps{
		DB:        a.DB,
		Log:       a.Log,
		Site:      siteOf(a.Config.HTTP.BaseURL),
		Chain:     rail,
		Screening: addresses,
		OrgName:   organisationName,
		Demand:    a.Jobs.Demand,
		Payees:    a.payees(),
	})

	a.Jobs.Handle(wallet.JobScreen, func(ctx context.Context, j jobs.Job) (jobs.Result, error) {
		return jobs.Done(), a.Wallets.Screen(ctx, j.Payload)
	})

	a.Jobs.Every("expire-screenings", 10*time.Minute, func(ctx context.Context) error {
		_, err := a.Wallets.RenewScreenings(ctx, 1_000)
		if err == nil {
			_, err = a.Wallets.ExpireScreenings(ctx, 1_000)
		}

		return err
	})

	if err := a.bankAccounts(); err != nil {
		return err
	}

	if err := a.documents(); err != nil {
		return err
	}

	if err := a.billScan(); err != nil {
		return err
	}

	if err := a.quotes(); err != nil {
		return err
	}

	a.Transactions = transaction.New(transaction.Deps{
		DB:         a.DB,
		Chain:      rail,
		Screening:  a.Screenings,
		ProofHolds: a.Wallets.ProofHolds,
		Settle:     settlement.Enqueue(a.Jobs),
		Forbidden:  a.forbidden(),
		Effects:    rail.effects,
		Payables:   payable.Hooks(),
		Quotes:     a.Quotes,
		Bank:       a.bankSide,
		Kinds: map[transaction.Type]transaction.Kind{
			transaction.TypeCrypto: crypto.Kind{},
			transaction.TypeFiat:   fiat.Kind{Quotes: a.Quotes, PayoutRails: a.payoutRails, Carries: a.carries},
			transaction.TypeOnramp: a.onramp(),
		},
	})

	a.payables()
	a.invoiceLinks()

	if err := a.settlement(); err != nil {
		return err
	}

	a.house()

	if err := a.statements(); err != nil {
		return err
	}

	a.tellPeople()

	if a.Quotes != nil {
		a.Jobs.Every("overdue-deposits", 10*time.Minute, func(ctx context.Context) error {
			_, err := onramp.Expire(ctx, a.Transactions, 1_000)
			return err
		})
	}

	a.resealOlder()
	a.Jobs.Every("idempotency-keys", time.Hour, func(ctx context.Context) error {
		_, err := web.ForgetOldKeys(ctx, a.DB, 10_000)
		return err
	})

	a.Jobs.Every("sessions", time.Hour, func(ctx context.Context) error {
		_, err := a.Auth.ForgetExpired(ctx, 10_000)
		return err
	})

	return nil
}

// serving builds the HTTP side.
func (a *App) serving(ctx context.Context) error {
	proxies, err := a.Config.HTTP.Proxies()
	if err != nil {
		return err
	}

	if a.trace, err = observe.NewTracing(ctx, observe.TraceConfig{
		Endpoint: a.Config.Telemetry.OTLPEndpoint,
		Service:  "slipway",
		Version:  Version,
		Log:      a.Log,
	}); err != nil {
		return err
	}

	a.metrics = observe.NewMetrics()
	a.gauges()
	a.screeningGauges()
	a.houseGauges()

	a.API = web.New(web.Config{
		Title:          "Slipway",
		Version:        Version,
		BaseURL:        a.Config.HTTP.BaseURL,
		Log:            a.accessLog(),
		DB:             a.DB,
		Authenticate:   a.Auth.Authenticate,
		Metrics:        a.metrics,
		MaxInFlight:    a.Config.HTTP.MaxInFlight,
		BodyMemory:     int64(a.Config.HTTP.BodyMemoryMB) << 20,
		StepUp:         a.Auth.Prove,
		OperatorsProve: !a.sandboxed(),
		TrustedProxies: proxies,
	})

	a.Routes(a.API)
	a.Handler = a.trace.Trace(a.API.Handler())

	return nil
}

// accessLog is the log that requests go to.
func (a *App) accessLog() *slog.Logger {
	if a.Config.HTTP.AccessLog {
		return a.Log
	}

	return slog.New(errorsOnly{a.Log.Handler()})
}

// Routes registers every operation. The order is that of the interface.
func (a *App) Routes(api *web.API) {
	a.Auth.Routes(api)
	account.Routes(api)
	account.UnsubscribeRoutes(api, a.Preferences, a.perSource(account.PerSource))
	a.Preferences.Routes(api)

	network.New(network.Deps{
		DB:           a.DB,
		Guard:        &network.Guard{AllowPrivate: a.outside.PrivateNodes},
		InUse:        transaction.NetworkInUse,
		WalletStored: wallet.Stored,
		Approvals:    a.Approvals,
	}).Routes(api)

	a.Users.Routes(api)
	a.Organisation.Routes(api)
	a.Verification.Routes(api)
	a.Approvals.Routes(api)

	receivers := receiver.New(receiver.Deps{DB: a.DB, OrgApproved: organisationApproved, Payees: a.payees()})
	(&payee.Service{DB: a.DB, Receivers: receivers}).Routes(api)

	a.BankAccounts.Routes(api)
	a.Wallets.Routes(api)
	a.Transactions.Routes(api)
	a.onramp().Routes(api, a.Transactions)
	a.Statements.Routes(api)
	a.Documents.Routes(api)
	a.Payables.Routes(api)
	a.InvoiceLinks.Routes(api)
	a.invoicePages(api)
	a.BillScan.Routes(api)
	a.Screenings.Routes(api)
	a.reviewRoute(api)
	a.operateRoutes(api)
	a.Settlement.Routes(api)
	a.House.Routes(api)
	a.Organisation.TermsRoutes(api)
	refdata.New(refdata.Deps{DB: a.DB, Addresses: network.Addresses}).Routes(api)
	a.health = a.readiness()
	api.MountHealth("/healthz", observe.Healthz())
	api.MountHealth("/readyz", a.health)

	if a.outside.Sandbox != nil {
		a.outside.Sandbox(a, api)

		if a.Config.Telemetry.MetricsListen == "" {
			api.Mount("GET", "/metrics", web.Public, a.metrics.Handler())
		}
	}
}

// Run serves on the listener and works in the background until ctx ends, then lets what is under way finish. On
// SQLite it returns db.ErrInUse while another process serves the same file.
func (a *App) Run(ctx context.Context, l net.Listener) error {
	leave, err := a.Announce(ctx)
	if err != nil {
		return err
	}
	defer leave()

	defer a.endEpoch(ctx)
	tasks := newTasks(ctx)
	tasks.run("http", func(ctx context.Context) error { return a.Serve(ctx, l) })

	if listen := a.Config.Telemetry.MetricsListen; listen != "" {
		tasks.run("metrics", func(ctx context.Context) error { return a.serveMetrics(ctx, listen) })
	}

	tasks.run("jobs", a.Jobs.Run)
	tasks.run("warm-up", a.warmUp)
	tasks.run("chain", a.Rail.Run)
	tasks.run("networks", a.awaitNetworks)

	if lists := a.outside.Screening.Lists; lists != nil {
		tasks.run("lists", func(ctx context.Context) error {
			return lists.Watch(ctx, a.DB.Now, listsEvery, a.Config.Screening.ListMaxAge, a.Log)
		})
	}

	return tasks.wait()
}

// Close lets go of the database and telemetry. Run must have returned.
func (a *App) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()

	var outside error
	kept, _ := a.witness.(io.Closer)

	for _, c := range append([]io.Closer{a.files, kept}, a.providers...) {
		if c != nil {
			outside = errors.Join(outside, c.Close())
		}
	}

	return errors.Join(a.trace.Close(ctx), outside, a.scanner.Close(ctx), a.DB.Close())
}

// forbidden gives the rule that says whether an address must never be paid on a network: nobody's, a precompile's, a
// token's, our own. The addresses are compared as bytes: writing one with its checksum costs a hash, and a payment of
// thirty has thirty.
func (a *App) forbidden() func(networkID string, at common.Address) bool {
	never := map[string]map[common.Address]bool{}

	for _, n := range a.outside.Networks {
		of := map[common.Address]bool{}
		if a.outside.Signer != nil { // a command line tool has no key
			of[a.outside.Signer.Address()] = true
		}

		for _, own := range n.Record.Own() {
			of[common.HexToAddress(own)] = true
		}

		for _, t := range n.Tokens {
			of[common.HexToAddress(t.Address)] = true
		}

		never[n.Record.ID] = of
	}

	return func(networkID string, at common.Address) bool { return eip55.Reserved(at) || never[networkID][at] }
}
