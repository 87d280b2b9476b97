package transaction

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/directory/analysis"
	"slipway/internal/directory/safetx"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/words"
)

// Chain is what a transaction reads from a network before it decides. The chain rail implements it. Every call goes
// over the network, so none is made inside a write.
type Chain interface {
	// Funds returns the owner's balance of the token and the allowance approved to the router, both in base units.
	Funds(ctx context.Context, networkID string, token, owner common.Address) (balance, allowance *big.Int, err error)
	// ApproveWouldRevert reports whether changing the allowance to units would fail at present: some tokens refuse to
	// change one non-zero allowance into another.
	ApproveWouldRevert(ctx context.Context, networkID string, token, owner common.Address, units *big.Int) (bool, error)
	// Holdings returns the owner's balance and allowance of each token, and the block at which all were read.
	Holdings(
		ctx context.Context,
		networkID string,
		owner common.Address,
		tokens []common.Address,
	) (Point, []Holding, error)
	// Allowances returns what the owner has approved of each token to each spender, by token and then by spender, and
	// the block at which all was read.
	Allowances(
		ctx context.Context,
		networkID string,
		owner common.Address,
		tokens, spenders []common.Address,
	) (Point, [][]*big.Int, error)
	// CodeAt returns the code at an address; empty: there is no contract.
	CodeAt(ctx context.Context, networkID string, at common.Address) ([]byte, error)
}

// Deps are the service's dependencies.
type Deps struct {
	DB        *db.DB
	Chain     Chain
	Screening *analysis.Service
	// Signatures verifies what payers sign in place of approvals; nil: nothing is taken.
	Signatures Signatures
	// ProofHolds checks again whether the paying wallet's proof is valid; nil: no check.
	ProofHolds func(ctx context.Context, w wallet.Wallet) error
	// Safe keeps what the owners of a Safe confirm so that it approves; nil in the answer: the wallet is none. nil: no
	// wallet is one.
	Safe func(ctx context.Context, n safetx.Need) (*safetx.View, error)
	// Settle enqueues the settlement job of an accepted transaction inside the caller's write.
	Settle func(tx *db.Tx, transactionID string)
	// Forbidden reports whether an address must never be paid on a network: the zero address, precompiles, tokens, our
	// own contracts.
	Forbidden func(networkID string, a common.Address) bool
	// Effects returns the sends of transactions on the chain, by transaction.
	Effects func(ctx context.Context, q db.Querier, all []Transaction) (map[string][]Effect, error)
	// Payables is called for transactions made of payables; without it none can be made.
	Payables Payables
	// Kinds are the types that transactions can have. Without them stored transactions can only be read and advanced.
	Kinds map[Type]Kind
	// Quotes holds the prices that FIAT and ONRAMP transactions were locked at; nil: none are shown.
	Quotes *quote.Service
	// Headroom is by how much wallets approve more than FIAT transactions cost, where the organisation has set nothing.
	Headroom organisation.Headroom
	// Bank returns the instructions of transactions at the bank, and money that came back, by transaction.
	Bank func(ctx context.Context, q db.Querier, all []Transaction) (map[string]BankSide, error)
	// Known return the transactions, of any organisation, that others know by a word of a search: a hash on the chain,
	// a reference at the bank.
	Known []func(ctx context.Context, q db.Querier, word string) ([]string, error)
	// Lists limits the memory for long lists.
	Lists ListLimits
}

// Effect is one send on a chain, as clients see it.
type Effect struct {
	Network       string `json:"network"`
	TxHash        string `json:"txHash,omitempty"`
	Nonce         *int64 `json:"nonce"`
	Status        string `json:"status"`
	Confirmations int64  `json:"confirmations"`
	BlockHash     string `json:"blockHash,omitempty"`
	BlockNumber   int64  `json:"blockNumber"`
	GasUsed       int64  `json:"gasUsed"`
	ReplacedBy    string `json:"replacedBy,omitempty"`
	Info          string `json:"info,omitempty"`

	// Stopped is set for a send that waits because nothing new leaves on its network, with since when, if that is
	// known.
	Stopped   bool      `json:"-"`
	StoppedAt time.Time `json:"-"`
}

// Service holds the use cases. Each one that writes takes a done function, which it calls with the result at the end of
// the write.
type Service struct {
	Deps
	numbers   *numbers
	directory *directoryReader
	payers    *payerReader
	recalled  *recalled
	listed    *listed
}

// New returns the service.
func New(d Deps) *Service {
	return &Service{
		Deps:      d,
		numbers:   newNumbers(d.DB),
		directory: newDirectoryReader(d.DB.Clock()),
		payers:    newPayerReader(d.Chain, d.DB),
		recalled:  newRecalled(d.DB),
		listed:    newListed(d.DB, d.Lists),
	}
}

// Done is called inside the write, at its end, with the transaction that the client will see. Its error rolls the write
// back.
type Done func(tx *db.Tx, t Transaction) error

