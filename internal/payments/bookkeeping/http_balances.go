package bookkeeping

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/day"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

type balancesIn struct {
	On string `query:"on" maxLength:"40" example:"2026-11-30" doc:"the day at whose end the balances are, in the time zone of the book; without it, today"`
}

type reportIn struct {
	From string `query:"from" maxLength:"40" example:"2026-01-01" doc:"first day of the profit and loss; without it, 1 January of the last day's year"`
	On   string `query:"on" maxLength:"40" example:"2026-11-30" doc:"its last day, which is included, and that of the balance sheet; without it, today"`
}

// BalanceView is what stands on an account in one asset.
type BalanceView struct {
	ID          string  `json:"_id" example:"1100:wallet:USDC"`
	Account     string  `json:"account" example:"1100" doc:"number of the account, by the table of accounts"`
	AccountName string  `json:"accountName" example:"Your wallet" doc:"name of the account, by the table of accounts"`
	AccountKind string  `json:"accountKind" example:"wallet" doc:"the kind of the service's accounts"`
	Class       string  `json:"class" enum:"ASSET,LIABILITY,EQUITY,INCOME,EXPENSE" doc:"what it counts as in the balance sheet, or in the profit and loss"`
	Amount      string  `json:"amount" example:"-110.50" doc:"in the asset itself; below zero: a credit"`
	Asset       string  `json:"asset" example:"USDC" doc:"code of the token or currency"`
	Debit       *string `json:"debit" doc:"sum of the lines' values; null: it is a credit, or a line has no rate"`
	Credit      *string `json:"credit" doc:"sum of the lines' values; null: it is a debit, or a line has no rate"`
	Currency    string  `json:"currency" doc:"ISO 4217 code of the currency of the values"`
}

// ReportView is the profit and loss of a period, and the balance sheet at its end.
type ReportView struct {
	From          string        `json:"from" format:"date" doc:"first day of the profit and loss"`
	On            string        `json:"on" format:"date" doc:"last day of the profit and loss, and the day of the balance sheet"`
	Currency      string        `json:"currency" doc:"ISO 4217 code of the currency of the values"`
	ProfitAndLoss []BalanceView `json:"profitAndLoss" nullable:"false" doc:"accounts of income and expense in the period"`
	Profit        string        `json:"profit" example:"1204.55" doc:"of the period; below zero: a loss"`
	BalanceSheet  []BalanceView `json:"balanceSheet" nullable:"false" doc:"accounts of assets, liabilities and equity; they sum to carriedProfit"`
	CarriedProfit string        `json:"carriedProfit" example:"8120.00" doc:"since the beginning; below zero: a loss"`
	LeftOut       []string      `json:"leftOut" nullable:"false" example:"[\"ETH\"]" doc:"codes of assets with lines that have no value, and so are in none of the sums: there is no reference rate, or their month was closed in another currency"`
}

// balanceRoutes registers the operations of trial balances, and those of the house's book.
func (s *Service) balanceRoutes(api *web.API) {
	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/bookkeeping/balances",
		ID:      "listBookkeepingBalances",
		Summary: "Show the trial balance of the organisation's book",
		Description: "What stands on each account in each asset at the end of a day. The values sum to zero. Ask for it " +
			"as CSV with `Accept: text/csv`.",
		Tag:    "books",
		Access: web.Tenant,
	}, s.balances(false))

	house := func(path, id, summary, description string, codes ...fault.Code) web.Operation {
		return web.Operation{
			Method:      "GET",
			Path:        "/operations/books" + path,
			ID:          id,
			Summary:     summary,
			Description: description,
			Tag:         "operations",
			Access:      web.Operator,
			Codes:       codes,
		}
	}

	web.Register(api, house(
		"/entries",
		"listHouseEntries",
		"List the lines of the house's book",
		"Double entry, oldest first, of every journal: the lines of a journal sum to zero. What a place has of a "+
			"customer's value, the house owes or passes on, so it stands on the other side than in the customer's book. "+
			"Values are in the operator's currency. What leaves an account on which value is under way has the value "+
			"at which it came there, so that nothing is left of it; treasury, bank accounts and stock have the rate "+
			"of the day. `total` is 0: the lines are not counted. Ask for it as CSV with `Accept: text/csv`.",
		fault.CursorInvalid,
	), s.houseEntries)

	web.Register(api, house(
		"/balances",
		"listHouseBookBalances",
		"Show the trial balance of the house's book",
		"What stands on each account in each asset at the end of a day. The values sum to zero. Ask for it as CSV with "+
			"`Accept: text/csv`.",
	), s.balances(true))

	web.Register(api, house(
		"/report",
		"readHouseReport",
		"Show profit and loss, and the balance sheet of the house",
		"Of a period, and at the end of its last day. Every value is the sum of lines' values: at the reference rate of the "+
			"day, or that at which the amount came to the account that it leaves. Nothing is valued anew.",
	), s.houseReport)

	export := house(
		"/export",
		"exportHouseBook",
		"Export the house's book for a bookkeeping program",
		"The lines of GET /operations/books/entries, as GET /bookkeeping/export writes those of an organisation. Lines "+
			"without a rate, such as gas, are written for hledger and beancount alone.",
		fault.RateUnavailable,
		fault.BookkeepingUnfit,
	)
	export.Answers = exportAnswers()
	web.Register(api, export, s.export(true))
}

