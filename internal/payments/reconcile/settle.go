package reconcile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/identity/approval"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/receivable"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/words"
)

// Action is what two persons decide about a deposit in suspense.
type Action string

// The actions.
const (
	ActionAssign Action = "ASSIGN" // it pays a transaction, alone or with others that are assigned to it
	ActionRefund Action = "REFUND" // back to the account it came from
	ActionHold   Action = "HOLD"   // stays where it is
	ActionReturn Action = "RETURN" // it is the return of a payment of ours, or of a part of one
	ActionSettle Action = "SETTLE" // it pays what an organisation owes, or a part of it
)

// Decision is what one person wants done.
type Decision struct {
	Action      Action `json:"action"`
	Transaction string `json:"transaction,omitempty"` // of ASSIGN
	Payout      string `json:"payout,omitempty"`      // of RETURN: its key; empty: the payout that the deposit names
	Receivable  string `json:"receivable,omitempty"`  // of SETTLE
	Note        string `json:"note,omitempty"`
}

// inWords returns what two people decide, and why, for the audit log.
func (d Decision) inWords() string {
	out := string(d.Action) + " " + d.Subject()
	if d.Note != "" {
		out += ": " + d.Note
	}

	return out
}

// Subject returns the subject of a decision: the transaction, the payout or the receivable.
func (d Decision) Subject() string { return d.Transaction + d.Payout + d.Receivable }

// Suspense returns deposits that wait for people, the oldest first, after an entry. With held set it returns all states
// of suspense, else those nobody has decided about.
func Suspense(ctx context.Context, q db.Querier, after string, held bool, limit int) ([]Deposit, error) {
	states := "'SUSPENSE', 'ASSIGNED'"
	if held {
		states += ", 'HELD'"
	}

	out, err := depositsIn(ctx, q, states, after, limit)
	if err != nil {
		return nil, err
	}

	return out, readWords(ctx, q, out)
}

// Settle records the caller's decision about a deposit in suspense. The first decision asks a second person for an
// approval; when another person decides the same, it is carried out. A different decision replaces the first. The
// second person can decide about the approval instead. Settle calls then at the end of its write, with the deposit as
// it is stored, and with the approval.
//
// It refuses what would break the books: an assignment to a transaction that is not waiting, beyond its amount, or in
// another currency.
func (s *Service) Settle(
	ctx context.Context, entry string, want Decision, then func(tx *db.Tx, d Deposit, approvalID string) error,
) error {
	note, err := approval.Comment("/note", want.Note)
	if err != nil {
		return err
	}

	want.Note = note

	if want.Action == ActionRefund {
		if err := s.checkReturnable(ctx, entry); err != nil {
			return err
		}
	}

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		d, err := depositNamed(ctx, tx, entry)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, d.Version); err != nil {
			return err
		}

		want, err := completeDecision(d, want)
		if err != nil {
			return err
		}

		if _, err := s.settleable(ctx, tx, d, want); err != nil {
			return err
		}

		approvalID, err := s.decideNext(ctx, tx, d, want)
		if err != nil {
			return err
		}

		if d, err = depositNamed(ctx, tx, entry); err != nil {
			return err
		}

		return then(tx, d, approvalID)
	})
}

// decideNext proposes what the caller wants, or approves what another person has proposed. It returns the approval.
func (s *Service) decideNext(ctx context.Context, tx *db.Tx, d Deposit, want Decision) (approvalID string, err error) {
	switch p := d.Proposal; {
	case p.Approval == "" || !p.same(want):
		return s.propose(ctx, tx, d, want)
	case p.By == caller.Of(ctx).User:
		return "", ownProposal()
	}

	a, err := approval.ByID(ctx, tx, "", d.Proposal.Approval)
	if err != nil {
		return "", err
	}

	return a.ID, s.Approvals.ApproveIn(ctx, tx, a, want.Note)
}

// same reports whether two people want the same done, whatever they note.
func (d Decision) same(other Decision) bool {
	return d.Action == other.Action && d.Subject() == other.Subject()
}

