//go:build !nosandbox

package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/platformtest"
	"slipway/internal/platform/secret"
	"slipway/internal/rails/chain/contract"
	"slipway/internal/rails/chain/devchain"
)

// place is a live deployment's surroundings: a chain that is no development chain by its number, a router on it, a
// key file.
type place struct {
	dir, operator, listen string
	keyring               secret.Text
	chain                 *devchain.Chain
	router                common.Address
}

const liveChainID = 77_001

func newPlace(t *testing.T) place {
	t.Helper()
	p := place{dir: platformtest.LastingDir(t), keyring: secret.NewKey("k1")}

	var err error
	require.NoError(t, os.WriteFile(p.file("password"), []byte("a long enough password\n"), 0o600))
	require.NoError(
		t,
		os.WriteFile(
			p.file("list.txt"),
			[]byte("# nobody\n0x00000000000000000000000000000000deadbeef\nname: Nobody In Particular\n"),
			0o600,
		),
	)
	out, err := slip(t, "key", "new", p.file("key.json"), "--password-file", p.file("password"))
	require.NoError(t, err)
	p.operator = strings.TrimSpace(strings.TrimPrefix(out, "operator address "))
	p.chain, err = devchain.Start(devchain.Config{ChainID: liveChainID, Mode: devchain.Manual})
	require.NoError(t, err)
	t.Cleanup(func() { _ = p.chain.Close() })
	p.router = p.deployRouter(t)
	p.listen = freeAddress(t)

	return p
}

func (p place) file(name string) string { return filepath.Join(p.dir, name) }

func (p place) deployRouter(t *testing.T) common.Address {
	t.Helper()
	operator := common.HexToAddress(p.operator)
	key := p.chain.FaucetKey()
	require.NoError(t, p.chain.Fund(operator, big.NewInt(1_000_000_000_000_000_000)))
	p.chain.Mine(1)
	client, err := ethclient.Dial(p.chain.URL())
	require.NoError(t, err)

	defer client.Close()
	from := crypto.PubkeyToAddress(key.PublicKey)
	nonce := p.chain.Nonce(from)
	tx, err := types.SignNewTx(key, types.LatestSignerForChainID(p.chain.ChainID()), &types.DynamicFeeTx{
		ChainID:   p.chain.ChainID(),
		Nonce:     nonce,
		Gas:       5_000_000,
		GasTipCap: big.NewInt(1_000_000_000),
		GasFeeCap: big.NewInt(50_000_000_000),
		Data:      contract.RouterCreationCode(from, operator, from, contract.DefaultLegGas),
	})
	require.NoError(t, err)
	require.NoError(t, client.SendTransaction(context.Background(), tx))
	p.chain.Mine(1)

	return crypto.CreateAddress(from, nonce)
}

// config writes the settings of the deployment; the node is named by two hosts, as two providers would be.
func (p place) config(t *testing.T, chainID int, router string) string {
	t.Helper()
	node := p.chain.URL()
	text := fmt.Sprintf(`mode = "live"
data_dir = %q
[http]
listen = %q
base_url = "https://pay.example.org"
[shutdown]
drain = "0s"
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
`, p.dir, p.listen, p.file("key.json"), p.file("password"), p.keyring.Reveal(), p.file("list.txt"), chainID, node, strings.Replace(node, "127.0.0.1", "localhost", 1), router)
	path := p.file("slipway.toml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))

	return path
}

func TestServeRunsOnAKeystoreAndOutsideNodes(t *testing.T) {
	p := newPlace(t)

	ctx, stop := context.WithCancel(context.Background())
	defer stop()

	var out bytes.Buffer

	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, []string{"--config", p.config(t, liveChainID, p.router.Hex()), "serve"}, &out)
	}()
	base := "http://" + p.listen

	status := func(path string) (int, string) {
		res, err := http.Get(base + path)
		if err != nil {
			return 0, ""
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)

		return res.StatusCode, string(body)
	}
	for code := 0; code != 200; code, _ = status("/readyz") {
		select {
		case err := <-ended:
			t.Fatalf("serve ended: %v", err)
		default:
		}
	}

	code, _ := status("/sandbox/clock")
	require.Equal(t, 404, code, "a live deployment has no sandbox operations")
	code, _ = status("/metrics")
	require.Equal(t, 404, code, "figures are not for everybody")
	code, body := status("/openapi.json")
	require.Equal(t, 200, code)
	require.NotContains(t, body, "/sandbox/")
	stop()
	require.NoError(t, <-ended)
}

// TestServeWaitsForANetworkThatIsNotSound: a chain with another number, or without the router, keeps its own network
// from being used. The service answers, and says that it is not ready.
func TestServeWaitsForANetworkThatIsNotSound(t *testing.T) {
	for name, c := range map[string]struct {
		chain  int
		router string
	}{
		"another chain": {liveChainID + 1, ""},
		"no router":     {liveChainID, "0xd26Eaf4ca33674E2cEa011569bBb419E5262e5b0"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)

			ctx, stop := context.WithCancel(context.Background())
			defer stop()

			var out bytes.Buffer

			ended := make(chan error, 1)

			settings := p.config(t, c.chain, cmp.Or(c.router, p.router.Hex()))
			go func() { ended <- run(ctx, []string{"--config", settings, "serve"}, &out) }()

			for code := 0; code != http.StatusServiceUnavailable; {
				select {
				case err := <-ended:
					t.Fatalf("serve ended: %v", err)
				default:
				}

				res, err := http.Get("http://" + p.listen + "/readyz")
				if err != nil {
					continue
				}

				code = res.StatusCode
				require.NoError(t, res.Body.Close())
			}

			stop()
			require.NoError(t, <-ended)
		})
	}
}
