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

var (
	userRows   = db.NewTable("users", (*row).columns)
	changeRows = userRows.Only("first_name", "last_name", "sealed", "country", "staff", "email", "email_key",
		"two_factor_required", "is_account_setup", "is_active", "email_confirmed_at", "version", "updated_at")
	briefRows = db.NewView("FROM users", (*Brief).columns)
)

// personal holds what a person has sent besides the name.
var personal = db.SealColumn("users", "sealed", "id")

// Sealed returns the sealed columns.
func Sealed() []*db.Sealed { return []*db.Sealed{personal} }

// row is the database row of a user. The citizenship is one of several texts that are sealed together.
type row struct {
	User
	citizenship string
}

func rowOf(u User) *row { return &row{u, strings.Join(u.Citizenship, ",")} }

func (r *row) user() User {
	u := r.User
	u.Citizenship = db.Words(r.citizenship)

	return u
}

func (r *row) columns(c *db.Columns) {
	c.Text("id", &r.ID)
	c.Text("email", &r.Email)
	c.Written("email_key", func() string { return Key(r.Email) })
	c.Text("first_name", &r.FirstName)
	c.Text("last_name", &r.LastName)
	c.Sealed(personal, db.Key{&r.ID}, &r.Address, &r.PhoneNumber, &r.MessagingHandle, &r.citizenship, &r.DateOfBirth)
	c.Text("country", &r.Country)
	c.Words("features", &r.Features)
	c.Text("staff", &r.Staff)
	c.Bool("two_factor_required", &r.TwoFactorRequired)
	c.Bool("is_account_setup", &r.IsAccountSetup)
	c.Bool("is_active", &r.IsActive)
	c.Time("email_confirmed_at", &r.ConfirmedAt)
	c.Int64("version", &r.Version)
	c.Time("created_at", &r.CreatedAt)
	c.Time("updated_at", &r.UpdatedAt)
}

func insert(tx *db.Tx, u User) { userRows.Insert(tx, rowOf(u)) }

// update writes what may change about a user. If the row is not at the given version any more, it fails with
// db.ErrStale.
func update(tx *db.Tx, u User, version int64) {
	changeRows.Change(tx, rowOf(u), "id = ? AND version = ?", u.ID, version)
}

// ByID returns a user, or db.ErrNone.
func ByID(ctx context.Context, q db.Querier, userID string) (User, error) {
	r, err := userRows.One(ctx, q, "WHERE id = ?", userID)
	return r.user(), err
}

// ByEmail returns the user with this address, whatever its letter case, or db.ErrNone.
func ByEmail(ctx context.Context, q db.Querier, email string) (User, error) {
	r, err := userRows.One(ctx, q, "WHERE email_key = ?", Key(email))
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

	rows, err := userRows.Where(ctx, q, w, "")
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

func (b *Brief) columns(c *db.Columns) {
	c.Text("id", &b.ID)
	c.Text("email", &b.Email)
	c.Text("first_name", &b.FirstName)
	c.Text("last_name", &b.LastName)
	c.Bool("is_active", &b.IsActive)
	c.Time("created_at", &b.CreatedAt)
	c.Time("updated_at", &b.UpdatedAt)
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

	rows, err := briefRows.Where(ctx, q, w, "")
	for _, b := range rows {
		out[b.ID] = b
	}

	return out, err
}
