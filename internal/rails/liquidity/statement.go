package liquidity

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"time"
)

// PathStatement is the path of a provider's statement.
const PathStatement = "/v1/statement"

// MostMovements limits the movements of one page.
const MostMovements = 100

// maxPages limits the pages of one reading.
const maxPages = 1000

// MovementKind is why a provider has booked something.
type MovementKind string

// The kinds of movements.
const (
	Fill       MovementKind = "FILL"       // one side of an order that was carried out
	Fee        MovementKind = "FEE"        // what he charges
	Refund     MovementKind = "REFUND"     // one side of an order that he has taken back
	Withdrawal MovementKind = "WITHDRAWAL" // of the house's balance, to the house
	Deposit    MovementKind = "DEPOSIT"    // into the house's balance, from the house
)

// Movement is one line of a provider's statement.
type Movement struct {
	ID       string       `json:"id"`   // his own: it names one movement for ever
	Kind     MovementKind `json:"kind"` // why
	Key      string       `json:"key,omitempty"`
	Network  string       `json:"network,omitempty"` // of a token
	Asset    string       `json:"asset"`
	Decimals int          `json:"decimals"`
	Units    string       `json:"units"` // base units; above zero: he has given it, below: he has got it
	Day      string       `json:"day"`   // on which he has booked it: 2026-11-21
}

// StatedBalance is the sum of all movements of an asset since the beginning.
type StatedBalance struct {
	Network  string `json:"network,omitempty"`
	Asset    string `json:"asset"`
	Decimals int    `json:"decimals"`
	Units    string `json:"units"`
}

// Statement is what a provider has booked from a day on, oldest first, and the balances after all of it.
type Statement struct {
	Movements []Movement
	Balances  []StatedBalance
}

// WireStatement is a page of a statement. Balances stand on the last one.
type WireStatement struct {
	Movements []Movement      `json:"movements"`
	Next      string          `json:"next,omitempty"` // cursor of the next page; empty: this is the last one
	Balances  []StatedBalance `json:"balances,omitempty"`
}

// ErrNoStatement is the answer of a provider that writes none.
var ErrNoStatement = errors.New("the provider writes no statement")

// Bookkeeper is a provider that writes a statement. Statement reads it from a day on. Every error means that nothing is
// known, but for ErrNoStatement.
type Bookkeeper interface {
	Statement(ctx context.Context, from time.Time) (Statement, error)
}

// Statement implements Bookkeeper. It reads page by page.
func (c *Client) Statement(ctx context.Context, from time.Time) (out Statement, err error) {
	cursor := ""

	for range maxPages {
		q := url.Values{"from": {from.UTC().Format(time.DateOnly)}}
		if cursor != "" {
			q.Set("cursor", cursor)
		}

		var page WireStatement
		if err := c.exchange(ctx, http.MethodGet, PathStatement+"?"+q.Encode(), "", nil, &page); err != nil {
			return out, fmt.Errorf("statement from %s: %w", from.Format(time.DateOnly), err)
		}

		for _, m := range page.Movements {
			if err := m.Check(); err != nil {
				return out, fmt.Errorf("movement %.100q: %w: %w", m.ID, ErrUnknown, err)
			}
		}

		out.Movements = append(out.Movements, page.Movements...)

		if page.Next == "" {
			out.Balances = page.Balances

			return out, out.check()
		}

		if page.Next == cursor || len(page.Movements) == 0 {
			break
		}

		cursor = page.Next
	}

	return out, fmt.Errorf("statement from %s: %w: it has no end", from.Format(time.DateOnly), ErrUnknown)
}

// check refuses what is no balance, and assets without one.
func (s Statement) check() error {
	type place struct{ network, asset string }

	stated := map[place]bool{}

	for _, b := range s.Balances {
		at := place{b.Network, b.Asset}
		if _, err := signed(b.Units); err != nil || b.Asset == "" || stated[at] {
			return fmt.Errorf("balance of %.40q: %w: it is none, or stands twice", b.Asset, ErrUnknown)
		}

		stated[at] = true
	}

	for _, m := range s.Movements {
		if !stated[place{m.Network, m.Asset}] {
			return fmt.Errorf("statement: %w: it has movements of %.40q and no balance", ErrUnknown, m.Asset)
		}
	}

	return nil
}

// Check returns what is wrong with a movement in itself.
func (m Movement) Check() error {
	switch m.Kind {
	case Fill, Fee, Refund, Withdrawal, Deposit:
	default:
		return fmt.Errorf("%.40q is no kind of movement", m.Kind)
	}

	if m.ID == "" || len(m.ID) > maxKey || len(m.Key) > maxKey {
		return fmt.Errorf("an identifier has 1 to %d characters, and a key no more", maxKey)
	}

	if m.Asset == "" || len(m.Asset) > 16 || len(m.Network) > 64 || m.Decimals < 0 || m.Decimals > 36 {
		return errors.New("a movement needs an asset and 0 to 36 decimals")
	}

	if (m.Kind == Fill || m.Kind == Refund) && m.Key == "" {
		return errors.New("it names no order")
	}

	if _, err := time.Parse(time.DateOnly, m.Day); err != nil {
		return fmt.Errorf("%.20q is no day", m.Day)
	}

	n, err := signed(m.Units)
	if err == nil && n.Sign() == 0 {
		err = errors.New("it moves nothing")
	}

	return err
}

// Amount returns the signed base units. The movement was checked.
func (m Movement) Amount() *big.Int { return sign(m.Units) }

// Amount returns the signed base units. The balance was checked.
func (b StatedBalance) Amount() *big.Int { return sign(b.Units) }

func sign(s string) *big.Int {
	n, err := signed(s)
	if err != nil {
		return new(big.Int)
	}

	return n
}

// signed parses base units that may be zero or below.
func signed(s string) (*big.Int, error) {
	if s == "0" {
		return new(big.Int), nil
	}

	if len(s) > 0 && s[0] == '-' {
		n, err := units(s[1:])
		if err != nil {
			return nil, err
		}

		return n.Neg(n), nil
	}

	return units(s)
}
