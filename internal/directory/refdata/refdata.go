// Package refdata is the reference data that all tenants share: countries, fiat currencies, payment rails, tokens and
// trading pairs.
//
// The catalogue is built from tables in this package when it is first asked for and never changes while the program
// runs. Identifiers are made from the codes ("cur_eur", "cty_ch", "tok_usdc", "rail_sepa"), so that they are the same
// in every deployment. What differs between deployments, the address of a token on a network, is not here but in
// package network.
//
// Read in this order: refdata.go, rails.go, countries.go, currencies.go and tokens.go, with table.go (how tables are
// read) and sources.go (where they are from), http.go, logo.go (the pictures of tokens).
package refdata

import (
	"strings"
	"sync"
)

// Rail is a way in which fiat reaches a bank account.
type Rail struct {
	ID       string
	Code     string // "SEPA"
	Name     string
	Display  string
	Fields   []Field // what a bank account needs
	Priority int     // lower is tried first
	Enabled  bool
}

// Field is one thing a rail needs to know of a bank account, by the interface's name of it.
type Field struct {
	Name    string `json:"name" doc:"field of the bank account"`
	Display string `json:"display"`
	Pattern string `json:"pattern,omitempty" doc:"regular expression of its form"`
}

// Country is one of ISO 3166-1.
type Country struct {
	ID, Name, Alpha2, Alpha3, Continent string
	Rails                               []Rail
	IBAN                                bool
}

// Currency is a fiat currency of ISO 4217.
type Currency struct {
	ID, Name, Symbol, Code string
	Decimals               int
	Hidden                 bool // known, but not offered
	Rails                  []Rail
}

// Token is what a blockchain carries. Decimals are those of its usual contract; network.TokenOn tells those of one
// chain.
type Token struct {
	ID, Name, Code, Logo                     string
	Decimals                                 int
	Native                                   bool // pays the fees of a chain; has no contract
	TradableInFiat, Hidden, Onramp, IsStable bool
	Peg                                      string // the currency that a whole token is worth one of; empty: none
}

// Pair is a token that can be exchanged for a currency.
type Pair struct {
	ID       string
	Token    Token
	Currency Currency
	Hidden   bool
}

// Catalogue holds everything, in the order lists show it.
type Catalogue struct {
	Rails      []Rail
	Countries  []Country
	Currencies []Currency
	Tokens     []Token
	Pairs      []Pair

	rails      map[string]Rail
	countries  map[string]Country
	currencies map[string]Currency
	tokens     map[string]Token
}

// All returns the catalogue. Every call gives the same one; callers do not change it.
var All = sync.OnceValue(build)

func build() *Catalogue {
	c := &Catalogue{
		rails:      map[string]Rail{},
		countries:  map[string]Country{},
		currencies: map[string]Currency{},
		tokens:     map[string]Token{},
	}

	c.Rails = railTable()
	for _, r := range c.Rails {
		c.rails[r.ID] = r
		c.rails[r.Code] = r
	}

	c.Countries = countryTable(c)
	for _, x := range c.Countries {
		c.countries[x.ID] = x
		c.countries[x.Alpha2] = x
	}

	c.Currencies = currencyTable(c)
	for _, x := range c.Currencies {
		c.currencies[x.ID] = x
		c.currencies[x.Code] = x
	}

	c.Tokens = tokenTable()
	for _, x := range c.Tokens {
		c.tokens[x.ID] = x
		c.tokens[x.Code] = x
	}

	c.Pairs = pairTable(c)

	return c
}

// Rail finds a payment rail by identifier or code.
func (c *Catalogue) Rail(idOrCode string) (Rail, bool) { r, ok := c.rails[idOrCode]; return r, ok }

// Country finds a country by identifier or upper-case alpha-2 code.
func (c *Catalogue) Country(idOrCode string) (Country, bool) {
	x, ok := c.countries[idOrCode]
	return x, ok
}

// Currency finds a currency by identifier or upper-case code, hidden ones too.
func (c *Catalogue) Currency(idOrCode string) (Currency, bool) {
	x, ok := c.currencies[idOrCode]
	return x, ok
}

// Token finds a token by identifier or code.
func (c *Catalogue) Token(idOrCode string) (Token, bool) { x, ok := c.tokens[idOrCode]; return x, ok }

// PairByID finds a trading pair by its identifier.
func (c *Catalogue) PairByID(id string) (Pair, bool) {
	for _, p := range c.Pairs {
		if p.ID == id {
			return p, true
		}
	}

	return Pair{}, false
}

// Pair finds the trading pair of a token and a currency, each by identifier or code.
func (c *Catalogue) Pair(token, currency string) (Pair, bool) {
	t, ok := c.Token(token)
	if !ok {
		return Pair{}, false
	}

	x, ok := c.Currency(currency)
	if !ok {
		return Pair{}, false
	}

	return c.PairByID("pair_" + strings.ToLower(t.Code) + "_" + strings.ToLower(x.Code))
}

// railsOf picks rails by code, in the order of their priority.
func (c *Catalogue) railsOf(codes ...string) []Rail {
	out := []Rail{}
	for _, r := range c.Rails {
		for _, code := range codes {
			if r.Code == code {
				out = append(out, r)
			}
		}
	}

	return out
}
