package slipway

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// webhookTolerance is how far a message's time may be from now (Standard Webhooks, "Verifying webhook authenticity").
const webhookTolerance = 5 * time.Minute

// The prefixes of keys.
const (
	secretPrefix = "whsec_"
	publicPrefix = "whpk_"
)

// ErrWebhook means that a message is not to be trusted. What wraps it says why.
var ErrWebhook = errors.New("slipway: webhook")

// Verifier checks messages of a webhook endpoint, as Standard Webhooks describe. One good signature by one of the keys
// is enough, so that keys can be replaced without losing a message.
type Verifier struct {
	secrets [][]byte
	public  []ed25519.PublicKey

	// Now returns the present time; nil: time.Now.
	Now func() time.Time
}

// NewVerifier returns a verifier with keys: secrets ("whsec_…" or base64 alone, of v1 signatures) and public keys
// ("whpk_…", of v1a).
func NewVerifier(keys ...string) (*Verifier, error) {
	v := &Verifier{}

	for i, key := range keys {
		prefix, text, named := strings.Cut(key, "_")
		if !named {
			prefix, text = "whsec", key
		}

		raw, err := base64.StdEncoding.DecodeString(text)

		switch {
		case err != nil || len(raw) == 0:
			return nil, fmt.Errorf("slipway: webhook key %d must be base64 after its prefix", i)
		case prefix+"_" == secretPrefix:
			v.secrets = append(v.secrets, raw)
		case prefix+"_" == publicPrefix && len(raw) == ed25519.PublicKeySize:
			v.public = append(v.public, raw)
		default:
			return nil, fmt.Errorf("slipway: webhook key %d must begin with %s or %s", i, secretPrefix, publicPrefix)
		}
	}

	if len(v.secrets)+len(v.public) == 0 {
		return nil, errors.New("slipway: a verifier needs a key")
	}

	return v, nil
}

// Verify returns nil if the message is of the service and of now. body must be the bytes as they came: a body that was
// decoded and encoded again is another one. A message may come more than once: compare its webhook-id.
func (v *Verifier) Verify(h http.Header, body []byte) error {
	id := single(h, "Webhook-Id")
	at := single(h, "Webhook-Timestamp")
	signatures := single(h, "Webhook-Signature")

	if id == "" || at == "" || signatures == "" {
		return fmt.Errorf("%w: webhook-id, webhook-timestamp and webhook-signature must each be there once", ErrWebhook)
	}

	if err := v.recent(at); err != nil {
		return err
	}

	signed := append([]byte(id+"."+at+"."), body...)

	for signature := range strings.FieldsSeq(signatures) {
		version, text, _ := strings.Cut(signature, ",")

		raw, err := base64.StdEncoding.DecodeString(text)
		if err == nil && v.good(version, raw, signed) {
			return nil
		}
	}

	return fmt.Errorf("%w: no signature is by a known key", ErrWebhook)
}

// Event verifies a message and returns its event.
func (v *Verifier) Event(h http.Header, body []byte) (e FeedView, err error) {
	if err := v.Verify(h, body); err != nil {
		return e, err
	}

	if err := json.Unmarshal(body, &e); err != nil {
		return e, fmt.Errorf("%w: %w", ErrWebhook, err)
	}

	return e, nil
}

// Challenge returns what to answer to a message of the type webhook_endpoint.verification, as the text of an answer of
// 200: it says that the address wants events. It returns "" for every other event. Verify the message before.
func (e FeedView) Challenge() string {
	if e.Type != "webhook_endpoint.verification" {
		return ""
	}

	var asked struct{ Challenge string }

	_ = json.Unmarshal(e.Data.Object, &asked) // another form has no challenge

	return asked.Challenge
}

// recent returns an error for a time that is too far away: an old message may be sent again by somebody who has seen
// it.
func (v *Verifier) recent(at string) error {
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || strings.HasPrefix(at, "+") {
		return fmt.Errorf("%w: webhook-timestamp must be seconds", ErrWebhook)
	}

	now := time.Now
	if v.Now != nil {
		now = v.Now
	}

	if age := now().Sub(time.Unix(seconds, 0)); age.Abs() > webhookTolerance {
		return fmt.Errorf("%w: it is %s away from now", ErrWebhook, age)
	}

	return nil
}

// good reports whether a signature of a version is by one of its keys. Other versions are ignored.
func (v *Verifier) good(version string, signature, signed []byte) bool {
	switch version {
	case "v1":
		for _, key := range v.secrets {
			mac := hmac.New(sha256.New, key)
			mac.Write(signed)

			if hmac.Equal(mac.Sum(nil), signature) {
				return true
			}
		}
	case "v1a":
		for _, key := range v.public {
			if ed25519.Verify(key, signed, signature) {
				return true
			}
		}
	}

	return false
}

// single returns the value of a header that came once, or "".
func single(h http.Header, name string) string {
	if values := h.Values(name); len(values) == 1 {
		return values[0]
	}

	return ""
}
