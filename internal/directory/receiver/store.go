package receiver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
)

const columns = "id, organisation, owner, type, first_name, middle_name, last_name, legal_name, email, sealed, " +
	"country, is_hidden, is_self, partner_id, partner_client, changed_by, approval, deleted_at, version, " +
	"created_at, updated_at"

// personal is what a receiver is known by besides its names: tax number, telephone, address, date of birth.
var personal = db.SealColumn("receivers", "sealed", "id")

// Sealed are the columns that are sealed.
func Sealed() []*db.Sealed { return []*db.Sealed{personal} }

var (
	insertReceiver = db.InsertInto("receivers", columns)
	insertSelf     = insertReceiver.OrIgnore("(organisation) WHERE is_self")
)

type row struct {
	r                    Receiver
	birth                string
	gone, created, since int64
}

func (v *row) dest() []any {
	r := &v.r

	return []any{
		&r.ID,
		&r.Organisation,
		&r.Owner,
		(*string)(&r.Type),
		&r.FirstName,
		&r.MiddleName,
		&r.LastName,
		&r.LegalName,
		&r.Email,
		personal.Into(
			db.Key{&r.ID},
			&r.TaxID,
			&r.Phone,
			&r.Address.AddressLine1,
			&r.Address.PostCode,
			&r.Address.City,
			&v.birth,
		),
		&r.Country,
		&r.Hidden,
		&r.Self,
		&r.BankingPartnerID,
		&r.BankingPartnerClient,
		(*string)(&r.Mark.ChangedBy),
		&r.Mark.Approval,
		&v.gone,
		&r.Version,
		&v.created,
		&v.since,
	}
}

func (v *row) receiver() (Receiver, error) {
	r := v.r
	if v.birth != "" {
		at, err := time.Parse(time.RFC3339Nano, v.birth)
		if err != nil {
			// without the text, which the error of Parse holds
			return r, fmt.Errorf("date of birth of receiver %s cannot be read", r.ID)
		}

		r.BirthDate = at
		r.HasBirth = true
	}

	r.Deleted = v.gone != 0
	r.CreatedAt = db.Time(v.created)
	r.UpdatedAt = db.Time(v.since)

	return r, nil
}

func (r Receiver) values(now time.Time) []any {
	birth := ""
	gone := int64(0)

	if r.HasBirth {
		birth = r.BirthDate.UTC().Format(time.RFC3339Nano)
	}

	if r.Deleted {
		gone = db.Micros(now)
	}

	return []any{
		r.ID,
		r.Organisation,
		r.Owner,
		string(r.Type),
		r.FirstName,
		r.MiddleName,
		r.LastName,
		r.LegalName,
		r.Email,
		personal.Of(
			db.Key{r.ID},
			r.TaxID,
			r.Phone,
			r.Address.AddressLine1,
			r.Address.PostCode,
			r.Address.City,
			birth,
		),
		r.Country,
		r.Hidden,
		r.Self,
		r.BankingPartnerID,
		r.BankingPartnerClient,
		string(r.Mark.ChangedBy),
		r.Mark.Approval,
		gone,
		r.Version,
		db.Micros(r.CreatedAt),
		db.Micros(r.UpdatedAt),
	}
}

// update writes every column of a receiver that was read at version r.Version, and gives it with its next one.
func update(tx *db.Tx, r Receiver) Receiver {
	was := r.Version
	r.Version = r.Version + 1
	r.UpdatedAt = tx.Now
	names := strings.Split(columns, ", ")[1:]
	tx.Change(
		"UPDATE receivers SET "+strings.Join(names, " = ?, ")+" = ? WHERE id = ? AND version = ?",
		append(r.values(tx.Now)[1:], r.ID, was)...)

	return r
}

func one(ctx context.Context, q db.Querier, what, where string, args ...any) (Receiver, error) {
	v, err := db.One(
		ctx,
		q,
		(*row).dest,
		"SELECT "+columns+" FROM receivers WHERE "+where+" AND deleted_at = 0",
		args...)

	switch {
	case errors.Is(err, db.ErrNone):
		return Receiver{}, fault.Missing("receiver")
	case err != nil:
		return Receiver{}, fmt.Errorf("read receiver %s: %w", what, err)
	}

	return v.receiver()
}

// ByID gives a receiver of the organisation that is not deleted. An unknown one and another organisation's are
// refused word for word the same.
func ByID(ctx context.Context, q db.Querier, organisation, id string) (Receiver, error) {
	return one(ctx, q, id, "id = ? AND organisation = ?", id, organisation)
}

