//go:build !nosandbox

package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"
)

// codeOf returns the blocks of code of a page that are in one language.
func codeOf(t *testing.T, page, language string) (out []string) {
	t.Helper()

	raw, err := os.ReadFile(filepath.Join("../../docs", page))
	require.NoError(t, err)

	blocks := regexp.MustCompile("(?ms)^ *```"+language+"\n(.*?)^ *```$").FindAllStringSubmatch(string(raw), -1)
	for _, b := range blocks {
		out = append(out, b[1])
	}

	require.NotEmpty(t, out, "%s has no %s", page, language)

	return out
}

// replaced replaces texts, each of which must be there.
func replaced(t *testing.T, text string, pairs ...string) string {
	t.Helper()

	for i := 0; i < len(pairs); i += 2 {
		require.Contains(t, text, pairs[i])
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}

	return text
}

// programs returns a folder in which this program has the names that shells call it by.
func programs(t *testing.T, names ...string) string {
	t.Helper()

	self, err := os.Executable()
	require.NoError(t, err)

	dir := t.TempDir()
	for _, name := range names {
		require.NoError(t, os.Symlink(self, filepath.Join(dir, name)))
	}

	return dir
}

// needs skips a test where a program is missing.
func needs(t *testing.T, names ...string) {
	t.Helper()

	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(name + " is not installed")
		}
	}
}

// The tutorial's shell as it stands, from the first call to the ledger's proof. What differs: the sandbox runs already,
// cast is a stand-in for Foundry's that signs and sends as it does, and waiting ends by itself.
func TestFirstPaymentTutorialRuns(t *testing.T) {
	needs(t, "bash", "curl", "jq")

	dir := t.TempDir()
	s := sandboxIn(t, dir, "127.0.0.1:0")
	t.Cleanup(func() { require.NoError(t, s.close()) })
	signIn(t, s)

	blocks := codeOf(t, "tutorial/first-payment.md", "sh")
	require.Contains(t, blocks[0], "slipway dev")

	const screened = "until curl -s $API/wallets/$WALLET -H \"$AUTH\" | grep -q '\"APPROVED\"'; do sleep 0.1; done\n"

	script := replaced(t, strings.Join(blocks[1:], "\n"),
		"API=http://localhost:8080", "API="+s.base,
		"CHAIN=http://localhost:8545", "CHAIN="+s.world.Chain.URL(),
		"go run ./cmd/slipway", "slipway",
		"while sleep 1; do", "until curl -s $API/transactions/$TX -H \"$AUTH\" | grep -q COMPLETED; do sleep 0.1;",
		"ALICE=$(", screened+"ALICE=$(",
	)

	c := exec.CommandContext(t.Context(), "bash", "-e", "-o", "pipefail", "-c", script)
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), "PATH="+programs(t, "slipway", "cast")+":"+os.Getenv("PATH"), "SLIPWAY_DATA_DIR="+dir)

	out, err := c.CombinedOutput()
	require.NoError(t, err, string(out))

	for _, want := range []string{
		`"ownership": "VERIFIED"`,
		`"sufficient": false`,
		"\ntrue\n",
		`{"status":"PROCESSING","settlementStatus":"FUNDS_PULLING"}`,
		`"status": "FINAL"`,
		"1000012500000",
		"4 journals, 8 postings",
		"the books are sound",
	} {
		require.Contains(t, string(out), want)
	}

	paper, err := os.ReadFile(filepath.Join(c.Dir, "statement.pdf"))
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(paper), "%PDF-"))
}

// cast does what the tutorial asks of Foundry's program of that name.
func cast(ctx context.Context, args []string) error {
	flags := map[string]string{}

	var words []string

	for i := 0; i < len(args); i++ {
		if name, ok := strings.CutPrefix(args[i], "--"); ok {
			flags[name] = args[i+1]
			i++
		} else {
			words = append(words, args[i])
		}
	}

	if words[0] == "wallet" { // sign TEXT
		key, err := crypto.HexToECDSA(strings.TrimPrefix(flags["private-key"], "0x"))
		if err != nil {
			return err
		}

		signature, err := crypto.Sign(accounts.TextHash([]byte(words[2])), key)
		if err != nil {
			return err
		}

		signature[64] += 27
		_, err = fmt.Println("0x" + hex.EncodeToString(signature))

		return err
	}

	node, err := ethclient.DialContext(ctx, flags["rpc-url"])
	if err != nil {
		return err
	}
	defer node.Close()

	to := common.HexToAddress(words[1])

	if words[0] == "call" { // TO SIGNATURE ARGUMENT
		data := append(crypto.Keccak256([]byte(strings.Split(words[2], ")")[0] + ")"))[:4],
			common.LeftPadBytes(common.HexToAddress(words[3]).Bytes(), 32)...)

		answer, err := node.CallContract(ctx, ethereum.CallMsg{To: &to, Data: data}, nil)
		if err == nil {
			fmt.Println(new(big.Int).SetBytes(answer))
		}

		return err
	}

	return castSend(ctx, node, flags["private-key"], to, hexutil.MustDecode(words[2]))
}

