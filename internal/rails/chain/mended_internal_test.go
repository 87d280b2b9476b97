package chain

import (
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
)

// What is raised is read from the stored bytes: those of another send, or of a contract that is made, are not signed.
func TestBytesOfAnotherSendAreNotRaised(t *testing.T) {
	key, err := crypto.GenerateKey()
	require.NoError(t, err)

	ours := common.HexToAddress("0x11")
	other := common.HexToAddress("0x22")

	for name, x := range map[string]struct {
		to    *common.Address
		nonce uint64
	}{
		"another address": {&other, 7},
		"another nonce":   {&ours, 8},
		"a new contract":  {nil, 7},
	} {
		t.Run(name, func(t *testing.T) {
			stored, err := types.SignNewTx(key, types.LatestSignerForChainID(big.NewInt(1)), &types.DynamicFeeTx{
				ChainID: big.NewInt(1),
				To:      x.to,
				Nonce:   x.nonce,
				Gas:     21_000,
			})
			require.NoError(t, err)

			raw, err := stored.MarshalBinary()
			require.NoError(t, err)

			s := sendRow{}
			s.Key = "transaction/txn_1/batch"
			s.To = ours.Hex()
			s.Nonce = 7

			_, err = new(lane).raise(t.Context(), s, attemptRow{Raw: raw}, big.NewInt(1), big.NewInt(2))
			require.ErrorContains(t, err, "belong to another send")
		})
	}
}

// A node that lies is asked last for a while. What it says in that while makes it no longer; the next lie after it
// does.
func TestANodeThatLiesIsAskedLastForAWhile(t *testing.T) {
	at := clock.New()
	c := &Client{clock: at, log: slog.New(slog.DiscardHandler)}
	p := &provider{name: "node"}

	require.False(t, c.aside(p))
	c.refute(p, "a lie")
	require.True(t, c.aside(p))
	require.Equal(t, asideFirst, p.asideFor)

	at.Advance(asideFirst / 2)
	c.refute(p, "another one")
	require.Equal(t, asideFirst, p.asideFor, "it is aside already")

	at.Advance(asideFirst/2 + time.Second)
	require.False(t, c.aside(p))
	c.refute(p, "a third one")
	require.Equal(t, 2*asideFirst, p.asideFor)
	require.True(t, c.aside(p))
}

// A signer that has understood the request and says no has refused. One that has not examined it, by JSON-RPC's own
// codes, has not: it is asked again.
func TestASignerThatHasNotLookedHasNotRefused(t *testing.T) {
	key, err := crypto.GenerateKey()
	require.NoError(t, err)

	for code, refused := range map[int]bool{
		-32000: true,
		-32599: true,
		-32600: false, // no request
		-32601: false, // no such method
		-32602: false, // other parameters
		-32603: false, // an error of its own
		-32700: false, // no JSON
		-32701: true,
		4001:   true,
	} {
		t.Run(strconv.Itoa(code), func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write(
					[]byte(`{"jsonrpc":"2.0","id":0,"error":{"code":` + strconv.Itoa(code) + `,"message":"no"}}`),
				)
			}))
			defer server.Close()

			s, err := NewRemoteSigner(server.URL, crypto.PubkeyToAddress(key.PublicKey))
			require.NoError(t, err)

			to := common.HexToAddress("0x11")
			_, err = s.SignTx(t.Context(), types.NewTx(&types.DynamicFeeTx{
				ChainID:   big.NewInt(1),
				To:        &to,
				Gas:       21_000,
				Value:     new(big.Int),
				GasFeeCap: big.NewInt(2),
				GasTipCap: big.NewInt(1),
			}), big.NewInt(1))

			var refusal *Refusal
			if refused {
				require.ErrorAs(t, err, &refusal)
				return
			}

			require.Error(t, err)
			require.NotErrorAs(t, err, &refusal)
		})
	}
}
