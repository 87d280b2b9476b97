package auth

import (
	"context"
	"time"

	"slipway/internal/platform/db"
)

// This file holds all SQL of the console's cookies.

var insertCookie = db.InsertInto("console_cookies", "hash, session_id, user_id, expires_at, used_at")

// sessionOfCookie returns the session of a cookie and when the cookie expires; or db.ErrNone.
func sessionOfCookie(ctx context.Context, q db.Querier, hash string) (s session, expires time.Time, err error) {
	r, err := db.One(ctx, q, (*sessionRow).dest, sessionColumns+`s.generation, t.expires_at
		FROM console_cookies t JOIN sessions s ON s.id = t.session_id WHERE t.hash = ?`, hash)

	return r.toSession(), db.Time(r.tokenExpires), err
}

// writeCookie writes the cookie of a session. usedAt is zero as long as it is not certain that the browser has it.
func writeCookie(tx *db.Tx, s session, cookie string, usedAt time.Time) {
	tx.Insert(insertCookie, digest(cookie), s.id, s.user, db.Micros(s.expires), db.Micros(usedAt))
}

// replaceCookie gives a session a fresh cookie beside the one that asks. A fresh one that the browser has never used is
// deleted.
func replaceCookie(tx *db.Tx, s session, hash, fresh string) error {
	const forget = "DELETE FROM console_cookies WHERE session_id = ? AND used_at = 0 AND hash <> ?"
	if _, err := tx.Exec(forget, s.id, hash); err != nil {
		return err
	}

	if _, err := tx.Exec("UPDATE console_cookies SET replaced = TRUE WHERE session_id = ?", s.id); err != nil {
		return err
	}

	writeCookie(tx, s, fresh, time.Time{})

	return nil
}

// confirmCookie records the first use of a cookie. Those that it has replaced end after RefreshGrace, which requests
// under way may need.
func confirmCookie(tx *db.Tx, sessionID, hash string) error {
	_, err := tx.Exec("UPDATE console_cookies SET used_at = ? WHERE hash = ? AND used_at = 0", db.Micros(tx.Now), hash)
	if err != nil {
		return err
	}

	end := db.Micros(tx.Now.Add(RefreshGrace))
	_, err = tx.Exec(`UPDATE console_cookies SET expires_at = ?
		WHERE session_id = ? AND hash <> ? AND replaced = TRUE AND expires_at > ?`, end, sessionID, hash, end)

	return err
}

// noteSessionUse records when and from where a session was used last.
func noteSessionUse(tx *db.Tx, sessionID, source string) error {
	_, err := tx.Exec("UPDATE sessions SET rotated_at = ?, rotated_source = ? WHERE id = ? AND rotated_at < ?",
		db.Micros(tx.Now), source, sessionID, db.Micros(tx.Now))

	return err
}
