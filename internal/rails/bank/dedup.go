package bank

import (
	"context"
	"math/big"
	"slices"
	"strings"

	"slipway/internal/platform/db"
)

// dedup compares, within one write, the entries of a file with the stored bookings: which are known, which are new, and
// which may be either. The result does not depend on the order of files: each key has as many bookings as the statement
// that lists most of them, separated by counterparty.
type dedup struct {
	r       *Rail
	tx      *db.Tx
	file    string
	fresh   []*booking
	known   []repeated
	counted map[string]*big.Int // by statement: the signed sum of what this write books for it
}

// repeated is an entry that reports a stored booking again.
type repeated struct {
	booking *booking
	stored  *known
}

// assign finds the stored booking of each entry; entries without one are fresh. It searches only if search is true: a
// file is first assumed to repeat nothing.
func (w *dedup) assign(ctx context.Context, some []*booking, look bool) error {
	if !look {
		w.fresh = some
		return nil
	}

	var keys []string

	groups := map[string][]*booking{}
	for _, b := range some {
		if groups[b.key] == nil {
			keys = append(keys, b.key)
		}

		groups[b.key] = append(groups[b.key], b)
	}

	stored, err := knownByKey(ctx, w.tx, keys)
	if err != nil {
		return err
	}

	found := map[*booking]*known{}
	for _, key := range keys {
		all := stored[key]
		if err := w.assignSameKey(ctx, groups[key], all, found); err != nil {
			return err
		}
	}

	for _, b := range some {
		if k := found[b]; k != nil {
			w.known = append(w.known, repeated{b, k})
		} else {
			w.fresh = append(w.fresh, b)
		}
	}

	return nil
}

// assignSameKey assigns the entries of one statement that share a key. Entries with a known counterparty go first, each
// to a booking with the same counterparty, then to one whose counterparty is unknown. An entry that finds none is a
// separate booking.
func (w *dedup) assignSameKey(ctx context.Context, group []*booking, stored []*known, found map[*booking]*known) error {
	open, err := w.assignable(ctx, group[0], stored)
	if err != nil {
		return err
	}

	for _, fits := range []func(b *booking, k *known) bool{
		func(b *booking, k *known) bool { return b.payer() == samePayer(k) },
		func(b *booking, k *known) bool { return b.payer() != (payer{}) && compatible(b.payer(), samePayer(k)) },
		func(b *booking, k *known) bool { return compatible(b.payer(), samePayer(k)) },
	} {
		for _, b := range group {
			if found[b] != nil {
				continue
			}

			if i := slices.IndexFunc(open, func(k *known) bool { return fits(b, k) }); i >= 0 {
				found[b] = open[i]
				open = slices.Delete(open, i, i+1)
			}
		}
	}

	next := len(stored)
	for _, b := range group {
		b.like = ""
		if found[b] != nil {
			continue
		}

		next++
		b.renumber(next)

		if b.like == "" && len(stored) > 0 && b.onlyAdvised() && stored[0].statement == "" {
			b.like = stored[0].id // the same texts in another notification: a second booking, or the first one repeated
		}
	}

	return nil
}

// assignable returns the stored bookings of one key that a statement may repeat. A statement that continues the earlier
// ones repeats nothing that they account for, whatever its texts: balances and number show it. A notification without
// references of the bank repeats another notification only if a statement confirms the booking. Bookings assigned to
// earlier entries of the same source are left out.
func (w *dedup) assignable(ctx context.Context, first *booking, stored []*known) ([]*known, error) {
	var notified map[string]bool
	if len(stored) > 0 && first.onlyAdvised() {
		var err error
		if notified, err = notifiedBy(ctx, w.tx, first.source, stored); err != nil {
			return nil, err
		}
	}

	assigned := first.occurrence - 1

	var open []*known
	for _, k := range stored {
		switch {
		case first.accountedFor() != "" && k.statement == first.accountedFor():
			assigned--
		case first.source.place == placeNext && k.statement != "":
		case first.onlyAdvised() && k.statement == "" && k.file == w.file && k.position < first.source.position:
		case first.onlyAdvised() && k.statement == "" && k.file != w.file && !notified[k.file]:
		default:
			open = append(open, k)
		}
	}

	return open[min(max(assigned, 0), len(open)):], nil
}

