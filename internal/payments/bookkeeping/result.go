package bookkeeping

import (
	"cmp"
	"context"
	"math/big"
	"slices"
	"strings"

	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
)

// What leaves an account leaves it at the value at which it came, and not at the rate of the day: a transfer earns
// nothing. So an account that is zero in its asset is zero in the home currency. What that differs from the rate of the
// day goes to the line of the same journal that is nearest to a result: an exchange, or else where the amount goes. A
// wallet is a place in the world; its lines have the rate of their day.

// mostRounds limits how far back the origin of a value is looked for: a claim paid by a return of another transaction is
// three rounds away from its deposit.
const mostRounds = 5

// item is what on an account belongs together: that of one transaction, or of one deposit or claim, in one home currency.
type item struct{ of, account, asset, home string }

// itemOf returns what a line belongs to. It returns false for lines of which each has the rate of its day.
func itemOf(l Line) (item, bool) {
	kind, _, _ := strings.Cut(l.Entry.Account, "/")

	switch kind {
	case "wallet", "difference", "closed":
		return item{}, false
	case "suspense", "receivable":
		return item{l.Memo, l.Entry.Account, l.Asset, l.Home.Code}, true
	case "sender":
		return item{l.Transaction, l.Entry.Account, l.Asset, l.Home.Code}, l.Transaction != ""
	}

	return item{cmp.Or(l.Transaction, l.Memo), l.Entry.Account, l.Asset, l.Home.Code}, true
}

// held is what an item has.
type held struct{ units, value money.Amount }

// carry sets the values of lines that take from an item what has come to it before. lines are complete journals in the
// order in which they were written, with the values of their days.
func carry(lines []Line) {
	items := map[item]held{}

	for len(lines) > 0 {
		n := slices.IndexFunc(lines, func(l Line) bool { return l.Journal != lines[0].Journal })
		if n < 0 {
			n = len(lines)
		}

		assets := map[string][]*Line{}
		for i := range lines[:n] {
			assets[lines[i].Asset] = append(assets[lines[i].Asset], &lines[i])
		}

		for _, of := range assets {
			if !slices.ContainsFunc(of, func(l *Line) bool { return l.Value == nil }) {
				carryAsset(of, items)
			}
		}

		lines = lines[n:]
	}
}

// carryAsset sets the values of a journal's lines of one asset.
func carryAsset(lines []*Line, items map[item]held) {
	settled := make([]bool, len(lines)) // the value is that of what was taken

	var taken []int

	for i, l := range lines {
		it, _ := itemOf(*l)
		if h, known := items[it]; known && h.units.Sign()*l.Amount.Sign() < 0 {
			l.setValue(h.of(l.Amount, *l.Value))

			taken = append(taken, i)
			settled[i] = true
		}
	}

	for _, i := range taken { // what only moves from one account to another
		for _, j := range []int{i + 1, i - 1} {
			if j >= 0 && j < len(lines) && !settled[j] && lines[j].Amount.Add(lines[i].Amount).Sign() == 0 {
				lines[j].setValue(lines[i].Value.Neg())

				settled[j] = true

				break
			}
		}
	}

	if len(taken) > 0 {
		level(lines, settled)
	}

	for _, l := range lines {
		if it, ok := itemOf(*l); ok {
			h, known := items[it]
			if !known {
				h = held{money.Zero(l.Amount.Asset()), money.Zero(l.Home)}
			}

			items[it] = held{h.units.Add(l.Amount), h.value.Add(*l.Value)}
		}
	}
}

// level makes the values of lines sum to zero: the line that is nearest to a result takes the difference. If the value of
// each is that of what was taken, the last one takes what was rounded off.
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

	lines[takes].setValue(lines[takes].Value.Sub(rest))
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
func scaled(a money.Amount, by *big.Rat) money.Amount {
	r := new(big.Rat).Mul(a.Rat(), by)
	out := money.FromRat(a.Asset(), new(big.Rat).Abs(r), money.HalfEven)

	if r.Sign() < 0 {
		return out.Neg()
	}

	return out
}

// setValue replaces the value of the day. A line of another value than that has no rate.
func (l *Line) setValue(v money.Amount) {
	if v.Cmp(*l.Value) != 0 {
		l.Value = &v
		l.Rate = nil
	}
}

// nearness orders accounts by how near they are to a result. Fees have the value of their day, as on their invoice.
func nearness(l Line) int {
	kind, _, _ := strings.Cut(l.Entry.Account, "/")

	switch kind {
	case "income", "tax":
		return 0
	case "wallet":
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

	add := func(some []ledger.Entry) (transactions []string, memos map[string][]string) {
		memos = map[string][]string{}

		for _, e := range some {
			all[e.Position()] = e
			if e.Transaction != "" && !asked[e.Transaction] {
				asked[e.Transaction] = true
				transactions = append(transactions, e.Transaction)
			}

			kind, _, _ := strings.Cut(e.Account, "/")
			comesFrom := kind == "suspense" || kind == "receivable" || kind == "clearing" && e.Transaction == ""

			if comesFrom && e.Memo != "" && !asked[e.Memo] {
				asked[e.Memo] = true
				memos[e.Asset] = append(memos[e.Asset], e.Memo)
			}
		}

		return transactions, memos
	}

	for _, e := range entries {
		last = max(last, e.Journal)
	}

	transactions, memos := add(entries)

	for range mostRounds {
		if len(transactions)+len(memos) == 0 {
			break
		}

		origins, err := ledger.Origins(ctx, q, p, last, transactions, memos)
		if err != nil {
			return nil, err
		}

		transactions, memos = add(origins)
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
