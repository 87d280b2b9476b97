package bankaccount

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

const columns = "id, organisation, receiver, country, currency, sealed, iban_hash, bic, sort_code, routing_number, " +
	"ifsc, account_type, ach_said, fed_said, " +
	"ach, fed, bank, bank_found, sepa, validation_status, error_code, error_message, validated_at, cool_until, " +
	"changed_by, approval, soft_deleted, version, created_at, updated_at"

var insertAccount = db.InsertInto("bank_accounts", columns)

// numbers are the account's own, which say whose it is; those of its bank are in every directory. By its IBAN an
// account is found within its organisation alone.
var numbers = db.SealColumn("bank_accounts", "sealed", "organisation, id").FoundBy(
	"iban_hash",
	func(key db.Key, texts []string) string {
		organisation, _ := key[0].(string)
		return ibanText(organisation, texts[0])
	},
)

func ibanText(organisation, iban string) string {
	if iban == "" {
		return ""
	}

	return organisation + "/" + iban
}

// Sealed are the columns that are sealed.
func Sealed() []*db.Sealed { return []*db.Sealed{numbers} }

type row struct {
	a                                Account
	hash, bank, found, sepa          string
	validated, cool, created, change int64
}

func (v *row) dest() []any {
	a := &v.a

	return []any{
		&a.ID,
		&a.Organisation,
		&a.Receiver,
		&a.Country,
		&a.Currency,
		numbers.Into(db.Key{&a.Organisation, &a.ID}, &a.IBAN, &a.AccountNumber),
		&v.hash,
		&a.BIC,
		&a.SortCode,
		&a.RoutingNumber,
		&a.IFSC,
		&a.AccountType,
		&a.ACHSaid,
		&a.FedSaid,
		&a.ACH,
		&a.Fed,
		&v.bank,
		&v.found,
		&v.sepa,
		(*string)(&a.Validation),
		&a.ErrorCode,
		&a.ErrorMessage,
		&v.validated,
		&v.cool,
		(*string)(&a.Mark.ChangedBy),
		&a.Mark.Approval,
		&a.Deleted,
		&a.Version,
		&v.created,
		&v.change,
	}
}

func (v *row) account() (Account, error) {
	a := v.a

	for _, f := range []struct {
		text string
		into any
	}{{v.bank, &a.Bank}, {v.found, &a.Found}, {v.sepa, &a.SEPA}} {
		if err := json.Unmarshal([]byte(f.text), f.into); err != nil {
			return a, fmt.Errorf("read bank account %s: %w", a.ID, err)
		}
	}

	a.ValidatedAt = db.Time(v.validated)
	a.CoolUntil = db.Time(v.cool)
	a.CreatedAt = db.Time(v.created)
	a.UpdatedAt = db.Time(v.change)

	return a, nil
}

func (a Account) values() []any {
	key := db.Key{a.Organisation, a.ID}

	return []any{
		a.ID,
		a.Organisation,
		a.Receiver,
		a.Country,
		a.Currency,
		numbers.Of(key, a.IBAN, a.AccountNumber),
		numbers.HashOf(key, a.IBAN, a.AccountNumber),
		a.BIC,
		a.SortCode,
		a.RoutingNumber,
		a.IFSC,
		a.AccountType,
		a.ACHSaid,
		a.FedSaid,
		a.ACH,
		a.Fed,
		text(a.Bank),
		text(a.Found),
		text(a.SEPA),
		string(a.Validation),
		a.ErrorCode,
		a.ErrorMessage,
		db.Micros(a.ValidatedAt),
		db.Micros(a.CoolUntil),
		string(a.Mark.ChangedBy),
		a.Mark.Approval,
		a.Deleted,
		a.Version,
		db.Micros(a.CreatedAt),
		db.Micros(a.UpdatedAt),
	}
}

func text(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // structs of texts: nothing that cannot be written
	}

	return string(raw)
}

// notice is what an event tells of an account: which one, and whether it is good; no numbers.
type notice struct {
	ID         string     `json:"_id"`
	Receiver   string     `json:"receiver"`
	Currency   string     `json:"currency"`
	Verified   bool       `json:"verified"`
	Validation Validation `json:"validationStatus"`
	ErrorCode  int64      `json:"errorCode,omitzero"`
	CoolUntil  *time.Time `json:"coolUntil,omitempty"`
}

// insert writes a new account with its events.
func insert(tx *db.Tx, a Account) (Account, error) {
	a.Version = int64(max(1, len(a.events)))
	a.CreatedAt = tx.Now
	a.UpdatedAt = tx.Now
	tx.Insert(insertAccount, a.values()...)

	return a.tell(tx)
}

