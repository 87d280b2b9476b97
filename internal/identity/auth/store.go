package auth

import (
	"context"
	"errors"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/platform/db"
)

// This file holds all SQL of passwords, sessions and tokens. bearerOf also reads columns of users, members and
// organisations: it runs for every token that is not cached, and one read in place of four matters there.

var (
	insertPassword = db.InsertInto("passwords", "user_id, hash, version, changed_at, needs_second_factor")
	insertSession  = db.InsertInto(
		"sessions",
		"id, user_id, generation, rotated_at, rotated_source, expires_at, created_at, client_id, organisation, "+
			"second_factor_at, begun_from, console, password_at, sign_on, without_sign_on",
	)
	insertAccess  = db.InsertInto("access_tokens", "hash, session_id, user_id, expires_at")
	insertRefresh = db.InsertInto("refresh_tokens", "hash, session_id, user_id, generation, expires_at")
)

// password is the stored form of a password and its version, which rises with each change.
type password struct {
	hash    string
	version int64
	short   bool // allowed beside a second factor only
}

// passwordOf returns a person's password: that of version 0, which nothing matches, for who has none because a provider
// signs him in.
func passwordOf(ctx context.Context, q db.Querier, userID string) (password, error) {
	p, err := db.One(ctx, q, func(p *password) []any { return []any{&p.hash, &p.version, &p.short} },
		"SELECT hash, version, needs_second_factor FROM passwords WHERE user_id = ?", userID)
	if errors.Is(err, db.ErrNone) {
		return password{}, nil
	}

	return p, err
}

// deletePassword deletes a person's password: nothing signs in by one until another is set.
func deletePassword(tx *db.Tx, userID string) error {
	_, err := tx.Exec("DELETE FROM passwords WHERE user_id = ?", userID)
	return err
}

// writePassword replaces the password of a version. Version 0 means that there is none yet.
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

// writeRotation writes what session.next decided. If another request has rotated the session, it fails with
// db.ErrStale.
func writeRotation(tx *db.Tx, s session, oldGeneration, oldSiblings int64) {
	tx.Change(`UPDATE sessions
		SET generation = ?, siblings = ?, rotated_at = ?, rotated_source = ?
		WHERE id = ? AND generation = ? AND siblings = ? AND revoked_at = 0`,
		s.generation, s.siblings, db.Micros(s.rotatedAt), s.rotatedSource, s.id, oldGeneration, oldSiblings)
}

// revokeSession ends one session. A session that has ended stays as it is.
func revokeSession(tx *db.Tx, sessionID, reason string) error {
	_, err := tx.Exec("UPDATE sessions SET revoked_at = ?, revoked_why = ? WHERE id = ? AND revoked_at = 0",
		db.Micros(tx.Now), reason, sessionID)

	return err
}

// revokeOthers ends every session of a person except keep, and returns how many. Sessions of API clients go on: clients
// are revoked on their own.
func revokeOthers(tx *db.Tx, userID, keep, reason string) (int64, error) {
	return tx.Exec(`UPDATE sessions SET revoked_at = ?, revoked_why = ?
			WHERE user_id = ? AND id <> ? AND client_id = '' AND revoked_at = 0`,
		db.Micros(tx.Now), reason, userID, keep)
}

// revokeAll ends every session of a user, also those of the user's API clients.
func revokeAll(tx *db.Tx, userID, reason string) error {
	_, err := tx.Exec("UPDATE sessions SET revoked_at = ?, revoked_why = ? WHERE user_id = ? AND revoked_at = 0",
		db.Micros(tx.Now), reason, userID)

	return err
}

// revokeSignedOn ends the sessions of a person that an organisation's provider has begun.
func revokeSignedOn(tx *db.Tx, userID, organisation string) error {
	_, err := tx.Exec(`UPDATE sessions SET revoked_at = ?, revoked_why = 'no longer linked to the provider'
			WHERE user_id = ? AND sign_on = ? AND revoked_at = 0`,
		db.Micros(tx.Now), userID, organisation)

	return err
}

