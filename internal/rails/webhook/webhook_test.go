package webhook_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/rails/webhook"
)

var at = time.Unix(1614265330, 0)

// The published vector of Standard Webhooks, made by its reference library.
func TestSignaturesAreThoseOfStandardWebhooks(t *testing.T) {
	got, err := webhook.Sign([]string{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}, "msg_p5jXN8AQM9LWM0D4loKWxJek", at,
		[]byte(`{"test": 2432232314}`))
	require.NoError(t, err)
	require.Equal(t, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", got)
}

func TestSignaturesOfTheFixtures(t *testing.T) {
	folder := os.Getenv("SLIPWAY_FIXTURES")
	if folder == "" {
		t.Skip("SLIPWAY_FIXTURES is not set")
	}

	raw, err := os.ReadFile(filepath.Join(folder, "webhooks_http", "standard_webhooks_vectors.json"))
	require.NoError(t, err)

	var vectors []struct {
		Name, Secret, Body string
		Headers            map[string]string
		Now                int64
		Valid              bool
	}

	require.NoError(t, json.Unmarshal(raw, &vectors))

	valid := 0

	for _, v := range vectors {
		seconds, err := strconv.ParseInt(v.Headers["webhook-timestamp"], 10, 64)
		if !v.Valid || err != nil {
			continue
		}

		got, err := webhook.Sign([]string{v.Secret}, v.Headers["webhook-id"], time.Unix(seconds, 0), []byte(v.Body))
		require.NoError(t, err, v.Name)
		require.Contains(t, strings.Fields(v.Headers["webhook-signature"]), got, v.Name)

		valid++
	}

	require.NotZero(t, valid)
}

func TestEachKeySigns(t *testing.T) {
	one, two := webhook.NewKey(), webhook.NewKey()
	require.NotEqual(t, one, two)

	both, err := webhook.Sign([]string{one, two}, "id", at, []byte("x"))
	require.NoError(t, err)

	alone, err := webhook.Sign([]string{two}, "id", at, []byte("x"))
	require.NoError(t, err)
	require.Equal(t, alone, strings.Fields(both)[1])

	_, err = webhook.Sign([]string{"whsec_!"}, "id", at, nil)
	require.Error(t, err)
}

// A private key signs as v1a what its public key verifies. The signature is the one of RFC 8032: the same each time.
func TestAPrivateKeySignsAsV1a(t *testing.T) {
	key := webhook.NewPrivateKey()
	require.NotEqual(t, key, webhook.NewPrivateKey())

	signature, err := webhook.Sign([]string{webhook.NewKey(), key}, "msg_1", at, []byte("x"))
	require.NoError(t, err)

	text, v1a := strings.CutPrefix(strings.Fields(signature)[1], "v1a,")
	require.True(t, v1a, signature)

	raw, err := base64.StdEncoding.DecodeString(text)
	require.NoError(t, err)

	public, named := strings.CutPrefix(webhook.PublicKey(key), "whpk_")
	require.True(t, named)

	verifier, err := base64.StdEncoding.DecodeString(public)
	require.NoError(t, err)
	require.True(t, ed25519.Verify(verifier, []byte("msg_1.1614265330.x"), raw))
	require.False(t, ed25519.Verify(verifier, []byte("msg_1.1614265330.y"), raw))

	for _, bad := range []string{"whsk_", "whsk_!", "whsk_AAAA", webhook.NewKey()} {
		require.Empty(t, webhook.PublicKey(bad), bad)
	}

	_, err = webhook.Sign([]string{"whsk_AAAA"}, "msg_1", at, nil)
	require.Error(t, err, "it is no shared key either")
}

// I-07: every address that is not of the public internet is refused where it is dialled, however it is written.
func TestTheGuardRefusesWhatIsNotPublic(t *testing.T) {
	s := webhook.New(webhook.Guard{})

	for name, host := range map[string]string{
		"loopback":              "127.0.0.1",
		"loopback by name":      "localhost",
		"loopback IPv6":         "[::1]",
		"any":                   "0.0.0.0",
		"any IPv6":              "[::]",
		"private 10":            "10.0.0.1",
		"private 172":           "172.16.0.1",
		"private 192":           "192.168.1.1",
		"link local":            "169.254.1.1",
		"metadata":              "169.254.169.254",
		"metadata IPv6":         "[fd00:ec2::254]",
		"carrier-grade NAT":     "100.64.0.1",
		"benchmark":             "198.18.0.1",
		"documentation":         "192.0.2.1",
		"multicast":             "224.0.0.1",
		"broadcast":             "255.255.255.255",
		"IPv4-mapped":           "[::ffff:127.0.0.1]",
		"IPv4-mapped in hex":    "[::ffff:7f00:1]",
		"IPv4-compatible":       "[::127.0.0.1]",
		"NAT64":                 "[64:ff9b::7f00:1]",
		"local NAT64":           "[64:ff9b:1::7f00:1]",
		"6to4":                  "[2002:7f00:1::]",
		"Teredo":                "[2001:0:7f00:1::]",
		"unique local":          "[fc00::1]",
		"link local IPv6":       "[fe80::1]",
		"documentation IPv6":    "[2001:db8::1]",
		"a public one's port":   "1.1.1.1:22",
		"and its port for mail": "1.1.1.1:25",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.Send(t.Context(), webhook.Message{ID: "m", URL: "https://" + host, At: at, Keys: nil})

			var refused *webhook.RefusedError

			require.ErrorAs(t, err, &refused)
			require.NotContains(t, webhook.Explain(err), "127.")
		})
	}
}

