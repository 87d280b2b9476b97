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

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/limit"
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
const maxRegistrations = 128

// hasher computes password hashes. Each takes a core and 19 MiB, so it limits how many run at once:
//
//   - One core stays free, so that sign-ins do not starve payments.
//   - Registrations, which strangers can cause, run one at a time. A sign-in waits for at most one of them.
//   - Turns are fair by network, and none has more places among those that wait than are free for the others.
//   - A request that would have to wait too long is refused at once.
type hasher struct {
	params      argon2id.Params
	cores       int
	slots       *limit.Turns  // hashes that run
	waiting     *limit.Places // hashes that wait or run
	registering *limit.Turns  // the one registration that may compete for a slot
	newcomers   *limit.Places // registrations that wait or run
	calls       atomic.Int64  // for tests: every kind of request must cost the same
	dummy       string        // compared with if there is no account
}

func newHasher(p argon2id.Params) *hasher {
	cores := max(1, runtime.GOMAXPROCS(0)-1)

	places := cores * (waitersPerCore + 1)

	return &hasher{
		params:      p,
		cores:       cores,
		slots:       limit.NewTurns(cores),
		waiting:     limit.NewPlaces(places, places),
		registering: limit.NewTurns(1),
		newcomers:   limit.NewPlaces(maxRegistrations, maxRegistrations),
		dummy:       dummyHash(p),
	}
}

// networkOf returns the network that a request comes from.
func networkOf(ctx context.Context) string { return limit.NetworkKey(caller.RequestOf(ctx).Source) }

// register is hash for a registration. It waits until no other registration runs.
func (h *hasher) register(ctx context.Context, password string) (string, error) {
	leave, err := h.newcomers.Take(networkOf(ctx))
	if err != nil {
		return "", fault.New(fault.Unavailable, fault.Overloaded, "Too many people register at the moment. Try again.")
	}

	defer leave()

	end, err := h.registering.Take(ctx, networkOf(ctx))
	if err != nil {
		return "", err
	}

	defer end()

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
func (h *hasher) enter(ctx context.Context) (leave func(), err error) {
	leavePlace, err := h.waiting.Take(networkOf(ctx))
	if err != nil {
		return nil, fault.New(fault.Unavailable, fault.Overloaded, "Too many people sign in at the moment. Try again.")
	}

	end, err := h.slots.Take(ctx, networkOf(ctx))
	if err != nil {
		leavePlace()
		return nil, err
	}

	h.calls.Add(1)

	return func() { end(); leavePlace() }, nil
}

// hash returns a password in the form in which it is stored.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	leave, err := h.enter(ctx)
	if err != nil {
		return "", err
	}

	defer leave()

	return argon2id.CreateHash(password, &h.params)
}

// matches reports whether the password belongs to the hash. An empty hash matches nothing and costs the same.
func (h *hasher) matches(ctx context.Context, password, hash string) (bool, error) {
	leave, err := h.enter(ctx)
	if err != nil {
		return false, err
	}

	defer leave()

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
