package auth

import (
	"context"
	"time"

	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
)

// This file holds all SQL of API clients.

var insertClient = db.InsertInto("api_clients",
	"id, user_id, organisation, name, salt, secret_hash, scopes, allowed_ips, expires_at, created_at, notice_at")

func insertAPIClient(tx *db.Tx, c client) {
	tx.Insert(
		insertClient,
		c.id,
		c.user,
		c.organisation,
		c.name,
		c.salt,
		c.hash,
		c.scopes,
		c.allowed,
		db.Micros(c.expires),
		db.Micros(c.created),
		db.Micros(c.noticeAt),
	)
}

type clientRow struct {
	client
	expiresAt, revokedAt, usedAt, createdAt, nextNotice int64
}

func (r *clientRow) dest() []any {
	return []any{
		&r.id,
		&r.user,
		&r.organisation,
		&r.name,
		&r.salt,
		&r.hash,
		&r.scopes,
		&r.allowed,
		&r.expiresAt,
		&r.revokedAt,
		&r.usedAt,
		&r.usedFrom,
		&r.createdAt,
		&r.nextNotice,
	}
}

func (r *clientRow) toClient() client {
	c := r.client
	c.expires = db.Time(r.expiresAt)
	c.revoked = db.Time(r.revokedAt)
	c.used = db.Time(r.usedAt)
	c.created = db.Time(r.createdAt)
	c.noticeAt = db.Time(r.nextNotice)

	return c
}

const selectClient = `SELECT id, user_id, organisation, name, salt, secret_hash, scopes, allowed_ips, expires_at,
	revoked_at, last_used_at, last_used_from, created_at, notice_at FROM api_clients WHERE `

// clientByID returns a client, whatever its state, or db.ErrNone.
func clientByID(ctx context.Context, q db.Querier, clientID string) (client, error) {
	r, err := db.One(ctx, q, (*clientRow).dest, selectClient+"id = ?", clientID)
	return r.toClient(), err
}

// clientsOf returns a person's clients, newest first, ended ones among them.
func clientsOf(ctx context.Context, q db.Querier, userID string) ([]client, error) {
	rows, err := db.Select(ctx, q, (*clientRow).dest,
		selectClient+"user_id = ? ORDER BY id DESC LIMIT ?", userID, int64(maxListed))

	out := make([]client, len(rows))
	for i := range rows {
		out[i] = rows[i].toClient()
	}

	return out, err
}

// clientsToTell returns clients whose end has to be told now, those that have waited longest first.
func clientsToTell(ctx context.Context, tx *db.Tx, most int) ([]client, error) {
	rows, err := db.Select(ctx, tx, (*clientRow).dest,
		selectClient+"notice_at > 0 AND notice_at <= ? AND revoked_at = 0 ORDER BY notice_at LIMIT ?",
		db.Micros(tx.Now), int64(most))

	out := make([]client, len(rows))
	for i := range rows {
		out[i] = rows[i].toClient()
	}

	return out, err
}

// writeNotice writes when a client's end is told next; zero: never. If another process was first, the write fails with
// db.ErrStale.
func writeNotice(tx *db.Tx, c client, next time.Time) {
	tx.Change("UPDATE api_clients SET notice_at = ? WHERE id = ? AND notice_at = ?",
		db.Micros(next), c.id, db.Micros(c.noticeAt))
}

func noteClientUse(tx *db.Tx, clientID, source string) error {
	_, err := tx.Exec("UPDATE api_clients SET last_used_at = ?, last_used_from = ? WHERE id = ?",
		db.Micros(tx.Now), source, clientID)

	return err
}

func countClients(ctx context.Context, q db.Querier, userID string) (int64, error) {
	return db.Value[int64](ctx, q, "SELECT count(*) FROM api_clients WHERE user_id = ? AND revoked_at = 0", userID)
}

// writeRevoked ends one of a person's clients, or all if clientID is empty, and their sessions. It returns how many
// clients it ended.
func writeRevoked(tx *db.Tx, userID, clientID string) (int64, error) {
	var w db.Where
	w.And("user_id = ?", userID)
	w.And("revoked_at = 0")

	if clientID != "" {
		w.And("id = ?", clientID)
	}

	n, err := tx.Exec("UPDATE api_clients SET revoked_at = ?"+w.SQL(), append([]any{db.Micros(tx.Now)}, w.Args...)...)
	if err != nil || n == 0 {
		return n, err
	}

	_, err = tx.Exec(`UPDATE sessions SET revoked_at = ?, revoked_why = 'API client revoked'
			WHERE user_id = ? AND revoked_at = 0 AND client_id IN (SELECT id
			FROM api_clients WHERE user_id = ? AND revoked_at <> 0)`,
		db.Micros(tx.Now), userID, userID)

	return n, err
}

// hasSignedInFrom reports whether somebody has signed in to an account from a source, as far back as sessions are kept.
func hasSignedInFrom(ctx context.Context, q db.Querier, email, source string) (bool, error) {
	n, err := db.Value[int64](ctx, q, `SELECT count(*) FROM (SELECT 1 FROM sessions s
			JOIN users u ON u.id = s.user_id
			WHERE u.email_key = ? AND s.begun_from = ? AND s.client_id = ''
			LIMIT 1) AS known`,
		user.Key(email), source)

	return n > 0, err
}