// Create makes a draft. A second call makes a second draft, unless the request carries an Idempotency-Key.
func (s *Service) Create(ctx context.Context, in Input, partner string, done Done) error {
	return s.create(ctx, in, partner, nil, done)
}

// create makes a draft, out of payables if there are any.
func (s *Service) create(ctx context.Context, in Input, partner string, payables *ofPayables, done Done) error {
	p := caller.Of(ctx)

	r, d, err := s.checkDraft(ctx, &in, partner)
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
	t.fill(r, d)
	payables.mark(&t)
	searched := searchText(t)

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		t := t
		t.ID = id.New(idPrefix, tx.Now)
		t.CreatedAt = tx.Now
		t.UpdatedAt = tx.Now

		if err := in.stillHas(ctx, tx, t.Organisation); err != nil {
			return err
		}

		if err := checkAgain(ctx, tx, t); err != nil {
			return err
		}

		if err := payables.reserve(tx, t); err != nil {
			return err
		}

		insert(tx, t, searched)
		insertTerms(tx, t)

		if err := s.record(ctx, tx, t, "created"); err != nil {
			return err
		}

		t.begun = true

		return done(tx, t)
	})
}

// fill copies a checked draft into a transaction.
func (t *Transaction) fill(r *Request, d Draft) {
	t.Token = r.Input.Token
	t.Decimals = r.Token.Decimals
	t.Network = r.Network.ID
	t.Wallet = r.Payer.ID
	t.WalletAddress = r.Payer.Address
	t.Debit = d.Debit
	t.Payments = d.Payments
	t.Terms = d.Terms
	t.Fees = nil

	if d.Quote != nil {
		t.Fees = d.Quote.FeeViews()
	}
}

// checkDraft runs all checks that a draft must pass: shape, then directory, then price.
func (s *Service) checkDraft(ctx context.Context, in *Input, partner string) (*Request, Draft, error) {
	return s.checkInput(ctx, &Request{Organisation: caller.Of(ctx).Organisation, Partner: partner, Input: in})
}

// checkInput is checkDraft of a request.
func (s *Service) checkInput(ctx context.Context, r *Request) (*Request, Draft, error) {
	in := r.Input
	partner := r.Partner
	l := caller.Faults(ctx)

	if partner != "" {
		l.AddParameter("header", "partnerId", fault.PartnerUnknown, "is not a partner of your credential.")
	}

	kind, ok := s.Kinds[Type(in.Type)]
	if !ok || !kind.Offered() {
		l.Add("/type", fault.TypeUnsupported, "This deployment does not carry out %s transactions.", in.Type)
		return nil, Draft{}, l.Err()
	}

	if err := s.admit(ctx, kind, r.Organisation); err != nil {
		return nil, Draft{}, err
	}

	in.CheckShape(kind, &l)

	if err := in.noteDocuments(ctx, s.DB, r.Organisation, &l); err != nil {
		return nil, Draft{}, err
	}

	check, err := s.readCheck(ctx, s.DB, kind, r)
	if err != nil {
		return nil, Draft{}, err
	}

	d := check.Build(&l)
	if l.Empty() {
		return r, d, check.Price(ctx, &d, false)
	}

	if part := d.withoutRefused(&l); r.PayerErr == nil && r.TokenErr == nil && len(part.Payments) > 0 {
		_ = l.Note(
			"/payments",
			check.Price(ctx, &part, false),
		) // a price that is not to be had is no fault of the request
	}

	return nil, Draft{}, l.Err()
}

// withoutRefused returns the draft with the payments about which nothing was noted, so that their price can be checked.
func (d Draft) withoutRefused(l *fault.List) Draft {
	refused := fault.Continue(l.Fields())

	var sound []Payment
	for _, p := range d.Payments {
		if refused.Sound(PaymentAt(p.Position)) {
			sound = append(sound, p)
		}
	}

	d.Payments = sound

	return d
}

// admit refuses an organisation that may not create or submit a transaction of the kind.
func (s *Service) admit(ctx context.Context, kind Kind, org string) error {
	if !kind.Traits().ApprovedOnly {
		return nil
	}

	o, err := organisation.ByID(ctx, s.DB, org)
	if err != nil {
		return err
	}

	return o.Approved()
}

// readCheck fills in the records that the request names and returns its check.
func (s *Service) readCheck(ctx context.Context, q db.Querier, kind Kind, r *Request) (Check, error) {
	r.snapshots = map[string]string{}
	r.forbidden = s.Forbidden

	if err := s.directory.read(ctx, q, r); err != nil {
		return nil, err
	}

	return kind.Check(ctx, s, q, r)
}

// record writes the event and the audit line of a change.
func (s *Service) record(ctx context.Context, tx *db.Tx, t Transaction, what string) error {
	trail.Audit(ctx, tx, t.Organisation, "transaction."+what, t.ID, words.English(t.StatusInfo))
	return trail.Event(tx, "transaction."+what, t.Organisation, t.ID, t.Version, eventData(t))
}

