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

// Window is the largest difference between a request's timestamp and the provider's clock (Sumsub: about 60 s).
const Window = time.Minute

// Errors of both signatures.
var (
	ErrSignature = errors.New("the signature or the time of the request is wrong")
	ErrDigest    = errors.New(
		"the webhook does not carry exactly one digest of its body made with a secret of ours and an algorithm we take",
	)
)

// DefaultAlgorithms are the algorithms that Verify accepts by default.
func DefaultAlgorithms() []string { return []string{SHA256, SHA512} }

// hashes are the supported algorithms. A webhook that names another one, or none, is refused and never checked with a
// weaker one.
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

// Known reports whether an algorithm can be configured.
func Known(algorithm string) bool { return hashes(algorithm) != nil }

// Sign returns the digest of a webhook's body as the provider computes it. An unknown algorithm is an error.
func Sign(key secret.Text, algorithm string, raw []byte) (string, error) {
	h := hashes(algorithm)
	if h == nil {
		return "", fmt.Errorf("%.40q is not an algorithm of webhooks", algorithm)
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

// Verify checks that the body of a webhook, exactly as received, was signed with one of the secrets; there are two
// while one is being replaced. allowed names the accepted algorithms; none means DefaultAlgorithms. A repeated header
// is refused: another reader might use the other value. Every failure is ErrDigest, so that the sender learns nothing.
// The digest contains no time, so a repeated webhook verifies again: the receiver must detect repetitions.
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
			ok = true // the other secrets are tried too: the time must not show which one matched
		}
	}

	if !ok {
		return ErrDigest
	}

	return nil
}

// SignRequest returns the signature of a request: HMAC-SHA256 over timestamp, method, target (path with query, exactly
// as sent) and body, without separators (Sumsub, API authentication).
func SignRequest(key secret.Text, timestamp, method, target string, body []byte) string {
	return hex.EncodeToString(sum(sha256.New, key, []byte(timestamp), []byte(method), []byte(target), body))
}

// VerifyRequest checks that a request was signed with the secret within Window of now, as the provider does. body is
// the complete body as received.
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
