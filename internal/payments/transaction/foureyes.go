package transaction

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
)

// Who has had a part in a payment, and what the organisation's policy lets him do about it (Z-07). A part has had who
// created the transaction, who changed the draft, and, as it was when it was submitted, who had made or changed a
// receiver, wallet or bank account that it pays without a second person having approved that. Submit writes them
// down, because what is paid is locked then too.

// hadPart says whether a user has had a part in the transaction.
func (t Transaction) hadPart(user string) bool { return t.CreatedBy == user || t.Authors.Has(user) }

// edited notes who has changed the draft.
func (t *Transaction) edited(user string) {
	if user != t.CreatedBy {
		t.Authors = t.Authors.With(user)
	}
}

// authors are those of the transaction with those of whom it pays.
func (t Transaction) authors(k *known, payments []Payment) approval.People {
	all := t.Authors
	for _, p := range payments {
		all = all.And(k.receivers[p.Receiver].Mark.ChangedBy).And(
			k.wallets[p.Wallet].Mark.ChangedBy,
		).And(k.bank.accounts[p.BankAccount].Mark.ChangedBy)
	}

	return all
}

// fourEyes is what accept's statement is told of the policy (organisation.AcceptGate). It costs a read only where
// there is a policy and the caller has had a part; where the caller's token is older than the policy, the statement
// refuses.
func (s *Service) fourEyes(ctx context.Context, p caller.Principal, t Transaction) (int64, error) {
	if !p.HasPolicy && t.hadPart(p.User) {
		return 0, nil
	}

	policy, err := s.judged(ctx, s.DB, p, t)
	if fault.Is(err, fault.SecondPersonRequired) {
		return 0, s.gates(ctx, p, t) // with the same reason, or with one that comes before it
	}

	return policy, err
}

// judged gives the version of a policy that lets the caller accept, or the refusal.
func (s *Service) judged(ctx context.Context, q db.Querier, p caller.Principal, t Transaction) (int64, error) {
	if !t.hadPart(p.User) {
		return organisation.AnyPolicy, nil
	}

	policy, err := organisation.PolicyOf(ctx, q, t.Organisation)
	if err != nil {
		return 0, err
	}

	if !policy.OnePersonPays(t.sums(), t.DebitAmount()) {
		return 0, fault.New(
			fault.Forbidden,
			fault.SecondPersonRequired,
			"You have created or changed this transaction, or made or changed whom it pays; your organisation "+
				"wants another authorized member to accept it.",
		)
	}

	return policy.Version, nil
}

// sums are what the transaction pays, one for each currency: what the receivers get of fiat, or else what leaves the
// wallet.
func (t Transaction) sums() []money.Amount {
	var out []money.Amount

	at := map[string]int{}
	for _, p := range t.Payments {
		if p.FiatUnits == nil || p.Currency == "" {
			continue
		}

		i, seen := at[p.Currency]
		if !seen {
			i = len(out)
			at[p.Currency] = len(out)
			out = append(out, money.Zero(p.Fiat().Asset()))
		}

		out[i] = out[i].Add(p.Fiat())
	}

	if len(out) == 0 {
		return []money.Amount{t.DebitAmount()}
	}

	return out
}

// inlineAllowed notes payments to addresses that are no stored wallets, where the organisation's policy is about
// payees: an address that nobody has stored nobody can approve, and it is always new.
func (s *Service) inlineAllowed(
	ctx context.Context,
	q db.Querier,
	t Transaction,
	payments []Payment,
	l *fault.List,
) error {
	inline := false
	for _, p := range payments {
		inline = inline || t.Type == TypeCrypto && p.Wallet == ""
	}

	if !inline || !caller.Of(ctx).HasPolicy {
		return nil
	}

	policy, err := organisation.PolicyOf(ctx, q, t.Organisation)
	if err != nil || !policy.PayeeApproval && policy.PayeeDelay == 0 {
		return err
	}

	for i, p := range payments {
		if p.Wallet == "" {
			l.Add(
				paymentAt(i)+"/walletAddress",
				fault.PayeeNotApproved,
				"Your organisation's policy is about payees: store the wallet, and name it here.",
			)
		}
	}

	return nil
}
