package bookkeeping

import (
	"context"
	"fmt"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
)

const openingColumns = "id, organisation, account, asset, decimals, units, day, source, block, block_hash, reason, " +
	"opened_by, opened_at, withdrawn_at"

var insertOpeningRow = db.InsertInto("book_openings", openingColumns)

func insertOpening(tx *db.Tx, o Opening) {
	a := o.Amount.Stored()
	tx.Insert(
		insertOpeningRow,
		o.ID,
		o.Organisation,
		string(o.Account),
		a.Code,
		a.Decimals,
		a.Units,
		o.On.Format(time.DateOnly),
		string(o.Source),
		int64(o.Block.Number),
		o.Block.Hash,
		o.Reason,
		o.By,
		db.Micros(o.At),
		int64(0),
	)
}

func withdrawOpening(tx *db.Tx, o Opening) error {
	_, err := tx.Exec("UPDATE book_openings SET withdrawn_at = ?, withdrawn = id WHERE id = ? AND withdrawn_at = 0",
		db.Micros(o.Withdrawn), o.ID)

	return err
}

// openingsOf returns the opening balances of an organisation that a condition selects, newest first.
func openingsOf(
	ctx context.Context, q db.Querier, organisation, condition string, args ...any,
) ([]Opening, error) {
	type row struct {
		Opening
		account, day, source       string
		amount                     money.Stored
		block, openedAt, withdrawn int64
	}

	rows, err := db.Select(ctx, q, func(r *row) []any {
		return []any{
			&r.ID, &r.Organisation, &r.account, &r.amount.Code, &r.amount.Decimals, &r.amount.Units, &r.day, &r.source,
			&r.block, &r.Block.Hash, &r.Reason, &r.By, &r.openedAt, &r.withdrawn,
		}
	}, "SELECT "+openingColumns+" FROM book_openings WHERE organisation = ? AND "+condition+" ORDER BY id DESC LIMIT 1000",
		append([]any{organisation}, args...)...)
	if err != nil {
		return nil, err
	}

	out := make([]Opening, len(rows))

	for i, r := range rows {
		o := r.Opening
		o.Account = ledger.Account(r.account)
		o.Source = Source(r.source)
		o.Block.Number = uint64(r.block)
		o.At = db.Time(r.openedAt)

		if r.withdrawn != 0 {
			o.Withdrawn = db.Time(r.withdrawn)
		}

		if o.Amount, err = r.amount.Amount(); err != nil {
			return nil, fmt.Errorf("opening %s: %w", o.ID, err)
		}

		if o.On, err = time.Parse(time.DateOnly, r.day); err != nil {
			return nil, fmt.Errorf("opening %s: %w", o.ID, err)
		}

		out[i] = o
	}

	return out, nil
}
