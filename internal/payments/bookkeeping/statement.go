package bookkeeping

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/dayrate"
	"slipway/internal/payments/ledger"
	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/camt"
)

// walletKind is the kind of the accounts that a statement is about: the organisation's wallets are what a bank account
// is to it.
const walletKind = "wallet"

// pageSize is how many postings are read at once.
const pageSize = 1000

// Purse is one token in one wallet, with what it had at the beginning and at the end of a period, as far as this
// service moved it: in the home currency, and in tokens. Its currency is that of the values, which may have been
// another one in closed months.
type Purse struct {
	Network, Address string
	Asset            string
	Home             money.Asset

	Opening, Closing             money.Amount
	OpeningTokens, ClosingTokens money.Amount
}

func purseOf(l Line) *Purse {
	network, address, _ := strings.Cut(l.Place, "/")
	zero := money.Zero(l.Home)
	none := money.Zero(l.Amount.Asset())

	return &Purse{
		Network:       network,
		Address:       address,
		Asset:         l.Asset,
		Home:          l.Home,
		Opening:       zero,
		Closing:       zero,
		OpeningTokens: none,
		ClosingTokens: none,
	}
}

// has reports whether a line is of the purse.
func (p *Purse) has(l Line) bool {
	return l.Place == p.place() && l.Asset == p.Asset && l.Home == p.Home
}

func (p *Purse) place() string { return p.Network + "/" + p.Address }

func (p *Purse) add(l Line, before bool) {
	if before {
		p.Opening = p.Opening.Add(*l.Value)
		p.OpeningTokens = sum(p.OpeningTokens, l.Amount)
	}

	p.Closing = p.Closing.Add(*l.Value)
	p.ClosingTokens = sum(p.ClosingTokens, l.Amount)
}

// text returns the balances in tokens, in words.
func (p *Purse) text() string {
	code := p.ClosingTokens.Asset().Code

	return fmt.Sprintf("Opening balance %s %s, closing balance %s %s, of what went through this service",
		p.OpeningTokens, code, p.ClosingTokens, code)
}

// Wallets is what an organisation's wallets had and did in a period.
type Wallets struct {
	Purses   []*Purse  // by network, address and token
	From, To time.Time // days, both included

	s    *Service
	book book
}

// Wallets reads what an organisation's wallets had at the beginning and at the end of a period of days, both included.
// The balances are those of what went through this service since the beginning, not those of the wallets on the chain.
// It refuses if nothing did, or if a movement has no rate: a statement that leaves something out would be wrong.
func (s *Service) Wallets(ctx context.Context, organisation string, from, to time.Time) (*Wallets, error) {
	s.refresh(ctx)

	out := &Wallets{From: dayrate.Midnight(from), To: dayrate.Midnight(to), s: s}

	var err error
	if out.book, err = s.bookOf(ctx, s.DB, ledger.Period{Organisation: organisation}); err != nil {
		return nil, err
	}

	err = s.history(ctx, out.book, out.From, out.To, ofWallets(func(l Line) error {
		if l.Value == nil {
			return noRate(l)
		}

		at := slices.IndexFunc(out.Purses, func(p *Purse) bool { return p.has(l) })
		if at < 0 {
			at = len(out.Purses)
			out.Purses = append(out.Purses, purseOf(l))
		}

		out.Purses[at].add(l, l.Day.Before(out.From))

		return nil
	}))
	if err != nil {
		return nil, err
	}

	if len(out.Purses) == 0 {
		return nil, fault.New(fault.Conflict, fault.BookkeepingEmpty,
			"Nothing went through a wallet until %s, so there is no statement.", out.To.Format(time.DateOnly))
	}

	slices.SortFunc(out.Purses, func(a, b *Purse) int {
		return cmp.Or(
			strings.Compare(a.place(), b.place()),
			strings.Compare(a.Asset, b.Asset),
			strings.Compare(a.Home.Code, b.Home.Code),
		)
	})

	return out, nil
}

// Walk calls each with the movements of a purse in the period, in the order of the book.
func (w *Wallets) Walk(ctx context.Context, p *Purse, each func(Line) error) error {
	return w.s.walk(ctx, w.book, w.book.until(w.From, w.To), false, ofWallets(func(l Line) error {
		if !p.has(l) {
			return nil
		}

		return each(l)
	}))
}

