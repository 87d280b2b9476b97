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
	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/camt"
)

// walletKind is the kind of the accounts that a statement is about: the organisation's wallets are what a bank account
// is to it.
const walletKind = "wallet"

// pageSize is how many postings are read at once.
const pageSize = 1000

// purse is one token in one wallet: an account of the statement. Its currency is that of the values, which may have been
// another one in closed months.
type purse struct {
	place, asset string
	home         money.Asset
}

// balances are what a purse had at the beginning and at the end of a period, as far as this service moved it: in the
// home currency, and in tokens.
type balances struct {
	opening, closing             money.Amount
	openingTokens, closingTokens money.Amount
}

func (b *balances) add(l Line, before bool) {
	if before {
		b.opening = b.opening.Add(*l.Value)
		b.openingTokens = sum(b.openingTokens, l.Amount)
	}

	b.closing = b.closing.Add(*l.Value)
	b.closingTokens = sum(b.closingTokens, l.Amount)
}

// text returns the balances in tokens, in words.
func (b *balances) text() string {
	code := b.closingTokens.Asset().Code

	return fmt.Sprintf("Opening balance %s %s, closing balance %s %s, of what went through this service",
		b.openingTokens, code, b.closingTokens, code)
}

// source is what a statement is written from.
type source struct {
	s        *Service
	org      organisation.Organisation
	book     book
	from, to time.Time // days, both included
	made     time.Time
}

// Statement returns a function that writes the statements of the caller's wallets in a period as one camt.053.001.08:
// for each token in a wallet the value of every movement in the home currency, since ISO 20022 knows no tokens. from
// and to are days, both included. The balances are those of what went through this service since the beginning, not
// those of the wallet on the chain. It refuses if a movement has no rate: a statement that leaves something out would
// be wrong.
func (s *Service) Statement(ctx context.Context, from, to time.Time) (write func(io.Writer) error, err error) {
	s.refresh(ctx)

	src := source{s: s, from: dayrate.Midnight(from), to: dayrate.Midnight(to), made: s.DB.Now()}

	if src.org, err = organisation.ByID(ctx, s.DB, caller.Of(ctx).Organisation); err != nil {
		return nil, err
	}

	if src.book, err = s.bookOf(ctx, s.DB, mine(ctx, false)); err != nil {
		return nil, err
	}

	purses := map[purse]*balances{}

	var order []purse

	// the first pass computes the balances, which stand before the entries
	err = s.history(ctx, src.book, src.from, src.to, ofWallets(func(l Line) error {
		if l.Value == nil {
			return noRate(l)
		}

		p := purse{l.Place, l.Asset, l.Home}
		if purses[p] == nil {
			purses[p] = &balances{
				opening:       money.Zero(l.Home),
				closing:       money.Zero(l.Home),
				openingTokens: money.Zero(l.Amount.Asset()),
				closingTokens: money.Zero(l.Amount.Asset()),
			}
			order = append(order, p)
		}

		purses[p].add(l, l.Day.Before(src.from))

		return nil
	}))
	if err != nil {
		return nil, err
	}

	if len(order) == 0 {
		return nil, fault.New(fault.Conflict, fault.BookkeepingEmpty,
			"Nothing went through a wallet until %s, so there is no statement.", src.to.Format(time.DateOnly))
	}

	slices.SortFunc(order, func(a, b purse) int {
		return cmp.Or(
			strings.Compare(a.place, b.place),
			strings.Compare(a.asset, b.asset),
			strings.Compare(a.home.Code, b.home.Code),
		)
	})

	return func(out io.Writer) error {
		w := camt.NewWriter(out, src.id(purse{}), "Slipway", src.made)

		for _, p := range order {
			w.Begin(src.id(p), src.made, src.from, src.to, src.account(p),
				signed(purses[p].opening), signed(purses[p].closing))

			err := s.walk(ctx, src.book, src.book.until(src.from, src.to), false, ofWallets(func(l Line) error {
				if (purse{l.Place, l.Asset, l.Home}) == p {
					w.Entry(src.booked(l))
				}

				return nil
			}))
			if err != nil {
				return err
			}

			w.End(purses[p].text())
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
func (src source) id(p purse) string {
	of := []string{
		src.org.ID,
		src.from.Format(time.DateOnly),
		src.to.Format(time.DateOnly),
		cmp.Or(p.home.Code, src.book.home.Code),
		p.place,
		p.asset,
	}
	hash := sha256.Sum256([]byte(strings.Join(of, "\n")))

	return "SLW" + hex.EncodeToString(hash[:16]) // 35 characters, as many as it may have
}

// account returns a purse as the account of a statement. An address is longer than the identification of an account
// may be (34 characters), so it is cut there, and complete in the proxy.
func (src source) account(p purse) camt.Own {
	network, address, _ := strings.Cut(p.place, "/")

	return camt.Own{
		ID:       p.asset + "-" + strings.TrimPrefix(address, "0x"),
		Issuer:   network,
		Currency: p.home.Code,
		Name:     p.asset + " in a wallet, valued in " + p.home.Code,
		Place:    p.place,
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
		Remittance:  eventWords(l.Kind) + ": " + tokens.Value + " " + l.Asset,
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
