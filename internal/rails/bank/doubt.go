package bank

import (
	"context"
	"fmt"
	"slices"
	"time"

	"slipway/internal/platform/db"
	"slipway/internal/standards/iso20022/camt"
)

// statusDoubt is the status of a stored booking that may duplicate another one in other words. It moves nothing.
const statusDoubt = "DOUBT"

// The states of a doubt.
const (
	doubtOpen    = "OPEN"    // the statement that proves it, or two persons, act next
	doubtCounted = "COUNTED" // a separate booking
	doubtSame    = "SAME"    // a duplicate of another booking in other words
)

// daysApart is the largest difference between the days that two messages give for one booking: a weekend with holidays.
const daysApart = 5

const dayLength = int64(24 * time.Hour / time.Microsecond)

// doubts finds fresh bookings that may duplicate stored ones: a booking that the bank's other message described in
// other words (pair), one that a second notification repeats word for word, or one in a statement whose period is
// already accounted for. They are stored but do not count until a statement proves what they are or two persons decide.
// doubts returns for each the booking that it resembles, or "" if that is unknown.
func (w *dedup) doubts(ctx context.Context) (map[*booking]string, error) {
	out := map[*booking]string{}

	byAccount := map[string][]*booking{}
	for _, b := range w.fresh {
		switch {
		case !b.counts():
		case b.source.place == placeAgain:
			out[b] = ""
		default:
			byAccount[b.house.ID] = append(byAccount[b.house.ID], b)
		}
	}

	for account, list := range byAccount {
		kind := list[0].source.kind

		kinds, err := reportingKinds(ctx, w.tx, account)
		if err != nil {
			return nil, err
		}

		if !kinds[string(kind)] {
			w.tx.Insert(insertReportingKind, account, string(kind))
			kinds[string(kind)] = true
		}

		if len(kinds) > 1 {
			others, err := w.reportedByOther(ctx, account, kind, list)
			if err != nil {
				return nil, err
			}

			pair(list, others, out)
		}

		for _, b := range list {
			if _, paired := out[b]; b.like != "" && !paired {
				out[b] = b.like
			}
		}
	}

	return out, nil
}

// reportedByOther reads an account's bookings that only the bank's other message has reported and that these bookings
// may duplicate: those of about the same days, and batch bookings with the same reference of any day.
func (w *dedup) reportedByOther(
	ctx context.Context,
	account string,
	kind camt.Kind,
	list []*booking,
) ([]known, error) {
	from := list[0].bookedAt
	to := list[0].bookedAt

	var refs []string
	for _, b := range list {
		from = min(from, b.bookedAt)

		to = max(to, b.bookedAt)
		if b.named && (b.bare() || len(b.moves) > 1) {
			refs = append(refs, b.moves[0].BankRef)
		}
	}

	near := "statement = '' AND status = 'BOOK'"

	lumps := "statement = '' AND status = 'BOOK' AND parts > 1"
	if kind == camt.Notification {
		near = "statement <> '' AND NOT advised AND status = 'BOOK'"
		lumps = "bare AND NOT advised AND status = 'BOOK'"
	}

	var q db.Where
	q.And(
		near+" AND account = ? AND booked_at >= ? AND booked_at <= ?",
		account,
		from-daysApart*dayLength,
		to+daysApart*dayLength,
	)

	others, err := knownWhere(ctx, w.tx, q)
	if err != nil || len(refs) == 0 {
		return w.withoutKnown(others), err
	}

	var l db.Where
	l.And(lumps+" AND account = ?", account)
	db.In(&l, "bank_ref", refs)
	far, err := knownWhere(ctx, w.tx, l)

	return w.withoutKnown(append(others, far...)), err
}

// withoutKnown removes what this write updates anyway, and duplicates in the list.
func (w *dedup) withoutKnown(others []known) []known {
	seen := map[string]bool{}
	for _, x := range w.known {
		seen[x.stored.id] = true
	}

	return slices.DeleteFunc(others, func(k known) bool {
		twice := seen[k.id]
		seen[k.id] = true
		return twice
	})
}

