package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"slipway/internal/core/caller"
	"slipway/internal/platform/limit"
)

// Authenticator returns the principal of a bearer token and the meters that its requests count against (nil: none), or
// refuses with fault.Unauthenticated. organisation is the caller's choice (header Slipway-Organisation), and empty for
// the default one. Other requests may share both results.
type Authenticator func(ctx context.Context, token, organisation string) (*caller.Principal, *limit.Meters, error)

// SessionAuthenticator is Authenticator for the cookie of a session. attended means that a person causes the request,
// so that it counts as use of the session.
type SessionAuthenticator func(
	ctx context.Context, cookie, organisation string, attended bool,
) (*caller.Principal, *limit.Meters, error)

// keyHolder returns who an Idempotency-Key belongs to: the person, or the API client. It is not the session, so whoever
// signs in again and repeats a request gets the first answer. The prefix separates the identifiers of the two kinds.
func keyHolder(p *caller.Principal) string {
	if p.Client {
		return "client " + p.Credential
	}

	return "person " + p.User
}

// bearer returns the token of an Authorization header. The scheme's name is compared without case (RFC 9110, 11.1).
func bearer(header string) string {
	scheme, token, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}

	return token
}

// digestLength is the length of a digest.
const digestLength = 2 * sha256.Size

func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}
