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

// kind is what one type of transaction does in each use case. The use cases ask this table and never for the type; a
// function that is nil has nothing to do.
type kind struct {
	// offered says whether this deployment carries the type out.
	offered func(s *Service) bool
	// gate refuses an organisation that may not make or submit such a transaction.
	gate func(ctx context.Context, s *Service, q db.Querier, organisation string) error
	// shape notes what is wrong with an input by itself, before anything is read.
	shape func(in *Input, l *fault.List)
	// lookUp reads what the input names. What is not there is left out of the result: build says so beside the field.
	lookUp func(ctx context.Context, s *Service, q db.Querier, organisation string, in *Input, fresh bool) (*known, error)
	// build compares the input with what is known. The draft counts only when nothing was noted. It is pure.
	build func(in *Input, k *known, l *fault.List) draft
	// price adds what the draft costs; for validate and submit a rate must be had, for a draft it may be missing.
	price func(ctx context.Context, s *Service, organisation, partner string, d *draft, k *known, must bool) error
	// again is the stored transaction in the form a client gave it.
	again func(t Transaction) Input
	// usable notes what only submit asks: wallets proven and screened, bank accounts validated.
	usable func(k *known, d draft, now time.Time, l *fault.List)
	// prepare asks the world before submit's write; nothing of it happens inside one.
	prepare func(ctx context.Context, s *Service, t Transaction, d draft, k *known) (prepared, error)
	// lock is submit's part inside the write: reservation, quote, reference. It gives the transaction as it will be.
	lock func(ctx context.Context, s *Service, tx *db.Tx, t Transaction, p prepared) (Transaction, SettlementStatus, error)
	// costs gives the transaction with what it costs now, for check-allowance; nil: what is stored.
	costs func(ctx context.Context, s *Service, t Transaction) (Transaction, error)
	// takesSender says whether submit may name who sends a deposit.
	takesSender bool
	// acceptable says, before accept's write, what keeps it from being accepted. good is asked again inside the
	// write; nil: nothing to ask.
	acceptable func(ctx context.Context, s *Service, p caller.Principal, t Transaction) (good func(now time.Time) error, err error)
	// deletable refuses to delete one that waits, for a reason of its own; nil: there is none.
	deletable func(t Transaction) error
	// cancel undoes inside the write what submit had reserved: the transaction is deleted or rejected.
	cancel func(tx *db.Tx, t Transaction) error
	// accepted is the settlement status that accept leads to; empty: it is never accepted.
	accepted SettlementStatus
	// hash adds to the content's hash what is locked besides.
	hash func(t Transaction, put func(string))
	// show fills in what the view of a transaction and of its payments says besides, from its own rows.
	show func(v *View, t Transaction, full bool)
	// more adds what stands in other tables; only for one transaction, not in lists.
	more func(ctx context.Context, s *Service, q db.Querier, v *View, t Transaction) error
	// actions are what the caller may do next beside update, submit, accept and delete.
	actions map[Status][]string
	// tell changes what an event says of the transaction.
	tell func(t Transaction, v *eventView)
}

// draft is what an input has become.
type draft struct {
	payments []Payment
	debit    *big.Int
	terms    Terms
	quote    *quote.Quote // nil: nothing is converted, or no rate was to be had
}

// prepared is what was asked before submit's write.
type prepared struct {
	funds     fundsAnswer
	read      time.Time // when funds were asked for
	quote     quote.Quote
	deposit   DepositAccount
	treasury  string // the network's, as it is now
	sender    string
	reference string
}

// The tables, made when they are first asked for: as initialised variables they would depend on themselves.
var fiatMade, onrampMade, cryptoMade atomic.Pointer[kind]

// kindOf gives the table of a type.
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
