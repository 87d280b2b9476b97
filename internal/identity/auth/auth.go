// Package auth lets people in and keeps others out: passwords, sessions, tokens, and the answer to "who calls?" for every request.
//
// Promised: tokens and passwords are stored only as hashes; a token that was revoked by this process is refused at the next request,
// and by other processes within CacheLifetime; an answer never tells whether an e-mail address has an account, neither by its content
// nor by the work done for it; a refresh token that is used twice outside the grace ends its whole session. Not promised: limits on
// how often someone may try; those stand in front of the API.
//
// Read in this order: auth.go (limits and what a token is), password.go, hasher.go, session.go (the rules of rotation: pure),
// cache.go, service.go, authenticate.go, store.go, http.go.
package auth

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/platform/secret"
)

// How long things live.
const (
	AccessLifetime  = 15 * time.Minute    // an access token
	RefreshIdle     = 7 * 24 * time.Hour  // a refresh token that is not used
	SessionLifetime = 30 * 24 * time.Hour // a session, however often it is refreshed
	RefreshGrace    = 10 * time.Second    // in which a client may repeat a refresh whose answer it lost
	CacheLifetime   = 5 * time.Second     // a verified token in memory
)

// Prefixes of tokens: one kind can never be taken for another.
const (
	accessPrefix  = "at_"
	refreshPrefix = "rt_"
)

// sessionPrefix is that of a session's identifier, which is also the credential of its requests.
const sessionPrefix = "ses"

// Tokens is what a client holds after it has logged in.
type Tokens struct{ Access, Refresh string }

func newTokens() Tokens {
	return Tokens{Access: secret.Token(accessPrefix), Refresh: secret.Token(refreshPrefix)}
}

// digest is a token as it is stored. Tokens hold 256 random bits, so a plain hash cannot be searched.
func digest(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

func tokenInvalid() error {
	return fault.New(fault.Unauthenticated, fault.TokenInvalid, "The token is unknown, expired or revoked, or of another kind.")
}

func tokenMissing() error {
	return fault.New(fault.Unauthenticated, fault.TokenMissing, "Send the token in the header Authorization: Bearer …")
}

func credentialsInvalid() error {
	return fault.New(fault.Unauthenticated, fault.CredentialsInvalid, "The e-mail address and password do not belong together.")
}

func accountInactive() error {
	return fault.New(fault.Forbidden, fault.AccountInactive, "The account has been switched off.")
}
