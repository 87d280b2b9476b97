package config

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const usdcFeed = "0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6"

func TestPricesAreReadFromTheirLists(t *testing.T) {
	c := load(t, write(t, `
[rates]
feeds = ["USDC/USD ethereum `+usdcFeed+` 24h", "EUR/USD ethereum `+strings.ToLower(usdcFeed)+` 27s"]
sequencer_feeds = ["ethereum `+usdcFeed+` 1h"]
[fees]
pair_commissions = ["USDC/EUR=0.4", "DAI/CHF = 0"]
banking = ["SEPA=0.20 EUR", "SWIFT=15+20.50 USD"]
[quotes]
onramp_minimum = ["EUR=1000", "JPY=150000"]
[[network]]
id = "ethereum"
chain_id = 1
rpc_urls = ["http://n"]
`))

	feeds, err := c.Rates.ParseFeeds()
	require.NoError(t, err)
	require.Equal(t, Feed{"USDC", "USD", "ethereum", usdcFeed, 24 * time.Hour}, feeds[0])
	require.Equal(t, 27*time.Second, feeds[1].Heartbeat)

	sequencers, err := c.Rates.ParseSequencerFeeds()
	require.NoError(t, err)
	require.Equal(t, []SequencerFeed{{"ethereum", usdcFeed, time.Hour}}, sequencers)

	banking, err := c.Fees.ParseBanking()
	require.NoError(t, err)
	require.Equal(t, []BankingFee{{"SEPA", "0.20", "0", "EUR"}, {"SWIFT", "15", "20.50", "USD"}}, banking)

	pairs, err := c.Fees.ParsePairs()
	require.NoError(t, err)
	require.Equal(t, "1/250", pairs[0].Share.String())
	require.Equal(t, "0/1", pairs[1].Share.String())

	minimum, err := c.Quotes.ParseOnrampMinimum()
	require.NoError(t, err)
	require.Equal(t, []CurrencyAmount{{"EUR", "1000"}, {"JPY", "150000"}}, minimum)
}

func TestPricesThatCannotBeMeantAreRefused(t *testing.T) {
	for setting, test := range map[string]struct{ value, says string }{
		"FEES__COMMISSION_PERCENT":       {"0.12345", "at most 4 decimals"},
		"QUOTES__RATE_TOLERANCE_PERCENT": {"51", "more than 50 %"},
		"RATES__MAX_DEVIATION_PERCENT":   {"-1", "not a percentage"},
		"FEES__NETWORK_USD":              {"0.505", "not an amount of US dollars"},
		"QUOTES__ONRAMP_MINIMUM_USD":     {"1e3", "not an amount of US dollars"},
		"FEES__BANKING":                  {"SEPA=0.20", "RAIL=AMOUNT CURRENCY"},
		"FEES__PAIR_COMMISSIONS":         {"USDC/EUR=60", "TOKEN/CURRENCY=PERCENT"},
		"QUOTES__ONRAMP_MINIMUM":         {"EUR 1000", "CURRENCY=AMOUNT"},
		"RATES__FEEDS":                   {"USDC/USD elsewhere " + usdcFeed + " 24h", "no network elsewhere"},
		"RATES__SEQUENCER_FEEDS":         {"ethereum 0x12 1h", "NETWORK ADDRESS GRACE"},
		"RATES__ECB_URL":                 {"ecb", "not an address"},
		"RATES__ECB_HISTORY_URL":         {"file:///etc", "not an address"},
		"RATES__SOURCE":                  {"guess", "not one of"},
		"LIQUIDITY__PROVIDER":            {"http", "liquidity.secret is needed"},
		"LIQUIDITY__SECRET":              {"canary", "provider is \"\""},
		"LIQUIDITY__URL":                 {"https://u:p@lp.example", "no user"},
		"LIQUIDITY__NAME":                {"Second Desk", "liquidity.name"},
		// of a further provider
		"LIQUIDITY_PROVIDER__SECOND__CURRENCIES": {"EUR, euros", "liquidity_provider.second.currencies: \"euros\""},
		"LIQUIDITY_PROVIDER__SECOND__TIMEOUT":    {"20s", "liquidity_provider.second.secret is needed"},
		"LIQUIDITY_PROVIDER__MAIN__PROVIDER":     {"simulator", "has the name of the provider in [liquidity]"},
	} {
		t.Run(setting, func(t *testing.T) {
			got := strings.Join(problems(t, "", EnvPrefix+setting+"="+test.value), "\n")
			require.Contains(t, got, test.says)
			require.NotContains(t, got, "canary")
		})
	}

	wrong := strings.Replace(usdcFeed, "8fFf", "8FFf", 1)
	require.Contains(t, strings.Join(problems(t, "", EnvPrefix+"RATES__FEEDS=USDC/USD ethereum "+wrong+" 24h"), "\n"),
		"checksum")
}

