package transaction

import (
	"context"

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
