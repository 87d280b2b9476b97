package auth

import (
	"context"

	"slipway/internal/platform/db"
)

// This file holds all SQL of sign-ins that wait for a second factor, and of sessions as a person sees them.

var insertChallenge = db.InsertInto("login_challenges", "hash, user_id, password, expires_at, sign_on")

// writeChallenge writes a challenge. signOn is whose provider has signed the person in; "": a password did.
func writeChallenge(tx *db.Tx, temp, userID string, password int64, signOn string) {
	tx.Insert(insertChallenge, digest(temp), userID, password, db.Micros(tx.Now.Add(ChallengeLifetime)), signOn)
}

// challengeByHash returns a challenge, whatever its state, or db.ErrNone.
func challengeByHash(ctx context.Context, q db.Querier, hash string) (challenge, error) {
	dest := func(c *challenge) []any {
		return []any{&c.hash, &c.user, &c.password, &c.failures, &c.used, &c.expiresAt, &c.signOn}
	}

	return db.One(
		ctx,
		q,
		dest,
		"SELECT hash, user_id, password, failures, used_at, expires_at, sign_on FROM login_challenges WHERE hash = ?",
		hash,
	)
}

// countWrongCode counts a wrong code. The last that is allowed uses the tempToken up.
func (c challenge) countWrongCode(tx *db.Tx) {
	used := int64(0)
	if c.failures+1 >= maxWrongCodes {
		used = db.Micros(tx.Now)
	}

	tx.Change("UPDATE login_challenges SET failures = ?, used_at = ? WHERE hash = ? AND failures = ? AND used_at = 0",
		c.failures+1, used, c.hash, c.failures)
}

func (c challenge) use(tx *db.Tx) {
	tx.Change("UPDATE login_challenges SET used_at = ? WHERE hash = ? AND used_at = 0", db.Micros(tx.Now), c.hash)
}

// writeProof records that the second factor was proven in a session.
func writeProof(tx *db.Tx, sessionID string) error {
	_, err := tx.Exec("UPDATE sessions SET second_factor_at = ? WHERE id = ?", db.Micros(tx.Now), sessionID)
	return err
}

// maxSessions is how many sessions a person is shown.
const maxSessions = 250

// openSession holds what a person is shown of a session.
type openSession struct {
	id, source                        string
	rotated, proven, expires, created int64
	console                           bool
	signOn                            string
}

// openSessions returns a person's own sessions that still work, newest first.
func openSessions(ctx context.Context, d *db.DB, userID string) ([]openSession, error) {
	dest := func(r *openSession) []any {
		return []any{&r.id, &r.source, &r.rotated, &r.proven, &r.expires, &r.created, &r.console, &r.signOn}
	}

	now := d.Now()

	return db.Select(ctx, d, dest, `SELECT id, rotated_source, rotated_at, second_factor_at, expires_at, created_at,
			console, sign_on
		FROM sessions
		WHERE user_id = ? AND client_id = '' AND revoked_at = 0 AND expires_at > ?
			AND (console = FALSE OR rotated_at > ?)
		ORDER BY id DESC LIMIT ?`,
		userID, db.Micros(now), db.Micros(now.Add(-ConsoleIdle)), int64(maxSessions))
}

// revokeOwn ends one of a person's own sessions and returns how many it ended: none or one.
func revokeOwn(tx *db.Tx, userID, sessionID string) (int64, error) {
	return tx.Exec(`UPDATE sessions SET revoked_at = ?, revoked_why = 'ended by its person'
			WHERE id = ? AND user_id = ? AND client_id = '' AND revoked_at = 0`,
		db.Micros(tx.Now), sessionID, userID)
}