// depositNamed returns the deposit that a person has named, with the payout that it names.
func depositNamed(ctx context.Context, q db.Querier, entry string) (Deposit, error) {
	d, err := depositByEntry(ctx, q, entry)
	if errors.Is(err, db.ErrNone) {
		return d, fault.Missing("deposit")
	}

	if err != nil {
		return d, err
	}

	one := []Deposit{d}
	err = readWords(ctx, q, one)

	return one[0], err
}

// readWords reads what stands beside deposits: which payouts they name, and what one person has proposed about them.
func readWords(ctx context.Context, q db.Querier, deposits []Deposit) error {
	if err := claims(ctx, q, deposits); err != nil {
		return err
	}

	return proposals(ctx, q, deposits)
}

// proposals reads what one person has proposed about deposits.
func proposals(ctx context.Context, q db.Querier, deposits []Deposit) error {
	entries := make([]string, len(deposits))
	for i, d := range deposits {
		entries[i] = d.Entry
	}

	open, err := approval.OpenOf(ctx, q, "", approval.Deposit, entries...)
	if err != nil {
		return err
	}

	for i, d := range deposits {
		a, ok := open[d.Entry]
		if !ok {
			continue
		}

		p := Proposal{Approval: a.ID, By: a.RequestedBy}
		if p.Decision, err = decisionOf(a); err != nil {
			return err
		}

		deposits[i].Proposal = p
	}

	return nil
}

// completeDecision fills in the payout of a RETURN from what the deposit itself names, and clears fields that do not
// belong to the action.
func completeDecision(d Deposit, want Decision) (Decision, error) {
	if want.Action != ActionAssign {
		want.Transaction = ""
	}

	if want.Action != ActionSettle {
		want.Receivable = ""
	}

	if want.Action != ActionReturn {
		want.Payout = ""
		return want, nil
	}

	if want.Payout != "" {
		return want, nil
	}

	if want.Payout = d.Claim.Payout; want.Payout == "" {
		return want, NoReturn("The deposit names no payment of ours; say which one it returns.")
	}

	return want, nil
}

// NoReturn returns the refusal to make a deposit the return of a payout.
func NoReturn(why string) error {
	var l fault.List
	l.Add("/payout", fault.DepositNotReturn, "%s", why)
	return l.Err()
}

// checkReturnable asks whether a deposit's sender may be paid. For an unknown deposit it returns nil; the write refuses
// it.
func (s *Service) checkReturnable(ctx context.Context, entry string) error {
	d, err := depositByEntry(ctx, s.DB, entry)
	if errors.Is(err, db.ErrNone) {
		return nil
	}

	if err != nil {
		return err
	}

	return s.Returnable(ctx, d)
}

// propose asks a second person to approve a decision, in place of an earlier one.
func (s *Service) propose(ctx context.Context, tx *db.Tx, d Deposit, want Decision) (approvalID string, err error) {
	raw, err := json.Marshal(want)
	if err != nil {
		return "", fmt.Errorf("encode the decision about deposit %s: %w", d.Entry, err)
	}

	a, err := s.Approvals.Ask(ctx, tx, approval.Request{
		Kind:    approval.Deposit,
		Object:  d.Entry,
		Data:    string(raw),
		Summary: want.summary(d),
		Lasting: true,
	})
	if err != nil {
		return "", err
	}

	moveDeposit(tx, d, d.State) // it is shown with the proposal

	trail.Audit(ctx, tx, "", "deposit.proposed", d.Entry, caller.Of(ctx).User+": "+want.inWords())

	return a.ID, nil
}

// lapse ends what one person has proposed about a deposit that is decided about otherwise.
func (s *Service) lapse(ctx context.Context, tx *db.Tx, d Deposit) error {
	return s.Approvals.Withdraw(ctx, tx, "", approval.Deposit, d.Entry)
}

// decisionOf returns the decision that an approval is about.
func decisionOf(a approval.Approval) (want Decision, err error) {
	if err = json.Unmarshal([]byte(a.Data), &want); err != nil {
		err = fmt.Errorf("decode the decision of %s: %w", a.ID, err)
	}

	return want, err
}

// askReturnable asks whether the sender may be paid, before a deposit is sent back.
func (s *Service) askReturnable(ctx context.Context, a approval.Approval) error {
	want, err := decisionOf(a)
	if err != nil || want.Action != ActionRefund {
		return err
	}

	return s.checkReturnable(ctx, a.Object)
}

