//go:build !nosandbox

package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/world"
	"slipway/internal/demo"
	"slipway/internal/platform/config"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/secret"
	"slipway/internal/rails/chain/devchain"
)

// controls is a sandbox as `slipway dev` runs it, with somebody signed in.
func controls(t *testing.T) (*world.World, func(path string, body object) (int, map[string]any)) {
	t.Helper()
	w, err := world.Start(t.Context(), world.Config{Mode: devchain.Manual})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	c, err := config.Load(config.Source{})
	require.NoError(t, err)
	c.Database.URL = secret.Text("sqlite:" + dbtest.SQLiteFile(t))
	c.DataDir = t.TempDir()
	a, err := app.New(t.Context(), c, slog.New(slog.DiscardHandler), app.Sandbox(w))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, a.Close()) })
	server := httptest.NewServer(a.Handler)
	t.Cleanup(server.Close)
	person, err := demo.SignUp(t.Context(), server.URL, a.DB)
	require.NoError(t, err)

	return w, func(path string, body object) (int, map[string]any) {
		raw, err := json.Marshal(body)
		require.NoError(t, err)
		req, err := http.NewRequestWithContext(
			context.Background(),
			http.MethodPost,
			server.URL+path,
			bytes.NewReader(raw),
		)
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+person.Token)
		res, err := server.Client().Do(req)
		require.NoError(t, err)

		defer res.Body.Close()

		var out map[string]any
		require.NoError(t, json.NewDecoder(res.Body).Decode(&out))

		return res.StatusCode, out
	}
}

// A deposit over HTTP is in the bank's books and answered with its references; reversing it takes it out again, once.
func TestDepositsAndControlsOverHTTP(t *testing.T) {
	w, post := controls(t)
	before, err := w.Bank.BalanceText(t.Context(), "eur")
	require.NoError(t, err)
	status, made := post("/sandbox/deposits", object{
		"reference":  "PX4K-7Q2M",
		"amount":     "10.00",
		"currency":   "EUR",
		"senderName": "Bob",
		"kind":       "split",
	})
	require.Equal(t, 200, status, made)
	require.Len(t, made["entries"], 3)
	after, err := w.Bank.BalanceText(t.Context(), "eur")
	require.NoError(t, err)
	require.Equal(t, "50000010.00", after)

	for _, entry := range made["entries"].([]any) {
		status, state := post("/sandbox/bank", object{"op": "reverse", "entry": entry})
		require.Equal(t, 200, status, state)
	}

	now, err := w.Bank.BalanceText(t.Context(), "eur")
	require.NoError(t, err)
	require.Equal(t, before, now)
	status, no := post("/sandbox/bank", object{"op": "reverse", "entry": made["entries"].([]any)[0]})
	require.Equal(t, 422, status)
	require.Equal(t, "FORMAT_INVALID", no["code"])

	status, state := post("/sandbox/bank", object{"op": "statement"})
	require.Equal(t, 200, status)
	require.Contains(t, state["answers"], "00000005_camt.053_eur.xml")
	require.Len(t, state["accounts"], 6)
}

// Every reason why a control is refused comes at once, with its field.
func TestRefusedDepositsAndControls(t *testing.T) {
	_, post := controls(t)

	for _, x := range []struct {
		path string
		body object
		want []string
	}{
		{
			"/sandbox/deposits",
			object{
				"reference":     "x",
				"amount":        "1e3",
				"currency":      "JPY",
				"senderName":    "Bob",
				"senderAccount": "123456789012345678901234567890123456",
			},
			[]string{"/currency", "/amount", "/senderAccount"},
		},
		{"/sandbox/deposits", object{
			"reference":  "x",
			"amount":     "1",
			"currency":   "EUR",
			"senderName": "Bob",
			"kind":       "odd",
		}, []string{"/kind"}},
		{"/sandbox/bank", object{"op": "rob"}, []string{"/op"}},
		{"/sandbox/bank", object{"op": "late_return", "endToEndId": "nobody"}, []string{"/endToEndId"}},
		{"/sandbox/bank", object{"op": "hostile", "kind": "odd"}, []string{"/kind"}},
		{"/sandbox/bank", object{"op": "reject", "reason": "no", "count": 1}, []string{"/reason"}},
	} {
		status, no := post(x.path, x.body)
		require.Equal(t, 422, status, no)

		var got []string
		for _, e := range no["errors"].([]any) {
			got = append(got, e.(map[string]any)["pointer"].(string))
		}

		require.Equal(t, x.want, got)
	}
}
