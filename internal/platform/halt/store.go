package halt

import (
	"context"
	"fmt"

	"slipway/internal/platform/db"
)

const columns = "name, cause, reason, created_at"

var insertHalt = db.InsertInto("halts", columns)

type row struct {
	h  Halt
	at int64
}

func (r *row) dest() []any { return []any{&r.h.Name, &r.h.Cause, &r.h.Reason, &r.at} }

func (r *row) halt() (Halt, error) {
	h := r.h
	h.Since = db.Time(r.at)

	return h, nil
}

func list(ctx context.Context, q db.Querier, w db.Where) ([]Halt, error) {
	query := "SELECT " + columns + " FROM halts" + w.SQL() + " ORDER BY name, cause"

	rows, err := db.Select(ctx, q, (*row).dest, query, w.Args...)
	if err != nil {
		return nil, fmt.Errorf("read halts: %w", err)
	}

	return db.Values(rows, (*row).halt)
}

// byCause returns the halt of a name by a cause, or none.
func byCause(ctx context.Context, q db.Querier, name, cause string) ([]Halt, error) {
	var w db.Where
	w.And("name = ?", name)
	w.And("cause = ?", cause)

	return list(ctx, q, w)
}

func byName(ctx context.Context, q db.Querier, name string) ([]Halt, error) {
	var w db.Where
	w.And("name = ?", name)

	return list(ctx, q, w)
}

func setReason(tx *db.Tx, name, cause, reason string) {
	tx.Change("UPDATE halts SET reason = ? WHERE name = ? AND cause = ?", reason, name, cause)
}

func remove(tx *db.Tx, name, cause string) (int64, error) {
	return tx.Exec("DELETE FROM halts WHERE name = ? AND cause = ?", name, cause)
}
