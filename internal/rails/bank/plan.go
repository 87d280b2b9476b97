package bank

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/format"
)

// maxKey is the maximum length of a payout's key.
const maxKey = 200

// Refusal means that no payment file can carry a payout. It lists all reasons at once. A retry returns the same.
type Refusal struct{ Reasons []Unfit }

// Unfit is one reason why no payment file can carry a payout.
type Unfit struct {
	Path   string // the unfit field, such as creditor/name (format.Fault); empty: the payout itself
	Detail string
}

// String returns the reason with its path.
func (u Unfit) String() string {
	if u.Path == "" {
		return u.Detail
	}

	return u.Path + ": " + u.Detail
}

// Error returns the reasons as a sentence.
func (r *Refusal) Error() string { return "no payment file can carry it: " + r.Text() }

// Text returns the reasons, separated by semicolons.
func (r *Refusal) Text() string {
	texts := make([]string, len(r.Reasons))
	for i, reason := range r.Reasons {
		texts[i] = reason.String()
	}

	return strings.Join(texts, "; ")
}

// Plan inserts a payout in the transaction that decides on it. An existing key makes the write fail with db.Unique on
// bank_payouts. If no file can carry the payout, Plan returns a *Refusal and plans nothing.
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
		account.identityOf(p.Key, p.Rail), UETR(p.Key), string(Planned), now, now)

	return nil
}

// Check returns the error that Plan would return: a *Refusal or ErrUnknownAccount. It queries nothing.
func (r *Rail) Check(p Payout) error {
	p.Charges = chargesOn(p.Rail, p.Charges)
	_, err := r.check(p)
	return err
}

// chargesOn returns what charges become on a rail: SEPA allows shared charges only (SLEV).
func chargesOn(rail, charges string) string {
	if charges != "" && sepa(rail) &&
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

// tryRender renders a file of this payout alone, to find out before any decision what its rail cannot carry.
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
		EndToEndID: account.identityOf(p.Key, p.Rail),
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

	o, err := order(f, account, "", []payoutRow{row})
	if err != nil {
		return err
	}

	_, _, err = account.formatOf(p.Rail).Write(o)

	var refused *format.Refused
	if !errors.As(err, &refused) {
		return err
	}

	out := &Refusal{}
	for _, f := range refused.Faults {
		out.Reasons = append(out.Reasons, Unfit{f.Field, f.Detail})
	}

	return out
}
