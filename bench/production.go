//go:build !nosandbox

package main

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"

	"slipway/internal/platform/secret"
	"slipway/internal/rails/chain/contract"
	"slipway/internal/rails/chain/devchain"
)

// productionChain is a number that no development chain has: a live deployment refuses those.
const productionChain = 77_001

// production measures the binary that is run for real: built without simulators, started by `serve` on its own
// configuration.
func (b *bench) production(ctx context.Context) (ready, idle figure, err error) {
	ready = figure{
		name:     "process start to ready, schema current, production build",
		must:     300,
		goal:     60,
		below:    true,
		unit:     "ms",
		yardName: "-",
		load:     loadAverage(),
	}
	idle = figure{
		name:     "resident memory, idle, production build",
		must:     60,
		goal:     30,
		below:    true,
		unit:     "MB",
		yardName: "-",
		load:     loadAverage(),
	}

	dir, err := lastingDir()
	if err != nil {
		return ready, idle, err
	}
	defer os.RemoveAll(dir)

	chain, err := devchain.Start(devchain.Config{ChainID: productionChain})
	if err != nil {
		return ready, idle, err
	}
	defer chain.Close()

	binary, port, err := prepare(ctx, dir, chain)
	if err != nil {
		return ready, idle, err
	}

	for range b.Rounds + 1 { // the first brings the schema up to date
		c := &child{address: net.JoinHostPort("127.0.0.1", strconv.Itoa(port))}
		cmd := exec.CommandContext(ctx, binary, "--config", filepath.Join(dir, "slipway.toml"), "serve")

		cmd.Env = []string{"HOME=" + dir} // nothing of the benchmark's own settings
		if err := c.launch(cmd); err != nil {
			return ready, idle, fmt.Errorf("%w: %s", err, last(c.errs.String(), 1000))
		}

		ready.ratios = append(ready.ratios, float64(c.ready.Microseconds())/1000)
		if len(ready.ratios) > b.Rounds {
			time.Sleep(3 * time.Second)
			idle.ratios = []float64{c.memory("VmRSS")}
			idle.note = fmt.Sprintf(
				"%.0f MB of it are the process's own (anonymous); the rest are pages of the program's file.",
				c.memory("RssAnon"),
			)
		}

		if err := c.stop(); err != nil {
			return ready, idle, err
		}
	}

	ready.ratios = ready.ratios[1:]

	return ready, idle, nil
}

// lastingDir is a folder outside of the system's temporary ones, which serve refuses.
func lastingDir() (string, error) {
	home, _ := os.UserHomeDir()

	var problems []error
	for _, base := range []string{"/var/lib", home} {
		dir, err := os.MkdirTemp(base, "slipway-bench-")
		if err == nil {
			return dir, nil
		}

		problems = append(problems, err)
	}

	return "", errors.Join(problems...)
}

// prepare builds the binary and gives it a key, a router and a configuration.
func prepare(ctx context.Context, dir string, chain *devchain.Chain) (binary string, port int, err error) {
	at := func(name string) string { return filepath.Join(dir, name) }

	binary = at("slipway")
	if err := buildForProduction(ctx, binary); err != nil {
		return "", 0, err
	}

	list := "0x00000000000000000000000000000000deadbeef\nname: Nobody In Particular\n"

	err = errors.Join(
		os.WriteFile(at("password"), []byte("a long enough password\n"), 0o600),
		os.WriteFile(at("list.txt"), []byte(list), 0o600),
	)
	if err != nil {
		return "", 0, err
	}

	newKey := exec.CommandContext(ctx, binary, "key", "new", at("key.json"), "--password-file", at("password"))

	out, err := newKey.Output()
	if err != nil {
		return "", 0, err
	}

	operator := common.HexToAddress(strings.TrimSpace(strings.TrimPrefix(string(out), "operator address ")))

	router, err := deployRouter(ctx, chain, operator)
	if err != nil {
		return "", 0, err
	}

	if port, err = freePort(); err != nil {
		return "", 0, err
	}

	text := configuration(dir, port, chain.URL(), router)

	return binary, port, os.WriteFile(at("slipway.toml"), []byte(text), 0o600)
}

// buildForProduction builds the service as it is released.
func buildForProduction(ctx context.Context, binary string) error {
	build := exec.CommandContext(ctx, "go", "build", "-tags", "nosandbox", "-trimpath", "-ldflags", "-s -w",
		"-o", binary, "./cmd/slipway")

	build.Env = append(os.Environ(), "CGO_ENABLED=0")

	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w: %s", err, last(string(out), 1000))
	}

	return nil
}

// configuration returns the slipway.toml of a live deployment on one network.
func configuration(dir string, port int, node string, router common.Address) string {
	return fmt.Sprintf(`mode = "live"
data_dir = %q
[http]
listen = "127.0.0.1:%d"
base_url = "https://pay.example.org"
[log]
level = "error"
[chain.signer]
kind = "keystore"
keystore_file = %q
password_file = %q
[security]
keyring = %q
[mail]
host = "mail.example.org"
from = "no-reply@pay.example.org"
[idv]
base_url = "https://idv.example.org"
app_token = "prd:a1"
secret = "six patient lanterns"
webhook_secrets = ["seven loud chairs"]
[screening]
list_files = [%q]
[[network]]
id = "seven"
chain_id = %d
rpc_urls = [%q, %q]
router = %q
treasury = "0x31F1b7C22BF70250D4e29de6549D1b351dB82660"
finality_depth = 2
`,
		dir,
		port,
		filepath.Join(dir, "key.json"),
		filepath.Join(dir, "password"),
		secret.NewKey("k1").Reveal(),
		filepath.Join(dir, "list.txt"),
		productionChain,
		node,
		strings.Replace(node, "127.0.0.1", "localhost", 1),
		router.Hex(),
	)
}

// deployRouter puts a router on the chain that takes orders of the operator.
func deployRouter(ctx context.Context, chain *devchain.Chain, operator common.Address) (common.Address, error) {
	if err := chain.Fund(operator, big.NewInt(1_000_000_000_000_000_000)); err != nil {
		return common.Address{}, err
	}

	chain.Mine(1)

	client, err := ethclient.DialContext(ctx, chain.URL())
	if err != nil {
		return common.Address{}, err
	}
	defer client.Close()
	key := chain.FaucetKey()
	from := crypto.PubkeyToAddress(key.PublicKey)
	nonce := chain.Nonce(from)

	tx, err := types.SignNewTx(key, types.LatestSignerForChainID(chain.ChainID()), &types.DynamicFeeTx{
		ChainID:   chain.ChainID(),
		Nonce:     nonce,
		Gas:       5_000_000,
		GasTipCap: big.NewInt(1_000_000_000),
		GasFeeCap: big.NewInt(50_000_000_000),
		Data:      contract.RouterCreationCode(from, operator, from, contract.DefaultLegGas),
	})
	if err != nil {
		return common.Address{}, err
	}

	err = client.SendTransaction(ctx, tx)
	chain.Mine(1)

	return crypto.CreateAddress(from, nonce), err
}
