package transaction

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/core/money"
	"slipway/internal/directory/analysis"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/quote"
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
	// Kinds are the types that transactions can have. Without them stored transactions can only be read and advanced.
	Kinds map[Type]Kind
	// Quotes holds the prices that FIAT and ONRAMP transactions were locked at; nil: none are shown.
	Quotes *quote.Service
	// Bank returns the transaction's instructions at the bank, and money that came back.
	Bank func(ctx context.Context, q db.Querier, t Transaction) (BankSide, error)
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

// Service holds the use cases. Each one that writes takes a done function, which it calls with the result at the end of
// the write.
type Service struct {
	Deps
	numbers   *numbers
	directory *directoryReader
	payers    *payerReader
	recalled  *recalled
}

// New returns the service.
func New(d Deps) *Service {
	return &Service{
		Deps:      d,
		numbers:   newNumbers(d.DB),
		directory: newDirectoryReader(d.DB.Clock()),
		payers:    newPayerReader(d.Chain, d.DB),
		recalled:  newRecalled(d.DB),
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

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		t := t
		t.ID = id.New(idPrefix, tx.Now)
		t.CreatedAt = tx.Now
		t.UpdatedAt = tx.Now

		if err := in.stillHas(ctx, tx, t.Organisation); err != nil {
			return err
		}

		if err := payables.reserve(tx, t); err != nil {
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
func (t *Transaction) fill(r *Request, d Draft) {
	t.Token = r.Input.Token
	t.Decimals = r.Token.Decimals
	t.Network = r.Network.ID
	t.Wallet = r.Payer.ID
	t.WalletAddress = r.Payer.Address
	t.Debit = d.Debit
	t.Payments = d.Payments
	t.Terms = d.Terms
}

// checkDraft runs all checks that a draft must pass: shape, then directory, then price.
func (s *Service) checkDraft(ctx context.Context, in *Input, partner string) (*Request, Draft, error) {
	var l fault.List
	if partner != "" {
		l.Add("header partnerId", fault.PartnerUnknown, "is not a partner of your credential.")
	}

	kind, ok := s.Kinds[Type(in.Type)]
	if !ok || !kind.Offered() {
		l.Add("/type", fault.TypeUnsupported, "This deployment does not carry out %s transactions.", in.Type)
		return nil, Draft{}, l.Err()
	}

	r := &Request{Organisation: caller.Of(ctx).Organisation, Partner: partner, Input: in}
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
	if err := l.Err(); err != nil {
		return nil, Draft{}, err
	}

	return r, d, check.Price(ctx, &d, false)
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
	trail.Audit(ctx, tx, t.Organisation, "transaction."+what, t.ID, t.StatusInfo)
	return trail.Event(tx, "transaction."+what, t.Organisation, t.ID, t.Version, eventData(t))
}

// eventView is the transaction as its events carry it.
type eventView struct {
	ID               string           `json:"_id"`
	Status           Status           `json:"status"`
	SettlementStatus SettlementStatus `json:"settlementStatus"`
	StatusInfo       string           `json:"statusInfo"`
	Type             Type             `json:"type"`
	Token            string           `json:"token"`
	Amount           string           `json:"amount"`
	Version          int64            `json:"version"`
	AmountCurrency   string           `json:"amountCurrency,omitempty"` // ONRAMP: the currency of the amount
}

func eventData(t Transaction) eventView {
	v := eventView{
		ID:               t.ID,
		Status:           t.Status,
		SettlementStatus: t.Settlement,
		StatusInfo:       t.StatusInfo,
		Type:             t.Type,
		Token:            t.Token,
		Amount:           money.Format(t.Debit, t.Decimals),
		Version:          t.Version,
	}

	if t.AmountCurrency != "" { // ONRAMP
		v.Amount = t.Deposit().String()
		v.AmountCurrency = t.AmountCurrency
	}

	return v
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

// ByID returns any organisation's transaction, for settlement and staff. It returns db.ErrNone if there is none.
func ByID(ctx context.Context, q db.Querier, transactionID string) (Transaction, error) {
	return find(ctx, q, transactionID)
}

// Replace overwrites a draft with a new input. version is the caller's If-Match value, or 0 to skip the check.
func (s *Service) Replace(ctx context.Context, transactionID string, in Input, version int64, done Done) error {
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
		if err := editable(t, version); err != nil {
			return err
		}

		if Type(in.Type) != t.Type {
			return typeFixed(t)
		}

		if err := in.stillHas(ctx, tx, t.Organisation); err != nil {
			return err
		}

		before := t.Version
		t.fill(r, d)
		t.edited(caller.Of(ctx).User)
		t.UpdatedAt = tx.Now
		t.Version = before + 1

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
	return s.Change(ctx, transactionID, func(tx *db.Tx, t Transaction) error {
		if err := s.cancelForDeletion(tx, t); err != nil {
			return err
		}

		markDeleted(tx, t)
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

// cancelForDeletion refuses to delete the transaction, or undoes what submit reserved.
func (s *Service) cancelForDeletion(tx *db.Tx, t Transaction) error {
	switch t.Status {
	case StatusDraft:
		return nil

	case StatusWaiting:
		kind := s.Kinds[t.Type]
		if err := kind.Deletable(t); err != nil {
			return err
		}

		return kind.Cancel(tx, t)

	default:
		return fault.New(
			fault.Conflict,
			fault.TxNotDeletable,
			"The transaction is %s; only DRAFT and WAITING_ACCEPTANCE ones can be deleted.",
			t.Status,
		)
	}
}

// searchLimit is how many characters of a transaction are indexed for search; a longer text would only slow the list.
const searchLimit = 600

// searchText returns the text that searchTerm searches, folded to lower case once, here.
func searchText(t Transaction) string {
	var b strings.Builder
	length := 0
	write := func(part string) {
		b.WriteString(part)
		length += utf8.RuneCountInString(part)
	}
	write(t.ID + " " + t.WalletAddress)

	if t.Reference != "" {
		write(" " + t.Reference + " " + creditorref.Show(t.Reference))
	}

	for i := 0; i < len(t.Payments) && length < searchLimit; i++ {
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
