package safe_test

import (
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/stretchr/testify/require"

	"slipway/internal/standards/safe"
)

// vectors are published hashes of messages and transactions of real Safes.
func vectors(t *testing.T, into any) {
	t.Helper()

	raw, err := os.ReadFile(filepath.Join(os.Getenv("SLIPWAY_FIXTURES"), "evm_signatures", "safe", "safe_vectors.json"))
	if err != nil {
		t.Skip("the published hashes are not on this machine (SLIPWAY_FIXTURES)")
	}

	require.NoError(t, json.Unmarshal(raw, into))
}

func TestHashesAreThePublishedOnes(t *testing.T) {
	var v struct {
		Messages []struct {
			ChainID                                       int64
			Safe, Version, Message                        string
			EIP191Hash, DomainHash, MessageHash, SafeHash string
			SafeMessageHash                               string
		}
		Transactions []struct {
			ChainID                             int64
			Safe, To, Data, Nonce               string
			Operation                           int
			DomainHash, MessageHash, SafeTxHash string
		}
	}

	vectors(t, &v)
	require.NotEmpty(t, v.Messages)
	require.NotEmpty(t, v.Transactions)

	for _, m := range v.Messages {
		d, err := safe.DomainOf(m.Version, big.NewInt(m.ChainID), common.HexToAddress(m.Safe))
		require.NoError(t, err)

		asked := accounts.TextHash([]byte(m.Message))
		require.Equal(t, common.HexToHash(m.DomainHash), d.Hash())
		require.Equal(t, common.HexToHash(m.MessageHash), safe.ContentHash(asked))
		require.Equal(t, common.HexToHash(m.SafeMessageHash), d.MessageHash(asked))
	}

	for _, x := range v.Transactions {
		d, err := safe.DomainOf(safe.V130, big.NewInt(x.ChainID), common.HexToAddress(x.Safe))
		require.NoError(t, err)
		nonce, err := strconv.ParseUint(x.Nonce, 10, 64)
		require.NoError(t, err)

		tx := safe.Tx{
			To:        common.HexToAddress(x.To),
			Data:      common.FromHex(x.Data),
			Operation: safe.Operation(x.Operation),
			Nonce:     nonce,
		}
		require.Equal(t, common.HexToHash(x.DomainHash), d.Hash())
		require.Equal(t, common.HexToHash(x.MessageHash), tx.Hash())
		require.Equal(t, common.HexToHash(x.SafeTxHash), d.TxHash(tx))
	}

	_, err := safe.DomainOf("9.9.9", big.NewInt(1), common.Address{})
	require.ErrorIs(t, err, safe.ErrVersion)
}

// What was signed over the hash, and what was signed over it as a text, is told apart by v alone.
func TestASignatureSaysHowItWasMade(t *testing.T) {
	type vector struct {
		Hash, Owner, Signature string
		PrefixedMessage        bool
	}

	var v struct {
		SignatureV struct{ Prefixed, Plain vector }
	}

	vectors(t, &v)

	for _, x := range []vector{v.SignatureV.Prefixed, v.SignatureV.Plain} {
		raw := common.FromHex(x.Signature)
		want := safe.ByKey

		if x.PrefixedMessage {
			raw[64] += 4
			want = safe.ByEthSign
		}

		c, err := safe.Parse(common.HexToHash(x.Hash), raw)
		require.NoError(t, err)
		require.Equal(t, want, c.Kind)
		require.Equal(t, common.HexToAddress(x.Owner), c.Owner)
		require.Equal(t, raw, c.Bytes())
	}
}

func confirm(t testing.TB, seed byte, hash common.Hash) safe.Confirmation {
	t.Helper()

	key, err := crypto.ToECDSA(common.LeftPadBytes([]byte{seed}, 32))
	require.NoError(t, err)
	c, err := safe.Sign(hash, func(hash []byte) ([]byte, error) { return crypto.Sign(hash, key) })
	require.NoError(t, err)

	return c
}

// Joined confirmations stand by ascending owner, with what contracts sign behind them, and are read back the same.
func TestJoinedConfirmationsAreOrderedAndReadBack(t *testing.T) {
	hash := common.Hash{7}
	contract := safe.Confirmation{Owner: common.Address{0x50}, Kind: safe.ByContract, Data: []byte("inner signatures")}
	all := []safe.Confirmation{
		contract,
		confirm(t, 1, hash),
		safe.Approved(common.Address{0x01}),
		confirm(t, 2, hash),
		{Owner: common.Address{0x51}, Kind: safe.ByContract, Data: nil},
	}
	joined, err := safe.Join(all)
	require.NoError(t, err)

	back, err := safe.Split(hash, joined)
	require.NoError(t, err)
	require.Len(t, back, len(all))

	for i := 1; i < len(back); i++ {
		require.Negative(t, back[i-1].Owner.Cmp(back[i].Owner))
	}

	again, err := safe.Join(back)
	require.NoError(t, err)
	require.Equal(t, joined, again)

	_, err = safe.Join([]safe.Confirmation{all[1], all[1]})
	require.ErrorIs(t, err, safe.ErrOwner)
}

// Distinct present owners count, and nobody else: not one owner twice, not who was removed, not what needs the chain.
func TestEnoughCountsPresentOwnersOnce(t *testing.T) {
	hash := common.Hash{7}
	one := confirm(t, 1, hash)
	two := confirm(t, 2, hash)
	three := confirm(t, 3, hash)
	s := safe.State{Owners: []common.Address{one.Owner, two.Owner}, Threshold: 2}

	require.True(t, s.Enough([]safe.Confirmation{two, one}))
	require.False(t, s.Enough([]safe.Confirmation{one, one}))
	require.False(t, s.Enough([]safe.Confirmation{one, three}))
	require.False(t, s.Enough([]safe.Confirmation{one, safe.Approved(two.Owner)}))
}

