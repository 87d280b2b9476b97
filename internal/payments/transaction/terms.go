package transaction

import (
	"math/big"
	"strconv"
	"time"

	"slipway/internal/core/money"
)

// Terms is what a transaction that touches a bank has besides. Of a CRYPTO transaction it is empty.
type Terms struct {
	CommissionType string // STANDARD or CUSTOM
	// Treasury is the house's wallet that takes the tokens of a FIAT transaction, or gives those of an ONRAMP one, as
	// submit locked it: a network's record that is changed later moves nobody's money elsewhere. Empty before submit.
	Treasury string

	// The deposit of an ONRAMP transaction.
	AmountCurrency   string // ISO 4217
	CurrencyDecimals int
	FiatUnits        *big.Int // minor units, exactly what is to arrive
	Reference        string   // eight characters; empty before submit
	House            string   // JSON of the account it goes to, as it was told at submit
	Sender           string   // who was declared to send it; empty: whoever is known
	ExpectedAt       time.Time
	ExpiresAt        time.Time // until when it is waited for
}

// PaymentTerms is what a payment through a bank has besides.
type PaymentTerms struct {
	Currency         string // ISO 4217
	CurrencyDecimals int
	FiatUnits        *big.Int // minor units: what the receiver gets (OUR, SHA), or what leaves the bank (BEN)
	BankAccount      string   // FIAT
	BankSnapshot     string   // JSON of the bank account as submit locked it (F-09)
	FeesOption       FeesOption
	EstimatedRate    string
	Reference        string // FIAT: creditor reference that the payment carries, electronic form; empty: none
}

// FeesOption says who bears the banks' fees of a payment.
type FeesOption string

// The options of the interface, and what ISO 20022 calls them.
const (
	FeesOur FeesOption = "OUR" // DEBT: the sender bears them all
	FeesSha FeesOption = "SHA" // SHAR, or SLEV within SEPA: each side its own
	FeesBen FeesOption = "BEN" // CRED: they are taken off the amount
)

// How a commission was set.
const (
	CommissionStandard = "STANDARD"
	CommissionCustom   = "CUSTOM"
)

// Fiat is the payment's amount in its currency.
func (p PaymentTerms) Fiat() money.Amount {
	return money.FromUnits(money.Asset{Code: p.Currency, Decimals: p.CurrencyDecimals}, p.FiatUnits)
}

// Deposit is what an ONRAMP transaction waits for.
func (t Terms) Deposit() money.Amount {
	return money.FromUnits(money.Asset{Code: t.AmountCurrency, Decimals: t.CurrencyDecimals}, t.FiatUnits)
}

// The keys of a transaction's effects: each names one effect for ever, wherever it is carried out.

// ConvertKey names the conversion of a transaction into, or out of, one currency.
func (t Transaction) ConvertKey(currency string) string {
	return "transaction/" + t.ID + "/convert/" + currency
}

// PayoutKey names the bank's instruction for one payment.
func (t Transaction) PayoutKey(position int) string {
	return "transaction/" + t.ID + "/payout/" + strconv.Itoa(position)
}

// RefundKey names the sending back of what one payment had cost.
func (t Transaction) RefundKey(position int) string {
	return "transaction/" + t.ID + "/refund/" + strconv.Itoa(position)
}
