//go:build !nosandbox

package signer

import (
	"context"
	"flag"
	"math/big"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/kms"
	"slipway/internal/rails/chain/kms/kmssim"
)

// signatures is how many signatures each backend gives; a thorough run takes 100000.
var signatures = flag.Int("signatures", 500, "signatures of each backend that are verified")

// K-02: every signature of every backend is canonical (s in the lower half, recovery id 0 or 1, EIP-2) and recovers
// to the signer's address: of a key from an encrypted file in this process, of the signer process behind its socket,
// and of that process with a key at a key service.
func TestSignaturesAreCanonical(t *testing.T) {
	b := newBench(t)
	file := filepath.Join(t.TempDir(), "key")
	require.NoError(t, chain.WriteKeystore(file, "nine violet kettles", b.key))
	keystore, err := chain.OpenKeystore(file, "nine violet kettles")
	require.NoError(t, err)
	b.Signer.policy.MaxFeePerGasWei = new(big.Int).Lsh(big.NewInt(1), 64)
	half := new(big.Int).Rsh(crypto.S256().Params().N, 1)
	public := crypto.FromECDSAPub(&b.key.PublicKey)
	scheme := types.LatestSignerForChainID(big.NewInt(chainID))

	for name, backend := range map[string]chain.Signer{
		"keystore":    keystore,
		"remote":      b.served(),
		"key service": b.atKeyService().served(),
	} {
		t.Run(name, func(t *testing.T) {
			for i := range *signatures {
				tx := b.batch(0, 1, func(x *types.DynamicFeeTx) {
					x.GasTipCap = big.NewInt(int64(i))
					x.GasFeeCap = big.NewInt(int64(i) + 1_000_000)
				})

				signed := b.signedBy(backend, tx)
				v, r, s := signed.RawSignatureValues()
				require.True(t, v.Sign() == 0 || v.Cmp(common.Big1) == 0, "recovery id %s", v)
				require.True(t, r.Sign() > 0 && s.Sign() > 0 && s.Cmp(half) <= 0, "s is %s", s)

				rs := append(common.LeftPadBytes(r.Bytes(), 32), common.LeftPadBytes(s.Bytes(), 32)...)
				require.True(t, crypto.VerifySignature(public, scheme.Hash(tx).Bytes(), rs))

				from, err := types.Sender(scheme, signed)
				require.NoError(t, err)
				require.Equal(t, keystore.Address(), from)
			}
		})
	}
}

// atKeyService is a signer with the same key at a key service.
func (b *bench) atKeyService() *bench {
	b.t.Helper()

	who := kms.Credentials{KeyID: "AKIDEXAMPLE", Secret: "a secret"}
	sim, err := kmssim.New("eu-central-1", who, b.clock)
	require.NoError(b.t, err)
	sim.AddKey("alias/operator", b.key)

	server := httptest.NewServer(sim)
	b.t.Cleanup(server.Close)

	key, err := kms.Open(b.t.Context(), kms.Config{
		Region:      "eu-central-1",
		Key:         "alias/operator",
		Endpoint:    server.URL,
		Credentials: func() (kms.Credentials, error) { return who, nil },
		Clock:       b.clock,
	})
	require.NoError(b.t, err)

	held, err := chain.NewHeldSigner(key)
	require.NoError(b.t, err)

	out := *b
	out.backend = held
	out.policy = b.Signer.policy
	out.journal = filepath.Join(b.t.TempDir(), "signed.jsonl")
	out.open()

	return &out
}

// signedBy asks a backend, the first time until its socket is there.
func (b *bench) signedBy(s chain.Signer, tx *types.Transaction) *types.Transaction {
	b.t.Helper()

	signed, err := s.SignTx(context.Background(), tx, tx.ChainId())
	if err != nil {
		require.Eventually(b.t, func() bool {
			signed, err = s.SignTx(context.Background(), tx, tx.ChainId())
			return err == nil
		}, patienceOfSocket, tickOfSocket)
	}

	return signed
}
