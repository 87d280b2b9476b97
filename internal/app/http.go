package app

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"slipway/internal/directory/network"
	"slipway/internal/directory/payee"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/refdata"
	"slipway/internal/directory/wallet"
	"slipway/internal/pages/account"
	"slipway/internal/pages/console"
	"slipway/internal/pages/invoice"
	"slipway/internal/pages/signin"
	"slipway/internal/pages/wellknown"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/config"
	"slipway/internal/platform/db"
	"slipway/internal/platform/observe"
	"slipway/internal/platform/web"
)

// buildAPI builds the HTTP side: the API with every route, metrics, and traces.
func (a *App) buildAPI(ctx context.Context) error {
	proxies, err := a.Config.HTTP.Proxies()
	if err != nil {
		return err
	}

	a.trace, err = observe.NewTracing(ctx, observe.TraceConfig{
		Endpoint: a.Config.Telemetry.OTLPEndpoint,
		Service:  "slipway",
		Version:  Version,
		Log:      a.Log,
	})
	if err != nil {
		return err
	}

	a.metrics = observe.NewMetrics()
	a.registerGauges()
	a.health = a.readiness()

	a.API = web.New(web.Config{
		Title:           strings.TrimSpace("Slipway " + a.Config.Mode.Mark()),
		Mode:            shownMode(a.Config.Mode),
		Version:         Version,
		Description:     documentIntroduction,
		License:         web.License{Name: "Apache-2.0", URL: "https://www.apache.org/licenses/LICENSE-2.0"},
		Tags:            documentTags,
		Reference:       reference,
		Build:           console.Build(),
		BaseURL:         a.Config.HTTP.BaseURL,
		Log:             a.accessLog(),
		DB:              a.DB,
		Authenticate:    a.Auth.Authenticate,
		Session:         a.Auth.AuthenticateCookie,
		Metrics:         a.metrics,
		MaxInFlight:     a.Config.HTTP.MaxInFlight,
		MaxWaiting:      a.Config.HTTP.MaxStreams,
		MaxWaitingOfOne: a.Config.HTTP.OwnStreams,
		BodyMemory:      int64(a.Config.HTTP.BodyMemoryMB) << 20,
		StepUp:          a.Auth.Prove,
		OperatorsProve:  !a.Config.Mode.Personal(),
		TrustedProxies:  proxies,
	})
	a.Jobs.Every("idempotency-keys", time.Hour, func(ctx context.Context) error {
		_, err := web.ForgetOldKeys(ctx, a.DB, 10_000)
		return err
	})

	a.routes(a.API)
	a.Handler = a.trace.Trace(a.API.Handler())

	return nil
}

// routes registers every operation, in the order of the interface.
func (a *App) routes(api *web.API) {
	a.Auth.Routes(api)
	a.SignOn.Routes(api)
	a.consolePages(api)
	account.Routes(api, a.Log, a.Config.Mode.Mark(), a.workplace())
	account.UnsubscribeRoutes(api, a.Preferences, a.perSource(account.PerSource))
	a.Preferences.Routes(api)
	a.networkRoutes(api)
	a.Users.Routes(api)
	a.Organisation.Routes(api)
	a.Brands.Routes(api)
	a.Verification.Routes(api)
	a.Reviews.Routes(api)
	a.verificationPages(api)
	a.Approvals.Routes(api)
	a.payeeRoutes(api)
	a.BankAccounts.Routes(api)
	a.Wallets.Routes(api)
	a.Safes.Routes(api)
	a.Transactions.Routes(api)
	a.onramp().Routes(api, a.Transactions)
	a.Statements.Routes(api)
	a.Bookkeeping.Routes(api)
	a.Overview.Routes(api)
	a.Feed.Routes(api)
	a.Webhooks.Routes(api)
	a.Chats.Routes(api)
	a.Documents.Routes(api)
	a.Payables.Routes(api)
	a.Schedules.Routes(api)
	a.Intake.Routes(api)
	a.comments.Routes(api)
	a.InvoiceLinks.Routes(api)
	a.invoicePages(api)
	a.BillScan.Routes(api)
	a.Screenings.Routes(api)
	a.reviewRoute(api)
	a.operateRoutes(api)
	a.bankFileRoutes(api)
	a.heldRoutes(api)
	a.handleRereading()
	a.handleBankKeys()
	a.journalRoutes(api)
	a.liquidityRoute(api)
	a.rateSourcesRoute(api)
	a.Settlement.Routes(api)
	a.Settlement.Deposits.Routes(api)
	a.Settlement.Receivables.Routes(api)
	a.House.Routes(api)
	a.Stock.Routes(api)
	a.tenantRoutes(api)
	a.Organisation.TermsRoutes(api)
	refdata.New(refdata.Deps{DB: a.DB, Addresses: network.Addresses, Liquidity: a.liquidityOf}).Routes(api)

	wellknown.Routes(api, wellknown.Deps{ChangePassword: console.Me, SecurityText: a.Config.HTTP.SecurityText})

	api.MountHealth("/healthz", observe.Healthz())
	api.MountHealth("/readyz", a.health)

	if a.outside.Sandbox != nil {
		a.sandboxRoutes(api)
	}
}

