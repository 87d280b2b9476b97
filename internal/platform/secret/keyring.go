package secret

import (
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/chacha20poly1305"
)

// KeySize is the length of a sealing key in bytes.
const KeySize = chacha20poly1305.KeySize

// form is the first part of everything sealed: "s1:<key id>:<base64 of nonce and box>". Another way of sealing gets
// another form.
const form = "s1"

// Errors of Open. ErrForged also means: sealed for another context.
var (
	ErrForm       = errors.New("this is not a sealed value")
	ErrUnknownKey = errors.New("sealed with a key that is not in the keyring")
	ErrForged     = errors.New("the sealed value was changed, or was sealed for something else")
)

// Key is one sealing key. ID names it in everything it seals and is not secret: letters, digits and dashes.
type Key struct {
	ID    string
	Bytes []byte
}

// Keyring seals and signs with one key, and opens and verifies with that one and older ones. It never changes; safe
// for concurrent use.
type Keyring struct {
	current string
	ids     []string // in the order in which they were given: the current one first
	keys    map[string]cipher.AEAD
	signing map[string][]byte // derived of the same keys
	finding map[string][]byte
}

// NewKeyring takes the key that seals from now on, and those that are still needed for opening.
func NewKeyring(current Key, older ...Key) (*Keyring, error) {
	k := &Keyring{
		current: current.ID,
		keys:    map[string]cipher.AEAD{},
		signing: map[string][]byte{},
		finding: map[string][]byte{},
	}

	for _, key := range append([]Key{current}, older...) {
		if !validID(key.ID) {
			return nil, fmt.Errorf("key id %q: 1 to 32 letters, digits and dashes", key.ID)
		}

		if k.keys[key.ID] != nil {
			return nil, fmt.Errorf("key id %q stands twice", key.ID)
		}

		box, err := chacha20poly1305.NewX(key.Bytes)
		if err != nil {
			return nil, fmt.Errorf("key %s: it needs %d bytes", key.ID, KeySize)
		}

		k.keys[key.ID] = box

		k.ids = append(k.ids, key.ID)
		if k.signing[key.ID], err = hkdf.Key(sha256.New, key.Bytes, nil, "slipway signing", sha256.Size); err != nil {
			return nil, fmt.Errorf("key %s: %w", key.ID, err)
		}

		if k.finding[key.ID], err = hkdf.Key(sha256.New, key.Bytes, nil, "slipway finding", sha256.Size); err != nil {
			return nil, fmt.Errorf("key %s: %w", key.ID, err)
		}
	}

	return k, nil
}

// Current is the id of the key that seals. Whoever stores it beside what was sealed finds what a rotation has left
// over.
func (k *Keyring) Current() string { return k.current }

// ParseKeyring reads "id:base64" parts, parted by commas or line ends; the first one seals. This is the form of a
// setting or secret file: rotation puts a new part in front, and takes the last one away when nothing is sealed with
// it any more.
func ParseKeyring(text Text) (*Keyring, error) {
	var keys []Key

	for part := range strings.FieldsFuncSeq(text.Reveal(), func(r rune) bool {
		return r == ',' || r == '\n' || r == '\r' || r == ' '
	}) {
		id, encoded, _ := strings.Cut(part, ":")

		raw, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil {
			// without the text: it is a key
			return nil, fmt.Errorf("key %d of the keyring is not written as id:base64", len(keys)+1)
		}

		keys = append(keys, Key{ID: id, Bytes: raw})
	}

	if len(keys) == 0 {
		return nil, errors.New("the keyring has no key")
	}

	return NewKeyring(keys[0], keys[1:]...)
}

// NewKey returns a random key, written as ParseKeyring reads it.
func NewKey(id string) Text {
	raw := make([]byte, KeySize)
	_, _ = rand.Read(raw) // crypto/rand never fails since Go 1.24
	return Text(id + ":" + base64.StdEncoding.EncodeToString(raw))
}

