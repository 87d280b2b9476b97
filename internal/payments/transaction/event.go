package transaction

import (
	"slipway/internal/core/money"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/words"
)

// eventView is the part of View that events carry: each member has the name and the value that GET shows.
type eventView struct {
	ID               string           `json:"_id"`
	Type             Type             `json:"type"`
	Status           Status           `json:"status"`
	SettlementStatus SettlementStatus `json:"settlementStatus"`
	StatusInfo       string           `json:"statusInfo,omitempty"`
	Organisation     string           `json:"organisation"`
	Token            string           `json:"token"`
	Totals           eventTotals      `json:"totals"`
	Version          int64            `json:"version"`
}

type eventTotals struct {
	TokenDebit string            `json:"tokenDebit"`
	FiatIn     *quote.AmountView `json:"fiatIn,omitempty"`
}

func eventData(t Transaction) eventView {
	v := eventView{
		ID:               t.ID,
		Type:             t.Type,
		Status:           t.Status,
		SettlementStatus: t.Settlement,
		StatusInfo:       words.English(t.StatusInfo),
		Organisation:     t.Organisation,
		Token:            t.Token,
		Totals:           eventTotals{TokenDebit: money.Format(t.Debit, t.Decimals)},
		Version:          t.Version,
	}

	if t.AmountCurrency != "" { // ONRAMP
		v.Totals.FiatIn = &quote.AmountView{CurrencyIsoCode: t.AmountCurrency, Amount: t.Deposit().String()}
	}

	return v
}
