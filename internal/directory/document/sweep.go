package document

import (
	"context"
	"errors"
	"fmt"

	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
)

// Delete takes a document away that nothing refers to. Its bytes stay for Limits.KeepDeleted. A second call finds none.
func (s *Service) Delete(ctx context.Context, organisation, key string, done func(tx *db.Tx, d Document) error) error {
	err := s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		d, err := ByKey(ctx, tx, organisation, key)
		if err != nil {
			return err
		}

		used, err := s.inUse(ctx, tx, organisation, key)
		if err != nil {
			return err
		}

		if err := deletable(used[key]); err != nil {
			return err
		}

		if err := s.drop(ctx, tx, d); err != nil {
			return err
		}

		return done(tx, d)
	})
	if errors.Is(err, db.ErrStale) {
		return fault.Missing("document")
	}

	return err
}

// mostFailures is after how many documents in a row that cannot be worked on the others are left for the next run:
// storage is away then, and each may take a minute to say so.
const mostFailures = 5

// Sweep removes what staging left behind, then the bytes of documents that never became whole or were deleted, at most
// most of them, with their rows; and it says when nothing could be stored at present. It returns how many documents it
// removed. One that cannot be removed is tried again by the next run and does not keep the others. Run twice, or by
// several processes at once, it does no harm.
func (s *Service) Sweep(ctx context.Context, most int) (int, error) {
	now := s.deps.DB.Now()
	// first: it needs neither database nor bucket, and may be what the disk is full of
	_, stage := s.deps.Stage.Sweep(ctx, now.Add(-uploadGrace))

	rows, err := due(ctx, s.deps.DB, now, most)
	if err != nil {
		return 0, errors.Join(stage, fmt.Errorf("documents to sweep: %w", err))
	}

	n, err := each(rows, "sweep document", func(v record) error { return s.sweep(ctx, v) })

	return n, errors.Join(stage, err, s.deps.Blobs.Check(ctx))
}

// each does something to documents and returns to how many. One that another process has had meanwhile, or an upload
// that became whole at the last moment, is neither done nor a failure.
func each(rows []record, what string, do func(record) error) (n int, failed error) {
	inARow := 0
	for _, v := range rows {
		switch err := do(v); {
		case err == nil:
			n = n + 1
			inARow = 0

		case !errors.Is(err, db.ErrStale):
			failed = errors.Join(failed, fmt.Errorf("%s %s: %w", what, v.Key, err))
			if inARow++; inARow == mostFailures {
				return n, failed
			}
		}
	}

	return n, failed
}

// sweep removes one document: after its row says that it is gone, its bytes; after those, the row.
func (s *Service) sweep(ctx context.Context, v record) error {
	if v.status == StatusUploading {
		err := s.deps.DB.Write(ctx, func(tx *db.Tx) error {
			return move(tx, v.Key, StatusUploading, StatusDeleted, tx.Now)
		})
		if err != nil {
			return err
		}
	}

	if err := s.deps.Blobs.Delete(ctx, v.blob); err != nil {
		return err
	}

	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		forget(tx, v.Key)
		return nil
	})
}

// Rotate seals the keys of at most most documents with the current key of the keyring, and returns how many it sealed.
// When it returns 0 the older keys are needed no more here. The contents themselves are not touched.
func (s *Service) Rotate(ctx context.Context, most int) (int, error) {
	ring := s.deps.Older // also where encryption is switched off: what was sealed before stays so
	if ring == nil {
		return 0, nil
	}

	rows, err := sealedOtherwise(ctx, s.deps.DB, ring.Current(), most)
	if err != nil {
		return 0, fmt.Errorf("documents of older keys: %w", err)
	}

	return each(rows, "seal anew the key of document", func(v record) error {
		fresh, _, err := ring.Reseal(v.sealedKey, sealContext(v.Key))
		if err != nil {
			return err
		}

		return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
			reseal(tx, v, ring.Current(), fresh)
			return nil
		})
	})
}
