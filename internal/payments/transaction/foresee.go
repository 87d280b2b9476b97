package transaction

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"slipway/internal/core/caller"
	"slipway/internal/platform/db"
)

// Foreseen is a transaction that does not exist: what an input would make now.
type Foreseen struct {
	Transaction

	Priced bool // its debit is known: nothing is converted, or there was a rate
}

// Foresee returns the transaction that an input of the caller's organisation would make now, with its payees as they
// are. It refuses what Create refuses. It stores nothing, and reads no record from a cache. madeBy counts as its
// creator.
func (s *Service) Foresee(ctx context.Context, in Input, madeBy string) (Foreseen, error) {
	r := &Request{Organisation: caller.Of(ctx).Organisation, Input: &in, Fresh: true}

	r, d, err := s.checkInput(ctx, r)
	if err != nil {
		return Foreseen{}, err
	}

	t := Transaction{Organisation: r.Organisation, Type: Type(in.Type), CreatedBy: madeBy}
	t.fill(r, d)
	t.Authors = t.authors(r)

	return Foreseen{t, d.Quote != nil || !s.Kinds[t.Type].Traits().Converts}, nil
}

// StillHas checks, inside a write, that what a foreseen transaction names was not deleted since.
func (f Foreseen) StillHas(ctx context.Context, tx *db.Tx) error {
	return checkAgain(ctx, tx, f.Transaction)
}

// PaymentsHash returns a hash of who is paid, where, how much, and out of which wallet. It is the same of every
// transaction that pays the same, whatever it costs; a receiver, wallet or bank account that has changed has another.
func (t Transaction) PaymentsHash() string {
	h := sha256.New()
	put := func(fields ...string) {
		for _, s := range fields {
			fmt.Fprintf(h, "%d:%s", len(s), s)
		}
	}

	put(t.Organisation, string(t.Type), t.Network, t.Wallet, strings.ToLower(t.WalletAddress), t.Token)

	for _, p := range t.Payments {
		put(p.Receiver, p.Snapshot, p.Reason, p.Instructions, p.Document, p.Again)

		if t.Type == TypeCrypto {
			put(p.Units.String(), p.Wallet, strings.ToLower(p.Address), p.WalletType, p.Network)
			continue
		}

		to := p.BankSnapshot
		if a, err := p.Account(); err == nil {
			to = a.Destination()
		}

		put(p.Currency, digits(p.FiatUnits), p.BankAccount, to, string(p.FeesOption), p.PaymentTerms.Reference)
	}

	return hex.EncodeToString(h.Sum(nil))
}
