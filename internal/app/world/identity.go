//go:build !nosandbox

package world

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"slipway/internal/platform/secret"
	"slipway/internal/rails/chain/devchain"
	"slipway/internal/rails/idv"
	"slipway/internal/rails/idv/idvsim"
)

// The levels of the sandbox's identity provider.
const (
	PersonLevel  = "basic-kyc-level"
	CompanyLevel = "basic-kyb-level"
	PrivateLevel = "private-client-level" // a person who is a client as an organisation
)

// What everybody knows of the sandbox's identity provider.
const (
	identityAppToken      = "sbx:slipway.development"
	identitySecret        = "slipway development key: identity"
	identityWebhookSecret = "slipway development key: identity webhooks"
)

// identityPeriod is how often the identity provider looks for webhooks that are to be sent again.
const identityPeriod = time.Second

// Identity is how the sandbox's identity provider is reached.
type Identity struct {
	URL           string // of its API and its pages; no process listens there when Transport is set
	AppToken      string
	Secret        secret.Text       // of requests to it
	WebhookSecret secret.Text       // of its webhooks to us
	Transport     http.RoundTripper // nil: the network
}

// identityAt describes the provider that answers at an address.
func identityAt(url string) Identity {
	return Identity{URL: url, AppToken: identityAppToken, Secret: identitySecret, WebhookSecret: identityWebhookSecret}
}

// openIdentity starts the identity provider on its books. In a world that works by itself it listens on loopback and
// sends its webhooks; else requests are carried to it within the process, and webhooks go when IDV.Deliver is called.
// Where they go is said by IDV.SetWebhook.
func (w *World) openIdentity(ctx context.Context, c Config) error {
	url := "http://identity.sandbox"

	listener := net.Listener(nil)
	if c.Mode != devchain.Manual {
		var err error

		listener, err = new(net.ListenConfig).Listen(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", c.IdentityPort))
		if err != nil {
			return err
		}

		url = "http://" + listener.Addr().String()
	}

	w.Identity = identityAt(url)

	sim, err := idvsim.New(idvsim.Config{
		Folder:        c.IdentityDir,
		URL:           url,
		AppToken:      identityAppToken,
		Secret:        identitySecret,
		WebhookSecret: identityWebhookSecret,
		Levels: map[string]idv.Kind{
			PersonLevel:  idv.User,
			PrivateLevel: idv.User,
			CompanyLevel: idv.Organisation,
		},
		Clock: w.Clock,
		Log:   c.Log,
	})
	if err != nil {
		if listener != nil {
			err = errors.Join(err, listener.Close())
		}

		return err
	}

	w.IDV = sim

	w.end = append([]func() error{sim.Close}, w.end...)
	if listener == nil {
		w.Identity.Transport = sim.Transport()
		return nil
	}

	w.serveIdentity(listener) //nolint:contextcheck // it answers until Close

	return nil
}

// serveIdentity answers requests and sends webhooks until the world closes.
func (w *World) serveIdentity(l net.Listener) {
	ctx, cancel := context.WithCancel(context.Background())
	server := &http.Server{
		Handler:           w.IDV,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       time.Minute,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    32 << 10,
	}

	done := make(chan error, 2)
	go func() { done <- server.Serve(l) }()
	go func() { done <- w.IDV.Run(ctx, identityPeriod) }()

	w.end = append([]func() error{func() error {
		cancel()

		err := server.Close()
		for range 2 {
			if e := <-done; !errors.Is(e, http.ErrServerClosed) {
				err = errors.Join(err, e)
			}
		}

		return err
	}}, w.end...)
}
