//go:build !nosandbox

package contract

import (
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"
)

func errorData(signature string, words ...any) []byte {
	data := crypto.Keccak256([]byte(signature))[:4]
	for _, w := range words {
		switch w := w.(type) {
		case int:
			data = append(data, word(big.NewInt(int64(w)))...)
		case common.Address:
			data = append(data, common.LeftPadBytes(w[:], 32)...)
		case string:
			data = append(data, common.RightPadBytes([]byte(w), (len(w)+31)/32*32)...)
		}
	}

	return data
}

func TestReasonsAreSentences(t *testing.T) {
	long := strings.Repeat("y", 200)

	who := payee(1)
	for want, data := range map[string][]byte{
		"no reason was given":                  nil,
		`the contract said "Pausable: paused"`: errorData("Error(string)", 32, 16, "Pausable: paused"),
		`the contract said ""`:                 errorData("Error(string)", 32, 0),
		// The router keeps 128 bytes: the text is cut.
		`the contract said "` + long[:60] + `"`: errorData("Error(string)", 32, 200, long)[:128],
		// A hostile token's text cannot break a line, hide or colour anything.
		`the contract said "ab\"c"`:                                  errorData("Error(string)", 32, 9, "a\x00b\"\x1b\n\xffc\u202e"),
		"the contract failed by an arithmetic overflow (panic 0x11)": errorData("Panic(uint256)", 0x11),
		"the contract failed by panic 0x77":                          errorData("Panic(uint256)", 0x77),
		who.Hex() + " holds 5 base units, 7 are needed":              errorData("ERC20InsufficientBalance(address,uint256,uint256)", who, 5, 7),
		who.Hex() + " holds 5 base units, ? are needed":              errorData("ERC20InsufficientBalance(address,uint256,uint256)", who, 5),
		"payer " + who.Hex() + " caps token " + who.Hex() + ": 1 base units are left today, the batch wants 2": errorData(
			"DailyCapExceeded(address,address,uint256,uint256)", who, who, 1, 2),
		"unknown reason 0x01":         {1},
		"unknown reason 0xdeadbeef01": {0xde, 0xad, 0xbe, 0xef, 1},
		"unknown reason 0x08c379a0":   errorData("Error(string)"),
		"unknown reason 0x4e487b71":   errorData("Panic(uint256)"),
	} {
		t.Run(want, func(t *testing.T) {
			require.Equal(t, want, ExplainReason(data), "%x", data)
		})
	}

	require.Contains(t, ExplainReason(errorData("Weird(uint256,uint256)", 1, 2)), "… (68 bytes)")
}

// Every error of the router and of the test tokens has its sentence, and every sentence is filled completely.
func TestEveryErrorHasASentence(t *testing.T) {
	for name, parsed := range map[string]abi.ABI{
		"router": routerABI.abi,
		"USDC":   SampleOf("TestUSDC").abi,
		"DAI":    SampleOf("TestDAI").abi,
	} {
		t.Run(name, func(t *testing.T) {
			for _, e := range parsed.Errors {
				data := e.ID[:4]
				for range e.Inputs {
					data = append(data, word(big.NewInt(1))...)
				}

				sentence := ExplainReason(data)
				require.NotContains(t, sentence, "unknown", "%s: %s", name, e.Sig)
				require.NotContains(t, sentence, "%", "%s: %s", name, e.Sig)
				require.NotContains(t, sentence, "?", "%s: %s", name, e.Sig)
			}
		})
	}
}

func FuzzExplainReasonIsPrintable(f *testing.F) {
	f.Add([]byte{})
	f.Add(errorData("Error(string)", 32, 3, "abc"))
	f.Add(errorData("Panic(uint256)", 1))

	f.Fuzz(func(t *testing.T, data []byte) {
		sentence := ExplainReason(data)
		require.NotEmpty(t, sentence)

		for _, r := range sentence {
			require.True(t, r == '…' || !strings.ContainsRune("\n\r\t\x1b\x00", r), "%q", sentence)
		}
	})
}
