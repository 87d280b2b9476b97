package wallet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/go-json-experiment/json"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/record"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

var walletTable = db.NewTable("wallets", (*Wallet).columns)

// columns lists every column once. A new field needs one line here.
func (w *Wallet) columns(c *db.Columns) {
	c.Text("id", &w.ID)
	c.Text("organisation", &w.Organisation)
	c.Text("receiver", &w.Receiver)
	c.Text("network", &w.Network)
	c.Text("address", &w.Address)
	c.Text("type", (*string)(&w.Type))

	c.Text("ownership_status", (*string)(&w.Ownership))
	c.Text("ownership_note", &w.Note)
	c.Text("message", &w.Message)
	c.Text("nonce", &w.Nonce)
	c.Time("expires_at", &w.ExpiresAt)
	c.Int64("failures", &w.Failures)
	c.Text("signed_message", &w.Signature)
	c.Time("approved_at", &w.ApprovedAt)

	c.Text("screening_status", (*string)(&w.Analysis))
	c.Text("screening_id", &w.AnalysisID)
	c.Text("screening_error", &w.AnalysisErr)
	c.Time("screened_at", &w.ScreenedAt)

	c.Text("review_verdict", (*string)(&w.Review.Verdict))
	c.Text("review_proposed_by", &w.Review.ProposedBy)
	c.Text("review_decided_by", &w.Review.DecidedBy)
	c.Text("review_reason", &w.Review.Reason)
	c.Time("review_at", &w.ReviewedAt)

	c.Text("changed_by", (*string)(&w.Mark.ChangedBy))
	c.Text("approval", &w.Mark.Approval)
	c.Time("payable_from", &w.PayableFrom)
	c.Bool("soft_deleted", &w.Deleted)
	c.Int64("version", &w.Version)
	c.Time("created_at", &w.CreatedAt)
	c.Time("updated_at", &w.UpdatedAt)
}

// change is the data of a wallet's events.
type change struct {
	ID        string           `json:"_id"`
	Address   string           `json:"address"`
	Network   record.Ref       `json:"network"`
	Receiver  record.Ref       `json:"receiver"`
	Ownership changedOwnership `json:"ownership"`
	Analysis  Analysis         `json:"walletAnalysisStatus"`
}

type changedOwnership struct {
	Status Ownership `json:"status"`
}

func insert(tx *db.Tx, w Wallet) (Wallet, error) {
	w.Version = 0
	w.CreatedAt = tx.Now
	w.UpdatedAt = tx.Now
	events := append([]string{"wallet.created"}, w.moves()...)
	w.Version = int64(len(events))
	walletTable.Insert(tx, &w)

	return w, w.emit(tx, events)
}

// update writes every column of a wallet that was read at version w.Version, with the events of what moved, and returns
// it with its next version. Each event has a version of its own.
func update(tx *db.Tx, w Wallet) (Wallet, error) {
	before := w.Version
	events := w.moves()
	w.Version = before + int64(max(1, len(events)))
	w.UpdatedAt = tx.Now
	walletTable.Update(tx, &w, before)

	return w, w.emit(tx, events)
}

func (w *Wallet) moves() []string {
	var out []string
	if w.changed {
		out = append(out, "wallet.changed")
	}

	if w.ownershipMoved {
		out = append(out, "wallet.ownership.updated")
	}

	if w.analysisMoved {
		out = append(out, "wallet.screening.updated")
	}

	w.changed = false
	w.ownershipMoved = false
	w.analysisMoved = false

	return out
}

func (w Wallet) emit(tx *db.Tx, events []string) error {
	for i, kind := range events {
		data := change{
			ID:        w.ID,
			Address:   w.Address,
			Network:   record.Ref{ID: w.Network},
			Receiver:  record.Ref{ID: w.Receiver},
			Ownership: changedOwnership{w.Ownership},
			Analysis:  w.Analysis,
		}
		if err := trail.Event(tx, kind, w.Organisation, w.ID, w.Version-int64(len(events)-1-i), data); err != nil {
			return err
		}
	}

	return nil
}

func one(ctx context.Context, q db.Querier, what, where string, args ...any) (Wallet, error) {
	w, err := walletTable.One(ctx, q, "WHERE "+where+" AND NOT soft_deleted", args...)
	switch {
	case errors.Is(err, db.ErrNone):
		return Wallet{}, fault.Missing("wallet")
	case err != nil:
		return Wallet{}, fmt.Errorf("read wallet %s: %w", what, err)
	}

	return w, nil
}

