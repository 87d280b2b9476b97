package reconcile

import (
	"cmp"
	"context"
	"slices"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/payments/receivable"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// Point is one thing in which a deposit and a transaction agree or differ.
type Point string

// The points, in the order in which they are shown.
const (
	PointReference Point = "REFERENCE" // the deposit's texts hold the transaction's reference
	PointAmount    Point = "AMOUNT"
	PointCurrency  Point = "CURRENCY"
	PointAccount   Point = "ACCOUNT" // it came to the account that the payer was told
	PointSender    Point = "SENDER"  // it comes from the organisation itself
	PointTime      Point = "TIME"    // it came before the transaction's end
)

// Candidate is a transaction that a deposit in suspense may pay, with what speaks for it and against it.
type Candidate struct {
	T       transaction.Transaction
	Names   []string // under which banks know its organisation
	Missing money.Amount
	Agrees  []Point
	Differs []Point
	Refusal error // why the deposit cannot be assigned to it; nil: it can
}

const (
	mostAwaited    = 500 // transactions that are compared with a deposit, the newest
	mostCandidates = 20  // that are shown of them, the best
)

// Candidates returns the transactions that a deposit may pay: those that its texts name, whatever their state, and
// those that wait for a deposit in its currency and agree with it in something besides. The one that agrees most comes
// first. Nothing is decided by it: who assigns the deposit looks at both.
func (s *Service) Candidates(ctx context.Context, q db.Querier, d Deposit) ([]Candidate, error) {
	named, err := transaction.OnrampsByReference(ctx, q, d.references())
	if err != nil {
		return nil, err
	}

	waiting, err := transaction.AwaitingDeposits(ctx, q, d.Amount.Asset().Code, mostAwaited)
	if err != nil {
		return nil, err
	}

	all := map[string]transaction.Transaction{}
	for _, t := range waiting {
		all[t.ID] = t
	}

	for _, t := range named {
		all[t.ID] = t
	}

	compared, err := s.awaited(ctx, q, all, nil)
	if err != nil {
		return nil, err
	}

	var out []Candidate

	for id, a := range compared {
		_, isNamed := named[a.T.Reference]

		c := compare(d, a, isNamed)
		if !isNamed && !c.likely() {
			continue
		}

		if c.Missing, err = s.missingAmount(ctx, q, all[id]); err != nil {
			return nil, err
		}

		c.Refusal = assignable(a.T, d, c.Missing)
		out = append(out, c)
	}

	slices.SortFunc(out, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(len(b.Agrees), len(a.Agrees)), cmp.Compare(b.T.ID, a.T.ID))
	})

	return out[:min(len(out), mostCandidates)], nil
}

// compare says in what a deposit and a transaction agree.
func compare(d Deposit, a Awaited, named bool) Candidate {
	c := Candidate{T: a.T, Names: a.Senders.Names}
	want := a.T.Deposit()

	for _, p := range []struct {
		point Point
		agree bool
	}{
		{PointReference, named},
		{PointAmount, want.Asset() == d.Amount.Asset() && d.Amount.Cmp(want) == 0},
		{PointCurrency, want.Asset() == d.Amount.Asset()},
		{PointAccount, a.House == "" || a.House == d.House},
		{PointSender, a.Senders.include(d)},
		{PointTime, expects(a.T, d)},
	} {
		if p.agree {
			c.Agrees = append(c.Agrees, p.point)
		} else {
			c.Differs = append(c.Differs, p.point)
		}
	}

	return c
}

// likely reports whether more agrees than what many transactions have in common.
func (c Candidate) likely() bool {
	return slices.Contains(c.Agrees, PointAmount) || slices.Contains(c.Agrees, PointSender)
}

// assignable refuses to assign a deposit to a transaction, of whose amount so much is missing.
func assignable(t transaction.Transaction, d Deposit, missing money.Amount) error {
	switch {
	case !waits(t):
		return notAssignable("The transaction is " + string(t.Status) + " and waits for no deposit.")
	case t.Deposit().Asset() != d.Amount.Asset():
		return notAssignable("The transaction waits for " + t.AmountCurrency + ".")

	case d.Amount.Cmp(missing) > 0:
		return notAssignable("The transaction waits for " + missing.String() + " " + t.AmountCurrency +
			" more; the deposit is larger. Send it back instead.")
	}

	return nil
}

// payable refuses to settle a receivable with a deposit.
func payable(r receivable.Receivable, d Deposit) error {
	switch {
	case r.State != receivable.Open:
		return notPayable("Nothing of it is owed any more.")
	case r.Amount.Asset() != d.Amount.Asset():
		return notPayable(r.Amount.Asset().Code + " is owed.")

	case d.Amount.Cmp(r.Owed) > 0:
		return notPayable(r.Owed.String() + " " + r.Amount.Asset().Code +
			" is owed; the deposit is larger. Send it back instead.")
	}

	return nil
}

func notPayable(why string) error {
	var l fault.List
	l.Add("/receivable", fault.DepositNotAssignable, "%s", why)
	return l.Err()
}

// decidable refuses what one person cannot decide about a deposit now: what its state does not allow, and the second
// word on his own proposal. An assignment may name another transaction, a return another payout and a settlement
// another receivable, so those can be proposed anew.
func (d Deposit) decidable(person string, a Action) error {
	if err := d.allows(a); err != nil {
		return err
	}

	again := d.Proposal.Action == a && d.Proposal.By == person
	if again && (a == ActionRefund || a == ActionHold) {
		return ownProposal()
	}

	return nil
}

// allows refuses an action that the deposit's state does not allow to people: they decide about what is in suspense.
func (d Deposit) allows(a Action) error {
	to := map[Action]State{
		ActionAssign: StateAssigned,
		ActionRefund: StateRefunding,
		ActionHold:   StateHeld,
		ActionReturn: StateReturn,
		ActionSettle: StateSettled,
	}[a]

	if slices.Contains(undecided, d.State) && table.Allows(d.State, to) {
		return nil
	}

	return fault.New(fault.Conflict, fault.DepositSettled, "The deposit is %s; %s is not possible.", d.State, a)
}

func ownProposal() error {
	return fault.New(
		fault.Conflict,
		fault.TwoPersonsNeeded,
		"You have proposed this yourself; another person has to decide the same.",
	)
}
