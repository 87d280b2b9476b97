package transaction

import (
	"context"
	"fmt"

	"slipway/internal/directory/analysis"
	"slipway/internal/standards/iso20022/pain"
)

// Inquiry returns what screening checks of a transaction: the wallet that it pays from or to, every address it pays,
// and the names of all receivers, as they are and as a bank will have them, of their banks where a bank will have
// those, and of the declared sender. more are further names, such as the actual sender of a deposit.
func Inquiry(t Transaction, purpose analysis.Purpose, more ...string) analysis.Inquiry {
	in := analysis.Inquiry{Organisation: t.Organisation, Object: t.ID, Content: t.ContentHash, Purpose: purpose}

	in.Parties = func() ([]analysis.Party, error) { return t.parties(more) }
	for _, name := range more {
		in.Content += "/" + name
	}

	return in
}

func (t Transaction) parties(more []string) ([]analysis.Party, error) {
	out := make([]analysis.Party, 0, 1+2*len(t.Payments)+len(more))
	out = append(out, analysis.Party{Pointer: "/walletAddress", Network: t.Network, Address: t.WalletAddress})

	last := ""
	for i, p := range t.Payments {
		switch at := PaymentAt(i); {
		case t.Type != TypeCrypto: // a bank account, or the wallet added above
		case p.Wallet != "":
			out = append(out, analysis.Party{Pointer: at + "/wallet", Network: t.Network, Address: p.Address})
		case p.Address != "":
			out = append(out, analysis.Party{Pointer: at + "/walletAddress", Network: t.Network, Address: p.Address})
		}

		bank, err := p.bank()
		if err != nil {
			return nil, fmt.Errorf("transaction %s: %w", t.ID, err)
		}

		if bank != "" {
			out = append(out, analysis.Party{
				Pointer: PaymentAt(i) + "/bankAccount",
				Name:    bank,
				Written: pain.Written(bank),
			})
		}

		if p.Snapshot == last {
			continue // many payments of a transaction go to few receivers
		}

		last = p.Snapshot

		payee, err := p.Creditor()
		if err != nil {
			return nil, fmt.Errorf("transaction %s: %w", t.ID, err)
		}

		party := analysis.Party{Pointer: PaymentAt(i) + "/receiver", Name: payee.Name()}
		if t.Type == TypeFiat {
			party.Written = pain.Written(party.Name) // the bank screens its file
		}

		out = append(out, party)
	}

	if t.Sender != "" {
		out = append(out, analysis.Party{Pointer: "/sender", Name: t.Sender})
	}

	for _, name := range more {
		out = append(out, analysis.Party{Name: name})
	}

	return out, nil
}

// bank returns the name of the bank that a payment goes to, if a payment file has it: a BIC stands in its place.
func (p Payment) bank() (string, error) {
	if p.BankSnapshot == "" {
		return "", nil
	}

	account, err := p.Account()
	if err != nil || account.BankBIC() != "" {
		return "", err
	}

	return account.BankName(), nil
}

// screen refuses a transaction if any party is not approved. When all results are fresh, it only looks into memory.
func (s *Service) screen(ctx context.Context, t Transaction, purpose analysis.Purpose) (analysis.Outcome, error) {
	outcome, err := s.Screening.Ask(ctx, Inquiry(t, purpose))
	if err != nil {
		return outcome, err
	}

	return outcome, outcome.Err()
}
