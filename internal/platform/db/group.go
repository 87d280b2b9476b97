package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

// maxAttempts limits how often one body is run again after the engine could not serialise it.
const maxAttempts = 12

var errGoexit = errors.New("a write body ended its goroutine")

// errLeft is the outcome of a body whose caller does not wait any more.
var errLeft = errors.New("its caller has left")

// errNotBegun is the answer to a caller who has left before his body ran.
var errNotBegun = fmt.Errorf("%w: no writer was free in time", ErrUnavailable)

// errNotAwaited is the answer to a caller who has left while what his body has written was being committed.
var errNotAwaited = fmt.Errorf("%w: the caller could not wait for it", ErrUnknown)

// request is one body that waits for a writer, with the outcome of its last run. The outcome is kept until the group
// has committed, because a refusal may depend on what another body of the group has written.
type request struct {
	ctx   context.Context
	body  func(tx *Tx) error
	large bool // see WriteLarge
	done  chan error

	running sync.Mutex // held while the body runs
	begun   bool       // the body has run
	left    bool       // the body never runs again

	err      error
	inserts  []insertRow     // requested, not sent yet
	changes  []pendingChange // requested, not sent yet
	part     int             // of the body, which changes belong to
	sent     bool            // something this body wrote has been sent
	onCommit []func()
}

type insertRow struct {
	into *Insert
	args []any
}

func (r *request) reset() {
	r.err = nil
	r.inserts = nil
	r.changes = nil
	r.part = 0
	r.sent = false
	r.onCommit = nil
}

// groupStats counts transactions and bodies, for metrics.
type groupStats struct{ transactions, bodies, alone atomic.Int64 }

// Groups returns how many transactions were committed, how many bodies they contained, and how many bodies had to run
// alone.
func (d *DB) Groups() (transactions, bodies, alone int64) {
	return d.groups.transactions.Load(), d.groups.bodies.Load(), d.groups.alone.Load()
}

// leave makes the body not run again, and returns what the caller is told. It blocks while the body runs.
func (r *request) leave() error {
	r.running.Lock()
	defer r.running.Unlock()

	r.left = true

	select {
	case err := <-r.done: // it came at the last moment
		return err
	default:
	}

	if r.begun {
		return errNotAwaited
	}

	return errNotBegun
}

// Write runs body in one transaction, serialisable if it reads, and returns after it is durable. After an error other
// than ErrUnknown, nothing of it was written. ErrUnavailable, ErrBusy and ErrRetry mean that the caller may retry.
//
// It waits no longer than to the deadline of ctx and for the end of a run of the body. A ctx that is cancelled before
// does not end the wait.
//
// The body may run several times, each time with a new Tx. A body must not call Write: it would wait for itself.
func (d *DB) Write(ctx context.Context, body func(tx *Tx) error) error {
	return d.write(d.queue, &request{ctx: ctx, body: body, done: make(chan error, 1)})
}

// WriteLarge is Write of a body that reads and then writes thousands of rows. It has a transaction of its own, and on
// PostgreSQL other transactions of the process read and write meanwhile. If it cannot be serialised with them, it runs
// again while they wait.
func (d *DB) WriteLarge(ctx context.Context, body func(tx *Tx) error) error {
	return d.write(d.large, &request{ctx: ctx, body: body, large: true, done: make(chan error, 1)})
}

// write hands a body to a writer and waits for the outcome.
func (d *DB) write(queue chan<- *request, r *request) error {
	if d.closed() {
		return ErrClosed
	}

	if err := r.ctx.Err(); err != nil {
		return err
	}

	select {
	case queue <- r:
	default:
		return ErrBusy
	}

	d.pending.Add(1)
	defer d.pending.Add(-1)

	late := r.ctx.Done()

	for {
		select {
		case err := <-r.done:
			return err

		case <-late:
			if errors.Is(r.ctx.Err(), context.DeadlineExceeded) {
				return r.leave()
			}

			late = nil // whoever has hung up keeps nobody from finding out what became of it

		case <-d.stop:
			d.writers.Wait() // the writers drain the queue before they end

			select {
			case err := <-r.done:
				return err
			default:
				return ErrClosed
			}
		}
	}
}