// anyone returns a wallet of any organisation, for staff and jobs.
func anyone(ctx context.Context, q db.Querier, id string) (Wallet, error) {
	return one(ctx, q, id, "id = ?", id)
}

// exists reports whether the receiver has the address on the network already, in another wallet than this one.
func exists(ctx context.Context, q db.Querier, w Wallet) (bool, error) {
	_, err := db.Value[string](
		ctx,
		q,
		"SELECT id FROM wallets WHERE receiver = ? AND network = ? AND address = ? AND NOT soft_deleted AND id <> ?",
		w.Receiver,
		w.Network,
		w.Address,
		w.ID,
	)
	if errors.Is(err, db.ErrNone) {
		return false, nil
	}

	return err == nil, err
}

// list returns a page of wallets that match, newest first unless ascending, and how many match.
func list(ctx context.Context, q db.Querier, w db.Where, page caller.Window, ascending bool) ([]Wallet, int64, error) {
	return walletTable.Page(ctx, q, db.Page{Where: w, Window: page, Order: caller.Order{Ascending: ascending}})
}

// ownedAt is the condition for an ownership as OwnershipAt gives it.
func ownedAt(o Ownership, now time.Time) (string, []any) {
	switch o {
	case OwnershipPending, OwnershipFailed:
		return "(ownership_status = ? AND expires_at > ?)", []any{string(o), db.Micros(now)}
	case OwnershipExpired:
		return "(ownership_status = 'EXPIRED' OR ownership_status IN ('PENDING', 'FAILED') AND expires_at <= ?)", []any{
			db.Micros(now),
		}

	case OwnershipVerified, OwnershipRevoked:
	}

	return "(ownership_status = ?)", []any{string(o)}
}

// ReceiverUsable is the condition in SQL, on receivers.id, that a receiver has a wallet which Usable lets pass.
func ReceiverUsable(now time.Time) (string, []any) {
	condition := "EXISTS (SELECT 1 FROM wallets w " +
		"WHERE w.receiver = receivers.id AND NOT w.soft_deleted AND w.ownership_status = 'VERIFIED' " +
		"AND w.screening_status = 'APPROVED' AND w.screened_at > ? AND w.approval = '')"

	return condition, []any{db.Micros(now.Add(-ScreeningLifetime))}
}

// Stored reports whether an address is a stored wallet of anybody, on whatever network. It is for what the platform
// itself must not use; its answer is not for tenants.
func Stored(ctx context.Context, q db.Querier, address string) (bool, error) {
	n, err := db.Value[int64](
		ctx,
		q,
		"SELECT count(*) FROM (SELECT 1 FROM wallets WHERE address = ? AND NOT soft_deleted LIMIT 1) AS found",
		address,
	)

	return n > 0, err
}

// outline is eip55.Outline of a stored address, in SQL.
const outline = "lower(substr(address, 1, 5) || substr(address, 39, 4))"

// outlined is a wallet as Alike compares it.
type outlined struct{ id, address string }

// withOutlines lists the organisation's wallets whose addresses have one of these outlines, at most 1000.
func withOutlines(ctx context.Context, q db.Querier, organisation string, outlines []string) ([]outlined, error) {
	var w db.Where
	w.And("organisation = ?", organisation)
	w.And("NOT soft_deleted")
	db.In(&w, outline, outlines)

	return db.Select(
		ctx,
		q,
		func(o *outlined) []any { return []any{&o.id, &o.address} },
		"SELECT id, address FROM wallets"+w.SQL()+" ORDER BY id LIMIT 1000",
		w.Args...)
}

// forget removes what is kept of one owner.
func forget(tx *db.Tx, w Wallet, hash common.Hash, owner common.Address) error {
	_, err := tx.Exec(
		"DELETE FROM wallet_confirmations WHERE wallet = ? AND organisation = ? AND message_hash = ? AND owner = ?",
		w.ID,
		w.Organisation,
		hash.Hex(),
		owner.Hex(),
	)

	return err
}

// recordSafe writes what a proof was given by, in place of what it was before. nil removes it.
func recordSafe(tx *db.Tx, w Wallet, a *safeAccount) error {
	const remove = "DELETE FROM wallet_safes WHERE wallet = ? AND organisation = ?"
	if _, err := tx.Exec(remove, w.ID, w.Organisation); err != nil || a == nil {
		return err
	}

	text, err := json.Marshal(a.state)
	if err != nil {
		return err
	}

	safeTable.Insert(tx, &safeAccount{
		Wallet:       w.ID,
		Organisation: w.Organisation,
		Facts:        a.state.Facts().Hex(),
		Account:      string(text),
		ReadAt:       tx.Now,
	})

	return nil
}
