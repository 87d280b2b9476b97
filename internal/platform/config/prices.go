package config

import (
	"fmt"
	"math/big"
	"net/url"
	"strings"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/platform/secret"
)

// Rates is where exchange rates come from.
type Rates struct {
	Source              string   `key:"source" oneof:"simulator market" help:"market: the price feeds below, and the European Central Bank's reference rates between currencies. simulator: made-up prices, never in live. Empty: market in live, and in test with feeds; else simulator."`
	ECBURL              string   `key:"ecb_url" form:"site" default:"https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml" help:"Address of the daily file of reference rates."`
	ECBHistoryURL       string   `key:"ecb_history_url" form:"site" default:"https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml" help:"Address of the reference rates of past days, for books and invoices. Those that are missing are stored every hour. To keep books of an earlier time than 90 days ago, take eurofxref-hist.xml for a day."`
	ECBMissed           int      `key:"ecb_missed" default:"1" min:"0" max:"5" help:"Publications of reference rates that may be missed before the last ones count as outdated. There is one on each working day of TARGET."`
	Feeds               []string `key:"feeds" help:"Chainlink price feeds, each as PAIR NETWORK ADDRESS HEARTBEAT, such as USDC/USD ethereum 0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6 24h. The network is one of those configured."`
	SequencerFeeds      []string `key:"sequencer_feeds" help:"Uptime feeds of rollups, each as NETWORK ADDRESS GRACE: the network's feeds are not trusted while its sequencer is down, and for GRACE afterwards."`
	MaxDeviationPercent string   `key:"max_deviation_percent" form:"percent" default:"3" help:"How far a price feed may differ from the reference rate of the same pair. If it differs more, neither is used."`
}

// MainLiquidity is the name of the provider in [liquidity] unless liquidity.name is given. Orders from before providers
// had names are stored with it.
const MainLiquidity = "main"

// Liquidity is the provider that swaps tokens and fiat, in every currency that no other one names.
type Liquidity struct {
	Name     string        `key:"name" form:"name" default:"main" help:"Name of the provider, which each of its orders is stored with. Another provider gets another name; the old one then stays in a [[liquidity_provider]] table under its own name until its last order has ended."`
	Provider string        `key:"provider" oneof:"simulator http house" help:"http: a provider of the contract in docs/reference/liquidity-contract.md. house: your own stock, see [stock]. simulator: never in live. Empty: none in live, which then offers no FIAT and no ONRAMP; else the simulator."`
	URL      string        `key:"url" form:"web" help:"Address of the provider, without a slash at the end."`
	KeyID    string        `key:"key_id" help:"The provider's name for the secret that signs requests."`
	Secret   secret.Text   `key:"secret" help:"Shared secret that signs requests (HMAC-SHA256)."`
	Timeout  time.Duration `key:"timeout" default:"15s" min:"1s" max:"2m" help:"Time limit of one call. A call without an answer is retried."`

	TestSystem bool `key:"test_system" default:"false" help:"Whether the provider is a test system that trades nothing of worth. Needed in mode test with provider http, refused in live."`
}

// Simulated reports whether the provider is a simulator, or whatever the sandbox has, or nobody.
func (l Liquidity) Simulated() bool { return l.Provider == "" || l.Provider == "simulator" }

// LiquidityProvider is a further provider; in TOML a [[liquidity_provider]] table.
type LiquidityProvider struct {
	ID         string        `key:"id" help:"Name of the provider, which each of its orders is stored with: lower-case letters, digits and dashes. It stands for one provider for ever."`
	Provider   string        `key:"provider" default:"http" oneof:"simulator http house" help:"As liquidity.provider."`
	URL        string        `key:"url" form:"web" help:"Address of the provider, without a slash at the end."`
	KeyID      string        `key:"key_id" help:"The provider's name for the secret that signs requests."`
	Secret     secret.Text   `key:"secret" help:"Shared secret that signs requests (HMAC-SHA256)."`
	Timeout    time.Duration `key:"timeout" default:"15s" min:"1s" max:"2m" help:"Time limit of one call."`
	TestSystem bool          `key:"test_system" default:"false" help:"As liquidity.test_system."`
	Currencies []string      `key:"currencies" form:"currency" help:"Currencies whose new orders it gets, by ISO 4217. Empty: none; it is only asked about orders that it holds."`
}

// AllLiquidity returns every provider of liquidity, the one of [liquidity] first.
func (c *Config) AllLiquidity() []LiquidityProvider {
	l := c.Liquidity
	first := LiquidityProvider{
		ID:       l.Name,
		Provider: l.Provider,
		URL:      l.URL,
		KeyID:    l.KeyID,
		Secret:   l.Secret,
		Timeout:  l.Timeout,

		TestSystem: l.TestSystem,
	}

	return append([]LiquidityProvider{first}, c.LiquidityProviders...)
}

