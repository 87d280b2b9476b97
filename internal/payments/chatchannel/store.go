package chatchannel

import (
	"context"
	"errors"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
)

var (
	channelTable = db.NewTable("chat_channels", (*row).columns)
	messageTable = db.NewTable("chat_messages", (*Message).columns)
	onceMessage  = messageTable.OrIgnore("(channel, event)")

	sealedAddress = db.SealColumn("chat_channels", "address", "id")
)

// Sealed are the columns that are sealed.
func Sealed() []*db.Sealed { return []*db.Sealed{sealedAddress} }

// row is a channel as it is stored.
type row struct {
	Channel

	news string
}

// columns lists every column once.
func (r *row) columns(c *db.Columns) {
	c.Text("id", &r.ID)
	c.Text("organisation", &r.Organisation)
	c.Text("name", &r.Name)
	c.Text("kind", (*string)(&r.Kind))
	c.Sealed(sealedAddress, db.Key{&r.ID}, &r.Address)
	c.Text("language", &r.Language)
	c.Text("news", &r.news)
	c.Bool("enabled", &r.Enabled)
	c.Text("off_reason", &r.OffReason)
	c.Int64("failures", &r.Failures)
	c.Time("next_at", &r.NextAt)
	c.Time("failing_since", &r.FailingSince)
	c.Text("problem", &r.Problem)
	c.Time("sent_at", &r.SentAt)
	c.Text("created_by", &r.CreatedBy)
	c.Bool("deleted", &r.Deleted)
	c.Int64("version", &r.Version)
	c.Time("created_at", &r.CreatedAt)
	c.Time("updated_at", &r.UpdatedAt)
}

func rowOf(c Channel) *row {
	words := make([]string, len(c.News))
	for i, n := range c.News {
		words[i] = string(n)
	}

	return &row{Channel: c, news: strings.Join(words, ",")}
}

func (r *row) value() (Channel, error) {
	c := r.Channel
	c.News = nil

	for _, word := range db.Words(r.news) {
		c.News = append(c.News, News(word))
	}

	return c, nil
}

// columns lists every column once.
func (m *Message) columns(c *db.Columns) {
	c.Text("id", &m.ID)
	c.Text("organisation", &m.Organisation)
	c.Text("channel", &m.Channel)
	c.Text("event", &m.Event)
	c.Text("type", &m.Type)
	c.Text("object", &m.Object)
	c.Text("state", &m.State)
	c.Int64("attempts", &m.Attempts)
	c.Time("created_at", &m.CreatedAt)
	c.Time("ended_at", &m.EndedAt)
}

// ByID returns an organisation's channel, or NOT_FOUND.
func ByID(ctx context.Context, q db.Querier, organisation, id string) (Channel, error) {
	r, err := channelTable.One(ctx, q, "WHERE organisation = ? AND id = ? AND deleted = FALSE", organisation, id)
	if errors.Is(err, db.ErrNone) {
		return Channel{}, fault.Missing("chat channel")
	}

	if err != nil {
		return Channel{}, err
	}

	return r.value()
}

// byID returns a channel of any organisation, or db.ErrNone: for the job.
func byID(ctx context.Context, q db.Querier, id string) (Channel, error) {
	r, err := channelTable.One(ctx, q, "WHERE id = ? AND deleted = FALSE", id)
	if err != nil {
		return Channel{}, err
	}

	return r.value()
}

// list returns a page of an organisation's channels, the newest first.
func list(ctx context.Context, q db.Querier, organisation string, p caller.Window) ([]Channel, int64, error) {
	var w db.Where
	w.And("organisation = ?", organisation)
	w.And("deleted = FALSE")

	rows, total, err := channelTable.Page(ctx, q, db.Page{Where: w, Window: p})
	if err != nil {
		return nil, 0, err
	}

	out, err := db.Values(rows, (*row).value)

	return out, total, err
}

// enabledOf returns the channels of organisations that are on.
func enabledOf(ctx context.Context, q db.Querier, organisations []string) ([]Channel, error) {
	var w db.Where
	db.In(&w, "organisation", organisations)
	w.And("deleted = FALSE")
	w.And("enabled = TRUE")

	rows, err := channelTable.Select(ctx, q, w.SQL(), w.Args...)
	if err != nil {
		return nil, err
	}

	return db.Values(rows, (*row).value)
}

func countChannels(ctx context.Context, q db.Querier, organisation string) (int64, error) {
	return db.Value[int64](ctx, q,
		"SELECT count(*) FROM chat_channels WHERE organisation = ? AND deleted = FALSE", organisation)
}

// noteTaken notes that the room has taken a message. It does nothing if the channel was changed meanwhile.
func noteTaken(tx *db.Tx, c Channel) error {
	_, err := tx.Exec(
		"UPDATE chat_channels SET failures = 0, next_at = 0, failing_since = 0, problem = '', sent_at = ? "+
			"WHERE organisation = ? AND id = ? AND version = ?",
		db.Micros(tx.Now),
		c.Organisation,
		c.ID,
		c.Version,
	)

	return err
}

