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

func refuse(tx *db.Tx, userID string, c mail.Category, how string) {
	tx.Insert(insertRefusal, userID, string(c), how, db.Micros(tx.Now))
}

func accept(tx *db.Tx, userID string, c mail.Category) error {
	_, err := tx.Exec("DELETE FROM email_refusals WHERE user_id = ? AND category = ?", userID, string(c))
	return err
}
