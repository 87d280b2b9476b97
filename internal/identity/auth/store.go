package auth

import (
	"context"
	"time"

	"slipway/internal/platform/db"
)

// All SQL of passwords, sessions and tokens. bearerOf also reads columns of users, members and organisations: it is
// asked for every token that is not cached, and four reads in place of one would be the most frequent queries of the
// service.

var (
	insertPassword = db.InsertInto("passwords", "user_id, hash, version, changed_at, needs_second_factor")
	insertSession  = db.InsertInto(
		"sessions",
		"id, user_id, generation, rotated_at, rotated_source, expires_at, created_at, client_id, organisation, "+
			"second_factor_at, begun_from",
	)
	insertAccess  = db.InsertInto("access_tokens", "hash, session_id, user_id, expires_at")
	insertRefresh = db.InsertInto("refresh_tokens", "hash, session_id, user_id, generation, expires_at")
)

// password is the stored form of a password and its version, which rises with each change.
type password struct {
	hash    string
	version int64
	short   bool // good with a second factor only
}

func passwordOf(ctx context.Context, q db.Querier, userID string) (password, error) {
	return db.One(ctx, q, func(p *password) []any { return []any{&p.hash, &p.version, &p.short} },
		"SELECT hash, version, needs_second_factor FROM passwords WHERE user_id = ?", userID)
}

// writePassword replaces the password of a version; version 0 is none.
func writePassword(tx *db.Tx, userID string, fresh password, old int64) {
	if old == 0 {
		tx.Insert(insertPassword, userID, fresh.hash, int64(1), db.Micros(tx.Now), fresh.short)
		return
	}

	tx.Change(`UPDATE passwords
			SET hash = ?, version = ?, changed_at = ?, needs_second_factor = ?
			WHERE user_id = ? AND version = ?`,
		fresh.hash, old+1, db.Micros(tx.Now), fresh.short, userID, old)
}

// writeRotation writes what next decided of a session, if nobody else has moved it.
func writeRotation(tx *db.Tx, s session, oldGeneration, oldSiblings int64) {
	tx.Change(`UPDATE sessions
		SET generation = ?, siblings = ?, rotated_at = ?, rotated_source = ?
		WHERE id = ? AND generation = ? AND siblings = ? AND revoked_at = 0`,
		s.generation, s.siblings, db.Micros(s.rotatedAt), s.rotatedSource, s.id, oldGeneration, oldSiblings)
}

// revokeSession ends one session; one that has ended stays as it is.
func revokeSession(tx *db.Tx, sessionID, why string) error {
	_, err := tx.Exec("UPDATE sessions SET revoked_at = ?, revoked_why = ? WHERE id = ? AND revoked_at = 0",
		db.Micros(tx.Now), why, sessionID)

	return err
}

// revokeOthers ends every session of a person but one, and says how many that were. API clients go on: they have an
// end of their own.
func revokeOthers(tx *db.Tx, userID, keep, why string) (int64, error) {
	return tx.Exec(`UPDATE sessions SET revoked_at = ?, revoked_why = ?
			WHERE user_id = ? AND id <> ? AND client_id = '' AND revoked_at = 0`,
		db.Micros(tx.Now), why, userID, keep)
}

// revokeAll ends every session of a user, those of his API clients too.
func revokeAll(tx *db.Tx, userID, why string) error {
	_, err := tx.Exec("UPDATE sessions SET revoked_at = ?, revoked_why = ? WHERE user_id = ? AND revoked_at = 0",
		db.Micros(tx.Now), why, userID)

	return err
}

type sessionRow struct {
	session
	number                    int64 // generation of the token it was found by
	rotated, revoked, expires int64
	proven                    int64
	idle                      int64 // when the token it was found by ends
}

func (r *sessionRow) dest() []any {
	return []any{
		&r.id,
		&r.user,
		&r.generation,
		&r.rotated,
		&r.rotatedSource,
		&r.siblings,
		&r.revoked,
		&r.expires,
		&r.client,
		&r.organisation,
		&r.proven,
		&r.begunFrom,
		&r.number,
		&r.idle,
	}
}

const sessionColumns = `SELECT s.id, s.user_id, s.generation, s.rotated_at, s.rotated_source, s.siblings,
	s.revoked_at, s.expires_at, s.client_id, s.organisation, s.second_factor_at, s.begun_from, `

// sessionOfRefresh finds the session of a refresh token, the token's generation, and when it ends unused; or
// db.ErrNone.
func sessionOfRefresh(
	ctx context.Context, q db.Querier, hash string,
) (s session, generation int64, idle time.Time, err error) {
	r, err := db.One(ctx, q, (*sessionRow).dest, sessionColumns+
		"t.generation, t.expires_at FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id WHERE t.hash = ?", hash)
	return r.whole(), r.number, db.Time(r.idle), err
}

// sessionOfAccess finds the session of an access token and when the token ends; or db.ErrNone.
func sessionOfAccess(ctx context.Context, q db.Querier, hash string) (s session, expires time.Time, err error) {
	r, err := db.One(ctx, q, (*sessionRow).dest, sessionColumns+
		"s.generation, t.expires_at FROM access_tokens t JOIN sessions s ON s.id = t.session_id WHERE t.hash = ?", hash)
	return r.whole(), db.Time(r.idle), err
}

