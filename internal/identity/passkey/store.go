package passkey

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"slipway/internal/platform/db"
)

// This file holds all SQL of passkeys and of the challenges that wait for an answer.

var (
	passkeys        = db.NewTable("passkeys", (*Passkey).columns)
	insertChallenge = db.InsertInto("passkey_challenges", "hash, purpose, user_id, held_by, expires_at")
)

// columns lists every column once. A new field needs one line here.
func (k *Passkey) columns(c *db.Columns) {
	c.Text("id", &k.ID)
	c.Text("user_id", &k.User)
	c.Text("credential", &k.credential)
	c.Text("public_key", &k.publicKey)
	c.Text("transports", &k.transports)
	c.Bool("backup_eligible", &k.backupEligible)
	c.Bool("backed_up", &k.BackedUp)
	c.Int64("sign_count", &k.signCount)
	c.Text("name", &k.Name)
	c.Int64("version", &k.Version)
	c.Time("last_used_at", &k.LastUsedAt)
	c.Time("created_at", &k.CreatedAt)
}

// Of returns a person's passkeys, oldest first.
func Of(ctx context.Context, q db.Querier, user string) ([]Passkey, error) {
	all, err := passkeys.Select(ctx, q, "WHERE user_id = ? ORDER BY id LIMIT ?", user, int64(Most))
	if err != nil {
		return nil, fmt.Errorf("passkeys of %s: %w", user, err)
	}

	return all, nil
}

// one returns a person's passkey, or db.ErrNone.
func one(ctx context.Context, q db.Querier, user, passkeyID string) (Passkey, error) {
	return passkeys.One(ctx, q, "WHERE id = ? AND user_id = ?", passkeyID, user)
}

// byCredential returns the passkey with the authenticator's identifier, or db.ErrNone.
func byCredential(ctx context.Context, q db.Querier, credential string) (Passkey, error) {
	return passkeys.One(ctx, q, "WHERE credential = ?", credential)
}

// noteUse writes the counter of an answer. If another request has used the passkey meanwhile, it fails with
// db.ErrStale.
func noteUse(tx *db.Tx, k Passkey, before int64) {
	tx.Change("UPDATE passkeys SET sign_count = ?, backed_up = ?, last_used_at = ? WHERE id = ? AND sign_count = ?",
		k.signCount, k.BackedUp, db.Micros(tx.Now), k.ID, before)
}

func writeName(tx *db.Tx, k Passkey, name string) {
	tx.Change("UPDATE passkeys SET name = ?, version = ? WHERE id = ? AND version = ?",
		name, k.Version+1, k.ID, k.Version)
}

func remove(tx *db.Tx, passkeyID string) error {
	_, err := tx.Exec("DELETE FROM passkeys WHERE id = ?", passkeyID)
	return err
}

func removeAll(tx *db.Tx, user string) (int64, error) {
	return tx.Exec("DELETE FROM passkeys WHERE user_id = ?", user)
}

func digest(challenge string) string {
	sum := sha256.Sum256([]byte(challenge))
	return hex.EncodeToString(sum[:])
}

func writeChallenge(tx *db.Tx, c Challenge, text string) {
	tx.Insert(insertChallenge,
		digest(text), string(c.Purpose), c.User, c.Holder, db.Micros(tx.Now.Add(ChallengeLifetime)))
}

// takeChallenge deletes a challenge and reports whether it was there, for this purpose and holder, and in time.
func takeChallenge(tx *db.Tx, c Challenge, text string) (bool, error) {
	n, err := tx.Exec(`DELETE FROM passkey_challenges
			WHERE hash = ? AND purpose = ? AND user_id = ? AND held_by = ? AND expires_at > ?`,
		digest(text), string(c.Purpose), c.User, c.Holder, db.Micros(tx.Now))

	return n == 1, err
}

// ForgetChallenges deletes challenges that nobody has answered in time, at most limit, and returns how many.
func ForgetChallenges(tx *db.Tx, before time.Time, limit int) (int64, error) {
	return tx.Exec(`DELETE FROM passkey_challenges WHERE hash IN (SELECT hash FROM passkey_challenges
		WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`, db.Micros(before), int64(limit))
}
