// Package epoch detects whether the database is older than the world outside, for example after a backup was restored.
//
// An instance counts epochs. Each is a row with a random token, and the newest one is also stored outside of the
// database (package witness). The row is always written first, so the database of a process that crashed is never
// behind its witness. A restored database is: the newest epoch outside is none of its rows. The same is true for
// another database, and one whose witness was lost.
//
// It promises that once Advance has returned, restoring a backup from before that call will be noticed. After a
// difference was found, Held reports true in all processes on this database, and Advance refuses, until the world was
// read again and, if that alone proves too little, two persons have confirmed. A backup that was restored together
// with its witness is noticed only by what else shows it: see Looker.
//
// Read in this order: epoch.go, sign.go (what else shows that the database is
// old), reread.go (what happens after a difference), store.go.
package epoch

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"

	"slipway/internal/platform/db"
	"slipway/internal/platform/witness"
)

// ErrRereading is returned by Advance while nothing may leave.
var ErrRereading = errors.New(
	"this database does not follow the instance's last state: nothing leaves until the outside world was read again",
)

// ErrOtherWitness is returned by Start if another process works on the database, and so follows a witness, and this
// process has another one. The database is in order then: nothing was written.
var ErrOtherWitness = errors.New("another process works on this database, and this one's witness is empty or belongs " +
	"to another database: all processes have to share one (witness.folder, or a bucket by witness.store)")

// Config holds an Instance's dependencies.
type Config struct {
	DB      *db.DB
	Witness witness.Store
	Log     *slog.Logger
	// Others reports whether another process works on the database; nil: none does.
	Others func(ctx context.Context) (bool, error)
	// Ask enqueues a job that calls Reread. It is called inside the transaction that records the difference.
	Ask func(tx *db.Tx)
}

// Instance is this deployment: one database and one witness. It is safe for concurrent use, also by several processes.
type Instance struct {
	db      *db.DB
	witness witness.Store
	log     *slog.Logger
	ask     func(tx *db.Tx)
	others  func(ctx context.Context) (bool, error)
	readers []reader

	looking sync.Mutex
	lookers []looker // that have not answered yet
}

// New returns an instance. It makes no call.
func New(c Config) *Instance {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}

	if c.Ask == nil {
		c.Ask = func(*db.Tx) {}
	}

	if c.Others == nil {
		c.Others = func(context.Context) (bool, error) { return false, nil }
	}

	return &Instance{
		db:      c.DB,
		witness: c.Witness,
		log:     c.Log,
		ask:     c.Ask,
		others:  c.Others,
	}
}

const (
	kind = "epochs" // of the witness's records
	// maxMarks is how many past epochs the database keeps: the witness may be that much older.
	maxMarks = 10_000
)

// mark is one epoch. The zero mark means none.
type mark struct {
	number   int64
	token    string
	instance string // the token of the first epoch: equal for all databases with a common origin
}

// next returns the epoch after this one.
func (m mark) next() mark {
	out := mark{m.number + 1, rand.Text(), m.instance}
	if m.number == 0 {
		out.instance = out.token
	}

	return out
}

func (m mark) text() string { return fmt.Sprintf("%d %s %s", m.number, m.token, m.instance) }

// record returns the name under which a mark is stored outside. Names sort by number.
func (m mark) record() string { return fmt.Sprintf("%s/%019d", kind, m.number) }

func parseMark(text string) (m mark, err error) {
	fields := strings.Fields(text)
	if len(fields) == 3 {
		m.token = fields[1]
		m.instance = fields[2]
		m.number, err = strconv.ParseInt(fields[0], 10, 64)
	}

	if err != nil || m.number <= 0 {
		return mark{}, fmt.Errorf("%q is no epoch", text)
	}

	return m, nil
}

// Start compares the database with its witness and begins a new epoch. Call it once, before anything can leave. A
// difference is not an error: Held reports it. An error is ErrOtherWitness, or one of the database or of the witness;
// then the result is unknown, and nothing may leave.
func (i *Instance) Start(ctx context.Context) error {
	if err := i.refuseOther(ctx); err != nil {
		return err
	}

	// The second row is written only after the first is stored outside. From then on an empty witness was lost.
	for range 2 {
		err := i.Advance(ctx)
		if errors.Is(err, ErrRereading) {
			return i.logHeld(ctx)
		}

		if err != nil {
			return err
		}
	}

	return nil
}

// refuseOther returns ErrOtherWitness if the witness is not the one that another process follows. If the witness of all
// was lost, the other process finds that out with its next epoch.
func (i *Instance) refuseOther(ctx context.Context) error {
	own, err := newestOwn(ctx, i.db) // first: a second epoch has its first one outside
	if err != nil {
		return err
	}

	outside, _, err := i.newestOutside(ctx)
	if err != nil {
		return err
	}

	cause, err := compare(ctx, i.db, own, outside)
	if err != nil || cause != Lost && cause != Other {
		return err
	}

	if held, err := anyOpen(ctx, i.db); err != nil || held {
		return err // it is known already
	}

	others, err := i.others(ctx)
	if err == nil && others {
		err = ErrOtherWitness
	}

	return err
}