// Seal encrypts a value for a context, such as "totp/usr_01…": the same text must be given to Open, so that a sealed
// value cannot be moved to another record. Sealing twice gives two different texts.
func (k *Keyring) Seal(plain []byte, context string) string {
	box := k.keys[k.current]
	nonce := make([]byte, box.NonceSize(), box.NonceSize()+len(plain)+box.Overhead())
	_, _ = rand.Read(nonce)
	sealed := box.Seal(nonce, nonce, plain, k.bound(k.current, context))

	head := form + ":" + k.current + ":"
	out := make([]byte, len(head), len(head)+base64.RawStdEncoding.EncodedLen(len(sealed)))
	copy(out, head)

	return string(base64.RawStdEncoding.AppendEncode(out, sealed))
}

// Open gives back what was sealed for the context.
func (k *Keyring) Open(sealed, context string) ([]byte, error) {
	id, encoded, err := split(sealed)
	if err != nil {
		return nil, err
	}

	box := k.keys[id]
	if box == nil {
		return nil, fmt.Errorf("%w: %s", ErrUnknownKey, id)
	}

	raw, err := base64.RawStdEncoding.Strict().DecodeString(encoded)
	if err != nil || len(raw) < box.NonceSize() {
		return nil, ErrForm
	}

	plain, err := box.Open(nil, raw[:box.NonceSize()], raw[box.NonceSize():], k.bound(id, context))
	if err != nil {
		return nil, ErrForged
	}

	return plain, nil
}

// Reseal returns the value sealed with the current key, and whether it changed. A value that already is comes back
// untouched.
func (k *Keyring) Reseal(sealed, context string) (string, bool, error) {
	id, _, err := split(sealed)
	if err != nil || id == k.current {
		return sealed, false, err
	}

	plain, err := k.Open(sealed, context)
	if err != nil {
		return sealed, false, err
	}

	return k.Seal(plain, context), true, nil
}

// Sign returns the HMAC-SHA256 of a message for a context, and the id of the key it was made with: for what is given
// out open and must come back unchanged, such as a link in a mail. The same message for another context has another
// one.
func (k *Keyring) Sign(context, message string) (keyID string, mac []byte) {
	return k.current, k.mac(k.current, context, message)
}

// Verify reports whether mac is what Sign gave for this context and message with this key. A key that has left the
// keyring verifies nothing.
func (k *Keyring) Verify(keyID, context, message string, mac []byte) bool {
	return k.signing[keyID] != nil && hmac.Equal(mac, k.mac(keyID, context, message))
}

// findSize is how many bytes of an HMAC Find keeps: enough that no two values of a table meet.
const findSize = 16

// Find returns a keyed hash by which a sealed value is found: equal values have equal ones, and without the key
// nobody can try values out. It changes with the sealing key, so a search compares with every one of FindAny while
// rows of older keys are left.
func (k *Keyring) Find(purpose, value string) string { return k.find(k.current, purpose, value) }

// FindAny returns what Find returns with each key of the ring, the current one first.
func (k *Keyring) FindAny(purpose, value string) []string {
	out := make([]string, len(k.ids))
	for i, id := range k.ids {
		out[i] = k.find(id, purpose, value)
	}

	return out
}

func (k *Keyring) find(keyID, purpose, value string) string {
	h := hmac.New(sha256.New, k.finding[keyID])
	_, _ = h.Write([]byte(purpose + "\x00" + value)) // a hash takes everything
	return base64.RawStdEncoding.EncodeToString(h.Sum(nil)[:findSize])
}

func (k *Keyring) mac(keyID, context, message string) []byte {
	h := hmac.New(sha256.New, k.signing[keyID])
	_, _ = h.Write([]byte(context + "\x00" + message)) // a hash takes everything
	return h.Sum(nil)
}

// bound is what a box is tied to besides its key: form, key id and context.
func (k *Keyring) bound(id, context string) []byte {
	return []byte(form + ":" + id + ":" + context)
}

func split(sealed string) (id, encoded string, err error) {
	parts := strings.Split(sealed, ":")
	if len(parts) != 3 || parts[0] != form {
		return "", "", ErrForm
	}

	return parts[1], parts[2], nil
}

func validID(id string) bool {
	for i := range len(id) {
		c := id[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-') {
			return false
		}
	}

	return id != "" && len(id) <= 32
}
