//go:build !nosandbox

package main

import (
	"context"
	"crypto/ecdsa"
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

// fenced finds the blocks of code of a page, each with its language.
var fenced = regexp.MustCompile("(?ms)^ *```([a-z]*)\n(.*?)^ *```$")

// codeOf returns the blocks of code of a page that are in one language; "" has what commands print.
func codeOf(t *testing.T, page, language string) (out []string) {
	t.Helper()

	raw, err := os.ReadFile(filepath.Join("../../docs", page))
	require.NoError(t, err)

	for _, b := range fenced.FindAllStringSubmatch(string(raw), -1) {
		if b[1] == language {
			out = append(out, b[2])
		}
	}

	require.NotEmpty(t, out, "%s has no %s", page, language)

	return out
}

// differs is what two runs print otherwise: identifiers, hashes, times, ports, rates, blocks and gas.
var differs = regexp.MustCompile(`0x[0-9a-fA-F]{40,}|\b[a-z]{2,5}_[0-9a-z]{26}\b|` +
	`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?|(?:127\.0\.0\.1|localhost):\d+|\d+\.\d{3,}|` +
	`"(?:gasUsed|confirmations)": \d+|Nonce: \w+|"endToEndId":"\w+"|"reference":"[\w-]+"`)

// printed returns the lines of a text without what differs and without their columns' widths.
func printed(text string) (lines []string) {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, " [1e") // cast prints a large number twice, its stand-in does not
		if words := strings.Fields(differs.ReplaceAllString(line, "*")); len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}

	return lines
}

// requireSamples requires that every line that the samples of a page show was printed.
func requireSamples(t *testing.T, out string, samples ...string) {
	t.Helper()

	was := printed(out)
	for _, line := range printed(strings.Join(samples, "\n")) {
		require.Contains(t, was, line, "the page shows what is not printed:\n%s", out)
	}
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

// shell runs a script of the pages beside a sandbox, with this program and a stand-in for Foundry's cast that signs and
// sends as it does. It returns the folder that the script ran in, and what was printed.
func shell(t *testing.T, dir, script string) (folder, out string) {
	t.Helper()

	c := exec.CommandContext(t.Context(), "bash", "-e", "-o", "pipefail", "-c", script)
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), "PATH="+programs(t, "slipway", "cast")+":"+os.Getenv("PATH"), "SLIPWAY_DATA_DIR="+dir)

	raw, err := c.CombinedOutput()
	require.NoError(t, err, string(raw))

	return c.Dir, string(raw)
}

// The calls that pages leave to their readers.
const (
	screened = "until curl -s $API/wallets/$WALLET -H \"$AUTH\" | grep -q '\"APPROVED\"'; do sleep 0.1; done\n" +
		"curl -s $API/wallets/$WALLET -H \"$AUTH\" |\n" +
		"  jq '{ownership: .ownership.status, screening: .walletAnalysisStatus}'\n"
	completed = "until curl -s $API/transactions/$TX -H \"$AUTH\" | grep -q '\"COMPLETED\"'; do sleep 0.1; done\n"
	// history prints each state that the transaction went through: whoever asks now and then misses some
	history = "curl -sg \"$API/events?types[]=transaction.*&limit=100\" -H \"$AUTH\" |\n" +
		"  jq -c '.. | objects | select(has(\"settlementStatus\")) | {status, settlementStatus}'\n"
	misspelt = "sed 's/\"token\":/\"tokn\":/; s/\"amount\":\"12.50\"/\"amount\":12.50/' request.json |\n" +
		"  curl -s $API/transactions -H \"$AUTH\" -H 'Content-Type: application/json' -d @- |\n" +
		"  jq '{status, code, detail, errors: [.errors[] | {pointer, code, message}]}'\n"
)

// tutorial returns the shell of the tutorial behind its first block, which starts the sandbox, for one that runs.
func tutorial(t *testing.T, s *sandbox) []string {
	t.Helper()

	blocks := codeOf(t, "tutorial/first-payment.md", "sh")
	require.Contains(t, blocks[0], "slipway dev")
	blocks[1] = replaced(t, blocks[1], "API=http://localhost:8080", "API="+s.base,
		"CHAIN=http://localhost:8545", "CHAIN="+s.world.Chain.URL())

	return blocks[1:]
}

