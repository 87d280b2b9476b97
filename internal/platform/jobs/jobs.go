// Package jobs runs background work from rows that are written in the same transaction as the decision that requires
// it.
//
// A job only drives the next step of something whose state stands in the noun's own tables, so losing or doubling a job
// never loses or doubles an effect. There is one live job for each key. A worker holds a job by a lease with a fencing
// number. If the process dies, the lease ends with its replica's heartbeat and another worker takes the job; whatever
// the first one still writes about it is refused. Leases and due times use the database's clock. If that is set back,
// jobs planned in what is now the future are rescheduled: nothing waits until the clock has caught up, and no periodic
// job runs twice. However it is set, a runner starts no job whose handler it still runs.
//
// It promises that a job whose transaction committed runs at least once. It does not promise exactly once, an order
// between jobs, or a time.
//
// Read in this order: jobs.go, store.go.
package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/replica"
)

// Job is the input of a handler.
type Job struct {
	ID, Kind, Key, Payload string
	Attempts               int64 // failures in a row before this run
	fence, wakes           int64
}

// Result is what happens to a job after its handler has returned. Make it with Done or Again.
type Result struct {
	again bool
	after time.Duration
}

// Done ends the job. It is deleted, unless it was woken while it ran.
func Done() Result { return Result{} }

// Again runs the job once more after a pause.
func Again(after time.Duration) Result { return Result{again: true, after: after} }

// Handler does one step. An error is logged and stored with the job, and the job runs again after a growing pause,
// without limit: what it drives must end through its own states.
type Handler func(ctx context.Context, j Job) (Result, error)

// Config sets the runner's limits. Zero values take the defaults.
type Config struct {
	Replica *replica.Replica // the leases end with its heartbeat; nil: by time only

	// Only and Except are kinds that the runner runs alone, or leaves to another runner on the same table. Kinds that
	// wait for parties outside have a runner of their own, so that slow ones take no worker from the others.
	Only, Except []string

	Workers int           // handlers at once; 16
	Batch   int           // jobs claimed in one write; 64
	Poll    time.Duration // how often an idle runner looks for jobs; 500 ms
	Lease   time.Duration // how long a handler may take; 2 min
}

// maxPause is the longest pause before a failing job runs again.
const maxPause = 5 * time.Minute

// Runner claims due jobs and runs their handlers. Register every handler before Run.
type Runner struct {
	db       *db.DB
	log      *slog.Logger
	config   Config
	handlers map[string]Handler
	periodic []periodic
	wake     chan struct{}
	owner    string       // of leases
	claimed  atomic.Int64 // time of the last claim by the database's clock; 0: none yet

	mu      sync.Mutex
	running map[string]struct{} // the jobs whose handlers run, by id
	// this runner may hold jobs that it does not run, because it is unknown what it wrote about leases
	astray bool

	held   func(ctx context.Context) (bool, error)
	exempt []string
}

type periodic struct {
	kind  string
	every time.Duration
}

// New returns a runner without handlers.
func New(d *db.DB, log *slog.Logger, c Config) *Runner {
	if c.Workers == 0 {
		c.Workers = 16
	}

	if c.Batch == 0 {
		c.Batch = 64
	}

	if c.Poll == 0 {
		c.Poll = 500 * time.Millisecond
	}

	if c.Lease == 0 {
		c.Lease = 2 * time.Minute
	}

	r := &Runner{
		db:       d,
		log:      log,
		config:   c,
		handlers: map[string]Handler{},
		wake:     make(chan struct{}, 1),
		owner:    id.New("run", d.Now()),
		running:  map[string]struct{}{},
	}
	if c.Replica != nil {
		r.owner = c.Replica.ID()
		c.Replica.Leases("jobs", r.Poke)
	}

	return r
}

// Handle sets the handler of a kind.
func (r *Runner) Handle(kind string, h Handler) { r.handlers[kind] = h }

// HoldWhile prevents jobs from running while held reports true, except those of the exempt kinds. A job that is due
// meanwhile is checked again after a second. An error of held counts as true. Call it before Run.
func (r *Runner) HoldWhile(held func(ctx context.Context) (bool, error), exempt ...string) {
	r.held = held
	r.exempt = exempt
}

