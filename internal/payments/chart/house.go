package chart

import (
	"strconv"
	"strings"

	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
)

// WalletOpened is what a wallet of the house had when the books saw it first.
type WalletOpened struct {
	Network, Wallet string
	Amount          money.Amount
}

// Journal returns what is posted.
func (e WalletOpened) Journal() ledger.Journal {
	return Of{}.journal("treasury/"+e.Network+"/"+e.Amount.Asset().Code+"/"+e.Wallet+"/opening", KindOpening,
		onEquity(e.Network, e.Amount, e.Wallet)...)
}

// BookOpened is what a wallet or an account of an organisation had when its book began. It is in the organisation's
// book alone: what its wallets have from elsewhere is no business of the house.
type BookOpened struct {
	Of

	Opening string         // identifier
	Account ledger.Account // of the wallet, or of the organisation's money in a currency
	Place   string         // a network for tokens, else a currency
	Amount  money.Amount
}

// Journal returns what is posted.
func (e BookOpened) Journal() ledger.Journal {
	return e.journal("opening/"+e.Opening, ledger.KindBookOpening,
		against(e.Account, ledger.OpeningAccount(e.Place), e.Amount, e.Opening)...)
}

// BookOpeningWithdrawn is an opening balance that was wrong. It is the opposite of BookOpened.
type BookOpeningWithdrawn struct{ BookOpened }

// Journal returns what is posted.
func (e BookOpeningWithdrawn) Journal() ledger.Journal {
	return opposite(e.BookOpened.Journal(), "opening-withdrawn/"+e.Opening, ledger.KindBookOpening)
}

// RevaluedPart is what an account has that is valued anew.
type RevaluedPart struct {
	Account ledger.Account
	Amount  money.Amount
}

// Revalued is what an organisation's book has at the end of a month that is closed. Each amount passes over its account
// and over that of results: it comes at its present value, and leaves at that of the book.
type Revalued struct {
	Of

	Period string // 2026-12
	Number int64  // of the closing: a month may be closed more than once
	Parts  []RevaluedPart
}

func (e Revalued) key(event string) string {
	return event + "/" + e.Organisation + "/" + e.Period + "/" + strconv.FormatInt(e.Number, 10)
}

// Journal returns what is posted: four lines for each part.
func (e Revalued) Journal() ledger.Journal {
	var lines []ledger.Posting

	for _, p := range e.Parts {
		place := p.Amount.Asset().Code

		if kind, rest, _ := strings.Cut(string(p.Account), "/"); kind == "wallet" {
			place, _, _ = strings.Cut(rest, "/")
		}

		lines = append(lines, over(p.Account, p.Amount)...)
		lines = append(lines, over(ledger.UnrealisedAccount(place), p.Amount.Neg())...)
	}

	return e.journal(e.key("revaluation"), ledger.KindBookRevaluation, lines...)
}

// RevaluationReversed is the end of a valuation on the first day of the next month. It is the opposite of Revalued.
type RevaluationReversed struct{ Revalued }

// Journal returns what is posted.
func (e RevaluationReversed) Journal() ledger.Journal {
	return opposite(e.Revalued.Journal(), e.key("revaluation-reversed"), ledger.KindBookRevaluation)
}

// OwnersMoved is what a transaction of the house's owners has brought into the treasury; an amount below zero was taken
// out of it.
type OwnersMoved struct {
	Network, Hash string
	Amounts       []money.Amount // of one token each
}

// OwnersMovedKey returns the key of the journal of OwnersMoved.
func OwnersMovedKey(network, hash string) string { return "treasury/" + network + "/" + hash }

// Journal returns what is posted.
func (e OwnersMoved) Journal() ledger.Journal {
	var lines []ledger.Posting
	for _, a := range e.Amounts {
		lines = append(lines, onEquity(e.Network, a, e.Hash)...)
	}

	return Of{}.journal(OwnersMovedKey(e.Network, e.Hash), KindMovement, lines...)
}

// The kinds of journals of what the owners move.
const (
	KindOpening  = "opening"
	KindMovement = "movement"
)

// StockPart is an amount in the stock. Place is a network, or a currency.
type StockPart struct {
	Place  string
	Amount money.Amount
}

// StockChanged is what the owners assigned to the stock or took out of it, or what was exchanged elsewhere.
type StockChanged struct {
	Reference       string
	Exchanged       bool
	Received, Given *StockPart // one of them at least
	Fees            []StockPart
}

