package idv

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // a provider's older webhooks carry nothing better; accepted only where a deployment says so
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"net/http"
	"slices"
	"strconv"
	"time"

	"slipway/internal/platform/secret"
)

// Headers of a request to the provider, and of its webhooks.
const (
	HeaderAppToken  = "X-App-Token"
	HeaderTimestamp = "X-App-Access-Ts"  // Unix seconds
	HeaderSignature = "X-App-Access-Sig" // lower-case hexadecimal
	HeaderDigest    = "X-Payload-Digest" // hexadecimal, over the raw bytes of a webhook's body
	HeaderAlgorithm = "X-Payload-Digest-Alg"
)

// The algorithms a webhook may name. SHA-1 is refused unless a deployment's configuration lists it.
const (
	SHA1   = "HMAC_SHA1_HEX"
	SHA256 = "HMAC_SHA256_HEX"
	SHA512 = "HMAC_SHA512_HEX"
)

// Window is how far a request's timestamp may be from the provider's clock (Sumsub: about 60 s).
const Window = time.Minute

// Errors of the two signatures.
var (
	ErrSignature = errors.New("the signature or the time of the request is wrong")
	ErrDigest    = errors.New(
		"the webhook does not carry exactly one digest of its body made with a secret of ours and an algorithm we take",
	)
)

// DefaultAlgorithms is what Verify takes when it is told nothing else.
func DefaultAlgorithms() []string { return []string{SHA256, SHA512} }

// hashes are the algorithms that are understood at all: a webhook that names another one, or none, is refused and
// never tried with a weaker one.
func hashes(algorithm string) func() hash.Hash {
	switch algorithm {
	case SHA1:
		return sha1.New
	case SHA256:
		return sha256.New
	case SHA512:
		return sha512.New
	}

	return nil
}

// Known says whether an algorithm's name is one that can be configured.
func Known(algorithm string) bool { return hashes(algorithm) != nil }

// Sign makes the digest of a webhook's body as the provider does. An unknown algorithm is an error.
func Sign(key secret.Text, algorithm string, raw []byte) (string, error) {
	h := hashes(algorithm)
	if h == nil {
		return "", fmt.Errorf("%.40q is no algorithm of webhooks", algorithm)
	}

	return hex.EncodeToString(sum(h, key, raw)), nil
}

func sum(h func() hash.Hash, key secret.Text, parts ...[]byte) []byte {
	m := hmac.New(h, []byte(key.Reveal()))
	for _, p := range parts {
		m.Write(p)
	}

	return m.Sum(nil)
}

// Verify says whether the body of a webhook, as it came off the wire, was signed with one of the secrets: two while
// one is replaced. allowed names the algorithms that are taken; none: DefaultAlgorithms. A header that stands twice
// is refused, for whoever looks at the other one would see another webhook. Every failure is ErrDigest: the sender
// learns nothing. The digest bears no time, so a webhook that comes again verifies again: telling repetitions apart
// is the receiver's.
func Verify(secrets []secret.Text, allowed []string, header http.Header, raw []byte) error {
	digests := header.Values(HeaderDigest)

	algorithms := header.Values(HeaderAlgorithm)
	if len(digests) != 1 || len(algorithms) != 1 {
		return ErrDigest
	}

	if len(allowed) == 0 {
		allowed = DefaultAlgorithms()
	}

	h := hashes(algorithms[0])
	if h == nil || !slices.Contains(allowed, algorithms[0]) {
		return ErrDigest
	}

	given, err := hex.DecodeString(digests[0])
	if err != nil {
		return ErrDigest
	}

	ok := false
	for _, s := range secrets {
		if s != "" && hmac.Equal(given, sum(h, s, raw)) {
			ok = true // the others are tried all the same: the time says nothing of which one it was
		}
	}

	if !ok {
		return ErrDigest
	}

	return nil
}

// SignRequest makes the signature of a request: HMAC-SHA256 over timestamp, method, target (path with its query,
// exactly as sent) and the body's bytes, without anything between them (Sumsub, API authentication).
func SignRequest(key secret.Text, timestamp, method, target string, body []byte) string {
	return hex.EncodeToString(sum(sha256.New, key, []byte(timestamp), []byte(method), []byte(target), body))
}

// VerifyRequest says whether a request was signed with the secret within Window of now; it is the provider's side.
// body is the whole body as it came.
func VerifyRequest(key secret.Text, r *http.Request, body []byte, now time.Time) error {
	stamp := r.Header.Get(HeaderTimestamp)

	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		return ErrSignature
	}

	if off := now.Sub(time.Unix(seconds, 0)); off > Window || off < -Window {
		return ErrSignature
	}

	want := SignRequest(key, stamp, r.Method, r.URL.RequestURI(), body)
	if !hmac.Equal([]byte(want), []byte(r.Header.Get(HeaderSignature))) {
		return ErrSignature
	}

	return nil
}