// Advance begins a new epoch, in the database and then outside. Call it before something leaves that must not leave
// twice: from then on, restoring a backup from before this call is noticed. It returns ErrRereading if nothing may
// leave. A second call begins another epoch.
func (i *Instance) Advance(ctx context.Context) error {
	next, records, err := i.begin(ctx)
	if err != nil {
		return err
	}

	if err := i.witness.Put(ctx, next.record(), []byte(next.text()+"\n")); err != nil {
		return fmt.Errorf("store epoch %d outside of the database: %w", next.number, err)
	}

	for _, name := range records {
		if name >= next.record() {
			break // of another process, which was later
		}

		if err := i.witness.Remove(ctx, name); err != nil {
			i.log.Warn("an old epoch stays outside of the database", "record", name, "error", err.Error())
		}
	}

	return nil
}

// errReadAgain is returned for a witness that was read empty, and that another process may have filled since.
var errReadAgain = errors.New("nothing was outside of the database")

// begin writes the row of a new epoch, and returns it with the names of the records outside. A witness that was empty
// is read once more after the database was seen to have a second epoch: the first one is outside by then, so an empty
// witness was lost, and is not merely older than another process's first start.
func (i *Instance) begin(ctx context.Context) (next mark, records []string, err error) {
	for _, seen := range []bool{false, true} {
		var outside mark

		outside, records, err = i.newestOutside(ctx)
		if err != nil {
			return mark{}, nil, err
		}

		next, err = i.decide(ctx, outside, seen)
		if !errors.Is(err, errReadAgain) {
			break
		}
	}

	return next, records, err
}

// newestOutside reads the newest mark outside, and the names of all. Another process may remove a listed record
// meanwhile; then there is a newer one, and it searches again.
func (i *Instance) newestOutside(ctx context.Context) (newest mark, records []string, err error) {
	const tries = 20
	for range tries {
		records, err = i.witness.List(ctx, kind)
		if err != nil {
			return mark{}, nil, fmt.Errorf("read what is kept outside of the database: %w", err)
		}

		if len(records) == 0 {
			return mark{}, nil, nil
		}

		text, err := i.witness.Read(ctx, records[len(records)-1])
		if errors.Is(err, witness.ErrNone) {
			continue
		}

		if err != nil {
			return mark{}, nil, fmt.Errorf("read what is kept outside of the database: %w", err)
		}

		newest, err = parseMark(string(text))
		if err == nil && newest.record() != records[len(records)-1] {
			err = fmt.Errorf("%q is the epoch of another record", text)
		}

		if err != nil {
			return mark{}, nil, fmt.Errorf("record %s outside of the database: %w", records[len(records)-1], err)
		}

		return newest, records, nil
	}

	return mark{}, nil, errors.New("read what is kept outside of the database: records are removed faster than read")
}

// decide writes the row of a new epoch, or records that the database does not follow. seen says that the database's
// second epoch was seen before outside was read; otherwise decide returns errReadAgain instead of a loss.
func (i *Instance) decide(ctx context.Context, outside mark, seen bool) (next mark, err error) {
	const tries = 20
	for range tries {
		held := false

		err = i.db.Write(ctx, func(tx *db.Tx) (err error) {
			held, err = anyOpen(ctx, tx)
			if err != nil || held {
				return err
			}

			next, held, err = i.follow(ctx, tx, outside, seen)

			return err
		})
		if err == nil && held {
			return mark{}, ErrRereading
		}

		if !db.Overtaken(err, "epochs", "rereadings") { // another process has begun the same epoch
			break
		}
	}

	if err != nil {
		return mark{}, fmt.Errorf("begin an epoch: %w", err)
	}

	return next, nil
}

// follow writes the row of a new epoch after the one outside. If the database does not follow that one, it opens a
// re-reading and returns held.
func (i *Instance) follow(
	ctx context.Context,
	tx *db.Tx,
	outside mark,
	seen bool,
) (next mark, held bool, err error) {
	own, err := newestOwn(ctx, tx)
	if err != nil {
		return mark{}, false, err
	}

	cause, err := compare(ctx, tx, own, outside)
	if err != nil {
		return mark{}, false, err
	}

	if cause == Lost && !seen {
		return mark{}, false, errReadAgain
	}

	if cause != "" {
		insertRereading(tx, cause, outside)
		i.ask(tx)
		return mark{}, true, nil
	}

	if own.number == 1 && outside.number == 0 {
		return own, false, nil // the first one, which never got outside
	}

	next = own.next()
	insertMark(tx, next)

	return next, false, forgetMarks(tx, next.number-maxMarks)
}

// compare returns why the database does not follow what is outside, or "" if it does.
func compare(ctx context.Context, q db.Querier, own, outside mark) (Cause, error) {
	switch {
	case outside.number == 0 && own.number <= 1:
		return "", nil // the first start, or one that crashed before its first epoch was stored outside
	case outside.number == 0:
		return Lost, nil
	case outside.number > own.number && outside.instance == own.instance:
		return Behind, nil
	}

	known, err := hasMark(ctx, q, outside)
	if err != nil || known {
		return "", err
	}

	return Other, nil
}