func (r *sessionRow) whole() session {
	s := r.session
	s.rotatedAt = db.Time(r.rotated)
	s.revokedAt = db.Time(r.revoked)
	s.expires = db.Time(r.expires)
	s.provenAt = db.Time(r.proven)

	return s
}

func writeTokens(tx *db.Tx, s session, t Tokens) {
	tx.Insert(insertAccess, digest(t.Access), s.id, s.user, db.Micros(earliest(tx.Now.Add(AccessLifetime), s.expires)))

	tx.Insert(
		insertRefresh,
		digest(t.Refresh),
		s.id,
		s.user,
		s.generation,
		db.Micros(earliest(tx.Now.Add(RefreshIdle), s.expires)),
	)
}

func writeSession(tx *db.Tx, s session) {
	tx.Insert(
		insertSession,
		s.id,
		s.user,
		s.generation,
		db.Micros(s.rotatedAt),
		s.rotatedSource,
		db.Micros(s.expires),
		db.Micros(tx.Now),
		s.client,
		s.organisation,
		db.Micros(s.provenAt),
		s.begunFrom,
	)
}

const (
	bearerHead = `SELECT a.session_id, a.user_id, a.expires_at, s.revoked_at, s.expires_at, u.is_active, u.staff,
		s.client_id, s.organisation, s.second_factor_at, u.two_factor_required, COALESCE(f.enabled_at, 0),
		COALESCE(c.scopes, ''), COALESCE(c.allowed_ips, ''), COALESCE(c.expires_at, 0), COALESCE(c.revoked_at, 0),
		COALESCE(c.last_used_at, 0), COALESCE(o.id, ''), COALESCE(o.require_idempotency_key, FALSE),
		COALESCE(o.policy_version, 0) > 0, COALESCE(m.roles, ''), COALESCE(m.user_type, '')
		FROM access_tokens a JOIN sessions s ON s.id = a.session_id
		JOIN users u ON u.id = a.user_id LEFT
		JOIN two_factors f ON f.user_id = a.user_id LEFT
		JOIN api_clients c ON c.id = s.client_id LEFT
		JOIN members m ON m.user_id = a.user_id AND m.is_active = TRUE AND (s.organisation = ''
		OR m.organisation = s.organisation) AND `
	bearerTail = " LEFT JOIN organisations o ON o.id = m.organisation AND o.is_active = TRUE WHERE a.hash = ? " +
		"ORDER BY CASE WHEN o.id IS NULL THEN 1 ELSE 0 END, m.id LIMIT 1"

	bearerFirst = bearerHead + "m.organisation <> ''" + bearerTail
	bearerWish  = bearerHead + "m.organisation = ?" + bearerTail
)

// bearerOf reads an access token with its session, its user, and the membership to act in: the one wished for, or the
// first.
func bearerOf(ctx context.Context, q db.Querier, hash, wish string) (bearer, error) {
	type row struct {
		bearer
		token, revokedAt, session                                  int64
		proven, enabled, clientEnds, clientRevokedAt, clientUsedAt int64
	}
	dest := func(r *row) []any {
		return []any{
			&r.bearer.session,
			&r.user,
			&r.token,
			&r.revokedAt,
			&r.session,
			&r.userActive,
			&r.staff,
			&r.client,
			&r.clientOrganisation,
			&r.proven,
			&r.mustHaveTwo,
			&r.enabled,
			&r.scopes,
			&r.allowed,
			&r.clientEnds,
			&r.clientRevokedAt,
			&r.clientUsedAt,
			&r.organisation,
			&r.requireKey,
			&r.hasPolicy,
			&r.roles,
			&r.userType,
		}
	}
	text := bearerFirst

	args := []any{hash}
	if wish != "" {
		text = bearerWish
		args = []any{wish, hash}
	}

	r, err := db.One(ctx, q, dest, text, args...)
	b := r.bearer
	b.revoked = r.revokedAt != 0
	b.tokenExpires = db.Time(r.token)
	b.sessionExpires = db.Time(r.session)
	b.provenAt = db.Time(r.proven)
	b.secondFactorOn = r.enabled != 0
	b.clientExpires = db.Time(r.clientEnds)
	b.clientUsed = db.Time(r.clientUsedAt)
	b.clientRevoked = r.clientRevokedAt != 0

	return b, err
}

// forgetExpired deletes rows that no answer depends on any more, at most limit of each table.
func forgetExpired(tx *db.Tx, limit int) (int64, error) {
	var n int64
	for _, c := range []struct {
		text   string
		before time.Time
	}{
		{`DELETE FROM access_tokens WHERE hash IN (SELECT hash FROM access_tokens
			WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`, tx.Now},
		// A used refresh token is kept as long as its session may live: its second use is what tells a theft.
		{`DELETE FROM refresh_tokens WHERE hash IN (SELECT hash FROM refresh_tokens
			WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`, tx.Now.Add(-SessionLifetime)},
		{`DELETE FROM login_challenges WHERE hash IN (SELECT hash
			FROM login_challenges WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`, tx.Now},
		{`DELETE FROM link_tokens WHERE hash IN (SELECT hash FROM link_tokens
			WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`, tx.Now.Add(-SessionLifetime)},
		{`DELETE FROM sessions WHERE id IN (SELECT id FROM sessions
			WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`, tx.Now.Add(-SessionLifetime)},
	} {
		m, err := tx.Exec(c.text, db.Micros(c.before), int64(limit))
		if err != nil {
			return n, err
		}

		n += m
	}

	return n, nil
}
