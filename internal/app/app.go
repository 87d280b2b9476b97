// Package app puts Slipway together. New builds every part, Run serves until its context ends, and Close releases what
// New opened.
//
// What differs between a sandbox and a live deployment is its Outside: which chains, which key, which bank.
//
// Read in this order:
//
//   - What is put together: app.go (App, and the parts in the order in which they are built) and outside.go (what a
//     deployment brings along). live.go with live_bank.go, sandbox.go, staging.go with staging_simulators.go (a
//     deployment for tests) and tool.go (for a command that ends) make one.
//   - What only a sandbox brings along: sandbox_prices.go (its market and its bank) and sandbox_verification.go. What
//     its testers steer: sandbox_bank.go, sandbox_idv.go, sandbox_market.go and sandbox_mail.go.
//   - Then one file for each noun, named after it: how it is built, its background jobs, and the functions that it gets
//     from other nouns. Rails: chains.go, bank.go, ebics.go, rates.go.
//   - People: mail.go, users.go, signin.go, signon.go (by providers of OpenID Connect), approvals.go, organisations.go,
//     verification.go (by the provider), reviews.go (by hand).
//   - The directory: wallets.go, bankaccounts.go with bankaccounts_sandbox.go or bankaccounts_live.go, screening.go,
//     documents.go, comments.go, webhooks.go, feed.go, and reference.go (countries, currencies, pairs and tokens, by
//     what clients call them).
//   - Payments: quotes.go, stock.go, transactions.go, settlement.go, payables.go, billscan.go, intake.go, schedules.go,
//     invoicelinks.go, statements.go, bookkeeping.go, house.go, book.go (the head of the book), notices.go, chats.go,
//     overview.go.
//   - What the platform's people look at and decide, which needs several nouns: operate.go (networks that are paused),
//     held.go (what waits for people), bankfiles.go, journals.go with postings.go, verifications.go (proofs of the
//     book), rates_list.go, liquidity_list.go, tenants.go, review.go (refusing a transaction).
//   - http.go: the API over all nouns; openapi.go with openapi_words.go: its document; serve.go: the listeners;
//     gauges.go: the metrics.
//   - What must be right before anything is sent: networks.go with tokens.go (is a network as it is configured),
//     database.go (can it be worked on), witness.go (is it older than the world outside) with desk.go (two operators
//     end the re-reading of the world), backups.go.
//   - The process: replica.go (among others on one database), reseal.go with store_resealed.go (sealing anew after a
//     change of keys), tasks.go and ending.go (parts that run side by side, and end in time).
//
// A part is built after everything that it gets. Where two parts need each other, the one that is built first takes a
// registration: jobs.Runner.Handle, approval.Service.Handle, epoch.Instance.Reader, chain.Rail.Observe and
// bank.Rail.Observe.
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

	"slipway/internal/app/backups"
	"slipway/internal/directory/analysis"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/document"
	"slipway/internal/directory/endpoint"
	"slipway/internal/directory/network"
	"slipway/internal/directory/safetx"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/auth"
	"slipway/internal/identity/brand"
	"slipway/internal/identity/comment"
	"slipway/internal/identity/idv"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/preference"
	"slipway/internal/identity/review"
	"slipway/internal/identity/sso"
	"slipway/internal/identity/twofactor"
	"slipway/internal/identity/user"
	"slipway/internal/payments/billscan"
	"slipway/internal/payments/bookkeeping"
	"slipway/internal/payments/chatchannel"
	"slipway/internal/payments/dayrate"
	"slipway/internal/payments/house"
	"slipway/internal/payments/intake"
	"slipway/internal/payments/invoicelink"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/notice"
	"slipway/internal/payments/overview"
	"slipway/internal/payments/payable"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/schedule"
	"slipway/internal/payments/settlement"
	"slipway/internal/payments/statement"
	"slipway/internal/payments/stock"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/clock"
	"slipway/internal/platform/config"
	"slipway/internal/platform/db"
	"slipway/internal/platform/epoch"
	"slipway/internal/platform/feed"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/observe"
	"slipway/internal/platform/qrscan"
	"slipway/internal/platform/replica"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/web"
	"slipway/internal/platform/witness"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/bank/ebics"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/liquidity"
	"slipway/internal/rails/rates"
	"slipway/internal/schema"
)

// Version is the version that /openapi.json and the command line show; the build sets it.
const Version = "0.1.0"

