package user

import (
	"context"
	"errors"

	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Prepare writes a user who has no password yet: someone at the platform opened the account for him. He completes it
// by a link.
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

// Complete notes that the account is set up, with what the person says of himself; the link proved the address.
func Complete(ctx context.Context, tx *db.Tx, u User, p Person, phone string) User {
	u.FirstName = p.FirstName
	u.LastName = p.LastName
	u.IsAccountSetup = true

	u.ConfirmedAt = tx.Now
	if phone != "" {
		u.PhoneNumber = phone
	}

	return save(ctx, tx, u, "user.completed", "")
}

// Confirm notes that the address is the person's. A second call changes nothing.
func Confirm(ctx context.Context, tx *db.Tx, u User) User {
	if !u.ConfirmedAt.IsZero() {
		return u
	}

	u.ConfirmedAt = tx.Now

	return save(ctx, tx, u, "user.email_confirmed", "")
}

// SetEmail gives the user another, confirmed address. If it was taken in between, Write answers a db.Unique of table
// users.
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

// RequireTwoFactor reports whether the person must have a second factor. It is for the command line, as Grant is.
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

func save(ctx context.Context, tx *db.Tx, u User, action, detail string) User {
	old := u.Version
	u.Version = old + 1
	u.UpdatedAt = tx.Now
	update(tx, u, old)
	trail.Audit(ctx, tx, "", action, u.ID, detail)

	return u
}
