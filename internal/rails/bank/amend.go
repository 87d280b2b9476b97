package bank

import (
	"cmp"
	"context"
	"math/big"
	"strings"

	"slipway/internal/platform/db"
)

func newTelling(r *Rail, tx *db.Tx, file string) *telling {
	return &telling{r: r, tx: tx, file: file, counted: map[string]*big.Int{}}
}

// settle gives movements their meaning outside of the import of their entries, and keeps what was counted.
func (w *telling) settle(ctx context.Context, moving []Entry) error {
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

// amend adds to a stored booking what another message tells of it: what a lump is made of, who paid, what for. The
// booking is then made of other movements: what was done with the former ones is taken back, and the new ones are
// returned for their meaning. It returns none when the message tells nothing new, and when people or a payout have
// decided about the booking: then its details are kept out, and people are told. What is known afterwards does not
// depend on which message came first.
func (w *telling) amend(ctx context.Context, k *known, old, told []Entry) ([]Entry, error) {
	now, changed := merged(old, told)
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

// amendKnown amends the stored bookings that entries tell of again.
func (w *telling) amendKnown(ctx context.Context) ([]Entry, error) {
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

// withdraw takes back what was done with a booking's movements. It reports whether it could.
func (w *telling) withdraw(ctx context.Context, booking string, old []Entry) (bool, error) {
	// A slash comes right before a zero: this is the booking, and all that is made of it.
	matched, err := db.Value[bool](
		ctx,
		w.tx,
		`SELECT EXISTS(SELECT 1 FROM bank_matches
			WHERE movement >= ? AND movement < ?) OR EXISTS(SELECT 1 FROM bank_returns
			WHERE movement >= ? AND movement < ?)`,
		booking,
		booking+"0",
		booking,
		booking+"0",
	)
	if err != nil || matched {
		return false, err
	}

	return w.r.c.Observer.Withdrawn(ctx, w.tx, old)
}

// replace stores what a booking is made of now. Numbers of movements are never given again.
func (w *telling) replace(ctx context.Context, k *known, now []Entry) ([]Entry, error) {
	last, err := db.Value[int64](ctx, w.tx, "SELECT COALESCE(MAX(number), 0) FROM bank_parts WHERE entry_id = ?", k.id)
	if err != nil {
		return nil, err
	}

	if _, err := w.tx.Exec(
		"UPDATE bank_parts SET replaced = TRUE WHERE entry_id = ? AND NOT replaced",
		k.id,
	); err != nil {
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

	w.tx.Change("UPDATE bank_entries SET parts = ?, bare = FALSE, counterparty = ?, sealed = ? WHERE id = ?",
		k.parts, k.payer, entryTexts.Of(db.Key{k.id}, k.payerAccount, k.remittance, k.returnText, k.info), k.id)

	return now, nil
}

// merged is what two messages tell of one booking: the movements of the one that takes it further apart, else of each
// movement the fuller texts. It reports whether that is more than the first tells.
func merged(old, told []Entry) (now []Entry, changed bool) {
	if len(told) != len(old) {
		if len(told) < len(old) {
			return old, false
		}

		now = append(now, told...)

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
		if old[i].Amount.Cmp(told[i].Amount) != 0 || old[i].Credit != told[i].Credit {
			return old, false
		}

		m, more := fuller(old[i], told[i])
		now = append(now, m)
		changed = changed || more
	}

	return now, changed
}

// fuller is a movement with the fuller text of each field of two that tell of it.
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

// more reports whether the second text is fuller than the first. Of two texts one always is, whichever came first,
// unless they are equal.
func more(text, other string) bool {
	return cmp.Or(cmp.Compare(len(other), len(text)), cmp.Compare(other, text)) > 0
}