// App is a running Slipway.
type App struct {
	Config  *config.Config
	Log     *slog.Logger
	outside Outside

	// platform
	DB       *db.DB
	Keys     *secret.Keyring
	Replica  *replica.Replica
	Backups  *backups.Service // nil: the service takes none
	Jobs     *jobs.Runner
	Instance *epoch.Instance
	Feed     *feed.Feed
	witness  witness.Store

	// rails
	Rail      *chain.Rail
	Bank      *bank.Rail      // nil without accounts at banks
	EBICS     *ebics.Contract // nil without bank.channel ebics
	chains    chainReader
	checked   sync.Map             // networks whose tokens and router were compared with the chain
	rates     rates.Source         // nil: nothing has a price, and FIAT and ONRAMP are not carried out
	liquidity *liquidity.Providers // nil: nobody swaps
	providers []io.Closer          // of liquidity

	ratesWatch *rates.Watch // of the sources of rates; watches nothing where there are none

	// identity
	Mail         *mail.Outbox
	Preferences  *preference.Service
	Users        *user.Service
	Approvals    *approval.Service
	Organisation *organisation.Service
	Brands       *brand.Service
	Verification *idv.Service
	Reviews      *review.Service
	Auth         *auth.Service
	SignOn       *sso.Service
	tokens       *auth.Cache
	factors      *twofactor.Service

	// directory
	Screenings   *analysis.Service
	Wallets      *wallet.Service
	Safes        *safetx.Service
	BankAccounts *bankaccount.Service
	Documents    *document.Service
	Deliveries   *jobs.Runner // sends to webhook endpoints and chats
	rota         *limit.Rota  // of its workers
	Webhooks     *endpoint.Service
	files        io.Closer // of documents; nil: nothing to close

	// payments
	Quotes       *quote.Service // nil without rates
	Transactions *transaction.Service
	Payables     *payable.Service
	Intake       *intake.Service
	Schedules    *schedule.Service
	comments     *comment.Service
	BillScan     *billscan.Service
	InvoiceLinks *invoicelink.Service
	Settlement   *settlement.Service
	House        *house.Service
	Stock        *stock.Service
	Statements   *statement.Service
	DayRates     *dayrate.Service
	Bookkeeping  *bookkeeping.Service
	Overview     *overview.Service
	Proofs       *jobs.Runner // proves the book when operators ask for it
	Notices      *notice.Service
	Mornings     *notice.Mornings
	Chats        *chatchannel.Service
	scanner      *qrscan.Reader

	// HTTP
	API     *web.API
	Handler http.Handler
	metrics *observe.Metrics
	health  *observe.Readiness
	trace   *observe.Tracing

	ending ending
}

// New opens the database, brings its schema up to date, and builds every part. Nothing runs before Run. On SQLite it
// returns db.ErrInUse, and has written nothing, while another process serves the same file; a tool may work beside it.
// It returns db.ErrKeys for a keyring that does not open what is sealed in the database.
func New(ctx context.Context, c *config.Config, log *slog.Logger, out Outside) (*App, error) {
	if out.Clock == nil {
		out.Clock = clock.New()
	}

	keys, err := c.SealingKeys()
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
		Alone:    !out.Tool && !out.Shared,
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
		ending:  ending{clock: clock.New()},
	}
	if err := a.build(ctx); err != nil {
		return nil, errors.Join(err, d.Close())
	}

	return a, nil
}

// build builds the parts, level by level.
func (a *App) build(ctx context.Context) error {
	if err := a.prepareDatabase(ctx); err != nil {
		return err
	}

	levels := []func() error{a.platformParts, a.railParts, a.identityParts, a.directoryParts, a.paymentParts}
	for _, build := range levels {
		if err := build(); err != nil {
			return err
		}
	}

	if err := a.compareWithWitness(ctx); err != nil {
		return err
	}

	if err := a.setUpNetworks(ctx); err != nil {
		return err
	}

	a.lookForSigns(ctx)

	if err := a.buildAPI(ctx); err != nil {
		return err
	}

	debug.FreeOSMemory() // opening the key took megabytes that are not needed again

	return nil
}

// prepareDatabase refuses a database that may lose what it has acknowledged, or that another keyring has sealed, before
// it writes anything. It brings the schema up to date.
func (a *App) prepareDatabase(ctx context.Context) error {
	if err := a.DB.CheckDurability(ctx); err != nil && !a.outside.AnyDurability {
		return err
	}

	if err := a.DB.CheckKeys(ctx); err != nil {
		return err
	}

	if _, err := a.DB.Migrate(ctx, schema.Files()); err != nil {
		return err
	}

	if err := a.DB.UseKeys(ctx, sealedColumns()...); err != nil {
		return err
	}

	if err := network.Seed(ctx, a.DB); err != nil {
		return fmt.Errorf("seed networks: %w", err)
	}

	return a.tellCollation(ctx)
}

// platformParts builds what knows no business noun.
func (a *App) platformParts() error {
	a.Replica = replica.New(a.DB, a.Log)
	a.Jobs = jobs.New(
		a.DB,
		a.Log,
		jobs.Config{Replica: a.Replica, Except: []string{endpoint.Job, chatchannel.Job, jobProve}},
	)
	a.buildProofs()
	a.buildFeed()

	if err := a.buildBackups(); err != nil {
		return err
	}

	if err := a.buildWitness(); err != nil {
		return err
	}

	a.buildResealing()

	return nil
}

