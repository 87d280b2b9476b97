package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// keyPrefix begins every key (Standard Webhooks, "Signature scheme").
const keyPrefix = "whsec_"

// keyBytes is the length of a key.
const keyBytes = 32

var errKey = errors.New("a webhook key is not base64 after " + keyPrefix)

// NewKey returns a random key.
func NewKey() string {
	raw := make([]byte, keyBytes)
	_, _ = rand.Read(raw) // it never fails since Go 1.24

	return keyPrefix + base64.StdEncoding.EncodeToString(raw)
}

// Sign returns the value of Webhook-Signature: a signature by each key over the message's id, its time in seconds and
// its body.
func Sign(keys []string, id string, at time.Time, body []byte) (string, error) {
	signatures := make([]string, len(keys))

	for i, key := range keys {
		raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(key, keyPrefix))
		if err != nil || len(raw) == 0 {
			return "", fmt.Errorf("key %d: %w", i, errKey)
		}

		mac := hmac.New(sha256.New, raw)
		mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
		mac.Write(body)
		signatures[i] = "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}

	return strings.Join(signatures, " "), nil
}
