package liquidity

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Headers of the contract.
const (
	HeaderKeyID       = "Slipway-Key-Id"
	HeaderTimestamp   = "Slipway-Timestamp" // Unix seconds
	HeaderSignature   = "Slipway-Signature" // "v1=" and 64 hexadecimal digits
	HeaderIdempotency = "Idempotency-Key"   // the order's key
)

// Window is the largest difference between a request's timestamp and the provider's clock.
const Window = 5 * time.Minute

const signaturePrefix = "v1="

// ErrSignature means that a request was not signed with the secret, or not within Window.
var ErrSignature = errors.New("the signature or the time of the request is wrong")

// Sign returns the signature of a request: HMAC-SHA256 over the timestamp, method, request target (path with query) and
// body, separated by line feeds. A header's value cannot contain a line feed, so no two requests have the same text.
func Sign(secret []byte, timestamp, method, target string, body []byte) string {
	h := hmac.New(sha256.New, secret)
	for _, part := range []string{timestamp, method, target} {
		h.Write([]byte(part))
		h.Write([]byte{'\n'})
	}

	h.Write(body)

	return signaturePrefix + hex.EncodeToString(h.Sum(nil))
}

// Verify checks that a request was signed with the secret within Window of now. Of several signatures, separated by
// commas while a secret is being replaced, one is enough. body is the complete body as received.
func Verify(secret []byte, r *http.Request, body []byte, now time.Time) error {
	stamp := r.Header.Get(HeaderTimestamp)

	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		return ErrSignature
	}

	if off := now.Sub(time.Unix(seconds, 0)); off > Window || off < -Window {
		return ErrSignature
	}

	want := []byte(Sign(secret, stamp, r.Method, r.URL.RequestURI(), body))
	for _, given := range strings.Split(r.Header.Get(HeaderSignature), ",") {
		if hmac.Equal(want, []byte(strings.TrimSpace(given))) {
			return nil
		}
	}

	return ErrSignature
}
