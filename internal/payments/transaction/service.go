package transaction

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/directory/analysis"
	"slipway/internal/directory/network"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/wallet"
	"slipway/internal/platform/cache"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/standards/creditorref"
)

// Chain is what a transaction reads from a network before it decides. The chain rail implements it. Every call goes
// over the network, so none is made inside a write.
type Chain interface {
	// Funds returns the owner's balance of the token and the allowance approved to the router, both in base units.
	Funds(ctx context.Context, networkID string, token, owner common.Address) (balance, allowance *big.Int, err error)
	// ApproveWouldRevert reports whether changing the allowance to units would fail at present: some tokens refuse to
	// change one non-zero allowance into another.
	ApproveWouldRevert(ctx context.Context, networkID string, token, owner common.Address, units *big.Int) (bool, error)
}

// Deps are the service's dependencies.
type Deps struct {
	DB        *db.DB
	Chain     Chain
	Screening *analysis.Service
	// ProofHolds checks again whether the paying wallet's proof is valid; nil: no check.
	ProofHolds func(ctx context.Context, w wallet.Wallet) error
	// Settle enqueues the settlement job of an accepted transaction inside the caller's write.
	Settle func(tx *db.Tx, transactionID string)
	// Forbidden reports whether an address must never be paid on a network: the zero address, precompiles, tokens, our
	// own contracts.
	Forbidden func(networkID string, a common.Address) bool
	// Effects returns the transaction's sends on the chain.
	Effects func(ctx context.Context, q db.Querier, t Transaction) ([]Effect, error)
	// Payables is called for transactions made of payables; without it none can be made.
	Payables Payables
	Banking
}

// Effect is one send on a chain, as clients see it.
type Effect struct {
	Network       string `json:"network"`
	TxHash        string `json:"txHash"`
	Nonce         *int64 `json:"nonce"`
	Status        string `json:"status"`
	Confirmations int64  `json:"confirmations"`
	BlockHash     string `json:"blockHash"`
	BlockNumber   int64  `json:"blockNumber"`
	GasUsed       int64  `json:"gasUsed"`
	ReplacedBy    string `json:"replacedBy"`
	Info          string `json:"info,omitempty"`
}

// directoryAge is how old a cached receiver or wallet may be when a draft is made from it. Submit and accept read it
// fresh.
const directoryAge = 3 * time.Second

// proofAge is how long the service remembers that a wallet was proven by its own key. Another proof of the same wallet
// needs a change of the wallet first, which the gate in accept's statement detects at once.
const proofAge = time.Minute

// Service holds the use cases. Each one that writes takes a done function, which it calls with the result at the end of
// the write.
type Service struct {
	Deps
	numbers   *numbers
	receivers *cache.Cache[receiver.Receiver]
	wallets   *cache.Cache[wallet.Wallet]
	payers    *cache.Cache[wallet.Wallet]
	networks  *cache.Cache[network.Network]
	tokens    *cache.Cache[network.Token]
	funds     *cache.Cache[fundsAnswer]
	kept      *cache.Cache[Transaction]
	locked    *cache.Cache[Transaction]
	byKey     *cache.Cache[bool] // wallets that were proven by their own key
	found     *db.Lookup[Transaction]
}

// New returns the service.
func New(d Deps) *Service {
	c := d.DB.Clock()
	s := &Service{
		Deps:      d,
		numbers:   newNumbers(d.DB),
		receivers: cache.New[receiver.Receiver](c, directoryAge, 50_000),
		wallets:   cache.New[wallet.Wallet](c, directoryAge, 50_000),
		payers:    cache.New[wallet.Wallet](c, directoryAge, 20_000),
		networks:  cache.New[network.Network](c, directoryAge, 200),
		tokens:    cache.New[network.Token](c, directoryAge, 1_000),
		funds:     cache.New[fundsAnswer](c, fundsAge, 10_000),
		kept:      cache.New[Transaction](c, recallAge, recallLimit),
		locked:    newLocked(c),
	}
	s.byKey = cache.New[bool](c, proofAge, 50_000)
	s.found = db.NewLookup(s.recall)

	return s
}

// Done is called inside the write, at its end, with the transaction that the client will see. Its error rolls the write
// back.
type Done func(tx *db.Tx, t Transaction) error

// Create makes a draft. A second call makes a second draft, unless the request carries an Idempotency-Key.
func (s *Service) Create(ctx context.Context, in Input, partner string, done Done) error {
	return s.create(ctx, in, partner, nil, done)
}