// castSend sends a call and waits until it is in a block.
func castSend(ctx context.Context, node *ethclient.Client, private string, to common.Address, data []byte) error {
	key, err := crypto.HexToECDSA(strings.TrimPrefix(private, "0x"))
	if err != nil {
		return err
	}

	chain, err := node.ChainID(ctx)
	if err != nil {
		return err
	}

	nonce, err := node.PendingNonceAt(ctx, crypto.PubkeyToAddress(key.PublicKey))
	if err != nil {
		return err
	}

	tx, err := types.SignNewTx(key, types.LatestSignerForChainID(chain), &types.DynamicFeeTx{
		ChainID:   chain,
		Nonce:     nonce,
		To:        &to,
		Gas:       200_000,
		Data:      data,
		GasTipCap: big.NewInt(1_000_000_000),
		GasFeeCap: big.NewInt(2_000_000_000),
	})
	if err != nil {
		return err
	}

	if err := node.SendTransaction(ctx, tx); err != nil {
		return err
	}

	receipt, err := bind.WaitMined(ctx, node, tx.Hash())
	if err == nil && receipt.Status != types.ReceiptStatusSuccessful {
		err = errors.New("the call was reverted")
	}

	return err
}

// The page "use the command line": each of its calls, in a shell, as it stands. Only the deployment, people and files
// have other names.
func TestPageOfTheCommandLineRuns(t *testing.T) {
	needs(t, "bash")

	s := signedIn(t)
	p := newProgram(t)
	payer := s.world.Accounts[0].Address.Hex()
	typed := " --test <<<'sandbox password 1'"
	chain := " --chain " + s.world.Chain.URL()

	_, err := slip(t, "trigger", "payment", "--chain", s.world.Chain.URL()) // proves the paying wallet
	require.NoError(t, err)

	self, err := slip(t, "api", "receivers", "list", "--limit", "1", "-o", "id")
	require.NoError(t, err)

	payment := fmt.Sprintf(`{"type": "CRYPTO", "token": "USDC", "walletAddress": %q, "payments": [{"type": "CRYPTO",
		"receiver": %q, "walletAddress": %q, "walletType": "EOA", "network": "net_dev", "amount": "1",
		"reason": "x"}]}`,
		payer, strings.TrimSpace(self), s.world.Accounts[1].Address.Hex())

	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "secret.txt"), []byte(p.Secret), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "payment.json"), []byte(payment), 0o600))

	// listens until it has said that it does
	listens := func(line string) string {
		return line + " >said 2>&1 & until grep -qs 'listening from' said; do sleep 0.05; done; kill $!; rm said\n"
	}

	const (
		creates  = "slipway api transactions create --body @payment.json"
		prints   = "slipway listen --types 'transaction.*'"
		forwards = "slipway listen --forward-to http://localhost:3000/hooks"
	)

	script := replaced(t, strings.Join(codeOf(t, "how-to/use-the-command-line.md", "sh"), "\n"),
		"https://pay.example.org --email ada@example.org", s.base+" --email dev@example.org"+typed,
		"https://pay.example.org --client-id ak_…", s.base+" --client-id "+p.ClientID,
		creates, "TX=$("+creates+" -o id)",
		"slipway api transactions accept txn_…\n", "slipway api transactions accept $TX || [ $? = 2 ]\n",
		"txn_…", "$TX",
		prints+"\n", listens(prints),
		forwards+"\n", listens(forwards),
		"http://localhost:8080 --email dev@example.org --test", s.base+" --email dev@example.org"+typed,
		"slipway trigger deposit-mismatch", "slipway trigger deposit-mismatch"+chain,
		"/etc/bash_completion.d/slipway", "completion.bash",
		`"${fpath[1]}/_slipway"`, "completion.zsh",
		"~/.config/fish/completions/slipway.fish", "completion.fish",
	)

	c := exec.CommandContext(t.Context(), "bash", "-e", "-c", script)
	c.Dir = dir

	c.Env = append(os.Environ(), "PATH="+programs(t, "slipway")+":"+os.Getenv("PATH"))

	out, err := c.CombinedOutput()
	require.NoError(t, err, string(out))

	for _, want := range []string{
		"profile default", "profile accounting", "receivers", "--firstName", "rcv_", "Zürich", "Idempotency-Key: ",
		"deposit-mismatch",
	} {
		require.Contains(t, string(out), want)
	}

	for _, shell := range []string{"bash", "zsh", "fish"} {
		text, err := os.ReadFile(filepath.Join(dir, "completion."+shell))
		require.NoError(t, err)
		require.Contains(t, string(text), "slipway completion words")
	}
}

// program is an API client of a sandbox's person.
type program struct {
	ClientID string `json:"clientId"`
	Secret   string `json:"secret"`
}

