package sso

import (
	"context"
	"errors"

	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
)

// This file holds all SQL of what directories say.

var (
	personRows   = db.NewTable("scim_people", (*person).columns)
	personChange = personRows.Only("user_name", "user_key", "external_id", "given_name", "family_name", "active",
		"version", "updated_at")
	insertToken = db.InsertInto("scim_tokens", "organisation, hash, created_by, created_at, used_at")
)

func (p *person) columns(c *db.Columns) {
	c.Text("id", &p.ID)
	c.Text("organisation", &p.Organisation)
	c.Text("user_name", &p.UserName)
	c.Written("user_key", func() string { return user.Key(p.UserName) })
	c.Text("external_id", &p.ExternalID)
	c.Text("given_name", &p.Given)
	c.Text("family_name", &p.Family)
	c.Bool("active", &p.Active)
	c.Int64("version", &p.Version)
	c.Time("created_at", &p.CreatedAt)
	c.Time("updated_at", &p.UpdatedAt)
}

func personByID(ctx context.Context, q db.Querier, orgID, personID string) (person, error) {
	p, err := personRows.One(ctx, q, "WHERE organisation = ? AND id = ?", orgID, personID)
	if errors.Is(err, db.ErrNone) {
		err = fault.Missing("user")
	}

	return p, err
}

// personByName returns a person by the key of his address, or db.ErrNone.
func personByName(ctx context.Context, q db.Querier, orgID, key string) (person, error) {
	return personRows.One(ctx, q, "WHERE organisation = ? AND user_key = ?", orgID, key)
}

// peopleOf returns people of a directory, from one place on, and how many there are. column is user_key or external_id,
// or "" for all.
func peopleOf(
	ctx context.Context, q db.Querier, orgID, column, value string, skip, limit int,
) ([]person, int64, error) {
	var w db.Where
	w.And("organisation = ?", orgID)

	if column != "" {
		w.And(column+" = ?", value)
	}

	total, err := db.Value[int64](ctx, q, "SELECT count(*) FROM scim_people"+w.SQL(), w.Args...)
	if err != nil {
		return nil, 0, err
	}

	all, err := personRows.Select(ctx, q, w.SQL()+" ORDER BY id LIMIT ? OFFSET ?",
		append(w.Args, int64(limit), int64(skip))...)

	return all, total, err
}

func countPeople(ctx context.Context, q db.Querier, orgID string) (int64, error) {
	return db.Value[int64](ctx, q, "SELECT count(*) FROM scim_people WHERE organisation = ?", orgID)
}

// endedByDirectory reports whether the last thing that befell a person's membership was that the directory ended it: an
// admin's word is not undone.
func endedByDirectory(ctx context.Context, q db.Querier, p person) (bool, error) {
	return db.Value[bool](ctx, q, `SELECT count(*) > 0 FROM members m JOIN users u ON u.id = m.user_id
		WHERE m.organisation = ? AND u.email_key = ? AND m.is_active = FALSE AND m.left_by = 'scim'`,
		p.Organisation, user.Key(p.UserName))
}

func deleteToken(tx *db.Tx, orgID string) error {
	_, err := tx.Exec("DELETE FROM scim_tokens WHERE organisation = ?", orgID)
	return err
}

func writeToken(tx *db.Tx, orgID, hash, by string) {
	tx.Insert(insertToken, orgID, hash, by, db.Micros(tx.Now), int64(0))
}

func organisationOfToken(ctx context.Context, q db.Querier, hash string) (string, error) {
	return db.Value[string](ctx, q, `SELECT t.organisation FROM scim_tokens t
		JOIN organisations o ON o.id = t.organisation WHERE t.hash = ? AND o.is_active = TRUE`, hash)
}

// hasSCIM reports whether the directory of an organisation has a token.
func hasSCIM(ctx context.Context, q db.Querier, orgID string) (bool, error) {
	_, err := db.Value[string](ctx, q, "SELECT hash FROM scim_tokens WHERE organisation = ?", orgID)
	if errors.Is(err, db.ErrNone) {
		return false, nil
	}

	return err == nil, err
}
