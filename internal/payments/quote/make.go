package quote

import (
	"math/big"

	"slipway/internal/core/money"
	"slipway/internal/rails/rates"
)

// Pair names a rate: one Base in Quote.
type Pair struct{ Base, Quote string }

// Schedule is what this deployment charges.
type Schedule struct {
	Commission *big.Rat            // share of the amount, where a pair has none of its own; nil: none
	Pairs      map[Pair]*big.Rat   // by token and currency
	NetworkUSD money.Amount        // for carrying a transaction over a chain, in US dollars
	Banking    map[string]BankFees // by the rail's code
}

// BankFees is what our bank takes for a payment on a rail. With OUR the fees of the banks on the way come on top.
type BankFees struct {
	Own money.Amount
	Our money.Amount
}

// Minimum is the least on-ramp deposit: USD in general, and amounts by currency code that go before it.
type Minimum struct {
	USD        money.Amount
	Currencies map[string]money.Amount
}

// Terms are an organisation's own: commissions by pair, and its limits in US dollars, nil for none.
type Terms struct {
	Commissions                   map[Pair]*big.Rat
	Partner                       map[Pair]*big.Rat
	TransactionLimit, LeastAmount *big.Rat
}

// Fees is what Make charges: the deployment's schedule and the organisation's terms.
type Fees struct {
	Schedule
	Terms
	Tolerance *big.Rat
}

// Make works out a quote. It is pure: the same input gives the same quote. The market needs, for each line, the pair of the token and
// the line's currency, the token with USD, and the token with the currency of each banking fee. Refusals name every wrong field.
func Make(in Request, market map[Pair]rates.Rate, fees Fees) (Quote, error) {
	return Quote{}, errNotBuilt
}
