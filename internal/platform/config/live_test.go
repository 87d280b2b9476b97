package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/platformtest"
	"slipway/internal/platform/secret"
)

const (
	goodAddress = "0x52908400098527886e0f7030069857d2e4169ee7"
	anvilFirst  = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
)

// liveFiles gives a keystore and a list in a folder that is not temporary to the check.
func liveFiles(t *testing.T) (keystore, list string) {
	t.Helper()
	dir := platformtest.LastingDir(t)
	keystore = filepath.Join(dir, "operator.json")
	list = filepath.Join(dir, "list.xml")
	require.NoError(
		t,
		os.WriteFile(keystore, []byte(`{"version":3,"address":"`+goodAddress[2:]+`","crypto":{}}`), 0o600),
	)
	require.NoError(t, os.WriteFile(list, []byte("<list/>"), 0o600))

	return keystore, list
}

func liveEnviron(t *testing.T) map[string]string {
	keystore, list := liveFiles(t)

	return map[string]string{
		"MODE":                         "live",
		"DATA_DIR":                     "/srv/slipway",
		"WITNESS__FOLDER":              "/srv/witness",
		"HTTP__BASE_URL":               "https://pay.example.org",
		"DATABASE__URL":                "postgres://slipway:m5k2fhd8@db.internal/slipway?sslmode=verify-full",
		"CHAIN__SIGNER__KIND":          "keystore",
		"CHAIN__SIGNER__KEYSTORE_FILE": keystore,
		"CHAIN__SIGNER__PASSWORD":      "five dull umbrellas",
		"SECURITY__KEYRING":            secret.NewKey("k1").Reveal(),
		"MAIL__HOST":                   "mail.example.org",
		"MAIL__FROM":                   "no-reply@pay.example.org",
		"IDV__BASE_URL":                "https://api.sumsub.com",
		"IDV__APP_TOKEN":               "prd:a1",
		"IDV__SECRET":                  "six patient lanterns",
		"IDV__WEBHOOK_SECRETS":         "seven loud chairs",
		"SCREENING__LIST_FILES":        list,
		"NETWORK__ETHEREUM__CHAIN_ID":  "1",
		"NETWORK__ETHEREUM__RPC_URLS":  "https://a.example/k,https://b.example/k",
		"NETWORK__ETHEREUM__ROUTER":    goodAddress,
		"NETWORK__ETHEREUM__TREASURY":  goodAddress,
	}
}

func environ(m map[string]string) []string {
	var out []string
	for k, v := range m {
		out = append(out, EnvPrefix+k+"="+v)
	}

	return out
}

