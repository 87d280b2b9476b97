//go:build !nosandbox

package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	slipway "slipway-client"
	"slipway/internal/app/apptest"
)

// hooks takes messages of a webhook endpoint that has proven itself.
type hooks struct {
	mu     sync.Mutex
	header []http.Header
	body   [][]byte
	server *httptest.Server
}

func newHooks(t *testing.T) *hooks {
	t.Helper()

	k := &hooks{}
	k.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		if err != nil {
			t.Error(err)
		}

		var e slipway.FeedView
		if err := json.Unmarshal(body, &e); err != nil {
			t.Error(err)
		}

		if challenge := e.Challenge(); challenge != "" {
			_, _ = io.WriteString(w, challenge)
			return
		}

		k.mu.Lock()
		defer k.mu.Unlock()

		k.header = append(k.header, r.Header)
		k.body = append(k.body, body)
	}))
	t.Cleanup(k.server.Close)

	return k
}

// while lets the service, the chain and the bank work until a story has ended, and returns its error.
func while(h *apptest.Harness, story func(ctx context.Context) error) error {
	ended := make(chan error, 1)
	go func() { ended <- story(h.T.Context()) }()

	var err error

	h.BankUntil("the story has ended", func() bool {
		_, sealErr := h.App.Feed.Seal(h.T.Context())
		require.NoError(h.T, sealErr)

		select {
		case err = <-ended:
			return true
		default:
			return false
		}
	})

	return err
}

// A customer's program: a payee, an invoice, its approval, a batch that pays it, the list, and the webhook about it,
// with the client of Go against a service that listens.
func TestTheClientOfGoPaysAnInvoice(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		service := httptest.NewServer(h.App.Handler)
		t.Cleanup(service.Close)

		api, err := slipway.New(slipway.Config{
			Address: service.URL,
			Auth:    slipway.Person{Email: c.Email, Password: apptest.Password},
		})
		require.NoError(t, err)

		k := newHooks(t)

		var secret string

		require.NoError(t, while(h, func(ctx context.Context) error {
			secret, err = payInvoice(ctx, api, k.server.URL)
			return err
		}))
		h.BankUntil("the webhook was told", func() bool {
			_, err := h.App.Feed.Seal(t.Context())
			require.NoError(t, err)

			_, err = h.App.Deliveries.RunDue(t.Context(), 100)
			require.NoError(t, err)

			return h.Count(
				"SELECT count(*) FROM webhook_deliveries WHERE status = 'DELIVERED' AND type = 'payable.paid'",
			) > 0
		})

		v, err := slipway.NewVerifier(secret)
		require.NoError(t, err)

		kinds := map[string]bool{}

		for i, header := range k.header {
			e, err := v.Event(header, k.body[i])
			require.NoError(t, err)

			kinds[e.Type] = true

			require.Error(t, v.Verify(header, bytes.ToUpper(k.body[i])))
		}

		require.True(t, kinds["payable.approved"] && kinds["payable.paid"], kinds)
	})
}

// payInvoice plays the story and returns the key of the webhook.
func payInvoice(ctx context.Context, api *slipway.Client, hook string) (secret string, err error) {
	endpoint, err := api.CreateWebhookEndpoint(ctx, slipway.CreateWebhookEndpointRequest{
		URL:   hook,
		Types: []string{"payable.*"},
	})
	if err != nil {
		return "", err
	}

	payee, err := api.CreateReceiver(ctx, slipway.ReceiverCreateBody{
		Type:           "COMPANY",
		LegalName:      "Keller AG",
		Email:          "billing@keller.example",
		CountryIsoCode: "CH",
		Address: &slipway.ReceiverCreateBody_Address{
			AddressLine1: "Seestrasse 1",
			PostCode:     "8002",
			City:         "Zürich",
		},
	})
	if err != nil {
		return "", err
	}

	account, err := api.CreateBankAccount(ctx, slipway.CreateBankAccountRequest{
		Receiver:    payee.ID,
		Currency:    "EUR",
		BankCountry: "DE",
		Iban:        "DE89370400440532013000",
		BicSwift:    "COBADEFFXXX",
	})
	if err != nil {
		return "", err
	}

	invoice, err := api.CreatePayable(ctx, slipway.PayableInput{
		Name:            "Rent",
		Type:            "FIAT",
		Receiver:        payee.ID,
		BankAccount:     account.ID,
		Amount:          "1250.50",
		CurrencyIsoCode: "EUR",
		Reason:          "Invoice 2026-117",
	}, slipway.Key("invoice-2026-117"))
	if err != nil {
		return "", err
	}

	if _, err := api.ApprovePayables(ctx, slipway.ApprovePayablesRequest{Ids: []string{invoice.ID}}); err != nil {
		return "", err
	}

	return endpoint.Secret, settle(ctx, api, invoice.ID)
}

