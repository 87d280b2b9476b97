package app_test

import (
	"context"
	"io/fs"
	"maps"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"slipway/internal/directory/network"
	"slipway/internal/platform/blob"
	"slipway/internal/platform/clock"
	"slipway/internal/rails/bank/ebics"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/kms"
	"slipway/internal/rails/ibansuite"
	"slipway/internal/rails/idv"
	"slipway/internal/rails/liquidity"
	"slipway/internal/rails/openid"
	"slipway/internal/rails/rates"
	"slipway/internal/rails/safeservice"
	"slipway/internal/rails/webhook"
)

// ways are all adapters that leave over HTTP, by package. Each asks one host once, as the service does. What they are
// answered does not count.
var ways = map[string]func(ctx context.Context) error{
	"rails/idv": func(ctx context.Context) error {
		c, err := idv.NewClient(idv.ClientConfig{URL: "https://idv.example", AppToken: "token", Secret: "secret"})
		if err != nil {
			return err
		}

		_, _ = c.Applicant(ctx, "a")

		return nil
	},
	"rails/ibansuite": func(ctx context.Context) error {
		c, err := ibansuite.NewClient(ibansuite.Config{URL: "https://ibansuite.example", Key: "key"})
		if err != nil {
			return err
		}

		_, _ = c.Check(ctx, "CH9300762011623852957")

		return nil
	},
	"rails/liquidity": func(ctx context.Context) error {
		c, err := liquidity.NewClient(liquidity.ClientConfig{
			URL:    "https://liquidity.example",
			KeyID:  "key",
			Secret: "secret",
		})
		if err != nil {
			return err
		}

		_, _ = c.Look(ctx, "transaction/t/convert/EUR")

		return nil
	},
	"rails/bank/ebics": func(ctx context.Context) error {
		c := ebics.Client{URL: "https://ebics.example", Party: ebics.NewParty(nil), Now: time.Now}
		_, _ = c.Versions(ctx)

		return nil
	},
	"rails/safeservice": func(ctx context.Context) error {
		c, err := safeservice.NewClient(safeservice.Config{URL: "https://safeservice.example"})
		if err != nil {
			return err
		}

		_, _ = c.Confirmations(ctx, common.Hash{1}.Hex())

		return nil
	},
	"rails/rates": func(ctx context.Context) error {
		_, _ = rates.NewECB(rates.ECBConfig{URL: "https://rates.example"}).Rate(ctx, "EUR", "CHF")
		_, _ = rates.ECBHistory{URL: "https://history.rates.example"}.Days(ctx)

		return nil
	},
	"rails/chain/kms": func(ctx context.Context) error {
		_, _ = kms.Open(ctx, kms.Config{
			Region:      "eu-west-1",
			Key:         "alias/a",
			Endpoint:    "https://kms.chain.example",
			Credentials: func() (kms.Credentials, error) { return kms.Credentials{KeyID: "a", Secret: "b"}, nil },
			Clock:       clock.New(),
		})

		return nil
	},
	"rails/chain": func(ctx context.Context) error {
		c, err := chain.NewClient(chain.ClientConfig{URLs: []string{"https://chain.example"}, ChainID: big.NewInt(7)})
		if err != nil {
			return err
		}

		_, _ = c.BlockNumber(ctx)

		s, err := chain.NewRemoteSigner("https://signer.chain.example", common.Address{1})
		if err != nil {
			return err
		}

		_, _ = s.SignTx(ctx, types.NewTx(&types.DynamicFeeTx{To: &common.Address{}}), big.NewInt(7))

		return nil
	},
	"rails/webhook": func(ctx context.Context) error {
		_, _ = webhook.New(webhook.Guard{AllowPrivate: true}).Send(ctx, webhook.Message{
			ID:   "evt",
			URL:  "https://webhook.example",
			Keys: []string{webhook.NewKey()},
		})

		return nil
	},
	"rails/openid": func(ctx context.Context) error {
		_, _ = openid.New(webhook.Guard{AllowPrivate: true}, clock.New(), time.Now).Check(ctx, "https://openid.example")

		return nil
	},
	// A number: the name of a node that somebody has added is looked up first.
	"directory/network": func(ctx context.Context) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://192.0.2.7/network", http.NoBody)
		if err != nil {
			return err
		}

		if answer, err := (&network.Guard{AllowPrivate: true}).Client(time.Minute).Do(r); err == nil {
			return answer.Body.Close()
		}

		return nil
	},
	"platform/blob": func(ctx context.Context) error {
		s, err := blob.OpenS3(blob.S3Config{
			Endpoint:  "https://blob.example",
			Region:    "eu-west-1",
			Bucket:    "documents",
			AccessKey: "a",
			Secret:    "b",
			PathStyle: true,
		})
		if err != nil {
			return err
		}

		_, _ = s.ListKeys(ctx, "a")

		return nil
	},
}

