package ebics

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"
)

// What each of the three keys is for, by the name of its procedure (ch. 14).
const (
	A005 = "A005" // signs orders: RSA PKCS#1 v1.5
	A006 = "A006" // signs orders: RSA-PSS
	X002 = "X002" // signs requests and answers
	E002 = "E002" // encrypts the key of a transaction
)

// Lengths of keys in bits. Banks demand 2048 since December 2021; new keys are longer.
const (
	leastBits = 2048
	newBits   = 3072
	mostBits  = 8192 // a longer key would only cost time
)

// validFor is how long the self-signed certificates of new keys are valid.
const validFor = 5 * 365 * 24 * time.Hour

// Key is one of our keys with its certificate.
type Key struct {
	Private     *rsa.PrivateKey
	Certificate []byte // DER, self-signed
}

// Public returns what the bank gets of a key.
func (k Key) Public() PublicKey {
	return PublicKey{Key: &k.Private.PublicKey, Certificate: k.Certificate}
}

// Keys are our three keys. None serves two purposes.
type Keys struct {
	Signature      Key // A006
	Authentication Key // X002
	Encryption     Key // E002
}

// PublicKey is a key of a bank, or the public half of one of ours.
type PublicKey struct {
	Key         *rsa.PublicKey
	Certificate []byte // DER; empty where version 2.5 sends the bare key
}

// BankKeys are a bank's keys, from HPB.
type BankKeys struct {
	Authentication PublicKey // X002
	Encryption     PublicKey // E002
}

// NewKeys makes our three keys. name becomes the subject of the certificates.
func NewKeys(name string, now time.Time) (*Keys, error) { return newKeys(name, now, newBits) }

func newKeys(name string, now time.Time, bits int) (*Keys, error) {
	var out Keys

	for _, k := range []struct {
		key   *Key
		usage x509.KeyUsage
	}{
		{&out.Signature, x509.KeyUsageContentCommitment},
		{&out.Authentication, x509.KeyUsageDigitalSignature},
		{&out.Encryption, x509.KeyUsageKeyEncipherment},
	} {
		made, err := newKey(name, now, k.usage, bits)
		if err != nil {
			return nil, fmt.Errorf("make a key: %w", err)
		}

		*k.key = made
	}

	return &out, nil
}

func newKey(name string, now time.Time, usage x509.KeyUsage, bits int) (Key, error) {
	private, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		return Key{}, err
	}

	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return Key{}, err
	}

	form := &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    now.Add(-24 * time.Hour), // the bank's clock may be behind
		NotAfter:     now.Add(validFor),
		KeyUsage:     usage,
	}

	der, err := x509.CreateCertificate(rand.Reader, form, form, &private.PublicKey, private)

	return Key{Private: private, Certificate: der}, err
}

// NotAfter returns when the first certificate of the keys expires.
func (k *Keys) NotAfter() (time.Time, error) {
	var first time.Time

	for _, key := range []Key{k.Signature, k.Authentication, k.Encryption} {
		c, err := x509.ParseCertificate(key.Certificate)
		if err != nil {
			return first, fmt.Errorf("certificate of a key: %w", err)
		}

		if first.IsZero() || c.NotAfter.Before(first) {
			first = c.NotAfter
		}
	}

	return first, nil
}

// keyJSON is how a key is stored: PKCS#8 and DER.
type keyJSON struct{ Private, Certificate []byte }

// MarshalJSON writes the key with its private half: seal what holds it.
func (k Key) MarshalJSON() ([]byte, error) {
	private, err := x509.MarshalPKCS8PrivateKey(k.Private)
	if err != nil {
		return nil, err
	}

	return json.Marshal(keyJSON{private, k.Certificate})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (k *Key) UnmarshalJSON(text []byte) error {
	var stored keyJSON
	if err := json.Unmarshal(text, &stored); err != nil {
		return err
	}

	private, err := x509.ParsePKCS8PrivateKey(stored.Private)
	if err != nil {
		return err
	}

	is := false
	if k.Private, is = private.(*rsa.PrivateKey); !is {
		return errors.New("it is no RSA key")
	}

	k.Certificate = stored.Certificate

	return nil
}

// Hash returns the fingerprint that letters print and people compare: of the certificate in version 3.0, of exponent
// and modulus in 2.5 (ch. 4.4.1.2.3).
func (p PublicKey) Hash(v Version) [sha256.Size]byte {
	if v == H005 && len(p.Certificate) > 0 {
		return sha256.Sum256(p.Certificate)
	}

	// Hexadecimal, lower case, without leading zeros, separated by a blank.
	text := strings.TrimLeft(fmt.Sprintf("%x", p.Key.E), "0") + " " +
		strings.TrimLeft(hex.EncodeToString(p.Key.N.Bytes()), "0")

	return sha256.Sum256([]byte(text))
}

// HashText returns the fingerprint as letters print it: pairs of capital hexadecimal digits.
func (p PublicKey) HashText(v Version) string {
	sum := p.Hash(v)
	return pairs(sum[:])
}

// pairs writes bytes as pairs of capital hexadecimal digits.
func pairs(b []byte) string {
	out := make([]string, len(b))
	for i, x := range b {
		out[i] = fmt.Sprintf("%02X", x)
	}

	return strings.Join(out, " ")
}

// SameHash reports whether a text that a person typed is the fingerprint: case, blanks and colons do not matter.
func (p PublicKey) SameHash(v Version, typed string) bool {
	plain := strings.NewReplacer(" ", "", ":", "", "-", "", "\n", "", "\t", "").Replace(strings.ToLower(typed))
	sum := p.Hash(v)

	return plain == hex.EncodeToString(sum[:])
}

// publicKeyOf checks a public key that somebody else made.
func publicKeyOf(key *rsa.PublicKey, certificate []byte) (PublicKey, error) {
	if bits := key.N.BitLen(); bits < leastBits || bits > mostBits {
		return PublicKey{}, fmt.Errorf("a key of %d bits: between %d and %d are accepted", bits, leastBits, mostBits)
	}

	if key.E < 3 || key.E&1 == 0 {
		return PublicKey{}, fmt.Errorf("a key with the exponent %d", key.E)
	}

	return PublicKey{Key: key, Certificate: certificate}, nil
}

// publicKeyOfCertificate returns the key in a certificate. The chain is not checked: people compare its hash with the
// bank's letter.
func publicKeyOfCertificate(der []byte) (PublicKey, error) {
	c, err := x509.ParseCertificate(der)
	if err != nil {
		return PublicKey{}, err
	}

	key, is := c.PublicKey.(*rsa.PublicKey)
	if !is {
		return PublicKey{}, errors.New("the certificate's key is no RSA key")
	}

	return publicKeyOf(key, der)
}

// ParseBankKeys reads what BankKeys.Text returned.
func ParseBankKeys(text []byte) (*BankKeys, error) {
	var stored bankKeysJSON
	if err := json.Unmarshal(text, &stored); err != nil {
		return nil, err
	}

	var out BankKeys
	for _, k := range []struct {
		to   *PublicKey
		from publicKeyJSON
	}{{&out.Authentication, stored.Authentication}, {&out.Encryption, stored.Encryption}} {
		key, err := publicKeyOf(&rsa.PublicKey{N: new(big.Int).SetBytes(k.from.Modulus), E: k.from.Exponent},
			k.from.Certificate)
		if err != nil {
			return nil, err
		}

		*k.to = key
	}

	return &out, nil
}
