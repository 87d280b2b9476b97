//go:build pkcs11

package hsm

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"encoding/asn1"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/miekg/pkcs11"
)

// secp256k1 is the curve's object identifier in DER (SEC 2), as CKA_EC_PARAMS has it.
var secp256k1 = []byte{0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x0a}

// Key is a key in a module. It is safe for concurrent use.
type Key struct {
	config Config
	module *pkcs11.Ctx
	slot   uint
	public *ecdsa.PublicKey

	mu      sync.Mutex // guards the following fields: a session carries one signature at a time
	session pkcs11.SessionHandle
	private pkcs11.ObjectHandle
}

// Open loads the module, signs in to the token, and reads the key's public half.
func Open(c Config) (*Key, error) {
	m := pkcs11.New(c.Module)
	if m == nil {
		return nil, fmt.Errorf("%s is no PKCS#11 library", c.Module)
	}

	k := &Key{config: c, module: m}

	if err := k.open(); err != nil {
		return nil, errors.Join(err, k.Close())
	}

	return k, nil
}

func (k *Key) open() error {
	err := k.module.Initialize()
	if err != nil && !is(err, pkcs11.CKR_CRYPTOKI_ALREADY_INITIALIZED) {
		return fmt.Errorf("start %s: %w", k.config.Module, err)
	}

	if k.slot, err = k.findSlot(); err != nil {
		return err
	}

	if err := k.signIn(); err != nil {
		return err
	}

	half, err := k.find(pkcs11.CKO_PUBLIC_KEY)
	if err != nil {
		return err
	}

	k.public, err = k.point(half)

	return err
}

// Close ends the session and unloads the module.
func (k *Key) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()

	if k.session != 0 {
		_ = k.module.CloseSession(k.session) // finalising closes it, too
		k.session = 0
	}

	err := k.module.Finalize()
	if is(err, pkcs11.CKR_CRYPTOKI_NOT_INITIALIZED) {
		err = nil
	}

	k.module.Destroy()

	return err
}

// Public returns the key's public half.
func (k *Key) Public() *ecdsa.PublicKey { return k.public }

// Sign lets the module sign a digest.
func (k *Key) Sign(_ context.Context, digest [32]byte) (r, s *big.Int, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()

	signature, err := k.sign(digest)
	if lost(err) {
		if err := k.signIn(); err != nil {
			return nil, nil, err
		}

		signature, err = k.sign(digest)
	}

	if err != nil {
		return nil, nil, fmt.Errorf("the module does not sign: %w", err)
	}

	const half = 32
	if len(signature) != 2*half {
		return nil, nil, fmt.Errorf("the module returned a signature of %d bytes", len(signature))
	}

	return new(big.Int).SetBytes(signature[:half]), new(big.Int).SetBytes(signature[half:]), nil
}

func (k *Key) sign(digest [32]byte) ([]byte, error) {
	mechanism := []*pkcs11.Mechanism{pkcs11.NewMechanism(pkcs11.CKM_ECDSA, nil)}
	if err := k.module.SignInit(k.session, mechanism, k.private); err != nil {
		return nil, err
	}

	return k.module.Sign(k.session, digest[:])
}

// lost reports whether the module has forgotten the session, as after its restart.
func lost(err error) bool {
	return is(err, pkcs11.CKR_SESSION_HANDLE_INVALID, pkcs11.CKR_SESSION_CLOSED, pkcs11.CKR_USER_NOT_LOGGED_IN,
		pkcs11.CKR_OBJECT_HANDLE_INVALID, pkcs11.CKR_KEY_HANDLE_INVALID, pkcs11.CKR_DEVICE_REMOVED,
		pkcs11.CKR_TOKEN_NOT_PRESENT)
}

func is(err error, codes ...uint) bool {
	var e pkcs11.Error
	if !errors.As(err, &e) {
		return false
	}

	for _, c := range codes {
		if uint(e) == c {
			return true
		}
	}

	return false
}

// findSlot returns the slot whose token has the label.
func (k *Key) findSlot() (uint, error) {
	slots, err := k.module.GetSlotList(true)
	if err != nil {
		return 0, fmt.Errorf("slots: %w", err)
	}

	for _, slot := range slots {
		info, err := k.module.GetTokenInfo(slot)
		if err == nil && strings.TrimRight(info.Label, " \x00") == k.config.Token {
			return slot, nil
		}
	}

	return 0, fmt.Errorf("no token is labelled %s", k.config.Token)
}

// signIn opens a session and finds the private half.
func (k *Key) signIn() (err error) {
	if k.session, err = k.module.OpenSession(k.slot, pkcs11.CKF_SERIAL_SESSION); err != nil {
		return fmt.Errorf("session: %w", err)
	}

	err = k.module.Login(k.session, pkcs11.CKU_USER, k.config.PIN.Reveal())
	if err != nil && !is(err, pkcs11.CKR_USER_ALREADY_LOGGED_IN) {
		return fmt.Errorf("sign in to the token %s: %w", k.config.Token, err)
	}

	k.private, err = k.find(pkcs11.CKO_PRIVATE_KEY)

	return err
}

// find returns the one object of a class with the key's label.
func (k *Key) find(class uint) (pkcs11.ObjectHandle, error) {
	err := k.module.FindObjectsInit(k.session, []*pkcs11.Attribute{
		pkcs11.NewAttribute(pkcs11.CKA_CLASS, class),
		pkcs11.NewAttribute(pkcs11.CKA_KEY_TYPE, pkcs11.CKK_EC),
		pkcs11.NewAttribute(pkcs11.CKA_LABEL, k.config.Label),
	})
	if err != nil {
		return 0, fmt.Errorf("look for the key %s: %w", k.config.Label, err)
	}

	found, _, err := k.module.FindObjects(k.session, 2)
	if err = errors.Join(err, k.module.FindObjectsFinal(k.session)); err != nil {
		return 0, fmt.Errorf("look for the key %s: %w", k.config.Label, err)
	}

	if len(found) != 1 {
		return 0, fmt.Errorf("the token %s has %d such halves of a key %s: it has to have exactly one", k.config.Token,
			len(found), k.config.Label)
	}

	return found[0], nil
}

// point reads the public point. CKA_EC_POINT is the point inside an octet string; some modules leave that out.
func (k *Key) point(half pkcs11.ObjectHandle) (*ecdsa.PublicKey, error) {
	values, err := k.module.GetAttributeValue(k.session, half, []*pkcs11.Attribute{
		pkcs11.NewAttribute(pkcs11.CKA_EC_PARAMS, nil),
		pkcs11.NewAttribute(pkcs11.CKA_EC_POINT, nil),
	})
	if err != nil || len(values) != 2 {
		return nil, fmt.Errorf("read the public half of %s: %w", k.config.Label, err)
	}

	if !bytes.Equal(values[0].Value, secp256k1) {
		return nil, fmt.Errorf("the key %s is not on the curve secp256k1", k.config.Label)
	}

	point := values[1].Value

	var inner []byte
	if rest, err := asn1.Unmarshal(point, &inner); err == nil && len(rest) == 0 {
		point = inner
	}

	return crypto.UnmarshalPubkey(point)
}