func (s *Service) balances(house bool) func(context.Context, *balancesIn) (*web.List[BalanceView], error) {
	return func(ctx context.Context, in *balancesIn) (*web.List[BalanceView], error) {
		var l fault.List
		on := dayOf(&l, "on", in.On)

		if err := l.Err(); err != nil {
			return nil, err
		}

		s.refresh(ctx)

		all, home, err := s.Balances(ctx, house, on)
		out := web.NewList(balanceViews(all, home), int64(len(all)), "")

		return &out, err
	}
}

func (s *Service) houseReport(ctx context.Context, in *reportIn) (*ReportView, error) {
	var l fault.List

	on := dayOf(&l, "on", in.On)
	if in.On == "" {
		on = day.Of(s.DB.Now().UTC()) // the house's book is kept in UTC
	}

	from := time.Date(on.Year(), time.January, 1, 0, 0, 0, 0, time.UTC)

	if in.From != "" {
		from = dayOf(&l, "from", in.From)
	}

	if l.Err() == nil && on.Before(from) {
		l.AddParameter("query", "on", fault.NotAllowed, "must not be before the first day.")
	}

	if err := l.Err(); err != nil {
		return nil, err
	}

	s.refresh(ctx)

	r, err := s.Report(ctx, true, from, on)
	if err != nil {
		return nil, err
	}

	return &ReportView{
		From:          from.Format(time.DateOnly),
		On:            on.Format(time.DateOnly),
		Currency:      r.Home.Code,
		ProfitAndLoss: balanceViews(r.ProfitAndLoss, r.Home),
		Profit:        r.Result.Neg().String(),
		BalanceSheet:  balanceViews(r.BalanceSheet, r.Home),
		CarriedProfit: r.Carried.Neg().String(),
		LeftOut:       append([]string{}, r.LeftOut...),
	}, nil
}

// dayOf returns the day of a parameter; zero, if it is not given.
func dayOf(l *fault.List, name, text string) time.Time {
	if text == "" {
		return time.Time{}
	}

	t, err := day.Parse(text)
	if err != nil {
		l.AddParameter("query", name, fault.FormatInvalid, "must be a date such as 2026-11-30.")
	}

	return t
}

func balanceViews(all []Balance, home money.Asset) []BalanceView {
	out := make([]BalanceView, len(all))

	for i, b := range all {
		v := BalanceView{
			ID:          b.Account.Number + ":" + b.Account.Kind + ":" + b.Amount.Asset().Code,
			Account:     b.Account.Number,
			AccountName: b.Account.Name,
			AccountKind: b.Account.Kind,
			Class:       string(b.Account.Class),
			Amount:      b.Amount.String(),
			Asset:       b.Amount.Asset().Code,
			Currency:    home.Code,
		}
		if !b.Unknown {
			v.Debit, v.Credit = sides(b.Value)
		}

		out[i] = v
	}

	return out
}

// sides returns a value as a debit or as a credit.
func sides(value money.Amount) (debit, credit *string) {
	text := value.String()
	if value.Sign() >= 0 {
		return &text, nil
	}

	text = value.Neg().String()

	return nil, &text
}

func (s *Service) houseEntries(ctx context.Context, in *entriesIn) (*web.List[EntryView], error) {
	return s.entries(ctx, in, ledger.Period{House: true})
}

// entries lists the lines of a book in the period that is asked for.
func (s *Service) entries(ctx context.Context, in *entriesIn, p ledger.Period) (*web.List[EntryView], error) {
	from, to, err := in.days()
	if err != nil {
		return nil, err
	}

	p.From = from
	if !to.IsZero() {
		p.Before = to.AddDate(0, 0, 1)
	}

	s.refresh(ctx)

	return web.ListOf(ctx, s.DB, in.Paging, func(q db.Querier, page caller.Window) ([]Line, int64, error) {
		return s.Lines(ctx, q, p, page)
	}, Line.Position, web.Each(viewOf))
}
