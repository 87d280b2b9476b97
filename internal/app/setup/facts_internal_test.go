//go:build !nosandbox

package setup

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"slipway/internal/directory/network"
	"slipway/internal/rails/chain/contract"
	"slipway/internal/rails/chain/devchain"
)

// base starts a chain that says it is Base, with tokens of these kinds at the addresses of Base's.
func base(t *testing.T, kinds map[string]string) string {
	t.Helper()

	f, known := network.FactsOf(8453)
	require.True(t, known)

	code := map[common.Address][]byte{}
	for _, token := range f.Tokens {
		if kind := kinds[token.Code]; kind != "" {
			code[common.HexToAddress(token.Address)] = contract.SampleOf(kind).Runtime
		}
	}

	c, err := devchain.Start(devchain.Config{ChainID: 8453, Mode: devchain.Manual, Code: code})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	c.Mine(1)

	return c.URL()
}

// examinedNetwork lets the doctor look at one network.
func examinedNetwork(t *testing.T, url, more string) map[string]Finding {
	t.Helper()

	path := filepath.Join(t.TempDir(), FileName)
	require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, `mode = "test"
data_dir = %q

[[network]]
id = "base"
chain_id = 8453
rpc_urls = [%q]
%s
`, filepath.Dir(path), url, more), 0o600))

	return examined(t, path)
}

// A network of a known chain is compared with what is known of it: when its blocks are final, and what its tokens are.
// (E-08)
func TestDoctorKnowsTheChain(t *testing.T) {
	right := map[string]string{"USDC": "TestUSDC", "USDT": "TestUSDC", "DAI": "TestDAI"}

	found := examinedNetwork(t, base(t, right), "")
	require.Equal(t, Fine, found["network base, node 1"].State, found["network base, node 1"].Found)
	require.Equal(t, Fine, found["network base, finality"].State)
	require.Equal(t, Fine, found["network base, tokens"].State, found["network base, tokens"].Found)
	require.Contains(t, found["network base, tokens"].Found, "DAI with 18 decimals")

	for more, said := range map[string]string{
		`finality_tag = "safe"`: "weaker",
		"finality_depth = 64":   "64 blocks",
	} {
		found := examinedNetwork(t, base(t, right), more)
		require.Equal(t, Watch, found["network base, finality"].State)
		require.Contains(t, found["network base, finality"].Found, said)
		require.Contains(t, found["network base, finality"].Do, "finality_tag to finalized")
	}

	for said, kinds := range map[string]map[string]string{
		"USDC has 18 decimals there, and 6 on Base": {"USDC": "TestDAI", "USDT": "TestUSDC", "DAI": "TestDAI"},
		"is no token; on Base it is USDT":           {"USDC": "TestUSDC", "DAI": "TestDAI"},
	} {
		found := examinedNetwork(t, base(t, kinds), "")
		require.Equal(t, Wrong, found["network base, tokens"].State, found["network base, node 1"].Found)
		require.Contains(t, found["network base, tokens"].Found, said)
	}
}

// TestANodeThatIndexesIsNotBehind asks a node that has all blocks and reports what it still indexes, as geth does for a
// moment after it starts, and one that lacks blocks.
func TestANodeThatIndexesIsNotBehind(t *testing.T) {
	for syncing, want := range map[string]string{
		`false`: "chain 8453 at block 7",
		`{"currentBlock":"0x7","highestBlock":"0x0","txIndexRemainingBlocks":"0x3"}`: "chain 8453 at block 7",
		`{"currentBlock":"0x5","highestBlock":"0x7"}`:                                "at block 5 of 7",
	} {
		node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var call struct {
				ID     json.RawMessage
				Method string
			}
			if json.NewDecoder(r.Body).Decode(&call) != nil {
				return
			}

			answer := map[string]string{
				"eth_chainId": `"0x2105"`,
				"eth_syncing": syncing,
			}[call.Method]

			if call.Method == "eth_getBlockByNumber" {
				head, _ := json.Marshal(&types.Header{
					Number:     big.NewInt(7),
					Difficulty: new(big.Int),
					Time:       uint64(time.Now().Unix()),
				})
				answer = string(head)
			}

			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, call.ID, answer)
		}))

		state, err := lookAtNode(t.Context(), node.URL, 8453)
		node.Close()

		said := state.String()
		if err != nil {
			said = err.Error()
		}

		require.Contains(t, said, want)
	}
}

// Who sets a network up is told what is known of its chain, and cannot say otherwise.
func TestSetUpKnowsTheChain(t *testing.T) {
	url := base(t, map[string]string{"USDC": "TestDAI", "USDT": "TestUSDC", "DAI": "TestDAI"})
	answers := Answers{
		Mode:     "test",
		Network:  "base",
		ChainID:  8453,
		RPC:      []string{url},
		Treasury: "0x31F1b7C22BF70250D4e29de6549D1b351dB82660",
	}

	out, err := run(t, t.TempDir(), answers, "")
	require.ErrorContains(t, err, "USDC has 18 decimals there, and 6 on Base")
	require.Contains(t, out, `Base: gas is paid in ETH; a payment is final by the tag "finalized"`)

	answers.Testnet = true
	_, err = run(t, t.TempDir(), answers, "")
	require.ErrorContains(t, err, "--testnet")
}
