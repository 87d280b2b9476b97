package observe_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/observe"
	"slipway/internal/platform/secret"
)

// canary stands in everything that must not be seen.
const canary = "c4n4ryXyZ"

// canaryNumber has more digits than stand in a row in a line's time.
const canaryNumber = 987_654_321_098

var privateKey = "0x" + strings.Repeat("c4", 32)

func token(prefix string) string { return prefix + canary + strings.Repeat("A", 34) }

type hides struct{ Name string }

func (h hides) LogValue() slog.Value {
	return slog.GroupValue(slog.String("name", h.Name), slog.String("password", canary))
}

// plant logs canaries in every place a value can stand.
func plant(l *slog.Logger) int {
	jwt := "eyJhbGciOiJub25lIn0." + canary + "." + canary
	header := http.Header{
		"Authorization": {"Bearer " + token("at_")},
		"Cookie":        {"a=" + canary},
		"Accept":        {"*/*"},
		"X-Api-Key":     {canary},
	}

	type user struct {
		Name, Password string
		Nested         map[string]any
	}
	u, _ := url.Parse("postgres://slipway:" + canary + "@db/slipway")

	lines := []func(){
		func() { l.Info("login", "password", canary) },
		func() { l.Info("login", "userPassword", canary, "old_password", []byte(canary)) },
		func() { l.Info("x", "client_secret", canary, "Secret", []string{canary}) },
		func() { l.Info("x", "access_token", canary, "refreshToken", token("rt_"), "token", canary) },
		func() { l.Info("x", "authorization", "Basic "+canary) },
		func() {
			l.Info("x", "key", privateKey, "signerKey", privateKey, "KEY", privateKey, "key_hex", privateKey)
		},
		func() { l.Info("x", "signature", canary, "cookie", canary, "X-Api-Key", canary, "apiKey", canary) },
		func() { l.Info("sent " + token("sk_live_") + " and " + token("sk_test_")) },
		func() { l.Info("x", "path", "/invoices/"+token("inv_")+"/pay") },
		func() { l.Info("x", "value", token("at_"), "other", "see "+token("rt_")+", "+jwt) },
		func() { l.Info("authorization: Bearer " + canary + "==") },
		func() { l.Info("Authorization: Basic " + canary) },
		func() { l.Error("open", "error", fmt.Errorf("connect %s: %w", u, errors.New("refused"))) },
		func() {
			l.Error("open", "error", errors.New(`Post "https://n/v?token=`+canary+`&api_key=`+canary+`": EOF`))
		},
		func() { l.Error("open", "error", errors.New("dsn host=db password="+canary+" user=x")) },
		func() {
			l.Error("bad body", "body", `{"email":"a@b.example","password":"`+canary+`","totp": "`+canary+`"}`)
		},
		func() { l.Info("x", "headers", header) },
		func() {
			l.Info("x", "user", user{"n", canary, map[string]any{"list": []any{map[string]any{"apiKey": canary}}}})
		},
		func() { l.Info("x", "user", &user{Password: canary}) },
		func() {
			l.Info("x", "func", struct {
				F        func()
				Password string
			}{nil, canary})
		},
		func() { l.Info("x", slog.Group("credentials", "value", canary)) },
		func() { l.WithGroup("secret").Info("x", "value", canary) },
		func() { l.With("password", canary).Info("x") },
		func() { l.Info("x", "who", hides{"n"}, "dsn", secret.Text(canary)) },
		func() { l.Info("x", "dump", fmt.Sprintf("%+v", user{Password: canary})) },
		func() {
			l.Info("x", "email", canary+"@example.org", "iban", canary, "text", "to "+canary+"@example.org")
		},
		func() { l.Info("x", canary[:0]+"password", canaryNumber) },
		func() { l.Info("private key: " + privateKey + " token: " + canary) },
		func() { l.Info("x", "msg", "password="+canary, "time", "secret="+canary, "level", "secret="+canary) },
	}
	for _, line := range lines {
		line()
	}

	return len(lines)
}

