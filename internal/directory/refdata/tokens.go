package refdata

import "strings"

// tokenTable lists the tokens transactions can be in, then the coins that pay for them.
func tokenTable() []Token {
	stable := func(code, name string, decimals int) Token {
		return Token{
			Code:           code,
			Name:           name,
			Decimals:       decimals,
			TradableInFiat: true,
			Onramp:         true,
			IsStable:       true,
			Peg:            "USD",
		}
	}
	coin := func(code, name string) Token {
		return Token{
			Code:     code,
			Name:     name,
			Decimals: 18,
			Native:   true,
			Hidden:   true,
		}
	}

	tokens := []Token{
		stable("USDC", "USD Coin", 6), stable("USDT", "Tether USD", 6), stable("DAI", "Dai Stablecoin", 18),
		coin("ETH", "Ether"), coin("POL", "POL"), coin("BNB", "BNB"), coin("XDAI", "xDAI"),
	}
	for i := range tokens {
		lower := strings.ToLower(tokens[i].Code)
		tokens[i].ID = "tok_" + lower
		tokens[i].Logo = "/assets/tokens/" + lower + ".svg"
	}

	return tokens
}

// pairTable has a pair for each token that is tradable in fiat and each currency that is offered.
func pairTable(c *Catalogue) []Pair {
	var out []Pair
	for _, t := range c.Tokens {
		for _, x := range c.Currencies {
			if t.TradableInFiat && !x.Hidden {
				out = append(out, Pair{
					ID:       "pair_" + strings.ToLower(t.Code) + "_" + strings.ToLower(x.Code),
					Token:    t,
					Currency: x,
				})
			}
		}
	}

	return out
}