// heldPause is how long a held job waits.
const heldPause = time.Second

// take claims due jobs. holds reports that only those of exempt kinds may run.
func (r *Runner) take(ctx context.Context, n int) (claimed []Job, holds bool, err error) {
	claimed, err = r.claim(ctx, n)
	if err != nil || len(claimed) == 0 || r.held == nil {
		return claimed, false, err
	}

	holds, err = r.held(ctx)
	if err != nil && ctx.Err() == nil { // else it is ending
		r.log.Error("it is not known whether jobs may run", "error", err.Error())
		return claimed, true, nil
	}

	return claimed, holds, nil
}

// Every runs a handler once per interval over all replicas: the schedule is itself a job with one key.
func (r *Runner) Every(kind string, every time.Duration, h func(ctx context.Context) error) {
	r.periodic = append(r.periodic, periodic{kind, every})
	r.Handle(kind, func(ctx context.Context, _ Job) (Result, error) {
		return Again(every), h(ctx)
	})
}

// DemandEvery makes a job of Every due now, besides its interval: see Demand.
func (r *Runner) DemandEvery(tx *db.Tx, kind string) { r.Demand(tx, kind, everyKey(kind), "") }

func everyKey(kind string) string { return "every/" + kind }

// Enqueue asks for a job in the caller's transaction. If there is a live job with the same key, it does nothing.
func (r *Runner) Enqueue(tx *db.Tx, kind, key, payload string) {
	now := r.db.ServerNow()
	r.enqueueAt(tx, kind, key, payload, now, now)
}

// Demand is like Enqueue, for what must be handled after this transaction: a live job with the same key becomes due now
// and, if it is running, runs once more afterwards.
func (r *Runner) Demand(tx *db.Tx, kind, key, payload string) {
	now := r.db.ServerNow()
	r.enqueueAt(tx, kind, key, payload, now, now)
	demandJob(tx, key, now)
}

func (r *Runner) enqueueAt(tx *db.Tx, kind, key, payload string, now, at time.Time) {
	j := Job{ID: id.New("job", tx.Now), Kind: kind, Key: key, Payload: payload}
	insertJob(tx, j, now, at)
	tx.OnCommit(r.Poke)
}

// Wake makes a waiting job due now. If it is running, it runs once more afterwards. A key without a live job is no
// error.
func (r *Runner) Wake(tx *db.Tx, key string) error {
	tx.OnCommit(r.Poke)
	return wakeJob(tx, key, r.db.ServerNow())
}

// Poke makes an idle runner of this process look for jobs at once.
func (r *Runner) Poke() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Run works until the context ends, then waits for the handlers that are running.
func (r *Runner) Run(ctx context.Context) error {
	if err := r.Schedule(ctx); err != nil {
		return err
	}

	slots := make(chan struct{}, r.config.Workers)

	var running sync.WaitGroup
	defer running.Wait()

	for ctx.Err() == nil {
		free := r.config.Workers - len(slots)
		if free == 0 {
			select {
			case slots <- struct{}{}: // waits until one is free
				<-slots
			case <-ctx.Done():
			}

			continue
		}

		claimed, holds, err := r.take(ctx, min(free, r.config.Batch))
		if err != nil && ctx.Err() == nil {
			r.log.Error("claim jobs", "error", err.Error())
		}

		for _, j := range claimed {
			slots <- struct{}{}
			running.Go(func() {
				defer func() { <-slots; r.Poke() }()
				r.run(context.WithoutCancel(ctx), j, holds)
			})
		}

		if len(claimed) == 0 {
			r.idle(ctx)
		}
	}

	return nil
}