func TestNoCanaryReachesTheLog(t *testing.T) { // I-06, C-01
	for _, format := range []string{"json", "text"} {
		var out bytes.Buffer
		l, err := observe.NewLogger(&out, "debug", format)
		require.NoError(t, err)
		n := plant(l)

		for _, line := range strings.Split(out.String(), "\n") {
			require.NotContains(t, line, canary)
			require.NotContains(t, line, privateKey[2:])
			require.NotContains(t, line, strconv.Itoa(canaryNumber))
		}

		require.Equal(t, n, strings.Count(out.String(), "\n"))
	}
}

func TestWhatIsNoSecretStaysReadable(t *testing.T) {
	var out bytes.Buffer
	l, err := observe.NewLogger(&out, "info", "")
	require.NoError(t, err)
	want := map[string]string{
		"requestId":    "req_01jc3v9x2m7q4t8w5y6z0abcde",
		"transaction":  "txn_01jc3v9x2m7q4t8w5y6z0abcde",
		"key":          "transaction/txn_01jc3v9x2m7q4t8w5y6z0abcde/leg/2",
		"token":        "USDC",
		"tokenAddress": "0x52908400098527886E0F7030069857D2E4169EE7",
		"hash":         "0x" + strings.Repeat("ab", 32),
		"path":         "/transactions/txn_01jc3v9x2m7q4t8w5y6z0abcde/accept",
		"kind":         "mail.send",
		"error":        `decode body: invalid token: unexpected end of input`,
		"error2":       "insert payable pay_01jc3v9x2m7q4t8w5y6z0abcde: unique index of payables: constraint failed",
		"keyset":       "x y z",
		"monkey":       "Some Text",
	}

	var args []any
	for k, v := range want {
		args = append(args, k, v)
	}

	l.Info(
		"plain",
		append(args, "took", 3, "nothing", nil, "list", []int{1, 2}, "big", map[string]uint64{"n": 1<<63 + 1})...)

	var got map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &got), "not a terminal: one JSON document a line")

	for k, v := range want {
		t.Run(k, func(t *testing.T) {
			require.Equal(t, v, got[k])
		})
	}

	require.Equal(t, []any{1.0, 2.0}, got["list"])
	require.Contains(t, out.String(), `"n":9223372036854775809`, "numbers keep every digit")
}

func TestLineEndsCannotForgeALine(t *testing.T) { // I-06
	forged := "x\r\ntime=2026-01-01T00:00:00Z level=ERROR msg=forged\n{\"level\":\"ERROR\"}\u2028\x1b[2J"

	for _, format := range []string{"json", "text"} {
		var out bytes.Buffer
		l, err := observe.NewLogger(&out, "info", format)
		require.NoError(t, err)
		forged, name := forged+"\u0085\u202e", forged
		l.Info(forged, name, forged, "error", errors.New(forged), "list", []string{forged})
		l.With(name, "x").WithGroup(name).Info("x", "y", []byte(forged), "z", struct{ A string }{forged})
		require.Equal(t, 2, strings.Count(out.String(), "\n"))

		for _, bad := range []string{"\r", "\u2028", "\u0085", "\u202e", "\x1b"} {
			require.NotContains(t, out.String(), bad, "%s %q", format, bad)
		}
	}
}

func TestLoggerRefusesUnknownWords(t *testing.T) {
	_, err := observe.NewLogger(nil, "loud", "")
	require.ErrorContains(t, err, "loud")
	_, err = observe.NewLogger(nil, "info", "xml")
	require.ErrorContains(t, err, "xml")
}

func FuzzRedactKeepsNoPassword(f *testing.F) {
	f.Add("a", "b")

	f.Fuzz(func(t *testing.T, before, after string) {
		if strings.Contains(before+after, canary) {
			t.Skip()
		}

		for _, s := range []string{" password=" + canary, ` "password":"` + canary + `"`, "?token=" + canary + "1", " Bearer " + canary, " " + token("at_")} {
			if strings.Contains(observe.Redact(before+s+" "+after), canary) {
				t.Fatalf("%q", before+s+" "+after)
			}
		}
	})
}
