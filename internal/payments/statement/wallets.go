package statement

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/payments/bookkeeping"
	"slipway/internal/platform/paper"
)

// mostMovements limits the movements of a statement on paper: some 150 pages. Programs get them as camt.053.
const mostMovements = 5000

// monthOf returns the first day of a month as requests name it.
func monthOf(name string) (time.Time, error) {
	from, err := time.Parse(monthForm, name)
	if err != nil {
		var l fault.List
		l.AddParameter("path", "period", fault.FormatInvalid, "must be a month such as 2026-12.")

		return from, l.Err()
	}

	return from, nil
}

// Wallets returns the statements of an organisation's wallets in a month, for people: of each token in a wallet the
// balances, and every movement with what it was and what it is worth. It is made anew with each call; of a month that
// is not over it has what is there. What it refuses, bookkeeping.Wallets says, and a month with more than 5,000
// movements.
func (s *Service) Wallets(ctx context.Context, org, name string) (Document, error) {
	from, err := monthOf(name)
	if err != nil {
		return Document{}, err
	}

	src := source{issuer: s.Issuer, mark: s.Mark, now: s.DB.Now().Truncate(time.Millisecond)}
	if err := s.customer(ctx, &src, org); err != nil {
		return Document{}, err
	}

	w, err := s.Book.Wallets(ctx, org, from, from.AddDate(0, 1, -1))
	if err != nil {
		return Document{}, fmt.Errorf("statement of the wallets of %s for %s: %w", org, name, err)
	}

	logo, err := s.logo(ctx, org, src.brand.LogoSHA256)
	if err != nil {
		return Document{}, err
	}

	title := "Statement of wallets, " + from.Format("January 2006")
	sheet := paper.New(paper.Info{
		Title:  title,
		Made:   src.now,
		Footer: title,
		Mark:   src.mark,
		Brand:  src.brand.Name,
		Logo:   logo,
		Colour: colourOf(src.brand.Colour),
	})

	sheet.Title(title, issuerLines(src.issuer.party())...)
	customer := src.customer()
	sheet.Facts(
		[]paper.Fact{{Label: "For", Value: customer.Name, Small: customer.Lines}},
		[]paper.Fact{
			{Label: "Period", Value: day(w.From) + " to " + day(w.To)},
			{Label: "Made", Value: when(src.now)},
		},
	)

	rows := 0

	for _, p := range w.Purses {
		t, err := pursePages(ctx, w, p, &rows)
		if err != nil {
			return Document{}, err
		}

		sheet.Heading(p.Asset + " on " + p.Network)
		sheet.Paragraph("Wallet " + p.Address)
		sheet.Table(t)
	}

	sheet.Heading("Notes")
	sheet.Paragraph("Days are those of " + src.org.Zone().String() + ". The balances are of what went through this " +
		"service, and not those of the wallets on the chain. Values are those of the book.")

	pdf, err := sheet.Archive()

	return Document{Name: "wallets-" + name + ".pdf", PDF: pdf}, err
}

// pursePages returns the movements of a purse between its balances. rows counts those of the whole document.
func pursePages(ctx context.Context, w *bookkeeping.Wallets, p *bookkeeping.Purse, rows *int) (paper.Table, error) {
	f := figures{}
	f.see(amount(p.OpeningTokens), amount(p.ClosingTokens), amount(p.Opening), amount(p.Closing))

	var lines []bookkeeping.Line

	err := w.Walk(ctx, p, func(l bookkeeping.Line) error {
		if *rows++; *rows > mostMovements {
			return fault.New(
				fault.Conflict,
				fault.PeriodTooLarge,
				"The month has more than %d movements, too many for paper. Take the statement as camt.053, or the table.",
				mostMovements,
			)
		}

		f.see(amount(l.Amount), amount(*l.Value))

		lines = append(lines, l)

		return nil
	})
	if err != nil {
		return paper.Table{}, err
	}

	t := paper.Table{Columns: []paper.Column{
		{Title: "Day", Fit: true},
		{Title: "Movement"},
		{Title: p.Asset, Fit: true, Right: true},
		{Title: "Balance", Fit: true, Right: true},
		{Title: p.Home.Code, Fit: true, Right: true},
	}}
	balance := p.OpeningTokens
	total := func(on time.Time, name string, tokens, value Amount) paper.Row {
		cells := []paper.Cell{paper.C(day(on)), paper.C(name), {}, paper.C(f.show(tokens)), paper.C(f.show(value))}
		return paper.Row{Strong: true, Cells: cells}
	}

	t.Rows = append(t.Rows, total(w.From, "Opening balance", amount(p.OpeningTokens), amount(p.Opening)))

	for _, l := range lines {
		balance = balance.Add(l.Amount)
		t.Rows = append(t.Rows, paper.Row{Cells: []paper.Cell{
			paper.C(day(l.Day)),
			paper.C(bookkeeping.EventWords(l.Kind), aboutMovement(l)...),
			paper.C(f.show(amount(l.Amount))),
			paper.C(f.show(amount(balance))),
			paper.C(f.show(amount(*l.Value))),
		}})
	}

	t.Rows = append(t.Rows, total(w.To, "Closing balance", amount(p.ClosingTokens), amount(p.Closing)))

	return t, nil
}

// aboutMovement says whom a movement was with and what it was for, as far as the book knows it.
func aboutMovement(l bookkeeping.Line) (out []string) {
	who := strings.Join(nonEmpty(l.Party, l.Reason, l.Invoice), " · ")

	return nonEmpty(who, cmp.Or(l.Hash, l.EndToEnd, l.BankReference), l.Transaction)
}

func nonEmpty(texts ...string) (out []string) {
	for _, t := range texts {
		if t != "" {
			out = append(out, t)
		}
	}

	return out
}
