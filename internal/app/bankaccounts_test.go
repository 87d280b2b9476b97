//go:build !nosandbox

package app

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/config"
	"slipway/internal/standards/bankcode"
)

func TestProviderOfBankAccountsIsTheConfiguredOne(t *testing.T) {
	offline, err := suiteOf(config.BankAccounts{Provider: "offline"})
	require.NoError(t, err)
	require.Nil(t, offline)

	simulated, err := suiteOf(config.BankAccounts{Provider: "simulator"})
	require.NoError(t, err)

	a, err := simulated.Check(context.Background(), "DE89370400440532013000")
	require.NoError(t, err)
	require.Zero(t, a.Code)
	require.Equal(t, "Simulated Bank 37040044", a.Bank.Name)

	live, err := suiteOf(config.BankAccounts{
		Provider: "ibansuite",
		URL:      "https://api.iban.invalid",
		Key:      "k",
		Timeout:  time.Second,
	})

	require.NoError(t, err)
	require.NotNil(t, live)

	_, err = suiteOf(config.BankAccounts{Provider: "ibansuite"})
	require.Error(t, err)
}

func TestTablesOfBankAccountsAreReadOrStopTheStart(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	none, err := bankTables(config.BankAccounts{})
	require.NoError(t, err)
	require.Nil(t, none.UK)
	require.Nil(t, none.Fed)
	weights := file("weights.txt", "100000 100000 MOD10 0 0 0 0 0 0 1 1 1 1 1 1 1 1\r\n")
	tables, err := bankTables(config.BankAccounts{
		UKWeightsFile:       weights,
		UKSubstitutionsFile: file("sub.txt", "100001 100000\r\n"),
	})
	require.NoError(t, err)
	require.Equal(t, bankcode.Fails, tables.UK.Check("100000", "00000001"))
	wire := file(
		"fpddir.txt",
		"021000021FIRST EXAMPLE      FIRST EXAMPLE BANK                  NYNEW YORK                 Y Y\n",
	)
	tables, err = bankTables(config.BankAccounts{FedwireFile: wire})
	require.NoError(t, err)
	require.Equal(t, 1, tables.Fed.Size())

	for key, c := range map[string]config.BankAccounts{
		"bank_accounts.uk_weights_file": {UKWeightsFile: filepath.Join(dir, "missing.txt")}, "line 1": {UKWeightsFile: file("page.html", "<html>")},
		"FedACH": {FedACHFile: filepath.Join(dir, "page.html"), FedwireFile: wire},
	} {
		_, err := bankTables(c)
		require.ErrorContains(t, err, key)
	}
}
