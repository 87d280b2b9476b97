package chain

import (
	"context"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"
)

func sample(nonce uint64) *types.Transaction {
	to := common.HexToAddress("0xa11ce")

	return types.NewTx(&types.DynamicFeeTx{
		ChainID:   big.NewInt(31337),
		Nonce:     nonce,
		To:        &to,
		Value:     big.NewInt(5),
		Data:      []byte{1, 2},
		Gas:       50_000,
		GasTipCap: big.NewInt(1),
		GasFeeCap: big.NewInt(9),
	})
}

func TestAKeystoreFileOpensWithItsPasswordOnly(t *testing.T) {
	key, err := crypto.GenerateKey()
	require.NoError(t, err)

	path := filepath.Join(t.TempDir(), "key.json")
	require.NoError(t, WriteKeystore(path, "right", key))
	require.Error(t, WriteKeystore(path, "right", key), "a key file is never replaced")

	s, err := OpenKeystore(path, "right")
	require.NoError(t, err)
	require.Equal(t, crypto.PubkeyToAddress(key.PublicKey), s.Address())

	_, err = OpenKeystore(path, "wrong")
	require.Error(t, err)

	signed, err := sign(context.Background(), s, sample(1), big.NewInt(31337))
	require.NoError(t, err)

	again, err := sign(context.Background(), s, sample(1), big.NewInt(31337))
	require.NoError(t, err)
	require.Equal(t, signed.Hash(), again.Hash())
}

// remote is a signing process: it signs what edit makes of the request.
func remote(t *testing.T, signer *KeySigner, edit func(*types.DynamicFeeTx)) *RemoteSigner {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Method string `json:"method"`
			Params []struct {
				To, From                           common.Address
				Gas, Nonce                         hexutil.Uint64
				Value, ChainID                     *hexutil.Big
				MaxFeePerGas, MaxPriorityFeePerGas *hexutil.Big
				Input                              hexutil.Bytes
			} `json:"params"`
		}
		if json.NewDecoder(r.Body).Decode(&q) != nil || q.Method != "account_signTransaction" || len(q.Params) != 1 {
			http.Error(w, "bad request", http.StatusBadRequest)
			return
		}

		p := q.Params[0]
		body := &types.DynamicFeeTx{
			ChainID:   p.ChainID.ToInt(),
			Nonce:     uint64(p.Nonce),
			To:        &p.To,
			Value:     p.Value.ToInt(),
			Data:      p.Input,
			Gas:       uint64(p.Gas),
			GasTipCap: p.MaxPriorityFeePerGas.ToInt(),
			GasFeeCap: p.MaxFeePerGas.ToInt(),
		}
		edit(body)

		tx, err := types.SignNewTx(signer.key, types.LatestSignerForChainID(body.ChainID), body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}

		raw, _ := tx.MarshalBinary()
		_ = json.NewEncoder(w).Encode(map[string]any{
			"jsonrpc": "2.0",
			"id":      0,
			"result":  map[string]any{"raw": hexutil.Bytes(raw), "tx": tx},
		})
	}))
	t.Cleanup(server.Close)
	s, err := NewRemoteSigner(server.URL, signer.Address())
	require.NoError(t, err)

	return s
}

// K-03, K-04: whatever a signer changes is noticed before anything is stored.
func TestWhatASignerGivesBackIsCheckedFieldByField(t *testing.T) {
	key, err := crypto.GenerateKey()
	require.NoError(t, err)
	other, err := crypto.GenerateKey()
	require.NoError(t, err)
	good := NewKeySigner(key)
	id := big.NewInt(31337)
	signed, err := sign(context.Background(), remote(t, good, func(*types.DynamicFeeTx) {}), sample(3), id)
	require.NoError(t, err)
	require.EqualValues(t, 3, signed.Nonce())

	evil := common.HexToAddress("0xe7")
	for name, edit := range map[string]func(*types.DynamicFeeTx){
		"recipient": func(b *types.DynamicFeeTx) { b.To = &evil },
		"no one":    func(b *types.DynamicFeeTx) { b.To = nil },
		"value":     func(b *types.DynamicFeeTx) { b.Value = big.NewInt(6) },
		"data":      func(b *types.DynamicFeeTx) { b.Data = []byte{1, 3} },
		"nonce":     func(b *types.DynamicFeeTx) { b.Nonce++ },
		"gas":       func(b *types.DynamicFeeTx) { b.Gas++ },
		"fee":       func(b *types.DynamicFeeTx) { b.GasFeeCap = big.NewInt(10) },
		"tip":       func(b *types.DynamicFeeTx) { b.GasTipCap = big.NewInt(2) },
		"chain":     func(b *types.DynamicFeeTx) { b.ChainID = big.NewInt(1) },
		"list":      func(b *types.DynamicFeeTx) { b.AccessList = types.AccessList{{Address: evil}} },
	} {
		t.Run(name, func(t *testing.T) {
			_, err := sign(context.Background(), remote(t, good, edit), sample(3), id)
			require.ErrorIs(t, err, errSigned)
		})
	}

	stranger := remote(t, NewKeySigner(other), func(*types.DynamicFeeTx) {})
	stranger.address = good.Address()
	_, err = sign(context.Background(), stranger, sample(3), id)
	require.ErrorIs(t, err, errSigned, "another key")
}