// source is what a statement for programs is written from.
type source struct {
	*Wallets

	org  organisation.Organisation
	made time.Time
}

// Statement returns a function that writes the statements of the caller's wallets in a period as one camt.053.001.08:
// for each token in a wallet the value of every movement in the home currency, since ISO 20022 knows no tokens. What
// stands in it and what it refuses, Wallets says.
func (s *Service) Statement(ctx context.Context, from, to time.Time) (write func(io.Writer) error, err error) {
	src := source{made: s.DB.Now()}

	if src.org, err = organisation.ByID(ctx, s.DB, caller.Of(ctx).Organisation); err != nil {
		return nil, err
	}

	if src.Wallets, err = s.Wallets(ctx, src.org.ID, from, to); err != nil {
		return nil, err
	}

	return func(out io.Writer) error {
		w := camt.NewWriter(out, src.id(&Purse{}), "Slipway", src.made)

		for _, p := range src.Purses {
			w.Begin(src.id(p), src.made, src.From, src.To, src.account(p), signed(p.Opening), signed(p.Closing))

			err := src.Walk(ctx, p, func(l Line) error {
				w.Entry(src.booked(l))
				return nil
			})
			if err != nil {
				return err
			}

			w.End(p.text())
		}

		return w.Close()
	}, nil
}

// ofWallets returns a function that calls each with the lines of wallets alone.
func ofWallets(each func(Line) error) func(Line) error {
	return func(l Line) error {
		if l.Account.Kind != walletKind {
			return nil
		}

		return each(l)
	}
}

// id returns the identification of the message, or of the statement of a purse: no other organisation, period or purse
// has the same. A second statement of the same period has it again.
func (src source) id(p *Purse) string {
	of := []string{
		src.org.ID,
		src.From.Format(time.DateOnly),
		src.To.Format(time.DateOnly),
		cmp.Or(p.Home.Code, src.book.home.Code),
		p.place(),
		p.Asset,
	}
	hash := sha256.Sum256([]byte(strings.Join(of, "\n")))

	return "SLW" + hex.EncodeToString(hash[:16]) // 35 characters, as many as it may have
}

// account returns a purse as the account of a statement. An address is longer than the identification of an account
// may be (34 characters), so it is cut there, and complete in the proxy.
func (src source) account(p *Purse) camt.Own {
	return camt.Own{
		ID:       p.Asset + "-" + strings.TrimPrefix(p.Address, "0x"),
		Issuer:   p.Network,
		Currency: p.Home.Code,
		Name:     p.Asset + " in a wallet, valued in " + p.Home.Code,
		Place:    p.place(),
		Owner:    src.org.Name,
	}
}

func (src source) booked(l Line) camt.OwnEntry {
	v := signed(*l.Value)
	tokens := signed(l.Amount)

	return camt.OwnEntry{
		Reference:   l.Position(),
		Amount:      iso20022.Amount{Value: v.Value, Currency: l.Home.Code},
		Credit:      l.Value.Sign() > 0 || l.Value.Sign() == 0 && l.Amount.Sign() > 0,
		Booked:      l.Day,
		Valued:      l.ValueOn,
		Code:        l.Kind,
		Transaction: l.Transaction,
		Remittance:  EventWords(l.Kind) + ": " + tokens.Value + " " + l.Asset,
		Info:        src.valued(l),
	}
}

// valued says how the value of a line came about.
func (src source) valued(l Line) string {
	if l.Rate == nil {
		return fmt.Sprintf("%s %s at the value at which it was taken", signed(l.Amount).Value, l.Asset)
	}

	return fmt.Sprintf("%s %s at %s %s, reference rate of %s (%s)", signed(l.Amount).Value, l.Asset, rateText(l.Rate),
		l.Home.Code, l.Rates.Date.Format(time.DateOnly), l.Rates.Source)
}

// signed returns an amount as a statement writes it.
func signed(a money.Amount) camt.SignedAmount {
	if a.Sign() < 0 {
		return camt.SignedAmount{Value: a.Neg().String(), Negative: true}
	}

	return camt.SignedAmount{Value: a.String()}
}
