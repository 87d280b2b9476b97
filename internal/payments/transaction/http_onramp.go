package transaction

import (
	"context"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/refdata"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/web"
	"slipway/internal/standards/creditorref"
)

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
	MinAmount string `json:"minAmount" doc:"empty: there is no rate to work it out with at the moment"`
}

// BankDetailsView is what a depositor needs for the transfer. Which numbers it has depends on the account's region.
type BankDetailsView struct {
	BankName          string    `json:"bankName"`
	AccountHolder     string    `json:"accountHolder"`
	IBAN              string    `json:"iban,omitempty"`
	BIC               string    `json:"bicSwift,omitempty"`
	AccountNumber     string    `json:"accountNumber,omitempty"`
	RoutingNumber     string    `json:"routingNumber,omitempty"`
	SortCode          string    `json:"sortCode,omitempty"`
	IFSC              string    `json:"ifscCode,omitempty"`
	BankAddress       string    `json:"bankAddress,omitempty"`
	BankCountry       string    `json:"bankCountry" doc:"ISO 3166-1 alpha-2"`
	CurrencyIsoCode   string    `json:"currencyIsoCode"`
	Amount            string    `json:"amount" doc:"exactly what has to arrive: fees of banks are to be borne by the sender"`
	Reference         string    `json:"reference" doc:"belongs into the transfer's reference or remittance information"`
	CreditorReference string    `json:"creditorReference,omitempty" doc:"EUR: the same reference in the form of ISO 11649, for the structured field"`
	QRReference       string    `json:"qrReference,omitempty" doc:"CHF: the same reference as a Swiss QR reference of 27 digits"`
	Rail              string    `json:"rail"`
	ExpiresAt         time.Time `json:"expiresAt" doc:"a deposit that is booked later is not matched any more"`
	Instructions      string    `json:"instructions"`
}

// onrampRoutes registers the operations that only ONRAMP transactions have.
func (s *Service) onrampRoutes(
	api *web.API,
	op func(method, path, id, summary string, codes ...fault.Code) web.Operation,
) {
	web.Register(
		api,
		op(
			"GET",
			"/transactions/min-onramp-amount",
			"minOnrampAmount",
			"Read the least deposit of an on-ramp",
			fault.RateUnavailable,
		),
		s.httpMinimum,
	)

	web.Register(
		api,
		op(
			"GET",
			"/transactions/onramp-currencies",
			"listOnrampCurrencies",
			"List the currencies that deposits are taken in",
		),
		s.httpOnrampCurrencies,
	)

	web.Register(
		api,
		op(
			"GET",
			"/transactions/{id}/bank-details",
			"readBankDetails",
			"Read where to transfer the deposit of an on-ramp, and under which reference",
			fault.TxNotSubmitted,
			fault.TxNotForType,
		),
		s.httpBankDetails,
	)
}

var dollars = money.Asset{Code: "USD", Decimals: 2}

func (s *Service) httpMinimum(ctx context.Context, _ *struct{}) (*MinimumView, error) {
	if err := s.onrampOffered(); err != nil {
		return nil, err
	}

	least, err := s.Quotes.MinOnramp(ctx, dollars)
	if err != nil {
		return nil, err
	}

	v := &MinimumView{Amount: least.String(), Currency: dollars.Code, PerCurrency: []quote.AmountView{}}
	for _, a := range s.DepositAccounts() {
		c, _ := refdata.All().Currency(a.Currency)

		least, err := s.minimum(ctx, c)
		if err != nil {
			return nil, err
		}

		if least != "" {
			v.PerCurrency = append(v.PerCurrency, quote.AmountView{CurrencyIsoCode: c.Code, Amount: least})
		}
	}

	return v, nil
}

// minimum returns the smallest deposit in a currency, or "" if there is no rate at the moment.
func (s *Service) minimum(ctx context.Context, c refdata.Currency) (string, error) {
	least, err := s.Quotes.MinOnramp(ctx, assetOf(c))
	if f, ok := fault.As(err); ok && f.Kind == fault.Unavailable {
		return "", nil
	}

	return least.String(), err
}

func (s *Service) onrampOffered() error {
	if onrampKind().offered(s) {
		return nil
	}

	return fault.New(fault.Conflict, fault.TypeUnsupported, "This deployment takes no deposits.")
}

func (s *Service) httpOnrampCurrencies(ctx context.Context, _ *struct{}) (*[]OnrampCurrencyView, error) {
	out := []OnrampCurrencyView{}
	if s.onrampOffered() != nil {
		return &out, nil
	}

	for _, a := range s.DepositAccounts() {
		c, _ := refdata.All().Currency(a.Currency)

		least, err := s.minimum(ctx, c)
		if err != nil {
			return nil, err
		}

		out = append(out, OnrampCurrencyView{c.ID, c.Name, c.Symbol, c.Code, least})
	}

	return &out, nil
}

func (s *Service) httpBankDetails(ctx context.Context, in *idIn) (*BankDetailsView, error) {
	t, err := s.Find(ctx, s.DB, in.ID)
	if err != nil {
		return nil, err
	}

	return t.BankDetails()
}

// BankDetails returns the account that submit stored; it does not change when the house's accounts do. It is refused
// once a deposit would no longer be matched.
func (t Transaction) BankDetails() (*BankDetailsView, error) {
	switch {
	case t.Type != TypeOnramp:
		return nil, notForOnramp("Only ONRAMP transactions have bank details to deposit to.")

	case t.Status == StatusDraft:
		return nil, fault.New(
			fault.Conflict,
			fault.TxNotSubmitted,
			"The transaction is a DRAFT; bank details are prepared when it is submitted.",
		)

	case t.Status == StatusFailed || t.Status == StatusRejected:
		return nil, fault.New(
			fault.Conflict,
			fault.TxNotWaiting,
			"The transaction is %s; a deposit would no longer be matched.",
			t.Status,
		)
	}

	a, err := t.HouseAccount()
	if err != nil {
		return nil, err
	}

	v := &BankDetailsView{
		BankName:        a.BankName,
		AccountHolder:   a.Holder,
		IBAN:            a.IBAN,
		BIC:             a.BIC,
		AccountNumber:   a.AccountNumber,
		RoutingNumber:   a.RoutingNumber,
		SortCode:        a.SortCode,
		IFSC:            a.IFSC,
		BankAddress:     a.BankAddress,
		BankCountry:     a.Country,
		CurrencyIsoCode: t.AmountCurrency,
		Amount:          t.Deposit().String(),
		Reference:       creditorref.Show(t.Reference),
		Rail:            a.Rail,
		ExpiresAt:       shown(t.ExpiresAt),
		Instructions:    t.instructions(),
	}
	switch t.AmountCurrency {
	case "EUR":
		v.CreditorReference, err = creditorref.RF(t.Reference)
	case "CHF":
		v.QRReference, err = creditorref.QRRFor(t.Reference)
	}

	return v, err
}

func (t Transaction) instructions() string {
	if t.Status != StatusWaiting {
		return "The deposit has arrived. Do not transfer it again."
	}

	from := "from an account in your organisation's name"
	if t.Sender != "" {
		from += " (" + t.Sender + ")"
	}

	return "Transfer exactly " + t.Deposit().String() + " " + t.AmountCurrency + " in one transfer " + from + ", with the reference " +
		creditorref.Show(
			t.Reference,
		) + " and nothing else in it. What differs in amount, currency, reference or sender is not converted until " +
		"people have looked at it."
}
