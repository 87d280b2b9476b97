package bank

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/rails/bank/format"
)

// filesAtOnce limits the files that one round processes.
const filesAtOnce = 64

// renderAll renders the files whose payouts are selected.
func (r *Rail) renderAll(ctx context.Context) error {
	files, err := filesIn(ctx, r.db, FileSelected, filesAtOnce)
	if err != nil {
		return err
	}

	var problems []error

	for _, f := range files {
		if err := r.render(ctx, f); err != nil && !errors.Is(err, db.ErrStale) {
			problems = append(problems, fmt.Errorf("file %s: %w", f.ID, err))
		}
	}

	return errors.Join(problems...)
}

// render builds a file's bytes from its rows alone, so that each attempt gives the same bytes, and stores them with
// their hash.
func (r *Rail) render(ctx context.Context, f fileRow) error {
	account, err := r.Account(f.House)
	if err != nil {
		return fmt.Errorf("house account %s: %w", f.House, err)
	}

	rows, err := payouts(ctx, r.db, inFile+" AND state = 'PLANNED' ORDER BY id", f.ID)
	if err != nil {
		return err
	}

	if int64(len(rows)) != f.Payouts || controlSum(rows) != f.ControlSum {
		return fmt.Errorf(
			"it should hold %d payouts, %s in total, but has %d, %s in total",
			f.Payouts,
			f.ControlSum,
			len(rows),
			controlSum(rows),
		)
	}

	o, err := order(f, account, r.c.Name, rows)
	if err != nil {
		return err
	}

	content, changes, err := formatNamed(f.Format).Write(o)

	var refused *format.Refused
	if errors.As(err, &refused) {
		return r.holdRefused(ctx, f, rows, refused)
	}

	if err != nil {
		return err
	}

	if changes > 0 {
		r.log.Info("texts were changed to the character set of the rail", "file", f.ID, "changes", changes)
	}

	failpoint.Hit("bank.bytes_built")

	err = r.db.Write(ctx, func(tx *db.Tx) error {
		now := f
		now.State = FileStored
		now.Reason = ""
		now.SHA256 = hashOf(content)
		now.Size = int64(len(content))
		tx.Insert(insertFileBytes, f.ID, sealedBytes.OfBytes(db.Key{f.ID}, content))
		noteFile(tx, f, now)

		return nil
	})

	failpoint.Hit("bank.bytes_saved")

	return err
}

// holdRefused holds the payouts that cannot be rendered, each with its reason, so that the others can leave. Plan has
// tried to render each of them, so this happens only if the rules changed in between.
func (r *Rail) holdRefused(ctx context.Context, f fileRow, rows []payoutRow, refused *format.Refused) error {
	reasons := map[string]string{}

	for _, fault := range refused.Faults {
		if fault.Payment < 0 || fault.Payment >= len(rows) {
			// it concerns the account or the complete file: an operator must correct the configuration
			return fmt.Errorf("cannot be written: %w", refused)
		}

		p := rows[fault.Payment]
		reasons[p.ID] = strings.TrimPrefix(
			reasons[p.ID]+"; "+fault.Field[strings.LastIndex(fault.Field, "/")+1:]+": "+fault.Detail,
			"; ",
		)
	}

	return r.db.Write(ctx, func(tx *db.Tx) error {
		var left []payoutRow

		for _, p := range rows {
			if reasons[p.ID] == "" {
				left = append(left, p)
				continue
			}

			if err := r.hold(
				ctx,
				tx,
				p,
				HoldUnwritable,
				"cannot be written into a payment file: "+reasons[p.ID],
			); err != nil {
				return err
			}
		}

		now := f
		now.Payouts = int64(len(left))

		now.ControlSum = controlSum(left)
		if len(left) == 0 {
			now.State = FileDropped
			now.Reason = "none of its payouts could be written"
			noteFile(tx, f, now)

			return nil
		}

		noteFile(tx, f, now)
		renameFile(tx, now, messageOfRows(f.House, f.Rail, left))

		return nil
	})
}

// order returns a file's content as every format takes it, from its rows.
func order(f fileRow, a HouseAccount, initiator string, rows []payoutRow) (format.Order, error) {
	o := format.Order{
		Message:   f.MessageID,
		Created:   db.Time(f.Created),
		Day:       f.ExecuteOn,
		Number:    int(f.Number),
		Rail:      f.Rail,
		From:      a.formatAccount(),
		Initiator: initiator,
		Payments:  make([]format.Payment, len(rows)),
	}

	day, err := time.Parse(day, f.ExecuteOn)
	if err != nil {
		return o, fmt.Errorf("day of execution: %w", err)
	}

	next, err := dayAfter(f.Rail, a.Currency, day)
	if err != nil {
		return o, err
	}

	o.NextDay = next.Format(time.DateOnly)

	for i := range rows {
		o.Payments[i] = rows[i].payment()
	}

	return o, nil
}

// payment returns a payout as a format takes it.
func (p *payoutRow) payment() format.Payment {
	return format.Payment{
		Identity:   p.EndToEndID,
		UETR:       p.UETR,
		Amount:     amount(p.Currency, p.Units),
		Charges:    p.Charges,
		Purpose:    p.Purpose,
		Remittance: p.Remittance,
		Reference:  p.Reference,
		Creditor:   p.Creditor.Party,
		Account:    p.Creditor.Account,
	}
}

// sepa reports whether a rail is one of the SEPA schemes.
func sepa(rail string) bool { return rail == "SEPA" || rail == "SEPA_INSTANT" }
