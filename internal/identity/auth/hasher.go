package auth

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/alexedwards/argon2id"
	"golang.org/x/crypto/argon2"

	"slipway/internal/core/fault"
)

// Params returns the cost of a password hash in production: 19 MiB, two passes, one lane (the OWASP minimum for
// argon2id).
func Params() argon2id.Params {
	return argon2id.Params{
		Memory:      19 * 1024,
		Iterations:  2,
		Parallelism: 1,
		SaltLength:  16,
		KeyLength:   32,
	}
}

// Limits of a stored hash. A comparison refuses dearer ones, so that a changed database cannot exhaust the process.
const (
	maxMemory     = 256 << 10 // KiB
	maxIterations = 16
)

// waitersPerCore bounds the requests that wait for a hash. A longer queue would end in time-outs anyway.
const waitersPerCore = 32

// maxRegistrations bounds the registrations that wait or run.
const maxRegistrations = 64

// hasher computes password hashes. Each takes a core and 19 MiB, so it limits how many run at once:
//
//   - One core stays free, so that sign-ins do not starve payments.
//   - Registrations, which strangers can cause, run one at a time. A sign-in waits for at most one of them.
//   - A request that would have to wait too long is refused at once.
type hasher struct {
	params      argon2id.Params
	slots       chan struct{}
	limit       int64
	waiting     atomic.Int64
	registering chan struct{} // holds the one registration that may compete for a slot
	newcomers   atomic.Int64  // registrations that wait or run
	calls       atomic.Int64  // for tests: every kind of request must cost the same
	dummy       string        // compared with if there is no account
}

func newHasher(p argon2id.Params) *hasher {
	cores := max(1, runtime.GOMAXPROCS(0)-1)

	return &hasher{
		params:      p,
		slots:       make(chan struct{}, cores),
		limit:       int64(cores * (waitersPerCore + 1)),
		registering: make(chan struct{}, 1),
		dummy:       dummyHash(p),
	}
}

// register is hash for a registration. It waits until no other registration runs.
func (h *hasher) register(ctx context.Context, password string) (string, error) {
	defer h.newcomers.Add(-1)

	if h.newcomers.Add(1) > maxRegistrations {
		return "", fault.New(fault.Unavailable, fault.Overloaded, "Too many people register at the moment. Try again.")
	}

	select {
	case h.registering <- struct{}{}:
	case <-ctx.Done():
		return "", ctx.Err()
	}

	defer func() { <-h.registering }()

	return h.hash(ctx, password)
}

// dummyHash returns a hash with the parameters p whose salt and key are random, so that no known password matches it.
// Computing a real one would take 19 MiB and the time of a sign-in at each start.
func dummyHash(p argon2id.Params) string {
	salt := make([]byte, p.SaltLength)
	key := make([]byte, p.KeyLength)
	_, _ = rand.Read(salt) // never fails (crypto/rand)
	_, _ = rand.Read(key)
	encode := base64.RawStdEncoding.EncodeToString

	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s",
		argon2.Version, p.Memory, p.Iterations, p.Parallelism, encode(salt), encode(key))
}

// enter blocks until a slot is free and takes it; leave frees it. It refuses if too many wait already.
func (h *hasher) enter(ctx context.Context) error {
	if h.waiting.Add(1) > h.limit {
		h.waiting.Add(-1)
		return fault.New(fault.Unavailable, fault.Overloaded, "Too many people sign in at the moment. Try again.")
	}

	select {
	case h.slots <- struct{}{}:
		h.calls.Add(1)
		return nil
	case <-ctx.Done():
		h.waiting.Add(-1)
		return ctx.Err()
	}
}

func (h *hasher) leave() {
	<-h.slots
	h.waiting.Add(-1)
}

// hash returns a password in the form in which it is stored.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	if err := h.enter(ctx); err != nil {
		return "", err
	}

	defer h.leave()

	return argon2id.CreateHash(password, &h.params)
}

// matches reports whether the password belongs to the hash. An empty hash matches nothing and costs the same.
func (h *hasher) matches(ctx context.Context, password, hash string) (bool, error) {
	if err := h.enter(ctx); err != nil {
		return false, err
	}

	defer h.leave()

	if hash == "" {
		_, err := argon2id.ComparePasswordAndHash(password, h.dummy)
		return false, err
	}

	p, salt, key, err := argon2id.DecodeHash(hash)
	if err != nil {
		return false, fmt.Errorf("decode a stored password hash: %w", err)
	}

	costs := p.Memory <= maxMemory && p.Iterations > 0 && p.Iterations <= maxIterations && p.Parallelism > 0
	if !costs || len(salt) < 8 || len(key) < 16 { // the least of RFC 9106, 3.1
		return false, errors.New("a stored password hash has parameters that this program never uses")
	}

	return argon2id.ComparePasswordAndHash(password, hash)
}
