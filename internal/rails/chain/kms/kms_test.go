//go:build !nosandbox

package kms_test

import (
	"context"
	"math/big"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/kms"
	"slipway/internal/rails/chain/kms/kmssim"
)

// service is a key service with one key, and a caller's configuration.
func service(t *testing.T) (*kmssim.Server, kms.Config, common.Address) {
	t.Helper()

	file := filepath.Join(t.TempDir(), "credentials")
	require.NoError(t, os.WriteFile(file, []byte(
		"[other]\naws_access_key_id = AKIANOT\n[default]\naws_access_key_id = AKIDEXAMPLE\n"+
			"aws_secret_access_key=a/secret+of=us\naws_session_token = a token\n"), 0o600))

	known, err := kms.FromFile(file)()
	require.NoError(t, err)
	require.Equal(t, kms.Credentials{KeyID: "AKIDEXAMPLE", Secret: "a/secret+of=us", Token: "a token"}, known)

	now := clock.New()
	sim, err := kmssim.New("eu-central-1", known, now)
	require.NoError(t, err)

	key, err := crypto.GenerateKey()
	require.NoError(t, err)
	sim.AddKey("alias/operator", key)

	server := httptest.NewServer(sim)
	t.Cleanup(server.Close)

	return sim, kms.Config{
		Region:      "eu-central-1",
		Key:         "alias/operator",
		Endpoint:    server.URL,
		Credentials: kms.FromFile(file),
		Clock:       now,
	}, crypto.PubkeyToAddress(key.PublicKey)
}

func transaction(nonce uint64) *types.Transaction {
	to := common.HexToAddress("0x1001")

	return types.NewTx(&types.DynamicFeeTx{
		ChainID:   big.NewInt(1),
		Nonce:     nonce,
		To:        &to,
		Value:     new(big.Int),
		Gas:       21_000,
		GasFeeCap: big.NewInt(2),
		GasTipCap: big.NewInt(1),
	})
}

// K-02: the address is that of the public key that the service tells; each signature is canonical and recovers to it,
// although half of those that the service gives are not.
func TestSignaturesOfTheKeyServiceAreCanonical(t *testing.T) {
	sim, config, address := service(t)
	key, err := kms.Open(t.Context(), config)
	require.NoError(t, err)
	s, err := chain.NewHeldSigner(key)
	require.NoError(t, err)
	require.Equal(t, address, s.Address())

	const many = 300

	scheme := types.LatestSignerForChainID(big.NewInt(1))
	half := new(big.Int).Rsh(crypto.S256().Params().N, 1)

	for i := range uint64(many) {
		signed, err := s.SignTx(t.Context(), transaction(i), big.NewInt(1))
		require.NoError(t, err)

		v, _, low := signed.RawSignatureValues()
		require.LessOrEqual(t, v.Uint64(), uint64(1))
		require.LessOrEqual(t, low.Cmp(half), 0)

		from, err := types.Sender(scheme, signed)
		require.NoError(t, err)
		require.Equal(t, address, from)
	}

	high := 0

	for i, line := range sim.Books() {
		require.Equal(t, [32]byte(scheme.Hash(transaction(uint64(i)))), line.Digest)

		if line.High {
			high++
		}
	}

	require.Len(t, sim.Books(), many)
	require.Greater(t, high, many/4, "the upper half was met")
}

// What the service answers wrongly is never taken for a signature, and silence of any kind is no refusal: the service
// may have signed.
func TestNothingButTheKeysSignatureIsTaken(t *testing.T) { // K-03
	for manner, text := range map[kmssim.Manner]string{
		kmssim.Throttled: "ThrottlingException",
		kmssim.Disabled:  "DisabledException",
		kmssim.Lost:      "broke off",
		kmssim.OtherKey:  "not the key's",
		kmssim.Garbage:   "not in DER",
		kmssim.OtherSpec: "invalid character",
	} {
		t.Run(string(manner), func(t *testing.T) {
			sim, config, _ := service(t)
			key, err := kms.Open(t.Context(), config)
			require.NoError(t, err)
			s, err := chain.NewHeldSigner(key)
			require.NoError(t, err)

			sim.Behave(manner)
			_, err = s.SignTx(t.Context(), transaction(0), big.NewInt(1))
			require.ErrorContains(t, err, text)
			require.NotErrorAs(t, err, new(*chain.Refusal))

			sim.Behave(kmssim.Honest)
			_, err = s.SignTx(t.Context(), transaction(0), big.NewInt(1))
			require.NoError(t, err)
		})
	}
}

// A key of another kind, an unknown one, or a caller whom the service does not know, ends the start.
func TestAKeyThatCannotSignIsRefusedAtTheStart(t *testing.T) {
	sim, config, _ := service(t)
	opens := func(c kms.Config) error {
		_, err := kms.Open(context.Background(), c)
		return err
	}

	sim.Behave(kmssim.OtherCurve)
	require.ErrorContains(t, opens(config), "secp256k1")
	sim.Behave(kmssim.Encrypting)
	require.ErrorContains(t, opens(config), "KEY_AGREEMENT")
	sim.Behave(kmssim.Honest)
	require.NoError(t, opens(config))

	other := config
	other.Key = "alias/other"
	require.ErrorContains(t, opens(other), "NotFoundException")

	other = config
	other.Region = "us-east-1"
	require.ErrorContains(t, opens(other), "InvalidSignatureException")

	other = config
	other.Credentials = func() (kms.Credentials, error) {
		return kms.Credentials{KeyID: "AKIDEXAMPLE", Secret: "another", Token: "a token"}, nil
	}
	require.ErrorContains(t, opens(other), "not that of the request")

	late := clock.New()
	late.Advance(time.Hour)

	other = config
	other.Clock = late
	require.ErrorContains(t, opens(other), "not now")
}
