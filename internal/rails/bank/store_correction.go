package bank

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json"

	"slipway/internal/platform/db"
)

const correctionColumns = "id, payout_id, code, sealed, state, created_at"

func (c *correctionRow) dest() []any {
	return []any{&c.id, &c.payout, &c.code, correctionTexts.Into(db.Key{&c.id}, &c.sealed), &c.state, &c.at}
}

// correction returns a row as callers see it.
func (c *correctionRow) correction() (Correction, error) {
	var content storedCorrection
	if err := json.Unmarshal([]byte(c.sealed), &content); err != nil {
		return Correction{}, fmt.Errorf("correction %s: %w", c.id, err)
	}

	return Correction{
		ID:           c.id,
		Code:         c.code,
		Text:         content.Text,
		Right:        content.Right,
		Intelligible: content.Intelligible,
		State:        CorrectionState(c.state),
		At:           db.Time(c.at),
	}, nil
}

// correctionsOf reads the corrections of a payout, oldest first.
func correctionsOf(ctx context.Context, q db.Querier, payoutID string) ([]Correction, error) {
	rows, err := db.Select(ctx, q, (*correctionRow).dest,
		"SELECT "+correctionColumns+" FROM bank_corrections WHERE payout_id = ? ORDER BY id LIMIT 100", payoutID)
	if err != nil {
		return nil, fmt.Errorf("corrections of payout %s: %w", payoutID, err)
	}

	out := make([]Correction, len(rows))
	for i := range rows {
		if out[i], err = rows[i].correction(); err != nil {
			return nil, err
		}
	}

	return out, nil
}

// correctionByID reads a correction and the payout that it is about; db.ErrNone if there is none.
func correctionByID(ctx context.Context, q db.Querier, id string) (c Correction, payout string, err error) {
	row, err := db.One(ctx, q, (*correctionRow).dest,
		"SELECT "+correctionColumns+" FROM bank_corrections WHERE id = ?", id)
	if err != nil {
		return c, "", err
	}

	c, err = row.correction()

	return c, row.payout, err
}

// noteCorrection ends a correction, which must be open.
func noteCorrection(tx *db.Tx, id string, to CorrectionState) {
	tx.Change("UPDATE bank_corrections SET state = ?, updated_at = ? WHERE id = ? AND state = 'OPEN'",
		string(to), db.Micros(tx.Now), id)
}