// StockChangedKey returns the key of the journal of StockChanged.
func StockChangedKey(reference string) string { return "stock/" + reference }

// Journal returns what is posted.
func (e StockChanged) Journal() ledger.Journal {
	counter := ledger.CapitalAccount
	if e.Exchanged {
		counter = ledger.ExchangeAccount
	}

	var lines []ledger.Posting

	change := func(place string, other ledger.Account, amount money.Amount) {
		lines = append(lines, against(ledger.StockAccount(place), other, amount, e.Reference)...)
	}

	if r := e.Received; r != nil {
		change(r.Place, counter(r.Place), r.Amount)
	}

	if g := e.Given; g != nil {
		change(g.Place, counter(g.Place), g.Amount.Neg())
	}

	for _, f := range e.Fees {
		change(f.Place, ledger.StockExpense(f.Place), f.Amount.Neg())
	}

	return Of{}.journal(StockChangedKey(e.Reference), "stock", lines...)
}

// OwedPart is what is settled of one receivable.
type OwedPart struct {
	Receivable string
	Amount     money.Amount
}

// OwedSettled is something that an organisation owed and does not owe any more.
type OwedSettled struct {
	Of

	By    string         // what has settled it: a deposit, a return or a decision
	From  ledger.Account // where that money is
	Memo  string
	Parts []OwedPart // by receivable; one at least
}

// Journal returns what is posted.
func (e OwedSettled) Journal() ledger.Journal {
	sum := money.Zero(e.Parts[0].Amount.Asset())
	lines := make([]ledger.Posting, 3, 3+len(e.Parts))

	for _, p := range e.Parts {
		sum = sum.Add(p.Amount)
		lines = append(lines, ledger.Posting{
			Account: ledger.ReceivableAccount(e.Organisation),
			Amount:  p.Amount,
			Memo:    p.Receivable,
		})
	}

	// what is owed and what pays it may be of different days: in the home currency, these two are the difference
	result := ledger.OwedDifference(sum.Asset().Code)
	lines[0] = ledger.Posting{Account: e.From, Amount: sum.Neg(), Memo: e.Memo}
	lines[1] = ledger.Posting{Account: result, Amount: sum, Memo: e.Memo}
	lines[2] = ledger.Posting{Account: result, Amount: sum.Neg(), Memo: e.Memo}

	return e.journal("receivable/"+e.Parts[0].Receivable+"/"+e.By, "receivable", lines...)
}

// ProviderMoved is a line of a provider's own statement that no order of the book is. An amount below zero he has got.
type ProviderMoved struct {
	Provider, Movement string
	Place              string // a network for tokens, else the currency
	Cause              ProviderCause
	Amount             money.Amount
	Order              string // key of the order that it belongs to; empty: none
	// Of what he takes back: the pair, and what the amount was for when the customer was promised it.
	Open     ledger.Account
	Promised money.Amount
}

// ProviderCause is why a provider has moved something.
type ProviderCause string

// The causes.
const (
	ProviderFee      ProviderCause = "fee"      // he charges it: the price that was got is worse by it
	ProviderSettled  ProviderCause = "settled"  // it changed hands between him and the house's owners
	ProviderReversed ProviderCause = "reversed" // he has taken back a side of an order, which is not open any more
)

// ProviderMovedKey returns the key of the journal of ProviderMoved.
func ProviderMovedKey(provider, movement string) string {
	return "provider/" + provider + "/" + movement
}

// Journal returns what is posted.
func (e ProviderMoved) Journal() ledger.Journal {
	at := ledger.ProviderAccount(e.Provider, e.Place)
	lines := []ledger.Posting{{Account: at, Amount: e.Amount, Memo: e.Order}}
	rest := e.Amount.Neg()

	switch e.Cause {
	case ProviderSettled:
		lines = append(lines, ledger.Posting{Account: ledger.EquityAccount(e.Place), Amount: rest, Memo: e.Movement})
		rest = money.Zero(rest.Asset())
	case ProviderReversed:
		lines = append(lines, ledger.Posting{Account: e.Open, Amount: e.Promised.Neg(), Memo: e.Order})
		rest = rest.Add(e.Promised)
	case ProviderFee:
	}

	if rest.Sign() != 0 {
		lines = append(lines, ledger.Posting{Account: ledger.ExchangeResult(e.Place), Amount: rest, Memo: e.Order})
	}

	return Of{}.journal(ProviderMovedKey(e.Provider, e.Movement), "provider-"+string(e.Cause), lines...)
}
