//go:build !nosandbox

package contract

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/stretchr/testify/require"
)

const sourceFolder = "../../../../contracts"

// An artefact is what build.mjs writes for each contract.
type artefact struct {
	ContractName, Source, Bytecode, DeployedBytecode string
	ABI                                              json.RawMessage
	Selectors                                        map[string]string
}

func readArtefact(t *testing.T, path string) artefact {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)

	var a artefact
	require.NoError(t, json.Unmarshal(text, &a))

	return a
}

// The committed artefacts are what the sources give, byte for byte.
func TestArtefactsAreReproducible(t *testing.T) { // X-08 C-07
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed: the artefacts are taken as they are")
	}

	if _, err := os.Stat(filepath.Join(sourceFolder, "node_modules", "solc")); err != nil {
		t.Skip("the compiler is not installed: run contracts/install to have the artefacts checked")
	}

	fresh := t.TempDir()
	output, err := exec.Command(node, filepath.Join(sourceFolder, "build.mjs"), fresh).CombinedOutput()
	require.NoError(t, err, "%s", output)
	require.Equal(t, fileNames(t, "artifacts"), fileNames(t, fresh))

	for _, name := range fileNames(t, fresh) {
		want, err := os.ReadFile(filepath.Join(fresh, name))
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join("artifacts", name))
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), "%s is stale: run contracts/generate and commit", name)
	}
}

func fileNames(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)

	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}

	return names
}

// The binding carries the router's code and interface, and of tokens and wallets what it says of them.
func TestBindingsAreFresh(t *testing.T) {
	for name, binding := range map[string]*bind.MetaData{
		"SlipwayRouter":  &SlipwayRouterMetaData,
		"TestToken":      &ERC20MetaData,
		"TestWallet1271": &ERC1271MetaData,
	} {
		t.Run(name, func(t *testing.T) {
			a := readArtefact(t, filepath.Join("artifacts", name+".json"))

			var all, bound []json.RawMessage
			require.NoError(t, json.Unmarshal(a.ABI, &all))
			require.NoError(t, json.Unmarshal([]byte(binding.ABI), &bound))

			if name == "SlipwayRouter" {
				require.Equal(t, a.Bytecode, binding.Bin, "run contracts/generate and commit")
				require.Len(t, bound, len(all), "run contracts/generate and commit")
			}

			for _, b := range bound {
				require.True(t, slices.ContainsFunc(all, func(a json.RawMessage) bool {
					return sameJSON(t, a, b)
				}), "%s: run contracts/generate and commit", b)
			}
		})
	}
}

func sameJSON(t *testing.T, a, b json.RawMessage) bool {
	t.Helper()

	var x, y any
	require.NoError(t, json.Unmarshal(a, &x))
	require.NoError(t, json.Unmarshal(b, &y))

	return reflect.DeepEqual(x, y)
}

// The whole outside of the router, by name: a new function has to be added here on purpose.
func TestRouterHasNoOtherFunctions(t *testing.T) { // X-01 X-08
	var names []string
	for name := range readArtefact(t, "artifacts/SlipwayRouter.json").Selectors {
		names = append(names, name)
	}

	sort.Strings(names)
	require.Equal(t, strings.Fields(`LOOSEN_DELAY() NO_CAP() PERMIT2() acceptOwnership() dailyCap(address,address)
		eip712Domain() executed(uint256) executedWord(uint256) guardian()
		intentDigest(address,address,uint256,bytes,uint256) isOperator(address) legGas() operator()
		ownExecuted(address,uint256) owner() pause() paused() pay(address,address,uint256,bytes)
		payByPull(address,address,uint256,bytes) payOwn(address,uint256,bytes,uint256)
		payWithAuthorization(address,address,uint256,bytes,uint256,bytes)
		payWithIntent(address,address,uint256,bytes,uint256,bytes)
		payWithPermit(address,address,uint256,bytes,uint256,bytes,bytes)
		payWithPermit2(address,address,uint256,bytes,uint256,bytes) pendingOwner() renounceOwnership()
		setDailyCap(address,uint256) setFurtherOperator(address,bool) setGuardian(address) setOperator(address)
		setSignedIntentsOnly(bool) signedIntentsOnly(address) transferOwnership(address) unpause()`), names)
}

// The code itself calls out in few places only, each with a selector of its own: the token's transferFrom and transfer,
// permits and authorizations in two forms each, Permit2, and statically balanceOf, allowance, the payer's EIP-1271
// answer and ecrecover. It cannot delegate, create or destroy: there is no way to a proxy. The walk skips the data of
// pushes; deployed code has no other data, since metadata is switched off.
func TestRouterCodeCannotDelegate(t *testing.T) { // X-01 X-08
	code := common.FromHex(readArtefact(t, "artifacts/SlipwayRouter.json").DeployedBytecode)

	count := map[vm.OpCode]int{}
	for i := 0; i < len(code); i++ {
		op := vm.OpCode(code[i])

		count[op]++
		if op.IsPush() {
			i += int(op) - int(vm.PUSH0)
		}
	}

	for _, op := range []vm.OpCode{vm.DELEGATECALL, vm.CALLCODE, vm.CREATE, vm.CREATE2, vm.SELFDESTRUCT} {
		require.Zero(t, count[op], "the router contains %s", op)
	}

	require.Equal(t, 8, count[vm.CALL])
	require.Equal(t, 4, count[vm.STATICCALL])
	require.Less(t, len(code), 24_576, "EIP-170")
}

// What contracts/mutate.mjs breaks stands in the source, once: a mutant of a line that has changed breaks nothing.
func TestEachMutantStandsInTheSourceOnce(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(sourceFolder, "src", "SlipwayRouter.sol"))
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(sourceFolder, "mutants.json"))
	require.NoError(t, err)

	var mutants [][3]string
	require.NoError(t, json.Unmarshal(text, &mutants))
	require.NotEmpty(t, mutants)

	for _, m := range mutants {
		require.Equal(t, 1, strings.Count(string(source), m[1]), m[0])
		require.NotEqual(t, m[1], m[2], m[0])
	}
}

// The lock files name no host: where packages come from is the machine's business. C-07
func TestLockFilesNameNoHost(t *testing.T) {
	for _, folder := range []string{sourceFolder, filepath.Join(sourceFolder, "audit")} {
		lock, err := os.ReadFile(filepath.Join(folder, "package-lock.json"))
		require.NoError(t, err)
		require.NotContains(t, string(lock), "resolved")
		require.NotContains(t, string(lock), `//registry`)
		require.Contains(t, string(lock), "integrity")
	}
}

func TestNamesAreTheRouters(t *testing.T) {
	for name := range manners() {
		require.Contains(t, routerABI.abi.Methods, name)
	}

	require.Equal(t, routerABI.abi.Events["OwnBatchExecuted"].ID, ownExecutedTopic)
	require.Equal(t, routerABI.abi.Events["BatchExecuted"].ID, batchExecutedTopic)
	require.Equal(t, routerABI.abi.Events["LegFailed"].ID, legFailedTopic)
	require.Equal(t, tokenABI.abi.Events["Transfer"].ID, transferTopic)
}