func TestLiveTakesNoMadeUpPrices(t *testing.T) { // C-06
	base := liveEnviron(t)

	provider := map[string]string{
		"LIQUIDITY__PROVIDER": "http",
		"LIQUIDITY__URL":      "https://lp.example",
		"LIQUIDITY__KEY_ID":   "slipway",
		"LIQUIDITY__SECRET":   strings.Repeat("ab", 16),
		"RATES__FEEDS":        "USDC/USD ethereum " + usdcFeed + " 24h",
	}

	second := []string{
		"LIQUIDITY_PROVIDER__SECOND__URL", "https://second.example",
		"LIQUIDITY_PROVIDER__SECOND__KEY_ID", "slipway",
		"LIQUIDITY_PROVIDER__SECOND__SECRET", strings.Repeat("cd", 16),
		"LIQUIDITY_PROVIDER__SECOND__CURRENCIES", "GBP",
	}

	for name, test := range map[string]struct {
		change map[string]string
		says   string
	}{
		"no provider at all": {map[string]string{}, ""},
		"a provider":         {provider, ""},
		"on this machine":    {merge(provider, "LIQUIDITY__URL", "http://127.0.0.1:9000"), ""},
		"simulated rates":    {map[string]string{"RATES__SOURCE": "simulator"}, "makes its prices up"},
		"simulated provider": {map[string]string{"LIQUIDITY__PROVIDER": "simulator"}, "nothing to sell"},
		"in clear text":      {merge(provider, "LIQUIDITY__URL", "http://lp.example"), "not https"},
		"a short secret":     {merge(provider, "LIQUIDITY__SECRET", "short"), "shorter than 32"},
		"no feeds":           {merge(provider, "RATES__FEEDS", ""), "rates.feeds is empty"},
		"a second provider":  {merge(provider, second...), ""},
		"a second provider in clear text": {
			merge(merge(provider, second...), "LIQUIDITY_PROVIDER__SECOND__URL", "http://lp.example"),
			"liquidity_provider.second.url http://lp.example is not https",
		},
		"a second provider without a first": {
			merge(merge(provider, second...), "LIQUIDITY__PROVIDER", "", "LIQUIDITY__URL", "", "LIQUIDITY__KEY_ID", "", "LIQUIDITY__SECRET", ""),
			"liquidity.provider is empty",
		},
	} {
		t.Run(name, func(t *testing.T) {
			all := merge(base)
			for k, v := range test.change {
				all[k] = v
			}

			got := strings.Join(CheckLive(load(t, "", environ(all)...)), "\n")
			if test.says == "" {
				require.Empty(t, got)
				return
			}

			require.Contains(t, got, test.says)
		})
	}
}

// Providers of liquidity are listed with the one of [liquidity] in front, under the names that their orders are stored
// with. Two must not serve one currency.
func TestProvidersOfLiquidityHaveNames(t *testing.T) {
	c, err := Load(Source{Environ: []string{
		EnvPrefix + "LIQUIDITY_PROVIDER__SECOND__PROVIDER=simulator",
		EnvPrefix + "LIQUIDITY_PROVIDER__SECOND__CURRENCIES=GBP, CHF",
		EnvPrefix + "LIQUIDITY_PROVIDER__THIRD__PROVIDER=simulator",
	}})
	require.NoError(t, err)

	all := c.AllLiquidity()
	require.Len(t, all, 3)
	require.Equal(t, MainLiquidity, all[0].ID)
	require.Equal(t, "second", all[1].ID)
	require.Equal(t, []string{"GBP", "CHF"}, all[1].Currencies)
	require.Empty(t, all[2].Currencies)

	got := problems(t, "",
		EnvPrefix+"LIQUIDITY_PROVIDER__SECOND__PROVIDER=simulator",
		EnvPrefix+"LIQUIDITY_PROVIDER__SECOND__CURRENCIES=GBP",
		EnvPrefix+"LIQUIDITY_PROVIDER__THIRD__PROVIDER=simulator",
		EnvPrefix+"LIQUIDITY_PROVIDER__THIRD__CURRENCIES=GBP",
	)
	require.Contains(t, strings.Join(got, "\n"), "liquidity_provider.second has GBP already")
}