// section is where a provider is configured.
func (l LiquidityProvider) section(c *Config) string {
	if l.ID == c.Liquidity.Name {
		return "liquidity"
	}

	return "liquidity_provider." + l.ID
}

// Stock is how the house converts out of its own stock, for the currencies of a provider that is house.
type Stock struct {
	SpreadPercent       string   `key:"spread_percent" form:"percent" default:"0.2" help:"By how much the house's rate is worse than the market's."`
	OrganisationPercent string   `key:"organisation_percent" form:"percent" default:"25" help:"Share of what is free of a position that the open quotes of one organisation may reserve, so that nobody blocks it for the others; at most 50."`
	OrderLimits         []string `key:"order_limits" form:"amount" help:"Most that one transaction takes out of a position, each as ASSET=AMOUNT, such as EUR=50000."`
	Floors              []string `key:"floors" form:"amount" help:"What is never promised to customers of a position, each as ASSET=AMOUNT."`
	Ceilings            []string `key:"ceilings" form:"amount" help:"Up to where conversions fill a position, each as ASSET=AMOUNT, such as USDC=1000000."`
}

// House reports whether a provider of liquidity is the house's own stock.
func (l LiquidityProvider) House() bool { return l.Provider == "house" }

// Fees are what customers are charged. Percentages have at most four decimals.
type Fees struct {
	CommissionPercent string   `key:"commission_percent" form:"percent" default:"0.5" help:"Commission of a FIAT or ONRAMP payment, unless its trading pair or organisation has its own."`
	PairCommissions   []string `key:"pair_commissions" form:"pair" help:"Commissions of trading pairs, each as TOKEN/CURRENCY=PERCENT, such as USDC/EUR=0.4."`
	NetworkUSD        string   `key:"network_usd" form:"dollars" default:"0.50" help:"Network fee of a transaction in US dollars. A network's minTransactionFee applies if it is higher."`
	Banking           []string `key:"banking" form:"banking" default:"SEPA=0.20 EUR, SEPA_INSTANT=0.50 EUR, FASTER_PAYMENTS=0.30 GBP, CHAPS=15 GBP, ACH=0.40 USD, FEDWIRE=12 USD, IMPS=25 INR, NEFT=20 INR, SIC=0.30 CHF, SWIFT=15+20 USD" help:"Banking fee of a payment by its rail, each as RAIL=AMOUNT CURRENCY. A second amount, as in SWIFT=15+20 USD, is for intermediary banks if the payer bears all charges (OUR)."`
}

// Quotes is how long a locked price is valid, for which amounts, and how much more than it a wallet approves.
type Quotes struct {
	Lifetime             time.Duration `key:"lifetime" default:"5m" min:"10s" max:"1h" help:"How long a locked quote is valid. A transaction accepted later gets a new quote, which must be accepted again."`
	HeldLifetime         time.Duration `key:"held_lifetime" default:"10m" min:"10s" max:"1h" help:"How long the quote that check-allowance locks for a FIAT draft is valid. Submit takes it in that time; it must be accepted in that time, too."`
	HeadroomPercent      string        `key:"headroom_percent" form:"percent" default:"1" help:"By how much the approval of a wallet exceeds what a FIAT transaction costs, 0 to 5, so that a rate that moves needs no second signature. An organisation can set its own, and a call of check-allowance, too. The debit is exact all the same."`
	UnusedFree           int           `key:"unused_free" default:"20" min:"1" max:"100000" help:"Locked quotes that an organisation may leave unused within 24 hours before quotes.unused_spread_percent applies: those that expired, were replaced or deleted, and those that are locked for drafts."`
	UnusedLimit          int           `key:"unused_limit" default:"200" min:"1" max:"100000" help:"Locked quotes that an organisation may leave unused within 24 hours before it gets no further ones for a while (429 QUOTES_UNUSED)."`
	UnusedSpreadPercent  string        `key:"unused_spread_percent" form:"percent" default:"0.1" help:"By how much the rate is then worse than the market's."`
	RateTolerancePercent string        `key:"rate_tolerance_percent" form:"percent" default:"1" help:"How far the rate may differ from a payment's estimatedRate."`
	OnrampMinimumUSD     string        `key:"onramp_minimum_usd" form:"dollars" default:"1000" help:"Minimum deposit in US dollars. In other currencies it is the equivalent at the present rate, rounded to two digits."`
	OnrampMinimum        []string      `key:"onramp_minimum" form:"minimum" help:"Fixed minimum deposits, each as CURRENCY=AMOUNT, such as EUR=1000."`
}

// Feed is an entry of rates.feeds.
type Feed struct {
	Base, Quote, Network, Address string
	Heartbeat                     time.Duration
}