// create makes a draft. If made is not nil, it is called inside the write.
func (s *Service) create(ctx context.Context, in Input, partner string, made *ofPayables, done Done) error {
	p := caller.Of(ctx)

	d, k, err := s.checked(ctx, s.DB, p.Organisation, &in, partner)
	if err != nil {
		return err
	}

	number, err := s.numbers.take(ctx)
	if err != nil {
		return fmt.Errorf("take a batch number: %w", err)
	}

	t := Transaction{
		Organisation: p.Organisation,
		Number:       number,
		Type:         Type(in.Type),
		Status:       StatusDraft,
		Settlement:   SettlementIdle,
		Partner:      partner,
		CreatedBy:    p.User,
		Version:      1,
	}
	t.fill(in, d, k)
	made.mark(&t)

	return s.DB.WriteOnly(ctx, func(tx *db.Tx) error { // it reads only if the input names documents
		t := t
		t.ID = id.New(idPrefix, tx.Now)
		t.CreatedAt = tx.Now

		t.UpdatedAt = tx.Now
		if err := in.stillHas(ctx, tx, t.Organisation); err != nil {
			return err
		}

		if err := made.reserve(tx, t); err != nil {
			return err
		}

		insert(tx, t, searchText(t))
		insertTerms(tx, t)

		if err := s.record(ctx, tx, t, "created"); err != nil {
			return err
		}

		return done(tx, t)
	})
}

// fill copies a checked draft into a transaction.
func (t *Transaction) fill(in Input, d draft, k *known) {
	t.Token = in.Token
	t.Decimals = k.token.Decimals
	t.Network = k.network.ID
	t.Wallet = k.payer.ID
	t.WalletAddress = k.payer.Address
	t.Debit = d.debit
	t.Payments = d.payments
	t.Terms = d.terms
}

// checked runs all checks that a draft must pass: shape, then directory, then price.
func (s *Service) checked(
	ctx context.Context,
	q db.Querier,
	org string,
	in *Input,
	partner string,
) (draft, *known, error) {
	var l fault.List
	if partner != "" {
		l.Add("header partnerId", fault.PartnerUnknown, "is not a partner of your credential.")
	}

	kind := kindOf(Type(in.Type))
	if kind.offered != nil && !kind.offered(s) {
		l.Add("/type", fault.TypeUnsupported, "This deployment does not carry out %s transactions.", in.Type)
		return draft{}, nil, l.Err()
	}

	if kind.gate != nil {
		if err := kind.gate(ctx, s, q, org); err != nil {
			return draft{}, nil, err
		}
	}

	in.shape(&l)

	if err := in.noteDocuments(ctx, q, org, &l); err != nil {
		return draft{}, nil, err
	}

	k, err := kind.lookUp(ctx, s, q, org, in, false)
	if err != nil {
		return draft{}, k, err
	}

	d := kind.build(in, k, &l)
	if err := l.Err(); err != nil || kind.price == nil {
		return d, k, err
	}

	return d, k, kind.price(ctx, s, org, partner, &d, k, false)
}

// record writes the event and the audit line of a change.
func (s *Service) record(ctx context.Context, tx *db.Tx, t Transaction, what string) error {
	trail.Audit(ctx, tx, t.Organisation, "transaction."+what, t.ID, t.StatusInfo)
	return trail.Event(tx, "transaction."+what, t.Organisation, t.ID, t.Version, eventData(t))
}

// Find returns a transaction of the caller's organisation. Another organisation's is refused like one that does not
// exist.
func (s *Service) Find(ctx context.Context, q db.Querier, transactionID string) (Transaction, error) {
	if !id.Valid(idPrefix, transactionID) {
		return Transaction{}, fault.Missing("transaction")
	}

	t, err := s.load(ctx, q, transactionID)
	if err == nil {
		t, err = s.complete(ctx, q, t)
	}

	if errors.Is(err, db.ErrNone) || (err == nil && t.Organisation != caller.Of(ctx).Organisation) {
		return Transaction{}, fault.Missing("transaction")
	}

	return t, err
}

// load reads a transaction. Inside a write or a snapshot it runs its own statement; otherwise it shares one with
// concurrent callers.
func (s *Service) load(ctx context.Context, q db.Querier, id string) (Transaction, error) {
	if q == db.Querier(s.DB) {
		t, err := s.found.Get(ctx, id)
		t.Payments = slices.Clone(t.Payments) // the cached value is shared with other callers
		return t, err
	}

	return load(ctx, q, id)
}

// ByID returns any organisation's transaction, for settlement and staff. It returns db.ErrNone if there is none.
func ByID(ctx context.Context, q db.Querier, transactionID string) (Transaction, error) {
	return find(ctx, q, transactionID)
}

