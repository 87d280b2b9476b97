package twofactor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
)

// This file holds all SQL of second factors. Columns that others may join on (hot paths only): two_factors.user_id,
// two_factors.enabled_at.

var insertFactor = db.InsertInto(
	"two_factors",
	"user_id, secret, pending, pending_until, recovery, key_id, enabled_at, last_step, failures, blocked_until, "+
		"version, updated_at",
)

func (f *factor) values() []any {
	return []any{
		f.user,
		f.secret,
		f.pending,
		db.Micros(f.pendingUntil),
		f.recovery,
		f.keyID,
		db.Micros(f.enabledAt),
		f.lastStep,
		f.failures,
		db.Micros(f.blockedUntil),
		f.version,
		db.Micros(f.updatedAt),
	}
}

// store seals what was changed and writes the factor. If the row was changed since it was read, the write fails with
// db.ErrStale.
func (f *factor) store(tx *db.Tx, k *secret.Keyring) error {
	if err := f.seal(k); err != nil {
		return err
	}

	f.version++
	f.updatedAt = tx.Now

	if f.version == 1 {
		tx.Insert(insertFactor, f.values()...)
		return nil
	}

	tx.Change(
		`UPDATE two_factors
			SET secret = ?, pending = ?, pending_until = ?, recovery = ?, key_id = ?, enabled_at = ?,
			last_step = ?, failures = ?, blocked_until = ?, version = ?, updated_at = ?
			WHERE user_id = ? AND version = ?`,
		append(f.values()[1:], f.user, f.version-1)...)

	return nil
}

// seal seals everything with the current key: one row has one key.
func (f *factor) seal(k *secret.Keyring) error {
	rotated := f.keyID != k.Current()
	for _, part := range []struct {
		sealed  *string
		open    []byte
		changed bool
		what    string
	}{
		{&f.secret, f.openSecret, f.changedSecret, "secret"},
		{&f.pending, f.openPending, f.changedSecret, "pending"},
		{&f.recovery, []byte(strings.Join(f.openRecovery, ",")), f.changedOthers, "recovery"},
	} {
		switch {
		case part.changed && len(part.open) == 0:
			*part.sealed = ""
		case part.changed:
			*part.sealed = k.Seal(part.open, f.context(part.what))

		case rotated && *part.sealed != "":
			resealed, _, err := k.Reseal(*part.sealed, f.context(part.what))
			if err != nil {
				return fmt.Errorf("seal second factor of %s again: %w", f.user, err)
			}

			*part.sealed = resealed
		}
	}

	f.keyID = k.Current()

	return nil
}

// context binds a sealed value to its person and its column.
func (f *factor) context(what string) string { return "two-factor/" + what + "/" + f.user }

// open unseals everything.
func (f *factor) open(k *secret.Keyring) (err error) {
	var left []byte
	for _, part := range []struct {
		sealed string
		to     *[]byte
		what   string
	}{{f.secret, &f.openSecret, "secret"}, {f.pending, &f.openPending, "pending"}, {f.recovery, &left, "recovery"}} {
		if part.sealed == "" {
			continue
		}

		if *part.to, err = k.Open(part.sealed, f.context(part.what)); err != nil {
			return fmt.Errorf("open second factor of %s: %w", f.user, err)
		}
	}

	if len(left) > 0 {
		f.openRecovery = strings.Split(string(left), ",")
	}

	return nil
}

type factorRow struct {
	factor
	pendingUntil, enabledAt, blockedUntil, updatedAt int64
}

// load reads and unseals a factor. A person without one gets a factor of version 0.
func load(ctx context.Context, q db.Querier, k *secret.Keyring, user string) (*factor, error) {
	r, err := db.One(ctx, q, func(r *factorRow) []any {
		return []any{
			&r.user,
			&r.secret,
			&r.pending,
			&r.pendingUntil,
			&r.recovery,
			&r.keyID,
			&r.enabledAt,
			&r.lastStep,
			&r.failures,
			&r.blockedUntil,
			&r.version,
			&r.updatedAt,
		}
	}, `SELECT user_id, secret, pending, pending_until, recovery, key_id, enabled_at, last_step, failures,
		blocked_until, version, updated_at FROM two_factors WHERE user_id = ?`, user)
	if errors.Is(err, db.ErrNone) {
		return &factor{user: user}, nil
	}

	if err != nil {
		return nil, err
	}

	f := r.factor
	f.pendingUntil = db.Time(r.pendingUntil)
	f.enabledAt = db.Time(r.enabledAt)
	f.blockedUntil = db.Time(r.blockedUntil)
	f.updatedAt = db.Time(r.updatedAt)

	return &f, f.open(k)
}

// Enabled reports whether a person has a second factor.
func Enabled(ctx context.Context, q db.Querier, user string) (bool, error) {
	at, err := db.Value[int64](ctx, q, "SELECT enabled_at FROM two_factors WHERE user_id = ?", user)
	if errors.Is(err, db.ErrNone) {
		return false, nil
	}

	return at != 0, err
}

// sealedWithOther returns some of the people whose factor was sealed with another key than this.
func sealedWithOther(ctx context.Context, q db.Querier, keyID string, limit int) ([]string, error) {
	return db.Select(ctx, q, func(s *string) []any { return []any{s} },
		"SELECT user_id FROM two_factors WHERE key_id <> ? ORDER BY user_id LIMIT ?", keyID, int64(limit))
}

// Standing is how a person's second factor stands.
type Standing struct {
	Enabled      bool
	BlockedUntil time.Time // after wrong codes; zero: codes are taken
}

// StandingsOf returns how the second factors of some people stand, by person. Who has none is left out.
func StandingsOf(ctx context.Context, q db.Querier, people []string) (map[string]Standing, error) {
	out := map[string]Standing{}
	if len(people) == 0 {
		return out, nil
	}

	var w db.Where
	db.In(&w, "user_id", people)

	rows, err := db.Select(ctx, q, func(r *factorRow) []any { return []any{&r.user, &r.enabledAt, &r.blockedUntil} },
		"SELECT user_id, enabled_at, blocked_until FROM two_factors"+w.SQL(), w.Args...)
	if err != nil {
		return nil, fmt.Errorf("read second factors: %w", err)
	}

	for _, r := range rows {
		out[r.user] = Standing{Enabled: r.enabledAt != 0, BlockedUntil: db.Time(r.blockedUntil)}
	}

	return out, nil
}