// closed reports whether Close was called.
func (d *DB) closed() bool {
	select {
	case <-d.stop:
		return true
	default:
		return false
	}
}

// serve commits whatever waits, together, until the database is closed.
func (d *DB) serve(w writer) {
	for {
		select {
		case r := <-d.queue:
			d.guarded(w, d.gather(r))
		case r := <-d.large:
			d.guarded(w, []*request{r})

		case <-d.stop:
			for {
				select {
				case r := <-d.queue:
					d.guarded(w, d.gather(r))
				case r := <-d.large:
					d.guarded(w, []*request{r})
				default:
					return
				}
			}
		}
	}
}

// gatherLimit limits how long a writer waits for more bodies; a durable commit takes longer.
const gatherLimit = time.Millisecond

// expectedWithin is how long after the last answer clients are expected back.
const expectedWithin = 10 * time.Millisecond

// gather returns the bodies that wait. Clients that were answered together come back together, a moment apart. The
// first of them alone would cost a commit of its own while the others wait for the next. So if many came together just
// before, a writer waits a little for half of them; meanwhile the other half is being committed or answered. A body
// that comes later than that, and while no other is under way, would wait for nobody.
func (d *DB) gather(first *request) []*request {
	group := d.take([]*request{first})

	wanted := min(int(d.recentPeak.Load())/2, d.maxGroup)
	if len(group) >= wanted || d.pending.Load() <= int64(len(group)) && d.answeredBefore(expectedWithin) {
		return group
	}

	timeout := time.NewTimer(gatherLimit)
	defer timeout.Stop()

	for len(group) < wanted {
		select {
		case r := <-d.queue:
			group = append(group, r)
		case <-timeout.C:
			return d.take(group)
		case <-d.stop:
			return d.take(group)
		}
	}

	return d.take(group)
}

// answeredBefore reports whether the last answer is older than that.
func (d *DB) answeredBefore(age time.Duration) bool {
	return d.clock.Elapsed()-time.Duration(d.lastAnswer.Load()) > age
}

// recordPeak updates what gather expects: how many bodies were waiting or in a transaction, decaying slowly.
func (d *DB) recordPeak() {
	d.recentPeak.Store(max(d.pending.Load(), d.recentPeak.Load()*15/16))
}

// take adds the bodies that wait now.
func (d *DB) take(group []*request) []*request {
	for len(group) < d.maxGroup {
		select {
		case r := <-d.queue:
			group = append(group, r)
		default:
			return group
		}
	}

	return group
}

// guarded runs a group. A body may end its goroutine, as a failed requirement of a test does. That must not end the
// writer: its group gets an error and a new writer continues.
func (d *DB) guarded(w writer, group []*request) {
	returned := false
	defer func() {
		if returned {
			return
		}

		w.rollback()

		for _, r := range group {
			select {
			case r.done <- errGoexit:
			default: // answered already
			}
		}

		d.writers.Go(func() { d.serve(w) })
	}()

	d.runGroup(w, group)
	returned = true
}

// runGroup commits the bodies together. If that fails, each runs alone, so that one cannot make another fail.
func (d *DB) runGroup(w writer, group []*request) {
	d.recordPeak()

	if d.runTwice || len(group) == 1 {
		for _, r := range group {
			d.answer(r, d.runAlone(w, r))
		}

		return
	}

	err := d.together(w, group)
	switch {
	case err == nil:
		d.groups.transactions.Add(1)
		d.groups.bodies.Add(int64(len(group)))

		for _, r := range group {
			d.answer(r, r.err)
		}

	case errors.Is(err, ErrUnknown): // running them again could do everything twice
		for _, r := range group {
			d.answer(r, err)
		}
	default:
		d.groups.alone.Add(int64(len(group)))
		d.oneByOne(w, group)
	}
}