// A wallet hashes the typed data to what the contract hashes.
func TestTypedDataHasTheSameHash(t *testing.T) {
	tx := safe.Tx{To: common.Address{1}, Data: []byte("calldata"), Operation: safe.DelegateCall, Nonce: 3}

	for _, version := range []string{safe.V111, safe.V141} {
		d, err := safe.DomainOf(version, big.NewInt(31337), common.Address{2})
		require.NoError(t, err)
		require.Equal(t, d.TxHash(tx).Bytes(), hashed(t, d.TypedTx(tx)))
		require.Equal(t, d.MessageHash([]byte("text")).Bytes(), hashed(t, d.TypedMessage([]byte("text"))))
	}
}

// hashed hashes typed data as go-ethereum does.
func hashed(t *testing.T, data any) []byte {
	t.Helper()

	raw, err := json.Marshal(data)
	require.NoError(t, err)

	var typed apitypes.TypedData
	require.NoError(t, json.Unmarshal(raw, &typed))
	hash, _, err := apitypes.TypedDataAndHash(typed)
	require.NoError(t, err)

	return hash
}

func TestABatchIsReadBack(t *testing.T) {
	steps := []safe.Step{{To: common.Address{1}, Data: []byte("first")}, {To: common.Address{2}, Data: []byte{}}}
	require.Equal(t, steps, safe.Unbatch(safe.Batch(steps)))
	require.Nil(t, safe.Unbatch([]byte("anything else")))
}

// The facts of an account differ whenever one of them does; modules are apart.
func TestFactsCoverWhoDecides(t *testing.T) {
	base := safe.State{Version: safe.V141, Owners: []common.Address{{1}, {2}}, Threshold: 1}
	seen := map[common.Hash]string{base.Facts(): "base"}

	for what, change := range map[string]func(s *safe.State){
		"version":          func(s *safe.State) { s.Version = safe.V130 },
		"singleton":        func(s *safe.State) { s.Singleton = common.Address{9} },
		"owners":           func(s *safe.State) { s.Owners = []common.Address{{1}, {3}} },
		"threshold":        func(s *safe.State) { s.Threshold = 2 },
		"fallback handler": func(s *safe.State) { s.Handler = common.Address{9} },
		"guard":            func(s *safe.State) { s.Guard = common.Address{9} },
		"module guard":     func(s *safe.State) { s.ModuleGuard = common.Address{9} },
	} {
		other := base
		change(&other)
		require.Empty(t, seen[other.Facts()], what)
		seen[other.Facts()] = what
		require.Equal(t, what, other.Difference(base))
	}

	with := base
	with.Modules = []common.Address{{5}}
	require.Equal(t, base.Facts(), with.Facts())
	require.Equal(t, []common.Address{{5}}, with.NewModules(base))
	require.Empty(t, base.NewModules(with))
}

func TestAnAddressMayNameItsChain(t *testing.T) {
	prefix, plain := safe.CutPrefix("eth:0xabc")
	require.Equal(t, "eth", prefix)
	require.Equal(t, "0xabc", plain)
	require.Equal(t, "eth:0xabc", safe.WithPrefix(prefix, plain))

	prefix, plain = safe.CutPrefix("0xabc")
	require.Empty(t, prefix)
	require.Equal(t, "0xabc", safe.WithPrefix(prefix, plain))
}

// Whatever bytes come, they are read or refused; what is read joins to something that reads the same.
func FuzzSplit(f *testing.F) {
	hash := common.Hash{7}
	joined, err := safe.Join([]safe.Confirmation{
		confirm(f, 1, hash),
		{Owner: common.Address{0x50}, Kind: safe.ByContract, Data: []byte("inner")},
	})
	require.NoError(f, err)
	f.Add(joined)
	f.Add([]byte{})
	f.Add(common.FromHex("0x" + strings.Repeat("00", 65)))

	f.Fuzz(func(t *testing.T, raw []byte) {
		all, err := safe.Split(hash, raw)
		if err != nil {
			return
		}

		joined, err := safe.Join(all)
		if err != nil {
			return // one owner twice
		}

		again, err := safe.Split(hash, joined)
		require.NoError(t, err)
		require.Len(t, again, len(all))
	})
}

// Before version 1.3.0 the chain was no part of the domain, so what owners sign is good on every chain where the
// account has the same address: the version decides how a hash is made, and an unknown one has none.
func TestBefore130TheChainIsNotSigned(t *testing.T) {
	account := common.HexToAddress("0x31F1b7C22BF70250D4e29de6549D1b351dB82660")
	tx := safe.Tx{To: account, Nonce: 7}

	for version, bound := range map[string]bool{
		safe.V111: false,
		safe.V120: false,
		safe.V130: true,
		safe.V141: true,
		safe.V150: true,
	} {
		one, err := safe.DomainOf(version, big.NewInt(1), account)
		require.NoError(t, err)
		other, err := safe.DomainOf(version, big.NewInt(137), account)
		require.NoError(t, err)

		require.Equal(t, bound, one.Hash() != other.Hash(), version)
		require.Equal(t, bound, one.TxHash(tx) != other.TxHash(tx), version)
	}

	old, err := safe.DomainOf(safe.V111, big.NewInt(1), account)
	require.NoError(t, err)

	typeHash := crypto.Keccak256([]byte("EIP712Domain(address verifyingContract)"))
	require.Equal(t, crypto.Keccak256Hash(typeHash, common.LeftPadBytes(account[:], 32)), old.Hash())
}