func newProgram(t *testing.T) (p program) {
	t.Helper()

	out, err := slip(t, "api", "auth", "create-api-key",
		"--name", "accounting", "--password", "sandbox password 1", "-o", "json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal([]byte(out), &p))

	return p
}

// The page "use a client", in Go: its module file and its code are those of a program that is built and run.
func TestPageOfTheGoClientRuns(t *testing.T) {
	s := signedIn(t)
	p := newProgram(t)

	code := replaced(t, codeOf(t, "how-to/use-a-client.md", "go")[0],
		"https://pay.example.org", s.base, "ak_…", p.ClientID, "sk_…", p.Secret)

	out := runGo(t, `
import (
	"context"
	"fmt"

	slipway "slipway-client"
)

func use(ctx context.Context) error {
`+code+`
	fmt.Println(payee.ID)

	return err
}

func main() {
	if err := use(context.Background()); err != nil {
		panic(err)
	}
}
`)

	require.Regexp(t, "^rcv_", out)

	list, err := slip(t, "api", "receivers", "list", "-o", "id")
	require.NoError(t, err)
	require.Contains(t, list, strings.TrimSpace(out))
}

// The page "take webhooks": its call adds an endpoint, and a program with its code understands what the service sends.
func TestPageOfWebhooksRuns(t *testing.T) {
	needs(t, "bash", "curl", "jq")

	s := signedIn(t)
	token := signIn(t, s).Token

	call := strings.TrimSpace(codeOf(t, "how-to/take-webhooks.md", "sh")[0])
	c := exec.CommandContext(t.Context(), "bash", "-e", "-c", call+" | jq -r .secret")

	c.Env = append(os.Environ(), "API="+s.base, "TOKEN="+token)

	secret, err := c.Output()
	require.NoError(t, err)
	require.Regexp(t, "^whsec_", string(secret))

	blocks := codeOf(t, "how-to/take-webhooks.md", "go")

	out := runGo(t, `
import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	slipway "slipway-client"
)

func main() {
	ctx := context.Background()
	come := make(chan string, 1)
	take := func(http.ResponseWriter, *http.Request) {}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { take(w, r) }))

	c, err := slipway.New(slipway.Config{Address: "`+s.base+`", Auth: slipway.Bearer("`+token+`")})
	if err != nil {
		panic(err)
	}

	endpoint, err := c.CreateWebhookEndpoint(ctx, slipway.CreateWebhookEndpointRequest{URL: server.URL})
	if err != nil {
		panic(err)
	}

	verifier, err := newVerifier(endpoint.Secret)
	if err != nil {
		panic(err)
	}

	take = func(_ http.ResponseWriter, r *http.Request) {
`+blocks[1]+`
		if err != nil {
			panic(err)
		}

		come <- event.Type
	}

	if _, err := c.TestWebhookEndpoint(ctx, endpoint.ID); err != nil {
		panic(err)
	}

	fmt.Println(<-come)
}

func newVerifier(secret string) (*slipway.Verifier, error) {
`+replaced(t, blocks[0], `"whsec_…"`, "secret")+`
	return verifier, err
}
`)

	require.Equal(t, "webhook_endpoint.test\n", out)
}

// runGo builds a program beside the client's folder, with the module file that the page says, and returns what it
// prints.
func runGo(t *testing.T, source string) string {
	t.Helper()

	client, err := filepath.Abs("../../clients/go")
	require.NoError(t, err)

	names := codeOf(t, "how-to/use-a-client.md", "")
	dir := t.TempDir()
	module := "module page\n\ngo 1.26\n\n" + replaced(t, names[0], "./slipway/clients/go", client)

	sums, err := os.ReadFile(filepath.Join(client, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(module), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n"+source), 0o600))

	c := exec.CommandContext(t.Context(), "go", "run", "-mod=mod", ".")
	c.Dir = dir

	c.Env = append(os.Environ(), "GOWORK=off", "GOPROXY=off", "GOFLAGS=-trimpath")

	var problems strings.Builder

	c.Stderr = &problems

	out, err := c.Output()
	require.NoError(t, err, problems.String())

	return string(out)
}

// The page "use a client", in TypeScript: the compiler takes its code, and Node runs it.
func TestPageOfTheTypeScriptClientRuns(t *testing.T) {
	needs(t, "node")

	client, err := filepath.Abs("../../clients/typescript")
	require.NoError(t, err)

	compiler := filepath.Join(client, "node_modules", "typescript", "bin", "tsc")
	if _, err := os.Stat(filepath.Join(client, "dist", "index.js")); err != nil {
		t.Skip("clients/typescript is not built: npm ci && npm run build")
	}

	s := signedIn(t)
	p := newProgram(t)
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "node_modules"), 0o700))
	require.NoError(t, os.Symlink(client, filepath.Join(dir, "node_modules", "slipway-client")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"type": "module"}`), 0o600))

	code := replaced(t, codeOf(t, "how-to/use-a-client.md", "ts")[0],
		"https://pay.example.org", s.base, "ak_…", p.ClientID, "sk_…", p.Secret)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "page.ts"), []byte(code+"\nconsole.log(payee._id);\n"), 0o600))

	for _, step := range [][]string{
		{compiler, "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", "page.ts"},
		{"page.js"},
	} {
		c := exec.CommandContext(t.Context(), "node", step...)
		c.Dir = dir

		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))

		if step[0] == "page.js" {
			require.Regexp(t, "^rcv_", string(out))
		}
	}
}
