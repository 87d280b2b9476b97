package webhook

import (
	"crypto/ed25519"
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

// What keys begin with (Standard Webhooks, "Signature scheme").
const (
	secretPrefix  = "whsec_" // shared by both sides, of v1
	privatePrefix = "whsk_"  // of v1a
	publicPrefix  = "whpk_"
)

// secretBytes is the length of a shared key.
const secretBytes = 32

var errKey = errors.New("a webhook key is not base64 after " + secretPrefix + " or " + privatePrefix)

// NewKey returns a random shared key (whsec_…), which signs as v1 and verifies.
func NewKey() string {
	raw := make([]byte, secretBytes)
	_, _ = rand.Read(raw) // it never fails since Go 1.24

	return secretPrefix + base64.StdEncoding.EncodeToString(raw)
}

// NewPrivateKey returns a random private key (whsk_…), which signs as v1a. It stays with the sender.
func NewPrivateKey() string {
	_, private, _ := ed25519.GenerateKey(nil) // it reads as rand.Read does, and never fails

	return privatePrefix + base64.StdEncoding.EncodeToString(private)
}

// PublicKey returns the key that verifies what a private key signs (whpk_…), or "" if the key is no private one.
func PublicKey(key string) string {
	private, err := privateKey(key)
	if err != nil {
		return ""
	}

	return publicPrefix + base64.StdEncoding.EncodeToString(private[ed25519.SeedSize:])
}

// Sign returns the value of Webhook-Signature: a signature by each key over the message's id, its time in seconds and
// its body. A private key signs as v1a (Ed25519), any other as v1 (HMAC-SHA256).
func Sign(keys []string, id string, at time.Time, body []byte) (string, error) {
	signed := append([]byte(id+"."+strconv.FormatInt(at.Unix(), 10)+"."), body...)
	signatures := make([]string, len(keys))

	for i, key := range keys {
		sign := signShared
		if strings.HasPrefix(key, privatePrefix) {
			sign = signPrivate
		}

		signature, err := sign(key, signed)
		if err != nil {
			return "", fmt.Errorf("key %d: %w", i, err)
		}

		signatures[i] = signature
	}

	return strings.Join(signatures, " "), nil
}

func signShared(key string, signed []byte) (string, error) {
	raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(key, secretPrefix))
	if err != nil || len(raw) == 0 {
		return "", errKey
	}

	mac := hmac.New(sha256.New, raw)
	mac.Write(signed)

	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)), nil
}

func signPrivate(key string, signed []byte) (string, error) {
	private, err := privateKey(key)
	if err != nil {
		return "", err
	}

	return "v1a," + base64.StdEncoding.EncodeToString(ed25519.Sign(private, signed)), nil
}

func privateKey(key string) (ed25519.PrivateKey, error) {
	text, named := strings.CutPrefix(key, privatePrefix)

	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || !named || len(raw) != ed25519.PrivateKeySize {
		return nil, errKey
	}

	return raw, nil
}
