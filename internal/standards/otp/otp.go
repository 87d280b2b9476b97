// Package otp computes one-time codes, HOTP (RFC 4226) and TOTP (RFC 6238), and returns the otpauth address for
// authenticator apps.
//
// It promises codes that match the vectors of both RFCs and a comparison in constant time. Match never returns a step
// that is not newer than the last one used. It does not promise that a code is used once: the caller must store the
// step that Match returns.
package otp

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // RFC 4226 names it, and many apps know no other; HMAC does not rest on its collision resistance
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"hash"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Algorithm names the hash of a key, as otpauth addresses do.
type Algorithm string

// The algorithms of RFC 6238.
const (
	SHA1   Algorithm = "SHA1"
	SHA256 Algorithm = "SHA256"
	SHA512 Algorithm = "SHA512"
)

// SecretSize is the length of a new secret in bytes: that of the hash (RFC 4226, 4, R6).
const SecretSize = 20

// Key is a shared secret with its parameters. Period is in seconds.
type Key struct {
	Secret    []byte
	Algorithm Algorithm
	Digits    int
	Period    int64
}

// NewKey returns a random key of the kind that every app supports: SHA-1, six digits, thirty seconds. Many apps ignore
// other choices.
func NewKey() Key {
	secret := make([]byte, SecretSize)
	_, _ = rand.Read(secret) // it never fails since Go 1.24
	return Usual(secret)
}

// Usual returns a key with the parameters of NewKey.
func Usual(secret []byte) Key {
	return Key{Secret: secret, Algorithm: SHA1, Digits: 6, Period: 30}
}

// Base32 returns the secret as people type it, without padding.
func (k Key) Base32() string {
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(k.Secret)
}

// Step returns the number of the period that a time lies in (RFC 6238, 4.2).
func (k Key) Step(t time.Time) int64 { return t.Unix() / k.Period }

// Code returns the code of a counter or step, with leading zeros (RFC 4226, 5.3).
func (k Key) Code(counter int64) string {
	var message [8]byte
	binary.BigEndian.PutUint64(message[:], uint64(counter))
	mac := hmac.New(k.hash(), k.Secret)
	mac.Write(message[:])
	sum := mac.Sum(nil)
	offset := sum[len(sum)-1] & 0x0f
	n := binary.BigEndian.Uint32(sum[offset:]) & 0x7fffffff

	modulus := uint32(1)
	for range k.Digits {
		modulus *= 10
	}

	return fmt.Sprintf("%0*d", k.Digits, n%modulus)
}

func (k Key) hash() func() hash.Hash {
	switch k.Algorithm {
	case SHA256:
		return sha256.New
	case SHA512:
		return sha512.New
	default: // SHA1, the default of RFC 6238 and of most apps
		return sha1.New
	}
}

// Match returns the step with this code: the current one, or one of skew steps before and after, for clocks that
// differ. Steps up to and including last are ignored. All steps are compared, in constant time, whichever matches.
func (k Key) Match(code string, t time.Time, skew, last int64) (step int64, ok bool) {
	now := k.Step(t)
	for s := now - skew; s <= now+skew; s++ {
		equal := subtle.ConstantTimeCompare([]byte(k.Code(s)), []byte(code)) == 1
		if equal && s > last && !ok {
			step = s
			ok = true
		}
	}

	return step, ok
}

// URL returns the otpauth address of the key. It contains the issuer twice, in the label and as a parameter: apps read
// one or the other.
func (k Key) URL(issuer, account string) string {
	v := []string{"secret=" + k.Base32(), "issuer=" + escape(issuer)}
	// defaults are omitted: some apps refuse unknown parameters
	if k.Algorithm != SHA1 || k.Digits != 6 || k.Period != 30 {
		v = append(
			v,
			"algorithm="+string(k.Algorithm),
			"digits="+strconv.Itoa(k.Digits),
			"period="+strconv.FormatInt(k.Period, 10),
		)
	}

	return "otpauth://totp/" + escape(issuer) + ":" + escape(account) + "?" + strings.Join(v, "&")
}

// escape encodes a blank as %20, which all apps read; many show a plus sign.
func escape(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(url.QueryEscape(s), "+", "%20"), "%40", "@")
}
