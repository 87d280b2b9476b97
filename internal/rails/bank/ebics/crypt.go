package ebics

import (
	"bytes"
	"compress/zlib"
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
)

// keySize is the length of a transaction key: AES-128 (ch. 14.2, E002).
const keySize = 16

// orderDigest is the hash that an electronic signature signs, and that H005 calls DataDigest. The bytes CR, LF and 0x1A
// are left out (ch. 14.1).
func orderDigest(content []byte) []byte {
	h := sha256.New()

	from := 0
	for i, b := range content {
		if b == '\r' || b == '\n' || b == 0x1A {
			_, _ = h.Write(content[from:i])
			from = i + 1
		}
	}

	_, _ = h.Write(content[from:])

	return h.Sum(nil)
}

// sign006 makes an electronic signature A006 over a digest: RSA-PSS with SHA-256, MGF1 with SHA-256 and a salt of 32
// bytes, over the hash of the digest (ch. 14.1.4.2).
func sign006(key *rsa.PrivateKey, digest []byte) ([]byte, error) {
	sum := sha256.Sum256(digest)

	return rsa.SignPSS(rand.Reader, key, crypto.SHA256, sum[:], pssOptions())
}

func pssOptions() *rsa.PSSOptions {
	return &rsa.PSSOptions{SaltLength: sha256.Size, Hash: crypto.SHA256}
}

// VerifyOrder reports whether a signature of a procedure, A005 or A006, is that of a key over an order's content.
func VerifyOrder(procedure string, key *rsa.PublicKey, content, signature []byte) error {
	digest := orderDigest(content)

	switch procedure {
	case A006:
		sum := sha256.Sum256(digest)
		return rsa.VerifyPSS(key, crypto.SHA256, sum[:], signature, pssOptions())
	case A005: // ch. 14.1.4.1
		return rsa.VerifyPKCS1v15(key, crypto.SHA256, digest, signature)
	}

	return fmt.Errorf("signature procedure %q: only %s and %s are known", procedure, A005, A006)
}

// compress packs order data (ch. 3.3: ZLIB, RFC 1950).
func compress(content []byte) ([]byte, error) {
	var out bytes.Buffer

	w := zlib.NewWriter(&out)

	_, err := w.Write(content)
	if err = errors.Join(err, w.Close()); err != nil {
		return nil, err
	}

	return out.Bytes(), nil
}

// errTooLarge refuses data that would fill our memory.
var errTooLarge = errors.New("the data is larger than is accepted")

// inflate unpacks order data up to a limit.
func inflate(packed []byte, most int64) ([]byte, error) {
	r, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpack the order data: %w", err)
	}

	out, err := io.ReadAll(io.LimitReader(r, most+1))
	if err != nil {
		return nil, fmt.Errorf("unpack the order data: %w", err)
	}

	if int64(len(out)) > most {
		return nil, fmt.Errorf("unpack the order data: %w (%d bytes)", errTooLarge, most)
	}

	return out, nil
}

// encrypt encrypts with AES-128 in CBC mode. The initialisation vector is zero, as the specification wants: each key
// encrypts one transaction. The padding is that of ANSI X9.23: zeros, then the padding's length (ch. 14.2.1).
func encrypt(key, content []byte) ([]byte, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}

	pad := aes.BlockSize - len(content)%aes.BlockSize
	out := make([]byte, len(content)+pad)
	copy(out, content)
	out[len(out)-1] = byte(pad)

	//nolint:gosec // see above
	cipher.NewCBCEncrypter(block, make([]byte, aes.BlockSize)).CryptBlocks(out, out)

	return out, nil
}

// decrypt reverses encrypt. Only the padding's last byte is read: banks fill the rest with what they like.
func decrypt(key, content []byte) ([]byte, error) {
	if len(key) != keySize {
		return nil, fmt.Errorf("a transaction key of %d bytes instead of %d", len(key), keySize)
	}

	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}

	if len(content) == 0 || len(content)%aes.BlockSize != 0 {
		return nil, fmt.Errorf("encrypted order data of %d bytes: no whole number of blocks", len(content))
	}

	out := make([]byte, len(content))
	cipher.NewCBCDecrypter(block, make([]byte, aes.BlockSize)).CryptBlocks(out, content)

	pad := int(out[len(out)-1])
	if pad < 1 || pad > aes.BlockSize {
		return nil, errors.New("the order data does not decrypt: wrong padding")
	}

	return out[:len(out)-pad], nil
}

// wrapKey encrypts a transaction key for its receiver (ch. 14.2.1: RSA with PKCS#1 v1.5).
func wrapKey(to *rsa.PublicKey, key []byte) ([]byte, error) {
	//nolint:staticcheck // the protocol knows no other padding; the key is new for each transaction
	return rsa.EncryptPKCS1v15(rand.Reader, to, key)
}

// unwrapKey reverses wrapKey. A wrong padding gives a random key, so that nobody learns which padding was right; the
// data then does not decrypt. Some clients pad the transaction key to the modulus with zeros: not accepted.
func unwrapKey(with *rsa.PrivateKey, wrapped []byte) ([]byte, error) {
	key := make([]byte, keySize)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}

	//nolint:staticcheck // as wrapKey
	err := rsa.DecryptPKCS1v15SessionKey(nil, with, wrapped, key)

	return key, err
}
