package transaction

import (
	"context"
	"slices"
	"time"

	"slipway/internal/directory/receiver"
	"slipway/internal/platform/cache"
	"slipway/internal/platform/db"
)

const (
	recallAge   = time.Hour
	recallLimit = 2_000
	// submittedLimit limits the number of payments in the cache of submitted transactions.
	submittedLimit = 16 << 10
)

// recalled reads transactions and caches what it read.
//
// A further read asks the database only for the version, because clients poll the same transaction until it has ended.
// Every write to a transaction or its payments raises the version, so no read returns anything older than the database
// has. Callers that read at the same time share one statement.
type recalled struct {
	db       *db.DB
	contents *cache.Cache[Transaction] // without terms, as last read
	lookup   *db.Lookup[Transaction]
	// submitted are CRYPTO transactions as submit locked them. Most are accepted soon, and the entry has everything
	// that accept needs. Other types are not cached: their terms are read anyway, because their price may have expired.
	submitted *cache.Cache[Transaction]
}

func newRecalled(d *db.DB) *recalled {
	c := d.Clock()
	r := &recalled{
		db:        d,
		contents:  cache.New[Transaction](c, recallAge, recallLimit),
		submitted: cache.Weighed(c, recallAge, submittedLimit, countPayments),
	}
	r.lookup = db.NewLookup(r.loadAll)

	return r
}

func countPayments(t Transaction) int { return max(1, len(t.Payments)) }

// find reads a transaction with its terms, or returns db.ErrNone.
func (r *recalled) find(ctx context.Context, q db.Querier, id string) (Transaction, error) {
	if q != db.Querier(r.db) { // a write or a snapshot runs its own statements
		return find(ctx, q, id)
	}

	t, err := r.lookup.Get(ctx, id)
	if err != nil {
		return t, err
	}

	t.Payments = slices.Clone(t.Payments) // the cached value is shared with other callers

	return r.withTerms(ctx, t)
}

// withTerms adds the terms of the same version. They may belong to a later version than the transaction that was read
// before, with fewer payments; withTerms then reads both again.
func (r *recalled) withTerms(ctx context.Context, t Transaction) (Transaction, error) {
	if t.Type == TypeCrypto {
		return t, nil
	}

	t, err := withTerms(ctx, r.db, t)
	if err != nil {
		return t, err
	}

	now, err := standingOf(ctx, r.db, []string{t.ID})
	if err != nil || now[t.ID].version == t.Version {
		return t, err
	}

	err = r.db.Snapshot(ctx, func(q db.Querier) error {
		t, err = find(ctx, q, t.ID)
		return err
	})

	return t, err
}

// current reports whether the stored transaction still has this version. If the read fails, it returns true, since
// nothing better is known.
func (r *recalled) current(ctx context.Context, t Transaction) bool {
	now, err := standingOf(ctx, r.db, []string{t.ID})
	return err != nil || now[t.ID].version == t.Version
}

// loadAll reads transactions with their payments. Unknown ones are left out.
func (r *recalled) loadAll(ctx context.Context, ids []string) (map[string]Transaction, error) {
	out := make(map[string]Transaction, len(ids))

	var cached, missing []string
	for _, id := range ids {
		if t, ok := r.contents.Find(id); ok {
			out[id] = t
			cached = append(cached, id)
		} else {
			missing = append(missing, id)
		}
	}

	now, err := standingOf(ctx, r.db, cached)
	if err != nil {
		return nil, err
	}

	missing = append(missing, dropOld(out, now)...)

	if err := r.lookForReceivers(ctx, out, now); err != nil {
		return nil, err
	}

	if len(missing) == 0 {
		return out, nil
	}

	loaded, err := loadAll(ctx, r.db, missing)
	for id, t := range loaded {
		r.contents.Keep(id, t)
		out[id] = t
	}

	return out, err
}

// dropOld removes all cached entries that are not at the present version and returns the ids of those that changed.
// Changed ones must go too: they may be deleted before they are read again, and would then be returned as they once
// were.
func dropOld(cached map[string]Transaction, now map[string]standing) (changed []string) {
	for id, t := range cached {
		s, exists := now[id]
		if exists && s.version == t.Version {
			continue
		}

		delete(cached, id)

		if exists {
			changed = append(changed, id)
		}
	}

	return changed
}

// lookForReceivers notes of cached drafts that their receivers are there. A deletion of one does not raise the version,
// so it looks again where the organisation has deleted any since it looked last.
func (r *recalled) lookForReceivers(ctx context.Context, cached map[string]Transaction, now map[string]standing) error {
	for id, t := range cached {
		if t.Status != StatusDraft {
			continue
		}

		if seen := now[id].deletions; seen != t.deletions {
			gone, err := receiver.Deleted(ctx, r.db, t.Organisation, receiversOf(t))
			if err != nil {
				return err
			}

			if len(gone) > 0 {
				continue
			}

			t.deletions = seen
			r.contents.Keep(id, t)
		}

		t.receiversThere = true
		cached[id] = t
	}

	return nil
}

// keepSubmitted caches a transaction for accept once it is committed. Nobody may change what is cached.
func (r *recalled) keepSubmitted(tx *db.Tx, t Transaction) {
	if t.Type == TypeCrypto {
		tx.OnCommit(func() { r.submitted.Keep(t.ID, t) })
	}
}

// dropSubmitted removes a transaction from the cache once its acceptance is committed.
func (r *recalled) dropSubmitted(tx *db.Tx, id string) { tx.OnCommit(func() { r.submitted.Drop(id) }) }

// Current returns any organisation's transaction the way Find reads it, cache included. It must equal ByID; the oracle
// of the scenario tests compares the two.
func (s *Service) Current(ctx context.Context, transactionID string) (Transaction, error) {
	t, err := s.recalled.find(ctx, s.DB, transactionID)
	t.receiversThere, t.deletions = false, 0

	return t, err
}
