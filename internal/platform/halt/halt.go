// Package halt keeps what a rule has stopped, and why, so that all processes see it and a restart changes nothing.
//
// A halt has a name, which whoever acts under that name asks for before it starts something new, and a cause, which
// is who set it. Several causes may halt the same name: it goes on when all of them are lifted. What is under way
// already is not halted.
package halt

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"slipway/internal/platform/db"
)

// ErrHalted is something new that was not started.
var ErrHalted = errors.New("it is halted")

// Halt is one reason why something stands.
type Halt struct {
	Name   string
	Cause  string
	Reason string
	Since  time.Time
}

var insert = db.InsertInto("halts", "name, cause, reason, created_at")

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

func where(ctx context.Context, q db.Querier, condition string, args ...any) ([]Halt, error) {
	rows, err := db.Select(
		ctx,
		q,
		(*row).dest,
		"SELECT name, cause, reason, created_at FROM halts"+condition+" ORDER BY name, cause",
		args...)
	if err != nil {
		return nil, fmt.Errorf("read halts: %w", err)
	}

	return db.Values(rows, (*row).halt)
}

// Set halts a name in the caller's transaction. It reports whether this cause did not halt it before; a second call
// only changes the reason.
func Set(ctx context.Context, tx *db.Tx, name, cause, reason string) (fresh bool, err error) {
	have, err := where(ctx, tx, " WHERE name = ? AND cause = ?", name, cause)
	if err != nil {
		return false, err
	}

	if len(have) == 0 {
		tx.Insert(insert, name, cause, reason, db.Micros(tx.Now))
		return true, nil
	}

	if have[0].Reason != reason {
		tx.Change("UPDATE halts SET reason = ? WHERE name = ? AND cause = ?", reason, name, cause)
	}

	return false, nil
}

// Lift ends what a cause has halted. It reports whether there was something to end.
func Lift(tx *db.Tx, name, cause string) (bool, error) {
	n, err := tx.Exec("DELETE FROM halts WHERE name = ? AND cause = ?", name, cause)

	return n > 0, err
}

// Why returns why a name is halted, all reasons in one text; "" when it is not.
func Why(ctx context.Context, q db.Querier, name string) (string, error) {
	all, err := where(ctx, q, " WHERE name = ?", name)
	reasons := make([]string, len(all))

	for i, h := range all {
		reasons[i] = h.Reason
	}

	return strings.Join(reasons, "; "), err
}

// Check returns ErrHalted with the reason while a name is halted. Whoever starts something new under the name calls
// it in the transaction that does so.
func Check(ctx context.Context, q db.Querier, name string) error {
	why, err := Why(ctx, q, name)
	if err == nil && why != "" {
		err = fmt.Errorf("%w: %s", ErrHalted, why)
	}

	return err
}

// All returns every halt.
func All(ctx context.Context, q db.Querier) ([]Halt, error) { return where(ctx, q, "") }
