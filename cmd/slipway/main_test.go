//go:build !nosandbox

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// slip runs a command line and gives what it printed.
func slip(t *testing.T, args ...string) (string, error) {
	t.Helper()

	var out bytes.Buffer
	err := run(context.Background(), args, &out)

	return out.String(), err
}

// The demo checks balances, postings and the chain by itself and fails when one is not what it must be.
func TestDemoEndsWell(t *testing.T) {
	files := filepath.Join(t.TempDir(), "bank")
	out, err := slip(t, "demo", "--bank", files)
	require.NoError(t, err, out)

	for _, want := range []string{
		"WAITING_ACCEPTANCE", "RELEASED", "COMPLETED", "TOKEN_SWAP_UNAVAILABLE", "gas a payment", "SENT_TO_BANK", "AWAITING_DEPOSIT", "SWIFT",
		"executed each of the 7 payments once", "camt.053", "QR_BILL", "LINK", "PAYABLE_RESERVED", "Every figure is what it must be",
	} {
		require.Contains(t, out, want)
	}

	require.NotContains(t, out, "\033", "plain lines where there is no terminal")
	require.NotContains(t, out, "\r")

	for pattern, least := range map[string]int{
		"../papers/statement.pdf":    1,
		"archive/*_pain001-*.xml":    5,
		"outbox/done/*camt.053*.xml": 5,
		"outbox/done/*pain.002*.xml": 5,
	} {
		t.Run(pattern, func(t *testing.T) {
			left, err := filepath.Glob(filepath.Join(files, pattern))
			require.NoError(t, err)
			require.GreaterOrEqual(t, len(left), least, "%s: the bank's files are left to look at", pattern)
		})
	}
}

// The demo empties the folder of an earlier demo's bank, and no other.
func TestDemoSparesOtherFolders(t *testing.T) {
	other := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(other, "thesis.txt"), []byte("x"), 0o600))
	_, err := slip(t, "demo", "--bank", other)
	require.ErrorContains(t, err, "--bank")
	require.FileExists(t, filepath.Join(other, "thesis.txt"))
}

func TestOpenAPIIsPrinted(t *testing.T) {
	out, err := slip(t, "openapi")
	require.NoError(t, err)

	var doc struct {
		OpenAPI string         `json:"openapi"`
		Paths   map[string]any `json:"paths"`
	}
	require.NoError(t, json.Unmarshal([]byte(out), &doc))
	require.Equal(t, "3.1.0", doc.OpenAPI)
	require.Contains(t, doc.Paths, "/transactions/{id}/accept")
	require.NotContains(t, out, "/sandbox/", "the document is that of a live deployment")
}

func TestConfigDocumentsEverySetting(t *testing.T) {
	out, err := slip(t, "config")
	require.NoError(t, err)
	require.Contains(t, out, "SLIPWAY_CHAIN__SIGNER__PASSWORD")
	out, err = slip(t, "config", "--toml")
	require.NoError(t, err)
	require.Contains(t, out, "[[network]]")
}

func TestMigrateThenVerifyAnEmptyLedger(t *testing.T) {
	t.Setenv("SLIPWAY_DATABASE__URL", "sqlite:"+filepath.Join(t.TempDir(), "a.db"))
	out, err := slip(t, "migrate")
	require.NoError(t, err)
	require.Contains(t, out, "the schema is current")

	out, err = slip(t, "ledger", "verify")
	require.NoError(t, err)
	require.Contains(t, out, "the books are sound")

	_, err = slip(t, "ledger", "show", "txn_nobody")
	require.Error(t, err)

	_, err = slip(t, "user", "grant", "nobody@example.org", "operator")
	require.Error(t, err)
}

func TestKeyIsNeverOverwrittenAndNeverWeak(t *testing.T) {
	dir := t.TempDir()
	weak := filepath.Join(dir, "weak")
	strong := filepath.Join(dir, "strong")
	file := filepath.Join(dir, "key.json")
	require.NoError(t, os.WriteFile(weak, []byte("short\n"), 0o600))
	require.NoError(t, os.WriteFile(strong, []byte("a long enough password\n"), 0o600))

	_, err := slip(t, "key", "new", file, "--password-file", weak)
	require.ErrorContains(t, err, "at least 16")

	out, err := slip(t, "key", "new", file, "--password-file", strong)
	require.NoError(t, err)
	require.Contains(t, out, "operator address 0x")

	_, err = slip(t, "key", "new", file, "--password-file", strong)
	require.ErrorContains(t, err, "exists")
}

func TestRouterCodeRefusesMistypedAddresses(t *testing.T) {
	const a = "0xd26Eaf4ca33674E2cEa011569bBb419E5262e5b0"
	out, err := slip(t, "router", "code", "--owner", a, "--operator", a, "--guardian", a)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(out, "0x6"), out[:20])
	require.Greater(t, len(out), 4000)

	_, err = slip(
		t,
		"router",
		"code",
		"--owner",
		"0xd26eaf4ca33674E2cEa011569bBb419E5262e5b0",
		"--operator",
		a,
		"--guardian",
		a,
	)

	require.Error(t, err)
}

func TestServeRefusesASandboxConfiguration(t *testing.T) {
	_, err := slip(t, "serve")
	require.ErrorContains(t, err, `mode = "live"`)
	t.Setenv("SLIPWAY_MODE", "live")
	_, err = slip(t, "serve")
	require.ErrorContains(t, err, "not for real money")
	_, err = slip(t, "dev")
	require.ErrorContains(t, err, "refuses mode")
	t.Setenv("SLIPWAY_MODE", "test")
	_, err = slip(t, "serve")
	require.ErrorContains(t, err, "not for tests")
	_, err = slip(t, "dev")
	require.ErrorContains(t, err, "refuses mode")
}