// The tutorial's shell as it stands, from the first call to the ledger's proof, prints what its samples show. What
// differs: the sandbox runs already, and waiting ends by itself.
func TestFirstPaymentTutorialRuns(t *testing.T) {
	needs(t, "bash", "curl", "jq")

	dir := t.TempDir()
	s := sandboxIn(t, dir, "127.0.0.1:0")
	t.Cleanup(func() { require.NoError(t, s.close()) })

	var started strings.Builder

	describe(&started, s, signIn(t, s), dir)

	script := replaced(t, strings.Join(tutorial(t, s), "\n"),
		"go run ./cmd/slipway", "slipway",
		"while sleep 1; do", completed+"for once in 1; do",
		"ALICE=$(", screened+"ALICE=$(",
		"-d \"{\\\"type\\\":\\\"CRYPTO\\\"", "-d \"$(tee request.json <<<\"{\\\"type\\\":\\\"CRYPTO\\\"",
		"\\\"Invoice 7\\\"}]}\"", "\\\"Invoice 7\\\"}]}\")\"",
	)

	folder, out := shell(t, dir, script+misspelt+history)
	requireSamples(t, started.String()+out, append(
		codeOf(t, "tutorial/first-payment.md", ""), codeOf(t, "tutorial/first-payment.md", "json")...)...)
	require.Contains(t, out, "1000012500000")

	paper, err := os.ReadFile(filepath.Join(folder, "statement.pdf"))
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(paper), "%PDF-"))
}

// The pages "pay a bank account" and "buy tokens by a bank deposit", behind the tutorial's first three steps, print
// what their samples show.
func TestPagesOfTheBankRun(t *testing.T) {
	needs(t, "bash", "curl", "jq")

	dir := t.TempDir()
	s := sandboxIn(t, dir, "127.0.0.1:0")
	t.Cleanup(func() { require.NoError(t, s.close()) })
	signIn(t, s)

	const pays, buys = "how-to/pay-a-bank-account.md", "how-to/buy-tokens-by-deposit.md"

	pay := codeOf(t, pays, "sh")
	look := len(pay) - 1 // the block behind "follow it"
	buy := replaced(t, strings.Join(codeOf(t, buys, "sh"), "\n"), `"reference":"F5EE-W3WZ"`,
		`"reference":"'$(curl -s $API/transactions/$TX/bank-details -H "$AUTH" | jq -r .reference)'"`)

	_, out := shell(t, dir, strings.Join(tutorial(t, s)[:4], "\n")+screened+
		strings.Join(pay[:look], "\n")+completed+pay[look]+buy+completed+history)
	requireSamples(t, out, append(codeOf(t, pays, ""), codeOf(t, buys, "")...)...)
}

// The page "go live" shows all that a file with nothing but the mode leaves out.
func TestPageOfGoingLiveShowsWhatIsMissing(t *testing.T) {
	t.Setenv("SLIPWAY_MODE", "live")

	_, err := slip(t, "serve")
	require.Error(t, err)
	require.Equal(t, printed(codeOf(t, "how-to/go-live.md", "")[0]), printed("slipway: "+err.Error()))
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

	hash, err := sendCall(ctx, node, key, to, data)
	if err != nil {
		return err
	}

	receipt, err := bind.WaitMined(ctx, node, hash)
	if err == nil && receipt.Status != types.ReceiptStatusSuccessful {
		err = errors.New("the call was reverted")
	}

	return err
}

// sendCall signs a call and sends it.
func sendCall(
	ctx context.Context,
	node *ethclient.Client,
	key *ecdsa.PrivateKey,
	to common.Address,
	data []byte,
) (common.Hash, error) {
	chain, err := node.ChainID(ctx)
	if err != nil {
		return common.Hash{}, err
	}

	nonce, err := node.PendingNonceAt(ctx, crypto.PubkeyToAddress(key.PublicKey))
	if err != nil {
		return common.Hash{}, err
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
		return common.Hash{}, err
	}

	return tx.Hash(), node.SendTransaction(ctx, tx)
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

	take = func(w http.ResponseWriter, r *http.Request) {
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

	for verified := false; !verified; {
		view, err := c.ReadWebhookEndpoint(ctx, endpoint.ID)
		if err != nil {
			panic(err)
		}

		verified = view.IsVerified
	}
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

// The page "use a client", in Python.
func TestPageOfThePythonClientRuns(t *testing.T) {
	needs(t, "python3")

	client, err := filepath.Abs("../../clients/python")
	require.NoError(t, err)

	if exec.CommandContext(
		t.Context(),
		"python3",
		"-c",
		"import sys; sys.exit(sys.version_info < (3, 11))",
	).Run() != nil {
		t.Skip("python3 is older than 3.11")
	}

	s := signedIn(t)
	p := newProgram(t)
	code := replaced(t, codeOf(t, "how-to/use-a-client.md", "python")[0],
		"https://pay.example.org", s.base, "ak_…", p.ClientID, "sk_…", p.Secret)

	run := "import sys, textwrap; exec(textwrap.dedent(sys.argv[1])); print(payee['_id'])"
	c := exec.CommandContext(t.Context(), "python3", "-c", run, code)

	c.Env = append(os.Environ(), "PYTHONPATH="+client, "PYTHONDONTWRITEBYTECODE=1")

	out, err := c.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Regexp(t, "^rcv_", string(out))
}
