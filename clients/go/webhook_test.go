package slipway_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slipway-client"
	"strings"
	"testing"
	"time"
)

// The published vector of Standard Webhooks, made by its reference library.
const (
	vectorSecret    = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" //nolint:gosec // published
	vectorBody      = `{"test": 2432232314}`
	vectorSignature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
)

var vectorTime = time.Unix(1614265330, 0)

func vectorHeader() http.Header {
	return http.Header{
		"Webhook-Id":        {"msg_p5jXN8AQM9LWM0D4loKWxJek"},
		"Webhook-Timestamp": {"1614265330"},
		"Webhook-Signature": {vectorSignature},
	}
}

func verifier(t *testing.T, now time.Time, keys ...string) *slipway.Verifier {
	t.Helper()

	v, err := slipway.NewVerifier(keys...)
	check(t, err)

	v.Now = func() time.Time { return now }

	return v
}

func TestAVerificationIsAnsweredByItsChallenge(t *testing.T) {
	for body, want := range map[string]string{
		`{"type":"webhook_endpoint.verification","data":{"object":{"_id":"whv_1","challenge":"whc_x"}}}`: "whc_x",
		`{"type":"webhook_endpoint.verification","data":{"object":{"_id":"whv_1"}}}`:                     "",
		`{"type":"transaction.created","data":{"object":{"_id":"txn_1","challenge":"whc_x"}}}`:           "",
	} {
		var e slipway.FeedView

		check(t, json.Unmarshal([]byte(body), &e))

		if got := e.Challenge(); got != want {
			t.Errorf("%s: %q", body, got)
		}
	}
}

func TestAMessageIsVerified(t *testing.T) { // W-01
	other := "whsec_" + base64.StdEncoding.EncodeToString([]byte("another key, by somebody else..."))
	check(t, verifier(t, vectorTime, vectorSecret).Verify(vectorHeader(), []byte(vectorBody)))
	check(t, verifier(t, vectorTime, other, vectorSecret).Verify(vectorHeader(), []byte(vectorBody)))

	rotating := vectorHeader()
	rotating.Set("Webhook-Signature", "v1,AAAA v1a,AAAA "+vectorSignature+" v2,x")
	check(t, verifier(t, vectorTime.Add(5*time.Minute), vectorSecret).Verify(rotating, []byte(vectorBody)))

	for name, change := range map[string]func(h http.Header, body *string, now *time.Time, key *string){
		"another key":         func(_ http.Header, _ *string, _ *time.Time, key *string) { *key = other },
		"one bit of the body": func(_ http.Header, body *string, _ *time.Time, _ *string) { *body = `{"test": 2432232315}` },
		"encoded again":       func(_ http.Header, body *string, _ *time.Time, _ *string) { *body = `{"test":2432232314}` },
		"another id":          func(h http.Header, _ *string, _ *time.Time, _ *string) { h.Set("Webhook-Id", "msg_2") },
		"no id":               func(h http.Header, _ *string, _ *time.Time, _ *string) { h.Del("Webhook-Id") },
		"no time":             func(h http.Header, _ *string, _ *time.Time, _ *string) { h.Del("Webhook-Timestamp") },
		"no signature":        func(h http.Header, _ *string, _ *time.Time, _ *string) { h.Del("Webhook-Signature") },
		"a signature twice":   func(h http.Header, _ *string, _ *time.Time, _ *string) { h.Add("Webhook-Signature", "v1,AAAA") },
		"too old":             func(_ http.Header, _ *string, now *time.Time, _ *string) { *now = now.Add(301 * time.Second) },
		"too new":             func(_ http.Header, _ *string, now *time.Time, _ *string) { *now = now.Add(-301 * time.Second) },
		"an unknown version": func(h http.Header, _ *string, _ *time.Time, _ *string) {
			h.Set("Webhook-Signature", "v2"+vectorSignature[2:])
		},
		"a version without it": func(h http.Header, _ *string, _ *time.Time, _ *string) { h.Set("Webhook-Signature", "v1,") },
		"a time that is none":  func(h http.Header, _ *string, _ *time.Time, _ *string) { h.Set("Webhook-Timestamp", "+1614265330") },
	} {
		h := vectorHeader()
		body := vectorBody
		now := vectorTime
		key := vectorSecret
		change(h, &body, &now, &key)

		if err := verifier(t, now, key).Verify(h, []byte(body)); !errors.Is(err, slipway.ErrWebhook) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAPublicKeyVerifiesToo(t *testing.T) {
	public, private, err := ed25519.GenerateKey(nil)
	check(t, err)

	h := vectorHeader()
	signed := ed25519.Sign(private, []byte("msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330."+vectorBody))
	h.Set("Webhook-Signature", "v1,AAAA v1a,"+base64.StdEncoding.EncodeToString(signed))

	v := verifier(t, vectorTime, "whpk_"+base64.StdEncoding.EncodeToString(public))
	check(t, v.Verify(h, []byte(vectorBody)))
	equal(t, true, errors.Is(v.Verify(vectorHeader(), []byte(vectorBody)), slipway.ErrWebhook))
	equal(t, true, errors.Is(v.Verify(h, []byte(vectorBody+" ")), slipway.ErrWebhook))
}

func TestAVerifierNeedsSoundKeys(t *testing.T) {
	for _, bad := range [][]string{{}, {""}, {"whsec_"}, {"whsec_!"}, {"whpk_AAAA"}, {"other_AAAA"}} {
		if _, err := slipway.NewVerifier(bad...); err == nil {
			t.Error(bad)
		}
	}
}

func TestTheFixturesOfStandardWebhooks(t *testing.T) {
	folder := os.Getenv("SLIPWAY_FIXTURES")
	if folder == "" {
		t.Skip("SLIPWAY_FIXTURES is not set")
	}

	raw, err := os.ReadFile(
		filepath.Join(folder, "webhooks_http", "standard_webhooks_vectors.json"),
	) //nolint:gosec // ours
	check(t, err)

	var vectors []struct {
		Name, Secret, Body string
		Headers            map[string]string
		Now                int64
		Valid              bool
	}

	check(t, json.Unmarshal(raw, &vectors))

	for _, x := range vectors {
		h := http.Header{}
		for name, value := range x.Headers {
			h.Set(name, value)
		}

		err := verifier(t, time.Unix(x.Now, 0), x.Secret).Verify(h, []byte(x.Body))
		if (err == nil) != x.Valid {
			t.Errorf("%s: %v", x.Name, err)
		}
	}

	equal(t, true, len(vectors) > 5)
}

func TestAnEventIsReadAfterItWasVerified(t *testing.T) {
	v := verifier(t, vectorTime, vectorSecret)

	_, err := v.Event(vectorHeader(), []byte(vectorBody+" "))
	equal(t, true, errors.Is(err, slipway.ErrWebhook))

	e, err := v.Event(vectorHeader(), []byte(vectorBody))
	check(t, err)
	equal(t, "", strings.TrimSpace(e.ID))
}

// send sends the published message to an address.
func send(address string) {
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, address, strings.NewReader(vectorBody))
	if err != nil {
		panic(err)
	}

	r.Header = vectorHeader()

	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		panic(err)
	}

	_ = answer.Body.Close()
}
