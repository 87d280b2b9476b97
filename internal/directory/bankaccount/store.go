package bankaccount

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/record"
	"slipway/internal/directory/receiver"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// numbers are the account's own, which say whose it is; those of its bank are in every directory. An account is found
// within its organisation alone: by its IBAN, by the outlines of its number (alike.go), and by what people search it by
// (store_search.go).
var numbers = foundBySearch(foundByOutlines(
	db.SealColumn("bank_accounts", "sealed", "organisation, id").FoundBy("iban_hash", inOrganisation(
		func(iban, _ string) string { return iban },
	)),
	"alike_ends", "alike_one", "alike_two", "alike_three", "alike_four",
))

// The columns of hashes, in the order in which they are declared.
const (
	ibanHash      = 0
	outlineHashes = 1 // one for the ends, and one for each piece
	numberHash    = outlineHashes + 1 + pieces
	endHash       = numberHash + 1
)

// foundByOutlines lets accounts be found by the outlines of their numbers, each in a column of its own.
func foundByOutlines(c *db.Sealed, columns ...string) *db.Sealed {
	for i, column := range columns {
		c = c.FoundBy(column, inOrganisation(func(iban, number string) string {
			return outlines(cmp.Or(iban, number))[i]
		}))
	}

	return c
}

// inOrganisation has accounts found by a text of their IBAN and their other number, among those of one organisation.
func inOrganisation(text func(iban, number string) string) func(key db.Key, texts []string) string {
	return func(key db.Key, texts []string) string {
		organisation, _ := key[0].(string)
		return within(organisation, text(texts[0], texts[1]))
	}
}

// within returns what an account is found by in its organisation; nothing is found by an empty text.
func within(organisation, text string) string {
	if text == "" {
		return ""
	}

	return organisation + "/" + text
}

// Sealed are the columns that are sealed.
func Sealed() []*db.Sealed { return []*db.Sealed{numbers} }

var accountTable = db.NewTable("bank_accounts", (*Account).columns)

// columns lists every column once. A new field needs one line here.
func (a *Account) columns(c *db.Columns) {
	c.Text("id", &a.ID)
	c.Text("organisation", &a.Organisation)
	c.Text("receiver", &a.Receiver)
	c.Text("country", &a.Country)
	c.Text("currency", &a.Currency)

	c.Sealed(numbers, db.Key{&a.Organisation, &a.ID}, &a.IBAN, &a.AccountNumber)
	c.Text("bic", &a.BIC)
	c.Text("sort_code", &a.SortCode)
	c.Text("routing_number", &a.RoutingNumber)
	c.Text("ifsc", &a.IFSC)
	c.Text("account_type", &a.AccountType)
	c.Text("ach_said", &a.ACHSaid)
	c.Text("fed_said", &a.FedSaid)
	c.Text("ach", &a.ACH)
	c.Text("fed", &a.Fed)

	c.JSON("bank", &a.Bank)
	c.JSON("bank_found", &a.Found)
	c.JSON("sepa", &a.SEPA)

	c.Text("validation_status", (*string)(&a.Validation))
	c.Int64("error_code", &a.ErrorCode)
	c.Text("error_message", &a.ErrorMessage)
	c.Time("validated_at", &a.ValidatedAt)
	c.Time("cool_until", &a.CoolUntil)

	c.Text("changed_by", (*string)(&a.Mark.ChangedBy))
	c.Text("approval", &a.Mark.Approval)
	c.Bool("soft_deleted", &a.Deleted)
	c.Int64("version", &a.Version)
	c.Time("created_at", &a.CreatedAt)
	c.Time("updated_at", &a.UpdatedAt)
}

// notice is the data of an account's events: which account, and whether it is good. It holds no numbers. Each member
// has the name and the value that GET shows.
type notice struct {
	ID          string                 `json:"_id"`
	Receiver    record.Ref             `json:"receiver"`
	Currency    noticeCurrency         `json:"currency"`
	Validation  receiver.IBANSuiteView `json:"ibanSuiteValidation"`
	PayableFrom *time.Time             `json:"payableFrom,omitempty"`
	Version     int64                  `json:"version"`
}

type noticeCurrency struct {
	IsoCode string `json:"isoCode"`
}

// insert writes a new account with its events.
func insert(tx *db.Tx, a Account) (Account, error) {
	a.Version = int64(max(1, len(a.events)))
	a.CreatedAt = tx.Now
	a.UpdatedAt = tx.Now
	accountTable.Insert(tx, &a)

	return a.emit(tx)
}

// update writes every column of an account that was read at version a.Version, with its events, and returns it with its
// next version. Each event has a version of its own.
func update(tx *db.Tx, a Account) (Account, error) {
	before := a.Version
	a.Version = before + int64(max(1, len(a.events)))
	a.UpdatedAt = tx.Now
	accountTable.Update(tx, &a, before)

	return a.emit(tx)
}

func (a Account) emit(tx *db.Tx) (Account, error) {
	shown := short(a, tx.Now)

	data := notice{
		ID:          a.ID,
		Receiver:    record.Ref{ID: a.Receiver},
		Currency:    noticeCurrency{a.Currency},
		Validation:  shown.IBANSuiteValidation,
		PayableFrom: shown.PayableFrom,
	}

	for i, kind := range a.events {
		data.Version = a.Version - int64(len(a.events)-1-i)
		if err := trail.Event(tx, kind, a.Organisation, a.ID, data.Version, data); err != nil {
			return a, err
		}
	}

	a.events = nil

	return a, nil
}

func one(ctx context.Context, q db.Querier, what, where string, args ...any) (Account, error) {
	a, err := accountTable.One(ctx, q, "WHERE "+where+" AND NOT soft_deleted", args...)
	switch {
	case errors.Is(err, db.ErrNone):
		return Account{}, fault.Missing("bank account")
	case err != nil:
		return Account{}, fmt.Errorf("read bank account %s: %w", what, err)
	}

	return a, nil
}

// anyone returns an account of any organisation, for jobs.
func anyone(ctx context.Context, q db.Querier, id string) (Account, error) {
	return one(ctx, q, id, "id = ?", id)
}

// list returns a page of accounts that match, newest first unless ascending, and how many match.
func list(ctx context.Context, q db.Querier, w db.Where, page caller.Window, ascending bool) ([]Account, int64, error) {
	return accountTable.Page(ctx, q, db.Page{Where: w, Window: page, Order: caller.Order{Ascending: ascending}})
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

	args := append(w.Args, int64(mostDeleted))

	gone, err := accountTable.Select(ctx, q, w.SQL()+" ORDER BY updated_at DESC LIMIT ?", args...)
	if err != nil {
		return nil, err
	}

	return slices.DeleteFunc(gone, func(old Account) bool {
		return !old.UpdatedAt.Add(CoolDown).After(now) && !old.CoolUntil.After(now)
	}), nil
}
