package document

import (
	"context"

	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Drop takes away, in the caller's transaction, those of the documents that nothing refers to, as Delete does, and
// gives the keys of the others. A second call, and one with keys of documents that are gone, changes nothing.
func (s *Service) Drop(ctx context.Context, tx *db.Tx, organisation string, keys []string) (kept []string, err error) {
	known, err := Known(ctx, tx, organisation, keys)
	if err != nil {
		return nil, err
	}

	used, err := s.inUse(ctx, tx, organisation, keys...)
	if err != nil {
		return nil, err
	}

	for _, key := range keys {
		d, there := known[key]
		if !there {
			continue
		}

		delete(known, key) // named twice, it is dropped once

		if used[key] {
			kept = append(kept, key)
			continue
		}

		if err := s.drop(ctx, tx, d); err != nil {
			return nil, err
		}
	}

	return kept, nil
}

// inUse returns those of some documents that a record refers to.
func (s *Service) inUse(
	ctx context.Context,
	q db.Querier,
	organisation string,
	keys ...string,
) (map[string]bool, error) {
	used := map[string]bool{}

	if len(keys) == 0 {
		return used, nil
	}

	for _, among := range s.deps.InUse {
		some, err := among(ctx, q, organisation, keys)
		if err != nil {
			return nil, err
		}

		for _, key := range some {
			used[key] = true
		}
	}

	return used, nil
}

// deletable refuses a document that a record refers to.
func deletable(used bool) error {
	if used {
		return fault.New(fault.Conflict, fault.DocumentInUse, "The document belongs to a payable or a payment.")
	}

	return nil
}

// drop takes a document out of everybody's sight; its bytes wait for the sweep.
func (s *Service) drop(ctx context.Context, tx *db.Tx, d Document) error {
	if err := move(tx, d.Key, StatusStored, StatusDeleted, tx.Now.Add(s.deps.Limits.KeepDeleted)); err != nil {
		return err
	}

	trail.Audit(ctx, tx, d.Organisation, "document.delete", d.Key, d.SHA256)

	return nil
}
