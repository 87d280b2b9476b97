package document

import (
	"context"

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

	for _, key := range keys {
		d, there := known[key]
		if !there {
			continue
		}

		delete(known, key) // named twice, it is dropped once

		inUse, err := s.inUse(ctx, tx, organisation, key)
		if err != nil {
			return nil, err
		}

		if inUse {
			kept = append(kept, key)
			continue
		}

		if err := s.drop(ctx, tx, d); err != nil {
			return nil, err
		}
	}

	return kept, nil
}

// inUse reports whether a record refers to a document.
func (s *Service) inUse(ctx context.Context, q db.Querier, organisation, key string) (bool, error) {
	for _, refers := range s.deps.InUse {
		if yes, err := refers(ctx, q, organisation, key); yes || err != nil {
			return yes, err
		}
	}

	return false, nil
}

// drop takes a document out of everybody's sight; its bytes wait for the sweep.
func (s *Service) drop(ctx context.Context, tx *db.Tx, d Document) error {
	if err := move(tx, d.Key, StatusStored, StatusDeleted, tx.Now.Add(s.deps.Limits.KeepDeleted)); err != nil {
		return err
	}

	trail.Audit(ctx, tx, d.Organisation, "document.delete", d.Key, d.SHA256)

	return nil
}
