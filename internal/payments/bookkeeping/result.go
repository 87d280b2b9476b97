package bookkeeping

import (
	"cmp"
	"context"
	"maps"
	"math/big"
	"slices"
	"strings"

	"slipway/internal/core/money"
	"slipway/internal/directory/refdata"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
)

// What leaves an account leaves it at the value at which it came, and not at the rate of the day: a transfer earns
// nothing. So an account that is zero in its asset is zero in the home currency. What that differs from the rate of the
// day goes to the line of the same journal that is nearest to a result: an exchange, or else where the amount goes. A
// wallet is a place in the world; its lines have the rate of their day. So have, in the book of the house, its
// treasury, its bank accounts, its stock and what providers have, and what these are posted against. They never have to
// be zero.

// mostRounds limits how far back the origin of a value is looked for: a claim paid by a return of another transaction
// is three rounds away from its deposit.
const mostRounds = 5

// item is what on an account belongs together: that of one transaction, or of one deposit or claim, in one home
// currency.
type item struct{ of, account, asset, home string }

// itemOf returns what a line belongs to. It returns false for lines of which each has the rate of its day.
func itemOf(l Line) (item, bool) {
	kind, _, _ := strings.Cut(l.Entry.Account, "/")
	if ledger.House(l.Entry.Account) && kind != openKind {
		return item{}, false
	}

	switch kind {
	case walletKind, "difference", "closed", "cost", "opening":
		return item{}, false
	case openKind:
		return item{tradeOf(l.Entry).Subject, l.Entry.Account, l.Asset, l.Home.Code}, true
	case "suspense", "receivable":
		return item{l.Memo, l.Entry.Account, l.Asset, l.Home.Code}, true
	case "sender":
		return item{l.Transaction, l.Entry.Account, l.Asset, l.Home.Code}, l.Transaction != ""
	}

	return item{cmp.Or(l.Transaction, l.Memo), l.Entry.Account, l.Asset, l.Home.Code}, true
}

// openKind is the kind of the open positions of conversions. They are the house's own.
const openKind = "open"

// tradeOf returns the order that a line of an open position belongs to, as far as it names one: of a conversion, the
// transaction; of what a provider has taken back, all of it.
func tradeOf(e ledger.Entry) effect.Key {
	if e.Transaction != "" {
		return effect.Key{Subject: e.Transaction}
	}

	if k, ok := effect.Parse(e.Memo); ok {
		return k
	}

	return effect.Key{Subject: e.Memo}
}

// held is what an item has.
type held struct{ units, value money.Amount }

// carry sets the values of lines that take from an item what has come to it before. lines are complete journals in the
// order in which they were written, with the values of their days.
func carry(lines []Line, c *costs) {
	items := map[item]held{}

	for len(lines) > 0 {
		n := slices.IndexFunc(lines, func(l Line) bool { return l.Journal != lines[0].Journal })
		if n < 0 {
			n = len(lines)
		}

		if lines[0].Kind == ledger.KindBookRevaluation {
			c.revalued(lines[:n])

			lines = lines[n:]

			continue
		}

		// what is the house's own sums to zero by itself
		type layer struct {
			asset string
			house bool
		}

		layers := map[layer][]*Line{}
		for i := range lines[:n] {
			at := layer{lines[i].Asset, ledger.House(lines[i].Entry.Account)}
			layers[at] = append(layers[at], &lines[i])
		}

		// money before tokens: what was paid for tokens is their cost
		order := slices.SortedFunc(maps.Keys(layers), func(a, b layer) int {
			_, first := refdata.All().Currency(a.asset)
			_, second := refdata.All().Currency(b.asset)

			return cmp.Or(
				cmp.Compare(rank(first), rank(second)),
				strings.Compare(a.asset, b.asset),
				cmp.Compare(rank(b.house), rank(a.house)),
			)
		})

		paid := map[string]money.Amount{}

		for _, at := range order {
			of := layers[at]
			if !slices.ContainsFunc(of, func(l *Line) bool { return l.Value == nil }) {
				carryAsset(of, items, paid, c)
			}
		}

		lines = lines[n:]
	}
}

func rank(first bool) int {
	if first {
		return 0
	}

	return 1
}

