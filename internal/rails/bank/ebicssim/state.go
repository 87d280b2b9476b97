//go:build !nosandbox

package ebicssim

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"errors"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"time"
)

// States of a subscriber (ch. 4).
const (
	initialised = "INITIALISED" // keys arrived; the clerk waits for the letter
	ready       = "READY"
	suspended   = "SUSPENDED"
)

// state is what survives a restart.
type state struct {
	Authentication, Encryption ownKey
	Users                      map[string]*subscriber
	Orders                     []Order
	Events                     []event
	Nonces                     map[string]time.Time
	Counter                    int // of order ids
}

// ownKey is a key of the bank.
type ownKey struct {
	Private     []byte // PKCS#1
	Certificate []byte
	key         *rsa.PrivateKey
}

// subscriber is a user with the public keys that it has sent.
type subscriber struct {
	State                                 string
	Signature, Authentication, Encryption *userKey
}

// userKey is a public key of a user.
type userKey struct{ Modulus, Exponent []byte }

func (k *userKey) public() *rsa.PublicKey {
	return &rsa.PublicKey{
		N: new(big.Int).SetBytes(k.Modulus),
		E: int(new(big.Int).SetBytes(k.Exponent).Int64()),
	}
}

func keyOf(p *rsa.PublicKey) *userKey {
	return &userKey{Modulus: p.N.Bytes(), Exponent: big.NewInt(int64(p.E)).Bytes()}
}

// event is a line of the customer protocol.
type event struct {
	Action, Reason      string
	OrderID, User, Kind string
	At                  time.Time
	Info                []string
}

func (h *Host) path() string { return filepath.Join(h.c.Folder, "ebics.json") }

// load reads the state, or makes a new one.
func (h *Host) load() error {
	if err := os.MkdirAll(h.c.Folder, 0o700); err != nil {
		return err
	}

	text, err := os.ReadFile(h.path())
	if err == nil {
		err = json.Unmarshal(text, &h.state)
	} else if errors.Is(err, fs.ErrNotExist) {
		err = h.newKeys()
	}

	if err != nil {
		return err
	}

	for _, k := range []*ownKey{&h.state.Authentication, &h.state.Encryption} {
		if k.key, err = x509.ParsePKCS1PrivateKey(k.Private); err != nil {
			return err
		}
	}

	if h.state.Users == nil {
		h.state.Users = map[string]*subscriber{}
		h.state.Nonces = map[string]time.Time{}
	}

	for _, u := range h.c.Users {
		if h.state.Users[u] == nil {
			h.state.Users[u] = &subscriber{}
		}
	}

	return h.save()
}

// NewKeys replaces the bank's keys, as when they expire: clients with the old ones get 091008.
func (h *Host) NewKeys() error {
	h.mu.Lock()
	defer h.mu.Unlock()

	if err := h.newKeys(); err != nil {
		return err
	}

	return h.save()
}

func (h *Host) newKeys() error {
	for _, k := range []*ownKey{&h.state.Authentication, &h.state.Encryption} {
		key, err := h.c.NewKey()
		if err != nil {
			return err
		}

		form := &x509.Certificate{
			SerialNumber: big.NewInt(h.c.Clock.Now().UnixNano()),
			Subject:      pkix.Name{CommonName: "Simulated bank " + h.c.Host},
			NotBefore:    h.c.Clock.Now().Add(-time.Hour),
			NotAfter:     h.c.Clock.Now().AddDate(5, 0, 0),
		}

		k.key = key
		k.Private = x509.MarshalPKCS1PrivateKey(key)

		if k.Certificate, err = x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key); err != nil {
			return err
		}
	}

	return nil
}

// save writes the state in one step.
func (h *Host) save() error {
	text, err := json.Marshal(h.state)
	if err != nil {
		return err
	}

	if err := os.WriteFile(h.path()+".tmp", text, 0o600); err != nil {
		return err
	}

	return os.Rename(h.path()+".tmp", h.path())
}

// note adds a line to the customer protocol.
func (h *Host) note(action, reason, orderID, user, kind string, info ...string) {
	h.state.Events = append(h.state.Events, event{
		Action:  action,
		Reason:  reason,
		OrderID: orderID,
		User:    user,
		Kind:    kind,
		At:      h.c.Clock.Now().UTC(),
		Info:    info,
	})
}
