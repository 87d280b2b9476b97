//go:build pkcs11

package hsm_test

import (
	"context"
	"flag"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/platformtest/parts"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
	"slipway/internal/rails/chain/hsm"
	"slipway/internal/rails/chain/signer"
)

// signatures is how many signatures the module gives; a thorough run takes 100000.
var signatures = flag.Int("signatures", 1000, "signatures of the module that are verified")

// askers is how many ask at once.
const askers = 4

// token makes a token of SoftHSM2 with three key pairs: operator, twice "twin", and one of another curve.
func token(t *testing.T) hsm.Config {
	t.Helper()

	programs := parts.Need(t, "softhsm2-util", "pkcs11-tool")

	found, err := filepath.Glob("/usr/lib/*softhsm/libsofthsm2.so")
	require.NoError(t, err)

	more, err := filepath.Glob("/usr/lib/*/softhsm/libsofthsm2.so")
	require.NoError(t, err)

	modules := append(found, more...)
	if len(modules) == 0 {
		t.Skip("left out: there is no libsofthsm2.so here")
	}

	dir := t.TempDir()
	parts.File(t, dir, "softhsm2.conf", "directories.tokendir = "+dir+"\nlog.level = ERROR\n")
	t.Setenv("SOFTHSM2_CONF", filepath.Join(dir, "softhsm2.conf"))

	run := func(program string, args ...string) {
		said, err := exec.Command(program, args...).CombinedOutput()
		require.NoError(t, err, string(said))
	}

	run(programs[0], "--init-token", "--free", "--label", "slipway", "--so-pin", "12345678", "--pin", "87654321")

	for i, key := range [][2]string{
		{"operator", "EC:secp256k1"},
		{"twin", "EC:secp256k1"},
		{"twin", "EC:secp256k1"},
		{"elsewhere", "EC:prime256v1"},
	} {
		run(programs[1], "--module", modules[0], "--token-label", "slipway", "--login", "--pin", "87654321",
			"--keypairgen", "--key-type", key[1], "--label", key[0], "--id", string(rune('1'+i))+"0", "--usage-sign")
	}

	return hsm.Config{Module: modules[0], Token: "slipway", Label: "operator", PIN: "87654321"}
}

// K-02: signatures of a real PKCS#11 module are canonical and recover to its key's address, also when many ask at once.
// A module that was asked with a wrong PIN, or for a key that is not there once, or is of another curve, is refused.
func TestRealModuleSigns(t *testing.T) {
	config := token(t)

	for text, edit := range map[string]func(*hsm.Config){
		"no token is labelled": func(c *hsm.Config) { c.Token = "another" },
		"sign in to the token": func(c *hsm.Config) { c.PIN = "00000000" },
		"has 0 such halves":    func(c *hsm.Config) { c.Label = "nobody" },
		"has 2 such halves":    func(c *hsm.Config) { c.Label = "twin" },
		"not on the curve":     func(c *hsm.Config) { c.Label = "elsewhere" },
		"no PKCS#11 library":   func(c *hsm.Config) { c.Module = os.Args[0] },
	} {
		c := config
		edit(&c)

		_, err := hsm.Open(c)
		require.ErrorContains(t, err, text)
	}

	key, err := hsm.Open(config)
	require.NoError(t, err)

	defer func() { require.NoError(t, key.Close()) }()

	s, err := chain.NewHeldSigner(key)
	require.NoError(t, err)

	each := uint64(*signatures / askers)

	to := common.HexToAddress("0x1001")
	scheme := types.LatestSignerForChainID(big.NewInt(1))
	half := new(big.Int).Rsh(crypto.S256().Params().N, 1)

	var wg sync.WaitGroup
	for part := range uint64(askers) {
		wg.Go(func() {
			for i := range each {
				tx := types.NewTx(
					&types.DynamicFeeTx{ChainID: big.NewInt(1), Nonce: part*each + i, To: &to, Gas: 21_000},
				)

				signed, err := s.SignTx(context.Background(), tx, big.NewInt(1))
				if !check(t, err) {
					return
				}

				_, _, low := signed.RawSignatureValues()
				from, err := types.Sender(scheme, signed)

				if !check(t, err) || low.Cmp(half) > 0 || from != s.Address() {
					t.Errorf("nonce %d: s is %s, from %s", tx.Nonce(), low, from)
					return
				}
			}
		})
	}

	wg.Wait()
}

func check(t *testing.T, err error) bool {
	if err != nil {
		t.Error(err)
	}

	return err == nil
}

// K-03, K-04, K-05: the signer process refuses the same whoever holds its key: another contract, a second batch under
// one nonce, and more than its limit, after a restart too.
func TestRealModuleSignsWithinThePolicy(t *testing.T) {
	key, err := hsm.Open(token(t))
	require.NoError(t, err)

	defer func() { require.NoError(t, key.Close()) }()

	held, err := chain.NewHeldSigner(key)
	require.NoError(t, err)

	router, elsewhere := common.HexToAddress("0x1001"), common.HexToAddress("0xe711")
	journal := filepath.Join(t.TempDir(), "signed.jsonl")
	open := func() *signer.Signer {
		s, err := signer.Open(held, signer.Policy{
			Routers:         map[uint64]common.Address{1: router},
			MaxGas:          1_000_000,
			MaxFeePerGasWei: big.NewInt(100),
			PerHour:         2,
			PerDay:          2,
		}, journal, clock.New())
		require.NoError(t, err)

		return s
	}
	batch := func(to common.Address, nonce uint64, units int64) *types.Transaction {
		data, err := contract.EncodePay(contract.Batch{
			Payer:  common.HexToAddress("0x3003"),
			Token:  common.HexToAddress("0x2002"),
			Number: new(big.Int).SetUint64(nonce),
			Legs:   []contract.Leg{{To: common.HexToAddress("0x4004"), Amount: big.NewInt(units)}},
		})
		require.NoError(t, err)

		return types.NewTx(&types.DynamicFeeTx{
			ChainID:   big.NewInt(1),
			Nonce:     nonce,
			To:        &to,
			Data:      data,
			Gas:       300_000,
			GasFeeCap: big.NewInt(50),
			GasTipCap: big.NewInt(1),
		})
	}

	s := open()
	_, err = s.Sign(t.Context(), batch(elsewhere, 0, 1))
	require.Error(t, err)
	_, err = s.Sign(t.Context(), batch(router, 0, 1))
	require.NoError(t, err)
	_, err = s.Sign(t.Context(), batch(router, 1, 1))
	require.NoError(t, err)
	require.NoError(t, s.Close())

	s = open()
	_, err = s.Sign(t.Context(), batch(router, 0, 2))
	require.Error(t, err, "another batch under its nonce")
	_, err = s.Sign(t.Context(), batch(router, 0, 1))
	require.NoError(t, err, "the same one")
	_, err = s.Sign(t.Context(), batch(router, 2, 1))
	require.Error(t, err, "the limit of the hour")
	require.NoError(t, s.Close())
}
