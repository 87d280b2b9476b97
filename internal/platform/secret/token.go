package secret

import (
	"crypto/rand"
	"hash/crc32"
	"strings"
)

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// The parts of a token after its prefix: 43 characters of base 62 hold 256 random bits, 6 hold a CRC-32.
const (
	randomLength   = 43
	checksumLength = 6
	// TokenLength is the number of characters after the prefix.
	TokenLength = randomLength + checksumLength
)

// Token returns a random credential: the prefix, 256 random bits and a checksum, all in letters and digits. The
// checksum detects a mistyped or invented token without a database, and lets scanners find leaked ones. It protects
// nothing.
func Token(prefix string) string {
	body := prefix + random(randomLength)
	return body + checksum(body)
}

// TokenForm reports whether s has the form of a token of this prefix: length, letters, checksum. It does not check that
// the token is valid.
func TokenForm(prefix, s string) bool {
	rest, ok := strings.CutPrefix(s, prefix)
	if !ok || len(rest) != TokenLength {
		return false
	}

	for i := range len(rest) {
		if strings.IndexByte(base62, rest[i]) < 0 {
			return false
		}
	}

	body := s[:len(s)-checksumLength]

	return s[len(body):] == checksum(body)
}

// random returns n letters, each of the 62 equally likely. Bytes from 248 on are discarded, since 256 is no multiple of
// 62.
func random(n int) string {
	out := make([]byte, 0, n)

	var buf [64]byte
	for len(out) < n {
		_, _ = rand.Read(buf[:]) // crypto/rand never fails since Go 1.24
		for _, b := range buf {
			if b < 248 && len(out) < n {
				out = append(out, base62[b%62])
			}
		}
	}

	return string(out)
}

func checksum(s string) string {
	n := crc32.ChecksumIEEE([]byte(s))

	var out [checksumLength]byte
	for i := checksumLength - 1; i >= 0; i-- {
		out[i] = base62[n%62]
		n /= 62
	}

	return string(out[:])
}
