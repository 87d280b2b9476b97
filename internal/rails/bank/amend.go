package bank

import (
	"cmp"
	"context"
	"math/big"
	"strings"

	"slipway/internal/platform/db"
)

func newDedup(r *Rail, tx *db.Tx, file string) *dedup {
	return &dedup{r: r, tx: tx, file: file, counted: map[string]*big.Int{}}
}

// settle matches movements outside of the import of their entries, and stores the sums.
func (w *dedup) settle(ctx context.Context, moving []Entry) error {
	w.storeCounted(-db.Micros(w.tx.Now))

	if len(moving) == 0 {
		return nil
	}

	s, err := w.r.begin(ctx, w.tx, moving)
	if err != nil {
		return err
	}

	return s.settleAll(ctx, moving)
}

// amend adds to a stored booking what another message contains: the parts of a batch booking, the payer, the purpose.
// If that changes the movements, what was done with the old ones is undone, and the new ones are returned to be
// matched. It returns none if the message adds nothing. It also returns none if people or a payout have decided about
// the booking: then the details are not used, and people are alerted. The result does not depend on which message came
// first.
func (w *dedup) amend(ctx context.Context, k *known, old, reported []Entry) ([]Entry, error) {
	now, changed := merged(old, reported)
	if !changed {
		return nil, nil
	}

	if k.status == statusDoubt { // nothing was done with it yet
		_, err := w.replace(ctx, k, now)
		return nil, err
	}

	withdrawn, err := w.withdraw(ctx, k.id, old)
	if err != nil {
		return nil, err
	}

	if !withdrawn {
		if len(now) > len(old) {
			w.tx.Insert(insertLate, k.id, w.file, db.Micros(w.tx.Now))
		}

		return nil, nil
	}

	return w.replace(ctx, k, now)
}

// amendKnown amends the stored bookings that entries repeat.
func (w *dedup) amendKnown(ctx context.Context) ([]Entry, error) {
	var ids []string
	for _, x := range w.known {
		if x.booking.counts() && int64(len(x.booking.moves)) >= x.stored.parts {
			ids = append(ids, x.stored.id)
		}
	}

	old, err := movementsOf(ctx, w.tx, ids)
	if err != nil {
		return nil, err
	}

	var moving []Entry
	for _, x := range w.known {
		if old[x.stored.id] == nil {
			continue
		}

		some, err := w.amend(ctx, x.stored, old[x.stored.id], x.booking.moves)
		if err != nil {
			return nil, err
		}

		moving = append(moving, some...)
	}

	return moving, nil
}

// withdraw undoes what was done with a booking's movements, and reports whether it could.
func (w *dedup) withdraw(ctx context.Context, booking string, old []Entry) (bool, error) {
	matched, err := isMatched(ctx, w.tx, booking)
	if err != nil || matched {
		return false, err
	}

	return w.r.c.Observer.Withdrawn(ctx, w.tx, old)
}

// replace stores the new movements of a booking. Numbers of movements are never reused.
func (w *dedup) replace(ctx context.Context, k *known, now []Entry) ([]Entry, error) {
	last, err := replaceParts(ctx, w.tx, k.id)
	if err != nil {
		return nil, err
	}

	for i := range now {
		number := last + int64(i) + 1
		now[i].ID = partID(k.id, number)
		now[i].Booking = k.id
		w.tx.Insert(insertPart, partRow(k.id, number, &now[i])...)
	}

	k.parts = int64(len(now))
	k.bare = false
	k.payer = ""

	k.payerAccount = ""
	if len(now) == 1 {
		k.payer = now[0].Counterparty
		k.payerAccount = now[0].CounterpartyAccount
	}

	noteDetails(w.tx, k)

	return now, nil
}

// merged combines what two messages report of one booking: the movements of the one that splits it further, or of each
// movement the longer texts. It reports whether that is more than the first one contains.
func merged(old, reported []Entry) (now []Entry, changed bool) {
	if len(reported) != len(old) {
		if len(reported) < len(old) {
			return old, false
		}

		now = append(now, reported...)

		for i := range now {
			now[i].Account = old[0].Account
			now[i].File = old[0].File
			now[i].BookedAt = old[0].BookedAt
			now[i].ValueAt = old[0].ValueAt
			now[i].BankRef = old[0].BankRef
			now[i].Code = old[0].Code
		}

		return now, true
	}

	for i := range old {
		if old[i].Amount.Cmp(reported[i].Amount) != 0 || old[i].Credit != reported[i].Credit {
			return old, false
		}

		m, more := fuller(old[i], reported[i])
		now = append(now, m)
		changed = changed || more
	}

	return now, changed
}

// fuller returns a movement with the longer text of each field, and whether that changes it.
func fuller(m, other Entry) (Entry, bool) {
	changed := false

	take := func(into *string, text string) {
		if more(*into, text) {
			*into = text
			changed = true
		}
	}

	take(&m.EndToEndID, other.EndToEndID)
	take(&m.UETR, other.UETR)
	take(&m.InstrID, other.InstrID)
	take(&m.PaymentInfoID, other.PaymentInfoID)
	take(&m.MandateID, other.MandateID)
	take(&m.Remittance, other.Remittance)
	take(&m.Counterparty, other.Counterparty)
	take(&m.CounterpartyAccount, other.CounterpartyAccount)
	take(&m.ReturnCode, other.ReturnCode)
	take(&m.ReturnText, other.ReturnText)
	take(&m.Info, other.Info)

	if more(strings.Join(m.References, "\n"), strings.Join(other.References, "\n")) {
		m.References = other.References
		changed = true
	}

	return m, changed
}

// more reports whether the second text is preferred. Of two different texts it always prefers the same one, in whatever
// order they come.
func more(text, other string) bool {
	return cmp.Or(cmp.Compare(len(other), len(text)), cmp.Compare(other, text)) > 0
}
