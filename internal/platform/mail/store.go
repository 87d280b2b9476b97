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
	w.And("state <> ?", Gathered) // nobody has got it

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

// settle records the final state of a mail without a problem.
func (o *Outbox) settle(ctx context.Context, mailID, state string) error {
	return o.config.DB.Write(ctx, func(tx *db.Tx) error {
		_, err := o.end(tx, mailID, state, "", "")
		return err
	})
}

// end records the final state of a mail and deletes its content, unless the mailbox is kept. It reports whether the
// mail had not ended before.
func (o *Outbox) end(tx *db.Tx, mailID, state string, p Problem, why string) (bool, error) {
	text := "UPDATE mails SET state = ?, problem = ?, last_error = ?, sent_at = ?, attempts = attempts + 1"
	args := []any{state, string(p), why, db.Micros(tx.Now), mailID}

	if !o.config.Keep {
		text += ", payload = ''"
	}

	n, err := tx.Exec(text+" WHERE id = ? AND state = 'QUEUED'", args...)

	return n == 1, err
}

// note stores why an attempt failed, for operators. The text is the server's and contains nothing of the mail.
func (o *Outbox) note(ctx context.Context, mailID string, p Problem, why string) error {
	return o.config.DB.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(
			"UPDATE mails SET problem = ?, last_error = ?, attempts = attempts + 1 WHERE id = ? AND state = 'QUEUED'",
			string(p), why, mailID)

		return err
	})
}

// Problems returns how many mails have each problem: those that wait with SetUpRefused, and those that have ended with
// another one, until Forget deletes them.
func Problems(ctx context.Context, q db.Querier) (map[Problem]int64, error) {
	type row struct {
		problem string
		count   int64
	}

	rows, err := db.Select(ctx, q, func(r *row) []any { return []any{&r.problem, &r.count} },
		"SELECT problem, count(*) FROM mails WHERE problem <> '' GROUP BY problem")

	out := map[Problem]int64{}
	for _, r := range rows {
		out[Problem(r.problem)] = r.count
	}

	return out, err
}

// SetUpRefusals returns how many mails wait because the server refuses this deployment's set-up, and what it answered
// about the oldest of them.
func SetUpRefusals(ctx context.Context, q db.Querier) (count int64, answer string, err error) {
	answers, err := db.Select(ctx, q, func(s *string) []any { return []any{s} },
		"SELECT last_error FROM mails WHERE problem = ? ORDER BY id LIMIT 1", string(SetUpRefused))
	if err != nil || len(answers) == 0 {
		return 0, "", err
	}

	count, err = db.Value[int64](ctx, q, "SELECT count(*) FROM mails WHERE problem = ?", string(SetUpRefused))

	return count, answers[0], err
}

// DoubtOlder ends mails that have been waiting since before a time: they come from a restored backup, since mails leave
// within seconds. It returns their number. A second call finds none.
func (o *Outbox) DoubtOlder(ctx context.Context, before time.Time) (n int64, err error) {
	err = o.config.DB.Write(ctx, func(tx *db.Tx) (err error) {
		text := "UPDATE mails SET state = ?, problem = ''"
		if !o.config.Keep {
			text += ", payload = ''"
		}

		n, err = tx.Exec(
			text+" WHERE state IN (?, ?) AND created_at < ?",
			Doubtful,
			Queued,
			Gathered,
			db.Micros(before),
		)

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

// markGathered has a mail wait for its reader's morning mail.
func markGathered(tx *db.Tx, mailID string) error {
	_, err := tx.Exec("UPDATE mails SET state = ? WHERE id = ? AND state = 'QUEUED'", Gathered, mailID)
	return err
}

// gathered returns what waits for a person's morning mail, oldest first.
func gathered(ctx context.Context, q db.Querier, user string, limit int) ([]record, error) {
	return db.Select(ctx, q, (*record).dest,
		mailColumns+"WHERE user_id = ? AND state = 'GATHERED' ORDER BY id LIMIT ?", user, int64(limit))
}

// endGathered ends gathered mails, by their id or by their user_id. What they say is in the morning mail.
func endGathered(tx *db.Tx, column, value, state string) error {
	_, err := tx.Exec(
		"UPDATE mails SET state = ?, sent_at = ?, payload = '' WHERE "+column+" = ? AND state = 'GATHERED'",
		state,
		db.Micros(tx.Now),
		value,
	)

	return err
}

// setPayload replaces the content of a mail that has not ended.
func setPayload(tx *db.Tx, mailID, content string) error {
	_, err := tx.Exec("UPDATE mails SET payload = ? WHERE id = ? AND state = 'QUEUED'",
		letters.Of(db.Key{mailID}, content), mailID)

	return err
}
