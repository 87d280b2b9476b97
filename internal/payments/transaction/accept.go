package transaction

import (
	"context"
	"errors"
	"math/big"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/analysis"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
)

// Accept commits the organisation to paying the transaction. version is the caller's If-Match value, or 0 to skip the
// check. One write moves the transaction to PROCESSING, holds its amount in the ledger and enqueues the settlement job.
// From then on the payment happens exactly once, whatever fails.
//
// The gates stand in the same guarded statement as the move: organisation APPROVED, member AUTHORIZED, its policy,
// wallet proven and screened. So a revocation that committed first wins (N-04).
//
// A second call is refused: the transaction is no longer WAITING_ACCEPTANCE. Of many concurrent calls, one takes effect
// (N-01).
//
// Accept does not read again what this process submitted itself: the guard compares version and content hash. It does
// read what another process submitted, or what was submitted too long ago to be cached.
func (s *Service) Accept(ctx context.Context, transactionID string, version int64, done Done) error {
	if t, ok := s.locked.Find(transactionID); ok && t.Organisation == caller.Of(ctx).Organisation {
		err := s.accept(ctx, t, version, done)
		if err == nil || errors.Is(err, db.ErrUnknown) || s.stillIs(ctx, t) {
			return err
		}
	}

	t, err := s.Find(ctx, s.DB, transactionID)
	if err != nil {
		return err
	}

	return s.accept(ctx, t, version, done)
}

func (s *Service) accept(ctx context.Context, t Transaction, version int64, done Done) error {
	p := caller.Of(ctx)

	if version != 0 && version != t.Version {
		return versionMismatch(t, version)
	}

	if err := s.offers(t); err != nil {
		return err
	}

	kind := kindOf(t.Type)

	good, err := kind.acceptable(ctx, s, p, t)
	if err != nil {
		return err
	}

	if _, err := s.screened(ctx, t, analysis.ForAccept); err != nil {
		return err
	}

	if err := s.proven(ctx, t); err != nil {
		return err
	}

	policy, err := s.fourEyes(ctx, p, t)
	if err != nil {
		return err
	}

	err = s.DB.WriteOnly(ctx, func(tx *db.Tx) error {
		if good != nil {
			if err := good(tx.Now); err != nil {
				return err
			}
		}

		next, err := t.moved(Step{Status: StatusProcess, Settlement: kind.accepted})
		if err != nil {
			return err
		}

		next.AcceptedBy = p.User
		next.AcceptedAt = tx.Now
		next.UpdatedAt = tx.Now
		args := append(
			append(changeArgs(next, t.Status, t.Version), t.ContentHash),
			organisation.GateArgs(t.Organisation, p.User, policy)...)
		tx.Change(
			changeText+" AND content_hash = ? AND "+organisation.AcceptGate+" AND "+wallet.UsableGate,
			append(args, wallet.UsableGateArgs(t.Wallet, tx.Now)...)...)
		insertStep(tx, next, p.User)

		if err := ledger.Post(tx, holdJournal(t)); err != nil {
			return err
		}

		s.Settle(tx, t.ID)

		if err := s.record(ctx, tx, next, "accepted"); err != nil {
			return err
		}

		failpoint.Hit("accept.before_commit")
		tx.OnCommit(func() { s.locked.Drop(t.ID) })

		return done(tx, next)
	})
	if err == nil {
		failpoint.Hit("accept.after_commit")
	}

	if overtaken(err) {
		return s.whyNot(ctx, p, t.ID)
	}

	if errors.Is(err, quote.ErrExpired) { // the quote was still valid a moment ago
		if _, err = kind.acceptable(ctx, s, p, t); err == nil { // somebody else has locked a new price since
			return s.whyNot(ctx, p, t.ID)
		}
	}

	return err
}

// proven asks a paying contract wallet whether it still confirms its proof. It calls the chain. A wallet that was
// proven by its own key, as submit remembers, needs no call.
func (s *Service) proven(ctx context.Context, t Transaction) error {
	if _, known := s.byKey.Find(t.Wallet); known || s.ProofHolds == nil {
		return nil
	}

	w, err := s.payingWallet(ctx, t)
	if err != nil {
		return err
	}

	s.rememberProof(w)

	return s.ProofHolds(ctx, w)
}

// rememberProof caches that a wallet's proof need not be checked again.
func (s *Service) rememberProof(w wallet.Wallet) {
	if _, known := s.byKey.Find(w.ID); !known && w.ProvenByKey() {
		s.byKey.Keep(w.ID, true)
	}
}