// claim takes at most n due jobs, or none while this replica may not take leases. If the database's clock was set back
// since the last claim, or may have been before the first, it reschedules jobs.
func (r *Runner) claim(ctx context.Context, n int) ([]Job, error) {
	if r.config.Replica != nil && !r.config.Replica.MayTake() {
		return nil, nil
	}

	if err := r.planAnew(ctx); err != nil {
		return nil, fmt.Errorf("reschedule jobs: %w", err)
	}

	if err := r.giveBack(ctx); err != nil {
		return nil, fmt.Errorf("give jobs back: %w", err)
	}

	claimed, err := claim(ctx, r.db, r.owner, n, r.config)

	r.mu.Lock()
	defer r.mu.Unlock()

	if err != nil {
		r.astray = true
	}

	for _, j := range claimed {
		r.running[j.ID] = struct{}{}
	}

	return claimed, err
}

func (r *Runner) planAnew(ctx context.Context) error {
	now := r.db.ServerNow().UnixMicro()

	before := r.claimed.Swap(now)
	if before != 0 && now >= before-db.ClockTolerance.Microseconds() {
		return nil
	}

	moved, err := reschedule(ctx, r.db)
	if err != nil {
		r.claimed.Store(before) // asked again the next time
		return err
	}

	if moved > 0 {
		r.log.Warn("the clock was set back: jobs were rescheduled", "jobs", moved)
	}

	return nil
}

// giveBack ends the leases of jobs that this runner does not run. They exist after the database was unavailable: from a
// claim that was written although its answer was lost, and from jobs whose outcome could not be written. Without this
// they would wait for their leases to expire.
func (r *Runner) giveBack(ctx context.Context) error {
	r.mu.Lock()
	astray := r.astray
	r.astray = false
	running := slices.Collect(maps.Keys(r.running))
	r.mu.Unlock()

	if !astray {
		return nil
	}

	err := giveBack(ctx, r.db, r.owner, running, r.config)
	if err != nil {
		r.mu.Lock()
		r.astray = true
		r.mu.Unlock()
	}

	return err
}

func (r *Runner) idle(ctx context.Context) {
	t := time.NewTimer(r.config.Poll)
	defer t.Stop()

	select {
	case <-r.wake:
	case <-t.C:
	case <-ctx.Done():
	}
}

// Schedule writes the jobs of Every. Run calls it; a second call, also by another process, changes nothing.
func (r *Runner) Schedule(ctx context.Context) error {
	return r.db.Write(ctx, func(tx *db.Tx) error {
		now := r.db.ServerNow()
		for _, p := range r.periodic {
			r.enqueueAt(tx, p.kind, everyKey(p.kind), "", now, now.Add(p.every))
		}

		return nil
	})
}

// run calls the handler and records the outcome. A handler that panics has failed. A held job waits.
func (r *Runner) run(ctx context.Context, j Job, holds bool) {
	ctx, cancel := context.WithTimeout(ctx, r.config.Lease)
	defer cancel()
	res := Again(heldPause)

	err := error(nil)
	if !holds || slices.Contains(r.exempt, j.Kind) {
		res, err = r.call(ctx, j)
	}

	if err != nil {
		r.log.Warn("job failed", "kind", j.Kind, "key", j.Key, "attempt", j.Attempts+1, "error", err.Error())
	}

	werr := settle(context.WithoutCancel(ctx), r.db, j, res, err)
	if werr != nil {
		r.log.Error("record job", "kind", j.Kind, "key", j.Key, "error", werr.Error())
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.running, j.ID)
	r.astray = r.astray || werr != nil
}

func (r *Runner) call(ctx context.Context, j Job) (res Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()

	h, ok := r.handlers[j.Kind]
	if !ok {
		return Result{}, fmt.Errorf("no handler for kind %q: was it written by a newer version?", j.Kind)
	}

	return h(ctx, j)
}

// RunDue runs every job that is due now in the calling goroutine, and those that they make due, up to limit. Tests use
// it to step through time without a background runner.
func (r *Runner) RunDue(ctx context.Context, limit int) (int, error) {
	n := 0
	for n < limit {
		claimed, holds, err := r.take(ctx, 1)
		if err != nil || len(claimed) == 0 {
			return n, err
		}

		r.run(ctx, claimed[0], holds)
		n++
	}

	return n, fmt.Errorf("more than %d jobs ran: does one call itself?", limit)
}

func pause(attempts int64) time.Duration {
	return min(maxPause, 250*time.Millisecond<<min(attempts, 12))
}
