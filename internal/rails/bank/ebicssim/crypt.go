//go:build !nosandbox

package ebicssim

import (
	"bytes"
	"compress/zlib"
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
)

// mostData limits what one upload may unpack to.
const mostData = 64 << 20

func unbase64(s string) ([]byte, error) {
	return base64.StdEncoding.DecodeString(strings.Join(strings.Fields(s), ""))
}

func base64of(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

// keyHash is the hash of a bare key: of exponent and modulus in hexadecimal.
func keyHash(k *rsa.PublicKey) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%x %s", k.E, strings.TrimLeft(fmt.Sprintf("%x", k.N), "0")))
	return sum[:]
}

// contentHash leaves out line ends, as electronic signatures do.
func contentHash(content []byte) []byte {
	var kept []byte
	for _, b := range content {
		if b != '\r' && b != '\n' && b != 0x1A {
			kept = append(kept, b)
		}
	}

	sum := sha256.Sum256(kept)

	return sum[:]
}

// pack compresses and encrypts with a new key, which it returns encrypted for its receiver.
func pack(content []byte, to *rsa.PublicKey) (data, wrapped []byte, err error) {
	var z bytes.Buffer

	w := zlib.NewWriter(&z)
	if _, err := w.Write(content); err != nil {
		return nil, nil, err
	}

	if err := w.Close(); err != nil {
		return nil, nil, err
	}

	key := make([]byte, 16)
	if _, err := rand.Read(key); err != nil {
		return nil, nil, err
	}

	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, nil, err
	}

	n := 16 - z.Len()%16
	padding := make([]byte, n)
	padding[n-1] = byte(n)
	data = append(z.Bytes(), padding...)

	//nolint:gosec // the protocol wants a vector of zeros: each key encrypts one transaction
	cipher.NewCBCEncrypter(block, make([]byte, 16)).CryptBlocks(data, data)

	//nolint:staticcheck // the protocol knows no other padding
	wrapped, err = rsa.EncryptPKCS1v15(rand.Reader, to, key)

	return data, wrapped, err
}

// unpack decrypts with a transaction key and inflates.
func unpack(data, key []byte) ([]byte, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}

	if len(data) == 0 || len(data)%16 != 0 {
		return nil, fmt.Errorf("%d bytes are no blocks", len(data))
	}

	out := make([]byte, len(data))
	cipher.NewCBCDecrypter(block, make([]byte, 16)).CryptBlocks(out, data)

	n := int(out[len(out)-1])
	if n < 1 || n > 16 {
		return nil, fmt.Errorf("padding of %d", n)
	}

	return unzip(out[:len(out)-n])
}

func unzip(data []byte) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}

	content, err := io.ReadAll(io.LimitReader(z, mostData+1))
	if err == nil && len(content) > mostData {
		err = fmt.Errorf("more than %d bytes", mostData)
	}

	return content, err
}

// signedBy verifies an electronic signature over content.
func signedBy(procedure string, key *rsa.PublicKey, content, signature []byte) bool {
	digest := contentHash(content)

	switch procedure {
	case "A005":
		return rsa.VerifyPKCS1v15(key, crypto.SHA256, digest, signature) == nil
	case "A006":
		sum := sha256.Sum256(digest)
		return rsa.VerifyPSS(key, crypto.SHA256, sum[:], signature, &rsa.PSSOptions{SaltLength: 32}) == nil
	}

	return false
}
