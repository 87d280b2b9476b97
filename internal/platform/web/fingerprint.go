package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"

	"github.com/go-json-experiment/json/jsontext"
)

// fingerprint returns SHA-256 over the canonical form (RFC 8785) of a body. It is equal for bodies that differ only in
// white space, in the order of members, or in how a text is escaped. Whole numbers stay as they are written: 2^53 and
// 2^53+1 differ. No body has the fingerprint of the empty text.
func fingerprint(raw []byte) (string, error) {
	text := jsontext.Value(bytes.Clone(raw))
	if len(text) > 0 {
		if err := text.Canonicalize(jsontext.CanonicalizeRawInts(false)); err != nil {
			return "", err
		}
	}

	sum := sha256.Sum256(text)

	return hex.EncodeToString(sum[:]), nil
}
