package otp_test

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/standards/otp"
)

const seed = "1234567890123456789012345678901234567890123456789012345678901234"

// RFC 4226, appendix D.
func TestCodesOfRFC4226(t *testing.T) {
	k := otp.Usual([]byte(seed[:20]))
	for counter, want := range []string{"755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"} {
		require.Equal(t, want, k.Code(int64(counter)))
	}
}

// RFC 6238, appendix B, with the secret lengths of its errata.
func TestCodesOfRFC6238(t *testing.T) {
	for _, c := range []struct {
		at                   int64
		sha1, sha256, sha512 string
	}{
		{59, "94287082", "46119246", "90693936"},
		{1111111109, "07081804", "68084774", "25091201"},
		{1111111111, "14050471", "67062674", "99943326"},
		{1234567890, "89005924", "91819424", "93441116"},
		{2000000000, "69279037", "90698825", "38618901"},
		{20000000000, "65353130", "77737706", "47863826"},
	} {
		for _, k := range []struct {
			otp.Key
			want string
		}{
			{otp.Key{Secret: []byte(seed[:20]), Algorithm: otp.SHA1, Digits: 8, Period: 30}, c.sha1},
			{otp.Key{Secret: []byte(seed[:32]), Algorithm: otp.SHA256, Digits: 8, Period: 30}, c.sha256},
			{otp.Key{Secret: []byte(seed), Algorithm: otp.SHA512, Digits: 8, Period: 30}, c.sha512},
		} {
			require.Equal(t, k.want, k.Code(k.Step(time.Unix(c.at, 0))), "%s at %d", k.Algorithm, c.at)
		}
	}
}

// one step to either side and no more, and no step twice.
func TestMatchTakesOneStepToEitherSideOnce(t *testing.T) {
	k := otp.NewKey()
	now := time.Unix(1_800_000_015, 0)

	step := k.Step(now)
	for d := int64(-3); d <= 3; d++ {
		got, ok := k.Match(k.Code(step+d), now, 1, 0)
		require.Equal(t, d >= -1 && d <= 1, ok, "%d steps off", d)

		if ok {
			require.Equal(t, step+d, got)
			_, again := k.Match(k.Code(step+d), now, 1, got)
			require.False(t, again, "the step was used")
		}
	}

	for _, code := range []string{"", "0", k.Code(step)[:5], k.Code(step) + "0", " " + k.Code(step), strings.Repeat("9", 1000)} {
		_, ok := k.Match(code, now, 1, 0)
		require.False(t, ok, code)
	}

	require.NotEqual(t, otp.NewKey().Secret, otp.NewKey().Secret)
}

func TestURLIsReadByApps(t *testing.T) {
	k := otp.Usual([]byte("Hello!\xde\xad\xbe\xef"))

	require.Equal(
		t,
		"otpauth://totp/Example:alice@google.com?secret=JBSWY3DPEHPK3PXP&issuer=Example",
		k.URL("Example", "alice@google.com"),
	)

	u, err := url.Parse(otp.Key{
		Secret:    k.Secret,
		Algorithm: otp.SHA256,
		Digits:    8,
		Period:    60,
	}.URL("Slip & way: Zürich", "a+b/c?d@e.ch"))

	require.NoError(t, err)
	require.Equal(t, "/Slip & way: Zürich:a+b/c?d@e.ch", u.Path)

	require.Equal(t, url.Values{
		"secret":    {"JBSWY3DPEHPK3PXP"},
		"issuer":    {"Slip & way: Zürich"},
		"algorithm": {"SHA256"},
		"digits":    {"8"},
		"period":    {"60"},
	}, u.Query())
}

// fixture reads a list of cases that others published.
func fixture(t *testing.T, name string, into any) {
	t.Helper()

	dir := os.Getenv("SLIPWAY_FIXTURES")
	if dir == "" {
		t.Skip("SLIPWAY_FIXTURES names no folder: the published vectors are not looked at")
	}

	raw, err := os.ReadFile(filepath.Join(dir, "auth_crypto", "otp", name))
	if err != nil {
		t.Skip("the published vectors are not on this machine (SLIPWAY_FIXTURES)")
	}

	require.NoError(t, json.Unmarshal(raw, into))
}

func TestPublishedVectors(t *testing.T) {
	var totp []struct {
		Time         int64
		Algorithm    otp.Algorithm
		Digits       int
		Period       int64
		SecretASCII  string
		Code, Code6  string
		SecretBase32 string
	}
	fixture(t, "rfc6238_totp.json", &totp)
	require.NotEmpty(t, totp)

	for _, c := range totp {
		k := otp.Key{Secret: []byte(c.SecretASCII), Algorithm: c.Algorithm, Digits: c.Digits, Period: c.Period}
		require.Equal(t, c.Code, k.Code(k.Step(time.Unix(c.Time, 0))))
		require.Equal(t, strings.TrimRight(c.SecretBase32, "="), k.Base32())
		k.Digits = 6
		require.Equal(t, c.Code6, k.Code(k.Step(time.Unix(c.Time, 0))))
	}

	var hotp []struct {
		Counter     int64
		Code        string
		SecretASCII string
	}
	fixture(t, "rfc4226_hotp.json", &hotp)
	require.NotEmpty(t, hotp)

	for _, c := range hotp {
		require.Equal(t, c.Code, otp.Usual([]byte(c.SecretASCII)).Code(c.Counter))
	}
}
