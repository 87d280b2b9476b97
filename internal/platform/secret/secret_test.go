package secret_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/secret"
)

func keyring(t *testing.T, parts ...secret.Text) *secret.Keyring {
	t.Helper()
	k, err := secret.ParseKeyring(secret.Text(strings.Join(secret.RevealAll(parts), ",\n")))
	require.NoError(t, err)

	return k
}

func TestTextNeverPrintsItself(t *testing.T) { // C-01
	const canary = "canary-5512"
	v := struct{ A, Empty secret.Text }{A: canary}

	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "v", v.A, "all", v)
	encoded, err := json.Marshal(v)
	require.NoError(t, err)

	for _, s := range []string{fmt.Sprint(v), fmt.Sprintf("%+v %#v %s %q", v, v, v.A, v.A), string(encoded), log.String()} {
		require.NotContains(t, s, canary)
		require.Contains(t, s, "[set]")
	}

	require.JSONEq(t, `{"A":"[set]","Empty":""}`, string(encoded))
	require.Equal(t, canary, v.A.Reveal())
}

func TestSealedValueOpensOnlyUntouchedAndInItsContext(t *testing.T) { // C-02
	k := keyring(t, secret.NewKey("k1"))
	sealed := k.Seal([]byte("JBSWY3DP"), "totp/usr_1")
	plain, err := k.Open(sealed, "totp/usr_1")
	require.NoError(t, err)
	require.Equal(t, "JBSWY3DP", string(plain))
	require.NotEqual(t, sealed, k.Seal([]byte("JBSWY3DP"), "totp/usr_1"), "equal values must not look equal")

	_, err = k.Open(sealed, "totp/usr_2")
	require.ErrorIs(t, err, secret.ErrForged)

	at := strings.LastIndexByte(sealed, ':') + 1
	for i := at; i < len(sealed); i++ {
		other := byte('A')
		if sealed[i] == other {
			other = 'B'
		}

		_, err = k.Open(sealed[:i]+string(other)+sealed[i+1:], "totp/usr_1")
		require.Error(t, err, "character %d", i)
	}

	// The last letter of 41 bytes carries four bits that mean nothing; they must be zero, so that one value has one
	// text.
	odd := k.Seal([]byte("x"), "c")
	require.Len(t, odd[strings.LastIndexByte(odd, ':')+1:], 55)
	letters := "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	last := strings.IndexByte(letters, odd[len(odd)-1])
	_, err = k.Open(odd[:len(odd)-1]+letters[last+1:last+2], "c")
	require.ErrorIs(t, err, secret.ErrForm)

	for _, s := range []string{"", "s1:", "s1:k1:", "s1:k1:AA", "s2" + sealed[2:], "JBSWY3DP", sealed + ":x"} {
		_, err = k.Open(s, "totp/usr_1")
		require.Error(t, err, s)
	}
}

func TestRotationOpensOldAndSealsNew(t *testing.T) { // C-02
	first := secret.NewKey("k1")
	second := secret.NewKey("k2")
	old := keyring(t, first).Seal([]byte("v"), "c")
	both := keyring(t, second, first)
	plain, err := both.Open(old, "c")
	require.NoError(t, err)
	require.Equal(t, "v", string(plain))

	fresh, changed, err := both.Reseal(old, "c")
	require.NoError(t, err)
	require.True(t, changed)
	same, changed, err := both.Reseal(fresh, "c")
	require.NoError(t, err)
	require.False(t, changed)
	require.Equal(t, fresh, same)

	only := keyring(t, second)
	_, err = only.Open(fresh, "c")
	require.NoError(t, err)
	_, err = only.Open(old, "c")
	require.ErrorIs(t, err, secret.ErrUnknownKey)
	// A box cannot be passed off as another key's: the id is bound.
	_, err = both.Open(strings.Replace(fresh, ":k2:", ":k1:", 1), "c")
	require.ErrorIs(t, err, secret.ErrForged)
}

func TestSignatureIsGoodForItsContextMessageAndKeyAlone(t *testing.T) { // C-02
	one := secret.NewKey("k1")
	two := secret.NewKey("k2")
	k := keyring(t, one)
	id, mac := k.Sign("unsubscribe", "usr_1.product")
	require.Equal(t, "k1", id)
	require.True(t, k.Verify(id, "unsubscribe", "usr_1.product", mac))
	require.True(t, keyring(t, two, one).Verify(id, "unsubscribe", "usr_1.product", mac), "after a rotation")
	require.False(t, keyring(t, two).Verify(id, "unsubscribe", "usr_1.product", mac), "the key has left")
	require.False(t, k.Verify(id, "other", "usr_1.product", mac))
	require.False(t, k.Verify(id, "unsubscribe", "usr_2.product", mac))
	require.False(t, k.Verify(id, "unsubscribe", "usr_1.product", mac[:31]))
	require.False(t, k.Verify("", "unsubscribe", "usr_1.product", nil))
}

func TestKeyringRefusesBadKeysWithoutShowingThem(t *testing.T) {
	good := secret.NewKey("k1").Reveal()

	for name, text := range map[string]string{
		"none":       " ,\n",
		"no id":      "QUJD",
		"short":      "k1:QUJD",
		"not base64": "k1:canary!",
		"id":         "k 1:" + good[3:],
		"twice":      good + "," + good,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := secret.ParseKeyring(secret.Text(text))
			require.Error(t, err)
			require.NotContains(t, err.Error(), "canary")
			require.NotContains(t, err.Error(), good[3:])
		})
	}
}

func TestTokenIsRandomAndChecksItself(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		s := secret.Token("sk_live_")
		require.Len(t, s, len("sk_live_")+secret.TokenLength)
		require.True(t, secret.TokenForm("sk_live_", s), s)
		require.False(t, seen[s])
		seen[s] = true
	}

	s := secret.Token("at_")
	require.False(t, secret.TokenForm("rt_", s))
	require.False(t, secret.TokenForm("at_", "rt_"+s[3:]), "the prefix is part of the checksum")
	require.False(t, secret.TokenForm("at_", s[:len(s)-1]))
	require.False(t, secret.TokenForm("at_", s+"0"))
	require.False(t, secret.TokenForm("at_", s[:10]+"-"+s[11:]))

	for i := 3; i < len(s); i++ {
		other := byte('0')
		if s[i] == other {
			other = '1'
		}

		require.False(t, secret.TokenForm("at_", s[:i]+string(other)+s[i+1:]), "character %d", i)
	}
}