// C-06: each case is a live configuration with one thing that must stop the start.
func TestLiveRefuses(t *testing.T) {
	weak := filepath.Join(t.TempDir(), "operator.json") // in a temporary folder, and of a known account
	require.NoError(
		t,
		os.WriteFile(weak, []byte(`{"version":3,"address":"`+strings.ToLower(anvilFirst[2:])+`"}`), 0o600),
	)
	notKeystore := filepath.Join(t.TempDir(), "x.json")
	require.NoError(t, os.WriteFile(notKeystore, []byte(`{"version":1}`), 0o644))

	remote := map[string]string{
		"CHAIN__SIGNER__KIND":          "remote",
		"CHAIN__SIGNER__KEYSTORE_FILE": "",
		"CHAIN__SIGNER__PASSWORD":      "",
		"CHAIN__SIGNER__ADDRESS":       goodAddress,
	}
	for name, test := range map[string]struct {
		change map[string]string
		reason string
	}{
		"nothing wrong":         {nil, ""},
		"sandbox":               {map[string]string{"MODE": "sandbox", "IDV__APP_TOKEN": "sbx:a1"}, `mode is "sandbox"`},
		"made-up bank accounts": {map[string]string{"BANK_ACCOUNTS__PROVIDER": "simulator"}, "makes its answers up"},
		"IBANs in clear text": {
			map[string]string{
				"BANK_ACCOUNTS__PROVIDER": "ibansuite",
				"BANK_ACCOUNTS__KEY":      "k",
				"BANK_ACCOUNTS__URL":      "http://api.iban.com",
			},
			"bank_accounts.url http://api.iban.com is not https",
		},
		"plain http":             {map[string]string{"HTTP__BASE_URL": "http://pay.example.org"}, "not https"},
		"local base":             {map[string]string{"HTTP__BASE_URL": "https://localhost"}, "not what clients can reach"},
		"relative data_dir":      {map[string]string{"DATA_DIR": "data"}, "no full path"},
		"temporary data_dir":     {map[string]string{"DATA_DIR": "/tmp/x"}, "data_dir /tmp/x is emptied"},
		"default database":       {map[string]string{"DATABASE__URL": ""}, ""},
		"sqlite":                 {map[string]string{"DATABASE__URL": "sqlite:/srv/x.db"}, ""},
		"sqlite in tmp":          {map[string]string{"DATABASE__URL": "sqlite:/var/tmp/x.db"}, "emptied by the system"},
		"sqlite by dots":         {map[string]string{"DATABASE__URL": "sqlite:/srv/../tmp/x.db"}, "emptied by the system"},
		"sqlite on tmpfs":        {map[string]string{"DATABASE__URL": "sqlite:/run/x.db"}, "emptied by the system"},
		"sqlite relative":        {map[string]string{"DATABASE__URL": "sqlite:x.db"}, "without its full path"},
		"sqlite memory":          {map[string]string{"DATABASE__URL": "sqlite::memory:"}, "in memory only"},
		"sqlite memory by query": {map[string]string{"DATABASE__URL": "sqlite:/srv/x.db?mode=memory"}, "in memory only"},
		"no tls to database":     {map[string]string{"DATABASE__URL": "postgres://u:m5k2fhd8@db.internal/s"}, "sslmode"},
		"database here":          {map[string]string{"DATABASE__URL": "postgres://u:m5k2fhd8@127.0.0.1/s"}, ""},
		"database by socket":     {map[string]string{"DATABASE__URL": "postgres:///s?host=/var/run/postgresql"}, ""},
		"host in query":          {map[string]string{"DATABASE__URL": "postgres:///s?host=db.internal"}, "sslmode"},
		"known password":         {map[string]string{"DATABASE__URL": "postgres://postgres:Postgres@127.0.0.1/s"}, "everybody tries first"},
		"password is the user":   {map[string]string{"DATABASE__URL": "postgres://payer:payer@127.0.0.1/s"}, "everybody tries first"},
		"keystore password":      {map[string]string{"CHAIN__SIGNER__PASSWORD": "short"}, "well-known one or shorter"},
		"keystore missing":       {map[string]string{"CHAIN__SIGNER__KEYSTORE_FILE": "/srv/none.json"}, "cannot be read"},
		"keystore of anvil":      {map[string]string{"CHAIN__SIGNER__KEYSTORE_FILE": weak}, "one of the well-known development accounts"},
		"keystore in tmp":        {map[string]string{"CHAIN__SIGNER__KEYSTORE_FILE": weak}, "stands in a folder that is emptied"},
		"keystore open to all":   {map[string]string{"CHAIN__SIGNER__KEYSTORE_FILE": notKeystore}, "read by everybody"},
		"no keystore":            {map[string]string{"CHAIN__SIGNER__KEYSTORE_FILE": notKeystore}, "no Ethereum keystore"},
		"keystore of another":    {map[string]string{"CHAIN__SIGNER__ADDRESS": "0x8617e340b3d01fa5f11f306f4090fd50e238070d"}, "but the keystore file is that of"},
		"key in the clear": {map[string]string{
			"CHAIN__SIGNER__KIND":          "key",
			"CHAIN__SIGNER__KEYSTORE_FILE": "",
			"CHAIN__SIGNER__PASSWORD":      "",
			"CHAIN__SIGNER__KEY":           strings.Repeat("ab", 32),
		}, "plain text"},
		"no signer": {map[string]string{
			"CHAIN__SIGNER__KIND":          "",
			"CHAIN__SIGNER__KEYSTORE_FILE": "",
			"CHAIN__SIGNER__PASSWORD":      "",
		}, "sandbox's own key"},
		"remote over http":       {merge(remote, "CHAIN__SIGNER__REMOTE_URL", "http://signer.example"), "neither https"},
		"remote over https":      {merge(remote, "CHAIN__SIGNER__REMOTE_URL", "https://signer.example"), ""},
		"remote by socket":       {merge(remote, "CHAIN__SIGNER__REMOTE_URL", "/run/signer.sock"), ""},
		"remote of anvil":        {merge(remote, "CHAIN__SIGNER__REMOTE_URL", "/run/signer.sock", "CHAIN__SIGNER__ADDRESS", anvilFirst), "development accounts"},
		"no keyring":             {map[string]string{"SECURITY__KEYRING": ""}, "security.keyring is empty"},
		"the sandbox's key":      {map[string]string{"SECURITY__KEYRING": secret.NewKey("k1").Reveal() + "," + secret.NewKey("sandbox").Reveal()}, "security.keyring holds the sandbox's key"},
		"hooks into our network": {map[string]string{"WEBHOOKS__PRIVATE_TARGETS": "true"}, "webhooks.private_targets is true"},
		"no mail":                {map[string]string{"MAIL__HOST": ""}, "mail.host is empty"},
		"mail in clear":          {map[string]string{"MAIL__SECURITY": "none"}, "mail.security none"},
		"no screening":           {map[string]string{"SCREENING__LIST_FILES": ""}, "screening.list_files is empty"},
		"screening file gone":    {map[string]string{"SCREENING__LIST_FILES": "/srv/none.xml"}, "/srv/none.xml cannot be read"},
		"screening file empty":   {map[string]string{"SCREENING__LIST_FILES": os.DevNull}, "is empty"},
		"no identity provider": {map[string]string{
			"IDV__BASE_URL":        "",
			"IDV__APP_TOKEN":       "",
			"IDV__SECRET":          "",
			"IDV__WEBHOOK_SECRETS": "",
		}, "idv.base_url is empty"},
		"identities in clear":  {map[string]string{"IDV__BASE_URL": "http://api.sumsub.com"}, "idv.base_url http://api.sumsub.com is not https"},
		"simulated identities": {map[string]string{"IDV__BASE_URL": "https://127.0.0.1:7000"}, "as a simulator is"},
		"made-up identities":   {map[string]string{"IDV__APP_TOKEN": "sbx:a1"}, "of the provider's sandbox"},
		"weak event secret":    {map[string]string{"IDV__WEBHOOK_SECRETS": "seven loud chairs,short"}, "need at least 16 characters"},
		"no network": {map[string]string{
			"NETWORK__ETHEREUM__CHAIN_ID": "",
			"NETWORK__ETHEREUM__RPC_URLS": "",
			"NETWORK__ETHEREUM__ROUTER":   "",
			"NETWORK__ETHEREUM__TREASURY": "",
		}, "there is no network"},
		"development chain":  {map[string]string{"NETWORK__ETHEREUM__CHAIN_ID": "31337"}, "development chain"},
		"network for tests":  {map[string]string{"NETWORK__ETHEREUM__CHAIN_ID": "11155111"}, "is a network for tests"},
		"declared for tests": {map[string]string{"NETWORK__ETHEREUM__CHAIN_ID": "77001", "NETWORK__ETHEREUM__TESTNET": "true"}, "is a network for tests"},
		"chain of one's own": {map[string]string{"NETWORK__ETHEREUM__CHAIN_ID": "77001"}, ""},
		"bank's test system": {map[string]string{
			"BANK__CHANNEL":                "folder",
			"BANK__TO_BANK":                "/srv/slipway/to",
			"BANK__FROM_BANK":              "/srv/slipway/from",
			"BANK__TEST_SYSTEM":            "true",
			"HOUSE_ACCOUNT__EUR__CURRENCY": "EUR",
		}, "bank.test_system is true"},
		"no router":          {map[string]string{"NETWORK__ETHEREUM__ROUTER": ""}, "router is not set"},
		"zero treasury":      {map[string]string{"NETWORK__ETHEREUM__TREASURY": "0x" + strings.Repeat("0", 40)}, "treasury is not set"},
		"known treasury":     {map[string]string{"NETWORK__ETHEREUM__TREASURY": anvilFirst}, "development accounts"},
		"one node":           {map[string]string{"NETWORK__ETHEREUM__RPC_URLS": "https://a.example/1,https://a.example/2"}, "at least two hosts"},
		"node in clear text": {map[string]string{"NETWORK__ETHEREUM__RPC_URLS": "http://a.example,https://b.example"}, "the 1. of rpc_urls goes over the network in clear"},
		"node of one's own":  {map[string]string{"NETWORK__ETHEREUM__RPC_URLS": "http://10.0.0.7:8545,https://b.example"}, ""},
		"development setting": {map[string]string{"DEV__BLOCK_PERIOD": "1s"}, "SLIPWAY_DEV__BLOCK_PERIOD is for " +
			"the sandbox"},
	} {
		t.Run(name, func(t *testing.T) {
			m := liveEnviron(t)
			for k, v := range test.change {
				m[k] = v
			}

			reasons := CheckLive(load(t, "", environ(m)...))
			if test.reason == "" {
				require.Empty(t, reasons)
				return
			}

			require.Contains(t, strings.Join(reasons, "\n"), test.reason)
		})
	}
}

