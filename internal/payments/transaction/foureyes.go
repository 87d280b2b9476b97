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

// This file decides who has had a part in a payment, and what the organisation's policy lets that person do about it
// (Z-07). Three kinds of people have had a part: whoever created the transaction; whoever changed the draft; and
// whoever had, by the time of submit, made or changed a receiver, wallet or bank account that it pays without approval
// by a second person. Submit records them, because it also locks what is paid.

// hadPart reports whether a user has had a part in the transaction.
func (t Transaction) hadPart(user string) bool { return t.CreatedBy == user || t.Authors.Has(user) }

// touchedBy reports whether the caller has had a part in the transaction, or the member for whom he accepts.
func (t Transaction) touchedBy(p caller.Principal) bool {
	return t.hadPart(p.User) || p.StandsInFor != "" && t.hadPart(p.StandsInFor)
}

// edited records that a user has changed the draft.
func (t *Transaction) edited(user string) {
	if user != t.CreatedBy {
		t.Authors = t.Authors.With(user)
	}
}

// authors returns the authors of the transaction and those of the records that it pays.
func (t Transaction) authors(r *Request) approval.People {
	all := t.Authors
	for _, p := range t.Payments {
		all = all.And(r.Receivers[p.Receiver].Mark.ChangedBy)
		all = all.And(r.Wallets[p.Wallet].Mark.ChangedBy)
		all = all.And(r.Accounts[p.BankAccount].Mark.ChangedBy)
	}

	return all
}

// fourEyes returns the policy version that accept's statement compares with (organisation.AcceptGate). It reads the
// database only if there is a policy and the caller has had a part. If the caller's token is older than the policy, the
// statement refuses.
func (s *Service) fourEyes(ctx context.Context, t Transaction) (int64, error) {
	p := caller.Of(ctx)
	if !p.HasPolicy && t.touchedBy(p) {
		return 0, nil
	}

	policy, err := s.policyVersion(ctx, s.DB, p, t)
	if fault.Is(err, fault.SecondPersonRequired) {
		return 0, s.CheckGates(ctx, t) // with the same reason, or with one that is checked before it
	}

	return policy, err
}

// policyVersion returns the version of a policy that lets the caller accept, or the refusal.
func (s *Service) policyVersion(ctx context.Context, q db.Querier, p caller.Principal, t Transaction) (int64, error) {
	if !t.touchedBy(p) {
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
			"%s created or changed this transaction, or made or changed whom it pays; your organisation wants another "+
				"authorized member to accept it.",
			whoHas(t, p),
		)
	}

	return policy.Version, nil
}

// whoHas begins the sentence about a part in a transaction.
func whoHas(t Transaction, p caller.Principal) string {
	if t.hadPart(p.User) {
		return "You have"
	}

	return "The member for whom you stand in has"
}

// sums returns what the transaction pays, one amount for each currency: the fiat that the receivers get, or else the
// debit of the wallet.
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

// noteInline notes payments to addresses that are no stored wallets, if the organisation's policy is about payees.
// Nobody can approve an address that is not stored, and such an address is always new.
func (s *Service) noteInline(
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
				PaymentAt(i)+"/walletAddress",
				fault.PayeeNotApproved,
				"Your organisation's policy is about payees: store the wallet, and name it here.",
			)
		}
	}

	return nil
}
