package transaction

import (
	"context"
	"errors"
	"fmt"

	"slipway/internal/core/fault"
	"slipway/internal/directory/document"
	"slipway/internal/platform/db"
)

// noteDocuments notes payments whose document does not belong to the organisation. Without documents it runs no
// statement.
func (in *Input) noteDocuments(ctx context.Context, q db.Querier, org string, l *fault.List) error {
	var keys []string
	for i := range in.Payments {
		if key := in.Payments[i].DocumentStorageKey; key != "" {
			keys = append(keys, key)
		}
	}

	if len(keys) == 0 {
		return nil
	}

	known, err := document.Known(ctx, q, org, keys)
	if err != nil {
		return err
	}

	for i := range in.Payments {
		key := in.Payments[i].DocumentStorageKey
		if _, ok := known[key]; key != "" && !ok {
			l.Add(PaymentAt(i)+"/documentStorageKey", fault.DocumentUnknown, "There is no such document.")
		}
	}

	return nil
}

// stillHas refuses documents that were deleted since the input was checked. It runs in the write that refers to them;
// after that nobody can delete them.
func (in *Input) stillHas(ctx context.Context, tx *db.Tx, org string) error {
	var l fault.List
	if err := in.noteDocuments(ctx, tx, org, &l); err != nil {
		return err
	}

	return l.Err()
}

// Refers reports whether a payment of the organisation refers to the document.
func Refers(ctx context.Context, q db.Querier, org, key string) (bool, error) {
	_, err := withDocument(ctx, q, org, key)
	if errors.Is(err, db.ErrNone) {
		return false, nil
	}

	if err != nil {
		return false, fmt.Errorf("payments with document %s: %w", key, err)
	}

	return true, nil
}
