package config

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func write(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "slipway.toml")
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))

	return path
}

func problems(t *testing.T, file string, environ ...string) []string {
	t.Helper()
	_, err := Load(Source{File: file, Environ: environ})

	var invalid *Invalid
	require.ErrorAs(t, err, &invalid)

	return invalid.Problems
}

func load(t *testing.T, file string, environ ...string) *Config {
	t.Helper()
	c, err := Load(Source{File: file, Environ: environ})
	require.NoError(t, err)

	return c
}

func TestDefaultsAreASandbox(t *testing.T) {
	c := load(t, "", "PATH=/bin", "HOME=/root")
	require.Equal(t, Sandbox, c.Mode)
	require.Equal(t, "127.0.0.1:8080", c.HTTP.Listen)
	require.True(t, c.HTTP.AccessLog)
	require.Equal(t, 256, c.Database.GroupLimit)
	require.Equal(t, 20*time.Second, c.Shutdown.Grace)
	require.Equal(t, "sqlite:data/slipway.db", c.DatabaseURL())
	require.Empty(t, c.Networks)
	require.NotEmpty(t, CheckLive(c))
}

func TestEnvironmentGoesBeforeTheFileAndTheFileBeforeDefaults(t *testing.T) {
	file := write(
		t,
		"data_dir = '/srv/a'\n[http]\nlisten = ':1'\nmax_in_flight = 7\n[screening]\nlist_files = ['a', 'b']\n",
	)

	c := load(t, file, "SLIPWAY_HTTP__LISTEN=:2", "SLIPWAY_DATABASE__URL=postgres://u:p@h/d",
		"SLIPWAY_SHUTDOWN__GRACE=90s", "SLIPWAY_LOG__FORMAT=")

	require.Equal(t, ":2", c.HTTP.Listen)
	require.Equal(t, 7, c.HTTP.MaxInFlight)
	require.Equal(t, "/srv/a", c.DataDir)
	require.Equal(t, "postgres://u:p@h/d", c.DatabaseURL())
	require.Equal(t, 90*time.Second, c.Shutdown.Grace)
	require.Equal(t, []string{"a", "b"}, c.Screening.ListFiles)
	require.Equal(t, []string{"x", "y"}, load(t, file, "SLIPWAY_SCREENING__LIST_FILES=x, y").Screening.ListFiles)
}

func TestUnknownNamesAreRefusedWithTheNearest(t *testing.T) {
	file := write(
		t,
		"[http]\nlissten = ':1'\n[databse]\nurl = 'sqlite:x'\n[[network]]\nid = 'a'\nchain_id = 1\nrpc_urls = ['http://n']\nroutr = ''\n",
	)

	got := strings.Join(
		problems(t, file, "SLIPWAY_DATABASE_URL=x", "SLIPWAY_CHAIN__SIGNER__PASWORD_FILE=/x",
			"SLIPWAY_NETWORK__A__TREASURYS=1", "SLIPWAY_XYZZY=1"),
		"\n",
	)
	for _, want := range []string{
		"there is no setting http.lissten; http.listen is the nearest",
		"there is no setting databse.url; database.url is the nearest",
		"there is no setting network.a.routr; network.a.router is the nearest",
		"there is no setting SLIPWAY_DATABASE_URL; SLIPWAY_DATABASE__URL is the nearest",
		"there is no setting SLIPWAY_CHAIN__SIGNER__PASWORD_FILE; SLIPWAY_CHAIN__SIGNER__PASSWORD_FILE is the nearest",
		"there is no setting SLIPWAY_NETWORK__A__TREASURYS; SLIPWAY_NETWORK__A__TREASURY is the nearest",
		"there is no setting SLIPWAY_XYZZY",
	} {
		require.Contains(t, got, want)
	}
}

// Kubernetes gives every container variables for each service of its namespace; one called slipway must not stop the
// start, and no more may what tests are told.
func TestVariablesOfOthersAreLeftAlone(t *testing.T) {
	load(
		t,
		"",
		"SLIPWAY_SERVICE_HOST=10.0.0.1",
		"SLIPWAY_SERVICE_PORT_HTTP=80",
		"SLIPWAY_PORT=tcp://10.0.0.1:80",
		"SLIPWAY_PORT_80_TCP_ADDR=10.0.0.1",
		"SLIPWAY_DB_SERVICE_PORT=5432",
		"SLIPWAY_TEST_POSTGRES=x",
		"SLIPWAY_FAILPOINT=x",
		"SLIPWAY_CONFIG=x",
		"SLIPWAY_FIXTURES=x",
		"SLIPWAYS=1",
	)

	require.Len(t, problems(t, "", "SLIPWAY_HTTP_PORT=8080"), 1)
}