// carryAsset sets the values of a journal's lines of one asset. paid is what conversions of the journal have paid or
// got in money, by account and memo.
func carryAsset(lines []*Line, items map[item]held, paid map[string]money.Amount, c *costs) {
	settled := make([]bool, len(lines)) // the value is that of what was taken
	last := lines[len(lines)-1]         // it has what was rounded off, which is another line's if something is taken
	rounded := *last

	if v, ok := last.Rates.Value(last.Amount, last.Home); ok {
		last.Value = &v
		last.By = ByRate
	}

	var taken []int

	for i, l := range lines {
		it, _ := itemOf(*l)

		if spent, ok := c.take(*l); ok && isWallet(l.Entry.Account) {
			l.setValue(spent.value, ByLots)
			l.Taken = spent.from
		} else if h, known := items[it]; known && h.gives(l.Amount) {
			l.setValue(h.of(l.Amount, *l.Value), ByAccount)
		} else {
			continue
		}

		taken = append(taken, i)
		settled[i] = true
	}

	bought := purchase(lines, settled, paid)
	disposed := slices.ContainsFunc(lines, func(l *Line) bool {
		return l.Settings.Method != "" && strings.HasPrefix(l.Entry.Account, "difference/disposed/")
	})

	for _, i := range taken { // what only moves from one account to another
		for _, j := range []int{i + 1, i - 1} {
			if j < 0 || j >= len(lines) || disposed && strings.HasPrefix(lines[j].Entry.Account, "receiver/") {
				continue // paid away: that is a result
			}

			if !settled[j] && lines[j].Amount.Add(lines[i].Amount).Sign() == 0 {
				lines[j].setValue(lines[i].Value.Neg(), ByCounter)

				settled[j] = true

				break
			}
		}
	}

	if len(taken) > 0 || bought {
		level(lines, settled)
	} else {
		last.Value = rounded.Value
		last.By = rounded.By
	}

	for _, l := range lines {
		if strings.HasPrefix(l.Entry.Account, "fx/") {
			key := l.Entry.Account + " " + l.Memo
			if before, ok := paid[key]; ok {
				paid[key] = before.Add(*l.Value)
			} else {
				paid[key] = *l.Value
			}
		}

		if isWallet(l.Entry.Account) {
			c.put(*l)
		}
	}

	for _, l := range lines {
		if it, ok := itemOf(*l); ok {
			h, known := items[it]
			if !known || h.units.Asset() != l.Amount.Asset() {
				h = held{money.Zero(l.Amount.Asset()), money.Zero(l.Home)}
			}

			items[it] = held{h.units.Add(l.Amount), h.value.Add(*l.Value)}
		}
	}
}

// level makes the values of lines sum to zero: the line that is nearest to a result takes the difference. If the value
// of each is that of what was taken, the last one takes what was rounded off.
func level(lines []*Line, settled []bool) {
	takes := -1
	rest := money.Zero(lines[0].Home)

	for i, l := range lines {
		rest = rest.Add(*l.Value)

		if !settled[i] && (takes < 0 || nearness(*l) >= nearness(*lines[takes])) {
			takes = i
		}
	}

	if takes < 0 {
		takes = len(lines) - 1
	}

	if rest.Sign() != 0 {
		lines[takes].setValue(lines[takes].Value.Sub(rest), ByJournal)
	}
}

// purchase sets the values of lines of tokens that were bought: what was sold for them is what was paid, and the fees
// are cost of the tokens if the organisation wants that. It reports whether the lines are a purchase.
func purchase(lines []*Line, settled []bool, paid map[string]money.Amount) bool {
	bought := false

	for i, l := range lines {
		spent, ok := paid[l.Entry.Account+" "+l.Memo]
		buys := l.Settings.Method != "" && strings.HasPrefix(l.Entry.Account, "fx/") && l.Amount.Sign() < 0

		if ok && buys && !settled[i] {
			l.setValue(spent.Neg(), ByCounter)

			settled[i] = true
			bought = true
		}
	}

	first := true

	for i, l := range lines {
		if !strings.HasPrefix(l.Entry.Account, "cost/") || l.Settings.Method == "" || !l.Settings.FeesInCost {
			continue
		}

		if first {
			l.setValue(money.Zero(l.Home), ByCost)
		}

		settled[i] = first || bought
		first = false
	}

	return bought
}

