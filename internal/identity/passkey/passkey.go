// Package passkey keeps passkeys: pairs of keys, of which a person's device keeps the private one and this service the
// public one (Web Authentication, Level 3). A passkey is a second factor, and signs in by itself.
//
// It promises:
//   - A challenge is answered once, within ChallengeLifetime, by the session that it was given to, for its purpose.
//   - An answer counts only if it was made for this service's address, and the authenticator has verified the person by
//     a fingerprint, a face or a PIN. So a passkey alone is two factors.
//   - A passkey whose counter does not rise is refused: somebody holds a copy of it.
//
// It does not promise on which device a passkey is: no attestation is asked for, and many are on several devices.
//
// Read in this order: passkey.go (types and rules), browser.go (what browsers send and get), service.go, store.go.
package passkey

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"slipway/internal/core/fault"
)

const (
	// Prefix begins the identifiers of passkeys.
	Prefix = "pky"
	// Most is how many passkeys a person may have.
	Most = 20
	// ChallengeLifetime is how long a browser has to answer.
	ChallengeLifetime = 5 * time.Minute

	maxName = 60 // characters
)

// Passkey is the public half of a passkey.
type Passkey struct {
	ID, User, Name string
	Version        int64
	LastUsedAt     time.Time // zero: never
	CreatedAt      time.Time
	BackedUp       bool // it is on several devices, or kept by a password manager

	backupEligible bool
	signCount      int64
	credential     string // base64url
	publicKey      string // COSE, base64url
	transports     string // with commas between
}

// Owner is whose passkeys are meant, as the authenticator shows the person.
type Owner struct{ ID, Email, Name string }

// Purpose is what an answered challenge is good for.
type Purpose string

// The purposes.
const (
	Add    Purpose = "add"     // another passkey
	SignIn Purpose = "sign-in" // without a password
	Prove  Purpose = "prove"   // as a second factor
)

// Challenge says for what, and by whom, a challenge may be answered.
type Challenge struct {
	Purpose Purpose
	User    string // empty for SignIn
	Holder  string // the session or tempToken that it is given to; empty for SignIn
}

// checkName adds to l what is wrong with the name that a person gives a passkey, and returns it without outer spaces.
func checkName(l *fault.List, name string) string {
	name = strings.TrimSpace(name)

	switch {
	case name == "":
		l.Add("/name", fault.Required, "is required.")
	case utf8.RuneCountInString(name) > maxName:
		l.Add("/name", fault.TooLong, "may have at most %d characters.", maxName)
	}

	return name
}

// holder is a person with passkeys, as the library asks for one.
type holder struct {
	Owner
	keys []Passkey
}

// WebAuthnID returns what the authenticator keeps beside the key. It names nobody outside this service.
func (h holder) WebAuthnID() []byte { return []byte(h.ID) }

// WebAuthnName returns the address by which the person tells accounts apart.
func (h holder) WebAuthnName() string { return h.Email }

// WebAuthnDisplayName returns the person's name.
func (h holder) WebAuthnDisplayName() string { return h.Name }

// WebAuthnCredentials returns the passkeys.
func (h holder) WebAuthnCredentials() []webauthn.Credential {
	out := make([]webauthn.Credential, len(h.keys))
	for i, k := range h.keys {
		out[i] = k.toLibrary()
	}

	return out
}

func (k *Passkey) toLibrary() webauthn.Credential {
	c := webauthn.Credential{
		ID:        fromBase64(k.credential),
		PublicKey: fromBase64(k.publicKey),
	}
	c.Flags.BackupEligible = k.backupEligible
	c.Flags.BackupState = k.BackedUp
	c.Authenticator.SignCount = uint32(k.signCount)

	for _, t := range strings.Split(k.transports, ",") {
		if t != "" {
			c.Transport = append(c.Transport, protocol.AuthenticatorTransport(t))
		}
	}

	return c
}

func invalid() error {
	return fault.New(fault.Forbidden, fault.PasskeyInvalid,
		"The passkey was not accepted: it is unknown here, was made for another address, or the answer came too late.")
}

func copied() error {
	return fault.New(fault.Forbidden, fault.PasskeyCopied,
		"The passkey was not accepted: its counter went back, so there may be a copy of it. Delete it and add another.")
}

func unavailable() error {
	return fault.New(fault.Conflict, fault.PasskeysUnavailable,
		"Passkeys need a host name: http.base_url of this service names an IP address.")
}