// Self gives the organisation's own receiver.
func Self(ctx context.Context, q db.Querier, organisation string) (Receiver, error) {
	return one(ctx, q, "of "+organisation, "organisation = ? AND is_self", organisation)
}

// WithEmail gives the identifiers of the organisation's receivers with this address, its letters' case aside, that
// are not deleted and not the organisation itself; oldest first, at most 10.
func WithEmail(ctx context.Context, q db.Querier, organisation, email string) ([]string, error) {
	return others(ctx, q, organisation, "LOWER(email) = ?", strings.ToLower(email))
}

// WithName is WithEmail for receivers of this name, as Name gives it, but for middle names.
func WithName(ctx context.Context, q db.Querier, organisation, name string) ([]string, error) {
	low := strings.ToLower(name) // which SQLite's LOWER knows of ASCII alone

	return others(
		ctx,
		q,
		organisation,
		"(legal_name = ? OR LOWER(legal_name) = ? OR first_name || ' ' || last_name = ? OR LOWER(first_name || ' ' "+
			"|| last_name) = ?)",
		name,
		low,
		name,
		low,
	)
}

func others(ctx context.Context, q db.Querier, organisation, condition string, args ...any) ([]string, error) {
	ids, err := db.Select(
		ctx,
		q,
		func(id *string) []any { return []any{id} },
		"SELECT id FROM receivers WHERE organisation = ? AND "+condition+" AND deleted_at = 0 AND NOT is_self "+
			"ORDER BY id LIMIT 10",
		append([]any{organisation}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("look for a receiver of %s: %w", organisation, err)
	}

	return ids, nil
}

// ByIDs gives those of the receivers that are the organisation's and not deleted, in one query.
func ByIDs(ctx context.Context, q db.Querier, organisation string, ids []string) (map[string]Receiver, error) {
	return byIDs(ctx, q, organisation, ids, false)
}

// WithDeleted is ByIDs that gives deleted receivers too, for records that outlive them.
func WithDeleted(ctx context.Context, q db.Querier, organisation string, ids []string) (map[string]Receiver, error) {
	return byIDs(ctx, q, organisation, ids, true)
}

func byIDs(
	ctx context.Context,
	q db.Querier,
	organisation string,
	ids []string,
	deleted bool,
) (map[string]Receiver, error) {
	out := make(map[string]Receiver, len(ids))
	if len(ids) == 0 {
		return out, nil
	}

	var w db.Where
	w.And("organisation = ?", organisation)
	db.In(&w, "id", ids)

	if !deleted {
		w.And("deleted_at = 0")
	}

	rows, err := db.Select(ctx, q, (*row).dest, "SELECT "+columns+" FROM receivers"+w.SQL(), w.Args...)
	if err != nil {
		return nil, fmt.Errorf("read %d receivers: %w", len(ids), err)
	}

	all, err := db.Values(rows, (*row).receiver)
	for _, r := range all {
		out[r.ID] = r
	}

	return out, err
}

// Filter is which receivers of an organisation List returns.
type Filter struct {
	Organisation string
	Self         *bool // nil: with its own and the others
	Hidden       bool  // with hidden ones
	// Has is a condition in SQL on receivers.id, such as wallet.ReceiverUsable; empty: none.
	Has       string
	HasArgs   []any
	Ascending bool // oldest first
}

func (f Filter) where() db.Where {
	var w db.Where
	w.And("organisation = ?", f.Organisation)
	w.And("deleted_at = 0")

	if !f.Hidden {
		w.And("NOT is_hidden")
	}

	if f.Self != nil && *f.Self {
		w.And("is_self")
	} else if f.Self != nil {
		w.And("NOT is_self")
	}

	if f.Has != "" {
		w.And(f.Has, f.HasArgs...)
	}

	return w
}

// List returns a page of the receivers that match, newest first unless Ascending, and how many match. When more follow
// there is one more than the page has.
func List(ctx context.Context, q db.Querier, f Filter, page caller.Window) ([]Receiver, int64, error) {
	rows, total, err := db.ReadPage(ctx, q, db.Page{
		Columns: columns,
		Table:   "receivers",
		Where:   f.where(),
		Window:  page,
		Order:   caller.Order{Ascending: f.Ascending},
	}, (*row).dest)
	if err != nil {
		return nil, 0, err
	}

	out, err := db.Values(rows, (*row).receiver)

	return out, total, err
}
