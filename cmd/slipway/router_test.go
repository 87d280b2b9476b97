//go:build !nosandbox

package main

import (
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/world"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
	"slipway/internal/rails/chain/devchain"
)

// factoryCode is the runtime code of the deterministic deployment proxy.
const factoryCode = "0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0" +
	"3601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3"

// One router has one address on every chain that has the factory. A dry run names it and sends nothing; a second run
// finds what the first has deployed.
func TestRouterHasOneAddressOnEveryChain(t *testing.T) {
	dir := t.TempDir()
	password := filepath.Join(dir, "password")
	require.NoError(t, os.WriteFile(password, []byte("a long enough password\n"), 0o600))

	said, err := slip(t, "key", "new", filepath.Join(dir, "key.json"), "--password-file", password)
	require.NoError(t, err)

	operator := common.HexToAddress(strings.TrimSpace(strings.TrimPrefix(said, "operator address ")))
	file := filepath.Join(dir, "slipway.toml")
	text := fmt.Sprintf(
		"mode = \"test\"\n[chain.signer]\nkind = \"keystore\"\nkeystore_file = %q\npassword_file = %q\n",
		filepath.Join(dir, "key.json"),
		password,
	)

	for i, id := range []string{"first", "second"} {
		chain, err := devchain.Start(devchain.Config{
			ChainID: uint64(7001 + i),
			Mode:    devchain.OnDemand,
			Code:    map[common.Address][]byte{contract.Factory: common.FromHex(factoryCode)},
		})
		require.NoError(t, err)
		t.Cleanup(func() { _ = chain.Close() })
		require.NoError(t, chain.Fund(operator, big.NewInt(1_000_000_000_000_000_000)))
		require.Eventually(t, func() bool { return chain.Head().Number.Sign() > 0 }, time.Minute, time.Millisecond)

		text += fmt.Sprintf(
			"[[network]]\nid = %q\nchain_id = %d\ntestnet = true\nrpc_urls = [%q]\n",
			id,
			7001+i,
			chain.URL(),
		)
	}

	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))

	const owner = "0x52908400098527886E0F7030069857D2E4169EE7"

	deploy := func(network string, more ...string) string {
		said, err := slip(t, append([]string{
			"--config", file, "router", "deploy", network, "--owner", owner, "--guardian", owner,
		}, more...)...)
		require.NoError(t, err)

		return said
	}
	address := func(said string) string {
		return regexp.MustCompile(`router (0x[0-9a-fA-F]{40})`).FindStringSubmatch(said)[1]
	}

	dry := deploy("first", "--dry-run")
	require.Contains(t, dry, "nothing was sent")
	require.NotContains(t, deploy("first", "--dry-run"), "there already")
	require.Equal(t, address(dry), address(deploy("first")))
	require.Equal(t, address(dry), address(deploy("second")), "the same on another chain")

	written, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(string(written), address(dry)), "written into the configuration")

	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	require.Contains(t, deploy("second", "--dry-run"), "there already")
	require.Equal(t, address(dry), address(deploy("second")))
}

// The treasury approves a sum and never everything: that is what a stolen operator's key can take from it.
func TestTreasuryApprovesABoundedSum(t *testing.T) {
	w, err := world.Start(t.Context(), world.Config{
		Mode:    devchain.OnDemand,
		Without: world.Parts{Bank: true, Identity: true},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })

	dir := t.TempDir()
	file := filepath.Join(dir, "slipway.toml")
	password := filepath.Join(dir, "password")
	keystore := filepath.Join(dir, "treasury.json")
	require.NoError(t, chain.WriteKeystore(keystore, "a long enough password", w.Treasury.Key))
	require.NoError(t, os.WriteFile(password, []byte("a long enough password\n"), 0o600))
	require.NoError(t, os.WriteFile(file, fmt.Appendf(
		nil,
		"mode = \"test\"\n[[network]]\nid = \"dev\"\nchain_id = %d\ntestnet = true\nrpc_urls = [%q]\nrouter = %q\ntreasury = %q\n",
		world.ChainID,
		w.URL,
		w.Router.Hex(),
		w.Treasury.Address.Hex(),
	), 0o600))

	token := w.Token("USDC").Address
	approve := func(more ...string) (string, error) {
		return slip(t, append([]string{"--config", file, "router", "approve", "dev", token.Hex()}, more...)...)
	}

	_, err = approve()
	require.Error(t, err, "a sum has to be named")
	_, err = approve("0.0000001")
	require.ErrorContains(t, err, "amount")

	said, err := approve("2500.5")
	require.NoError(t, err)
	require.Contains(t, said, hexutil.Encode(contract.Token().PackApprove(w.Router, big.NewInt(2_500_500_000))))

	_, err = approve("2500.5", "--keystore", keystore, "--password-file", password)
	require.NoError(t, err)

	client, err := ethclient.Dial(w.URL)
	require.NoError(t, err)
	t.Cleanup(client.Close)

	answer, err := client.CallContract(t.Context(), ethereum.CallMsg{
		To:   &token,
		Data: contract.Token().PackAllowance(w.Treasury.Address, w.Router),
	}, nil)
	require.NoError(t, err)
	require.Equal(t, big.NewInt(2_500_500_000), new(big.Int).SetBytes(answer))
}
