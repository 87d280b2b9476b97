package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestHouseAccountsAreRead(t *testing.T) {
	file := write(t, `[bank]
channel = 'folder'
to_bank = '/srv/bank/in'
from_bank = '/srv/bank/out'
poll = '15s'
[[house_account]]
id = 'eur-main'
currency = 'EUR'
rails = ['SEPA', 'SEPA_INSTANT']
[[house_account]]
id = 'gbp'
`)
	c := load(t, file, "SLIPWAY_HOUSE_ACCOUNT__EUR_MAIN__IBAN=DE89370400440532013000",
		"SLIPWAY_HOUSE_ACCOUNT__USD__ROUTING_NUMBER=021000021")
	require.Len(t, c.HouseAccounts, 3)
	require.Equal(t, HouseAccount{
		ID:       "eur-main",
		Currency: "EUR",
		IBAN:     "DE89370400440532013000",
		Rails:    []string{"SEPA", "SEPA_INSTANT"},
	}, c.HouseAccounts[0])
	require.Equal(t, "021000021", c.HouseAccounts[2].RoutingNumber)
	require.Equal(t, 15*time.Second, c.Bank.Poll)
	require.Equal(t, filepath.Join("data", "bank", "archive"), c.BankArchive())

	var out strings.Builder
	require.NoError(t, WriteTable(&out, c))
	require.Regexp(
		t,
		`house_account\.eur-main\.iban +SLIPWAY_HOUSE_ACCOUNT__EUR_MAIN__IBAN +DE89370400440532013000 +SLIPWAY_HOUSE_ACCOUNT__EUR_MAIN__IBAN`,
		out.String(),
	)
	out.Reset()
	require.NoError(t, WriteTOML(&out))
	require.Contains(t, out.String(), "#[[house_account]]")
}

func TestBankSettingsFitTogether(t *testing.T) {
	for _, c := range []struct {
		file string
		want []string
	}{
		{"[bank]\nchannel = 'folder'\n", []string{"bank.to_bank and bank.from_bank are needed"}},
		{"[bank]\nchannel = 'pigeon'\n", []string{`"pigeon" is not one of: folder, sftp, ebics`}},
		{"[bank]\nchannel = 'ebics'\n", []string{
			"bank.ebics.url", "bank.ebics.host_id is needed", "bank.ebics.partner_id",
			"bank.ebics.user_id", "bank.ebics.payments is empty", "bank.ebics.downloads is empty",
		}},
		{"[bank]\nchannel = 'ebics'\n[bank.ebics]\nversion = 'H003'\n", []string{`"H003" is not one of: H005, H004`}},
		{"[bank]\nchannel = 'sftp'\nto_bank = 'in'\nfrom_bank = 'out'\n", []string{"bank.sftp.address", "bank.sftp.user", "either a key or a password", "host_key is no public key"}},
		{"[bank.sftp]\nkey = 'secret text'\n[bank]\nchannel = 'sftp'\nto_bank = 'in'\nfrom_bank = 'out'\n", []string{"bank.sftp.key is no private key"}},
		{"[[house_account]]\nid = 'A'\n[[house_account]]\nid = 'b'\n[[house_account]]\nid = 'b'\n", []string{"the 1. [[house_account]] needs an id", "the house account b stands twice"}},
		{"[[house_account]]\nid = 'b'\nibann = 'x'\n", []string{"there is no setting house_account.b.ibann; " +
			"house_account.b.iban is the nearest"}},
	} {
		got := strings.Join(problems(t, write(t, c.file)), "\n")
		for _, want := range c.want {
			require.Contains(t, got, want)
		}

		require.NotContains(t, got, "secret text")
	}
}

func TestRealMoneyGoesByTLSAlone(t *testing.T) {
	for address, wrong := range map[string]bool{
		"https://ebics.bank.example/": false,
		"http://ebics.bank.example/":  true,
	} {
		k := &checker{}
		k.liveBank(&Config{DataDir: t.TempDir(), Bank: Bank{Channel: "ebics", EBICS: BankEBICS{URL: address}}})
		require.Equal(t, wrong, strings.Contains(strings.Join(k.problems, "\n"), "bank.ebics.url"), address)
	}
}

func TestLiveBankFolders(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o755))

	k := &checker{}

	k.liveBank(&Config{
		DataDir: dir,
		Bank:    Bank{Channel: "folder", ToBank: dir, FromBank: filepath.Join(dir, "missing")},
	})

	got := strings.Join(k.problems, "\n")
	require.Contains(t, got, "there is no [[house_account]]")
	require.Contains(t, got, "bank.to_bank "+dir+" may be read")
	require.Contains(t, got, "emptied by the system")
}