func TestEveryFaultIsToldAtOnce(t *testing.T) {
	file := write(t, `mode = "prod"
data_dir = ""
[http]
listen = "8080"
base_url = "pay.example.org/"
max_in_flight = 0
access_log = "often"
[database]
url = "mysql://root:canary@h/d"
[shutdown]
grace = "20"
[chain.signer]
kind = "keystore"
key = "canary"
address = "0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
[screening]
list_files = [[1]]
[[network]]
id = "one"
rpc_urls = ["ftp://canary@x"]
router = "0x12"
finality_tag = "safe"
finality_depth = 3
max_fee_per_gas_gwei = "1.0000000001"
[[network]]
chain_id = 2
[[network]]
id = "one"
`)
	got := problems(t, file)

	joined := strings.Join(got, "\n")
	for _, want := range []string{
		`mode in ` + file + `: "prod" is not one of: sandbox, test, live`, "data_dir must not be empty", `http.listen: "8080"`, `http.base_url: "pay.example.org/"`,
		"http.max_in_flight in " + file + ": it must be at least 1", `"often" is neither true nor false`, "database.url: it starts with", `"20" is not a duration`,
		"chain.signer.keystore_file is needed", "chain.signer.password is needed", `chain.signer.key is set, but chain.signer.kind is "keystore"`, "chain.signer.key is not 64",
		"chain.signer.address: the checksum", "a list of texts is needed", "network.one: chain_id is needed", "the 1. of rpc_urls", `network.one.router: "0x12"`,
		"finality_tag or finality_depth", "max_fee_per_gas_gwei: the amount has more decimals", "the 2. [[network]] needs an id", "the network one stands twice",
	} {
		require.Contains(t, joined, want)
	}

	require.Len(t, got, 21, joined)
	require.NotContains(t, joined, "canary", "a message must not repeat a secret") // C-01
}

func TestSyntaxFaultsNameTheLine(t *testing.T) {
	require.Contains(t, problems(t, write(t, "mode = 'live'\n[http\n"))[0], "line 2")
	require.Contains(t, problems(t, write(t, "mode = 'live'\nmode = 'live'\n"))[0], "mode is already defined")
	_, err := Load(Source{File: "/nowhere/slipway.toml"})
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestSecretsComeFromFilesOfTheirOwn(t *testing.T) { // C-01
	secretFile := filepath.Join(t.TempDir(), "password")
	require.NoError(t, os.WriteFile(secretFile, []byte("correct horse \n"), 0o600))
	signer := "[chain.signer]\nkind = 'keystore'\nkeystore_file = 'k.json'\n"
	c := load(t, write(t, signer), "SLIPWAY_CHAIN__SIGNER__PASSWORD_FILE="+secretFile)
	require.Equal(t, "correct horse ", c.Chain.Signer.Password.Reveal(), "one line end is cut, and nothing else")
	c = load(t, write(t, signer+"password_file = '"+secretFile+"'\n"))
	require.Equal(t, "correct horse ", c.Chain.Signer.Password.Reveal())
	c = load(t, write(t, signer+"password = 'from the file'\n"), "SLIPWAY_CHAIN__SIGNER__PASSWORD_FILE="+secretFile)
	require.Equal(t, "correct horse ", c.Chain.Signer.Password.Reveal(), "the environment goes before the file")

	both := problems(t, write(t, signer), "SLIPWAY_CHAIN__SIGNER__PASSWORD_FILE="+secretFile,
		"SLIPWAY_CHAIN__SIGNER__PASSWORD=x")
	require.Contains(t, both[0], "SLIPWAY_CHAIN__SIGNER__PASSWORD: give the secret or a file with it, not both")
	require.Contains(t, problems(t, "", "SLIPWAY_DATABASE__URL_FILE=/nowhere")[0], "/nowhere cannot be read")
	require.NoError(t, os.WriteFile(secretFile, []byte("\n"), 0o600))
	require.Contains(t, problems(t, "", "SLIPWAY_DATABASE__URL_FILE="+secretFile)[0], "is empty")
	require.Contains(t, problems(t, "", "SLIPWAY_HTTP__LISTEN_FILE="+secretFile)[0], "there is no setting",
		"only secrets come from files")
}

func TestNetworksOfTheFileAndTheEnvironment(t *testing.T) {
	file := write(t, `[[network]]
id = "zeta"
chain_id = 10
rpc_urls = ["https://a.example/v1/canary", "https://b.example"]
max_fee_per_gas_gwei = 0.25
finality_depth = 64
[[network]]
id = "base-main"
chain_id = 8453
rpc_urls = ["https://c.example"]
name = "Base"
stuck_after = "10s"
`)
	c := load(t, file, "SLIPWAY_NETWORK__BASE_MAIN__RPC_URLS=https://x.example,https://y.example")
	require.Len(t, c.Networks, 2)
	zeta := c.Networks[0]
	base := c.Networks[1]
	require.Equal(t, "zeta", zeta.Name)
	require.EqualValues(t, 250_000_000, zeta.MaxFeePerGasWei().Int64())
	require.EqualValues(t, 500_000_000_000, base.MaxFeePerGasWei().Int64())
	require.Empty(t, zeta.FinalityTag)
	require.Equal(t, "finalized", base.FinalityTag)
	require.Equal(t, 10*time.Second, base.StuckAfter)
	require.Equal(t, "https://x.example", base.RPCURLs[0].Reveal())
	require.NotContains(t, fmt.Sprintf("%+v %#v", c, c), "canary")

	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "c", c)
	require.NotContains(t, log.String(), "canary")

	c = load(t, "", "SLIPWAY_NETWORK__OP_MAIN__CHAIN_ID=10", "SLIPWAY_NETWORK__OP_MAIN__RPC_URLS=https://x.example")
	require.Equal(t, "op-main", c.Networks[0].ID)
	require.Contains(t, strings.Join(problems(t, file, "SLIPWAY_NETWORK__ZETA__CHAIN_ID=8453"), ""),
		"chain_id 8453 is that of the network zeta too")
}