// SequencerFeed is an entry of rates.sequencer_feeds.
type SequencerFeed struct {
	Network, Address string
	Grace            time.Duration
}

// BankingFee is an entry of fees.banking; amounts are decimal texts.
type BankingFee struct{ Rail, Own, OnTheWay, Currency string }

// PairCommission is an entry of fees.pair_commissions.
type PairCommission struct {
	Token, Currency string
	Share           *big.Rat
}

// CurrencyAmount is an entry of quotes.onramp_minimum or of a limit of [stock]; the amount is a decimal text.
type CurrencyAmount struct{ Currency, Amount string }

const (
	percentDecimals = 4
	maxPercent      = 50
	maxHeadroom     = 5
	minSecret       = 32
)

// ParseFeeds reads rates.feeds.
func (r Rates) ParseFeeds() ([]Feed, error) {
	return parseEach(r.Feeds, func(s string) (Feed, bool) {
		w := strings.Fields(s)
		if len(w) != 4 {
			return Feed{}, false
		}

		base, quote, ok := strings.Cut(w[0], "/")
		d, err := time.ParseDuration(w[3])

		pair := ok && assetCode.MatchString(base) && assetCode.MatchString(quote)
		source := tableID.MatchString(w[1]) && hexAddress.MatchString(w[2])

		return Feed{base, quote, w[1], w[2], d}, pair && source && err == nil && d >= time.Second
	}, "PAIR NETWORK ADDRESS HEARTBEAT")
}

// ParseSequencerFeeds reads rates.sequencer_feeds.
func (r Rates) ParseSequencerFeeds() ([]SequencerFeed, error) {
	return parseEach(r.SequencerFeeds, func(s string) (SequencerFeed, bool) {
		w := strings.Fields(s)
		if len(w) != 3 {
			return SequencerFeed{}, false
		}

		d, err := time.ParseDuration(w[2])

		source := tableID.MatchString(w[0]) && hexAddress.MatchString(w[1])

		return SequencerFeed{w[0], w[1], d}, source && err == nil && d >= 0
	}, "NETWORK ADDRESS GRACE")
}

// ParseBanking reads fees.banking.
func (f Fees) ParseBanking() ([]BankingFee, error) {
	return parseEach(f.Banking, func(s string) (BankingFee, bool) {
		rail, price, ok := strings.Cut(s, "=")

		w := strings.Fields(price)
		if !ok || len(w) != 2 {
			return BankingFee{}, false
		}

		own, way, both := strings.Cut(w[0], "+")
		if !both {
			way = "0"
		}

		b := BankingFee{strings.TrimSpace(rail), own, way, w[1]}

		return b, railCode.MatchString(b.Rail) && currencyCode.MatchString(b.Currency) && money.CheckForm(own) == nil &&
			money.CheckForm(way) == nil
	}, "RAIL=AMOUNT CURRENCY")
}

// ParsePairs reads fees.pair_commissions.
func (f Fees) ParsePairs() ([]PairCommission, error) {
	return parseEach(f.PairCommissions, func(s string) (PairCommission, bool) {
		pair, percent, ok := strings.Cut(s, "=")
		token, currency, isPair := strings.Cut(strings.TrimSpace(pair), "/")
		share, err := ParsePercent(strings.TrimSpace(percent))

		named := assetCode.MatchString(token) && currencyCode.MatchString(currency)

		return PairCommission{token, currency, share}, ok && isPair && err == nil && named
	}, "TOKEN/CURRENCY=PERCENT")
}

// ParseOnrampMinimum reads quotes.onramp_minimum.
func (q Quotes) ParseOnrampMinimum() ([]CurrencyAmount, error) {
	return parseEach(q.OnrampMinimum, func(s string) (CurrencyAmount, bool) {
		currency, amount, ok := strings.Cut(s, "=")
		c := CurrencyAmount{strings.TrimSpace(currency), strings.TrimSpace(amount)}
		return c, ok && currencyCode.MatchString(c.Currency) && money.CheckForm(c.Amount) == nil
	}, "CURRENCY=AMOUNT")
}

// ParseStockAmounts reads one of the lists of [stock].
func ParseStockAmounts(list []string) (map[string]*big.Rat, error) {
	all, err := parseEach(list, func(s string) (CurrencyAmount, bool) {
		asset, amount, ok := strings.Cut(s, "=")
		c := CurrencyAmount{strings.TrimSpace(asset), strings.TrimSpace(amount)}

		return c, ok && assetCode.MatchString(c.Currency) && money.CheckForm(c.Amount) == nil
	}, "ASSET=AMOUNT")

	out := make(map[string]*big.Rat, len(all))

	for _, x := range all {
		n, ok := new(big.Rat).SetString(x.Amount)
		if !ok {
			return nil, fmt.Errorf("%q is no amount", x.Amount)
		}

		out[x.Currency] = n
	}

	return out, err
}

