package transaction

import (
	"context"
	"time"

	"slipway/internal/platform/cache"
	"slipway/internal/platform/clock"
	"slipway/internal/platform/db"
)

// Of transactions that were read lately the content is kept, and a further read asks the database only for their
// versions: clients poll the same transaction until it has ended. Nothing of a transaction or of its payments is ever
// written without a new version, so what is given out is never older than what a full read would give.
const (
	recallAge   = time.Hour
	recallLimit = 2_000
)

// recall reads transactions with their payments; those that do not exist are left out.
func (s *Service) recall(ctx context.Context, ids []string) (map[string]Transaction, error) {
	kept := make(map[string]Transaction, len(ids))

	var known, unknown []string
	for _, id := range ids {
		if t, ok := s.kept.Find(id); ok {
			kept[id] = t
			known = append(known, id)
		} else {
			unknown = append(unknown, id)
		}
	}

	versions, err := versionsOf(ctx, s.DB, known)
	if err != nil {
		return nil, err
	}

	unknown = append(unknown, dropOld(kept, versions)...)
	if len(unknown) == 0 {
		return kept, nil
	}

	read, err := loadAll(ctx, s.DB, unknown)
	for id, t := range read {
		s.kept.Keep(id, t)
		kept[id] = t
	}

	return kept, err
}

// dropOld leaves those of what is kept that have the version of now, and names the others that exist. Those go as
// well: they may be deleted before they are read again, and would be given out as they once were.
func dropOld(kept map[string]Transaction, now map[string]int64) (changed []string) {
	for id, t := range kept {
		v, there := now[id]
		if there && v == t.Version {
			continue
		}

		delete(kept, id)

		if there {
			changed = append(changed, id)
		}
	}

	return changed
}

// lockedLimit bounds the payments of the transactions that are kept as they were submitted.
const lockedLimit = 16 << 10

// newLocked keeps CRYPTO transactions as submit has locked them, until they are accepted: most are soon. All of a
// transaction that accept needs is there; others have terms besides, which are read anyway because their price may
// have run out.
func newLocked(c *clock.Clock) *cache.Cache[Transaction] {
	return cache.Weighed(c, recallAge, lockedLimit, func(t Transaction) int { return max(1, len(t.Payments)) })
}

// lock keeps a transaction for accept once it is committed. Nobody may change what is kept.
func (s *Service) lock(tx *db.Tx, t Transaction) {
	if t.Type == TypeCrypto {
		tx.OnCommit(func() { s.locked.Keep(t.ID, t) })
	}
}

// stillIs says whether a transaction is what was kept of it. Where that cannot be found out, nothing better is known.
func (s *Service) stillIs(ctx context.Context, t Transaction) bool {
	now, err := versionsOf(ctx, s.DB, []string{t.ID})
	return err != nil || now[t.ID] == t.Version
}

// Current reads any organisation's transaction the way Find does, with what is kept of it. It equals ByID; the oracle
// of the scenario tests holds the two against each other.
func (s *Service) Current(ctx context.Context, transactionID string) (Transaction, error) {
	t, err := s.load(ctx, s.DB, transactionID)
	if err != nil {
		return t, err
	}

	return s.complete(ctx, s.DB, t)
}

// complete adds the terms of the same version: outside a write or a snapshot they may belong to a later one than what
// was read before, with fewer payments.
func (s *Service) complete(ctx context.Context, q db.Querier, t Transaction) (Transaction, error) {
	t, err := withTerms(ctx, q, t)
	if err != nil || t.Type == TypeCrypto || q != db.Querier(s.DB) {
		return t, err
	}

	now, err := versionsOf(ctx, q, []string{t.ID})
	if err != nil || now[t.ID] == t.Version {
		return t, err
	}

	err = s.DB.Snapshot(ctx, func(q db.Querier) error {
		t, err = find(ctx, q, t.ID)
		return err
	})

	return t, err
}
