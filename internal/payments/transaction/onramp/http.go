package onramp

import (
	"context"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/refdata"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/web"
)

type idIn struct {
	ID string `path:"id"`
}

// Routes registers the operations that only ONRAMP transactions have. transactions finds the caller's.
func (k Kind) Routes(api *web.API, transactions *transaction.Service) {
	const (
		minimum = "Read the least deposit of an on-ramp"
		list    = "List the currencies that deposits are taken in"
		details = "Read where to transfer the deposit of an on-ramp, and under which reference"
	)

	web.Register(
		api,
		read(
			"/transactions/min-onramp-amount",
			"minOnrampAmount",
			minimum,
			fault.TypeUnsupported,
			fault.RateUnavailable,
			fault.RateStale,
		),
		k.httpMinimum,
	)
	web.Register(api, read("/transactions/onramp-currencies", "listOnrampCurrencies", list), k.httpCurrencies)
	web.Register(
		api,
		read("/transactions/{id}/bank-details", "readBankDetails", details,
			fault.TxNotSubmitted, fault.TxNotWaiting, fault.TxNotForType),
		func(ctx context.Context, in *idIn) (*transaction.BankDetailsView, error) {
			t, err := transactions.Find(ctx, transactions.DB, in.ID)
			if err != nil {
				return nil, err
			}

			return BankDetails(t)
		},
	)
}

func read(path, id, summary string, codes ...fault.Code) web.Operation {
	return web.Operation{
		Method:  "GET",
		Path:    path,
		ID:      id,
		Summary: summary,
		Tag:     "transactions",
		Access:  web.Tenant,
		Codes:   codes,
	}
}

func (k Kind) httpMinimum(ctx context.Context, _ *struct{}) (*transaction.MinimumView, error) {
	if !k.Offered() {
		return nil, fault.New(fault.Conflict, fault.TypeUnsupported, "This deployment takes no deposits.")
	}

	dollars := money.Asset{Code: "USD", Decimals: 2}

	least, err := k.Quotes.MinOnramp(ctx, dollars)
	if err != nil {
		return nil, err
	}

	v := &transaction.MinimumView{
		Amount:      least.String(),
		Currency:    dollars.Code,
		PerCurrency: []quote.AmountView{},
	}
	for _, a := range k.DepositAccounts() {
		c, _ := refdata.All().Currency(a.Currency)

		least, err := k.Quotes.MinOnramp(ctx, assetOf(c))
		if err != nil {
			return nil, err
		}

		v.PerCurrency = append(v.PerCurrency, quote.AmountView{CurrencyIsoCode: c.Code, Amount: least.String()})
	}

	return v, nil
}

// minimum returns the smallest deposit in a currency, or "" if there is no rate at the moment.
func (k Kind) minimum(ctx context.Context, c refdata.Currency) (string, error) {
	least, err := k.Quotes.MinOnramp(ctx, assetOf(c))
	if f, ok := fault.As(err); ok && f.Kind == fault.Unavailable {
		return "", nil
	}

	return least.String(), err
}

func (k Kind) httpCurrencies(ctx context.Context, _ *struct{}) (*[]transaction.OnrampCurrencyView, error) {
	out := []transaction.OnrampCurrencyView{}
	if !k.Offered() {
		return &out, nil
	}

	for _, a := range k.DepositAccounts() {
		c, _ := refdata.All().Currency(a.Currency)

		least, err := k.minimum(ctx, c)
		if err != nil {
			return nil, err
		}

		out = append(out, transaction.OnrampCurrencyView{
			ID:        c.ID,
			Name:      c.Name,
			Symbol:    c.Symbol,
			IsoCode:   c.Code,
			MinAmount: least,
		})
	}

	return &out, nil
}
