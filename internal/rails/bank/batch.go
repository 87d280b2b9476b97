package bank

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"
	"unicode"

	"slipway/internal/core/id"
	"slipway/internal/core/money"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/platform/halt"
	"slipway/internal/rails/bank/format"
)

// day is the format of a date in the database and in files.
const day = "2006-01-02"

// batch puts planned payouts into files: one for each house account and rail whose oldest payout has waited long
// enough.
func (r *Rail) batch(ctx context.Context) error {
	waiting, err := queues(ctx, r.db)
	if err != nil {
		return fmt.Errorf("planned payouts: %w", err)
	}

	var problems []error

	for _, q := range waiting {
		account, err := r.Account(q.house)
		if err != nil {
			r.log.Error(
				"payouts wait for a house account that is not configured",
				"account",
				q.house,
				"payouts",
				q.count,
			)

			continue
		}

		why, err := halt.Why(ctx, r.db, HaltName(q.house))
		if err != nil {
			return err
		}

		if why != "" {
			continue // they are filed together once the halt ends
		}

		if q.count < int64(r.c.MaxInFile) && r.db.Now().Sub(db.Time(q.oldest)) < r.c.Gather {
			continue
		}

		for left := q.count; left > 0; left -= int64(r.c.MaxInFile) {
			// a stale write means that another process has filed them
			if err := r.selectFile(ctx, account, q.rail); err != nil && !db.Overtaken(err, "bank_file_payouts") {
				problems = append(problems, fmt.Errorf("file of %s by %s: %w", q.house, q.rail, err))
				break
			}
		}
	}

	return errors.Join(problems...)
}

// selectFile puts planned payouts into a new file. From then on their place in it is fixed.
func (r *Rail) selectFile(ctx context.Context, account HouseAccount, rail string) error {
	err := r.db.Write(ctx, func(tx *db.Tx) error {
		if err := halt.Check(ctx, tx, HaltName(account.ID)); err != nil {
			return err
		}

		rows, err := planned(ctx, tx, account.ID, rail, r.c.MaxInFile)
		if err != nil || len(rows) == 0 {
			return err
		}

		f := account.formatOf(rail)

		on, err := executionDay(account, rail, f, tx.Now)
		if err != nil {
			return err
		}

		number, err := filesOfDay(ctx, tx, account.ID, rail, tx.Now)
		if err != nil {
			return err
		}

		nameAgain(tx, f, rows)

		fileID := id.New(filePrefix, tx.Now)
		message := messageOfRows(account.ID, rail, rows)
		now := db.Micros(tx.Now)

		tx.Insert(
			insertFile,
			fileID,
			account.ID,
			rail,
			on.Format(day),
			message,
			f.FileName(message),
			f.Name(),
			number,
			string(FileSelected),
			int64(len(rows)),
			controlSum(rows),
			now,
			now,
		)

		for _, p := range rows {
			tx.Insert(insertFiled, p.ID, fileID)
		}

		return nil
	})

	failpoint.Hit("bank.rows_selected")

	return err
}

// nameAgain gives payouts the identifications of their file's format, if their account has taken another format since
// they were planned.
func nameAgain(tx *db.Tx, f format.Format, rows []payoutRow) {
	for i := range rows {
		identity := f.Identity(EndToEndID(rows[i].Key))
		if identity == rows[i].EndToEndID {
			continue
		}

		noteIdentity(tx, rows[i], identity)
		rows[i].EndToEndID = identity
	}
}

// messageOfRows returns the identification of a file of these payouts.
func messageOfRows(house, rail string, rows []payoutRow) string {
	ends := make([]string, len(rows))
	for i := range rows {
		ends[i] = rows[i].EndToEndID
	}

	return messageID(house, rail, ends)
}

// controlSum returns the sum of the amounts of a file's payments, as a decimal without currency (GrpHdr/CtrlSum).
func controlSum(rows []payoutRow) string {
	if len(rows) == 0 {
		return "0"
	}

	sum := new(big.Int)
	for _, p := range rows {
		sum.Add(sum, amount(p.Currency, p.Units).Units())
	}

	return money.Format(sum, Asset(rows[0].Currency).Decimals)
}

// Work runs one round. It imports what the bank has sent, writes files of planned payouts, hands them over, and asks
// for those whose hand-over is unknown. Incoming files go first: they may prove that a payout was already made. A step
// that fails does not stop the others. While the gate is closed Work does nothing. It is safe to call at any time, also
// from several processes.
func (r *Rail) Work(ctx context.Context) error {
	if held, err := r.c.Gate.Held(ctx); err != nil || held {
		return err
	}

	var problems []error

	for _, part := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"inbox", r.importInbox},
		{"adopt", r.adopt},
		{"batch", r.batch},
		{"render", r.renderAll},
		{"send", r.sendAll},
		{"tell", r.notifyAll},
	} {
		if err := part.do(ctx); err != nil {
			problems = append(problems, fmt.Errorf("bank %s: %w", part.name, err))
		}
	}

	return errors.Join(problems...)
}

// Worker runs functions periodically. *jobs.Runner implements it.
type Worker interface {
	Every(kind string, every time.Duration, h func(ctx context.Context) error)
}

// Register makes the runner call Work once per interval over all processes.
func (r *Rail) Register(runner Worker, every time.Duration) { runner.Every("bank", every, r.Work) }

// oneLine returns an error's text on one line and short enough for a column and a log.
func oneLine(err error) string {
	return shown(strings.Join(strings.Fields(err.Error()), " "), 500)
}

// shown returns a text of others for people: without characters that control a terminal or the direction of what is
// written, cut between two characters to at most some bytes.
func shown(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return '?'
		}

		return r
	}, strings.ToValidUTF8(s, "?"))

	return strings.ToValidUTF8(s[:min(len(s), most)], "")
}