func TestAddressesAreJudgedAsTheyAreWritten(t *testing.T) {
	live := webhook.Guard{}

	for _, good := range []string{
		"https://example.org", "https://hooks.example.org/a?b=c", "https://example.org:8443/", "https://1.1.1.1/",
		"https://xn--bcher-kva.example",
	} {
		require.NoError(t, live.CheckURL(good), good)
	}

	for bad, want := range map[string]error{
		"http://example.org":               webhook.ErrNotHTTPS,
		"ftp://example.org":                webhook.ErrNotHTTPS,
		"//example.org":                    webhook.ErrNotHTTPS,
		"https:example.org":                webhook.ErrNotPlain,
		"https://":                         webhook.ErrNotPlain,
		"https://a:b@example.org":          webhook.ErrNotPlain,
		"https://example.org/#x":           webhook.ErrNotPlain,
		"https://example.org:22":           webhook.ErrPort,
		"https://2130706433":               webhook.ErrNotPublic, // 127.0.0.1 in decimal
		"https://0x7f000001":               webhook.ErrNotPublic,
		"https://0177.0.0.1":               webhook.ErrNotPublic, // octal
		"https://0x7f.1":                   webhook.ErrNotPublic,
		"https://127.1":                    webhook.ErrNotPublic,
		"https://127.0.0.1.":               webhook.ErrNotPublic,
		"https://127.0.0.1":                webhook.ErrNotPublic,
		"https://[::ffff:10.0.0.1]":        webhook.ErrNotPublic,
		"https://localhost":                webhook.ErrNotPublic,
		"https://LOCALHOST.":               webhook.ErrNotPublic,
		"https://a.localhost":              webhook.ErrNotPublic,
		"https://metadata.google.internal": webhook.ErrNotPublic,
		"https://printer.local":            webhook.ErrNotPublic,
		"https://intranet":                 webhook.ErrNotPublic,
	} {
		require.ErrorIs(t, live.CheckURL(bad), want, bad)
	}

	require.NoError(t, webhook.Guard{AllowPrivate: true}.CheckURL("http://127.0.0.1:4711/x"))
}

// A name may have a public address and a private one, or another address at each look-up: what counts is the address
// that is dialled, each by itself and each time.
func TestANameIsJudgedByTheAddressThatIsDialled(t *testing.T) {
	const public = "1.1.1.1"

	lookups := [][]string{
		{public, "10.0.0.1", "169.254.169.254"}, // nobody answers at the public one
		{"10.0.0.1", public},
		{public},
		{"127.0.0.1"}, // it has changed since it was judged
	}

	looked := 0

	var admitted, refused []string

	s := webhook.NewWithLookup(webhook.Guard{}, func(context.Context, string) ([]string, error) {
		looked++
		return lookups[looked-1], nil
	}, func(address string, no bool) {
		if no {
			refused = append(refused, address)
		} else {
			admitted = append(admitted, address)
		}
	})

	for range lookups {
		_, err := s.Send(t.Context(), webhook.Message{ID: "m", URL: "https://hooks.example.org", At: at})
		require.Error(t, err)
	}

	require.Equal(t, len(lookups), looked, "each connection is judged by itself")
	require.Equal(t, []string{public + ":443", public + ":443", public + ":443"}, admitted)
	require.Equal(t, []string{"10.0.0.1:443", "169.254.169.254:443", "10.0.0.1:443", "127.0.0.1:443"}, refused)
}

// A private address is refused before a proxy of the environment is asked for it.
func TestNoProxyIsAskedForAPrivateAddress(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the proxy was asked")
	}))
	defer proxy.Close()

	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("HTTPS_PROXY", proxy.URL)

	s := webhook.New(webhook.Guard{})
	_, err := s.Send(t.Context(), webhook.Message{ID: "m", URL: "http://10.0.0.1", At: at})

	var refused *webhook.RefusedError

	require.ErrorAs(t, err, &refused)
}

func TestARedirectIsAnAnswerAndAnAnswerIsBounded(t *testing.T) {
	asked := 0

	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++

		body, _ := io.ReadAll(r.Body)
		require.Equal(t, "{}", string(body))
		require.Equal(t, "evt_1", r.Header.Get("webhook-id"))
		require.Equal(t, "1614265330", r.Header.Get("webhook-timestamp"))
		w.Header().Set("Location", "http://169.254.169.254/")
		w.Header().Set("Retry-After", "120")
		w.WriteHeader(http.StatusTemporaryRedirect)
		_, _ = io.WriteString(w, strings.Repeat("x", 100_000))
	}))
	defer server.Close()

	s := webhook.New(webhook.Guard{AllowPrivate: true})
	a, err := s.Send(t.Context(), webhook.Message{
		ID:   "evt_1",
		URL:  server.URL,
		At:   at,
		Body: []byte("{}"),
		Keys: []string{webhook.NewKey()},
	})
	require.NoError(t, err)
	require.Equal(t, 307, a.Status)
	require.Len(t, a.Body, 16<<10)
	require.Equal(t, 2*time.Minute, a.RetryAfter)
	require.Equal(t, 1, asked)
}

func TestErrorsAreExplainedWithoutAddresses(t *testing.T) {
	require.Empty(t, webhook.Explain(nil))
	require.Equal(t, "The name was not found.", webhook.Explain(&net.DNSError{Name: "10.1.2.3"}))
	require.Contains(t, webhook.Explain(context.DeadlineExceeded), "15 seconds")
	require.NotContains(t, webhook.Explain(errors.New("dial 10.1.2.3: refused")), "10.1")
}
