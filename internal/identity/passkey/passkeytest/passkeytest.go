// Package passkeytest has an authenticator in software: it makes passkeys and answers by them as a browser with a
// device does, and can misbehave.
package passkeytest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"

	"github.com/go-webauthn/webauthn/protocol/webauthncbor"
	"github.com/go-webauthn/webauthn/protocol/webauthncose"
	"github.com/stretchr/testify/require"
)

// Authenticator is a device with passkeys, and the browser before it.
type Authenticator struct {
	T      testing.TB
	Origin string // of the page that asks
	Party  string // the host name that the browser puts in; a page elsewhere cannot choose it
	// Unverified: the person touched the device, but was not verified.
	Unverified bool
	Count      uint32 // of the next answer; 0: the device does not count
	keys       []key
}

type key struct {
	id      []byte
	user    []byte
	private *ecdsa.PrivateKey
}

// New returns a device whose browser shows a service's page.
func New(t testing.TB, origin, party string) *Authenticator {
	return &Authenticator{T: t, Origin: origin, Party: party}
}

// Flags of authenticator data (Web Authentication, 6.1).
const (
	present  = 1 << 0
	verified = 1 << 2
	attested = 1 << 6
)

type options struct {
	Challenge string `json:"challenge"`
	RP        struct {
		ID string `json:"id"`
	} `json:"rp"`
	RPID string `json:"rpId"`
	User struct {
		ID string `json:"id"`
	} `json:"user"`
	Excluded []descriptor `json:"excludeCredentials"`
	Allowed  []descriptor `json:"allowCredentials"`
}

type descriptor struct {
	ID string `json:"id"`
}

func (a *Authenticator) read(text string) (o options) {
	a.T.Helper()
	require.NoError(a.T, json.Unmarshal([]byte(text), &o), text)
	require.NotEmpty(a.T, o.Challenge, text)

	return o
}

// Make makes a passkey and returns what toJSON() of the browser's credential writes.
func (a *Authenticator) Make(text string) string {
	a.T.Helper()
	o := a.read(text)
	require.Equal(a.T, a.Party, o.RP.ID, "a browser refuses another name")

	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(a.T, err)

	k := key{id: make([]byte, 32), user: plain(o.User.ID), private: private}
	_, _ = rand.Read(k.id)
	a.keys = append(a.keys, k)

	point, err := private.PublicKey.Bytes() // 4, X, Y
	require.NoError(a.T, err)

	public, err := webauthncbor.Marshal(webauthncose.EC2PublicKeyData{
		PublicKeyData: webauthncose.PublicKeyData{
			KeyType:   int64(webauthncose.EllipticKey),
			Algorithm: int64(webauthncose.AlgES256),
		},
		Curve:  int64(webauthncose.P256),
		XCoord: point[1:33],
		YCoord: point[33:],
	})
	require.NoError(a.T, err)

	data := a.data(attested)
	data = append(data, make([]byte, 16)...) // of no model
	data = binary.BigEndian.AppendUint16(data, uint16(len(k.id)))
	data = append(data, k.id...)
	data = append(data, public...)

	object, err := webauthncbor.Marshal(map[string]any{"fmt": "none", "attStmt": map[string]any{}, "authData": data})
	require.NoError(a.T, err)

	return a.write(k, map[string]any{
		"clientDataJSON":    text64(a.client("webauthn.create", o.Challenge)),
		"attestationObject": text64(object),
		"transports":        []string{"internal", "hybrid"},
	})
}

// Answer answers by the newest passkey that is allowed and returns what toJSON() of the browser's credential writes.
func (a *Authenticator) Answer(text string) string {
	a.T.Helper()
	o := a.read(text)
	require.Equal(a.T, a.Party, o.RPID, "a browser refuses another name")

	for i := len(a.keys) - 1; i >= 0; i-- {
		if k := a.keys[i]; allowed(o.Allowed, k) {
			return a.sign(k, o.Challenge)
		}
	}

	a.T.Fatal("the device has none of these passkeys")

	return ""
}

func allowed(list []descriptor, k key) bool {
	for _, d := range list {
		if d.ID == text64(k.id) {
			return true
		}
	}

	return len(list) == 0
}

func (a *Authenticator) sign(k key, challenge string) string {
	a.T.Helper()

	data := a.data(0)
	client := a.client("webauthn.get", challenge)
	hash := sha256.Sum256(client)
	digest := sha256.Sum256(append(data[:len(data):len(data)], hash[:]...))

	signature, err := ecdsa.SignASN1(rand.Reader, k.private, digest[:])
	require.NoError(a.T, err)

	return a.write(k, map[string]any{
		"clientDataJSON":    text64(client),
		"authenticatorData": text64(data),
		"signature":         text64(signature),
		"userHandle":        text64(k.user),
	})
}

// data returns the beginning of authenticator data: the party, the flags and the counter.
func (a *Authenticator) data(flags byte) []byte {
	party := sha256.Sum256([]byte(a.Party))

	flags |= present
	if !a.Unverified {
		flags |= verified
	}

	return binary.BigEndian.AppendUint32(append(party[:], flags), a.Count)
}

func (a *Authenticator) client(kind, challenge string) []byte {
	text, err := json.Marshal(map[string]any{
		"type":        kind,
		"challenge":   challenge,
		"origin":      a.Origin,
		"crossOrigin": false,
	})
	require.NoError(a.T, err)

	return text
}

func (a *Authenticator) write(k key, response map[string]any) string {
	text, err := json.Marshal(map[string]any{
		"id":                      text64(k.id),
		"rawId":                   text64(k.id),
		"type":                    "public-key",
		"authenticatorAttachment": "platform",
		"clientExtensionResults":  map[string]any{},
		"response":                response,
	})
	require.NoError(a.T, err)

	return string(text)
}

func text64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func plain(s string) []byte {
	b, _ := base64.RawURLEncoding.DecodeString(s)
	return b
}
