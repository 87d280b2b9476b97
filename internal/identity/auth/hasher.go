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

// Params is the cost of a password hash. It is fixed for production: 19 MiB, two passes, one lane (the OWASP minimum
// for argon2id).
func Params() argon2id.Params {
	return argon2id.Params{
		Memory:      19 * 1024,
		Iterations:  2,
		Parallelism: 1,
		SaltLength:  16,
		KeyLength:   32,
	}
}

// The dearest hash that is computed when one is compared: what stands in the database is not believed without end.
const (
	maxMemory     = 256 << 10 // KiB
	maxIterations = 16
)

// waitersPerCore bounds those who wait for a hash; a longer wait than theirs ends in a time-out anyway.
const waitersPerCore = 32

// waitingRegistrations bounds those who wait to have an account made.
const waitingRegistrations = 64

// hasher computes password hashes. Each takes all of a core and 19 MiB: one core stays free of them, so that sign-ins
// do not starve payments, and registrations, which strangers may cause, go one by one and never keep a sign-in
// waiting for more than one of them. Who would have to wait too long is refused at once.
type hasher struct {
	params      argon2id.Params
	slots       chan struct{}
	limit       int64
	waiting     atomic.Int64
	registering chan struct{} // holds the one registration that may compete for a slot
	newcomers   atomic.Int64  // registrations that wait or run
	calls       atomic.Int64  // for tests: every kind of request must cost the same
	dummy       string        // compared with where there is no account
}

func newHasher(p argon2id.Params) *hasher {
	cores := max(1, runtime.GOMAXPROCS(0)-1)

	return &hasher{
		params:      p,
		slots:       make(chan struct{}, cores),
		limit:       int64(cores * (waitersPerCore + 1)),
		registering: make(chan struct{}, 1),
		dummy:       hashOfNobody(p),
	}
}

// register is hash for an account that is to be made.
func (h *hasher) register(ctx context.Context, password string) (string, error) {
	defer h.newcomers.Add(-1)

	if h.newcomers.Add(1) > waitingRegistrations {
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

// hashOfNobody is a hash as p makes them, whose salt and key are random: no password is known that it belongs to. A
// real one would be as good, and would take 19 MiB and the time of a sign-in at each start.
func hashOfNobody(p argon2id.Params) string {
	salt := make([]byte, p.SaltLength)
	key := make([]byte, p.KeyLength)
	_, _ = rand.Read(salt) // never fails (crypto/rand)
	_, _ = rand.Read(key)
	written := base64.RawStdEncoding.EncodeToString

	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, p.Memory, p.Iterations, p.Parallelism,
		written(salt), written(key))
}

// enter takes a slot; leave gives it back.
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

// hash makes the stored form of a password.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	if err := h.enter(ctx); err != nil {
		return "", err
	}

	defer h.leave()

	return argon2id.CreateHash(password, &h.params)
}

// matches reports whether the password is the one behind the hash. An empty hash matches nothing and costs the same.
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
		return false, fmt.Errorf("a stored password hash: %w", err)
	}

	// RFC 9106, 3.1
	if p.Memory > maxMemory || p.Iterations == 0 || p.Iterations > maxIterations || p.Parallelism == 0 ||
		len(salt) < 8 ||
		len(key) < 16 {
		return false, errors.New("a stored password hash is none of ours")
	}

	return argon2id.ComparePasswordAndHash(password, hash)
}