func holdJournal(t Transaction) ledger.Journal {
	a := t.DebitAmount()

	return ledger.Journal{
		Key:          "transaction/" + t.ID + "/hold",
		Kind:         "hold",
		Organisation: t.Organisation,
		Transaction:  t.ID,
		Postings: []ledger.Posting{
			{Account: ledger.WalletAccount(t.Network, t.WalletAddress), Amount: a.Neg()},
			{Account: ledger.HoldAccount(t.Network, t.Organisation), Amount: a},
		},
	}
}

// ReleaseHold posts the reversal of the hold in the ledger. Call it only when nothing was sent and nothing will be.
func ReleaseHold(tx *db.Tx, t Transaction) error {
	a := t.DebitAmount()

	return ledger.Post(tx, ledger.Journal{
		Key:          "transaction/" + t.ID + "/release",
		Kind:         "release",
		Organisation: t.Organisation,
		Transaction:  t.ID,
		Postings: []ledger.Posting{
			{Account: ledger.HoldAccount(t.Network, t.Organisation), Amount: a.Neg()},
			{Account: ledger.WalletAccount(t.Network, t.WalletAddress), Amount: a},
		},
	})
}

// acceptable refuses early what would make the payment fail later: state, content, and what the chain reports about the
// wallet.
func (s *Service) acceptable(ctx context.Context, t Transaction) error {
	if t.Status != StatusWaiting {
		return notWaiting(t)
	}

	if !t.ContentUnchanged() {
		return contentChanged()
	}

	_, token, refusal, err := s.networkAndToken(ctx, s.DB, t.Network, t.Token, false)
	if err != nil || refusal != nil {
		return errors.Join(err, refusal)
	}

	funds, err := s.fundsOf(ctx, t, token, false)
	if err != nil {
		return err
	}

	if funds.allowance.Cmp(t.Debit) < 0 || funds.balance.Cmp(t.Debit) < 0 {
		if funds, err = s.fundsOf(ctx, t, token, true); err != nil { // a two-second-old reading may be out of date
			return err
		}

		return enough(t, funds, new(big.Int))
	}

	return nil
}

func contentChanged() error {
	return fault.New(
		fault.Conflict,
		fault.TxChanged,
		"The transaction is not what was submitted. It is held for the platform's people.",
	)
}

func notWaiting(t Transaction) error {
	return fault.New(
		fault.Conflict,
		fault.TxNotWaiting,
		"The transaction is %s; only one that is WAITING_ACCEPTANCE can be accepted.",
		t.Status,
	)
}

// whyNot reads the transaction again after the guarded move touched no row, and returns the gate that was closed as an
// error.
func (s *Service) whyNot(ctx context.Context, p caller.Principal, transactionID string) error {
	t, err := s.Find(ctx, s.DB, transactionID)
	if err != nil {
		return err
	}

	if t.Status != StatusWaiting {
		return notWaiting(t)
	}

	if err := s.gates(ctx, p, t); err != nil {
		return err
	}

	return fault.New(fault.Conflict, fault.TxChanged, "The transaction was changed at the same moment. Read it again.")
}

// gates checks one by one the gates of accept's statement and returns the reason of the first that is closed.
func (s *Service) gates(ctx context.Context, p caller.Principal, t Transaction) error {
	o, err := organisation.ByID(ctx, s.DB, t.Organisation)
	if err != nil {
		return err
	}

	if err := o.Approved(); err != nil {
		return err
	}

	m, err := organisation.MemberOf(ctx, s.DB, t.Organisation, p.User)
	if err != nil {
		return err
	}

	if err := m.MayAccept(); err != nil {
		return err
	}

	if _, err := s.judged(ctx, s.DB, p, t); err != nil {
		return err
	}

	w, err := s.payingWallet(ctx, t)
	if err != nil {
		return err
	}

	return w.Usable(s.DB.Now())
}

// payingWallet reads the wallet that pays. If the wallet was deleted, the refusal is a reason against the transaction
// and not an unknown record, because the transaction that was asked for exists.
func (s *Service) payingWallet(ctx context.Context, t Transaction) (wallet.Wallet, error) {
	w, err := wallet.ByID(ctx, s.DB, t.Organisation, t.Wallet)
	if fault.Is(err, fault.NotFoundCode) {
		return w, fault.New(fault.Invalid, fault.WalletUnknown, "The paying wallet is deleted.")
	}

	return w, err
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
	if tell := kindOf(t.Type).tell; tell != nil {
		tell(t, &v)
	}

	return v
}