// consolePages registers the console and the pages that sign in to it.
func (a *App) consolePages(api *web.API) {
	if !console.Present {
		return
	}

	console.Routes(api)
	signin.Routes(api, signin.Deps{
		Auth:     a.Auth,
		SignOn:   a.SignOn,
		Log:      a.Log,
		Mark:     a.Config.Mode.Mark(),
		Standing: a.outside.Standing,
	})
}

// networkRoutes registers the networks of the directory.
func (a *App) networkRoutes(api *web.API) {
	network.New(network.Deps{
		DB:           a.DB,
		Guard:        a.guard(),
		InUse:        transaction.NetworkInUse,
		WalletStored: wallet.Stored,
		Approvals:    a.Approvals,
		Configured:   a.configuredNetwork,
		Contract:     a.tokenContract,
		Sending:      a.tokenSending,
		Withdraw:     a.withdrawToken,
		Changed:      func(tx *db.Tx, _ string) { a.Jobs.DemandEvery(tx, tokenJob) },
	}).Routes(api)

	a.Jobs.Every(tokenJob, tokenInterval, a.checkTokens)
}

// payeeRoutes registers receivers and who stands behind them.
func (a *App) payeeRoutes(api *web.API) {
	receivers := receiver.New(receiver.Deps{
		DB:          a.DB,
		OrgApproved: organisationApproved,
		Payees:      a.payees(),
		OnDelete: func(ctx context.Context, tx *db.Tx, r receiver.Receiver) error {
			return errors.Join(
				a.BankAccounts.DeleteOf(ctx, tx, r.Organisation, r.ID),
				a.Wallets.DeleteOf(ctx, tx, r.Organisation, r.ID),
			)
		},
	})
	payees := &payee.Service{DB: a.DB, Receivers: receivers, Around: a.Organisation.Around}
	payees.Routes(api)
}

// invoicePages registers the pages behind invoice links.
func (a *App) invoicePages(api *web.API) {
	invoice.Routes(api, invoice.Deps{
		Links:   a.InvoiceLinks,
		Brands:  a.Brands,
		DB:      a.DB,
		Log:     a.Log,
		Keyring: a.Keys,
		Secure:  strings.HasPrefix(a.Config.HTTP.BaseURL, "https://"),
		Mark:    a.Config.Mode.Mark(),
	})
}

// shownMode returns the mode that every answer shows: that of a deployment whose answers carry a mark.
func shownMode(m config.Mode) string {
	if m.Mark() == "" {
		return ""
	}

	return string(m)
}

// sandboxRoutes registers the controls of the simulators. On a developer's own machine the API also serves the metrics
// if they have no listener of their own.
func (a *App) sandboxRoutes(api *web.API) {
	a.outside.Sandbox(a, api)

	if a.Config.Mode.Personal() && a.Config.Telemetry.MetricsListen == "" {
		api.Mount("GET", "/metrics", web.Public, a.metrics.Handler())
	}
}

// accessLog returns the log of requests: everything, or warnings and errors alone.
func (a *App) accessLog() *slog.Logger {
	if a.Config.HTTP.AccessLog {
		return a.Log
	}

	return slog.New(errorsOnly{a.Log.Handler()})
}

// errorsOnly lets warnings and errors through.
type errorsOnly struct{ slog.Handler }

// Enabled reports whether a level is logged: from Warn on.
func (h errorsOnly) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && h.Handler.Enabled(ctx, l)
}
