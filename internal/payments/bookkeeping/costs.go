package bookkeeping

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/day"
	"slipway/internal/core/money"
	"slipway/internal/directory/refdata"
	"slipway/internal/payments/dayrate"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
)

// Tokens leave a wallet at what they have cost. The lots of a token in a wallet are followed month by month, in each
// the opening balances first, then in the order of posting; so a closed month never depends on what comes later. What
// closed months have taken is stored, and so are the lots that they have left. The open months are followed anew with
// each request.

// costs are what lines of wallets have taken from lots, and the lots that are left.
type costs struct {
	known  map[string]cost // by position of the line, see storedAt
	found  map[string]cost // those of them that are not stored yet
	stacks map[item]*stack
	due    map[string]bool // positions of the lines that are followed now
}

// cost is the value of a line that has taken from lots.
type cost struct {
	value money.Amount
	from  []Taken
}

func newCosts() *costs {
	return &costs{known: map[string]cost{}, found: map[string]cost{}, stacks: map[item]*stack{}}
}

// walletItem returns whose lots a line takes from, or adds to.
func walletItem(l Line) item {
	return item{account: l.Entry.Account, asset: l.Asset, home: l.Home.Code}
}

func isWallet(account string) bool { return strings.HasPrefix(account, walletKind+"/") }

func (c *costs) stackOf(l Line) *stack {
	at := walletItem(l)
	if c.stacks[at] == nil {
		c.stacks[at] = &stack{token: l.Amount.Asset(), home: l.Home, residue: money.Zero(l.Home)}
	}

	return c.stacks[at]
}

// take returns what a line takes from lots. It follows lines that are due; of others it returns what is known.
func (c *costs) take(l Line) (cost, bool) {
	at := l.Position()

	if known, ok := c.known[at]; ok || !c.due[at] || l.Amount.Sign() > 0 || l.Settings.Method == "" {
		return known, ok
	}

	s := c.stackOf(l)
	spent, rest, from := s.take(l.Amount)

	if len(from) == 0 {
		return cost{}, false
	}

	out := cost{value: spent.Neg(), from: from}

	if rest.Sign() != 0 { // more than there was: the rest has the rate of the day
		more := scaled(*l.Value, new(big.Rat).SetFrac(rest.Units(), l.Amount.Units()))
		out.value = out.value.Add(more)
		s.put(lot{at, l.Day.Format(time.DateOnly), rest, more}, l.Settings.Method)
	}

	c.known[at] = out
	c.found[at] = out

	return out, true
}

// put adds what a line that is due has brought. What makes up for an amount that was missing has its cost, and the
// difference is cost of what remains, so that the lots are always worth what is on the account.
func (c *costs) put(l Line) {
	at := l.Position()
	if _, taken := c.known[at]; taken || !c.due[at] || l.Value == nil {
		return
	}

	s := c.stackOf(l)
	if l.Settings.Method == "" {
		s.put(lot{at, l.Day.Format(time.DateOnly), l.Amount, *l.Value}, "")
		return
	}

	cost, rest, _ := s.take(l.Amount)
	s.put(lot{at, l.Day.Format(time.DateOnly), rest, l.Value.Add(cost)}, l.Settings.Method)
}

// costsOf returns the costs of a book's open months until a day, which is not included; zero: of all.
func (s *Service) costsOf(ctx context.Context, q db.Querier, b book, until time.Time) (*costs, error) {
	c := newCosts()
	if b.period.House {
		return c, nil
	}

	first, ok, err := ledger.FirstDay(ctx, q, b.period.Organisation, b.period.Location())
	if err != nil || !ok {
		return c, err
	}

	if !b.period.Open.IsZero() {
		k, err := keptOf(ctx, q, b.period.Organisation, b.period.Open.AddDate(0, -1, 0).Format(monthForm))
		if err != nil {
			return c, err
		}

		if k.Settings.Method != "" {
			first = b.period.Open

			if err := c.load(k.Lots); err != nil {
				return c, err
			}

			rates, err := dayrate.On(ctx, q, b.period.Open.AddDate(0, 0, -1))
			if err != nil {
				return c, err
			}

			c.convert(b.home, rates)
		}
	}

	if until.IsZero() {
		until = day.Of(s.DB.Now().In(b.period.Location())).AddDate(0, 0, 2) // a bank may be a day ahead
	}

	for m := monthOf(first); m.Before(until); m = m.AddDate(0, 1, 0) {
		end := m.AddDate(0, 1, -1)

		for _, openings := range []bool{true, false} {
			if err := s.follow(ctx, q, b, b.until(m, end), openings, c); err != nil {
				return c, err
			}
		}
	}

	return c, nil
}

