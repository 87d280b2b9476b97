package bookkeeping

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"slipway/internal/payments/ledger"
	"slipway/internal/payments/payable"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// Detail is what people need to know of a line besides its figures, as far as the records have it.
type Detail struct {
	Party         string // name of the payee
	PartyKind     string // of transaction.ReceiverKinds
	Invoice       string // number of the payee's invoice
	Reason        string // of the payment
	Document      string // storage key of the invoice's file
	EndToEnd      string // identification of a payment between banks
	Hash          string // of the transaction on the chain
	BankReference string // of the booking, by the bank that booked it
}

// find returns texts by the keys that they belong to.
type find func(ctx context.Context, q db.Querier, keys []string) (map[string]string, error)

// Outside finds what banks and chains know a thing by, and what a wallet had.
type Outside struct {
	Hashes     find // by the key of what was sent on a chain
	EndToEnd   find // by the key of a payout
	References find // by the identifier of a bank's booking

	BalanceAt BalanceAt
}

// detail sets what is known of each line besides its figures.
func (s *Service) detail(ctx context.Context, q db.Querier, lines []Line) error {
	notes, invoices, err := notesIn(ctx, q, lines)
	if err != nil {
		return err
	}

	var effects, bookings []string

	for _, l := range lines {
		effects = append(effects, effectKeys(l)...)
		if b := bookingOf(l.Key); b != "" {
			bookings = append(bookings, b)
		}
	}

	slices.Sort(effects)
	slices.Sort(bookings)
	effects = slices.Compact(effects)
	bookings = slices.Compact(bookings)

	hashes, err := s.Hashes(ctx, q, effects)
	if err != nil {
		return err
	}

	ends, err := s.EndToEnd(ctx, q, effects)
	if err != nil {
		return err
	}

	references, err := s.References(ctx, q, bookings)
	if err != nil {
		return err
	}

	for i := range lines {
		l := &lines[i]
		l.BankReference = references[bookingOf(l.Key)]

		for _, key := range effectKeys(*l) {
			l.Hash = cmp.Or(l.Hash, hashes[key])
			l.EndToEnd = cmp.Or(l.EndToEnd, ends[key])
		}

		if n, ok := noteOf(*l, notes[l.Transaction]); ok {
			l.Party = n.Name
			l.PartyKind = n.Kind
			l.Invoice = invoices[n.Payment]
			l.Reason = n.Reason
			l.Document = n.Document
		}
	}

	return nil
}

// notesIn returns what is known of the payments of the lines' transactions, by transaction, and the numbers of their
// invoices, by payment.
func notesIn(
	ctx context.Context,
	q db.Querier,
	lines []Line,
) (map[string][]transaction.Note, map[string]string, error) {
	entries := make([]ledger.Entry, len(lines))
	for i, l := range lines {
		entries[i] = l.Entry
	}

	notes := map[string][]transaction.Note{}
	invoices := map[string]string{}

	for org, transactions := range transactionsIn(entries) {
		of, err := transaction.NotesOf(ctx, q, org, transactions)
		if err != nil {
			return nil, nil, err
		}

		numbers, err := payable.InvoicesOf(ctx, q, org, transactions)
		if err != nil {
			return nil, nil, err
		}

		maps.Copy(notes, of)
		maps.Copy(invoices, numbers)
	}

	return notes, invoices, nil
}

// byReceivers sets the accounts of lines of receivers' accounts, where they depend on the kind of payee. It is that of
// the payment: as the receiver was when the transaction was locked.
func byReceivers(ctx context.Context, q db.Querier, lines []Line, on func(ledger.Entry) basis) error {
	var (
		at      []int
		entries []ledger.Entry
	)

	for i, l := range lines {
		kind, _ := ledger.KindOf(l.Entry.Account)
		if slices.Contains(payeeKinds, kind.Name) && on(l.Entry).chart.byReceiver() {
			at = append(at, i)
			entries = append(entries, l.Entry)
		}
	}

	for org, transactions := range transactionsIn(entries) {
		notes, err := transaction.NotesOf(ctx, q, org, transactions)
		if err != nil {
			return err
		}

		for _, i := range at {
			l := &lines[i]
			if n, ok := noteOf(*l, notes[l.Transaction]); ok {
				kind, _ := ledger.KindOf(l.Entry.Account)
				l.Account = on(l.Entry).chart.finest(kind, l.Asset, l.Place, n.Kind)
			}
		}
	}

	return nil
}

// noteOf returns the payment that a line is about: the one that it names, the only one to the receiver whose account it
// is, or the only one of its transaction.
func noteOf(l Line, of []transaction.Note) (transaction.Note, bool) {
	for _, n := range of {
		if n.Payment == l.Memo {
			return n, true
		}
	}

	to := slices.DeleteFunc(slices.Clone(of), func(n transaction.Note) bool {
		return n.Receiver == "" || !strings.HasSuffix(l.Entry.Account, "/"+n.Receiver)
	})

	switch {
	case len(to) == 1:
		return to[0], true
	case len(of) == 1:
		return of[0], true
	default:
		return transaction.Note{}, false
	}
}

// batchKinds are the journals of a transaction whose evidence is its batch on the chain.
var batchKinds = []string{"final", "pulled", "return"}

// effectKeys returns the keys under which what a line's journal records may have been done outside. The key of a
// journal begins with that of its effect (docs/reference/journals.md); that of a batch is the transaction's own.
func effectKeys(l Line) []string {
	if slices.Contains(batchKinds, l.Kind) && l.Transaction != "" && l.Key == "transaction/"+l.Transaction+"/"+l.Kind {
		return []string{"transaction/" + l.Transaction + "/batch"}
	}

	parts := strings.Split(l.Key, "/")

	var out []string
	for n := len(parts) - 1; n >= 3; n-- {
		out = append(out, strings.Join(parts[:n], "/"))
	}

	return out
}

// bookingOf returns the identifier of the bank's booking that a journal's key names, or "".
func bookingOf(key string) string {
	parts := strings.Split(key, "/")

	for i, p := range parts[:len(parts)-1] {
		if (p == "entry" && i == 0) || (p == "returned" || p == "recredit" || p == "kept") && i > 0 {
			return parts[i+1]
		}
	}

	return ""
}
