package auth

import (
	"context"
	"errors"
	"time"

	"slipway/internal/platform/db"
)

// This file holds all SQL of links in mails.

var insertLink = db.InsertInto("link_tokens", "hash, purpose, user_id, data, expires_at, created_at")

func writeLink(tx *db.Tx, token, purpose, userID, data string, lifetime time.Duration) {
	tx.Insert(insertLink, digest(token), purpose, userID, data, db.Micros(tx.Now.Add(lifetime)), db.Micros(tx.Now))
}

// voidLinks deletes a person's unused links of a purpose. They count as replaced, not as followed.
func voidLinks(tx *db.Tx, userID, purpose string) error {
	_, err := tx.Exec("DELETE FROM link_tokens WHERE user_id = ? AND purpose = ? AND used_at = 0", userID, purpose)
	return err
}

// linkByHash returns a link, whatever its state, or db.ErrNone.
func linkByHash(ctx context.Context, q db.Querier, hash string) (link, error) {
	dest := func(k *link) []any { return []any{&k.hash, &k.purpose, &k.user, &k.data, &k.used, &k.expires} }

	return db.One(ctx, q, dest,
		"SELECT hash, purpose, user_id, data, used_at, expires_at FROM link_tokens WHERE hash = ?", hash)
}

// linkUsed reports whether a person has followed a link of this purpose and data.
func linkUsed(ctx context.Context, q db.Querier, userID, purpose, data string) (bool, error) {
	_, err := db.Value[string](ctx, q,
		"SELECT hash FROM link_tokens WHERE user_id = ? AND purpose = ? AND data = ? AND used_at <> 0 LIMIT 1",
		userID, purpose, data)
	if errors.Is(err, db.ErrNone) {
		return false, nil
	}

	return err == nil, err
}

// use marks the link as used. If another request has done so already, the write fails with db.ErrStale.
func (k link) use(tx *db.Tx) {
	tx.Change("UPDATE link_tokens SET used_at = ? WHERE hash = ? AND used_at = 0", db.Micros(tx.Now), k.hash)
}
