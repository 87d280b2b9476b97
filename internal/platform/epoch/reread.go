package epoch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"slipway/internal/platform/db"
)

// Cause is how the database differs from its witness.
type Cause string

// The causes.
const (
	Behind Cause = "BEHIND" // the witness is ahead: a backup was restored; reading the world again is enough
	Other  Cause = "OTHER"  // the witness belongs to another database, or to a diverged copy; two persons confirm
	Lost   Cause = "LOST"   // the witness is gone, and with it the copies of what was sent; two persons confirm
)

// explanation returns the cause as a sentence.
func (c Cause) explanation() string {
	switch c {
	case Behind:
		return "the database is older than what this instance did last: a back-up was put back"
	case Other:
		return "what is kept outside of the database belongs to another database, or to one that went another way"
	case Lost:
		return "what was kept outside of the database is gone: it cannot be told how old the database is"
	}

	return string(c)
}

// automatic reports whether reading the world again is enough. If not, what was sent may not be known completely: the
// witness is gone, is another one, or is as old as the database.
func (r rereading) automatic() bool { return Cause(r.Cause) == Behind && r.Sign == "" }

// The states of a re-reading.
const (
	StateOpen    = "OPEN"    // the job acts next
	StateWaiting = "WAITING" // the world was read again; two persons act next
	StateEnded   = "ENDED"   // what may leave leaves again
)

// Rereading is one occasion on which the database did not follow.
type Rereading struct {
	ID          string
	Cause       Cause
	Explanation string
	Sign        string // what has shown it; "" if the witness has
	State       string
	Found       []string // what the last reading has found
	LastError   string   // why the last reading failed; "" if it succeeded
	AskedBy     string
	ApprovedBy  string
	Note        string
	At, EndedAt time.Time // EndedAt is zero while nothing may leave
}

// reader reads one part of the world again.
type reader struct {
	name string
	read func(ctx context.Context, since time.Time) (found []string, err error)
}

// Reader adds a part of the world that is read after a difference, in the order of the calls. since is when the
// difference was found. read must be safe to repeat. Each of found is a sentence for people. Call Reader before Start.
func (i *Instance) Reader(name string, read func(ctx context.Context, since time.Time) (found []string, err error)) {
	i.readers = append(i.readers, reader{name, read})
}

// Held reports whether nothing may leave.
func (i *Instance) Held(ctx context.Context) (bool, error) { return anyOpen(ctx, i.db) }

// Current returns the re-reading because of which nothing may leave, or db.ErrNone if there is none.
func (i *Instance) Current(ctx context.Context) (Rereading, error) {
	r, err := openRereading(ctx, i.db)
	return r.public(), err
}

// Past returns re-readings, the newest first, at most limit.
func (i *Instance) Past(ctx context.Context, limit int) ([]Rereading, error) {
	rows, err := pastRereadings(ctx, i.db, limit)

	out := make([]Rereading, len(rows))
	for n, r := range rows {
		out[n] = r.public()
	}

	return out, err
}

// Reread reads the world again if nothing may leave. When all of it was read, either things may leave again, or two
// persons must confirm. A second call reads what a failure has left out, and does nothing once the re-reading has
// ended.
func (i *Instance) Reread(ctx context.Context) error {
	open, err := openRereading(ctx, i.db)
	if errors.Is(err, db.ErrNone) || err == nil && open.State != StateOpen {
		return nil
	}

	if err != nil {
		return err
	}

	var found []string
	for _, r := range i.readers {
		some, err := r.read(ctx, db.Time(open.CreatedAt))

		found = append(found, some...)
		if err != nil {
			err = fmt.Errorf("re-read %s: %w", r.name, err)
			return errors.Join(err, i.note(ctx, open, found, err))
		}
	}

	if err := i.conclude(ctx, open, found); err != nil {
		return fmt.Errorf("end of re-reading: %w", err)
	}

	i.logRead(open, found)

	return nil
}