// parseEach parses every entry of a list. Its error names the first wrong one.
func parseEach[T any](list []string, parse func(string) (T, bool), form string) ([]T, error) {
	out := make([]T, 0, len(list))
	for _, s := range list {
		v, ok := parse(s)
		if !ok {
			return nil, fmt.Errorf("%q is not %s", s, form)
		}

		out = append(out, v)
	}

	return out, nil
}

// ParsePercent reads a percentage as a share: "0.5" is 1/200.
func ParsePercent(s string) (*big.Rat, error) {
	a, err := money.ParseOrZero(money.Asset{Code: "%", Decimals: percentDecimals}, s)
	if err != nil {
		return nil, fmt.Errorf("%q is not a percentage with at most %d decimals", s, percentDecimals)
	}

	share := a.Rat()
	share.Quo(share, big.NewRat(100, 1))

	if share.Cmp(big.NewRat(maxPercent, 100)) > 0 {
		return nil, fmt.Errorf("%s %% is more than %d %%", s, maxPercent)
	}

	return share, nil
}

// prices checks the settings of rates, liquidity, fees and quotes.
func (k *checker) prices(c *Config) {
	if share, err := ParsePercent(c.Quotes.HeadroomPercent); err == nil && share.Cmp(big.NewRat(maxHeadroom, 100)) > 0 {
		k.report("quotes.headroom_percent: %s is more than %d", c.Quotes.HeadroomPercent, maxHeadroom)
	}

	feeds, err := c.Rates.ParseFeeds()
	k.entry("rates.feeds", err)

	for _, f := range feeds {
		k.feed("rates.feeds", c, f.Network, f.Address)
	}

	sequencers, err := c.Rates.ParseSequencerFeeds()
	k.entry("rates.sequencer_feeds", err)

	for _, s := range sequencers {
		k.feed("rates.sequencer_feeds", c, s.Network, s.Address)
	}

	k.liquidity(c)
}

func (k *checker) feed(key string, c *Config, network, address string) {
	k.entry(key, chainAddress(address))

	for _, n := range c.Networks {
		if n.ID == network {
			return
		}
	}

	k.report("%s: there is no network %s", key, network)
}

// liquidity finds what is wrong with each provider of liquidity, and where they contradict each other.
func (k *checker) liquidity(c *Config) {
	servedBy := map[string]string{}
	house := ""

	for i, l := range c.AllLiquidity() {
		at := l.section(c)
		k.when(i > 0 && at == "liquidity",
			"liquidity_provider.%s has the name of the provider in [liquidity]; see liquidity.name", l.ID)

		http := l.Provider == "http"
		k.parts(at, at+".provider", l.Provider,
			map[string]bool{"url": l.URL != "", "key_id": l.KeyID != "", "secret": l.Secret != ""},
			map[string]bool{"url": http, "key_id": http, "secret": http})

		k.when(l.House() && house != "", "%s.provider is house, and so is %s.provider: there is one stock", at, house)

		if l.House() {
			house = at
		}

		for _, currency := range l.Currencies {
			if other := servedBy[currency]; other != "" {
				k.report("%s.currencies: %s has %s already", at, other, currency)
			}

			servedBy[currency] = at
		}
	}
}

// livePrices reports made-up prices, and a provider that could be impersonated.
func (k *checker) livePrices(c *Config) {
	k.when(c.Rates.Source == "simulator", "rates.source simulator makes its prices up")

	if c.Liquidity.Provider == "" && len(c.LiquidityProviders) == 0 {
		return // FIAT and ONRAMP are not carried out
	}

	for _, l := range c.AllLiquidity() {
		k.liveLiquidity(l.section(c), l)
	}

	k.when(len(c.Rates.Feeds) == 0, "rates.feeds is empty: nobody would say what a token is worth")
}

func (k *checker) liveLiquidity(at string, l LiquidityProvider) {
	switch l.Provider {
	case "":
		k.report("%s.provider is empty: nobody serves the currencies that no [[liquidity_provider]] names", at)
		return
	case "simulator":
		k.report("%s.provider simulator has nothing to sell", at)
		return
	case "house":
		return
	}

	k.when(l.TestSystem, "%s.test_system is true: a test system trades nothing", at)

	if u, err := url.Parse(l.URL); err != nil || u.Scheme != "https" && !loopback(u.Hostname()) {
		k.report("%s.url %s is not https: its answers could be anybody's", at, l.URL)
	}

	k.when(len(l.Secret) < minSecret, "%s.secret is shorter than %d characters", at, minSecret)
}
