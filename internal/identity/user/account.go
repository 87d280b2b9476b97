package user

import (
	"context"
	"errors"

	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Prepare writes a user without a password: the platform's people opened the account, and the person completes it by a
// link.
func Prepare(ctx context.Context, tx *db.Tx, p Person) User {
	u := User{
		ID:        id.New(Prefix, tx.Now),
		Email:     p.Email,
		FirstName: p.FirstName,
		LastName:  p.LastName,
		IsActive:  true,
		Version:   1,
		CreatedAt: tx.Now,
		UpdatedAt: tx.Now,
	}
	insert(tx, u)
	trail.Audit(ctx, tx, "", "user.prepared", u.ID, "")

	return u
}

// Complete records that the account is set up, with what the person has sent. The address is confirmed: it got the
// link. A person with a role of the platform has it from now on.
func Complete(ctx context.Context, tx *db.Tx, u User, p Person, phone string) User {
	u.FirstName = p.FirstName
	u.LastName = p.LastName
	u.IsAccountSetup = true
	u.ConfirmedAt = tx.Now

	if phone != "" {
		u.PhoneNumber = phone
	}

	u.noteGrant(tx)

	return save(ctx, tx, u, "user.completed", "")
}

// Confirm records that the address is the person's. A second call changes nothing.
func Confirm(ctx context.Context, tx *db.Tx, u User) User {
	if !u.ConfirmedAt.IsZero() {
		return u
	}

	u.ConfirmedAt = tx.Now

	return save(ctx, tx, u, "user.email_confirmed", "")
}

// SetEmail replaces the user's address by another, confirmed one. If another account has it by then, the write fails
// with a unique violation of table users (db.IsUnique).
func SetEmail(ctx context.Context, tx *db.Tx, u User, email string) User {
	u.Email = email
	u.ConfirmedAt = tx.Now
	return save(ctx, tx, u, "user.email_changed", "")
}

// SetActive switches an account on or off.
func SetActive(ctx context.Context, tx *db.Tx, u User, active bool) User {
	u.IsActive = active

	detail := "off"
	if active {
		detail = "on"
	}

	return save(ctx, tx, u, "user.status", detail)
}

// RequireTwoFactor sets whether the person must have a second factor. It is for the command line, as Grant is.
func RequireTwoFactor(ctx context.Context, tx *db.Tx, email string, required bool) (User, error) {
	u, err := ByEmail(ctx, tx, email)
	if errors.Is(err, db.ErrNone) {
		return User{}, fault.Missing("user")
	}

	if err != nil || u.TwoFactorRequired == required {
		return u, err
	}

	u.TwoFactorRequired = required

	return save(ctx, tx, u, "user.two_factor_required", ""), nil
}

// save writes a changed user and one line of the audit log.
func save(ctx context.Context, tx *db.Tx, u User, action, detail string) User {
	version := u.Version
	u.Version++
	u.UpdatedAt = tx.Now
	update(tx, u, version)
	trail.Audit(ctx, tx, "", action, u.ID, detail)

	return u
}
