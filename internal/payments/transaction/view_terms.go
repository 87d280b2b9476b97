package transaction

import (
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"slipway/internal/payments/quote"
)

// PaymentTermsView holds the additional fields of a payment through a bank.
type PaymentTermsView struct {
	BankAccount          *BankAccountView `json:"bankAccount,omitempty" doc:"FIAT: the bank account as it was when the transaction was locked"`
	CurrencyIsoCode      string           `json:"currencyIsoCode,omitempty"`
	EstimatedRate        string           `json:"estimatedRate,omitempty"`
	BankingFeesOption    string           `json:"bankingFeesOption,omitempty" enum:"OUR,SHA,BEN"`
	Reference            string           `json:"reference,omitempty" doc:"FIAT: creditor reference that the payment carries"`
	TokenAmount          string           `json:"tokenAmount,omitempty" doc:"FIAT: what the payment costs without fees; ONRAMP: what was delivered"`
	ExpectedTransferDate string           `json:"expectedTransferDate,omitempty" format:"date"`

	PayeeVerification *PayeeVerificationView `json:"payeeVerification,omitempty" doc:"FIAT: what the bank has found of the payee's name; null: it has said nothing"`
}

// PayeeVerificationView is what a bank has found of a payee's name (verification of payee).
type PayeeVerificationView struct {
	Status      string    `json:"status" enum:"MATCHED,PARTIAL_MATCH,NOT_MATCHED,UNSUPPORTED,PENDING" doc:"whether the account is in the payee's name. UNSUPPORTED: the payee's bank does not tell. PENDING: not known of this payment" example:"NOT_MATCHED"`
	MatchedName string    `json:"matchedName,omitempty" doc:"PARTIAL_MATCH: in whose name the account is" example:"Keller Alice"`
	CheckedAt   time.Time `json:"checkedAt" doc:"when the bank's report was read"`
}

// BankAccountView is the account that a payment goes to. People outside the organisation see only the last four
// characters of numbers.
type BankAccountView struct {
	ID            string `json:"_id"`
	BankCountry   string `json:"bankCountry" doc:"ISO 3166-1 alpha-2"`
	Currency      string `json:"currency" doc:"ISO 4217"`
	BankName      string `json:"bankName,omitempty"`
	IBAN          string `json:"iban,omitempty"`
	BIC           string `json:"bicSwift,omitempty"`
	AccountNumber string `json:"accountNumber,omitempty"`
	SortCode      string `json:"sortCode,omitempty"`
	RoutingNumber string `json:"routingNumber,omitempty"`
	IFSC          string `json:"ifscCode,omitempty"`
	AccountType   string `json:"accountType,omitempty"`
}

// QuoteView is a price, or null.
type QuoteView quote.View

// Schema returns the schema of a price that may be null.
func (QuoteView) Schema(reg huma.Registry) *huma.Schema {
	s := *huma.SchemaFromType(reg, reflect.TypeFor[quote.View]())
	s.Nullable = true
	return &s
}

// BankSide is what Slipway knows of a transaction at the bank.
type BankSide struct {
	Bank   []BankEffect
	Payees map[string]PayeeVerificationView // by payment
	Return *ReturnView
	// Refunded are the positions of the payments whose fees are given back: those whose refunds are final. quote.Whole
	// stands for everything, also of an on-ramp whose conversion was posted back.
	Refunded []int
}

// BankEffect is one instruction to a bank, or one deposit, as clients see it.
type BankEffect struct {
	Rail        string `json:"rail"`
	EndToEndID  string `json:"endToEndId"`
	UETR        string `json:"uetr,omitempty"`
	ProviderRef string `json:"providerRef,omitempty"`
	Status      string `json:"status"`
	Payment     string `json:"payment,omitempty" doc:"the payment that it carries out"`
	Info        string `json:"info,omitempty"`
}