// decided carries out what two people have decided about a deposit. It refuses what cannot be carried out any more.
func (s *Service) decided(ctx context.Context, tx *db.Tx, a approval.Approval) error {
	d, err := depositNamed(ctx, tx, a.Object)
	if err != nil {
		return err
	}

	if a.Status != approval.Approved {
		moveDeposit(tx, d, d.State) // it is shown without the proposal
		return nil
	}

	want, err := decisionOf(a)
	if err != nil {
		return err
	}

	object, err := s.settleable(ctx, tx, d, want)
	if _, refused := fault.As(err); refused {
		return fault.New(fault.Conflict, fault.ApprovalOvertaken,
			"The deposit, or what it was to pay, is not as it was. Look again, and decide again.")
	}

	if err != nil {
		return err
	}

	want.Note = cmp.Or(a.Comment, want.Note)

	return s.carryOut(ctx, tx, &d, a, want, object)
}

// summary describes to the second person what would happen, as a value of words.Phrase.
func (d Decision) summary(of Deposit) string {
	came := words.Phrase("%[1]s came from %[2]s.", approval.Sum(of.Amount), cmp.Or(of.SenderName, "?"))

	var next string

	switch d.Action {
	case ActionAssign:
		next = words.Phrase("They are assigned to the transaction %s.", d.Transaction)
	case ActionSettle:
		next = words.Phrase("They pay what is owed: %s.", d.Receivable)
	case ActionReturn:
		next = words.Phrase("They are the return of our payment %s: its worth goes back to the organisation.", d.Payout)
	case ActionRefund:
		next = words.Phrase("They go back to the account that they came from.")
	case ActionHold:
		next = words.Phrase("They stay in suspense.")
	}

	return words.List(words.Spaces, came, next, d.Note)
}

// object is what a deposit is to pay: a transaction or a receivable.
type object struct {
	transaction transaction.Transaction
	receivable  receivable.Receivable
}

// settleable returns the refusal if a decision cannot be carried out at present, and reads what the deposit is to pay.
func (s *Service) settleable(ctx context.Context, tx *db.Tx, d Deposit, want Decision) (o object, err error) {
	if err := d.allows(want.Action); err != nil {
		return o, err
	}

	switch want.Action {
	case ActionAssign:
		o.transaction, err = s.assignableTo(ctx, tx, d, want.Transaction)
	case ActionSettle:
		if o.receivable, err = receivable.ByID(ctx, tx, want.Receivable); errors.Is(err, db.ErrNone) {
			return o, notPayable("Nothing is owed under this identifier.")
		}

		if err == nil {
			err = payable(o.receivable, d)
		}

	case ActionRefund, ActionHold, ActionReturn: // nothing
	}

	return o, err
}

// assignableTo returns the transaction that a deposit is to pay, or a refusal.
func (s *Service) assignableTo(
	ctx context.Context,
	tx *db.Tx,
	d Deposit,
	id string,
) (t transaction.Transaction, err error) {
	t, err = transaction.ByID(ctx, tx, id)
	if errors.Is(err, db.ErrNone) || err == nil && t.Type != transaction.TypeOnramp {
		return t, notAssignable("There is no such ONRAMP transaction.")
	}

	if err != nil {
		return t, err
	}

	missing, err := s.missingAmount(ctx, tx, t)
	if err != nil {
		return t, err
	}

	return t, assignable(t, d, missing)
}

func notAssignable(why string) error {
	var l fault.List
	l.Add("/transaction", fault.DepositNotAssignable, "%s", why)
	return l.Err()
}

// missingAmount returns how much of a transaction's amount its assigned deposits do not cover.
func (s *Service) missingAmount(ctx context.Context, q db.Querier, t transaction.Transaction) (money.Amount, error) {
	all, err := depositsOf(ctx, q, t.ID)

	rest := t.Deposit()
	for _, d := range all {
		if d.State == StateAssigned && d.Amount.Asset() == rest.Asset() {
			rest = rest.Sub(d.Amount)
		}
	}

	return rest, err
}

