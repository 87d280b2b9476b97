package statement

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
)

// bookLine is a line of the books: a kind of account and an asset. order is its place in ledger.Kinds.
type bookLine struct {
	order        int
	label, asset string
}

// books are a transaction's postings added up.
type books struct {
	lines  map[bookLine]*big.Int
	totals map[string]*big.Int // by asset
}

// booked returns the sums of a transaction's postings by kind of account and asset. Sums of zero are left out. For each
// asset, the others add up to zero, which is the last line.
func booked(lines []ledger.Line, decimals map[string]int) ([]Sum, error) {
	b, err := sumBooks(lines)
	if err != nil {
		return nil, err
	}

	out, err := b.sums(decimals)
	if err != nil || len(out) == 0 {
		return nil, err
	}

	for _, asset := range slices.Sorted(maps.Keys(b.totals)) {
		out = append(out, Sum{
			Label:  "Sum",
			Amount: units(b.totals[asset], money.Asset{Code: asset, Decimals: decimals[asset]}),
			Total:  true,
		})
	}

	return out, nil
}

func sumBooks(lines []ledger.Line) (books, error) {
	out := books{lines: map[bookLine]*big.Int{}, totals: map[string]*big.Int{}}

	for _, l := range lines {
		if ledger.House(l.Account) {
			continue
		}

		n, err := money.ParseUnits(l.Units)
		if err != nil {
			return out, fmt.Errorf("posting of %s: %w", l.Journal, err)
		}

		add(out.lines, lineOf(l), n)
		add(out.totals, l.Asset, n)
	}

	return out, nil
}

// lineOf returns the line of the books that a posting belongs to.
func lineOf(l ledger.Line) bookLine {
	kind, order := ledger.KindOf(l.Account)
	out := bookLine{order: order, label: kind.Words, asset: l.Asset}

	if pair, ok := strings.CutPrefix(l.Account, "fx/"); ok {
		out.label += " " + strings.Replace(pair, "-", " to ", 1)
	}

	return out
}

// sums returns the lines that are not zero, in the order of the statement.
func (b books) sums(decimals map[string]int) ([]Sum, error) {
	lines := slices.SortedFunc(maps.Keys(b.lines), func(x, y bookLine) int {
		return cmp.Or(x.order-y.order, strings.Compare(x.label+" "+x.asset, y.label+" "+y.asset))
	})

	var out []Sum
	for _, l := range lines {
		places, known := decimals[l.asset]
		if !known {
			return nil, fmt.Errorf("posting of %s: unknown number of decimals", l.asset)
		}

		if sum := b.lines[l]; sum.Sign() != 0 {
			out = append(out, Sum{Label: l.label, Amount: units(sum, money.Asset{Code: l.asset, Decimals: places})})
		}
	}

	return out, nil
}

// add adds a number to the sum under a key.
func add[K comparable](sums map[K]*big.Int, key K, n *big.Int) {
	if sums[key] == nil {
		sums[key] = new(big.Int)
	}

	sums[key].Add(sums[key], n)
}

// taxKind is the kind of the VAT in fees.
const taxKind = "tax"

// feeKind returns the kind of an income account: "income/commission/ethereum" is commission. That of VAT is taxKind.
func feeKind(account string) string {
	if strings.HasPrefix(account, taxKind+"/") {
		return taxKind
	}

	word, _, _ := strings.Cut(strings.TrimPrefix(account, "income/"), "/")

	return word
}

// income returns what a transaction has earned by kind of fee and the VAT of all, or what was given back of it. Both
// are above zero.
func income(lines []ledger.Line, back bool) (map[string]*big.Int, error) {
	out := map[string]*big.Int{}

	for _, l := range lines {
		if !strings.HasPrefix(l.Account, "income/") && !strings.HasPrefix(l.Account, taxKind+"/") {
			continue
		}

		n, err := money.ParseUnits(l.Units)
		if err != nil {
			return nil, fmt.Errorf("posting of %s: %w", l.Journal, err)
		}

		if (n.Sign() < 0) == back {
			add(out, feeKind(l.Account), n.Abs(n))
		}
	}

	return out, nil
}