// onlyAdvised reports whether a booking comes from a notification without a reference of the bank. Then nothing
// distinguishes a second booking from a repetition of the first.
func (b *booking) onlyAdvised() bool { return b.counts() && b.advised() && !b.named }

// payer is the counterparty of a booking, as far as it is known. It is zero for a booking of several transactions.
type payer struct{ name, account string }

func (b *booking) payer() payer {
	if len(b.moves) > 1 {
		return payer{}
	}

	return payer{fold(b.moves[0].Counterparty), fold(b.moves[0].CounterpartyAccount)}
}

// samePayer returns the payer of a stored booking.
func samePayer(k *known) payer { return payer{fold(k.payer), fold(k.payerAccount)} }

// leastAccount is how many characters of an account number identify it. Banks write the IBAN, or the number at its end.
const leastAccount = 6

// compatible reports whether two payers may be the same: nothing in the two messages contradicts it. Banks truncate
// names.
func compatible(a, b payer) bool {
	if a.account != "" && b.account != "" {
		short := a.account

		long := b.account
		if len(short) > len(long) {
			short, long = long, short
		}

		return short == long || len(short) >= leastAccount && strings.HasSuffix(long, short)
	}

	return a.name == "" || b.name == "" || strings.HasPrefix(a.name, b.name) || strings.HasPrefix(b.name, a.name)
}

// idsPerQuery limits the ids of one query.
const idsPerQuery = 4096

// knownByKey reads the stored bookings of some keys, sorted by number within each key. The numbers of a key have no
// gaps: it asks for the first number, then for twice as many, until one is missing.
func knownByKey(ctx context.Context, q db.Querier, keys []string) (map[string][]*known, error) {
	out := map[string][]*known{}

	keys = slices.Clone(keys)
	for from, to := 1, 1; len(keys) > 0; from, to = to+1, 2*to+1 {
		var ids []string
		for _, key := range keys {
			for n := from; n <= to; n++ {
				ids = append(ids, numbered(key, n))
			}
		}

		for some := range slices.Chunk(ids, idsPerQuery) {
			var w db.Where
			db.In(&w, "id", some)

			rows, err := knownWhere(ctx, q, w)
			if err != nil {
				return nil, err
			}

			for i := range rows {
				key := keyOf(rows[i].id)
				out[key] = append(out[key], &rows[i])
			}
		}

		keys = slices.DeleteFunc(keys, func(key string) bool { return len(out[key]) < to })
	}

	return out, nil
}

// updateKnown records what entries add to stored bookings: that a statement accounts for them, that they were advised,
// and their details. It returns the movements that must be matched now.
func (w *dedup) updateKnown(ctx context.Context) ([]Entry, error) {
	moving, err := w.amendKnown(ctx)
	if err != nil {
		return nil, err
	}

	accounted := map[string][]string{} // ids by statement

	var advised []string
	for _, x := range w.known {
		b := x.booking
		k := x.stored

		if !b.counts() {
			continue
		}

		if b.advised() && !k.advised {
			k.advised = true
			advised = append(advised, k.id)
		}

		if b.accountedFor() != "" && k.statement == "" {
			k.statement = b.accountedFor()

			accounted[k.statement] = append(accounted[k.statement], k.id)
			if k.status == statusDoubt {
				moves, err := w.confirm(ctx, k)
				if err != nil {
					return nil, err
				}

				moving = append(moving, moves...)
			} else {
				w.count(k.statement, k.units, k.credit)
			}
		}
	}

	for statement, ids := range accounted {
		if err := setEntries(w.tx, ids, "statement = ?", statement); err != nil {
			return nil, err
		}
	}

	return moving, setEntries(w.tx, advised, "advised = TRUE")
}

// count adds a booking to the sum of its statement. It does nothing for "".
func (w *dedup) count(statement, units string, credit bool) {
	if statement == "" {
		return
	}

	sum := w.counted[statement]
	if sum == nil {
		sum = new(big.Int)
		w.counted[statement] = sum
	}

	n, _ := new(big.Int).SetString(units, 10)
	if !credit {
		n.Neg(n)
	}

	sum.Add(sum, n)
}

// storeCounted stores the sums. No other write for these statements may use the same number.
func (w *dedup) storeCounted(number int64) {
	for statement, sum := range w.counted {
		if sum.Sign() != 0 {
			w.tx.Insert(insertCounted, statement, number, sum.String(), db.Micros(w.tx.Now))
		}
	}
}
