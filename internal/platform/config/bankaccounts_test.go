package config

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBankAccountSettingsFitTogether(t *testing.T) {
	c := load(t, "")
	require.Equal(t, "offline", c.BankAccounts.Provider)
	load(t, "", "SLIPWAY_BANK_ACCOUNTS__PROVIDER=ibansuite", "SLIPWAY_BANK_ACCOUNTS__KEY=canary")

	for wrong, environ := range map[string][]string{
		"bank_accounts.key is needed":                           {"SLIPWAY_BANK_ACCOUNTS__PROVIDER=ibansuite"},
		`bank_accounts.key is set, but`:                         {"SLIPWAY_BANK_ACCOUNTS__KEY=canary"},
		"bank_accounts.url: leave out the slash":                {"SLIPWAY_BANK_ACCOUNTS__URL=https://x.example/"},
		"uk_substitutions_file is of no use":                    {"SLIPWAY_BANK_ACCOUNTS__UK_SUBSTITUTIONS_FILE=/x"},
		"bank_accounts.fedach_file and fedwire_file go":         {"SLIPWAY_BANK_ACCOUNTS__FEDACH_FILE=/x"},
		`"openiban" is not one of: offline ibansuite simulator`: {"SLIPWAY_BANK_ACCOUNTS__PROVIDER=openiban"},
	} {
		t.Run(wrong, func(t *testing.T) {
			got := strings.Join(problems(t, "", environ...), "\n")
			require.Contains(t, strings.ReplaceAll(got, ", ", " "), strings.ReplaceAll(wrong, ", ", " "))
			require.NotContains(t, got, "canary")
		})
	}
}
