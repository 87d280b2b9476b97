package transaction

import (
	"cmp"
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/directory/refdata"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

type (
	listIn struct {
		web.Paging
		filterIn
	}
	filterIn struct {
		web.Period
		Organisations  []string `query:"organisations[]" doc:"your organisation; others match nothing"`
		Partners       []string `query:"partners[]" doc:"identifiers of partners that they were made for"`
		Status         []string `query:"status[]" enum:"DRAFT,WAITING_ACCEPTANCE,PROCESSING,RELEASED,COMPLETED,FAILED,REJECTED_BY_PLATFORM" doc:"in one of these states"`
		Tokens         []string `query:"tokens[]" enum:"USDT,USDC,DAI" doc:"paid in one of these tokens"`
		Currencies     []string `query:"currencies[]" doc:"codes or identifiers of fiat currencies"`
		Type           []string `query:"type[]" enum:"FIAT,CRYPTO,ONRAMP" doc:"of one of these types"`
		SortBy         string   `query:"sortBy" enum:"createdAt,updatedAt,status,type,token,_id" doc:"createdAt when left out"`
		Direction      int      `query:"direction" enum:"-1,1" default:"-1" doc:"-1: descending, newest first; 1: ascending"`
		CommissionType string   `query:"commissionType" enum:"STANDARD,CUSTOM,PARTNER" doc:"how the commission was set"`
		ColumnID       string   `query:"columnId" maxLength:"64" doc:"the saved view that asks: all, open (not ended yet), done (completed) or failed (ended otherwise); any other name shows what all shows. all when left out"`
		SelectedYear   int      `query:"selectedYear" minimum:"2000" maximum:"2200" doc:"created in this year, UTC; combined with from and to"`
		SearchTerm     string   `query:"searchTerm" maxLength:"200" doc:"words, each of which is part of a reason, an address, a receiver's name, an amount, the sum of several payments or a reference; or the beginning of an id or of a hash on the chain; or an end-to-end identification or a UETR of a bank"`
		IsHidden       *bool    `query:"isHidden" doc:"true: only hidden ones; false: without them"`
		PaymentsFailed *bool    `query:"paymentsFailed" doc:"true: only those of which at least one payment was not made or came back, whatever their state; false: only the others"`
	}
)

// ListAnswer is a page of transactions, with the saved view that asked.
type ListAnswer struct {
	web.List[View]
	ColumnID string `json:"columnId" doc:"as it was given; all when it was left out"`
}

// currencyCodes returns the codes of currencies that are given by code or by identifier.
func currencyCodes(currencies []string) []string {
	codes := make([]string, len(currencies))
	for i, x := range currencies {
		codes[i] = x
		if c, ok := refdata.All().Currency(x); ok {
			codes[i] = c.Code
		}
	}

	return codes
}

// filter returns what a page of an organisation's list asks for.
func (in *listIn) filter(organisation string) (Filter, error) {
	window, err := in.Window()
	if err != nil {
		return Filter{}, err
	}

	f, err := in.filterIn.filter(organisation)
	f.Window = window

	return f, err
}

// filter returns which transactions of an organisation are asked for.
func (in *filterIn) filter(organisation string) (Filter, error) {
	from, to, err := in.Times()

	return Filter{
		Organisation:   organisation,
		Organisations:  in.Organisations,
		Partners:       in.Partners,
		Status:         in.Status,
		Tokens:         in.Tokens,
		Currencies:     currencyCodes(in.Currencies),
		View:           ListView(in.ColumnID),
		Types:          in.Type,
		From:           from,
		To:             to,
		Year:           in.SelectedYear,
		Search:         in.SearchTerm,
		CommissionType: in.CommissionType,
		Hidden:         in.IsHidden,
		PaymentsFailed: in.PaymentsFailed,
		SortBy:         in.SortBy,
		Ascending:      in.Direction == 1,
	}, err
}

func (s *Service) httpList(ctx context.Context, in *listIn) (*ListAnswer, error) {
	f, err := in.filter(caller.Of(ctx).Organisation)
	if err != nil {
		return nil, err
	}

	page, total, next, err := s.list(ctx, f)
	if err != nil {
		return nil, err
	}

	show := func(q db.Querier, rows []Transaction) ([]View, error) { return s.Views(ctx, q, rows) }

	list, err := web.Shown(s.DB, in.Paging, page, total, next, f.position, show)
	if err != nil {
		return nil, err
	}

	return &ListAnswer{List: list, ColumnID: cmp.Or(in.ColumnID, string(ViewAll))}, nil
}
