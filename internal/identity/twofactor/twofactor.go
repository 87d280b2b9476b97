// Package twofactor keeps second factors: the secret that a person's authenticator app shares with this service, and
// the recovery codes for when the telephone is lost. A factor without a secret is one of passkeys alone, which package
// passkey keeps.
//
// It promises:
//   - A code works once, also when it is sent several times at the same moment.
//   - Only a verified secret replaces the secret in use.
//   - Secrets and recovery codes are stored sealed. The key can be replaced while people sign in.
//   - After five wrong codes there are pauses. A recovery code works all the same, so that nobody can lock the owner
//     out.
//
// It does not promise that a code was typed on the right page: codes can be phished.
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
	"slipway/internal/core/text"
	"slipway/internal/standards/otp"
)

const (
	// Issuer names this service in authenticator apps.
	Issuer = "Slipway"
	// PendingLifetime is how long a generated secret waits to be verified.
	PendingLifetime = 15 * time.Minute
	// RecoveryCodes is how many recovery codes a person gets.
	RecoveryCodes = 10

	skew         = 1 // steps to either side whose codes match: clocks differ, people type slowly (RFC 6238, 5.2)
	freeFailures = 5 // wrong codes before a pause
	firstPause   = time.Minute
	maxPause     = 15 * time.Minute
)

// factor is the stored second factor of one person. secret, pending and recovery are sealed.
type factor struct {
	user                         string
	secret, pending, recovery    string
	keyID                        string
	pendingUntil, enabledAt      time.Time
	lastStep, failures, version  int64
	blockedUntil, updatedAt      time.Time
	openSecret, openPending      []byte   // unsealed
	openRecovery                 []string // digests of the codes that are left
	changedSecret, changedOthers bool     // what must be sealed again
}

// on reports whether the factor is in use.
func (f *factor) on() bool { return !f.enabledAt.IsZero() }

// outcome is the result of checking a code.
type outcome int

const (
	wrong    outcome = iota // counted
	right                   // used up
	recovery                // right, and a recovery code
	blocked                 // not checked
)

// try checks a code and changes the factor accordingly. The caller stores the factor, unless the outcome is blocked.
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
	clockSetBack := left > maxPause // no pause is that long

	if left > 0 && !clockSetBack {
		return blocked
	}

	step, ok := int64(0), false
	if len(f.openSecret) > 0 { // a passkey alone: there is no app, and its codes would be anybody's
		step, ok = matchCode(otp.Usual(f.openSecret), text.Compact(code), now, f.lastStep)
	}

	if !ok {
		f.failures++
		if wait := pause(f.failures); wait > 0 { // else the time would block if the clock is set back
			f.blockedUntil = now.Add(wait)
		}

		return wrong
	}

	f.lastStep = step
	f.failures = 0
	f.blockedUntil = time.Time{}

	return right
}

// matchCode returns the step of a code of the app that is right now and newer than the last one that was used.
//
// A last step that lies beyond every step that can be right was used before the clock was set back. It counts as none:
// otherwise no code would be right until the clock has caught up. A code that was used within a minute and a half
// before the clock was first set forward could then be used a second time.
func matchCode(key otp.Key, code string, now time.Time, lastStep int64) (step int64, ok bool) {
	if lastStep > key.Step(now)+skew {
		lastStep = 0
	}

	return key.Match(code, now, skew, lastStep)
}

// pause returns how long codes of the app are not checked after some wrong ones in a row. It leaves at most 96 guesses
// a day, each with three chances in a million.
func pause(failures int64) time.Duration {
	if failures < freeFailures {
		return 0
	}

	return min(maxPause, firstPause<<min(failures-freeFailures, 10))
}

// crockford are the characters of recovery codes. Letters that look like digits are left out.
const crockford = "0123456789abcdefghjkmnpqrstvwxyz"

const recoveryLength = 8

// newRecoveryCodes returns codes of 40 random bits, written xxxx-xxxx.
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

// recoveryDigest returns a recovery code in the form in which it is stored, or "" if the text is no recovery code. It
// ignores case, dashes and blanks, and reads look-alikes as digits.
func recoveryDigest(code string) string {
	plain := strings.NewReplacer("o", "0", "i", "1", "l", "1").Replace(strings.ToLower(text.Compact(code)))
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
