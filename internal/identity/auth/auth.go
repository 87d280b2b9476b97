// Package auth signs people and programs in: passwords, sessions, tokens, second factors, API clients and links in
// mails. For every request it returns the principal who calls.
//
// It promises:
//   - Tokens, passwords and secrets are stored only as hashes.
//   - A revoked token is refused by this process at the next request, and by other processes within CacheLifetime.
//   - No answer shows whether an e-mail address has an account, neither by its content nor by the work done for it.
//   - A refresh token that is used twice outside the grace ends its session.
//   - Whoever has a second factor gets no token without it.
//   - Other people's failed attempts do not lock a person out where that person has signed in before.
//
// It does not promise limits across processes: each process counts for itself.
//
// Read in this order:
//
//   - The rules: auth.go (lifetimes and tokens), password.go, hasher.go, session.go (the rules of rotation: pure),
//     limits.go, cache.go.
//   - Signing in: service.go, register.go, login.go, refresh.go, change_password.go, second.go (sign-in with a second
//     factor, step-up), passkey.go (the same with passkeys, and sign-in by one alone), person.go (a person who proves
//     himself at a terminal), console.go (sessions with a cookie), sign_on.go (sessions that a provider of OpenID
//     Connect has begun).
//   - Programs: client.go (API clients), client_end.go (their owners are told that one ends).
//   - Links in mails: link.go, recovery.go.
//   - What the platform's people start: staff_mail.go, complete_account.go, prepare.go (an account for one of them,
//     from the command line), add_organisation.go (a customer, with its admin), account_status.go,
//     operator_recovery.go, grant.go.
//   - Every request: authenticate.go.
//   - All SQL: store.go, store_console.go, store_second.go, store_client.go, store_link.go.
//   - The operations: http.go, http_second.go, http_passkey.go, http_client.go, http_recovery.go, http_users.go.
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
	RefreshGrace    = 10 * time.Second    // how long a client may repeat a refresh whose answer it lost
	CacheLifetime   = 5 * time.Second     // a verified token in memory

	ConsoleIdle     = 30 * time.Minute // a session of the console that its person does not use
	ConsoleLifetime = 12 * time.Hour   // such a session, however much it is used

	ChallengeLifetime = 5 * time.Minute    // a tempToken
	ConfirmLifetime   = 24 * time.Hour     // a link that confirms an address
	ResetLifetime     = 30 * time.Minute   // a link that sets a new password
	CompleteLifetime  = 7 * 24 * time.Hour // a link that completes an account
)

// Prefixes of tokens. They keep one kind from being accepted as another.
const (
	accessPrefix  = "at_"
	refreshPrefix = "rt_"
	cookiePrefix  = "cs_" // of the console
	tempPrefix    = "tt_" // opens POST /auth/2fa/login and nothing else
	linkPrefix    = "lk_" // in mails
)

// sessionPrefix begins a session's identifier, which is also the credential of its requests.
const sessionPrefix = "ses"

// Tokens are what a client holds after it has logged in: two tokens, or the cookie of a session of the console.
type Tokens struct{ Access, Refresh, Cookie string }

func newTokens() Tokens {
	return Tokens{Access: secret.Token(accessPrefix), Refresh: secret.Token(refreshPrefix)}
}

func newCookie() Tokens { return Tokens{Cookie: secret.Token(cookiePrefix)} }

// digest returns a token in the form in which it is stored. Tokens hold 256 random bits, so nobody can search for the
// token behind a plain hash.
func digest(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

func tokenInvalid() error {
	return fault.New(fault.Unauthenticated, fault.TokenInvalid,
		"The token is unknown, expired or revoked, or of another kind.")
}

func tokenMissing() error {
	return fault.New(fault.Unauthenticated, fault.TokenMissing, "Send the token in the header Authorization: Bearer …")
}

func credentialsInvalid() error {
	return fault.New(fault.Unauthenticated, fault.CredentialsInvalid,
		"The e-mail address and password do not belong together.")
}

func accountInactive() error {
	return fault.New(fault.Forbidden, fault.AccountInactive, "The account has been switched off.")
}
