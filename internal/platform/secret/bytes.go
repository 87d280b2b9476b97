package secret

import (
	"bytes"
	"crypto/rand"
	"fmt"
)

// binaryForm is the first part of sealed bytes: "s1b:<key id>:", then nonce and box as they are.
const binaryForm = form + "b"

// SealBytes is Seal for a place that holds bytes: no letter is spent on writing them as text.
func (k *Keyring) SealBytes(plain []byte, context string) []byte {
	box := k.keys[k.current]
	head := binaryForm + ":" + k.current + ":"
	out := make([]byte, len(head)+box.NonceSize(), len(head)+box.NonceSize()+len(plain)+box.Overhead())
	copy(out, head)
	nonce := out[len(head):]
	_, _ = rand.Read(nonce) // crypto/rand never fails since Go 1.24

	return box.Seal(out, nonce, plain, k.bound(k.current, context))
}

// OpenBytes returns what SealBytes sealed for the context.
func (k *Keyring) OpenBytes(sealed []byte, context string) ([]byte, error) {
	id, raw, err := splitBytes(sealed)
	if err != nil {
		return nil, err
	}

	box := k.keys[id]
	if box == nil {
		return nil, fmt.Errorf("%w: %s", ErrUnknownKey, id)
	}

	if len(raw) < box.NonceSize() {
		return nil, ErrForm
	}

	plain, err := box.Open(nil, raw[:box.NonceSize()], raw[box.NonceSize():], k.bound(id, context))
	if err != nil {
		return nil, ErrForged
	}

	return plain, nil
}

// KeyOf returns the id of the key that sealed a text of Seal or bytes of SealBytes.
func KeyOf(sealed []byte) (string, error) {
	if id, _, err := splitBytes(sealed); err == nil {
		return id, nil
	}

	id, _, err := split(string(sealed))

	return id, err
}

func splitBytes(sealed []byte) (id string, raw []byte, err error) {
	rest, ok := bytes.CutPrefix(sealed, []byte(binaryForm+":"))

	name, raw, complete := bytes.Cut(rest, []byte(":"))
	if !ok || !complete {
		return "", nil, ErrForm
	}

	return string(name), raw, nil
}
