package bookkeeping

import (
	"cmp"
	"context"
	"io"
	"math/big"
	"net/http"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/day"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/dayrate"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// period is embedded in what is asked for a part of the book.
type period struct {
	From string `query:"from" maxLength:"40" example:"2026-11-01" doc:"first day, in the organisation's time zone: a date, or a date-time of which the date counts"`
	To   string `query:"to" maxLength:"40" example:"2026-11-30" doc:"last day, in the organisation's time zone, which is included: a date, or a date-time of which the date counts"`
}

// days returns the first and the last day; zero for one that is not given.
func (p period) days() (from, to time.Time, err error) {
	var l fault.List

	parse := func(name, s string) time.Time {
		if s == "" {
			return time.Time{}
		}

		t, err := day.Parse(s)
		if err != nil {
			l.AddParameter("query", name, fault.FormatInvalid, "must be a date such as 2026-11-30.")
		}

		return t
	}

	from = parse("from", p.From)
	to = parse("to", p.To)

	if l.Err() == nil && !to.IsZero() && to.Before(from) {
		l.AddParameter("query", "to", fault.NotAllowed, "must not be before the first day.")
	}

	return from, to, l.Err()
}

// required returns the first and the last day, which must both be given.
func (p period) required() (from, to time.Time, err error) {
	from, to, err = p.days()
	if err != nil {
		return from, to, err
	}

	var l fault.List
	if p.From == "" {
		l.AddParameter("query", "from", fault.Required, "is required.")
	}

	if p.To == "" {
		l.AddParameter("query", "to", fault.Required, "is required.")
	}

	return from, to, l.Err()
}

type entriesIn struct {
	web.Paging
	period
}

type statementIn struct{ period }

// EntryView is a line of the organisation's book.
type EntryView struct {
	ID          string    `json:"_id" example:"jrn_01kaj3w8r8q2m5x9v7t4b6c1dn:0"`
	Journal     string    `json:"journal" doc:"the booking that the line belongs to; its lines sum to zero"`
	Date        string    `json:"date" format:"date" doc:"day of the book, in the organisation's time zone"`
	BookedOn    string    `json:"bookedOn" format:"date" doc:"business day: the bank's booking day, or the day of the block"`
	ValueOn     string    `json:"valueOn" format:"date" doc:"value day: from which the bank counts it"`
	BookedAt    time.Time `json:"bookedAt" doc:"when it was posted"`
	Event       string    `json:"event" doc:"what happened, in words"`
	Kind        string    `json:"kind" doc:"what happened, as a word that programs can rely on"`
	Transaction *string   `json:"transaction" doc:"identifier of the transaction; null: it belongs to none"`
	Account     string    `json:"account" doc:"number of the account, by the table of accounts"`
	AccountName string    `json:"accountName"`
	AccountKind string    `json:"accountKind" doc:"which of the kinds of GET /bookkeeping/accounts it is"`
	Place       string    `json:"place" doc:"network and address of a wallet, or identifier of a receiver"`
	Debit       *string   `json:"debit" doc:"value in the home currency; null: it is a credit, or there is no rate"`
	Credit      *string   `json:"credit" doc:"value in the home currency; null: it is a debit, or there is no rate"`
	Currency    string    `json:"currency" doc:"ISO 4217 code of the home currency"`
	Amount      string    `json:"amount" doc:"in the asset itself; below zero: a credit"`
	Asset       string    `json:"asset" doc:"code of the token or currency"`
	Rate        *string   `json:"rate" doc:"units of the home currency for one whole unit of the asset; null: there is none, or the value is that at which the amount came to the account"`
	Provisional bool      `json:"isProvisional" doc:"whether the rates of the day may still come, and with them another value"`
	Closed      bool      `json:"isClosed" doc:"whether the line is in a closed month, and will never change"`
	RateDate    *string   `json:"rateDate" format:"date" doc:"day of the rate: that of the booking, or the last one before with rates; null: there is no rate"`
	RateSource  *string   `json:"rateSource" doc:"who published the rate"`

	ValuedBy     string    `json:"valuedBy" enum:"RATE,LOTS,ACCOUNT,COUNTER,JOURNAL,COST,REVALUATION" doc:"what the value comes from: RATE: the amount at the rate; LOTS: what the tokens have cost; ACCOUNT: its share of what stood on the account; COUNTER: the line beside it, or the money that was paid; JOURNAL: what the other lines of the asset leave; COST: nothing, since the fees are cost of the tokens; REVALUATION: what the account is worth at the rate of the month's last day, or what it was worth in the book before"`
	Item         string    `json:"item" example:"txn_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"what on the account belongs together: the transaction, the deposit or the claim; empty: each line stands by itself, or all of a wallet belongs together"`
	CountsAs     string    `json:"countsAs" example:"USD" doc:"the currency whose rates the asset has"`
	AssetPerEuro *string   `json:"assetPerEuro" example:"1.1612" doc:"units of that currency for one euro on the day of the rates, as published; null: there are none"`
	HomePerEuro  *string   `json:"homePerEuro" example:"0.9304" doc:"units of the home currency for one euro, as published; the rate is this one divided by the other"`
	Lots         []LotView `json:"lots" nullable:"false" doc:"which lots the tokens were taken from; what they do not have has the rate of the day"`

	Party           string `json:"party" example:"Keller Consulting GmbH" doc:"name of the payee whom the line is about; empty: none, or several"`
	PartyKind       string `json:"receiverType" example:"COMPANY" doc:"type of that payee when the payment was locked: SELF is the organisation itself; empty: no payee, or several"`
	InvoiceNumber   string `json:"invoiceNumber" example:"2026-117" doc:"number of the invoice that was paid"`
	Reason          string `json:"reason" example:"Consulting in October" doc:"of the payment"`
	Document        string `json:"document" example:"doc_06f2k8s0m4x3v7q9" doc:"storage key of the invoice's file"`
	EndToEndID      string `json:"endToEndId" example:"SLP06F2K8S0M4X3V7Q9" doc:"identification of the payment between banks"`
	TransactionHash string `json:"transactionHash" example:"0x5e4d0c27a0b9f1c94e7a5d3f8b2c6e1a0d9f8e7c6b5a49382716051423324150" doc:"of the transaction on the chain"`
	TaxCode         string `json:"taxCode" example:"9" doc:"of the account, in the words of the bookkeeping program; without one, of VAT in fees its country, category and rate, such as DE-S-19"`
	CostCentre      string `json:"costCentre" example:"4711" doc:"of the account"`
	BankReference   string `json:"bankReference" example:"NTRF20261105-0042" doc:"reference of the booking at the bank that booked it"`
}

// LotView is what was taken from a lot of tokens.
type LotView struct {
	Line   string `json:"line" example:"jrn_01kaj3w8r8q2m5x9v7t4b6c1dn:2" doc:"the line that brought the tokens; with an average, the last one"`
	Date   string `json:"date" format:"date" doc:"day of that line"`
	Amount string `json:"amount" example:"60.00" doc:"of the token; below zero: it makes up for what was paid before it came"`
	Cost   string `json:"cost" example:"55.80" doc:"in the home currency"`
}

// ChartView is the table of accounts that an organisation's book is mapped to.
type ChartView struct {
	Accounts []AccountView `json:"accounts" nullable:"false" doc:"one for each kind of the service's accounts"`
}

// AccountView is an account of the organisation's own bookkeeping.
type AccountView struct {
	ID         string `json:"_id" example:"wallet:USDC:" doc:"the kind; of a finer rule with its asset, place and type of receiver"`
	Kind       string `json:"kind" doc:"the kind of the service's accounts that it stands for" example:"wallet"`
	Asset      string `json:"asset" example:"USDC" doc:"the rule is for this token or currency alone; empty: for all"`
	Place      string `json:"place" example:"net_base" doc:"the rule is for this network, wallet or payee alone; empty: for all"`
	Receiver   string `json:"receiverType" example:"COMPANY" doc:"the rule is for payments to receivers of this type alone, SELF being the organisation itself; empty: for all"`
	Words      string `json:"words" doc:"what the kind is"`
	Number     string `json:"number" example:"1100"`
	Name       string `json:"name"`
	TaxCode    string `json:"taxCode" example:"9" doc:"of the lines on it, in the words of the bookkeeping program; empty: none"`
	CostCentre string `json:"costCentre" example:"4711" doc:"of the lines on it; empty: none"`
	IsProposed bool   `json:"isProposed" doc:"the organisation has set no other"`
}

type accountsIn struct {
	Body struct {
		Accounts []AccountBody `json:"accounts" maxItems:"500" doc:"kinds that are left out have the proposed account"`
	}
}

// AccountBody sets the account for a kind.
type AccountBody struct {
	Kind   string `json:"kind" maxLength:"40" doc:"one of those that GET /bookkeeping/accounts lists" example:"wallet"`
	Number string `json:"number" maxLength:"20" doc:"number of the account in the organisation's own bookkeeping" example:"1100"`
	Name   string `json:"name" maxLength:"100" doc:"name of the account"`

	Asset      string `json:"asset,omitempty" maxLength:"40" example:"USDC" doc:"a finer rule: for this token or currency alone"`
	Location   string `json:"place,omitempty" maxLength:"120" example:"net_base" doc:"a finer rule: for this network, wallet (network/address), address or payee alone, as the lines' place has it"`
	Receiver   string `json:"receiverType,omitempty" example:"COMPANY" doc:"a finer rule, of the kinds receiver and payee: for payments to people, to companies, or to the organisation itself alone"`
	TaxCode    string `json:"taxCode,omitempty" maxLength:"40" example:"9" doc:"of the lines on it, in the words of the bookkeeping program"`
	CostCentre string `json:"costCentre,omitempty" maxLength:"36" example:"4711" doc:"of the lines on it"`
}

// camtType is the content type of a statement.
const camtType = "application/xml"

// Routes registers the operations of bookkeeping.
func (s *Service) Routes(api *web.API) {
	op := func(method, path, id, summary, description string, codes ...fault.Code) web.Operation {
		return web.Operation{
			Method:      method,
			Path:        path,
			ID:          id,
			Summary:     summary,
			Description: description,
			Tag:         "books",
			Access:      web.Tenant,
			Codes:       codes,
		}
	}

	web.Register(api, op(
		"GET",
		"/bookkeeping/entries",
		"listBookkeepingEntries",
		"List the lines of the organisation's book",
		"Double entry, oldest first: the lines of a journal sum to zero. Each has its value in the organisation's "+
			"home currency, at the reference rate of its day. Ask for it as CSV with `Accept: text/csv`.",
		fault.CursorInvalid,
	), s.list)

	statement := op(
		"GET",
		"/bookkeeping/statement",
		"readBookkeepingStatement",
		"Read the statements of the organisation's wallets as camt.053",
		"One statement for each token in a wallet, with values in the home currency, for programs that read bank "+
			"statements. The balances are those of what went through this service.",
		fault.RateUnavailable,
		fault.BookkeepingEmpty,
	)
	statement.Answers = map[string]any{camtType: nil}
	web.Register(api, statement, s.statement)

	web.Register(api, op(
		"GET",
		"/bookkeeping/accounts",
		"readBookkeepingAccounts",
		"Read the accounts that the book is mapped to",
		"One for each kind of account, and those of finer rules; the service proposes those that the organisation has not "+
			"set.",
	), s.accounts)

	set := op(
		"PUT",
		"/bookkeeping/accounts",
		"setBookkeepingAccounts",
		"Set the accounts that the book is mapped to",
		"They take the place of all that were set before. One that equals the proposed account counts as not set. One "+
			"with an asset, a place or a type of receiver is a finer rule; of those that fit a line, the finest wins: a "+
			"wallet or payee says more than a type of receiver, that more than a network, a network more than an asset. "+
			"Nothing that was booked changes.",
	)
	set.Roles = []string{organisation.Admin}
	web.Register(api, set, s.setAccounts)

	s.exportRoutes(api)
	s.balanceRoutes(api)
	s.periodRoutes(api, op)
	s.openingRoutes(api, op)
	s.settingRoutes(api, op)
}

func (s *Service) list(ctx context.Context, in *entriesIn) (*web.List[EntryView], error) {
	return s.entries(ctx, in, ledger.Period{Organisation: caller.Of(ctx).Organisation})
}

func viewOf(l Line) EntryView {
	v := EntryView{
		ID:          l.Position(),
		Journal:     l.Journal,
		Date:        l.Day.Format(time.DateOnly),
		BookedOn:    l.BookedOn.Format(time.DateOnly),
		ValueOn:     l.ValueOn.Format(time.DateOnly),
		BookedAt:    l.At.UTC().Truncate(time.Millisecond),
		Event:       EventWords(l.Kind),
		Kind:        l.Kind,
		Account:     l.Account.Number,
		AccountName: l.Account.Name,
		AccountKind: l.Account.Kind,
		Place:       l.Place,
		Currency:    l.Home.Code,
		Provisional: l.Provisional,
		Closed:      l.Closed,
		Amount:      l.Amount.String(),
		Asset:       l.Asset,

		Party:           l.Party,
		PartyKind:       l.PartyKind,
		InvoiceNumber:   l.Invoice,
		Reason:          l.Reason,
		Document:        l.Document,
		EndToEndID:      l.EndToEnd,
		TransactionHash: l.Hash,
		BankReference:   l.BankReference,
		TaxCode:         cmp.Or(l.Account.TaxCode, l.taxCode()),
		CostCentre:      l.Account.CostCentre,

		ValuedBy:     string(l.By),
		Item:         together(l),
		CountsAs:     dayrate.Counts(l.Asset),
		AssetPerEuro: perEuro(l.Rates, dayrate.Counts(l.Asset)),
		HomePerEuro:  perEuro(l.Rates, l.Home.Code),
		Lots:         lotViews(l),
	}
	if l.Transaction != "" {
		v.Transaction = &l.Transaction
	}

	if l.Value == nil {
		return v
	}

	// the side is that of the amount: the value of a small one may be rounded to nothing
	value := l.Value.String()
	if l.Amount.Sign() < 0 {
		value = l.Value.Neg().String()
		v.Credit = &value
	} else {
		v.Debit = &value
	}

	if l.Rate == nil {
		return v
	}

	rate := rateText(l.Rate)
	on := l.Rates.Date.Format(time.DateOnly)
	v.Rate = &rate
	v.RateDate = &on
	v.RateSource = &l.Rates.Source

	return v
}

// perEuro returns a published rate as it was published; nil: there is none.
func perEuro(d dayrate.Day, currency string) *string {
	rate, ok := d.PerEuro(currency)
	if !ok {
		return nil
	}

	digits, _ := rate.FloatPrec() // published rates are decimals, so this many digits are exact
	text := rate.FloatString(digits)

	return &text
}

// together returns what of a line's account belongs together with it.
func together(l Line) string {
	if l.Kind == ledger.KindBookRevaluation {
		return ""
	}

	it, _ := itemOf(l)

	return it.of
}

func lotViews(l Line) []LotView {
	out := []LotView{}

	for _, t := range l.Taken {
		out = append(out, LotView{
			Line:   t.Line,
			Date:   t.Day,
			Amount: digits(t.Units, l.Amount.Asset()),
			Cost:   digits(t.Cost, l.Home),
		})
	}

	return out
}

// digits returns stored base units as an amount.
func digits(units string, of money.Asset) string {
	n, err := money.ParseUnits(units)
	if err != nil {
		return ""
	}

	return money.FromUnits(of, n).String()
}

// rateText returns a rate with ten decimals, and without zeros at the end.
func rateText(r *big.Rat) string {
	s := r.FloatString(10)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

func (s *Service) statement(ctx context.Context, in *statementIn) (*web.Stream, error) {
	from, to, err := in.required()
	if err != nil {
		return nil, err
	}

	write, err := s.Statement(ctx, from, to)
	if err != nil {
		return nil, err
	}

	name := "camt053-" + in.From + "-" + in.To + ".xml"

	return &web.Stream{
		ContentType: camtType,
		Header:      http.Header{"Content-Disposition": {`attachment; filename="` + name + `"`}},
		Write:       func(out io.Writer) error { return write(out) },
	}, nil
}

func (s *Service) accounts(ctx context.Context, _ *struct{}) (*ChartView, error) {
	chart, err := ChartOf(ctx, s.DB, caller.Of(ctx).Organisation)
	if err != nil {
		return nil, err
	}

	v := chartView(chart)

	return &v, nil
}

func (s *Service) setAccounts(ctx context.Context, in *accountsIn) (*ChartView, error) {
	accounts := make([]Account, len(in.Body.Accounts))
	for i, a := range in.Body.Accounts {
		accounts[i] = Account{
			Rule:       Rule{Kind: a.Kind, Asset: a.Asset, Location: a.Location, Receiver: a.Receiver},
			Number:     strings.TrimSpace(a.Number),
			Name:       a.Name,
			TaxCode:    a.TaxCode,
			CostCentre: a.CostCentre,
		}
	}

	return web.Once(ctx, http.StatusOK, chartView, func(done func(*db.Tx, Chart) error) error {
		return s.SetAccounts(ctx, accounts, done)
	})
}

func chartView(chart Chart) ChartView {
	out := ChartView{Accounts: []AccountView{}}

	words := map[string]string{}
	for _, k := range ledger.Kinds() {
		words[k.Name] = k.Words
	}

	for _, a := range chart.list() {
		out.Accounts = append(out.Accounts, AccountView{
			ID:         a.id(),
			Kind:       a.Kind,
			Asset:      a.Asset,
			Place:      a.Location,
			Receiver:   a.Receiver,
			Words:      words[a.Kind],
			Number:     a.Number,
			Name:       a.Name,
			TaxCode:    a.TaxCode,
			CostCentre: a.CostCentre,
			IsProposed: a.Proposed,
		})
	}

	return out
}