// settle pays an invoice, and waits until the list of those that are paid has it.
func settle(ctx context.Context, api *slipway.Client, invoice string) error {
	batch, err := api.PayPayables(ctx, slipway.PayPayablesRequest{PayableIds: []string{invoice}, Token: "USDC"})
	if err != nil {
		return err
	}

	if _, err := api.SubmitTransaction(ctx, batch.ID, slipway.TransactionSubmitBody{}); err != nil {
		return err
	}

	if _, err := api.AcceptTransaction(ctx, batch.ID, slipway.TransactionAcceptBody{}); err != nil {
		return err
	}

	for ctx.Err() == nil {
		paid := slipway.ListPayablesParams{Limit: 1, Status: []slipway.ListPayablesParamsStatus{"PAID"}}

		for p, err := range api.AllPayables(ctx, paid) {
			if err != nil || p.ID == invoice {
				return err
			}
		}
	}

	return ctx.Err()
}

// The same story in TypeScript, which Node runs.
func TestTheClientOfTypeScriptPaysAnInvoice(t *testing.T) {
	folder, err := filepath.Abs("../../clients/typescript")
	require.NoError(t, err)

	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}

	if _, err := os.Stat(filepath.Join(folder, "dist", "index.js")); err != nil {
		t.Skip("clients/typescript is not built: npm ci && npm run build")
	}

	programPaysAnInvoice(t, "node", filepath.Join(folder, "test", "story.mjs"))
}

// And in Python.
func TestTheClientOfPythonPaysAnInvoice(t *testing.T) {
	folder, err := filepath.Abs("../../clients/python")
	require.NoError(t, err)

	old := exec.CommandContext(t.Context(), "python3", "-c", "import sys; sys.exit(sys.version_info < (3, 11))")
	if old.Run() != nil {
		t.Skip("Python 3.11 or newer is not installed")
	}

	t.Setenv("PYTHONPATH", folder)
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	programPaysAnInvoice(t, "python3", filepath.Join(folder, "tests", "story.py"))
}

// programPaysAnInvoice has a program of a customer pay against a service that listens. The program says in the end what
// has become of the invoice.
func programPaysAnInvoice(t *testing.T, command ...string) {
	t.Helper()

	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		service := httptest.NewServer(h.App.Handler)
		t.Cleanup(service.Close)

		k := newHooks(t)

		var out, problem bytes.Buffer

		err := while(h, func(ctx context.Context) error {
			program := exec.CommandContext(ctx, command[0], command[1:]...)

			program.Env = append(
				os.Environ(),
				"ADDRESS="+service.URL,
				"EMAIL="+c.Email,
				"PASSWORD="+apptest.Password,
				"HOOK="+k.server.URL,
			)
			program.Stdout = &out
			program.Stderr = &problem

			return program.Run()
		})
		require.NoError(t, err, problem.String())

		var told struct{ Secret, Status string }

		require.NoError(t, json.Unmarshal(out.Bytes(), &told), out.String())
		require.Equal(t, "PAID", told.Status)
	})
}
