package config

import (
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/secret"
)

func testEnviron() map[string]string {
	return map[string]string{
		"MODE":                       "test",
		"SECURITY__KEYRING":          secret.NewKey("k1").Reveal(),
		"CHAIN__SIGNER__KIND":        "key",
		"CHAIN__SIGNER__KEY":         "4f3edf983ac636a65a842ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d",
		"NETWORK__SEPOLIA__CHAIN_ID": "11155111",
		"NETWORK__SEPOLIA__RPC_URLS": "http://127.0.0.1:8545",
		"NETWORK__SEPOLIA__ROUTER":   goodAddress,
		"NETWORK__SEPOLIA__TREASURY": goodAddress,
	}
}

// C-06: a deployment for tests runs on one node of this machine, and refuses what could reach real money.
func TestModeTestRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		change map[string]string
		reason string
	}{
		"nothing wrong":      {nil, ""},
		"live":               {map[string]string{"MODE": "live"}, `mode is "live"`},
		"no key":             {map[string]string{"SECURITY__KEYRING": ""}, "security.keyring is empty"},
		"the sandbox's key":  {map[string]string{"SECURITY__KEYRING": secret.NewKey("sandbox").Reveal()}, "sandbox's key"},
		"Ethereum":           {map[string]string{"NETWORK__SEPOLIA__CHAIN_ID": "1"}, "chain 1 is no network for tests"},
		"Ethereum, declared": {map[string]string{"NETWORK__SEPOLIA__CHAIN_ID": "1", "NETWORK__SEPOLIA__TESTNET": "true"}, "testnet: chain 1 is no network"},
		"unknown":            {map[string]string{"NETWORK__SEPOLIA__CHAIN_ID": "77001"}, "chain 77001 is not known"},
		"unknown, declared":  {map[string]string{"NETWORK__SEPOLIA__CHAIN_ID": "77001", "NETWORK__SEPOLIA__TESTNET": "true"}, ""},
		"development chain":  {map[string]string{"NETWORK__SEPOLIA__CHAIN_ID": "31337"}, ""},
		"no router":          {map[string]string{"NETWORK__SEPOLIA__ROUTER": ""}, "router is not set"},
		"no signer":          {map[string]string{"CHAIN__SIGNER__KIND": "", "CHAIN__SIGNER__KEY": ""}, "nobody would sign"},
		"mailbox for all":    {map[string]string{"HTTP__BASE_URL": "https://staging.example.org"}, "could read the mailbox"},
		"mailbox inside":     {map[string]string{"HTTP__BASE_URL": "http://10.1.2.3:8080"}, ""},
		"mail server": {map[string]string{
			"HTTP__BASE_URL": "https://staging.example.org",
			"MAIL__HOST":     "mail.example.org",
			"MAIL__FROM":     "no-reply@example.org",
		}, ""},
		"a bank": {map[string]string{
			"BANK__CHANNEL":                "folder",
			"BANK__TO_BANK":                "/srv/to",
			"BANK__FROM_BANK":              "/srv/from",
			"HOUSE_ACCOUNT__EUR__CURRENCY": "EUR",
		}, "bank.test_system is false"},
		"a bank's test system": {map[string]string{
			"BANK__CHANNEL":                "folder",
			"BANK__TO_BANK":                "/srv/to",
			"BANK__FROM_BANK":              "/srv/from",
			"BANK__TEST_SYSTEM":            "true",
			"HOUSE_ACCOUNT__EUR__CURRENCY": "EUR",
		}, ""},
		"a provider": {map[string]string{
			"LIQUIDITY__PROVIDER": "http",
			"LIQUIDITY__URL":      "https://trade.example.org",
			"LIQUIDITY__KEY_ID":   "a",
			"LIQUIDITY__SECRET":   "b",
		}, "liquidity.test_system is false"},
	} {
		t.Run(name, func(t *testing.T) {
			env := testEnviron()
			maps.Copy(env, test.change)

			c, err := Load(Source{Environ: environ(env)})
			require.NoError(t, err)

			reasons := CheckTest(c)
			if test.reason == "" {
				require.Empty(t, reasons)
				return
			}

			require.Contains(t, strings.Join(reasons, "\n"), test.reason)
		})
	}
}

