package bank

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/standards/iso20022/pain"
)

// maxKey bounds a payout's key.
const maxKey = 200

// Refusal is a payout that no payment file could carry, with all reasons at once. It is the same however often it is
// tried.
type Refusal struct{ Reasons []Unfit }

// Unfit is one thing about a payout that no payment file could carry.
type Unfit struct {
	Path   string // JSON pointer into the file (pain.Initiation) that ends in what is unfit; empty: the payout itself
	Detail string
}

// String is the reason with its place.
func (u Unfit) String() string {
	if u.Path == "" {
		return u.Detail
	}

	return u.Path + ": " + u.Detail
}

// Error lists the reasons.
func (r *Refusal) Error() string { return "no payment file can carry it: " + r.Text() }

// Text lists the reasons.
func (r *Refusal) Text() string {
	texts := make([]string, len(r.Reasons))
	for i, reason := range r.Reasons {
		texts[i] = reason.String()
	}

	return strings.Join(texts, "; ")
}

// Plan writes down a payout inside the transaction that decides on it. A key that is there already fails the write
// with db.Unique on bank_payouts. The error is a *Refusal when no file could carry the payout; nothing is planned
// then.
func (r *Rail) Plan(tx *db.Tx, p Payout) error {
	p.Charges = chargesOn(p.Rail, p.Charges)

	account, err := r.check(p)
	if err != nil {
		return err
	}

	rowID := id.New(payoutPrefix, tx.Now)

	creditor, err := creditorJSON(p)
	if err != nil {
		return fmt.Errorf("plan %s: %w", p.Key, err)
	}

	now := db.Micros(tx.Now)
	tx.Insert(insertPayout, rowID, p.Key, p.Object, account.ID, p.Rail, account.Currency, p.Amount.Units().String(),
		payoutTo.Of(db.Key{rowID}, creditor, p.Remittance), p.Charges, p.Purpose, p.Reference,
		EndToEndID(p.Key), UETR(p.Key), string(Planned), now, now)

	return nil
}

// Check says whether Plan would take a payout: a *Refusal, or ErrUnknownAccount. It asks nobody.
func (r *Rail) Check(p Payout) error {
	p.Charges = chargesOn(p.Rail, p.Charges)
	_, err := r.check(p)
	return err
}

// chargesOn is what charges mean on a rail: SEPA knows shared ones only, by its own rules (SLEV).
func chargesOn(rail, charges string) string {
	if charges != "" && (rail == "SEPA" || rail == "SEPA_INSTANT") &&
		strings.Contains(" OUR SHA BEN ", " "+charges+" ") {
		return "SHA"
	}

	return charges
}

func (r *Rail) check(p Payout) (HouseAccount, error) {
	account, err := r.Account(p.From)
	if err != nil {
		return account, fmt.Errorf("plan %s from %s: %w", p.Key, p.From, err)
	}

	var reasons []Unfit
	say := func(bad bool, format string, args ...any) {
		if bad {
			reasons = append(reasons, Unfit{Detail: fmt.Sprintf(format, args...)})
		}
	}

	say(p.Key == "" || len(p.Key) > maxKey, "a key has 1 to %d bytes", maxKey)
	say(!slices.Contains(account.Rails, p.Rail), "the house account %s does not pay by %s", account.ID, p.Rail)
	say(p.Currency != "" && p.Currency != p.Amount.Asset().Code, "currency %s is not that of the amount", p.Currency)
	say(p.Amount.Asset() != Asset(account.Currency), "the house account %s pays %s only", account.ID, account.Currency)
	say(p.Amount.Sign() <= 0, "the amount must be more than zero")
	say(!slices.Contains([]string{"OUR", "SHA", "BEN"}, p.Charges), "charges are OUR, SHA or BEN")

	if len(reasons) > 0 {
		return account, &Refusal{Reasons: reasons}
	}

	return account, tryRender(account, p)
}

// tryRender writes a file of this one payout, to find what its rail cannot carry before anything is decided.
func tryRender(account HouseAccount, p Payout) error {
	row := payoutRow{
		Key:        p.Key,
		Rail:       p.Rail,
		Currency:   account.Currency,
		Units:      p.Amount.Units().String(),
		Charges:    p.Charges,
		Purpose:    p.Purpose,
		Remittance: p.Remittance,
		Reference:  p.Reference,
		EndToEndID: EndToEndID(p.Key),
		UETR:       UETR(p.Key),
	}

	row.Creditor.Party = p.Creditor
	row.Creditor.Account = p.Account

	f := fileRow{
		MessageID: messageID(account.ID, p.Rail, []string{row.EndToEndID}),
		Rail:      p.Rail,
		ExecuteOn: "2026-01-02",
		Created:   1_767_312_000_000_000,
	}

	_, _, err := pain.Render(initiation(f, account, "", []payoutRow{row}))

	var refused *pain.Refused
	if !errors.As(err, &refused) {
		return err
	}

	out := &Refusal{}
	for _, f := range refused.Faults {
		out.Reasons = append(out.Reasons, Unfit{f.Path, f.Detail})
	}

	return out
}
