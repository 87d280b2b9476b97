package transaction

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"slipway/internal/core/money"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/refdata"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/db"
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
	Return *ReturnView
}

// BankEffect is one instruction to a bank, or one deposit, as clients see it.
type BankEffect struct {
	Rail        string `json:"rail"`
	EndToEndID  string `json:"endToEndId"`
	UETR        string `json:"uetr"`
	ProviderRef string `json:"providerRef"`
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

// fiatShow fills in what a FIAT transaction pays, and to which accounts.
func fiatShow(v *View, t Transaction, own bool) {
	v.CommissionType = t.CommissionType

	for i, x := range t.Payments {
		p := &v.Payments[i]
		p.Amount = x.Fiat().String()
		p.CurrencyIsoCode = x.Currency
		p.EstimatedRate = x.EstimatedRate
		p.BankingFeesOption = string(x.FeesOption)

		p.Reference = x.Reference
		if x.Units.Sign() > 0 {
			p.TokenAmount = t.Amount(x).String()
		}

		if a, err := x.Account(); err == nil {
			p.BankAccount = showAccount(a, own)
		}
	}

	v.Totals.FiatOut = fiatOut(t.Payments)
}

// onrampShow fills in what an ONRAMP transaction takes, and where the tokens go.
func onrampShow(v *View, t Transaction, _ bool) {
	v.CommissionType = t.CommissionType
	v.Reference = t.Reference

	v.Sender = t.Sender
	if c, ok := refdata.All().Currency(t.AmountCurrency); ok {
		v.AmountCurrency = c.ID
	}

	v.Totals.FiatIn = &quote.AmountView{CurrencyIsoCode: t.AmountCurrency, Amount: t.Deposit().String()}

	for i, x := range t.Payments {
		p := &v.Payments[i]
		p.Amount = x.Fiat().String()
		p.CurrencyIsoCode = x.Currency
		p.TokenIsoCode = t.Token
		p.Wallet = x.Wallet
		p.WalletAddress = x.Address
		p.WalletType = x.WalletType

		p.Network = x.Network
		if !t.ExpectedAt.IsZero() {
			p.ExpectedTransferDate = t.ExpectedAt.UTC().Format(time.DateOnly)
		}

		if x.Units.Sign() > 0 {
			p.TokenAmount = t.Amount(x).String()
			v.Totals.TokenCredit = p.TokenAmount
		}
	}
}

func showAccount(a bankaccount.Account, own bool) *BankAccountView {
	show := Masked
	if own {
		show = func(s string) string { return s }
	}

	return &BankAccountView{
		ID:            a.ID,
		BankCountry:   a.Country,
		Currency:      a.Currency,
		BankName:      a.BankName(),
		IBAN:          show(a.IBAN),
		BIC:           a.BIC,
		AccountNumber: show(a.AccountNumber),
		SortCode:      show(a.SortCode),
		RoutingNumber: a.RoutingNumber,
		IFSC:          a.IFSC,
		AccountType:   a.AccountType,
	}
}

// Masked replaces all but the last four characters of a number.
func Masked(s string) string {
	const open = 4
	if len(s) <= open {
		return strings.Repeat("•", len(s))
	}

	return strings.Repeat("•", len(s)-open) + s[len(s)-open:]
}

// fiatOut returns the sums that are paid out, one for each currency, in the order of the payments.
func fiatOut(payments []Payment) []quote.AmountView {
	var order []string
	sums := map[string]money.Amount{}

	for _, p := range payments {
		if sum, ok := sums[p.Currency]; ok {
			sums[p.Currency] = sum.Add(p.Fiat())
			continue
		}

		order = append(order, p.Currency)
		sums[p.Currency] = p.Fiat()
	}

	out := make([]quote.AmountView, len(order))
	for i, c := range order {
		out[i] = quote.AmountView{CurrencyIsoCode: c, Amount: sums[c].String()}
	}

	return out
}

// bankMore adds the locked price and the state at the bank.
func bankMore(ctx context.Context, s *Service, q db.Querier, v *View, t Transaction) error {
	if s.Quotes == nil { // no longer offered
		return nil
	}

	price, err := s.Quotes.ForTransaction(ctx, q, t.ID)

	switch {
	case errors.Is(err, db.ErrNone):
	case err != nil:
		return err
	default:
		shown := QuoteView(price.View())
		v.Quote = &shown
		v.Fees = price.FeeViews()
	}

	if s.Bank == nil {
		return nil
	}

	side, err := s.Bank(ctx, q, t)
	v.Bank = side.Bank
	v.Return = side.Return

	return err
}
