package config

import (
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha512"
	"encoding/binary"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"
)

// The list is what the mnemonic of anvil and Hardhat gives (BIP-39, then BIP-32 along m/44'/60'/0'/0/i), and our own
// faucet, not what somebody copied.
func TestDevelopmentAccountsAreThoseOfTheMnemonic(t *testing.T) { // C-06
	seed, err := pbkdf2.Key(sha512.New, strings.Repeat("test ", 11)+"junk", []byte("mnemonic"), 2048, 64)
	require.NoError(t, err)

	key, chain := split64(seed, "Bitcoin seed")
	for _, i := range []uint32{44 | 1<<31, 60 | 1<<31, 1 << 31, 0} {
		key, chain = child(t, key, chain, i)
	}

	var want []string
	for i := range uint32(20) {
		k, _ := child(t, key, chain, i)
		private, err := crypto.ToECDSA(k)
		require.NoError(t, err)

		want = append(want, strings.ToLower(crypto.PubkeyToAddress(private.PublicKey).Hex()))
	}

	faucet, err := crypto.ToECDSA(crypto.Keccak256([]byte("slipway development faucet"))) // of rails/chain/devchain
	require.NoError(t, err)

	want = append(want, strings.ToLower(crypto.PubkeyToAddress(faucet.PublicKey).Hex()))
	require.Equal(t, want, strings.Fields(developmentAccounts))
}

func split64(data []byte, key string) (left, right []byte) {
	h := hmac.New(sha512.New, []byte(key))
	h.Write(data)
	sum := h.Sum(nil)

	return sum[:32], sum[32:]
}

// child derives one step of BIP-32 from a private key.
func child(t *testing.T, key, chain []byte, index uint32) (childKey, childChain []byte) {
	private, err := crypto.ToECDSA(key)
	require.NoError(t, err)

	data := append([]byte{0}, key...)
	if index < 1<<31 {
		data = crypto.CompressPubkey(&private.PublicKey)
	}

	left, right := split64(binary.BigEndian.AppendUint32(data, index), string(chain))
	sum := new(big.Int).Add(new(big.Int).SetBytes(left), new(big.Int).SetBytes(key))

	return sum.Mod(sum, crypto.S256().Params().N).FillBytes(make([]byte, 32)), right
}