// I-07: webhooks reach a private network only where the configuration says so, and never in live. A sandbox that nobody
// else reaches is the one exception.
func TestPrivateWebhooksHaveToBeAllowed(t *testing.T) {
	for name, test := range map[string]struct {
		env  []string
		want bool
	}{
		"test":                     {[]string{"MODE=test"}, false},
		"test that says so":        {[]string{"MODE=test", "WEBHOOKS__PRIVATE_TARGETS=true"}, true},
		"live that says so":        {[]string{"MODE=live", "WEBHOOKS__PRIVATE_TARGETS=true"}, false},
		"sandbox":                  {nil, true},
		"sandbox by name":          {[]string{"HTTP__LISTEN=localhost:8080"}, true},
		"sandbox on IPv6":          {[]string{"HTTP__LISTEN=[::1]:8080"}, true},
		"sandbox for all":          {[]string{"HTTP__LISTEN=0.0.0.0:8080"}, false},
		"sandbox for all, short":   {[]string{"HTTP__LISTEN=:8080"}, false},
		"sandbox in a network":     {[]string{"HTTP__LISTEN=10.1.2.3:8080"}, false},
		"sandbox for all, says so": {[]string{"HTTP__LISTEN=:8080", "WEBHOOKS__PRIVATE_TARGETS=true"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			var environ []string
			for _, e := range test.env {
				environ = append(environ, EnvPrefix+e)
			}

			require.Equal(t, test.want, load(t, "", environ...).PrivateWebhooks())
		})
	}
}

// A build without simulators names each setting that would need one, in place of serving without a part.
func TestWithoutSimulatorsEverythingHasToBeSet(t *testing.T) {
	c, err := Load(Source{Environ: []string{"SLIPWAY_MODE=test"}})
	require.NoError(t, err)

	c.Mail.Host = "mail.example.org"

	k := &checker{}
	k.notSimulated(c)
	require.Len(t, k.problems, 6)
	require.Contains(t, k.problems, "screening.list_files is not set, and this build has no simulators")
	require.NotContains(t, strings.Join(k.problems, "\n"), "mail.host")
}

// Each outside party is simulated by itself: one that is configured is live beside simulators of the others.
func TestEachPartIsSimulatedByItself(t *testing.T) {
	all := Simulated{
		Chain:        true,
		Bank:         true,
		Verification: true,
		Screening:    true,
		Rates:        true,
		Liquidity:    true,
		Mail:         true,
	}
	require.Len(t, all.Missing(), 7)

	for _, test := range []struct {
		set  map[string]string
		want func(s *Simulated)
	}{
		{nil, func(*Simulated) {}},
		{map[string]string{"NETWORK__A__CHAIN_ID": "97", "NETWORK__A__RPC_URLS": "http://a.example"}, func(s *Simulated) { s.Chain = false }},
		{map[string]string{"HOUSE_ACCOUNT__EUR__CURRENCY": "EUR"}, func(s *Simulated) { s.Bank = false }},
		{map[string]string{
			"IDV__BASE_URL":        "https://idv.example.org",
			"IDV__APP_TOKEN":       "sbx:a",
			"IDV__SECRET":          "b",
			"IDV__WEBHOOK_SECRETS": "c",
		}, func(s *Simulated) { s.Verification = false }},
		{map[string]string{"SCREENING__LIST_FILES": "/srv/list"}, func(s *Simulated) { s.Screening = false }},
		{map[string]string{"RATES__SOURCE": "market"}, func(s *Simulated) { s.Rates = false }},
		{map[string]string{
			"LIQUIDITY__PROVIDER": "http",
			"LIQUIDITY__URL":      "https://trade.example.org",
			"LIQUIDITY__KEY_ID":   "a",
			"LIQUIDITY__SECRET":   "b",
		}, func(s *Simulated) { s.Liquidity = false }},
		{map[string]string{"MAIL__HOST": "m.example.org", "MAIL__FROM": "a@example.org"}, func(s *Simulated) { s.Mail = false }},
	} {
		env := map[string]string{"MODE": "test"}
		maps.Copy(env, test.set)

		c, err := Load(Source{Environ: environ(env)})
		require.NoError(t, err)

		want := all
		test.want(&want)
		require.Equal(t, want, c.Simulated(), "%v", test.set)
	}

	c, err := Load(Source{Environ: environ(map[string]string{"MODE": "live"})})
	require.NoError(t, err)
	require.Zero(t, c.Simulated(), "nothing is simulated where money is real")
}