type sessionRow struct {
	session
	rotated, revoked, expires int64
	proven                    int64
	tokenGeneration           int64 // of the token that the row was found by
	tokenExpires              int64
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
		&r.tokenGeneration,
		&r.tokenExpires,
	}
}

const sessionColumns = `SELECT s.id, s.user_id, s.generation, s.rotated_at, s.rotated_source, s.siblings,
	s.revoked_at, s.expires_at, s.client_id, s.organisation, s.second_factor_at, s.begun_from, `

// sessionOfRefresh returns the session of a refresh token, the token's generation, and when the token expires; or
// db.ErrNone.
func sessionOfRefresh(
	ctx context.Context, q db.Querier, hash string,
) (s session, generation int64, expires time.Time, err error) {
	r, err := db.One(ctx, q, (*sessionRow).dest, sessionColumns+`t.generation, t.expires_at
		FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id WHERE t.hash = ?`, hash)

	return r.toSession(), r.tokenGeneration, db.Time(r.tokenExpires), err
}

// sessionOfAccess returns the session of an access token and when the token expires; or db.ErrNone.
func sessionOfAccess(ctx context.Context, q db.Querier, hash string) (s session, expires time.Time, err error) {
	r, err := db.One(ctx, q, (*sessionRow).dest, sessionColumns+`s.generation, t.expires_at
		FROM access_tokens t JOIN sessions s ON s.id = t.session_id WHERE t.hash = ?`, hash)

	return r.toSession(), db.Time(r.tokenExpires), err
}

func (r *sessionRow) toSession() session {
	s := r.session
	s.rotatedAt = db.Time(r.rotated)
	s.revokedAt = db.Time(r.revoked)
	s.expires = db.Time(r.expires)
	s.provenAt = db.Time(r.proven)

	return s
}

// writeTokens writes what a session's client gets: two tokens, or a cookie.
func writeTokens(tx *db.Tx, s session, t Tokens) {
	if t.Cookie != "" {
		writeCookie(tx, s, t.Cookie, tx.Now)
		return
	}

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
		s.console,
		db.Micros(s.passwordAt),
		s.signOn,
		s.without,
	)
}

// passwordGivenAt returns when the person of a session gave the password; the zero time: never.
func passwordGivenAt(ctx context.Context, q db.Querier, sessionID string) (time.Time, error) {
	at, err := db.Value[int64](ctx, q, "SELECT password_at FROM sessions WHERE id = ?", sessionID)
	return db.Time(at), err
}

// writePasswordGiven records that the person of a session has just given the password.
func writePasswordGiven(tx *db.Tx, p caller.Principal) error {
	_, err := tx.Exec(
		"UPDATE sessions SET password_at = ? WHERE id = ? AND user_id = ?",
		db.Micros(tx.Now),
		p.Credential,
		p.User,
	)

	return err
}

// The text of bearerOf: columns, what kind of credential, and the membership.
const (
	bearerColumns = `SELECT a.session_id, a.user_id, a.expires_at, s.revoked_at, s.expires_at, u.is_active, u.staff,
		s.client_id, s.organisation, s.second_factor_at, u.two_factor_required, COALESCE(f.enabled_at, 0),
		COALESCE(c.scopes, ''), COALESCE(c.allowed_ips, ''), COALESCE(c.expires_at, 0), COALESCE(c.revoked_at, 0),
		COALESCE(c.last_used_at, 0), COALESCE(o.id, ''), COALESCE(o.require_idempotency_key, FALSE),
		COALESCE(o.policy_version, 0) > 0, COALESCE(o.payer_rules, 0) > 0,
		COALESCE(o.several_accept, 0) > 0, COALESCE(m.roles, ''),
		COALESCE(m.user_type, ''), COALESCE(d.user_id, ''), COALESCE(m.stands_in_from, 0),
		COALESCE(m.stands_in_until, 0), s.rotated_at, s.sign_on, s.without_sign_on, `

	bearerTokens  = "1, FALSE FROM access_tokens a"
	bearerCookies = "a.used_at, a.replaced FROM console_cookies a"

	bearerJoins = ` JOIN sessions s ON s.id = a.session_id
		JOIN users u ON u.id = a.user_id
		LEFT JOIN two_factors f ON f.user_id = a.user_id
		LEFT JOIN api_clients c ON c.id = s.client_id
		LEFT JOIN members m ON m.user_id = a.user_id AND m.is_active = TRUE
			AND (s.organisation = '' OR m.organisation = s.organisation) AND m.organisation <> s.without_sign_on AND `
	bearerTail = " LEFT JOIN members d ON d.organisation = m.organisation AND d.id = m.stands_in_for" +
		" AND d.user_type = 'authorized' AND d.is_active = TRUE" +
		" LEFT JOIN organisations o ON o.id = m.organisation AND o.is_active = TRUE WHERE a.hash = ? " +
		"ORDER BY CASE WHEN o.id IS NULL THEN 1 ELSE 0 END, m.id LIMIT 1"

	anyMember = "m.organisation <> ''"
	theMember = "m.organisation = ?"
)

