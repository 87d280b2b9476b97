package wallet

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

const columns = "id, organisation, receiver, network, address, type, ownership_status, ownership_note, message, " +
	"nonce, expires_at, failures, " +
	"signed_message, approved_at, screening_status, screening_id, screening_error, screened_at, " +
	"review_verdict, review_proposed_by, review_decided_by, review_reason, review_at, changed_by, approval, " +
	"payable_from, " +
	"soft_deleted, version, created_at, updated_at"

var insertWallet = db.InsertInto("wallets", columns)

type row struct {
	w                                            Wallet
	expires, approved, screened, created, change int64
	payable, reviewed                            int64
}

func (v *row) dest() []any {
	w := &v.w

	return []any{
		&w.ID,
		&w.Organisation,
		&w.Receiver,
		&w.Network,
		&w.Address,
		(*string)(&w.Type),
		(*string)(&w.Ownership),
		&w.Note,
		&w.Message,
		&w.Nonce,
		&v.expires,
		&w.Failures,
		&w.Signature,
		&v.approved,
		(*string)(&w.Analysis),
		&w.AnalysisID,
		&w.AnalysisErr,
		&v.screened,
		(*string)(&w.Review.Verdict),
		&w.Review.ProposedBy,
		&w.Review.DecidedBy,
		&w.Review.Reason,
		&v.reviewed,
		(*string)(&w.Mark.ChangedBy),
		&w.Mark.Approval,
		&v.payable,
		&w.Deleted,
		&w.Version,
		&v.created,
		&v.change,
	}
}

func (v *row) wallet() Wallet {
	w := v.w
	w.ExpiresAt = db.Time(v.expires)
	w.ApprovedAt = db.Time(v.approved)
	w.ScreenedAt = db.Time(v.screened)
	w.CreatedAt = db.Time(v.created)
	w.UpdatedAt = db.Time(v.change)
	w.PayableFrom = db.Time(v.payable)
	w.ReviewedAt = db.Time(v.reviewed)

	return w
}

func (w Wallet) values() []any {
	return []any{
		w.ID,
		w.Organisation,
		w.Receiver,
		w.Network,
		w.Address,
		string(w.Type),
		string(w.Ownership),
		w.Note,
		w.Message,
		w.Nonce,
		db.Micros(w.ExpiresAt),
		w.Failures,
		w.Signature,
		db.Micros(w.ApprovedAt),
		string(w.Analysis),
		w.AnalysisID,
		w.AnalysisErr,
		db.Micros(w.ScreenedAt),
		string(w.Review.Verdict),
		w.Review.ProposedBy,
		w.Review.DecidedBy,
		w.Review.Reason,
		db.Micros(w.ReviewedAt),
		string(w.Mark.ChangedBy),
		w.Mark.Approval,
		db.Micros(w.PayableFrom),
		w.Deleted,
		w.Version,
		db.Micros(w.CreatedAt),
		db.Micros(w.UpdatedAt),
	}
}

// change is what an event tells of a wallet.
type change struct {
	ID        string    `json:"_id"`
	Address   string    `json:"address"`
	Network   string    `json:"network"`
	Receiver  string    `json:"receiver"`
	Ownership Ownership `json:"ownershipStatus"`
	Analysis  Analysis  `json:"walletAnalysisStatus"`
}

func insert(tx *db.Tx, w Wallet) (Wallet, error) {
	w.Version = 0
	w.CreatedAt = tx.Now
	w.UpdatedAt = tx.Now
	events := w.moves()
	w.Version = int64(max(1, len(events)))
	tx.Insert(insertWallet, w.values()...)

	return w, w.tell(tx, events)
}

// update writes every column of a wallet that was read at version w.Version, with the events of what moved, and gives
// it with its next version. Each event has a version of its own.
func update(tx *db.Tx, w Wallet) (Wallet, error) {
	was := w.Version
	events := w.moves()
	w.Version = was + int64(max(1, len(events)))
	w.UpdatedAt = tx.Now
	names := strings.Split(columns, ", ")[1:]
	tx.Change(
		"UPDATE wallets SET "+strings.Join(names, " = ?, ")+" = ? WHERE id = ? AND version = ?",
		append(w.values()[1:], w.ID, was)...)

	return w, w.tell(tx, events)
}

func (w *Wallet) moves() []string {
	var out []string
	if w.ownershipMoved {
		out = append(out, "wallet.ownership.updated")
	}

	if w.analysisMoved {
		out = append(out, "wallet.screening.updated")
	}

	w.ownershipMoved = false
	w.analysisMoved = false

	return out
}

func (w Wallet) tell(tx *db.Tx, events []string) error {
	for i, kind := range events {
		data := change{w.ID, w.Address, w.Network, w.Receiver, w.Ownership, w.Analysis}
		if err := trail.Event(tx, kind, w.Organisation, w.ID, w.Version-int64(len(events)-1-i), data); err != nil {
			return err
		}
	}

	return nil
}

func one(ctx context.Context, q db.Querier, what, where string, args ...any) (Wallet, error) {
	v, err := db.One(
		ctx,
		q,
		(*row).dest,
		"SELECT "+columns+" FROM wallets WHERE "+where+" AND NOT soft_deleted",
		args...)
	switch {
	case errors.Is(err, db.ErrNone):
		return Wallet{}, fault.Missing("wallet")
	case err != nil:
		return Wallet{}, fmt.Errorf("read wallet %s: %w", what, err)
	}

	return v.wallet(), nil
}

// anyone gives a wallet whoever's it is: for staff and jobs.
func anyone(ctx context.Context, q db.Querier, id string) (Wallet, error) {
	return one(ctx, q, id, "id = ?", id)
}

func all(ctx context.Context, q db.Querier, w db.Where, tail string, args ...any) ([]Wallet, error) {
	rows, err := db.Select(
		ctx,
		q,
		(*row).dest,
		"SELECT "+columns+" FROM wallets"+w.SQL()+tail,
		append(w.Args, args...)...)
	if err != nil {
		return nil, fmt.Errorf("read wallets: %w", err)
	}

	out := make([]Wallet, len(rows))
	for i := range rows {
		out[i] = rows[i].wallet()
	}

	return out, nil
}

// taken says whether the receiver has the address on the network already, in another wallet than this one.
func taken(ctx context.Context, q db.Querier, w Wallet) (bool, error) {
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

// list gives a page of wallets that match, newest first unless ascending, and how many match.
func list(ctx context.Context, q db.Querier, w db.Where, page caller.Window, ascending bool) ([]Wallet, int64, error) {
	rows, total, err := db.ReadPage(ctx, q, db.Page{
		Columns: columns,
		Table:   "wallets",
		Where:   w,
		Window:  page,
		Order:   caller.Order{Ascending: ascending},
	}, (*row).dest)

	out := make([]Wallet, len(rows))
	for i := range rows {
		out[i] = rows[i].wallet()
	}

	return out, total, err
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