// update writes every column of an account that was read at version a.Version, with its events, and gives it with its
// next version. Each event has a version of its own.
func update(tx *db.Tx, a Account) (Account, error) {
	was := a.Version
	a.Version = was + int64(max(1, len(a.events)))
	a.UpdatedAt = tx.Now
	names := strings.Split(columns, ", ")[1:]
	tx.Change(
		"UPDATE bank_accounts SET "+strings.Join(names, " = ?, ")+" = ? WHERE id = ? AND version = ?",
		append(a.values()[1:], a.ID, was)...)

	return a.tell(tx)
}

func (a Account) tell(tx *db.Tx) (Account, error) {
	data := notice{
		ID:         a.ID,
		Receiver:   a.Receiver,
		Currency:   a.Currency,
		Verified:   a.Validation == ValidationVerified,
		Validation: a.Validation,
		ErrorCode:  a.ErrorCode,
	}
	if tx.Now.Before(a.CoolUntil) {
		data.CoolUntil = &a.CoolUntil
	}

	for i, kind := range a.events {
		if err := trail.Event(tx, kind, a.Organisation, a.ID, a.Version-int64(len(a.events)-1-i), data); err != nil {
			return a, err
		}
	}

	a.events = nil

	return a, nil
}

func one(ctx context.Context, q db.Querier, what, where string, args ...any) (Account, error) {
	v, err := db.One(
		ctx,
		q,
		(*row).dest,
		"SELECT "+columns+" FROM bank_accounts WHERE "+where+" AND NOT soft_deleted",
		args...)

	switch {
	case errors.Is(err, db.ErrNone):
		return Account{}, fault.Missing("bank account")
	case err != nil:
		return Account{}, fmt.Errorf("read bank account %s: %w", what, err)
	}

	return v.account()
}

// anyone gives an account whoever's it is: for jobs.
func anyone(ctx context.Context, q db.Querier, id string) (Account, error) {
	return one(ctx, q, id, "id = ?", id)
}

func all(ctx context.Context, q db.Querier, w db.Where, tail string, args ...any) ([]Account, error) {
	rows, err := db.Select(
		ctx,
		q,
		(*row).dest,
		"SELECT "+columns+" FROM bank_accounts"+w.SQL()+tail,
		append(w.Args, args...)...)
	if err != nil {
		return nil, fmt.Errorf("read bank accounts: %w", err)
	}

	return accounts(rows)
}

func accounts(rows []row) ([]Account, error) {
	return db.Values(rows, (*row).account)
}

// list gives a page of accounts that match, newest first unless ascending, and how many match.
func list(ctx context.Context, q db.Querier, w db.Where, page caller.Window, ascending bool) ([]Account, int64, error) {
	rows, total, err := db.ReadPage(ctx, q, db.Page{
		Columns: columns,
		Table:   "bank_accounts",
		Where:   w,
		Window:  page,
		Order:   caller.Order{Ascending: ascending},
	}, (*row).dest)
	if err != nil {
		return nil, 0, err
	}

	out, err := accounts(rows)

	return out, total, err
}

// ReceiverUsable is the condition in SQL, on receivers.id, that a receiver has an account which Usable lets pass, but
// for rails: an account without any is refused when it is added.
func ReceiverUsable(now time.Time) (string, []any) {
	condition := "EXISTS (SELECT 1 FROM bank_accounts b " +
		"WHERE b.receiver = receivers.id AND NOT b.soft_deleted AND b.validation_status = 'VERIFIED' " +
		"AND b.approval = '' AND b.cool_until <= ?)"

	return condition, []any{db.Micros(now)}
}

// mostDeleted bounds how many deleted accounts of a receiver are looked at: the newest.
const mostDeleted = 50

// deletedSince returns the accounts of a receiver, in the currency of another one, that were deleted within CoolDown
// or still wait.
func deletedSince(ctx context.Context, q db.Querier, a Account, now time.Time) ([]Account, error) {
	var w db.Where
	w.And("organisation = ?", a.Organisation)
	w.And("receiver = ?", a.Receiver)
	w.And("currency = ?", a.Currency)
	w.And("soft_deleted = TRUE")

	gone, err := all(ctx, q, w, " ORDER BY updated_at DESC LIMIT ?", int64(mostDeleted))
	if err != nil {
		return nil, err
	}

	return slices.DeleteFunc(gone, func(old Account) bool {
		return !old.UpdatedAt.Add(CoolDown).After(now) && !old.CoolUntil.After(now)
	}), nil
}
