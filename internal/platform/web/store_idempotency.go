package web

import (
	"context"
	_ "embed" // for typicalAnswer
	"strings"

	"slipway/internal/platform/db"
)

// typicalAnswer is what most stored answers look like: a transaction. Answers are compressed against it, so a change of
// one byte makes those that are stored unreadable.
//
//go:embed stored_answer.json
var typicalAnswer []byte

// answers is the sealed column of stored bodies: an answer may contain what is encrypted everywhere else.
var answers = db.SealBytes("idempotency", "body", "scope, key").Alike(typicalAnswer)

// Sealed returns the sealed columns.
func Sealed() []*db.Sealed { return []*db.Sealed{answers} }

var insertKey = db.InsertInto("idempotency", "scope, key, fingerprint, status, headers, body, created_at")

// storeAnswer stores the answer of a request with its key, in the transaction of the request's effect.
func storeAnswer(tx *db.Tx, k *onceKey) {
	body := answers.OfBytes(db.Key{k.scope, k.value}, k.body)
	tx.Insert(insertKey, k.scope, k.value, k.fingerprint, int64(k.status), "", body, db.Micros(tx.Now))
}

// storedAnswer is the answer that was stored with a key.
type storedAnswer struct {
	scope, key, fingerprint string
	status, createdAt       int64
	body                    []byte
}

// answerOf returns the stored answer of a key, or db.ErrNone. Requests that are repeated at the same time share a
// statement.
func (a *API) answerOf(ctx context.Context, k *onceKey) (storedAnswer, error) {
	return a.answers.Get(ctx, k.scope+k.value)
}

// storedAnswers returns the stored answers of keys, by scope and key. Each is found in a SELECT of its own: of a list
// of keys, PostgreSQL may read all those of a scope instead.
func storedAnswers(ctx context.Context, q db.Querier, asked []string) (map[string]storedAnswer, error) {
	const query = `SELECT scope, key, fingerprint, status, body, created_at FROM idempotency
		WHERE scope = ? AND key = ?`

	var args []any

	selects := 1
	for selects < len(asked) {
		selects *= 2 // few texts, so few plans
	}

	for i := range selects {
		both := asked[min(i, len(asked)-1)]
		args = append(args, both[:digestLength], both[digestLength:])
	}

	rows, err := db.Select(ctx, q, func(a *storedAnswer) []any {
		body := answers.IntoBytes(db.Key{&a.scope, &a.key}, &a.body)
		return []any{&a.scope, &a.key, &a.fingerprint, &a.status, body, &a.createdAt}
	}, query+strings.Repeat(" UNION ALL "+query, selects-1), args...)

	out := make(map[string]storedAnswer, len(rows))
	for _, a := range rows {
		out[a.scope+a.key] = a
	}

	return out, err
}

// deleteKey deletes a key whose answer is as old as cutoff, or older.
func deleteKey(tx *db.Tx, k *onceKey, cutoff int64) error {
	const query = "DELETE FROM idempotency WHERE scope = ? AND key = ? AND created_at <= ?"
	_, err := tx.Exec(query, k.scope, k.value, cutoff)

	return err
}

// ForgetOldKeys deletes expired keys, at most limit of them. The housekeeping job calls it.
func ForgetOldKeys(ctx context.Context, d *db.DB, limit int) (n int64, err error) {
	const query = `DELETE FROM idempotency WHERE (scope, key) IN (
		SELECT scope, key FROM idempotency WHERE created_at <= ? ORDER BY created_at LIMIT ?)`

	err = d.Write(ctx, func(tx *db.Tx) (err error) {
		n, err = tx.Exec(query, db.Micros(tx.Now.Add(-KeyLifetime)), int64(limit))
		return err
	})

	return n, err
}