// What WriteTOML prints is a file that Load takes, as it is and with every line uncommented.
func TestTemplateIsAConfiguration(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteTOML(&b))
	require.Equal(t, *load(t, ""), withoutProvenance(load(t, write(t, b.String()))))

	var all []string
	for _, line := range strings.Split(b.String(), "\n") {
		if rest, ok := strings.CutPrefix(line, "#"); ok && !strings.HasPrefix(rest, " ") {
			line = rest
		}

		all = append(all, line)
	}

	got := problems(t, write(t, strings.Join(all, "\n")))
	require.Len(t, got, 8, "%v", got)
	require.Contains(t, got[0], "further_signer.second.remote_url is needed")
	require.Contains(t, got[5], "liquidity_provider.second.url is needed")
	require.Contains(t, got[6], "network.ethereum: chain_id is needed")

	for _, s := range Describe() {
		require.NotEmpty(t, s.Help, s.Key)
		require.True(t, strings.HasSuffix(s.Help, ".") || strings.HasSuffix(s.Help, "…"), s.Key)
	}
}

func withoutProvenance(c *Config) Config {
	d := *c
	d.provenance = provenance{from: map[string]string{}}
	return d
}

func TestTableShowsValuesAndWhereTheyCameFromButNoSecret(t *testing.T) {
	c := load(
		t,
		write(
			t,
			"[http]\nlisten = ':9'\n[[network]]\nid = 'a-b'\nchain_id = 5\nrpc_urls = ['https://canary.example']\n",
		),
		"SLIPWAY_DATABASE__URL=postgres://u:canary@h/d",
	)

	var b bytes.Buffer
	require.NoError(t, WriteTable(&b, c))
	out := b.String()
	require.Regexp(t, `http\.listen +SLIPWAY_HTTP__LISTEN +:9 +/.*slipway\.toml +127\.0\.0\.1:8080`, out)
	require.Regexp(t, `database\.url +SLIPWAY_DATABASE__URL +\[set\] +SLIPWAY_DATABASE__URL `, out)
	require.Regexp(t, `network\.a-b\.rpc_urls +SLIPWAY_NETWORK__A_B__RPC_URLS +\[set\]`, out)
	require.Regexp(t, `network\.a-b\.stuck_after +\S+ +45s +default`, out)
	require.NotContains(t, out, "canary") // C-01
}

func TestInvalidIsOneErrorForOneFault(t *testing.T) {
	_, err := Load(Source{Environ: []string{"SLIPWAY_MODE=x"}})
	require.EqualError(t, err, `configuration: SLIPWAY_MODE: "x" is not one of: sandbox, test, live`)

	var invalid *Invalid
	require.True(t, errors.As(err, &invalid))
}

// A text with a form is held to it wherever it is, in a list, in a table, and when the file empties a default.
func TestTextsHaveTheirForm(t *testing.T) {
	file := write(
		t,
		"[http]\nlisten = ''\nbase_url = ''\n[operator]\ncurrency = ''\n[stock]\nfloors = ['EUR=1', 'EUR']\n"+
			"[[further_signer]]\nid = 'b'\naddress = '0x1'\n",
	)

	got := strings.Join(problems(t, file, "SLIPWAY_LIQUIDITY_PROVIDER__B__CURRENCIES=eur",
		"SLIPWAY_IDV__WEBHOOK_SOURCES=10.0.0.0/8, here"), "\n")
	for _, want := range []string{
		`http.listen: "" is not an address and port`,
		`http.base_url: "" is not an address`,
		`operator.currency: "" is no code`,
		`stock.floors: "EUR" is not ASSET=AMOUNT`,
		`further_signer.b.address: "0x1" is not an address`,
		`liquidity_provider.b.currencies: "eur" is no code`,
		`idv.webhook_sources: "here" is no address or prefix`,
	} {
		require.Contains(t, got, want)
	}

	require.NotContains(t, got, `"EUR=1"`)
	require.NotContains(t, got, "10.0.0.0/8\" is")
}
