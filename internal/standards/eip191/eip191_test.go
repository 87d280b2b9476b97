package eip191_test

import (
	"encoding/hex"
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"slipway/internal/standards/eip191"
)

func fixture(t *testing.T, name string, into any) {
	t.Helper()

	dir := os.Getenv("SLIPWAY_FIXTURES")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "fixtures")
	}

	raw, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Skip("the shared fixtures are not on this machine (SLIPWAY_FIXTURES)")
	}

	require.NoError(t, json.Unmarshal(raw, into))
}

func TestVectors(t *testing.T) {
	var vectors []struct {
		Kind, Message, MessageHex, Hash, Signature, Address string
		Valid                                               bool
	}
	fixture(t, "evm_signatures/eip191_personal_sign.json", &vectors)
	require.NotEmpty(t, vectors)

	for _, v := range vectors {
		message := []byte(v.Message)
		if v.MessageHex != "" {
			message = common.FromHex(v.MessageHex)
		}

		if v.Kind == "hash" {
			h := eip191.Hash(message)
			require.Equal(t, v.Hash, "0x"+hex.EncodeToString(h[:]))
			continue
		}

		got, err := eip191.Recover(message, common.FromHex(v.Signature))
		require.NoError(t, err)
		require.Equal(t, v.Valid, strings.EqualFold(v.Address, got.Hex()), v.Signature)
	}
}

func TestAccounts(t *testing.T) {
	var accounts []struct{ Name, PrivateKey, Address string }
	fixture(t, "evm_signatures/ethers/accounts.json", &accounts)

	for _, a := range accounts {
		key, err := crypto.ToECDSA(common.FromHex(a.PrivateKey))
		require.NoError(t, err, a.Name)

		hash := eip191.Hash([]byte(a.Name))
		sig, err := crypto.Sign(hash[:], key)
		require.NoError(t, err)

		got, err := eip191.Recover([]byte(a.Name), sig)
		require.NoError(t, err)
		require.Equal(t, a.Address, got.Hex(), a.Name)
	}
}

func TestUndeployedSuffix(t *testing.T) {
	var v struct {
		ERC6492 struct{ MagicSuffix, OriginalSignature string }
	}
	fixture(t, "evm_signatures/erc1271_erc6492.json", &v)
	sig := common.FromHex(v.ERC6492.OriginalSignature)
	require.False(t, eip191.Undeployed(sig))
	require.True(t, eip191.Undeployed(append(sig, common.FromHex(v.ERC6492.MagicSuffix)...)))
	require.False(t, eip191.Undeployed(common.FromHex(v.ERC6492.MagicSuffix)[:31]))
}

// Each writing of a right signature other than the one is refused: a stored signature can then be compared as bytes.
func TestOneWritingOfASignature(t *testing.T) {
	order := crypto.S256().Params().N

	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "key")

		key, err := crypto.ToECDSA(seed)
		if err != nil {
			t.Skip("not a key")
		}

		message := rapid.SliceOfN(rapid.Byte(), 0, 80).Draw(t, "message")
		hash := eip191.Hash(message)

		sig, err := crypto.Sign(hash[:], key)
		if err != nil {
			t.Fatal(err)
		}

		who := crypto.PubkeyToAddress(key.PublicKey)
		for _, shift := range []byte{0, 27} {
			c := append(append([]byte(nil), sig[:64]...), sig[64]+shift)
			if got, err := eip191.Recover(message, c); err != nil || got != who {
				t.Fatalf("v+%d: %v %v", shift, got, err)
			}
		}

		high := append([]byte(nil), sig...) // the same key by EIP-2's arithmetic: s' = n - s, the other v
		new(big.Int).Sub(order, new(big.Int).SetBytes(sig[32:64])).FillBytes(high[32:64])

		high[64] ^= 1
		for name, bad := range map[string][]byte{
			"high s": high,
			"short":  sig[:64],
			"long":   append(append([]byte(nil), sig...), 0),
			"v 2":    append(append([]byte(nil), sig[:64]...), 2),
			"v 29":   append(append([]byte(nil), sig[:64]...), 29),
			"v 35":   append(append([]byte(nil), sig[:64]...), 37),
			"zero":   make([]byte, 65),
			"empty":  nil,
		} {
			if _, err := eip191.Recover(message, bad); err == nil {
				t.Fatalf("%s was accepted", name)
			}
		}
	})
}

func TestWycheproofRangesAreRefused(t *testing.T) {
	n := crypto.S256().Params().N
	word := func(x *big.Int) []byte { return x.FillBytes(make([]byte, 32)) }
	one := big.NewInt(1)

	hash := eip191.Hash([]byte("x"))
	for name, rs := range map[string][2]*big.Int{
		"r = 0":       {new(big.Int), one},
		"s = 0":       {one, new(big.Int)},
		"r = n":       {n, one},
		"s = n":       {one, n},
		"s = n-1":     {one, new(big.Int).Sub(n, one)},
		"s over half": {one, new(big.Int).Add(new(big.Int).Rsh(n, 1), one)},
	} {
		sig := append(append(word(rs[0]), word(rs[1])...), 27)
		_, err := eip191.RecoverHash(hash, sig)
		require.ErrorIs(t, err, eip191.ErrForm, name)
	}
}

func FuzzRecover(f *testing.F) {
	f.Add(
		[]byte("hello world"),
		common.FromHex(
			"0xa461f509887bd19e312c0c58467ce8ff8e300d3c1a90b608a760c5b80318eaf15fe57c96f9175d6cd4daad4663763baa7e78836e067d0163e9a2ccf2ff753f5b1b",
		),
	)

	f.Fuzz(func(t *testing.T, message, sig []byte) {
		if _, err := eip191.Recover(message, sig); err == nil && len(sig) != eip191.Length {
			t.Fatal("a signature of another length was accepted")
		}
	})
}
