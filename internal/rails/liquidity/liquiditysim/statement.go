//go:build !nosandbox

package liquiditysim

import (
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"slipway/internal/rails/liquidity"
)

// Lie is what the provider's statement says in place of the truth, about the last order that was filled. His balances
// are those of the statement.
type Lie string

// The lies.
const (
	Missing  Lie = "missing"  // the order is not there
	Alone    Lie = "alone"    // an order is there that nobody has placed
	Amount   Lie = "amount"   // it cost a hundredth more
	Twice    Lie = "twice"    // it is there once more, under another identifier
	Late     Lie = "late"     // it is booked a day later
	Restated Lie = "restated" // the movement of an identifier is another one than it was
)

// Tell makes the statement lie from now on; without lies it is true again.
func (s *Server) Tell(lies ...Lie) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lies = lies
}

// Book books a movement of the provider's own, such as a fee. It gets an identifier and the day.
func (s *Server) Book(m liquidity.Movement) error {
	return s.alone(func() error {
		m.ID = fmt.Sprintf("LM-%08d", len(s.lines)+1)
		m.Day = s.config.Clock.Now().UTC().Format(time.DateOnly)

		if err := m.Check(); err != nil {
			return err
		}

		return s.keep(orderState{Movement: &m})
	})
}

// linesOf returns the two sides of a filled order. A token names its network: it is what has more decimals.
func linesOf(o orderState) []liquidity.Movement {
	side := func(name string, l, other liquidity.Leg, units string) liquidity.Movement {
		m := liquidity.Movement{
			ID:       o.Ref + name,
			Kind:     liquidity.Fill,
			Key:      o.Key,
			Asset:    l.Asset,
			Decimals: l.Decimals,
			Units:    units,
			Day:      o.FilledAt.UTC().Format(time.DateOnly),
		}
		if l.Decimals > other.Decimals {
			m.Network = o.Network
		}

		return m
	}

	return []liquidity.Movement{
		side("-S", o.Sell, o.Buy, "-"+o.Sold),
		side("-B", o.Buy, o.Sell, o.Bought),
	}
}

// Statement returns all movements as the provider states them.
func (s *Server) Statement() []liquidity.Movement {
	_ = s.alone(func() error { return nil }) // as with Orders
	s.mu.Lock()
	defer s.mu.Unlock()

	out := slices.Clone(s.lines)
	for _, l := range s.lies {
		out = l.told(out)
	}

	return out
}

// told returns a statement as the lie has it.
func (l Lie) told(all []liquidity.Movement) []liquidity.Movement {
	last := ""

	for _, m := range all {
		if m.Kind == liquidity.Fill {
			last = m.Key
		}
	}

	var out, more []liquidity.Movement

	for _, m := range all {
		if m.Kind != liquidity.Fill || m.Key != last {
			out = append(out, m)
			continue
		}

		switch l {
		case Missing:
			continue
		case Alone:
			other := m
			other.ID += "-X"
			other.Key += "-X"
			more = append(more, other)
		case Twice:
			other := m
			other.ID += "-T"
			more = append(more, other)
		case Late:
			day, _ := time.Parse(time.DateOnly, m.Day)
			m.Day = day.AddDate(0, 0, 1).Format(time.DateOnly)
		case Amount, Restated:
			if strings.HasPrefix(m.Units, "-") {
				n, _ := new(big.Int).SetString(m.Units, 10)
				m.Units = n.Add(n, new(big.Int).Quo(n, big.NewInt(100))).String()
			}
		}

		out = append(out, m)
	}

	return append(out, more...)
}

// serveStatement answers with a page of the statement.
func (s *Server) serveStatement(w http.ResponseWriter, r *http.Request) {
	from, err := time.Parse(time.DateOnly, r.URL.Query().Get("from"))
	after, numberErr := strconv.Atoi("0" + r.URL.Query().Get("cursor"))

	if err != nil || numberErr != nil {
		refuse(w, http.StatusUnprocessableEntity, liquidity.CodeInvalid, "from is a day, and cursor that of a page.")
		return
	}

	all := s.Statement()
	shown := slices.DeleteFunc(slices.Clone(all), func(m liquidity.Movement) bool {
		return m.Day < from.Format(time.DateOnly)
	})
	shown = shown[min(after, len(shown)):]

	var out liquidity.WireStatement
	if len(shown) > liquidity.MostMovements {
		shown = shown[:liquidity.MostMovements]
		out.Next = strconv.Itoa(after + len(shown))
	} else {
		out.Balances = balancesOf(all)
	}

	out.Movements = shown
	write(w, http.StatusOK, out)
}

func balancesOf(all []liquidity.Movement) (out []liquidity.StatedBalance) {
	at := map[liquidity.StatedBalance]*big.Int{}

	for _, m := range all {
		k := liquidity.StatedBalance{Network: m.Network, Asset: m.Asset, Decimals: m.Decimals}
		if at[k] == nil {
			at[k] = new(big.Int)
		}

		at[k].Add(at[k], m.Amount())
	}

	for k, sum := range at {
		k.Units = sum.String()
		out = append(out, k)
	}

	slices.SortFunc(out, func(a, b liquidity.StatedBalance) int {
		return strings.Compare(a.Asset+a.Network, b.Asset+b.Network)
	})

	return out
}