// ReturnView is money that a bank has sent back.
type ReturnView struct {
	ReasonCode         string    `json:"reasonCode" doc:"as the scheme writes it, such as AC04"`
	Reason             string    `json:"reason" enum:"ACCOUNT_CLOSED,ACCOUNT_UNKNOWN,ACCOUNT_BLOCKED,NAME_MISMATCH,REFUSED_BY_BENEFICIARY,REGULATORY,DUPLICATE,FRAUD,TECHNICAL,NOT_SPECIFIED"`
	Scheme             string    `json:"scheme" doc:"SEPA, ACH, SWIFT, FPS"`
	ReceivedAt         time.Time `json:"receivedAt"`
	Amount             string    `json:"amount"`
	CurrencyIsoCode    string    `json:"currencyIsoCode"`
	FeesDeducted       string    `json:"feesDeducted" doc:"what is missing to the payment, after all that came back of it"`
	Rate               string    `json:"rate,omitempty" doc:"fiat for one token, at which it was given back to the wallet; missing before"`
	TokenAmount        string    `json:"tokenAmount,omitempty" doc:"what that came to in tokens"`
	OriginalEndToEndID string    `json:"originalEndToEndId"`
	Payment            string    `json:"payment,omitempty"`
}

// MinimumView is the smallest deposit: in US dollars, and in each supported currency.
type MinimumView struct {
	Amount      string             `json:"amount"`
	Currency    string             `json:"currency" doc:"ISO 4217"`
	PerCurrency []quote.AmountView `json:"perCurrency" nullable:"false" doc:"currencies that have no rate at the moment are left out"`
}

// OnrampCurrencyView is a currency in which deposits are accepted.
type OnrampCurrencyView struct {
	ID        string `json:"_id"`
	Name      string `json:"name"`
	Symbol    string `json:"symbol"`
	IsoCode   string `json:"isoCode"`
	MinAmount string `json:"minAmount,omitempty" doc:"null: there is no rate to work it out with at the moment"`
}

// BankDetailsView is what a depositor needs for the transfer. Which numbers it has depends on the account's region.
type BankDetailsView struct {
	BankName          string     `json:"bankName"`
	AccountHolder     string     `json:"accountHolder"`
	IBAN              string     `json:"iban,omitempty"`
	BIC               string     `json:"bicSwift,omitempty"`
	AccountNumber     string     `json:"accountNumber,omitempty"`
	RoutingNumber     string     `json:"routingNumber,omitempty"`
	SortCode          string     `json:"sortCode,omitempty"`
	IFSC              string     `json:"ifscCode,omitempty"`
	BankAddress       string     `json:"bankAddress,omitempty"`
	BankCountry       string     `json:"bankCountry" doc:"ISO 3166-1 alpha-2"`
	CurrencyIsoCode   string     `json:"currencyIsoCode"`
	Amount            string     `json:"amount" doc:"exactly what has to arrive: fees of banks are to be borne by the sender"`
	Reference         string     `json:"reference" doc:"belongs into the transfer's reference or remittance information"`
	CreditorReference string     `json:"creditorReference,omitempty" doc:"EUR: the same reference in the form of ISO 11649, for the structured field"`
	QRReference       string     `json:"qrReference,omitempty" doc:"CHF: the same reference as a Swiss QR reference of 27 digits"`
	Rail              string     `json:"rail"`
	ExpiresAt         *time.Time `json:"expiresAt" doc:"a deposit that is booked later is not matched any more; null: it does not end"`
	Instructions      string     `json:"instructions"`

	PaymentCode *PaymentCodeView `json:"paymentCode" doc:"QR code that fills in the deposit in a banking app; null: no standard has one for this account, or the deposit has arrived"`
}

// CodeKind is a standard of QR codes that start a payment.
type CodeKind string

// The kinds of codes.
const (
	CodeEPC   CodeKind = "EPC_QR"  // the European Payments Council's, for SEPA credit transfers
	CodeSwiss CodeKind = "QR_BILL" // the Swiss QR-bill's
)

// PaymentCodeView is a QR code for banking apps.
type PaymentCodeView struct {
	Kind          CodeKind `json:"kind" enum:"EPC_QR,QR_BILL" doc:"EPC_QR: EPC069-12, for SEPA credit transfers. QR_BILL: the Swiss QR-bill" example:"EPC_QR"`
	Payload       string   `json:"payload" doc:"text of the code, to be drawn with error correction M" example:"BCD"`
	QRCodeDataURL string   `json:"qrCodeDataUrl" doc:"PNG of the code as a data URL"`
}

// Masked replaces all but the last four characters of a number.
func Masked(s string) string {
	const open = 4
	if len(s) <= open {
		return strings.Repeat("•", len(s))
	}

	return strings.Repeat("•", len(s)-open) + s[len(s)-open:]
}
