package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/receiver"
	"slipway/internal/identity/idv"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/payments/invoicelink"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/statement"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/web"
	"slipway/internal/rails/bank"
)

// sealedColumns are all columns that are sealed by the keyring, but for those that keep their key's id beside them.
func sealedColumns() []*db.Sealed {
	return slices.Concat(
		user.Sealed(),
		organisation.Sealed(),
		idv.Sealed(),
		receiver.Sealed(),
		bankaccount.Sealed(),
		transaction.Sealed(),
		statement.Sealed(),
		invoicelink.Sealed(),
		reconcile.Sealed(),
		bank.Sealed(),
		mail.Sealed(),
		web.Sealed(),
	)
}

const (
	jobReseal   = "reseal"
	resealEvery = time.Minute
	// resealedInARun is how many rows of a column one run looks at.
	resealedInARun = 10_000
	// bankFiles is the place of the archive of bank files and of the copies in the witness.
	bankFiles = "bank files"
)

// resealing is the passes over sealed columns that this process makes. A process that begins anew begins with the first row.
type resealing struct {
	a      *App
	behind map[string]db.Key // of the pass that is under way
	found  map[string]int    // values of older keys that it has sealed anew
}

// resealOlder has what older keys have sealed sealed anew in the background. Where a pass finds nothing, the place is left alone until the
// keyring's current key is another one.
func (a *App) resealOlder() {
	r := &resealing{a: a, behind: map[string]db.Key{}, found: map[string]int{}}
	a.Jobs.Every(jobReseal, resealEvery, r.run)
}

func (r *resealing) run(ctx context.Context) error {
	clean, err := cleanPlaces(ctx, r.a.DB)
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
			err = r.a.markClean(ctx, bankFiles)
		}

		problems = append(problems, err)
	}

	return errors.Join(problems...)
}

// column goes on with the pass over a column.
func (r *resealing) column(ctx context.Context, c *db.Sealed) error {
	n, next, err := r.a.DB.Reseal(ctx, c, r.behind[c.Name()], resealedInARun)
	r.behind[c.Name()] = next
	r.found[c.Name()] += n

	if err != nil || next != nil {
		return err
	}

	total := r.found[c.Name()]
	r.found[c.Name()] = 0

	if total == 0 {
		return r.a.markClean(ctx, c.Name())
	}

	r.a.Log.InfoContext(ctx, "sealed anew", "what", c.Name(), "count", total, "key", r.a.Keys.Current())

	return nil
}

func (a *App) resealFiles(ctx context.Context) (int, error) {
	if a.Bank == nil {
		return 0, nil
	}

	return a.Bank.ResealFiles(ctx)
}

// Reseal seals everything that an older key has sealed with the current one, and tells of each place what it found. A second call finds nothing:
// then the older keys are needed no more for what lies sealed, if every process has the current key in front.
func (a *App) Reseal(ctx context.Context, tell func(place string, n int)) error {
	for _, c := range sealedColumns() {
		total := 0

		for after, end := db.Key(nil), false; !end; end = after == nil {
			n, next, err := a.DB.Reseal(ctx, c, after, resealedInARun)
			if err != nil {
				return err
			}

			total += n
			after = next
		}

		tell(c.Name(), total)
	}

	for _, other := range []struct {
		place  string
		reseal func(ctx context.Context) (int, error)
	}{
		{bankFiles, a.resealFiles},
		{"keys of documents", func(ctx context.Context) (int, error) { return a.Documents.Rotate(ctx, resealedInARun) }},
		{"second factors", func(ctx context.Context) (int, error) { return a.factors.Rotate(ctx, resealedInARun) }},
	} {
		n, err := other.reseal(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", other.place, err)
		}

		tell(other.place, n)
	}

	return nil
}

// cleanPlaces gives the key under which a pass found nothing of others, by place.
func cleanPlaces(ctx context.Context, q db.Querier) (map[string]string, error) {
	type place struct{ name, key string }

	rows, err := db.Select(ctx, q, func(p *place) []any {
		return []any{&p.name, &p.key}
	}, "SELECT place, key_id FROM resealed")

	out := make(map[string]string, len(rows))
	for _, p := range rows {
		out[p.name] = p.key
	}

	return out, err
}

func (a *App) markClean(ctx context.Context, place string) error {
	return a.DB.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(
			"INSERT INTO resealed (place, key_id) VALUES (?, ?) ON CONFLICT (place) DO UPDATE SET key_id = excluded.key_id",
			place,
			a.Keys.Current(),
		)

		return err
	})
}
