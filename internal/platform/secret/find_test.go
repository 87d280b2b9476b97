package secret_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/secret"
)

// Equal values are found by an equal hash, for one purpose and with one key; what older keys have hashed is found as
// long as they are there. (C-02)
func TestKeyedHashFindsEqualValuesAlone(t *testing.T) {
	one := secret.NewKey("k1")
	two := secret.NewKey("k2")
	k := keyring(t, one)
	hash := k.Find("iban", "DE89370400440532013000")
	require.Equal(t, hash, keyring(t, one).Find("iban", "DE89370400440532013000"))
	require.NotEqual(t, hash, k.Find("iban", "DE89370400440532013001"))
	require.NotEqual(t, hash, k.Find("iba", "nDE89370400440532013000"))
	require.NotEqual(t, hash, keyring(t, secret.NewKey("k1")).Find("iban", "DE89370400440532013000"))

	both := keyring(t, two, one)
	require.Equal(t, []string{both.Find("iban", "DE89370400440532013000"), hash},
		both.FindAny("iban", "DE89370400440532013000"))
	require.NotEqual(t, hash, both.Find("iban", "DE89370400440532013000"))
}

// Bytes are sealed as texts are: for a context, by a key that is named, untouched. (C-02)
func TestSealedBytesOpenOnlyUntouchedAndInTheirContext(t *testing.T) {
	one := secret.NewKey("k1")
	two := secret.NewKey("k2")
	k := keyring(t, one)
	plain := []byte("bytes: \x00\xff")
	sealed := k.SealBytes(plain, "file/1")
	got, err := keyring(t, two, one).OpenBytes(sealed, "file/1")
	require.NoError(t, err)
	require.Equal(t, plain, got)
	id, err := secret.KeyOf(sealed)
	require.NoError(t, err)
	require.Equal(t, "k1", id)
	id, err = secret.KeyOf([]byte(keyring(t, two).Seal(plain, "file/1")))
	require.NoError(t, err)
	require.Equal(t, "k2", id)

	_, err = k.OpenBytes(sealed, "file/2")
	require.ErrorIs(t, err, secret.ErrForged)
	_, err = keyring(t, two).OpenBytes(sealed, "file/1")
	require.ErrorIs(t, err, secret.ErrUnknownKey)

	for i := range sealed {
		other := bytes.Clone(sealed)
		other[i] ^= 1
		_, err = k.OpenBytes(other, "file/1")
		require.Error(t, err, "byte %d", i)
	}

	for _, s := range [][]byte{nil, []byte("s1b:k1:"), []byte("s1b:k1:short"), plain} {
		_, err = k.OpenBytes(s, "file/1")
		require.ErrorIs(t, err, secret.ErrForm)
	}
}
