package app

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"slipway/internal/directory/network"
	"slipway/internal/directory/payee"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/refdata"
	"slipway/internal/directory/wallet"
	"slipway/internal/pages/account"
	"slipway/internal/pages/invoice"
	"slipway/internal/payments/transaction"
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
	account.Routes(api)
	account.UnsubscribeRoutes(api, a.Preferences, a.perSource(account.PerSource))
	a.Preferences.Routes(api)
	a.networkRoutes(api)
	a.Users.Routes(api)
	a.Organisation.Routes(api)
	a.Verification.Routes(api)
	a.Approvals.Routes(api)
	a.payeeRoutes(api)
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

	api.MountHealth("/healthz", observe.Healthz())
	api.MountHealth("/readyz", a.health)

	if a.outside.Sandbox != nil {
		a.sandboxRoutes(api)
	}
}

// networkRoutes registers the networks of the directory.
func (a *App) networkRoutes(api *web.API) {
	network.New(network.Deps{
		DB:           a.DB,
		Guard:        &network.Guard{AllowPrivate: a.outside.PrivateNodes},
		InUse:        transaction.NetworkInUse,
		WalletStored: wallet.Stored,
		Approvals:    a.Approvals,
	}).Routes(api)
}

// payeeRoutes registers receivers and who stands behind them.
func (a *App) payeeRoutes(api *web.API) {
	receivers := receiver.New(receiver.Deps{DB: a.DB, OrgApproved: organisationApproved, Payees: a.payees()})
	payees := &payee.Service{DB: a.DB, Receivers: receivers}
	payees.Routes(api)
}

// invoicePages registers the pages behind invoice links.
func (a *App) invoicePages(api *web.API) {
	invoice.Routes(api, invoice.Deps{
		Links:   a.InvoiceLinks,
		DB:      a.DB,
		Log:     a.Log,
		Keyring: a.Keys,
		Secure:  strings.HasPrefix(a.Config.HTTP.BaseURL, "https://"),
	})
}

// sandboxRoutes registers the controls of the simulators, and the metrics if they have no listener of their own.
func (a *App) sandboxRoutes(api *web.API) {
	a.outside.Sandbox(a, api)

	if a.Config.Telemetry.MetricsListen == "" {
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
