package transaction

import (
	"math/big"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/money"
	"slipway/internal/payments/quote"
)

// Terms are the additional fields of a FIAT or ONRAMP transaction. A CRYPTO transaction has none.
type Terms struct {
	CommissionType string // STANDARD or CUSTOM
	// Treasury is the house's wallet that receives the tokens of a FIAT transaction, or sends those of an ONRAMP one.
	// Submit locks it, so a later change of the network's record redirects no money. Empty before submit.
	Treasury string

	// Fees are those of a FIAT draft, at the rates of its last change. Once a price is locked, its fees count.
	Fees []quote.FeeView

	// The deposit of an ONRAMP transaction.
	AmountCurrency   string // ISO 4217
	CurrencyDecimals int
	FiatUnits        *big.Int // minor units; exactly this amount must arrive
	Reference        string   // eight characters; empty before submit
	House            string   // JSON of the house's account that the depositor was told at submit
	Sender           string   // the declared sender; empty: whoever is known
	ExpectedAt       time.Time
	ExpiresAt        time.Time // until when the deposit is awaited
}

// PaymentTerms are the additional fields of a payment through a bank.
type PaymentTerms struct {
	Currency         string // ISO 4217
	CurrencyDecimals int
	FiatUnits        *big.Int // minor units: the amount the receiver gets (OUR, SHA), or that leaves the bank (BEN)
	BankAccount      string   // FIAT
	BankSnapshot     string   // JSON of the bank account as submit locked it (F-09)
	FeesOption       FeesOption
	EstimatedRate    string
	Reference        string // FIAT: the creditor reference in electronic form; empty: none
}

// FeesOption is who pays the banks' fees of a payment.
type FeesOption string

// The options of the interface, each with its ISO 20022 code.
const (
	FeesOur FeesOption = "OUR" // DEBT: the sender pays them all
	FeesSha FeesOption = "SHA" // SHAR, or SLEV within SEPA: each side pays its own
	FeesBen FeesOption = "BEN" // CRED: they are deducted from the amount
)

// How a commission was set.
const (
	CommissionStandard = "STANDARD"
	CommissionCustom   = "CUSTOM"
)

// Fiat returns the payment's amount in its currency.
func (p PaymentTerms) Fiat() money.Amount {
	return money.FromUnits(money.Asset{Code: p.Currency, Decimals: p.CurrencyDecimals}, p.FiatUnits)
}

// Deposit returns the amount that an ONRAMP transaction expects.
func (t Terms) Deposit() money.Amount {
	return money.FromUnits(money.Asset{Code: t.AmountCurrency, Decimals: t.CurrencyDecimals}, t.FiatUnits)
}

// DepositAccount is an account of the house for deposits in one currency, as clients see it.
type DepositAccount struct {
	ID            string `json:"id"`
	Currency      string `json:"currency"` // ISO 4217
	Country       string `json:"country"`  // ISO 3166-1 alpha-2
	Holder        string `json:"holder"`
	Street        string `json:"street,omitempty"` // the holder's address, as the next two
	PostCode      string `json:"postCode,omitempty"`
	Town          string `json:"town,omitempty"`
	BankName      string `json:"bankName"`
	BankAddress   string `json:"bankAddress,omitempty"`
	IBAN          string `json:"iban,omitempty"`
	BIC           string `json:"bic,omitempty"`
	AccountNumber string `json:"accountNumber,omitempty"`
	SortCode      string `json:"sortCode,omitempty"`
	RoutingNumber string `json:"routingNumber,omitempty"`
	IFSC          string `json:"ifsc,omitempty"`
	Rail          string `json:"rail"` // refdata's code of the recommended rail
}

// HouseAccount returns the account that the depositor was told to pay to.
func (t Terms) HouseAccount() (DepositAccount, error) {
	var a DepositAccount

	err := json.Unmarshal([]byte(t.House), &a)

	return a, err
}
