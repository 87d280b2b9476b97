package bank

import (
	"context"
	"fmt"
	"slices"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

// PayoutStatus is a payout with its state and history.
type PayoutStatus struct {
	Payout
	File, FileName, MessageID string    // the payment file it is in; "" before
	ExecuteOn                 string    // the day the bank is asked to execute it, 2026-11-23
	Reason                    Reason    // of REJECTED, HELD, RETURNED
	Conflict                  string    // what the bank reported that contradicts this state
	Movement                  string    // the booked debit
	PlannedAt, UpdatedAt      time.Time // UpdatedAt is the time of the latest change
	HandedOverAt              time.Time // when it was certainly at the bank; zero before
	Payee                     PayeeCheck
}

// Status returns a payout's status, or db.ErrNone.
func (r *Rail) Status(ctx context.Context, q db.Querier, key string) (PayoutStatus, error) {
	p, err := payoutByKey(ctx, q, key)
	if err != nil {
		return PayoutStatus{}, err
	}

	out, err := statuses(ctx, q, []payoutRow{p})
	if err != nil {
		return PayoutStatus{}, err
	}

	return out[0], nil
}

// statuses adds to rows what other tables hold.
func statuses(ctx context.Context, q db.Querier, rows []payoutRow) ([]PayoutStatus, error) {
	var files, ids []string
	for _, p := range rows {
		ids = append(ids, p.ID)
		if p.FileID != "" {
			files = append(files, p.FileID)
		}
	}

	byID := map[string]fileRow{}
	if len(files) > 0 {
		found, err := filesByID(ctx, q, files)
		if err != nil {
			return nil, err
		}

		for _, f := range found {
			byID[f.ID] = f
		}
	}

	booked, err := bookedDebits(ctx, q, ids)
	if err != nil {
		return nil, err
	}

	payees, err := payeesOf(ctx, q, ids)
	if err != nil {
		return nil, err
	}

	out := make([]PayoutStatus, len(rows))
	for i, p := range rows {
		f := byID[p.FileID]

		out[i] = PayoutStatus{
			Payout:       p.public(),
			File:         f.ID,
			FileName:     f.Name,
			MessageID:    f.MessageID,
			ExecuteOn:    f.ExecuteOn,
			Reason:       Reason{p.ReasonCode, p.Reason},
			Conflict:     p.Conflict,
			Movement:     booked[p.ID],
			PlannedAt:    db.Time(p.CreatedAt),
			UpdatedAt:    db.Time(p.UpdatedAt),
			HandedOverAt: db.Time(p.HandedAt),
			Payee:        payees[p.ID].check(p.State),
		}
	}

	return out, nil
}

// maxListed limits every list of this package.
const maxListed = 1000

func limit(n int) int64 {
	if n <= 0 || n > maxListed {
		return maxListed
	}

	return int64(n)
}

// PayoutFilter selects payouts; empty fields select all.
type PayoutFilter struct {
	State    State
	House    string
	File     string
	Object   string
	Conflict bool   // only those that the bank contradicts
	After    string // the id of the last payout of the previous page
	Limit    int    // at most 1,000, the default
}

// Payouts lists payouts in the order in which they were planned.
func (r *Rail) Payouts(ctx context.Context, q db.Querier, f PayoutFilter) ([]PayoutStatus, error) {
	var w db.Where
	w.And("id > ?", f.After)

	if f.State != "" {
		w.And("state = ?", stored(f.State))
	}

	switch f.State {
	case Planned:
		w.And(fileOf + " = ''")
	case Filed:
		w.And(fileOf + " <> ''")
	default: // the column is enough
	}

	if f.House != "" {
		w.And("house = ?", f.House)
	}

	if f.File != "" {
		w.And(ofFile, f.File)
	}

	if f.Object != "" {
		w.And("object = ?", f.Object)
	}

	if f.Conflict {
		w.And("conflict <> ''")
	}

	rows, err := payouts(ctx, q, w.SQL()[1:]+" ORDER BY id LIMIT ?", append(w.Args, limit(f.Limit))...)
	if err != nil {
		return nil, fmt.Errorf("list payouts: %w", err)
	}

	return statuses(ctx, q, rows)
}

// PayoutsOf returns the payouts of business records, by record, in the order in which they were planned.
func (r *Rail) PayoutsOf(ctx context.Context, q db.Querier, objects []string) (map[string][]PayoutStatus, error) {
	out := map[string][]PayoutStatus{}

	for part := range slices.Chunk(objects, 64) {
		var w db.Where
		db.In(&w, "object", part)

		rows, err := payouts(ctx, q, w.SQL()[1:]+" ORDER BY id", w.Args...)
		if err != nil {
			return nil, fmt.Errorf("list payouts of %d records: %w", len(objects), err)
		}

		all, err := statuses(ctx, q, rows)
		if err != nil {
			return nil, err
		}

		for _, p := range all {
			out[p.Object] = append(out[p.Object], p)
		}
	}

	return out, nil
}

// File is one of our payment files.
type File struct {
	ID, House, Rail, ExecuteOn, MessageID, Name string
	State                                       FileState
	Reason                                      string
	Payouts                                     int
	ControlSum                                  string // decimal
	SHA256                                      string
	Size                                        int64
	CreatedAt, ArrivedAt                        time.Time
}

// Files lists payment files, newest first. State "" lists all; before is the last id of the previous page.
func (r *Rail) Files(ctx context.Context, q db.Querier, state FileState, before string, most int) ([]File, error) {
	var w db.Where
	if state != "" {
		w.And("state = ?", string(state))
	}

	if before != "" {
		w.And("id < ?", before)
	}

	rows, err := latestFiles(ctx, q, w, most)
	if err != nil {
		return nil, fmt.Errorf("list payment files: %w", err)
	}

	out := make([]File, len(rows))
	for i, f := range rows {
		out[i] = f.public()
	}

	return out, nil
}

func (f fileRow) public() File {
	return File{
		ID:         f.ID,
		House:      f.House,
		Rail:       f.Rail,
		ExecuteOn:  f.ExecuteOn,
		MessageID:  f.MessageID,
		Name:       f.Name,
		State:      f.State,
		Reason:     f.Reason,
		Payouts:    int(f.Payouts),
		ControlSum: f.ControlSum,
		SHA256:     f.SHA256,
		Size:       f.Size,
		CreatedAt:  db.Time(f.Created),
		ArrivedAt:  db.Time(f.SentAt),
	}
}

// File returns a payment file with the bytes that were or will be sent; nil before they are rendered. It returns
// db.ErrNone if there is no such file.
func (r *Rail) File(ctx context.Context, q db.Querier, id string) (File, []byte, error) {
	f, err := fileByID(ctx, q, id)
	if err != nil {
		return File{}, nil, err
	}

	if f.SHA256 == "" {
		return f.public(), nil, nil
	}

	content, err := fileBytes(ctx, q, id)

	return f.public(), content, err
}

// InboxFile is a file from the bank.
type InboxFile struct {
	ID, Hash, Name, Kind                  string
	Size                                  int64
	State                                 InboxState
	Code, Reason, Remark                  string
	Entries, New, Matched, Statuses, Done int
	CreatedAt                             time.Time
}

// FilePage returns a page of payment files, the newest first, and how many there are. State "" lists all.
func FilePage(ctx context.Context, q db.Querier, state FileState, page caller.Window) ([]File, int64, error) {
	var w db.Where
	if state != "" {
		w.And("state = ?", string(state))
	}

	rows, total, err := db.ReadPage(ctx, q, db.Page{
		Columns: fileColumns,
		Table:   "bank_files",
		Where:   w,
		Window:  page,
	}, (*fileRow).dest)

	out := make([]File, len(rows))
	for i, f := range rows {
		out[i] = f.public()
	}

	return out, total, err
}

// FileByID returns a payment file without its bytes, or db.ErrNone.
func FileByID(ctx context.Context, q db.Querier, id string) (File, error) {
	f, err := fileByID(ctx, q, id)
	return f.public(), err
}

// InboxPage returns a page of files from banks, the newest first, and how many there are. State "" lists all.
func InboxPage(ctx context.Context, q db.Querier, state InboxState, page caller.Window) ([]InboxFile, int64, error) {
	var w db.Where
	if state != "" {
		w.And("state = ?", string(state))
	}

	rows, total, err := db.ReadPage(ctx, q, db.Page{
		Columns: inboxColumns,
		Table:   "bank_inbox",
		Where:   w,
		Window:  page,
	}, (*inboxRow).dest)

	out := make([]InboxFile, len(rows))
	for i, f := range rows {
		out[i] = f.public()
	}

	return out, total, err
}

// InboxByID returns a file from a bank, or db.ErrNone.
func InboxByID(ctx context.Context, q db.Querier, id string) (InboxFile, error) {
	rows, err := inboxWhere(ctx, q, "WHERE id = ?", id)
	if err != nil {
		return InboxFile{}, err
	}

	if len(rows) == 0 {
		return InboxFile{}, fmt.Errorf("bank file %s: %w", id, db.ErrNone)
	}

	return rows[0].public(), nil
}

// Inbox lists files from the bank, newest first. State "" lists all, QUARANTINED the quarantine.
func (r *Rail) Inbox(
	ctx context.Context,
	q db.Querier,
	state InboxState,
	before string,
	most int,
) ([]InboxFile, error) {
	var w db.Where
	if state != "" {
		w.And("state = ?", string(state))
	}

	if before != "" {
		w.And("id < ?", before)
	}

	rows, err := inboxWhere(ctx, q, w.SQL()+" ORDER BY id DESC LIMIT ?", append(w.Args, limit(most))...)
	if err != nil {
		return nil, fmt.Errorf("list bank files: %w", err)
	}

	out := make([]InboxFile, len(rows))
	for i, f := range rows {
		out[i] = f.public()
	}

	return out, nil
}

func (f inboxRow) public() InboxFile {
	return InboxFile{
		ID:        f.ID,
		Hash:      f.Hash,
		Name:      f.Name,
		Kind:      f.Kind,
		Size:      f.Size,
		State:     f.State,
		Code:      f.ReasonCode,
		Reason:    f.Reason,
		Remark:    f.Remark,
		Entries:   int(f.Entries),
		New:       int(f.Fresh),
		Matched:   int(f.Matched),
		Statuses:  int(f.Statuses),
		Done:      int(f.Done),
		CreatedAt: db.Time(f.Created),
	}
}

// StoredEntry is a complete booking, whatever its parts.
type StoredEntry struct {
	Entry
	Status string // BOOK, or PDNG, INFO, FUTR, which move nothing
	Parts  int    // number of movements; 0: it is a single movement
}

// EntryFilter selects bookings of one account.
type EntryFilter struct {
	Account  string
	From, To time.Time // booking days, both inclusive; zero: no limit
	Status   string    // empty: all
	Offset   int
	Limit    int // at most 1,000, the default
}

// Entries lists bookings by day.
func (r *Rail) Entries(ctx context.Context, q db.Querier, f EntryFilter) ([]StoredEntry, error) {
	var w db.Where
	w.And("account = ?", f.Account)

	if !f.From.IsZero() {
		w.And("booked_at >= ?", db.Micros(f.From))
	}

	if !f.To.IsZero() {
		w.And("booked_at <= ?", db.Micros(f.To))
	}

	if f.Status != "" {
		w.And("status = ?", f.Status)
	}

	rows, err := entriesByDay(ctx, q, w, f.Limit, f.Offset)
	if err != nil {
		return nil, fmt.Errorf("list entries of %s: %w", f.Account, err)
	}

	out := make([]StoredEntry, len(rows))
	for i, m := range rows {
		out[i] = StoredEntry{Entry: m.entry(m.Booking), Status: m.status, Parts: int(m.parts)}
	}

	return out, nil
}

// Balance is the closing balance of an account's latest statement.
type Balance struct {
	Account, Statement string
	Amount             money.Amount
	On                 string // 2026-11-23
}

// LatestBalance returns an account's balance according to the bank; db.ErrNone before the first statement.
func (r *Rail) LatestBalance(ctx context.Context, q db.Querier, account string) (Balance, error) {
	h, err := r.Account(account)
	if err != nil {
		return Balance{}, err
	}

	chain, err := chainOf(ctx, q, account)
	if err != nil {
		return Balance{}, err
	}

	if len(chain) == 0 {
		return Balance{}, db.ErrNone
	}

	last := latestOf(chain)

	return Balance{
		Account:   account,
		Statement: last.StatementID,
		Amount:    signedAmount(h.Currency, last.Closing),
		On:        last.ClosingOn,
	}, nil
}
