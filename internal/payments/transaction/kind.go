package transaction

import (
	"context"
	"math/big"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/db"
)

// Kind is what one type of transaction does differently: packages crypto, fiat and onramp each have one. The use cases
// call it and never branch on the type. A Kind keeps nothing between calls, so one serves all requests.
type Kind interface {
	// Traits returns what never changes.
	Traits() Traits
	// Offered reports whether this deployment carries the type out. What is stored of it is shown either way.
	Offered() bool

	// Shape notes what is wrong with an input by itself. It reads nothing.
	Shape(in *Input, l *fault.List)
	// Check reads what the type compares an input with besides the records of the request. A missing record is no
	// error; the check notes it at its field.
	Check(ctx context.Context, s *Service, q db.Querier, r *Request) (Check, error)
	// Input returns the stored transaction as a client would write it.
	Input(t Transaction) Input

	// Costs returns the transaction with what it costs, for check-allowance, and the quote that this follows from: that
	// of a draft is locked, if the caller may write. The quote is nil where nothing is converted.
	Costs(ctx context.Context, s *Service, t Transaction) (Transaction, *quote.Quote, error)
	// Acceptable checks, before accept's write, whether the transaction can be accepted. guard is called again inside
	// the write; nil: there is nothing to check again.
	Acceptable(ctx context.Context, s *Service, t Transaction) (guard Guard, err error)
	// Deletable refuses to delete a waiting transaction for a reason of the type.
	Deletable(t Transaction) error
	// Cancel undoes, in the write that deletes or rejects the transaction, what check-allowance and submit have
	// reserved; of a draft that may be nothing.
	Cancel(tx *db.Tx, t Transaction) error

	// Show fills in the type's part of the view of a transaction and its payments. own reports whether the caller
	// belongs to the organisation.
	Show(v *View, t Transaction, own bool)
}

// Guard is what accept checks of a type inside its write.
type Guard func(ctx context.Context, tx *db.Tx) error

// Traits are the facts of a type.
type Traits struct {
	Accepted     SettlementStatus    // the settlement status that accept leads to; empty: it is never accepted
	ApprovedOnly bool                // only an APPROVED organisation may create or submit it
	TakesSender  bool                // submit may name who sends a deposit
	Converts     bool                // what leaves the wallet depends on a rate, so an approval has a headroom
	Actions      map[Status][]string // what the caller may do next besides update, submit, accept and delete
}

// Check compares the input of one request with the records that it names.
type Check interface {
	// Build returns the draft, which is valid only if nothing was noted. It reads nothing.
	Build(l *fault.List) Draft
	// Usable notes what only submit requires: wallets proven and screened, bank accounts validated.
	Usable(d Draft, now time.Time, l *fault.List)
	// Price adds the cost to the draft. firm is set for validate and submit, which need a rate; a draft may be without.
	Price(ctx context.Context, d *Draft, firm bool) error
	// Prepare makes the calls to the outside that submit needs. It runs before submit's write and returns what the
	// type does inside it.
	Prepare(ctx context.Context, t Transaction, d Draft) (Lock, error)
}

// Lock is the type's part of submit's write: reservation, quote, reference. It returns the transaction as it will be
// and its settlement status; an empty one leaves it unchanged.
type Lock func(ctx context.Context, tx *db.Tx, t Transaction) (Transaction, SettlementStatus, error)

// Draft is the result of checking an input.
type Draft struct {
	Payments []Payment
	Debit    *big.Int
	Terms    Terms
	Quote    *quote.Quote // nil: nothing is converted, or no rate was available
}

// NewDraft returns a draft of as many payments as the input has.
func NewDraft(in *Input) Draft {
	return Draft{Debit: new(big.Int), Payments: make([]Payment, len(in.Payments))}
}

// offers refuses a transaction of a type that this deployment no longer carries out.
func (s *Service) offers(t Transaction) error {
	if kind, ok := s.Kinds[t.Type]; ok && kind.Offered() {
		return nil
	}

	return fault.New(
		fault.Conflict,
		fault.TypeUnsupported,
		"This deployment does not carry out %s transactions.",
		t.Type,
	)
}
