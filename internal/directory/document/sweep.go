package document

import (
	"context"
	"errors"
	"fmt"

	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Delete takes a document away that nothing refers to. Its bytes stay for Limits.KeepDeleted. A second call finds none.
func (s *Service) Delete(ctx context.Context, organisation, key string, done func(tx *db.Tx, d Document) error) error {
	err := s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		d, err := ByKey(ctx, tx, organisation, key)
		if err != nil {
			return err
		}
		for _, inUse := range s.deps.InUse {
			if yes, err := inUse(ctx, tx, organisation, key); err != nil {
				return err
			} else if yes {
				return fault.New(fault.Conflict, fault.DocumentInUse, "The document belongs to a payable, an invoice link or a payment.")
			}
		}
		if err := move(tx, key, StatusStored, StatusDeleted, tx.Now.Add(s.deps.Limits.KeepDeleted)); err != nil {
			return err
		}
		trail.Audit(ctx, tx, organisation, "document.delete", key, d.SHA256)
		return done(tx, d)
	})
	if errors.Is(err, db.ErrStale) {
		return fault.Missing("document")
	}
	return err
}

// Sweep removes the bytes of documents that never became whole or were deleted, at most most of them, with their rows; and what staging left
// behind. It says how many. Run twice, or by several processes at once, it does no harm.
func (s *Service) Sweep(ctx context.Context, most int) (int, error) {
	now := s.deps.DB.Now()
	rows, err := due(ctx, s.deps.DB, now, most)
	if err != nil {
		return 0, fmt.Errorf("documents to sweep: %w", err)
	}
	n := 0
	for _, v := range rows {
		switch err := s.sweep(ctx, v); {
		case errors.Is(err, db.ErrStale): // became whole at the last moment, or another process has it
		case err != nil:
			return n, fmt.Errorf("sweep document %s: %w", v.d.Key, err)
		default:
			n++
		}
	}
	_, err = s.deps.Stage.Sweep(ctx, now.Add(-uploadGrace))
	return n, err
}

// sweep removes one document: after its row says that it is gone, its bytes; after those, the row.
func (s *Service) sweep(ctx context.Context, v row) error {
	if v.status == StatusUploading {
		err := s.deps.DB.Write(ctx, func(tx *db.Tx) error { return move(tx, v.d.Key, StatusUploading, StatusDeleted, tx.Now) })
		if err != nil {
			return err
		}
	}
	if err := s.deps.Blobs.Delete(ctx, v.blob); err != nil {
		return err
	}
	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		tx.Change("DELETE FROM documents WHERE id = ? AND status = 'DELETED'", v.d.Key)
		return nil
	})
}

// Rotate seals the keys of documents with the keyring's current key, at most most of them, and says how many it did. When it gives 0 the
// older keys are needed no more here. The contents themselves are not touched.
func (s *Service) Rotate(ctx context.Context, most int) (int, error) {
	ring := s.deps.Older // also where encryption is switched off: what was sealed before stays so
	if ring == nil {
		return 0, nil
	}
	rows, err := sealedOtherwise(ctx, s.deps.DB, ring.Current(), most)
	if err != nil {
		return 0, fmt.Errorf("documents of older keys: %w", err)
	}
	for _, v := range rows {
		fresh, _, err := ring.Reseal(v.sealed, sealContext(v.d.Key))
		if err == nil {
			err = s.deps.DB.Write(ctx, func(tx *db.Tx) error {
				tx.Change("UPDATE documents SET key_id = ?, sealed_key = ? WHERE id = ? AND key_id = ?", ring.Current(), fresh, v.d.Key, v.keyID)
				return nil
			})
		}
		if err != nil && !errors.Is(err, db.ErrStale) {
			return 0, fmt.Errorf("seal the key of document %s anew: %w", v.d.Key, err)
		}
	}
	return len(rows), nil
}
