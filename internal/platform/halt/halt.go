// Package halt stores what a rule has stopped, and why, so that all processes see it and a restart changes nothing.
//
// A halt has a name and a cause. Whoever starts something new checks its name first; the cause is who set the halt. A
// name stays halted until every cause is lifted. A halt does not stop what is under way already.
//
// Read in this order: halt.go, store.go.
package halt

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"slipway/internal/platform/db"
)

// ErrHalted is returned by Check: nothing new may be started.
var ErrHalted = errors.New("it is halted")

// Halt is one reason why a name is halted.
type Halt struct {
	Name   string
	Cause  string
	Reason string
	Since  time.Time
}

// Set halts a name in the caller's transaction. It reports whether the halt is new: a second call of the same cause
// only changes the reason.
func Set(ctx context.Context, tx *db.Tx, name, cause, reason string) (fresh bool, err error) {
	have, err := byCause(ctx, tx, name, cause)
	if err != nil {
		return false, err
	}

	if len(have) == 0 {
		tx.Insert(insertHalt, name, cause, reason, db.Micros(tx.Now))
		return true, nil
	}

	if have[0].Reason != reason {
		setReason(tx, name, cause, reason)
	}

	return false, nil
}

// Lift ends the halt that a cause has set. It reports whether there was one.
func Lift(tx *db.Tx, name, cause string) (bool, error) {
	n, err := remove(tx, name, cause)
	return n > 0, err
}

// Why returns all reasons why a name is halted, in one text, or "" if it is not.
func Why(ctx context.Context, q db.Querier, name string) (string, error) {
	all, err := byName(ctx, q, name)
	reasons := make([]string, len(all))

	for i, h := range all {
		reasons[i] = h.Reason
	}

	return strings.Join(reasons, "; "), err
}

// Check returns ErrHalted with the reasons if a name is halted. Call it in the transaction that starts something new
// under the name.
func Check(ctx context.Context, q db.Querier, name string) error {
	why, err := Why(ctx, q, name)
	if err == nil && why != "" {
		err = fmt.Errorf("%w: %s", ErrHalted, why)
	}

	return err
}

// All returns every halt.
func All(ctx context.Context, q db.Querier) ([]Halt, error) { return list(ctx, q, db.Where{}) }