// pair finds for each booking one of the other message that it may duplicate, each of those once: first those with the
// same reference, whatever the day, then those of the same day.
func pair(list []*booking, others []known, out map[*booking]string) {
	type key struct {
		units            string
		credit, reversal bool
	}

	at := map[key][]known{}
	for _, k := range others {
		x := key{k.units, k.credit, k.reversal}
		at[x] = append(at[x], k)
	}

	for _, sameRef := range []bool{true, false} {
		for _, b := range list {
			if _, paired := out[b]; paired {
				continue
			}

			x := key{b.units, b.credit, b.reversal}
			for i, k := range at[x] {
				if compatible(b.payer(), samePayer(&k)) &&
					(sameRef && b.named && b.moves[0].BankRef == k.ref || !sameRef && b.bookedAt == k.bookedAt) {
					out[b] = k.id
					at[x] = slices.Delete(slices.Clone(at[x]), i, i+1)
					break
				}
			}
		}
	}
}

// confirm counts a doubtful booking and returns its movements to be matched. A second call for one booking is
// db.ErrStale.
func (w *dedup) confirm(ctx context.Context, k *known) ([]Entry, error) {
	moves, err := movements(ctx, w.tx, k.id)
	if err != nil {
		return nil, fmt.Errorf("entry %s: %w", k.id, err)
	}

	noteConfirmed(w.tx, k.id)
	endDoubt(w.tx, k.id, doubtCounted)
	w.count(k.statement, k.units, k.credit)
	k.status = string(camt.Booked)

	return moves, nil
}

// mergeDuplicate ends a doubt: b is a in other words. It adds to a what only b contains, and returns the movements of a
// that must be matched again.
func (w *dedup) mergeDuplicate(ctx context.Context, a, b *known) ([]Entry, error) {
	endDoubt(w.tx, b.id, doubtSame)

	if a.statement == "" && b.statement != "" {
		a.statement = b.statement
		if err := setEntries(w.tx, []string{a.id}, "statement = ?", a.statement); err != nil {
			return nil, err
		}

		if a.status == string(camt.Booked) {
			w.count(a.statement, a.units, a.credit)
		}
	}

	if b.advised && !a.advised {
		a.advised = true
		if err := setEntries(w.tx, []string{a.id}, "advised = TRUE"); err != nil {
			return nil, err
		}
	}

	both, err := movementsOf(ctx, w.tx, []string{a.id, b.id})
	if err != nil || a.status != string(camt.Booked) {
		return nil, err
	}

	return w.amend(ctx, a, both[a.id], both[b.id])
}

// ResolveDoubt ends the doubt about an entry by the decision of two persons: BOOK counts it, DROP declares it a
// duplicate. It returns ErrNotWaiting if the doubt has ended.
func (r *Rail) ResolveDoubt(ctx context.Context, entryID string, d Decision) error {
	if err := d.check(); err != nil {
		return err
	}

	if d.Action != ActBook && d.Action != ActDrop {
		return fmt.Errorf("entry %s: BOOK or DROP ends a doubt, not %s", entryID, d.Action)
	}

	err := r.db.Write(ctx, func(tx *db.Tx) error {
		like, open, err := openDoubt(ctx, tx, entryID)
		if err != nil {
			return err
		}

		if !open {
			return fmt.Errorf("entry %s: %w", entryID, ErrNotWaiting)
		}

		d.note(tx, entryID)
		w := newDedup(r, tx, "")

		moving, err := w.decided(ctx, entryID, like, d.Action)
		if err != nil {
			return err
		}

		return w.settle(ctx, moving)
	})
	if err != nil {
		return err
	}

	return r.reconsider(ctx)
}

// decided carries out what two persons decided about a doubtful booking.
func (w *dedup) decided(ctx context.Context, entryID, like string, action Action) ([]Entry, error) {
	both, err := knownByID(ctx, w.tx, []string{entryID, like})
	if err != nil {
		return nil, err
	}

	b := both[entryID]

	a := both[like]
	switch {
	case b == nil:
		return nil, fmt.Errorf("entry %s: %w", entryID, db.ErrNone)
	case action == ActBook:
		return w.confirm(ctx, b)
	case a == nil:
		endDoubt(w.tx, entryID, doubtSame)
		return nil, nil
	}

	return w.mergeDuplicate(ctx, a, b)
}

// knownByID reads stored bookings by id. Missing ones are left out.
func knownByID(ctx context.Context, q db.Querier, ids []string) (map[string]*known, error) {
	out := map[string]*known{}
	for some := range slices.Chunk(ids, idsPerQuery) {
		var w db.Where
		db.In(&w, "id", some)

		rows, err := knownWhere(ctx, q, w)
		if err != nil {
			return nil, err
		}

		for i := range rows {
			out[rows[i].id] = &rows[i]
		}
	}

	return out, nil
}
