package preference

import (
	"context"

	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
)

var insertRefusal = db.InsertInto("email_refusals", "user_id, category, how, created_at").
	OrIgnore("(user_id, category)")

func wantsOf(ctx context.Context, q db.Querier, userID string) (Wants, error) {
	w := everything()

	refused, err := db.Select(ctx, q, func(c *string) []any { return []any{c} },
		"SELECT category FROM email_refusals WHERE user_id = ?", userID)
	for _, c := range refused {
		w[mail.Category(c)] = false
	}

	w[mail.Security] = true

	return w, err
}

// chosenOf returns what a person has chosen.
func chosenOf(ctx context.Context, q db.Querier, userID string) (c Chosen, err error) {
	if c.Wants, err = wantsOf(ctx, q, userID); err != nil {
		return c, err
	}

	n, err := db.Value[int64](ctx, q, "SELECT count(*) FROM morning_mails WHERE user_id = ? AND ends = FALSE", userID)
	c.Morning = n > 0

	return c, err
}

var insertMorning = db.InsertInto("morning_mails", "user_id, next_at, ends, created_at").OrIgnore("(user_id)")

// setMorning notes whether a person's mails about payments come in the morning. What is kept for a last one is told the
// next morning.
func setMorning(tx *db.Tx, userID string, on bool) error {
	if on {
		tx.Insert(insertMorning, userID, int64(0), false, db.Micros(tx.Now))
	}

	_, err := tx.Exec("UPDATE morning_mails SET ends = ? WHERE user_id = ?", !on, userID)

	return err
}

func refuse(tx *db.Tx, userID string, c mail.Category, how string) {
	tx.Insert(insertRefusal, userID, string(c), how, db.Micros(tx.Now))
}

func accept(tx *db.Tx, userID string, c mail.Category) error {
	_, err := tx.Exec("DELETE FROM email_refusals WHERE user_id = ? AND category = ?", userID, string(c))
	return err
}