// railParts builds the ways to the parties outside. Settlement observes the rails that move money, and is built last.
func (a *App) railParts() error {
	a.buildChain()

	if err := a.buildRates(); err != nil {
		return err
	}

	if err := a.buildStock(); err != nil {
		return err
	}

	if err := a.buildLiquidity(); err != nil {
		return err
	}

	return a.buildBank()
}

// identityParts builds the nouns of people and organisations.
func (a *App) identityParts() error {
	if err := a.buildMail(); err != nil {
		return err
	}

	a.buildUsers()
	a.buildApprovals()
	a.buildOrganisations()

	if err := a.buildVerification(); err != nil {
		return err
	}

	a.buildSignIn()
	a.buildSignOn()

	return nil
}

// directoryParts builds the nouns that payments refer to.
func (a *App) directoryParts() error {
	addresses := a.buildScreening()
	a.buildWallets(addresses)

	if err := a.buildBankAccounts(); err != nil {
		return err
	}

	a.buildWebhooks()

	return a.buildDocuments()
}

// paymentParts builds the nouns of payments.
func (a *App) paymentParts() error {
	a.Stock.DecideWith(a.Approvals)

	if err := a.buildQuotes(); err != nil {
		return err
	}

	a.buildTransactions()
	a.buildPayables()
	a.buildIntake()
	a.buildSchedules()

	if err := a.buildBillScan(); err != nil {
		return err
	}

	a.buildInvoiceLinks()
	a.buildComments()
	a.buildSettlement()
	a.buildHouse()
	a.buildBookkeeping()
	a.buildStatements()
	a.buildOverview()
	a.buildNotices()
	a.buildChats()

	return nil
}

// every registers a background job that calls f with a limit on what one run does.
func every[N any](a *App, job string, interval time.Duration, f func(context.Context, int) (N, error), limit int) {
	a.Jobs.Every(job, interval, func(ctx context.Context) error {
		_, err := f(ctx, limit)
		return err
	})
}

// Run serves on the listener and works in the background until ctx ends, then lets what is under way finish: see
// ending.go.
func (a *App) Run(ctx context.Context, l net.Listener) error {
	ctx, cancel := a.drained(ctx)
	defer cancel()

	metrics, err := a.listenForMetrics(ctx)
	if err != nil {
		return err
	}

	leave, err := a.Announce(ctx)
	if errors.Is(err, context.Canceled) {
		return nil // told to stop before anything began
	}

	if err != nil {
		return err
	}

	defer leave()
	defer a.endEpoch()

	tasks := newTasks(ctx)
	tasks.run("http", func(ctx context.Context) error { return a.Serve(ctx, l) })

	if metrics != nil {
		tasks.run("metrics", metrics)
	}

	tasks.run("jobs", a.Jobs.Run)
	tasks.run("webhooks", a.Deliveries.Run)
	tasks.run("proofs", a.Proofs.Run)
	tasks.run("feed", a.Feed.Run)
	tasks.run("warm-up", a.warmUp)
	tasks.run("long-lists", a.Transactions.KeepLists)
	tasks.run("chain", a.Rail.Run)
	tasks.run("networks", a.awaitNetworks)
	tasks.run("rates", a.ratesWatch.Run)
	tasks.run("commits", a.watchCommits)

	if a.Backups != nil {
		tasks.run("backups", a.keepBackups)
	}

	if lists := a.outside.Screening.Lists; lists != nil {
		tasks.run("lists", func(ctx context.Context) error {
			return lists.Watch(ctx, a.DB.Now, listsEvery, a.Config.Screening.ListMaxAge, a.Log)
		})
	}

	left, err := tasks.wait(a.Config.Shutdown.Grace + graceMargin)
	if len(left) > 0 {
		a.Log.Warn("parts of the service do not end in time, and are left: nothing is lost", "parts", left)
	}

	return err
}

// Close closes the database and everything else that New opened. Run must have returned. What does not end in time is
// left, with a warning.
func (a *App) Close() error {
	if err := a.end("traces", partLimit, a.trace.Close); err != nil {
		a.Log.Warn("the last traces could not be sent", "error", err.Error())
	}

	var problems error
	store, _ := a.witness.(io.Closer)

	for part, c := range map[string]io.Closer{"documents": a.files, "witness": store} {
		problems = errors.Join(problems, a.endCloser(part, c))
	}

	for _, c := range a.providers {
		problems = errors.Join(problems, a.endCloser("liquidity", c))
	}

	return errors.Join(
		problems,
		a.end("scanner", partLimit, a.scanner.Close),
		a.end("database", closeLimit, func(context.Context) error { return a.DB.Close() }),
	)
}

// endCloser closes a part; nil: there is nothing to close.
func (a *App) endCloser(part string, c io.Closer) error {
	if c == nil {
		return nil
	}

	return a.end(part, partLimit, func(context.Context) error { return c.Close() })
}
