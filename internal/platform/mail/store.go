package mail

import (
	"context"
	"time"

	"slipway/internal/platform/db"
)

var insertMail = db.InsertInto("mails", "id, kind, recipient, payload, state, created_at, category, user_id")

// letters is what mails hold: links are credentials.
var letters = db.SealColumn("mails", "payload", "id")

// Sealed are the columns that are sealed.
func Sealed() []*db.Sealed { return []*db.Sealed{letters} }

// record is a mail as it is stored.
type record struct {
	id, kind, recipient, payload, state, lastError string
	category, user                                 string
	created, sent                                  int64
}

const mailColumns = `SELECT id, kind, recipient, payload, state, last_error, category, user_id, created_at, sent_at
	FROM mails `

func (r *record) dest() []any {
	return []any{
		&r.id,
		&r.kind,
		&r.recipient,
		letters.Into(db.Key{&r.id}, &r.payload),
		&r.state,
		&r.lastError,
		&r.category,
		&r.user,
		&r.created,
		&r.sent,
	}
}

// find returns a mail, or db.ErrNone.
func find(ctx context.Context, q db.Querier, mailID string) (record, error) {
	return db.One(ctx, q, (*record).dest, mailColumns+"WHERE id = ?", mailID)
}

// newest returns the mails that still have their content, for one address or all.
func newest(ctx context.Context, q db.Querier, recipient string, limit int) ([]record, error) {
	var w db.Where
	w.And("payload <> ''")

	if recipient != "" {
		w.And("recipient = ?", recipient)
	}

	return db.Select(
		ctx,
		q,
		(*record).dest,
		mailColumns+w.SQL()+" ORDER BY id DESC LIMIT ?",
		append(w.Args, int64(limit))...)
}

// settle records the final state of a mail and deletes its content, unless the mailbox is kept.
func (o *Outbox) settle(ctx context.Context, mailID, state, why string) error {
	return o.config.DB.Write(ctx, func(tx *db.Tx) error {
		text := "UPDATE mails SET state = ?, last_error = ?, sent_at = ?, attempts = attempts + 1"
		args := []any{state, why, db.Micros(tx.Now)}

		if !o.config.Keep {
			text += ", payload = ''"
		}

		_, err := tx.Exec(text+" WHERE id = ? AND state = 'QUEUED'", append(args, mailID)...)

		return err
	})
}

// note stores why an attempt failed, for operators. The text is the server's and contains nothing of the mail.
func (o *Outbox) note(ctx context.Context, mailID, why string) error {
	return o.config.DB.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec("UPDATE mails SET last_error = ?, attempts = attempts + 1 WHERE id = ?", why, mailID)
		return err
	})
}

// DoubtOlder ends mails that have been waiting since before a time: they come from a restored backup, since mails leave
// within seconds. It returns their number. A second call finds none.
func (o *Outbox) DoubtOlder(ctx context.Context, before time.Time) (n int64, err error) {
	err = o.config.DB.Write(ctx, func(tx *db.Tx) (err error) {
		text := "UPDATE mails SET state = ?"
		if !o.config.Keep {
			text += ", payload = ''"
		}

		n, err = tx.Exec(text+" WHERE state = ? AND created_at < ?", Doubtful, Queued, db.Micros(before))

		return err
	})

	return n, err
}

// Forget deletes mails that ended before a time, at most limit; the housekeeping job calls it.
func (o *Outbox) Forget(ctx context.Context, before time.Time, limit int) (int64, error) {
	var n int64
	err := o.config.DB.Write(ctx, func(tx *db.Tx) (err error) {
		n, err = tx.Exec(
			`DELETE FROM mails WHERE id IN (SELECT id FROM mails
				WHERE state <> 'QUEUED' AND created_at < ? ORDER BY id LIMIT ?)`,
			db.Micros(before),
			int64(limit),
		)

		return err
	})

	return n, err
}