// follow follows the lines of wallets in a month: a page at a time, each with the journals that its values come from.
func (s *Service) follow(
	ctx context.Context, q db.Querier, b book, month ledger.Period, openings bool, c *costs,
) error {
	after := ""

	for {
		entries, err := ledger.Wallets(ctx, q, month, openings, after, pageSize)
		if err != nil || len(entries) == 0 {
			return err
		}

		c.due = map[string]bool{}
		for _, e := range entries {
			c.due[e.Position()] = true
			after = e.Position()
		}

		all, err := ledger.Rest(ctx, q, month, entries)
		if err != nil {
			return err
		}

		if _, err := s.valued(ctx, q, b.period, all, b.home, c); err != nil {
			return err
		}

		c.due = nil

		if len(entries) < pageSize {
			return nil
		}
	}
}

// state returns the lots that are left, by account, asset and home currency.
func (c *costs) state() map[string][]Lot {
	out := map[string][]Lot{}

	for at, s := range c.stacks {
		key := strings.Join([]string{at.account, at.asset, at.home, fmt.Sprint(s.token.Decimals)}, " ")

		for _, l := range s.lots {
			out[key] = append(out[key], Lot{l.line, l.day, l.units.Units().String(), l.value.Units().String()})
		}

		if s.residue.Sign() != 0 {
			out[key] = append(out[key], Lot{Units: "0", Cost: s.residue.Units().String()})
		}
	}

	return out
}

// load takes over the lots that a closed month has left.
func (c *costs) load(from map[string][]Lot) error {
	for key, lots := range from {
		parts := strings.Split(key, " ")
		if len(parts) != 4 {
			return fmt.Errorf("lots of %q", key)
		}

		home, _ := refdata.All().Currency(parts[2])
		s := &stack{home: money.Asset{Code: home.Code, Decimals: home.Decimals}}
		s.token.Code = parts[1]

		if _, err := fmt.Sscan(parts[3], &s.token.Decimals); err != nil {
			return fmt.Errorf("lots of %q: %w", key, err)
		}

		s.residue = money.Zero(s.home)

		for _, l := range lots {
			units, err := money.ParseUnits(l.Units)
			if err != nil {
				return fmt.Errorf("lots of %q: %w", key, err)
			}

			value, err := money.ParseUnits(l.Cost)
			if err != nil {
				return fmt.Errorf("lots of %q: %w", key, err)
			}

			if units.Sign() == 0 {
				s.residue = money.FromUnits(s.home, value)
				continue
			}

			s.lots = append(s.lots, lot{l.Line, l.Day, money.FromUnits(s.token, units), money.FromUnits(s.home, value)})
		}

		c.stacks[item{account: parts[0], asset: parts[1], home: parts[2]}] = s
	}

	return nil
}

// convert turns costs into the present home currency, at the rates of the last closed day (IAS 21.35). Without a rate,
// nothing is left of them.
func (c *costs) convert(home money.Asset, rates dayrate.Day) {
	for at, s := range c.stacks {
		if s.home == home {
			continue
		}

		delete(c.stacks, at)

		rate, ok := rates.Rate(s.home.Code, home.Code)
		if !ok {
			continue
		}

		to := &stack{token: s.token, home: home, residue: money.Zero(home)}

		for _, l := range s.lots {
			l.value = inCurrency(l.value, home, rate)
			to.lots = append(to.lots, l)
		}

		c.stacks[item{account: at.account, asset: at.asset, home: home.Code}] = to
	}
}

// inCurrency returns an amount at a rate, rounded half to even.
func inCurrency(a money.Amount, as money.Asset, rate *big.Rat) money.Amount {
	r := new(big.Rat).Mul(a.Rat(), rate)
	out := money.FromRat(as, new(big.Rat).Abs(r), money.HalfEven)

	if r.Sign() < 0 {
		return out.Neg()
	}

	return out
}

// closed adds what is stored with closed months: what lines have taken from lots, and the values of month's ends.
func (c *costs) closed(ctx context.Context, q db.Querier, lines []Line) error {
	at := map[string]money.Asset{}

	var journals []string

	for _, l := range lines {
		switch {
		case l.Kind == ledger.KindBookRevaluation:
			at[storedAt(l)] = l.Home
			journals = append(journals, l.Key)
		case l.Closed && isWallet(l.Entry.Account):
			at[storedAt(l)] = l.Home
			journals = append(journals, l.Journal)
		}
	}

	if len(journals) == 0 {
		return nil
	}

	slices.Sort(journals)

	found, err := costsIn(ctx, q, slices.Compact(journals))
	if err != nil {
		return err
	}

	for _, f := range found {
		home, ok := at[f.position]
		if !ok {
			continue
		}

		units, err := money.ParseUnits(f.value)
		if err != nil {
			return fmt.Errorf("cost of %s: %w", f.position, err)
		}

		one := cost{value: money.FromUnits(home, units)}
		if err := json.Unmarshal([]byte(f.lots), &one.from); err != nil {
			return fmt.Errorf("lots of %s: %w", f.position, err)
		}

		c.known[f.position] = one
	}

	return nil
}