// gives reports whether an amount is taken from what is held.
func (h held) gives(amount money.Amount) bool {
	return h.units.Asset() == amount.Asset() && h.units.Sign()*amount.Sign() < 0
}

// of returns the value of an amount that is taken from what is held; today is its value at the rate of the day, which
// counts for what is more than that.
func (h held) of(amount, today money.Amount) money.Amount {
	part := new(big.Rat).SetFrac(amount.Units(), h.units.Units()) // below zero
	if part.Cmp(big.NewRat(-1, 1)) <= 0 {
		more := new(big.Rat).Add(big.NewRat(1, 1), new(big.Rat).Inv(part))
		return scaled(today, more).Sub(h.value)
	}

	return scaled(h.value, part)
}

// scaled returns an amount times a factor, rounded half to even.
func scaled(a money.Amount, by *big.Rat) money.Amount { return inCurrency(a, a.Asset(), by) }

// setValue replaces the value of the day. A line of another value than that has no rate.
func (l *Line) setValue(v money.Amount, by Basis) {
	l.By = by

	if v.Cmp(*l.Value) != 0 {
		l.Value = &v
		l.Rate = nil
	}
}

// nearness orders accounts by how near they are to a result. Fees have the value of their day, as on their invoice.
func nearness(l Line) int {
	kind, _, _ := strings.Cut(l.Entry.Account, "/")

	switch kind {
	case "income", "tax", "cost":
		return 0
	case walletKind:
		return 1
	case "fx":
		return 3
	case "difference":
		return 4
	}

	return 2
}

// withOrigins returns entries of complete journals together with those of the journals before them that their values
// come from, in the order in which they were written.
func withOrigins(
	ctx context.Context, q db.Querier, p ledger.Period, entries []ledger.Entry,
) ([]ledger.Entry, error) {
	all := map[string]ledger.Entry{}
	asked := map[string]bool{}
	last := ""

	for _, e := range entries {
		last = max(last, e.Journal)
	}

	some := entries

	for range mostRounds {
		var of ledger.Sources

		for _, e := range some {
			all[e.Position()] = e
			addSources(&of, e, asked)
		}

		if len(of.Transactions)+len(of.Keys)+len(of.Memos) == 0 {
			some = nil
			break
		}

		var err error
		if some, err = ledger.Origins(ctx, q, p, last, of); err != nil {
			return nil, err
		}
	}

	for _, e := range some {
		all[e.Position()] = e
	}

	out := make([]ledger.Entry, 0, len(all))
	for _, e := range all {
		out = append(out, e)
	}

	slices.SortFunc(out, func(a, b ledger.Entry) int {
		return cmp.Or(cmp.Compare(a.Journal, b.Journal), cmp.Compare(a.Line, b.Line))
	})

	return out, nil
}

// addSources adds what the value of an entry may come from, as far as it was not asked for yet.
func addSources(of *ledger.Sources, e ledger.Entry, asked map[string]bool) {
	ask := func(to *[]string, what string) bool {
		if what == "" || asked[what] {
			return false
		}

		asked[what] = true
		*to = append(*to, what)

		return true
	}
	ask(&of.Transactions, e.Transaction)

	kind, pair, _ := strings.Cut(e.Account, "/")
	account := e.Account

	switch {
	case kind == openKind:
		order := tradeOf(e)
		ask(&of.Transactions, order.Subject)

		for _, currency := range strings.Split(pair, "-") {
			ask(&of.Keys, chart.TradedKey(effect.ConversionOf(order.Subject, currency)))
		}

		return
	case kind == "clearing" && e.Transaction == "": // a deposit that is sent back
		account = string(ledger.SuspenseAccount(e.Asset, e.Organisation))
	case kind != "suspense" && kind != "receivable":
		return
	}

	if ask(&of.Memos, e.Memo) && !slices.Contains(of.Accounts, account) {
		of.Accounts = append(of.Accounts, account)
	}
}

// only returns the lines of some entries, in their order.
func only(lines []Line, of []ledger.Entry) []Line {
	at := make(map[string]Line, len(lines))
	for _, l := range lines {
		at[l.Position()] = l
	}

	out := make([]Line, len(of))
	for i, e := range of {
		out[i] = at[e.Position()]
	}

	return out
}