// Replace overwrites a draft with a new input. version is the caller's If-Match value, or 0 to skip the check.
func (s *Service) Replace(ctx context.Context, transactionID string, in Input, version int64, done Done) error {
	org := caller.Of(ctx).Organisation
	if t, err := s.Find(ctx, s.DB, transactionID); err != nil {
		return err
	} else if t.OfPayables {
		return fixedByPayables()
	}

	d, k, err := s.checked(ctx, s.DB, org, &in, "")
	if err != nil {
		return err
	}

	return s.write(ctx, func(tx *db.Tx) error {
		t, err := s.Find(ctx, tx, transactionID)
		if err != nil {
			return err
		}

		if err := editable(t, version); err != nil {
			return err
		}

		if Type(in.Type) != t.Type {
			return typeFixed(t)
		}

		if err := in.stillHas(ctx, tx, org); err != nil {
			return err
		}

		was := t.Version
		t.fill(in, d, k)
		t.edited(caller.Of(ctx).User)
		t.UpdatedAt = tx.Now

		t.Version = was + 1
		if err := replace(tx, t, searchText(t), was); err != nil {
			return err
		}

		if err := replaceTerms(tx, t); err != nil {
			return err
		}

		if err := s.record(ctx, tx, t, "updated"); err != nil {
			return err
		}

		return done(tx, t)
	})
}

// typeFixed returns the refusal to change a draft's type: what clients were told about it would no longer hold.
func typeFixed(t Transaction) error {
	var l fault.List
	l.Add("/type", fault.TxNotForType, "The draft is a %s transaction; its type does not change.", t.Type)
	return l.Err()
}

func editable(t Transaction, version int64) error {
	if t.Status != StatusDraft {
		return fault.New(
			fault.Conflict,
			fault.TxNotDraft,
			"The transaction is %s; only a DRAFT can be changed.",
			t.Status,
		)
	}

	if version != 0 && version != t.Version {
		return versionMismatch(t, version)
	}

	return nil
}

func versionMismatch(t Transaction, version int64) error {
	return fault.New(
		fault.Precondition,
		fault.VersionMismatch,
		"The transaction is at version %d, not %d.",
		t.Version,
		version,
	)
}

// Delete removes a draft. It also cancels and removes a transaction that waits for acceptance, and frees what it
// reserved.
func (s *Service) Delete(ctx context.Context, transactionID string, done Done) error {
	return s.write(ctx, func(tx *db.Tx) error {
		t, err := s.Find(ctx, tx, transactionID)
		if err != nil {
			return err
		}

		switch t.Status {
		case StatusDraft:

		case StatusWaiting:
			kind := kindOf(t.Type)
			if kind.deletable != nil {
				if err := kind.deletable(t); err != nil {
					return err
				}
			}

			if err := kind.cancel(tx, t); err != nil {
				return err
			}

		default:
			return fault.New(
				fault.Conflict,
				fault.TxNotDeletable,
				"The transaction is %s; only DRAFT and WAITING_ACCEPTANCE ones can be deleted.",
				t.Status,
			)
		}

		markDeleted(tx, t)
		t.Version = t.Version + 1

		t.Deleted = true
		if err := s.tellPayables(ctx, tx, t); err != nil {
			return err
		}

		if err := s.record(ctx, tx, t, "deleted"); err != nil {
			return err
		}

		return done(tx, t)
	})
}

// searchLimit is how many characters of a transaction are indexed for search; a longer text would only slow the list.
const searchLimit = 600

// searchText returns the text that searchTerm searches, folded to lower case once, here.
func searchText(t Transaction) string {
	var b strings.Builder
	signs := 0
	write := func(part string) {
		b.WriteString(part)
		signs += utf8.RuneCountInString(part)
	}
	write(t.ID + " " + t.WalletAddress)

	if t.Reference != "" {
		write(" " + t.Reference + " " + creditorref.Show(t.Reference))
	}

	for i := 0; i < len(t.Payments) && signs < searchLimit; i++ {
		write(" " + t.Payments[i].Reason + " " + t.Payments[i].Address)
	}

	out := strings.ToLower(b.String())

	n := 0
	for at := range out {
		if n == searchLimit {
			return out[:at]
		}

		n++
	}

	return out
}

// NetworkInUse reports whether a network still has transactions under way.
func NetworkInUse(ctx context.Context, q db.Querier, networkID string) (bool, error) {
	n, err := openOnNetwork(ctx, q, networkID)
	return n > 0, err
}
