package receivable

import (
	"context"
	"errors"
	"fmt"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

var (
	table     = db.NewTable("receivables", (*row).columns)
	partTable = db.NewTable("receivable_parts", (*partRow).columns)
)

type row struct {
	Receivable

	amount money.Stored
	owed   string
}

func (r *row) columns(c *db.Columns) {
	c.Text("id", &r.ID)
	c.Text("organisation", &r.Organisation)
	c.Text("transaction_id", &r.Transaction)
	c.Text("house", &r.House)
	c.Text("reference", &r.Reference)

	c.Text("currency", &r.amount.Code)
	c.Int64("decimals", &r.amount.Decimals)
	c.Text("units", &r.amount.Units)
	c.Text("owed", &r.owed)

	c.Text("state", (*string)(&r.State))
	c.Int64("version", &r.Version)
	c.Time("created_at", &r.CreatedAt)
	c.Time("settled_at", &r.SettledAt)
}

func (r *row) value() (Receivable, error) {
	x := r.Receivable

	owed := r.amount
	owed.Units = r.owed

	var errs [2]error
	x.Amount, errs[0] = r.amount.Amount()
	x.Owed, errs[1] = owed.Amount()

	if err := errors.Join(errs[:]...); err != nil {
		return x, fmt.Errorf("receivable %s: %w", x.ID, err)
	}

	return x, nil
}

func rowOf(r Receivable) *row {
	return &row{Receivable: r, amount: r.Amount.Stored(), owed: r.Owed.Units().String()}
}

func insert(tx *db.Tx, r Receivable) { table.Insert(tx, rowOf(r)) }

// update stores a receivable, guarded by the version before its own.
func update(tx *db.Tx, r Receivable) { table.Update(tx, rowOf(r), r.Version-1) }

func where(ctx context.Context, q db.Querier, rest string, args ...any) ([]Receivable, error) {
	rows, err := table.Select(ctx, q, rest, args...)
	if err != nil {
		return nil, err
	}

	return db.Values(rows, (*row).value)
}

// page returns a page of the receivables that match, in an order by created_at, and how many match.
func page(
	ctx context.Context, q db.Querier, w db.Where, window caller.Window, order caller.Order,
) ([]Receivable, int64, error) {
	p := db.Page{Where: w, Window: window, Order: order}

	if window.After != "" {
		var err error
		if p.After, p.AfterBy, err = order.Parse(window.After); err != nil {
			return nil, 0, err
		}
	}

	rows, total, err := table.Page(ctx, q, p)
	if err != nil {
		return nil, 0, err
	}

	out, err := db.Values(rows, (*row).value)

	return out, total, err
}

// ByID returns a receivable, or db.ErrNone.
func ByID(ctx context.Context, q db.Querier, id string) (Receivable, error) {
	return db.First(where(ctx, q, "WHERE id = ?", id))
}

// ofOrganisation returns a receivable of an organisation. Another one's is refused as unknown.
func ofOrganisation(ctx context.Context, q db.Querier, organisation, id string) (Receivable, error) {
	r, err := db.First(where(ctx, q, "WHERE id = ? AND organisation = ?", id, organisation))
	if errors.Is(err, db.ErrNone) {
		return r, fault.Missing("receivable")
	}

	return r, err
}

// ByReference returns open receivables by their reference, the oldest first. Several stand under one reference where a
// deposit in parts was taken back.
func ByReference(ctx context.Context, q db.Querier, references []string) (map[string][]Receivable, error) {
	out := map[string][]Receivable{}
	if len(references) == 0 {
		return out, nil
	}

	var w db.Where
	w.And("state = 'OPEN'")
	db.In(&w, "reference", references)

	all, err := where(ctx, q, w.SQL()+" ORDER BY created_at, id", w.Args...)
	for _, r := range all {
		out[r.Reference] = append(out[r.Reference], r)
	}

	return out, err
}

// OpenOf returns open receivables in a currency, or in all with an empty one, the oldest first, at most limit of them.
func OpenOf(ctx context.Context, q db.Querier, currency string, limit int) ([]Receivable, error) {
	var w db.Where
	w.And("state = 'OPEN'")

	if currency != "" {
		w.And("currency = ?", currency)
	}

	return where(ctx, q, w.SQL()+" ORDER BY created_at, id LIMIT ?", append(w.Args, int64(limit))...)
}

// CountOpen returns how many receivables are open.
func CountOpen(ctx context.Context, q db.Querier) (int64, error) {
	return db.Value[int64](ctx, q, "SELECT count(*) FROM receivables WHERE state = 'OPEN'")
}

// OwedFor reports whether something is owed for a transaction.
func OwedFor(ctx context.Context, q db.Querier, transactionID string) (bool, error) {
	all, err := where(ctx, q, "WHERE state = 'OPEN' AND transaction_id = ?", transactionID)
	return len(all) > 0, err
}

// Blocked reports whether an organisation owes the house something. While it does, nothing more is paid out for it
// (D-08).
func Blocked(ctx context.Context, q db.Querier, organisation string) (bool, error) {
	owing, err := BlockedAmong(ctx, q, []string{organisation})
	return err != nil || owing[organisation], err
}

// BlockedAmong returns which of some organisations owe the house something.
func BlockedAmong(ctx context.Context, q db.Querier, organisations []string) (map[string]bool, error) {
	var w db.Where
	w.And("state = 'OPEN'")
	db.In(&w, "organisation", organisations)

	rows, err := db.Select(ctx, q, func(s *string) []any {
		return []any{s}
	}, "SELECT DISTINCT organisation FROM receivables"+w.SQL(), w.Args...)
	if err != nil {
		return nil, fmt.Errorf("receivables: %w", err)
	}

	out := make(map[string]bool, len(rows))
	for _, o := range rows {
		out[o] = true
	}

	return out, nil
}

type partRow struct {
	Part

	units string
}

func (r *partRow) columns(c *db.Columns) {
	c.Text("receivable", &r.Receivable)
	c.Text("means", (*string)(&r.Means))
	c.Text("source", &r.Source)
	c.Text("units", &r.units)
	c.Text("decided_by", &r.DecidedBy)
	c.Text("reason", &r.Reason)
	c.Time("created_at", &r.At)
}

func insertPart(tx *db.Tx, p Part) {
	partTable.Insert(tx, &partRow{Part: p, units: p.Amount.Units().String()})
}

// partsOf returns what has settled some receivables, by receivable, the oldest first.
func partsOf(ctx context.Context, q db.Querier, all []Receivable) (map[string][]Part, error) {
	entries := make([]string, len(all))
	assets := make(map[string]money.Asset, len(all))

	for i, r := range all {
		entries[i] = r.ID
		assets[r.ID] = r.Amount.Asset()
	}

	out := map[string][]Part{}
	if len(all) == 0 {
		return out, nil
	}

	var w db.Where
	db.In(&w, "receivable", entries)

	rows, err := partTable.Select(ctx, q, w.SQL()+" ORDER BY created_at, source", w.Args...)
	if err != nil {
		return nil, err
	}

	for _, x := range rows {
		units, err := money.ParseUnits(x.units)
		if err != nil {
			return nil, fmt.Errorf("part of receivable %s: %w", x.Receivable, err)
		}

		x.Amount = money.FromUnits(assets[x.Receivable], units)
		out[x.Receivable] = append(out[x.Receivable], x.Part)
	}

	return out, nil
}

// ReferenceOf returns the reference of the receivable that a source has settled, or "".
func ReferenceOf(ctx context.Context, q db.Querier, means Means, source string) (string, error) {
	reference, err := db.Value[string](ctx, q, `SELECT r.reference FROM receivables r
		JOIN receivable_parts p ON p.receivable = r.id
		WHERE p.means = ? AND p.source = ? ORDER BY r.created_at LIMIT 1`, string(means), source)
	if errors.Is(err, db.ErrNone) {
		return "", nil
	}

	return reference, err
}
