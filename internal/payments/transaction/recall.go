package transaction

import (
	"context"
	"time"

	"slipway/internal/platform/cache"
	"slipway/internal/platform/clock"
	"slipway/internal/platform/db"
)

// The content of recently read transactions is cached, and a further read asks the database only for their versions,
// because clients poll the same transaction until it has ended. Every write to a transaction or its payments raises the
// version. So the cache never returns anything older than a full read would.
const (
	recallAge   = time.Hour
	recallLimit = 2_000
)

// recall reads transactions with their payments, using the cache. Unknown ones are left out.
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

// dropOld removes from kept all entries that are not at the present version and returns the ids of those that changed.
// Changed ones must go too: they may be deleted before they are read again, and would then be returned as they once
// were.
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

// lockedLimit limits the number of payments in the cache of submitted transactions.
const lockedLimit = 16 << 10

// newLocked returns a cache of CRYPTO transactions as submit locked them. Most are accepted soon, and the entry has
// everything that accept needs. Other types are not kept: their terms are read anyway, because their price may have
// expired.
func newLocked(c *clock.Clock) *cache.Cache[Transaction] {
	return cache.Weighed(c, recallAge, lockedLimit, func(t Transaction) int { return max(1, len(t.Payments)) })
}

// lock caches a transaction for accept once it is committed. Nobody may change what is cached.
func (s *Service) lock(tx *db.Tx, t Transaction) {
	if t.Type == TypeCrypto {
		tx.OnCommit(func() { s.locked.Keep(t.ID, t) })
	}
}

// stillIs reports whether the stored transaction still has the version of the cached one. If the read fails, it returns
// true, since nothing better is known.
func (s *Service) stillIs(ctx context.Context, t Transaction) bool {
	now, err := versionsOf(ctx, s.DB, []string{t.ID})
	return err != nil || now[t.ID] == t.Version
}

// Current returns any organisation's transaction the way Find reads it, cache included. It must equal ByID; the oracle
// of the scenario tests compares the two.
func (s *Service) Current(ctx context.Context, transactionID string) (Transaction, error) {
	t, err := s.load(ctx, s.DB, transactionID)
	if err != nil {
		return t, err
	}

	return s.complete(ctx, s.DB, t)
}

// complete adds the terms, of the same version. Outside a write or a snapshot, terms may belong to a later version than
// the transaction read before, with fewer payments; complete then reads both again.
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
