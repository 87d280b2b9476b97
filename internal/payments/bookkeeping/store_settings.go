package bookkeeping

import (
	"context"
	"errors"

	"slipway/internal/platform/db"
)

const settingColumns = "cost_method, fees_in_cost, revalue_tokens, revalue_currencies"

var insertSettings = db.InsertInto("book_settings", "organisation, "+settingColumns)

func (s *Settings) dest() []any {
	return []any{(*string)(&s.Method), &s.FeesInCost, &s.RevalueTokens, &s.RevalueCurrencies}
}

// SettingsOf returns an organisation's settings.
func SettingsOf(ctx context.Context, q db.Querier, organisation string) (Settings, error) {
	found, err := db.One(ctx, q, (*Settings).dest,
		"SELECT "+settingColumns+" FROM book_settings WHERE organisation = ?", organisation)
	if errors.Is(err, db.ErrNone) {
		return Defaults(), nil
	}

	return found, err
}

func replaceSettings(tx *db.Tx, organisation string, to Settings) error {
	_, err := tx.Exec("DELETE FROM book_settings WHERE organisation = ?", organisation)
	tx.Insert(insertSettings, organisation, string(to.Method), to.FeesInCost, to.RevalueTokens, to.RevalueCurrencies)

	return err
}