// oneByOne runs each body alone. Once the database is unavailable for one of them, all that follow get the same error,
// because each would wait to connect.
func (d *DB) oneByOne(w writer, group []*request) {
	for i, r := range group {
		err := asUnavailable(d.runAlone(w, r))
		d.answer(r, err)

		if errors.Is(err, ErrUnavailable) {
			for _, next := range group[i+1:] {
				d.answer(next, err)
			}

			return
		}
	}
}

func (d *DB) answer(r *request, err error) {
	r.notify(err)
	d.lastAnswer.Store(int64(d.clock.Elapsed()))

	r.done <- asUnavailable(err)
}

// notify calls the functions given to OnCommit, if err is nil.
func (r *request) notify(err error) {
	if err != nil {
		return
	}

	for _, f := range r.onCommit {
		f()
	}
}

// maxTogether limits how often a whole group is run again: of writers that collide, one is asked to try again.
const maxTogether = 4

// together commits the bodies in one transaction. After an error nothing was written, except with ErrUnknown.
func (d *DB) together(w writer, group []*request) (err error) {
	for attempt := range maxTogether {
		if err = d.tryGroup(w, group); err == nil || !w.retryable(err) {
			return err
		}

		time.Sleep(time.Duration(rand.IntN(1000<<attempt)) * time.Microsecond) //nolint:gosec // a pause, no secret
	}

	return err
}

// errApart is the error of a body that failed after something it wrote had been sent, which cannot be undone without
// the others.
var errApart = errors.New("the bodies must run one by one")

// tryGroup runs the bodies once, in one transaction.
func (d *DB) tryGroup(w writer, group []*request) error {
	s := &session{d: d, w: w, now: d.clock.Now()}
	defer s.leave()

	for _, r := range group {
		s.run(r)

		if s.failed != nil || (r.err != nil && r.sent) {
			s.rollback()
			s.lost = lostIn(s.failed)

			return cmp.Or(s.failed, errApart)
		}

		if r.err != nil {
			r.inserts = nil
			r.changes = nil
			r.onCommit = nil
		}
	}

	return s.commit()
}

// runAlone runs one body in its own transaction, again while the engine asks for it.
func (d *DB) runAlone(w writer, r *request) error {
	if d.runTwice {
		d.rehearse(w, r)
	}

	var err error
	for attempt := range maxAttempts {
		if err = r.ctx.Err(); err != nil {
			return err
		}

		if err = d.attempt(w, r, r.large && attempt == 0); err == nil || !w.retryable(err) {
			return err
		}

		pause := time.Duration(rand.IntN(1<<min(attempt, 6)+1)) * time.Millisecond //nolint:gosec // no secret
		time.Sleep(pause)
	}

	return fmt.Errorf("%w: %w", ErrRetry, err)
}

// rehearse runs a body and rolls its writes back.
func (d *DB) rehearse(w writer, r *request) {
	s := &session{d: d, w: w, now: d.clock.Now(), aside: r.large}
	defer s.leave()
	s.run(r)

	if r.err == nil && s.failed == nil {
		_ = s.flush()
	}

	s.rollback()
}

// attempt runs one body once, in its own transaction; aside, while others read and write.
func (d *DB) attempt(w writer, r *request, aside bool) error {
	s := &session{d: d, w: w, now: d.clock.Now(), aside: aside}
	defer s.leave()
	s.run(r)

	if r.err != nil {
		s.rollback()
		s.lost = lostIn(s.failed)

		return r.err
	}

	if s.failed != nil { // a body that goes on after its statement failed has nothing to commit
		s.rollback()
		s.lost = lostIn(s.failed)

		return s.failed
	}

	if err := s.commit(); err != nil {
		return err
	}

	d.groups.transactions.Add(1)
	d.groups.bodies.Add(1)

	return nil
}

// Waiting returns how many bodies wait for a writer at the moment.
func (d *DB) Waiting() int { return len(d.queue) + len(d.large) }