// noteFailure notes a failure, and when to try again. It does nothing if the channel was changed meanwhile.
func noteFailure(tx *db.Tx, c Channel) error {
	_, err := tx.Exec("UPDATE chat_channels SET failures = ?, next_at = ?, failing_since = ?, problem = ? "+
		"WHERE organisation = ? AND id = ? AND version = ?",
		c.Failures, db.Micros(c.NextAt), db.Micros(c.FailingSince), c.Problem, c.Organisation, c.ID, c.Version)

	return err
}

// switchOff reports whether the channel was on and as it is until now.
func switchOff(tx *db.Tx, c Channel) (bool, error) {
	n, err := tx.Exec("UPDATE chat_channels SET enabled = FALSE, off_reason = ?, problem = ?, failing_since = ?, "+
		"version = version + 1, updated_at = ? WHERE id = ? AND version = ? AND enabled = TRUE AND deleted = FALSE",
		c.OffReason, c.Problem, db.Micros(c.FailingSince), db.Micros(tx.Now), c.ID, c.Version)

	return n == 1, err
}

// waiting returns messages of a channel that were not sent yet: those first that were tried least often, so that one
// which is not taken holds up none of the others.
func waiting(ctx context.Context, q db.Querier, channel string, limit int) ([]Message, error) {
	return messageTable.Select(ctx, q, "WHERE channel = ? AND state = 'QUEUED' ORDER BY attempts, id LIMIT ?",
		channel, int64(limit))
}

// end ends messages that have not ended before.
func end(tx *db.Tx, all []Message, state string) error {
	for _, m := range all {
		if _, err := tx.Exec("UPDATE chat_messages SET state = ?, ended_at = ? WHERE id = ? AND state = 'QUEUED'",
			state, db.Micros(tx.Now), m.ID); err != nil {
			return err
		}
	}

	return nil
}

// again counts a try of messages that wait on.
func again(tx *db.Tx, all []Message) error {
	for _, m := range all {
		if _, err := tx.Exec("UPDATE chat_messages SET attempts = ? WHERE id = ? AND state = 'QUEUED'",
			m.Attempts+1, m.ID); err != nil {
			return err
		}
	}

	return nil
}

// endAll ends what waits for a channel.
func endAll(tx *db.Tx, c Channel, state string) error {
	_, err := tx.Exec("UPDATE chat_messages SET state = ?, ended_at = ? "+
		"WHERE organisation = ? AND channel = ? AND state = 'QUEUED'",
		state, db.Micros(tx.Now), c.Organisation, c.ID)

	return err
}

// DoubtOlder ends messages about events of before a time that wait: they come from a restored back-up, and may have
// been sent. It returns their number. A second call finds none.
func (s *Service) DoubtOlder(ctx context.Context, before time.Time) (n int64, err error) {
	err = s.DB.Write(ctx, func(tx *db.Tx) (err error) {
		n, err = tx.Exec("UPDATE chat_messages SET state = ?, ended_at = ? WHERE state = 'QUEUED' AND created_at < ?",
			Doubtful, db.Micros(tx.Now), db.Micros(before))

		return err
	})

	return n, err
}

// Forget deletes messages about events of before a time that have ended, at most limit.
func (s *Service) Forget(ctx context.Context, limit int) (n int64, err error) {
	err = s.DB.Write(ctx, func(tx *db.Tx) (err error) {
		n, err = tx.Exec("DELETE FROM chat_messages WHERE id IN (SELECT id FROM chat_messages "+
			"WHERE state <> 'QUEUED' AND created_at < ? ORDER BY created_at LIMIT ?)",
			db.Micros(tx.Now.Add(-kept)), int64(limit))

		return err
	})

	return n, err
}

// Waiting returns the number of messages that wait for channels which are on, and when the oldest of their events was;
// zero if there is none.
func Waiting(ctx context.Context, q db.Querier) (count int64, oldest time.Time, err error) {
	return db.Backlog(ctx, q, `SELECT count(*), COALESCE(MIN(m.created_at), 0)
		FROM chat_channels c CROSS JOIN chat_messages m
		WHERE c.enabled = TRUE AND c.deleted = FALSE AND m.channel = c.id AND m.state = 'QUEUED'`)
}

// States returns the number of channels that take what they are sent ("working"), that do not ("failing"), and that are
// switched off ("off").
func States(ctx context.Context, q db.Querier) (map[string]int64, error) {
	type row struct {
		state string
		count int64
	}

	rows, err := db.Select(ctx, q, func(r *row) []any { return []any{&r.state, &r.count} },
		`SELECT CASE WHEN enabled = FALSE THEN 'off' WHEN failing_since > 0 THEN 'failing' ELSE 'working' END, count(*)
			FROM chat_channels WHERE deleted = FALSE GROUP BY 1`)

	out := map[string]int64{"working": 0, "failing": 0, "off": 0}
	for _, r := range rows {
		out[r.state] = r.count
	}

	return out, err
}
