// Package quote computes what a payment in fiat costs in tokens, or what a deposit of fiat brings in tokens, with every
// fee as an amount of its own.
//
// It promises that the calculation is pure and exact. What a wallet pays is the sum of the lines and the fees, to the
// last base unit. Every rounding is named and is to the client's disadvantage by less than one base unit. An outdated
// rate is never used. A transaction has one current quote; older ones are kept.
//
// Read in this order: quote.go (types), make.go (the calculation), fees.go, tax.go, stock.go (what the house's stock
// converts), unused.go (quotes that were let lapse), service.go (rates, locking, limits), match.go (whether a locked
// quote is for a request), store.go, view.go.
package quote

import (
	"math/big"
	"time"

	"slipway/internal/core/money"
)

// Kind is the type of the transaction a quote is for.
type Kind string

// The two kinds, named like the interface's transaction types.
const (
	Fiat   Kind = "FIAT"   // the fiat amounts are fixed; the quote computes what the wallet pays
	Onramp Kind = "ONRAMP" // the deposit is fixed; the quote computes what the wallet gets
)

// Charges is who bears the banks' fees of a payment: bankingFeesOption of the interface.
type Charges string

// The options.
const (
	OUR Charges = "OUR" // the payer bears all banks' fees
	SHA Charges = "SHA" // the payer bears our bank's fees, the receiver those of his bank; the default
	BEN Charges = "BEN" // the receiver bears all: they are deducted from the amount on its way
)

// CommissionType is whose terms the commission follows: commissionType of the interface.
type CommissionType string

// The commission types.
const (
	Standard CommissionType = "STANDARD" // the trading pair's default
	Custom   CommissionType = "CUSTOM"   // the organisation's own
	Partner  CommissionType = "PARTNER"  // the partner's through whom the transaction came
)

// Request is what a quote is computed from. The token's decimals are those of its contract on the network.
type Request struct {
	Kind         Kind
	Organisation string
	Partner      string // empty: none
	Network      string
	Token        money.Asset
	Lines        []LineRequest // 1 to 30
	// Firm means that the quote is to be locked. Quotes that the organisation let lapse count then, see Unused.
	Firm bool
	// Arrived means that the deposit is already here: no limit and no estimate prevents pricing it.
	Arrived bool
}

// LineRequest is one payment, or the one deposit. Position counts from 0 and names the payment in refusals:
// /payments/<Position>/amount.
type LineRequest struct {
	Position  int
	Currency  money.Asset
	FiatUnits *big.Int // minor units; more than zero
	// fiat for one token, as the client expects it; empty: not given. Leave it empty when renewing a quote
	EstimatedRate string
	Rail          string  // refdata's code of the payment rail; empty for ONRAMP
	Charges       Charges // empty: SHA
}

// Line is the price of one payment.
type Line struct {
	Position   int
	Currency   money.Asset
	FiatUnits  *big.Int
	Rate       *big.Rat // fiat for one token, with RateDecimals decimals
	TokenUnits *big.Int // FIAT: fiat / rate rounded up. ONRAMP: rounded down. Without fees
	Rail       string
	Charges    Charges  // the effective option: SHA on rails whose scheme has no other
	Deducted   *big.Int // minor units that banks will deduct on the way, as far as known (BEN)
	AsOf       time.Time
	Source     string
}

// FeeType names a fee; each is a posting of its own.
type FeeType string

// The fees.
const (
	NetworkFee    FeeType = "NETWORK"
	BankingFee    FeeType = "BANKING"
	CommissionFee FeeType = "COMMISSION"
)

// Whole is the Position of a fee for the whole transaction.
const Whole = -1

// Fee is one cost, in the token. Of is its basis: the bank's price in fiat, or the network's in US dollars.
type Fee struct {
	Type     FeeType
	Amount   money.Amount
	Position int
	Of       money.Amount // zero value for a commission
	Percent  string       // of a commission: "0.5"
	Tax      money.Amount // VAT that it contains, see Quote.Tax
}

// Quote is a price that is valid until ExpiresAt. ID, Sequence and LockedAt are zero in a quote that was not locked.
type Quote struct {
	ID, Transaction, Organisation string
	Sequence                      int // 1 for the first quote of a transaction
	Kind                          Kind
	Network                       string
	Token                         money.Asset
	Lines                         []Line
	Fees                          []Fee
	Tax                           Tax            // how the VAT of the fees is treated
	TokenDebit                    *big.Int       // FIAT: lines and fees, what leaves the wallet. ONRAMP: zero
	TokenCredit                   *big.Int       // ONRAMP: lines less fees, what reaches the wallet. FIAT: zero
	ValueUSD                      money.Amount   // of the payments, without fees
	Commission                    CommissionType // whose terms: the strongest of all lines
	LockedAt, ExpiresAt           time.Time

	arrived bool
	// cumulative is the highest value of all transactions of the organisation, in US dollars; nil: no limit.
	cumulative *big.Rat
	// spread is by how much it is worse than the market, see Unused; nil: not at all. Unknown of a stored quote.
	spread *big.Rat
}
