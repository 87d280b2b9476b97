package web

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"net/http"
	"sync/atomic"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jsonout"
)

// KeyLifetime is how long a stored answer is replayed.
const KeyLifetime = 7 * 24 * time.Hour

// maxKeyLength is the longest Idempotency-Key.
const maxKeyLength = 255

// onceKey is the Idempotency-Key of one request. Once writes the stored row in the transaction of the effect: either
// both are there or neither. So a repeated request finds its answer exactly if the first one had its effect.
type onceKey struct {
	scope, value, fingerprint string
	sent, recalled            uint64 // see lately
	status                    int
	body                      []byte
	stored                    bool
}

var (
	errKeyExpired = errors.New("the stored answer of this key is past its lifetime and has been deleted")
	errNoResult   = errors.New("a use case ended without giving its result")
	// errNotCompared is a programming error: the use case of a versioned operation calls caller.Unchanged.
	errNotCompared = errors.New("a use case has not compared the version of its record with If-Match")
)

// replayTimeout limits the search for a stored answer, which may run after the request's own time is over.
const replayTimeout = 5 * time.Second

// onceKey reads the header. The scope is the caller in the organisation, method and path. The key has no fingerprint
// yet.
func (e *endpoint) onceKey(c *call, r *http.Request) (*onceKey, error) {
	op := &e.op
	if !takesKey(e.op) {
		return nil, nil
	}

	given := r.Header["Idempotency-Key"]

	p := c.Principal
	if len(given) == 0 {
		if op.MovesMoney && p.RequireKey {
			return nil, keyFault(
				fault.IdempotencyKeyRequired,
				"Your organisation requires an Idempotency-Key on this operation.",
			)
		}

		return nil, nil
	}

	// An empty key is a client's mistake that would go unnoticed until the day it matters; two keys leave open which
	// one counts.
	value := given[0]
	if len(given) > 1 || value == "" || len(value) > maxKeyLength || !printable(value) {
		return nil, keyFault(
			fault.IdempotencyKeyInvalid,
			"Idempotency-Key must be 1 to 255 printable ASCII characters.",
		)
	}

	scope := digest(scopeOrganisation(r, op, p), keyHolder(p), r.Method, r.URL.Path, r.URL.RawQuery)

	return &onceKey{scope: scope, value: value}, nil
}

// keep takes over a request's key once its body is known to be sound. The fingerprint is SHA-256 over the canonical
// form (RFC 8785) of the body, so a client that repeats a request may reorder its fields.
func (c *call) keep(k *onceKey, body []byte) (err error) {
	if k == nil {
		return nil
	}

	if k.fingerprint, err = fingerprint(body); err != nil {
		return fault.New(fault.Malformed, fault.BodyMalformed, "The body is not valid JSON.")
	}

	c.key = k

	return nil
}

// scopeOrganisation returns the organisation that a key belongs to. If an operation needs none, only the caller's
// choice counts: the first organisation that a user creates becomes his default one, and the repeated request must
// still find its key.
func scopeOrganisation(r *http.Request, op *Operation, p *caller.Principal) string {
	if op.Access == Tenant {
		return p.Organisation
	}

	return first(r.Header, "Slipway-Organisation")
}

func keyFault(code fault.Code, detail string) *fault.Fault {
	f := fault.New(fault.Malformed, code, "%s", detail)
	f.Fields = []fault.Field{{In: "header", Name: "Idempotency-Key", Code: code, Message: detail}}
	return f
}

func printable(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}

	return true
}

// OnceOf is Once for a result that is shown as lists show it: show may read what belongs to it.
func OnceOf[T, V any](
	ctx context.Context,
	status int,
	show func(q db.Querier, results []T) ([]V, error),
	run func(done func(tx *db.Tx, result T) error) error,
) (*V, error) {
	asIs := func(v V) V { return v }

	return Once(ctx, status, asIs, func(done func(*db.Tx, V) error) error {
		return run(func(tx *db.Tx, result T) error {
			views, err := show(tx, []T{result})
			if err != nil {
				return err
			}

			return done(tx, views[0])
		})
	})
}

// Once runs a use case that writes. run receives a function that it must call with the result at the end of its write
// body. There the answer is made and, if the request has an Idempotency-Key, stored in the same transaction. Every
// operation that changes state must use it.
func Once[T, V any](
	ctx context.Context,
	status int,
	view func(T) V,
	run func(done func(tx *db.Tx, result T) error) error,
) (*V, error) {
	var k *onceKey // nil: no Idempotency-Key was sent

	c := callOf(ctx)
	if c != nil {
		k = c.key
	}

	var out V
	given := false

	err := run(func(tx *db.Tx, result T) error {
		if err := c.mayCommit(); err != nil {
			return err
		}

		out = view(result)
		given = true

		if k == nil {
			return nil
		}

		body, err := jsonout.Marshal(&out)
		if err != nil {
			return err
		}

		k.body = body
		k.status = status

		storeAnswer(tx, k)

		return nil
	})
	if err == nil && !given {
		err = errNoResult
	}

	if err != nil {
		return nil, err
	}

	if k != nil {
		k.stored = true
	}

	return &out, nil
}

// lately remembers requests whose answer this process has stored or found. One that is repeated soon, byte by byte, is
// answered before its body is looked at; otherwise it runs, is refused because its key exists, and then finds its
// answer (replay). It forgets a request when another one takes its place.
type lately struct {
	seed  maphash.Seed
	slots []slot
}

// slot holds hashes of a request (scope, key and bytes) and of its fingerprint. If another request is written between
// the reading of the two, the fingerprint is not that of the stored answer, and the request runs.
type slot struct{ sent, fingerprint atomic.Uint64 }

