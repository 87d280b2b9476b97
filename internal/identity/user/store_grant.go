package user

import (
	"context"
	"errors"
	"time"

	"slipway/internal/platform/db"
)

// This file holds all SQL of the times at which people got a role of the platform.

var insertGrantRow = db.InsertInto("staff_grants", "user_id, granted_at, staff")

// insertGrant records that a user has a role from now on.
func insertGrant(tx *db.Tx, u User) { tx.Insert(insertGrantRow, u.ID, db.Micros(tx.Now), u.Staff) }

// lastGrant returns when a user got a role last, or the zero time if that was before it was recorded.
func lastGrant(ctx context.Context, q db.Querier, userID string) (time.Time, error) {
	at, err := db.Value[int64](ctx, q,
		"SELECT COALESCE(MAX(granted_at), 0) FROM staff_grants WHERE user_id = ?", userID)

	return db.Time(at), err
}

// secondOperatorAt returns when a second person was made an operator for the first time, or the zero time if there was
// only ever one.
func secondOperatorAt(ctx context.Context, q db.Querier) (time.Time, error) {
	at, err := db.Value[int64](ctx, q, `SELECT MIN(granted_at) AS first_at FROM staff_grants
		WHERE staff = 'operator' GROUP BY user_id ORDER BY first_at LIMIT 1 OFFSET 1`)
	if errors.Is(err, db.ErrNone) {
		return time.Time{}, nil
	}

	return db.Time(at), err
}
