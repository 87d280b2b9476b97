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

// Window is how far a request's timestamp may be from the provider's clock.
const Window = 5 * time.Minute

const signaturePrefix = "v1="

// ErrSignature is a request that was not signed with the secret, or not now.
var ErrSignature = errors.New("the signature or the time of the request is wrong")

// Sign makes the signature of a request: HMAC-SHA256 over the timestamp, method, request target (path with its query)
// and body, with a
// line feed after each but the last. A header's value cannot hold a line feed, so no two requests have the same text.
func Sign(secret []byte, timestamp, method, target string, body []byte) string {
	h := hmac.New(sha256.New, secret)
	for _, part := range []string{timestamp, method, target} {
		h.Write([]byte(part))
		h.Write([]byte{'\n'})
	}

	h.Write(body)

	return signaturePrefix + hex.EncodeToString(h.Sum(nil))
}

// Verify says whether a request was signed with the secret within Window of now. Of several signatures, parted by
// commas while a secret is changed, one suffices. body is the whole body as it came.
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
