package main

import (
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The flags of the signer are read whole, and every fault of them is told at once.
func TestSignerPolicyOfFlags(t *testing.T) {
	const a, b = "0x52908400098527886E0F7030069857D2E4169EE7", "0xde709f2102306220921060314715629080e2fb77"
	p, err := signerCommand{
		Router:     map[string]string{"1": a, "8453": b},
		Cap:        map[string]string{"1/" + b: "1000/5000"},
		MaxGas:     1,
		MaxFeeGwei: 2,
		PerHour:    3,
		PerDay:     4,
	}.policy()
	require.NoError(t, err)
	require.Len(t, p.Routers, 2)
	require.Equal(t, big.NewInt(2_000_000_000), p.MaxFeePerGasWei)
	require.Equal(t, []*big.Int{big.NewInt(1000), big.NewInt(5000)}, []*big.Int{p.Caps[0].Hour, p.Caps[0].Day})

	_, err = signerCommand{
		Router: map[string]string{"one": a, "2": "0x12"},
		Cap:    map[string]string{"1/" + b: "1000"},
	}.policy()
	for _, part := range []string{"--router one=", "--router 2=0x12", "--cap 1/" + b, "HOUR/DAY"} {
		require.ErrorContains(t, err, part)
	}
}

// One key is named, whole, and of one kind.
func TestSignerTakesOneKey(t *testing.T) {
	for text, f := range map[string]keyFlags{
		"name one key":                               {},
		"--kms-credentials are needed together":      {KMSKey: "alias/a", KMSRegion: "eu-west-1"},
		"--pkcs11-pin-file are needed together":      {HSMToken: "slipway"},
		"--keystore, --password-file are needed tog": {Keystore: "k"},
		"name one key: --keystore": {
			Keystore:       "k",
			PasswordFile:   "p",
			KMSKey:         "a",
			KMSRegion:      "b",
			KMSCredentials: "c",
		},
	} {
		_, _, err := f.open(t.Context())
		require.ErrorContains(t, err, text)
	}

	pin := filepath.Join(t.TempDir(), "pin")
	require.NoError(t, os.WriteFile(pin, []byte("1234\n"), 0o600))

	_, _, err := keyFlags{HSMModule: pin, HSMToken: "slipway", HSMKey: "operator", HSMPINFile: pin}.open(t.Context())
	require.Error(t, err, "a file that is no library, or a build without PKCS#11")
}
