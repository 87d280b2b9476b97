package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"slipway/internal/core/caller"
	"slipway/internal/platform/limit"
)

// Authenticator turns a bearer token into a principal and what its requests count against (nil: nothing), or refuses
// with fault.Unauthenticated. organisation is the caller's wish (header Slipway-Organisation) and empty for the default
// one. Both results may be shared by other requests.
type Authenticator func(ctx context.Context, token, organisation string) (*caller.Principal, *limit.Meters, error)

// keyHolder names who an Idempotency-Key belongs to: the person, or the API client. A session is nobody: whoever
// signs in again and repeats a request gets the first answer. The prefix keeps the identifiers of the two sorts
// apart.
func keyHolder(p *caller.Principal) string {
	if p.Client {
		return "client " + p.Credential
	}

	return "person " + p.User
}

// bearer takes the token out of an Authorization header. The scheme's name is compared without case (RFC 9110, 11.1).
func bearer(header string) string {
	scheme, token, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}

	return token
}

func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}