// noWays are the packages that use HTTP and in which no way of the service to the outside begins.
var noWays = []string{
	"platform/remote",  // each adapter that calls it is listed
	"platform/observe", // the collector of traces, which TestServeAndDoctorGoTheSameWay has asked
	"app/setup",        // doctor asks by the adapters, and TestServeAndDoctorGoTheSameWay has it ask
	"app/apiclient",    // on the machine of whoever calls the API
	"app/world",        // on loopback, as the three that follow
	"demo",
	"rails/chain/devchain",
	"rails/idv/idvsim",
	"rails/chain/anvil", // of tests, as the three that follow
	"rails/chain/faultrpc",
	"app/apptest",
	"platform/browsertest",
}

// asksThere is set in the process that only asks.
const asksThere = "SLIPWAY_TEST_WAYS"

// TestEachAdapterGoesByTheEnvironmentsProxy starts a process with a proxy in its environment, which a process reads
// once, and has each adapter ask its host. The proxy is asked for every one of them. A package that begins to use HTTP
// is found here, and has to be listed.
func TestEachAdapterGoesByTheEnvironmentsProxy(t *testing.T) {
	if os.Getenv(asksThere) != "" {
		for name, ask := range ways {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			require.NoError(t, ask(ctx), name)
			cancel()
		}

		return
	}

	var (
		mu    sync.Mutex
		asked []string
	)

	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()

		host, _, _ := net.SplitHostPort(r.Host)
		asked = append(asked, host)
		w.WriteHeader(http.StatusBadGateway)
	}))
	t.Cleanup(proxy.Close)

	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")

	child.Env = append(os.Environ(), "HTTPS_PROXY="+proxy.URL, "NO_PROXY=", asksThere+"=1")
	said, err := child.CombinedOutput()
	require.NoError(t, err, string(said))

	slices.Sort(asked)
	require.Equal(t, []string{
		"192.0.2.7",
		"blob.example",
		"chain.example",
		"ebics.example",
		"history.rates.example",
		"ibansuite.example",
		"idv.example",
		"kms.chain.example",
		"liquidity.example",
		"openid.example",
		"rates.example",
		"safeservice.example",
		"signer.chain.example",
		"webhook.example",
	}, slices.Compact(asked))

	listed := slices.Concat(slices.Collect(maps.Keys(ways)), noWays)
	require.ElementsMatch(t, listed, usesHTTP(t), "the packages of internal that use HTTP: they go by the rule")
}

// usesHTTP returns the packages that begin an exchange over HTTP.
func usesHTTP(t *testing.T) (found []string) {
	t.Helper()

	begins := regexp.MustCompile(
		`\b(remote\.(New|Guarded)|http\.(Client|Transport)\{|http\.Default(Client|Transport)|http\.(Get|Post|Head)\(|` +
			`minio\.New|otlptracehttp\.New|ethclient\.Dial|rpc\.Dial)`,
	)

	require.NoError(t, filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}

		text, err := os.ReadFile(path)
		if begins.Match(text) {
			found = append(found, filepath.ToSlash(filepath.Dir(path))[len("../"):])
		}

		return err
	}))
	require.NotEmpty(t, found)
	slices.Sort(found)

	return slices.Compact(found)
}
