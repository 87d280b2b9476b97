// Package twofactor keeps second factors: the secret that a person's authenticator app shares with us, and the
// recovery codes for the day the telephone is lost.
//
// Promised: a code works once, whoever sends it how often and at the same moment; a secret in use is replaced only by
// one that was verified; secrets and recovery codes lie sealed, under a key that can be replaced while people sign
// in; guessing is slowed down after five wrong codes, while a recovery code still lets its owner in, so that nobody
// is locked out by another. Not promised: that a code was typed on the right page; a code can be phished.
//
// Read in this order: twofactor.go (types and rules), service.go, store.go.
package twofactor

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/standards/otp"
)

const (
	// Issuer names this service in authenticator apps.
	Issuer = "Slipway"
	// PendingLifetime is how long a secret that was given out waits to be verified.
	PendingLifetime = 15 * time.Minute
	// RecoveryCodes is how many are given out at once.
	RecoveryCodes = 10

	skew         = 1 // steps to either side whose codes are taken: clocks differ, people type slowly (RFC 6238, 5.2)
	freeFailures = 5 // wrong codes before a pause
	firstPause   = time.Minute
	maxPause     = 15 * time.Minute
)

// factor is what is kept of one person. secret, pending and recovery are sealed.
type factor struct {
	user                         string
	secret, pending, recovery    string
	keyID                        string
	pendingUntil, enabledAt      time.Time
	lastStep, failures, version  int64
	blockedUntil, updatedAt      time.Time
	openSecret, openPending      []byte   // opened, where they are needed
	openRecovery                 []string // digests of the codes that are left
	changedSecret, changedOthers bool     // what must be sealed anew
}

func (f *factor) on() bool { return !f.enabledAt.IsZero() }

// outcome of a look at a code.
type outcome int

const (
	wrong    outcome = iota // counted
	right                   // used up
	recovery                // right, and a recovery code
	blocked                 // not looked at
)

// try looks at a code and notes what it means for the factor. Whoever calls it stores the factor, whatever comes out,
// unless it is blocked.
func (f *factor) try(code string, now time.Time) outcome {
	if digest := recoveryDigest(code); digest != "" {
		for i, d := range f.openRecovery {
			if subtle.ConstantTimeCompare([]byte(d), []byte(digest)) == 1 {
				f.openRecovery = slices.Delete(slices.Clone(f.openRecovery), i, i+1)
				f.changedOthers = true
				f.failures = 0
				f.blockedUntil = time.Time{}

				return recovery
			}
		}
	}

	left := f.blockedUntil.Sub(now)
	if left > 0 && left <= maxPause { // a longer pause than there is began before the clock was set back
		return blocked
	}

	step, ok := otp.Usual(f.openSecret).Match(code, now, skew, f.lastStep)
	if !ok {
		f.failures++
		f.blockedUntil = now.Add(pause(f.failures))
		return wrong
	}

	f.lastStep = step
	f.failures = 0
	f.blockedUntil = time.Time{}

	return right
}

// pause is how long codes of the app are not looked at after so many wrong ones in a row: at most 96 guesses a day,
// each with three chances in a million.
func pause(failures int64) time.Duration {
	if failures < freeFailures {
		return 0
	}

	return min(maxPause, firstPause<<min(failures-freeFailures, 10))
}

// crockford leaves out letters that look like digits.
const crockford = "0123456789abcdefghjkmnpqrstvwxyz"

const recoveryLength = 8

// newRecoveryCodes makes codes of 40 random bits, written xxxx-xxxx.
func newRecoveryCodes() []string {
	out := make([]string, RecoveryCodes)
	for i := range out {
		var b [recoveryLength]byte

		_, _ = rand.Read(b[:]) // crypto/rand never fails since Go 1.24
		for j := range b {
			b[j] = crockford[b[j]%32]
		}

		out[i] = string(b[:4]) + "-" + string(b[4:])
	}

	return out
}

// recoveryDigest is a recovery code as it is kept, or empty for what is none. Case, dashes, blanks and look-alikes
// are forgiven.
func recoveryDigest(code string) string {
	if len(code) > 2*recoveryLength {
		return ""
	}

	plain := strings.NewReplacer("-", "", " ", "", "o", "0", "i", "1", "l", "1").Replace(strings.ToLower(code))
	if len(plain) != recoveryLength || strings.Trim(plain, crockford) != "" {
		return ""
	}

	sum := sha256.Sum256([]byte(plain))

	return hex.EncodeToString(sum[:])
}

func digests(codes []string) []string {
	out := make([]string, len(codes))
	for i, c := range codes {
		out[i] = recoveryDigest(c)
	}

	return out
}

func codeInvalid() error {
	return fault.New(fault.Forbidden, fault.CodeInvalid,
		"The code is wrong, or was used before. Every code works once.")
}

func notOn() error {
	return fault.New(fault.Conflict, fault.TwoFactorOff, "Two-factor sign-in is not on.")
}
