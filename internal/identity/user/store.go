package user

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"slipway/internal/platform/db"
	"slipway/internal/standards/mailbox"
)

// This file holds all SQL of users. Columns that others may join on (hot paths only): users.id, users.is_active,
// users.staff.

var insertUser = db.InsertInto(
	"users",
	"id, email, email_key, first_name, last_name, sealed, country, features, staff, two_factor_required, "+
		"is_account_setup, is_active, email_confirmed_at, version, created_at, updated_at",
)

// personal holds what a person has sent besides the name.
var personal = db.SealColumn("users", "sealed", "id")

// Sealed returns the sealed columns.
func Sealed() []*db.Sealed { return []*db.Sealed{personal} }

func (u User) sealed() any {
	return personal.Of(db.Key{u.ID}, u.Address, u.PhoneNumber, u.MessagingHandle, strings.Join(u.Citizenship, ","),
		u.DateOfBirth)
}

func insert(tx *db.Tx, u User) {
	tx.Insert(
		insertUser,
		u.ID,
		u.Email,
		Key(u.Email),
		u.FirstName,
		u.LastName,
		u.sealed(),
		u.Country,
		strings.Join(u.Features, ","),
		u.Staff,
		u.TwoFactorRequired,
		u.IsAccountSetup,
		u.IsActive,
		db.Micros(u.ConfirmedAt),
		u.Version,
		db.Micros(u.CreatedAt),
		db.Micros(u.UpdatedAt),
	)
}

// update writes what may change about a user. If the row is not at the given version any more, it fails with
// db.ErrStale.
func update(tx *db.Tx, u User, version int64) {
	tx.Change(
		`UPDATE users
			SET first_name = ?, last_name = ?, sealed = ?, country = ?, staff = ?, email = ?, email_key = ?,
			two_factor_required = ?, is_account_setup = ?, is_active = ?, email_confirmed_at = ?, version = ?,
			updated_at = ? WHERE id = ? AND version = ?`,
		u.FirstName,
		u.LastName,
		u.sealed(),
		u.Country,
		u.Staff,
		u.Email,
		Key(u.Email),
		u.TwoFactorRequired,
		u.IsAccountSetup,
		u.IsActive,
		db.Micros(u.ConfirmedAt),
		u.Version,
		db.Micros(u.UpdatedAt),
		u.ID,
		version,
	)
}

const selectUsers = `SELECT id, email, first_name, last_name, sealed, country, features, staff, two_factor_required,
	is_account_setup, is_active, email_confirmed_at, version, created_at, updated_at
	FROM users`

const selectUser = selectUsers + " WHERE "

// row is a user as it is read: lists and times are turned into their own types afterwards.
type row struct {
	User
	citizenship, features string
	created, updated      int64
	confirmed             int64
}

func (r *row) dest() []any {
	return []any{
		&r.ID,
		&r.Email,
		&r.FirstName,
		&r.LastName,
		personal.Into(db.Key{&r.ID}, &r.Address, &r.PhoneNumber, &r.MessagingHandle, &r.citizenship, &r.DateOfBirth),
		&r.Country,
		&r.features,
		&r.Staff,
		&r.TwoFactorRequired,
		&r.IsAccountSetup,
		&r.IsActive,
		&r.confirmed,
		&r.Version,
		&r.created,
		&r.updated,
	}
}

func (r *row) user() User {
	u := r.User
	u.Citizenship = db.Words(r.citizenship)
	u.Features = db.Words(r.features)
	u.CreatedAt = db.Time(r.created)
	u.UpdatedAt = db.Time(r.updated)
	u.ConfirmedAt = db.Time(r.confirmed)

	return u
}

// ByID returns a user, or db.ErrNone.
func ByID(ctx context.Context, q db.Querier, userID string) (User, error) {
	r, err := db.One(ctx, q, (*row).dest, selectUser+"id = ?", userID)
	return r.user(), err
}

// ByEmail returns the user with this address, whatever its letter case, or db.ErrNone.
func ByEmail(ctx context.Context, q db.Querier, email string) (User, error) {
	r, err := db.One(ctx, q, (*row).dest, selectUser+"email_key = ?", Key(email))
	return r.user(), err
}

// ByIDs returns the users with these identifiers, by identifier. Unknown ones are left out.
func ByIDs(ctx context.Context, q db.Querier, ids []string) (map[string]User, error) {
	out := make(map[string]User, len(ids))
	if len(ids) == 0 {
		return out, nil
	}

	var w db.Where
	db.In(&w, "id", ids)

	rows, err := db.Select(ctx, q, (*row).dest, selectUsers+w.SQL(), w.Args...)
	for i := range rows {
		out[rows[i].ID] = rows[i].user()
	}

	return out, err
}

// Brief is by what people are named.
type Brief struct {
	ID, Email, FirstName, LastName string
	IsActive                       bool
	CreatedAt, UpdatedAt           time.Time
}

// Name returns what the person is called: first and last name, or the e-mail address of somebody who has given none.
func (b Brief) Name() string {
	return cmp.Or(strings.TrimSpace(b.FirstName+" "+b.LastName), mailbox.Show(b.Email))
}

// NamesOf returns the function that returns what some people are called, by identifier: "" for who is no user.
func NamesOf(ctx context.Context, q db.Querier, ids ...string) (func(id string) string, error) {
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" })
	slices.Sort(ids)

	people, err := BriefsOf(ctx, q, slices.Compact(ids))

	return func(id string) string { return people[id].Name() }, err
}

// Operators returns the active operators, oldest account first, at most limit.
func Operators(ctx context.Context, q db.Querier, limit int) ([]string, error) {
	return db.Select(ctx, q, func(id *string) []any { return []any{id} },
		"SELECT id FROM users WHERE staff = ? AND is_active = TRUE ORDER BY id LIMIT ?", Operator, int64(limit))
}

// BriefsOf returns the people with these identifiers, by identifier. Unknown ones are left out.
func BriefsOf(ctx context.Context, q db.Querier, ids []string) (map[string]Brief, error) {
	out := make(map[string]Brief, len(ids))
	if len(ids) == 0 {
		return out, nil
	}

	var w db.Where
	db.In(&w, "id", ids)

	type briefRow struct {
		Brief
		created, updated int64
	}

	rows, err := db.Select(ctx, q, func(b *briefRow) []any {
		return []any{&b.ID, &b.Email, &b.FirstName, &b.LastName, &b.IsActive, &b.created, &b.updated}
	}, "SELECT id, email, first_name, last_name, is_active, created_at, updated_at FROM users"+w.SQL(), w.Args...)

	for _, r := range rows {
		r.CreatedAt = db.Time(r.created)
		r.UpdatedAt = db.Time(r.updated)
		out[r.ID] = r.Brief
	}

	return out, err
}
