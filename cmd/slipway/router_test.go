//go:build !nosandbox

package main

import (
	"crypto/ecdsa"
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

// sandboxed runs a world's chain, and returns it with the configuration of a network on it and a folder.
func sandboxed(t *testing.T) (w *world.World, file, dir string) {
	t.Helper()

	w, err := world.Start(t.Context(), world.Config{
		Mode:    devchain.OnDemand,
		Without: world.Parts{Bank: true, Identity: true},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })

	dir = t.TempDir()
	file = filepath.Join(dir, "slipway.toml")
	text := "mode = \"test\"\n[[network]]\nid = \"dev\"\nchain_id = %d\ntestnet = true\nrpc_urls = [%q]\n" +
		"router = %q\ntreasury = %q\n"
	require.NoError(t, os.WriteFile(file, fmt.Appendf(
		nil,
		text,
		world.ChainID,
		w.URL,
		w.Router.Hex(),
		w.Treasury.Address.Hex(),
	), 0o600))

	return w, file, dir
}

// keyFile stores a key, and returns the flags that name it.
func keyFile(t *testing.T, dir string, key *ecdsa.PrivateKey) []string {
	t.Helper()

	file, password := filepath.Join(dir, "some.json"), filepath.Join(dir, "password")
	require.NoError(t, chain.WriteKeystore(file, "a long enough password", key))
	require.NoError(t, os.WriteFile(password, []byte("a long enough password\n"), 0o600))

	return []string{"--keystore", file, "--password-file", password}
}

// The drill says what would keep a rotation from working, and sends nothing; the rotation takes the old key's power
// away and gives it to the new one. A second run finds nothing to do. (K-07)
func TestTheOperatorsKeyIsRotated(t *testing.T) {
	w, file, dir := sandboxed(t)
	heir := common.HexToAddress("0x52908400098527886E0F7030069857D2E4169EE7")
	owner := keyFile(t, dir, w.Operator.Key) // who owns the router of the sandbox
	rotate := func(more ...string) (string, error) {
		return slip(t, append([]string{"--config", file, "signer", "rotate", heir.Hex()}, more...)...)
	}

	said, err := rotate("--dry-run")
	require.Error(t, err, "the new key has no gas money")
	require.Contains(t, said, "fail  new key")
	require.NoError(t, w.Chain.Fund(heir, big.NewInt(1_000_000_000_000_000_000)))
	require.Eventually(t, func() bool {
		said, err = rotate("--dry-run")
		return err == nil
	}, time.Minute, 10*time.Millisecond)

	for _, part := range []string{"ok    pause", "ok    owner", "ok    new key", "ok    old key", "nothing was sent"} {
		require.Contains(t, said, part)
	}

	said, err = rotate()
	require.NoError(t, err)
	require.Contains(
		t,
		said,
		hexutil.Encode(contract.NewSlipwayRouter().PackSetOperator(heir)),
		"for the owner's wallet",
	)

	said, err = rotate(owner...)
	require.NoError(t, err)
	require.Contains(t, said, heir.Hex()+" is an operator and "+w.Operator.Address.Hex()+" is none")

	said, err = rotate(owner...)
	require.NoError(t, err)
	require.Contains(t, said, "is an operator already")
	require.NotContains(t, said, "sent")

	_, err = slip(t, append([]string{
		"--config", file, "signer", "rotate", w.Treasury.Address.Hex(), "--old", heir.Hex(), "--network", "elsewhere",
	}, owner...)...)
	require.ErrorContains(t, err, "no network elsewhere")
}

// With --old a further key is replaced, and the first one keeps its power. The first one is not named so: taking its
// power away needs another call. (K-07)
func TestAFurtherOperatorsKeyIsRotated(t *testing.T) {
	w, file, dir := sandboxed(t)
	further := common.HexToAddress("0x8617E340B3D01FA5F11F306F4090FD50E238070D")
	heir := common.HexToAddress("0x52908400098527886E0F7030069857D2E4169EE7")
	owner := keyFile(t, dir, w.Operator.Key)
	binding := contract.NewSlipwayRouter()

	client, err := ethclient.Dial(w.URL)
	require.NoError(t, err)
	t.Cleanup(client.Close)

	may := func(who common.Address) bool {
		answer, err := client.CallContract(t.Context(), ethereum.CallMsg{
			To:   &w.Router,
			Data: binding.PackIsOperator(who),
		}, nil)
		require.NoError(t, err)

		return new(big.Int).SetBytes(answer).Sign() != 0
	}

	(&goLive{t: t, world: w}).send(w.Operator.Key, w.Router, binding.PackSetFurtherOperator(further, true))
	require.NoError(t, w.Chain.Fund(heir, big.NewInt(1_000_000_000_000_000_000)))
	require.Eventually(t, func() bool { return may(further) }, time.Minute, 10*time.Millisecond)

	rotate := func(old common.Address) (string, error) {
		return slip(t, append([]string{
			"--config", file, "signer", "rotate", heir.Hex(), "--old", old.Hex(),
		}, owner...)...)
	}

	_, err = rotate(w.Operator.Address)
	require.ErrorContains(t, err, "first operator")

	said, err := rotate(further)
	require.NoError(t, err, said)
	require.Contains(t, said, heir.Hex()+" is an operator and "+further.Hex()+" is none")
	require.True(t, may(heir))
	require.False(t, may(further))
	require.True(t, may(w.Operator.Address), "the first operator goes on")
}

// The treasury approves a sum and never everything: that is what a stolen operator's key can take from it.
func TestTreasuryApprovesABoundedSum(t *testing.T) {
	w, file, dir := sandboxed(t)
	key := keyFile(t, dir, w.Treasury.Key)
	token := w.Token("USDC").Address
	approve := func(more ...string) (string, error) {
		return slip(t, append([]string{"--config", file, "router", "approve", "dev", token.Hex()}, more...)...)
	}

	_, err := approve()
	require.Error(t, err, "a sum has to be named")
	_, err = approve("0.0000001")
	require.ErrorContains(t, err, "amount")

	said, err := approve("2500.5")
	require.NoError(t, err)
	require.Contains(t, said, hexutil.Encode(contract.Token().PackApprove(w.Router, big.NewInt(2_500_500_000))))

	_, err = approve(append([]string{"2500.5"}, key...)...)
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