func (s *Service) carryOut(
	ctx context.Context,
	tx *db.Tx,
	d *Deposit,
	a approval.Approval,
	want Decision,
	o object,
) error {
	d.Settler = a.DecidedBy
	d.SettledAs = want.Action
	d.Note = want.Note
	both := a.RequestedBy + " and " + a.DecidedBy
	trail.Audit(ctx, tx, "", "deposit.settled", d.Entry, both+": "+want.inWords())

	if d.Organisation != "" {
		trail.Audit(ctx, tx, d.Organisation, "deposit.settled", d.Entry, string(want.Action))
	}

	switch want.Action {
	case ActionHold:
		moveDeposit(tx, *d, StateHeld)
		d.State = StateHeld
	case ActionRefund:
		return s.sendBack(ctx, tx, d)
	case ActionReturn:
		return s.takeBack(ctx, tx, d, want.Payout)

	case ActionSettle:
		return s.payOwed(ctx, tx, d, []receivable.Receivable{o.receivable}, both)

	case ActionAssign:
		t := o.transaction
		d.Transaction = t.ID
		d.Organisation = t.Organisation

		if err := s.Attribute(tx, d, t.Organisation); err != nil {
			return err
		}

		moveDeposit(tx, *d, StateAssigned)
		d.State = StateAssigned
		d.Version++

		return s.beginIfComplete(ctx, tx, t, a.DecidedBy)
	}

	return nil
}

// takeBack makes a deposit the return of a payout.
func (s *Service) takeBack(ctx context.Context, tx *db.Tx, d *Deposit, payout string) error {
	t, err := s.TakeBack(ctx, tx, d, payout)
	if err != nil {
		return err
	}

	d.Transaction = t.ID
	d.Organisation = t.Organisation
	moveDeposit(tx, *d, StateReturn)
	d.State = StateReturn
	d.Version++

	return nil
}

// beginIfComplete begins a transaction if its assigned deposits add up to exactly its amount. Otherwise it does
// nothing.
func (s *Service) beginIfComplete(ctx context.Context, tx *db.Tx, t transaction.Transaction, person string) error {
	all, err := depositsOf(ctx, tx, t.ID)
	if err != nil {
		return err
	}

	sum := new(big.Int)
	want := t.Deposit()

	var parts []Deposit
	for _, d := range all {
		if d.State == StateAssigned && d.Amount.Asset() == want.Asset() {
			parts = append(parts, d)
			sum = sum.Add(sum, d.Amount.Units())
		}
	}

	if sum.Cmp(want.Units()) != 0 {
		return nil
	}

	for _, d := range parts {
		if err := s.Attribute(tx, &d, t.Organisation); err != nil {
			return err
		}

		if err := chart.Post(tx, chart.DepositAssigned{Of: d.paying(), Deposit: d.ForBook()}); err != nil {
			return err
		}

		moveDeposit(tx, d, StateMatched)
		insertMatch(tx, d.Entry, t.ID, person)

		if err := s.lapse(ctx, tx, d); err != nil {
			return err
		}
	}

	return s.Begin(ctx, tx, t)
}

// sendBack plans the payout that returns a deposit, and posts its money as under way at the bank.
func (s *Service) sendBack(ctx context.Context, tx *db.Tx, d *Deposit) error {
	d.Attempts++
	if err := s.SendBack(ctx, tx, *d); err != nil {
		return err
	}

	moveDeposit(tx, *d, StateRefunding)
	d.State = StateRefunding
	d.Version++

	return nil
}

// Refund sends back the deposits of a transaction that cannot be carried out, as settlement has decided. It leaves out
// the deposit except, which is already gone ("" for none), and returns how many deposits there are.
func (s *Service) Refund(ctx context.Context, tx *db.Tx, t transaction.Transaction, except string) (int, error) {
	all, err := depositsOf(ctx, tx, t.ID)
	if err != nil {
		return 0, err
	}

	n := 0
	for _, d := range all {
		if d.State != StateMatched || d.Entry == except {
			continue
		}

		if err := s.sendBack(ctx, tx, &d); err != nil {
			return n, err
		}

		n++
	}

	return n, nil
}