// Find returns a transaction of the caller's organisation. Another organisation's is refused like one that does not
// exist.
func (s *Service) Find(ctx context.Context, q db.Querier, transactionID string) (Transaction, error) {
	if !id.Valid(idPrefix, transactionID) {
		return Transaction{}, fault.Missing("transaction")
	}

	t, err := s.recalled.find(ctx, q, transactionID)

	if errors.Is(err, db.ErrNone) || (err == nil && t.Organisation != caller.Of(ctx).Organisation) {
		return Transaction{}, fault.Missing("transaction")
	}

	return t, err
}

// OrganisationOf returns the organisation of any transaction that is not deleted, or db.ErrNone.
func OrganisationOf(ctx context.Context, q db.Querier, transactionID string) (string, error) {
	return organisationOf(ctx, q, transactionID)
}

// ByID returns any organisation's transaction, for settlement and staff. It returns db.ErrNone if there is none.
func ByID(ctx context.Context, q db.Querier, transactionID string) (Transaction, error) {
	return find(ctx, q, transactionID)
}

// Replace overwrites a draft with a new input. An input that is what the draft has changes nothing.
func (s *Service) Replace(ctx context.Context, transactionID string, in Input, done Done) error {
	if t, err := s.Find(ctx, s.DB, transactionID); err != nil {
		return err
	} else if t.OfPayables {
		return fixedByPayables()
	}

	r, d, err := s.checkDraft(ctx, &in, "")
	if err != nil {
		return err
	}

	return s.Change(ctx, transactionID, func(tx *db.Tx, t Transaction) error {
		if err := editable(t); err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, t.Version); err != nil {
			return err
		}

		if Type(in.Type) != t.Type {
			return typeFixed(t)
		}

		if err := in.stillHas(ctx, tx, t.Organisation); err != nil {
			return err
		}

		next := t
		next.fill(r, d)

		kind := s.Kinds[t.Type]
		if reflect.DeepEqual(kind.Input(next), kind.Input(t)) {
			return done(tx, t)
		}

		before := t.Version
		t = next
		t.edited(caller.Of(ctx).User)
		t.UpdatedAt = tx.Now
		t.Version = before + 1

		if err := checkAgain(ctx, tx, t); err != nil {
			return err
		}

		if err := replace(tx, t, searchText(t), before); err != nil {
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

func editable(t Transaction) error {
	if t.Status != StatusDraft {
		return fault.New(
			fault.Conflict,
			fault.TxNotDraft,
			"The transaction is %s; only a DRAFT can be changed.",
			t.Status,
		)
	}

	return nil
}

// Hide hides a transaction from lists that ask for those that are not hidden, or shows it again. It changes nothing
// else. A second call changes nothing.
func (s *Service) Hide(ctx context.Context, transactionID string, hidden bool, done Done) error {
	return s.Change(ctx, transactionID, func(tx *db.Tx, t Transaction) error {
		if err := caller.Unchanged(ctx, t.Version); err != nil {
			return err
		}

		if t.Hidden == hidden {
			return done(tx, t)
		}

		setHidden(tx, t, hidden)
		t.Hidden = hidden
		t.UpdatedAt = tx.Now
		t.Version++

		what := "shown"
		if hidden {
			what = "hidden"
		}

		if err := s.record(ctx, tx, t, what); err != nil {
			return err
		}

		return done(tx, t)
	})
}

// Delete removes a draft. It also cancels and removes a transaction that waits for acceptance, and frees what it
// reserved.
func (s *Service) Delete(ctx context.Context, transactionID string, done Done) error {
	return s.Change(ctx, transactionID, func(tx *db.Tx, t Transaction) error {
		if err := caller.Unchanged(ctx, t.Version); err != nil {
			return err
		}

		if err := s.cancelForDeletion(tx, t); err != nil {
			return err
		}

		markDeleted(tx, t)
		t.UpdatedAt = tx.Now
		t.Version++
		t.Deleted = true

		if err := s.notifyPayables(ctx, tx, t); err != nil {
			return err
		}

		if err := s.record(ctx, tx, t, "deleted"); err != nil {
			return err
		}

		return done(tx, t)
	})
}

// cancelForDeletion refuses to delete the transaction, or undoes what check-allowance and submit have reserved.
func (s *Service) cancelForDeletion(tx *db.Tx, t Transaction) error {
	kind := s.Kinds[t.Type]

	switch t.Status {
	case StatusDraft: // only check-allowance has left anything

	case StatusWaiting:
		if err := kind.Deletable(t); err != nil {
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

	return kind.Cancel(tx, t)
}

// NetworkInUse reports whether a network still has transactions under way.
func NetworkInUse(ctx context.Context, q db.Querier, networkID string) (bool, error) {
	n, err := openOnNetwork(ctx, q, networkID)
	return n > 0, err
}
