package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/endpoint"
	"slipway/internal/directory/receiver"
	"slipway/internal/identity/comment"
	"slipway/internal/identity/idv"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/review"
	"slipway/internal/identity/sso"
	"slipway/internal/identity/user"
	"slipway/internal/payments/chatchannel"
	"slipway/internal/payments/invoicelink"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/statement"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/web"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/bank/ebics"
)

// sealedColumns returns all columns that the keyring seals, except those that keep their key's id beside them.
func sealedColumns() []*db.Sealed {
	return slices.Concat(
		user.Sealed(),
		organisation.Sealed(),
		comment.Sealed(),
		idv.Sealed(),
		review.Sealed(),
		sso.Sealed(),
		receiver.Sealed(),
		bankaccount.Sealed(),
		endpoint.Sealed(),
		chatchannel.Sealed(),
		transaction.Sealed(),
		statement.Sealed(),
		invoicelink.Sealed(),
		reconcile.Sealed(),
		bank.Sealed(),
		ebics.Sealed(),
		mail.Sealed(),
		web.Sealed(),
	)
}

const (
	jobReseal   = "reseal"
	resealEvery = time.Minute
	resealRows  = 10_000       // of a column, in one run
	bankFiles   = "bank files" // the place of the archive of bank files, and of their copies in the witness
)

// resealing holds this process's passes over sealed columns. A new process begins with the first row.
type resealing struct {
	a      *App
	behind map[string]db.Key // the last row of the pass under way, by column
	found  map[string]int    // values of older keys that the pass has sealed anew, by column
}

// buildResealing registers the job that seals anew what older keys have sealed. When a pass finds nothing in a place,
// the place is skipped until the keyring has another current key. The job never makes the database forget an older
// key: another process may still seal with it. A person does so, with App.Reseal.
func (a *App) buildResealing() {
	r := &resealing{a: a, behind: map[string]db.Key{}, found: map[string]int{}}
	a.Jobs.Every(jobReseal, resealEvery, r.run)
}

// run goes on with the pass over every place that is not clean yet.
func (r *resealing) run(ctx context.Context) error {
	clean, err := readClean(ctx, r.a.DB)
	if err != nil {
		return err
	}

	var problems []error

	for _, c := range sealedColumns() {
		if clean[c.Name()] != r.a.Keys.Current() {
			problems = append(problems, r.column(ctx, c))
		}
	}

	if clean[bankFiles] != r.a.Keys.Current() {
		n, err := r.a.resealFiles(ctx)
		if err == nil && n == 0 {
			err = writeClean(ctx, r.a.DB, bankFiles, r.a.Keys.Current())
		}

		problems = append(problems, err)
	}

	return errors.Join(problems...)
}

// sealedPlace is a place outside of sealed columns whose values a function seals anew. It returns how many.
type sealedPlace struct {
	name   string
	reseal func(ctx context.Context) (int, error)
}

// sealedOtherwise returns the places that keep their key's id beside what is sealed.
func (a *App) sealedOtherwise() []sealedPlace {
	return []sealedPlace{
		{"keys of documents", func(ctx context.Context) (int, error) { return a.Documents.Rotate(ctx, resealRows) }},
		{"second factors", func(ctx context.Context) (int, error) { return a.factors.Rotate(ctx, resealRows) }},
	}
}

// column goes on with the pass over a column.
func (r *resealing) column(ctx context.Context, c *db.Sealed) error {
	n, next, err := r.a.DB.Reseal(ctx, c, r.behind[c.Name()], resealRows)
	r.behind[c.Name()] = next
	r.found[c.Name()] += n

	if err != nil || next != nil {
		return err
	}

	total := r.found[c.Name()]
	r.found[c.Name()] = 0

	if total == 0 {
		return writeClean(ctx, r.a.DB, c.Name(), r.a.Keys.Current())
	}

	r.a.Log.InfoContext(ctx, "sealed anew", "what", c.Name(), "count", total, "key", r.a.Keys.Current())

	return nil
}

// resealColumn makes one pass over a column and returns how many values it has sealed anew.
func (a *App) resealColumn(ctx context.Context, c *db.Sealed) (total int, err error) {
	var after db.Key

	for {
		n, next, err := a.DB.Reseal(ctx, c, after, resealRows)
		if err != nil {
			return total, err
		}

		total += n

		if next == nil {
			return total, nil
		}

		after = next
	}
}

// resealFiles seals the archive of bank files anew, if there is one.
func (a *App) resealFiles(ctx context.Context) (int, error) {
	if a.Bank == nil {
		return 0, nil
	}

	return a.Bank.ResealFiles(ctx)
}

// Reseal seals everything anew that an older key has sealed, and calls report with the number of values of each place.
// When a call finds nothing, the database forgets the older keys: from then on a start without them is accepted. So
// call it only when every process has the current key in front. It cannot know what other processes seal with.
func (a *App) Reseal(ctx context.Context, report func(place string, n int)) error {
	found := 0

	for _, c := range sealedColumns() {
		total, err := a.resealColumn(ctx, c)
		if err != nil {
			return err
		}

		found += total
		report(c.Name(), total)
	}

	for _, other := range append([]sealedPlace{{bankFiles, a.resealFiles}}, a.sealedOtherwise()...) {
		n, err := other.reseal(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", other.name, err)
		}

		found += n
		report(other.name, n)
	}

	if found > 0 {
		return nil
	}

	return a.DB.ForgetOlderKeys(ctx)
}
