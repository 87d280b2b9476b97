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

// Keyring encrypts and signs with one key, and decrypts and verifies with that one and older ones. It never changes and
// is safe for concurrent use.
type Keyring struct {
	current string
	ids     []string // in the given order: the current one first
	keys    map[string]cipher.AEAD
	signing map[string][]byte // derived from the same keys
	finding map[string][]byte
}

// NewKeyring returns a keyring of the key to encrypt with from now on, and of those still needed for decrypting.
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

// Current returns the id of the encrypting key. Store it beside what was sealed, to find what a rotation has left over.
func (k *Keyring) Current() string { return k.current }

// ParseKeyring parses "id:base64" parts, separated by commas or line ends. The first one encrypts. This is the form of
// a setting or secret file: a rotation adds a new part in front, and removes the last one when nothing is sealed with
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

// Seal encrypts a value for a context, such as "totp/usr_01…". Open needs the same context, so a sealed value cannot be
// moved to another record. Sealing twice returns two different texts.
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

// Open decrypts what was sealed for the context. It returns ErrForged if the value or the context differs.
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

// Reseal returns the value sealed with the current key, and whether it changed. A value that is sealed with it already
// is returned unchanged.
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

// Sign returns the HMAC-SHA256 of a message for a context, and the id of its key. Use it for what is handed out in the
// clear and must come back unchanged, such as a link in a mail. For another context, the same message has another HMAC.
func (k *Keyring) Sign(context, message string) (keyID string, mac []byte) {
	return k.current, k.mac(k.current, context, message)
}

// Verify reports whether mac is what Sign returned for this context and message with this key. A key that has left the
// keyring verifies nothing.
func (k *Keyring) Verify(keyID, context, message string, mac []byte) bool {
	return k.signing[keyID] != nil && hmac.Equal(mac, k.mac(keyID, context, message))
}

// findSize is how many bytes of an HMAC Find keeps: enough that no two values of a table collide.
const findSize = 16

// Find returns a keyed hash by which a sealed value can be found. Equal values have equal hashes, and without the key
// nobody can try values. It changes with the sealing key, so while rows of older keys are left, a search must compare
// with every hash of FindAny.
func (k *Keyring) Find(purpose, value string) string { return k.find(k.current, purpose, value) }

// FindAny returns the hash of Find for each key of the ring, the current one first.
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

// bound returns what a box is bound to besides its key: form, key id and context.
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