// note stores how far a reading came that failed.
func (i *Instance) note(ctx context.Context, open rereading, found []string, why error) error {
	return i.db.Write(context.WithoutCancel(ctx), func(tx *db.Tx) error {
		open.Found = strings.Join(found, "\n")
		open.LastError = why.Error()
		noteRereading(tx, open)

		return nil
	})
}

// conclude ends a reading that succeeded, or makes it wait for two persons.
func (i *Instance) conclude(ctx context.Context, open rereading, found []string) error {
	return i.db.Write(ctx, func(tx *db.Tx) error {
		open.Found = strings.Join(found, "\n")
		open.LastError = ""

		open.State = StateWaiting
		if open.automatic() {
			return end(tx, open)
		}

		noteRereading(tx, open)

		return nil
	})
}

// end lets things leave again. What was outside becomes part of this database's past, so that the next epoch follows
// it.
func end(tx *db.Tx, open rereading) error {
	open.State = StateEnded
	open.EndedAt = db.Micros(tx.Now)
	noteRereading(tx, open)

	switch {
	case open.Sign != "":
		return nil // the witness agrees
	case open.Outside == "":
		return forgetMarksFrom(tx, 0)
	}

	outside, err := parseMark(open.Outside)
	if err != nil {
		return err
	}

	if err := forgetMarksFrom(tx, outside.number); err != nil {
		return err
	}

	insertMark(tx, outside)

	return nil
}

// The errors of Confirm.
var (
	ErrTwoPersons = errors.New("two different persons are needed: one who asks and one who approves")
	ErrNotWaiting = errors.New("no re-reading waits for a confirmation")
)

// Waiting returns the re-reading that waits for two persons. It returns ErrNotWaiting while the world is still being
// read, and if nothing keeps payments from leaving.
func Waiting(ctx context.Context, q db.Querier) (Rereading, error) {
	open, err := openRereading(ctx, q)
	if errors.Is(err, db.ErrNone) || err == nil && open.State != StateWaiting {
		return Rereading{}, ErrNotWaiting
	}

	return open.public(), err
}

// Confirmation is what two persons have decided about a re-reading: they have asked the bank what it has received.
type Confirmation struct {
	Rereading  string // its identifier
	AskedBy    string // identifier of a user
	ApprovedBy string // of another one
	Note       string
}

// Confirm ends a waiting re-reading in the caller's transaction. It returns ErrNotWaiting if that one does not wait for
// persons, also on a second call.
func Confirm(ctx context.Context, tx *db.Tx, c Confirmation) error {
	if c.AskedBy == "" || c.ApprovedBy == "" || c.AskedBy == c.ApprovedBy {
		return ErrTwoPersons
	}

	open, err := openRereading(ctx, tx)
	if errors.Is(err, db.ErrNone) || err == nil && (open.State != StateWaiting || open.ID != c.Rereading) {
		return ErrNotWaiting
	}

	if err != nil {
		return err
	}

	open.AskedBy = c.AskedBy
	open.ApprovedBy = c.ApprovedBy
	open.Note = c.Note

	return end(tx, open)
}

// logHeld logs why nothing may leave. Every start calls it.
func (i *Instance) logHeld(ctx context.Context) error {
	open, err := openRereading(ctx, i.db)
	if errors.Is(err, db.ErrNone) {
		return nil // ended by another process meanwhile
	}

	if err != nil {
		return err
	}

	i.log.Error("nothing leaves: the world is re-read first",
		"cause", open.Cause,
		"why", Cause(open.Cause).explanation(),
		"state", open.State,
		"since", db.Time(open.CreatedAt),
		"look", "slipway reread show")

	return nil
}

// logRead logs what a reading has found.
func (i *Instance) logRead(open rereading, found []string) {
	for _, f := range found {
		i.log.Warn("the world was re-read", "found", f)
	}

	if open.automatic() {
		i.log.Warn("the world was re-read: what may leave leaves again", "cause", open.Cause)
		return
	}

	i.log.Error("the world was re-read, and two persons have to confirm before anything leaves",
		"cause", open.Cause,
		"why", Cause(open.Cause).explanation(),
		"look", "slipway reread show")
}