func merge(m map[string]string, pairs ...string) map[string]string {
	out := map[string]string{}
	for k, v := range m {
		out[k] = v
	}

	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = pairs[i+1]
	}

	return out
}

func TestLiveRefusesSecretsInAFileThatEverybodyReads(t *testing.T) { // C-01
	m := liveEnviron(t)
	delete(m, "CHAIN__SIGNER__PASSWORD")
	file := write(t, "[chain.signer]\npassword = 'five dull umbrellas'\n")
	require.Empty(t, CheckLive(load(t, file, environ(m)...)))
	require.NoError(t, os.Chmod(file, 0o644))

	reasons := CheckLive(load(t, file, environ(m)...))
	require.Len(t, reasons, 1)
	require.Contains(t, reasons[0], "chain.signer.password stands in")
}

// A sandbox's default configuration has many reasons, and none of them shows a secret.
func TestLiveTellsEveryReasonAtOnce(t *testing.T) {
	c := load(t, "", "SLIPWAY_DATABASE__URL=postgres://canary:canary@h.example/d", "SLIPWAY_CHAIN__SIGNER__KIND=key",
		"SLIPWAY_CHAIN__SIGNER__KEY="+strings.Repeat("ca", 32))
	reasons := CheckLive(c)
	require.GreaterOrEqual(t, len(reasons), 7, "%v", reasons)
	require.NotContains(t, strings.Join(reasons, "\n"), "canary")
	require.NotContains(t, strings.Join(reasons, "\n"), "caca")
}