// latelyKept is how many requests are remembered at most, in 16 bytes each: those of some seconds under full load.
const latelyKept = 1 << 15

func newLately() *lately {
	return &lately{seed: maphash.MakeSeed(), slots: make([]slot, latelyKept)}
}

// recall fills in the hash of the bytes that were sent with a key, and reports whether the same were sent lately.
func (l *lately) recall(k *onceKey, sent []byte) bool {
	var h maphash.Hash

	h.SetSeed(l.seed)
	_, _ = h.WriteString(k.scope + k.value + "\x00")
	_, _ = h.Write(sent)
	k.sent = h.Sum64()

	at := &l.slots[k.sent%latelyKept]
	if at.sent.Load() != k.sent {
		return false
	}

	k.recalled = at.fingerprint.Load()

	return true
}

func (l *lately) note(k *onceKey) {
	at := &l.slots[k.sent%latelyKept]
	at.fingerprint.Store(l.markOf(k.fingerprint))
	at.sent.Store(k.sent)
}

func (l *lately) markOf(fingerprint string) uint64 { return maphash.String(l.seed, fingerprint) }

// same reports whether a stored fingerprint is that of the request.
func (l *lately) same(k *onceKey, stored string) bool {
	if k.fingerprint == "" {
		return k.recalled == l.markOf(stored)
	}

	return k.fingerprint == stored
}

// errNotTried is what replay continues with if a request that seemed to be a repeated one has no answer yet.
var errNotTried = errors.New("the operation has not run yet")

// repeated answers a request that this process has seen lately, before its body is looked at, and reports whether it
// has. Otherwise the request is read, and runs. An upload always does, since what was sent is known only when it has
// been read.
func (e *endpoint) repeated(c *call, r *http.Request, k *onceKey, body []byte) (replayed bool) {
	if k == nil || e.in.uploadAt != nil || !e.lately.recall(k, body) {
		return false
	}

	c.key = k
	replayed, _ = e.replay(r.Context(), c, r, errNotTried) // what failed is found again when it has run
	c.key = nil

	return replayed
}

// mayCommit refuses to store the effect of a request that was refused already, or whose condition nobody has looked at.
func (c *call) mayCommit() error {
	switch {
	case c == nil:
		return nil
	case len(c.Faults) > 0:
		l := fault.Continue(c.Faults)
		return l.Err()
	case c.Match.Given() && !c.Match.Compared():
		return errNotCompared
	}

	return nil
}

// replay looks for the stored answer of a request with a key that was refused or failed with err. The first request may
// have succeeded, and then a second one finds the record already changed. It returns true if it has answered. Otherwise
// it returns the error to continue with: errKeyExpired if the operation may run again, because only an expired key
// stood in the way.
func (e *endpoint) replay(ctx context.Context, c *call, r *http.Request, err error) (bool, error) {
	k := c.key
	if k.fingerprint == "" && k.recalled == 0 { // an upload that could not be read to its end
		return false, err
	}

	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), replayTimeout)
	defer cancel()
	cutoff := db.Micros(e.config.DB.Now().Add(-KeyLifetime))

	got, qerr := e.answerOf(ctx, k)

	switch {
	case errors.Is(qerr, db.ErrNone) && db.IsUnique(err, "idempotency"):
		return false, errKeyExpired // it stood in the way a moment ago: another request has deleted it meanwhile
	case errors.Is(qerr, db.ErrNone):
		return false, err
	case qerr != nil && errors.Is(err, db.ErrUnknown):
		return false, err // that it may have been done is what the caller has to know
	case qerr != nil:
		return false, qerr
	case got.createdAt <= cutoff && !db.IsUnique(err, "idempotency"):
		return false, err
	case got.createdAt <= cutoff:
		return false, e.forget(ctx, k, cutoff)

	case !e.lately.same(k, got.fingerprint):
		return false, fault.New(fault.Invalid, fault.IdempotencyKeyReused,
			"This Idempotency-Key was used before with another body.")
	}

	if err := e.confirm(ctx, k); err != nil {
		return false, err
	}

	k.fingerprint = got.fingerprint
	e.lately.note(k)
	c.Header().Set("Idempotent-Replayed", "true")
	e.writeOnce(c, r, int(got.status), got.body, e.recordOf(got.body))

	return true, nil
}

// confirm returns nil once the effect that a stored answer tells of is durable. That it can be read is not enough: its
// commit may have waited for the database's standby when the server crashed, or somebody ended that wait. If this
// process has sent the answer before, the commit was confirmed.
func (e *endpoint) confirm(ctx context.Context, k *onceKey) error {
	if k.recalled != 0 {
		return nil
	}

	err := e.config.DB.Confirm(ctx)
	if err != nil && !errors.Is(err, db.ErrUnknown) {
		err = fmt.Errorf("%w: its effect can be read, but no commit is confirmed: %w", db.ErrUnknown, err)
	}

	return err
}

// writeOnce sends a stored answer, in the same way the first time and every later time. shown is what it shows.
func (e *endpoint) writeOnce(c *call, r *http.Request, status int, body []byte, shown any) {
	if status == http.StatusNoContent {
		c.WriteHeader(status)
		return
	}

	e.label(c, r, status, shown, body)
	e.write(c, r, status, body)
}

// forget deletes an expired key that housekeeping has not deleted yet.
func (a *API) forget(ctx context.Context, k *onceKey, cutoff int64) error {
	err := a.config.DB.Write(ctx, func(tx *db.Tx) error { return deleteKey(tx, k, cutoff) })
	if err != nil {
		return err
	}

	return errKeyExpired
}