// credential is a kind of text by which a request shows who calls.
type credential struct {
	prefix   string
	lifetime time.Duration
	console  bool   // a session's cookie
	ofAny    string // SQL that reads it with the first membership
	ofMember string // the same with that of one organisation
}

var (
	byToken = credential{
		prefix:   accessPrefix,
		lifetime: AccessLifetime,
		ofAny:    bearerColumns + bearerTokens + bearerJoins + anyMember + bearerTail,
		ofMember: bearerColumns + bearerTokens + bearerJoins + theMember + bearerTail,
	}
	byCookie = credential{
		prefix:   cookiePrefix,
		lifetime: ConsoleLifetime,
		console:  true,
		ofAny:    bearerColumns + bearerCookies + bearerJoins + anyMember + bearerTail,
		ofMember: bearerColumns + bearerCookies + bearerJoins + theMember + bearerTail,
	}
)

// bearerOf reads a credential with its session, its user, and the membership to act in: that of orgID, or the first if
// orgID is empty.
func bearerOf(ctx context.Context, q db.Querier, kind credential, hash, orgID string) (bearer, error) {
	type row struct {
		bearer
		token, revokedAt, session                                  int64
		proven, enabled, clientEnds, clientRevokedAt, clientUsedAt int64
		lastUse, cookieUsed, from, until                           int64
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
			&r.secondFactorRequired,
			&r.enabled,
			&r.scopes,
			&r.allowed,
			&r.clientEnds,
			&r.clientRevokedAt,
			&r.clientUsedAt,
			&r.organisation,
			&r.requireKey,
			&r.hasPolicy,
			&r.bindsPayers,
			&r.severalAccept,
			&r.roles,
			&r.userType,
			&r.standsInFor,
			&r.from,
			&r.until,
			&r.lastUse,
			&r.signOn,
			&r.without,
			&r.cookieUsed,
			&r.replaced,
		}
	}

	text := kind.ofAny
	args := []any{hash}

	if orgID != "" {
		text = kind.ofMember
		args = []any{orgID, hash}
	}

	r, err := db.One(ctx, q, dest, text, args...)
	b := r.bearer
	b.credential = kind
	b.hash = hash
	b.revoked = r.revokedAt != 0
	b.tokenExpires = db.Time(r.token)
	b.sessionExpires = db.Time(r.session)
	b.provenAt = db.Time(r.proven)
	b.secondFactorOn = r.enabled != 0
	b.clientExpires = db.Time(r.clientEnds)
	b.clientUsed = db.Time(r.clientUsedAt)
	b.clientRevoked = r.clientRevokedAt != 0
	b.lastUse = db.Time(r.lastUse)
	b.cookieUsed = r.cookieUsed != 0
	b.standsInFrom = db.Time(r.from)
	b.standsInUntil = db.Time(r.until)

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
		{`DELETE FROM console_cookies WHERE hash IN (SELECT hash FROM console_cookies
			WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`, tx.Now},
		// A used refresh token is kept as long as its session may live: its second use is what shows a theft.
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
