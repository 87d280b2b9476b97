package auth

import (
	"context"

	"slipway/internal/platform/db"
)

// All SQL of sign-ins that wait for a second factor, and of sessions as their person sees them.

var insertChallenge = db.InsertInto("login_challenges", "hash, user_id, password, expires_at")

func writeChallenge(tx *db.Tx, temp, userID string, password int64) {
	tx.Insert(insertChallenge, digest(temp), userID, password, db.Micros(tx.Now.Add(ChallengeLifetime)))
}

// failed counts a wrong code; the fifth burns the tempToken.
func (c challenge) failed(tx *db.Tx) {
	burnt := int64(0)
	if c.failures+1 >= maxWrongCodes {
		burnt = db.Micros(tx.Now)
	}

	tx.Change("UPDATE login_challenges SET failures = ?, used_at = ? WHERE hash = ? AND failures = ? AND used_at = 0",
		c.failures+1, burnt, c.hash, c.failures)
}

func (c challenge) use(tx *db.Tx) {
	tx.Change("UPDATE login_challenges SET used_at = ? WHERE hash = ? AND used_at = 0", db.Micros(tx.Now), c.hash)
}

// writeProof notes that the second factor was proven in a session.
func writeProof(tx *db.Tx, sessionID string) error {
	_, err := tx.Exec("UPDATE sessions SET second_factor_at = ? WHERE id = ?", db.Micros(tx.Now), sessionID)
	return err
}

// maxSessions is how many of them are shown.
const maxSessions = 250

// openSession is what a person is shown of a session.
type openSession struct {
	id, source                        string
	rotated, proven, expires, created int64
}

// openSessions returns a person's own sessions that still work, newest first.
func openSessions(ctx context.Context, d *db.DB, userID string) ([]openSession, error) {
	return db.Select(
		ctx,
		d,
		func(r *openSession) []any {
			return []any{&r.id, &r.source, &r.rotated, &r.proven, &r.expires, &r.created}
		},
		`SELECT id, rotated_source, rotated_at, second_factor_at, expires_at, created_at
			FROM sessions
			WHERE user_id = ? AND client_id = '' AND revoked_at = 0 AND expires_at > ?
			ORDER BY id DESC LIMIT ?`,
		userID,
		db.Micros(d.Now()),
		int64(maxSessions),
	)
}

// revokeOwn ends one of a person's own sessions, and reports whether there was one.
func revokeOwn(tx *db.Tx, userID, sessionID string) (int64, error) {
	return tx.Exec(`UPDATE sessions SET revoked_at = ?, revoked_why = 'ended by its person'
			WHERE id = ? AND user_id = ? AND client_id = '' AND revoked_at = 0`,
		db.Micros(tx.Now), sessionID, userID)
}
