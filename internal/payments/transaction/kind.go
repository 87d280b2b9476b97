package transaction

import (
	"context"
	"math/big"
	"sync/atomic"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/db"
)

// kind is what one type of transaction does in each use case. Use cases call these functions and never branch on the
// type. A nil function means that the type does nothing there.
type kind struct {
	// offered reports whether this deployment carries the type out.
	offered func(s *Service) bool
	// gate refuses an organisation that may not make or submit such a transaction.
	gate func(ctx context.Context, s *Service, q db.Querier, organisation string) error
	// shape notes what is wrong with an input by itself. It reads nothing.
	shape func(in *Input, l *fault.List)
	// lookUp reads the records that the input names. A missing record is left out of the result; build notes it at its
	// field.
	lookUp func(ctx context.Context, s *Service, q db.Querier, organisation string, in *Input, fresh bool) (*known, error)
	// build compares the input with the known records. The returned draft is valid only if nothing was noted. It is
	// pure.
	build func(in *Input, k *known, l *fault.List) draft
	// price adds the cost to the draft. must is set for validate and submit, which need a rate; a draft may be without.
	price func(ctx context.Context, s *Service, organisation, partner string, d *draft, k *known, must bool) error
	// again returns the stored transaction as an Input, as a client would write it.
	again func(t Transaction) Input
	// usable notes what only submit requires: wallets proven and screened, bank accounts validated.
	usable func(k *known, d draft, now time.Time, l *fault.List)
	// prepare makes the calls to the outside that submit needs. It runs before submit's write, never inside it.
	prepare func(ctx context.Context, s *Service, t Transaction, d draft, k *known) (prepared, error)
	// lock is the type's part of submit's write: reservation, quote, reference. It returns the transaction as it will
	// be.
	lock func(ctx context.Context, s *Service, tx *db.Tx, t Transaction, p prepared) (Transaction, SettlementStatus, error)
	// costs returns the transaction with its present costs, for check-allowance; nil: the stored costs count.
	costs func(ctx context.Context, s *Service, t Transaction) (Transaction, error)
	// takesSender says whether submit may name who sends a deposit.
	takesSender bool
	// acceptable checks, before accept's write, whether the transaction can be accepted. good is called again inside
	// the write; nil: nothing to check.
	acceptable func(ctx context.Context, s *Service, p caller.Principal, t Transaction) (good func(now time.Time) error, err error)
	// deletable refuses to delete a waiting transaction for a reason of the type; nil: there is none.
	deletable func(t Transaction) error
	// cancel undoes, in the write that deletes or rejects the transaction, what submit reserved.
	cancel func(tx *db.Tx, t Transaction) error
	// accepted is the settlement status that accept leads to; empty: it is never accepted.
	accepted SettlementStatus
	// hash adds to the content hash what the type locks besides.
	hash func(t Transaction, put func(string))
	// show fills in the type's part of the view of a transaction and its payments, from its own rows.
	show func(v *View, t Transaction, full bool)
	// more fills in what other tables hold. It is called for a single transaction, not in lists.
	more func(ctx context.Context, s *Service, q db.Querier, v *View, t Transaction) error
	// actions lists what the caller may do next beside update, submit, accept and delete.
	actions map[Status][]string
	// tell changes the view that an event carries.
	tell func(t Transaction, v *eventView)
}

// draft is the result of checking an input.
type draft struct {
	payments []Payment
	debit    *big.Int
	terms    Terms
	quote    *quote.Quote // nil: nothing is converted, or no rate was available
}

// prepared holds the answers from outside that submit's write needs.
type prepared struct {
	funds     fundsAnswer
	read      time.Time // when the funds were read
	quote     quote.Quote
	deposit   DepositAccount
	treasury  string // the network's treasury, as it is now
	sender    string
	reference string
}

// The tables of the types, made on first use: as initialised variables they would depend on themselves.
var fiatMade, onrampMade, cryptoMade atomic.Pointer[kind]

// kindOf returns the table of a type.
func kindOf(t Type) *kind {
	switch t {
	case TypeFiat:
		return made(&fiatMade, fiatKind)
	case TypeOnramp:
		return made(&onrampMade, onrampKind)
	case TypeCrypto:
	}

	return made(&cryptoMade, cryptoKind)
}

func made(table *atomic.Pointer[kind], of func() kind) *kind {
	if k := table.Load(); k != nil {
		return k
	}

	k := of()
	table.Store(&k)

	return &k
}

// offers refuses a transaction of a type that this deployment no longer carries out.
func (s *Service) offers(t Transaction) error {
	if k := kindOf(t.Type); k.offered != nil && !k.offered(s) {
		return fault.New(
			fault.Conflict,
			fault.TypeUnsupported,
			"This deployment does not carry out %s transactions.",
			t.Type,
		)
	}

	return nil
}

// cryptoKind pays tokens from one wallet to others on the same network.
func cryptoKind() kind {
	return kind{
		shape: (*Input).cryptoShape,
		lookUp: func(ctx context.Context, s *Service, q db.Querier, org string, in *Input, fresh bool) (*known, error) {
			return s.lookUp(ctx, q, org, in, fresh)
		},
		build:  (*Input).cryptoBuild,
		again:  Transaction.cryptoInput,
		usable: cryptoUsable,
		prepare: func(ctx context.Context, s *Service, t Transaction, _ draft, k *known) (p prepared, err error) {
			p.read = s.DB.Now()
			p.funds, err = s.fundsOf(ctx, t, k.token, true)
			return p, err
		},
		lock: func(ctx context.Context, s *Service, tx *db.Tx, t Transaction, p prepared) (Transaction, SettlementStatus, error) {
			return t, "", s.reserveFunds(ctx, tx, t, p.funds, p.read)
		},
		acceptable: func(ctx context.Context, s *Service, _ caller.Principal, t Transaction) (func(time.Time) error, error) {
			return nil, s.acceptable(ctx, t)
		},
		cancel:   func(tx *db.Tx, t Transaction) error { releaseReservation(tx, t.ID); return nil },
		accepted: SettlementPulling,
		show:     cryptoShow,
		actions:  map[Status][]string{StatusDraft: {"validate", "check-allowance"}, StatusWaiting: {"check-allowance"}},
	}
}
