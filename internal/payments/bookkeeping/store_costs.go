package bookkeeping

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"slipway/internal/platform/db"
)

var insertCost = db.InsertInto("book_costs", "journal, line, organisation, period, value, lots")

// insertCosts stores what the lines of a month that is closed have taken from lots.
func insertCosts(tx *db.Tx, organisation, period string, known map[string]cost) error {
	for at, c := range known {
		journal, text, _ := strings.Cut(at, ":")

		line, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return fmt.Errorf("position %q: %w", at, err)
		}

		lots, err := json.Marshal(c.from)
		if err != nil {
			return fmt.Errorf("encode the lots of %s: %w", at, err)
		}

		tx.Insert(insertCost, journal, line, organisation, period, c.value.Units().String(), string(lots))
	}

	return nil
}

type costRow struct{ position, value, lots string }

// costsIn returns what lines of some journals have taken from lots.
func costsIn(ctx context.Context, q db.Querier, journals []string) ([]costRow, error) {
	type row struct {
		costRow
		journal string
		line    int64
	}

	var w db.Where
	db.In(&w, "journal", journals)

	rows, err := db.Select(ctx, q, func(r *row) []any { return []any{&r.journal, &r.line, &r.value, &r.lots} },
		"SELECT journal, line, value, lots FROM book_costs"+w.SQL(), w.Args...)

	out := make([]costRow, len(rows))
	for i, r := range rows {
		out[i] = r.costRow
		out[i].position = r.journal + ":" + strconv.FormatInt(r.line, 10)
	}

	return out, err
}

func deleteCosts(tx *db.Tx, organisation, period string) error {
	_, err := tx.Exec("DELETE FROM book_costs WHERE organisation = ? AND period = ?", organisation, period)

	return err
}
