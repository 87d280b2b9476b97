//go:build !nosandbox

package main

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"math/big"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/apiclient"
	"slipway/internal/app/world"
	"slipway/internal/platform/platformtest"
	"slipway/internal/platform/platformtest/waits"
	"slipway/internal/rails/chain/devchain"
	"slipway/internal/standards/otp"
)

type object = apiclient.Object

// TestGoLiveFromNothing follows docs/how-to/go-live.md with the release binary alone: from an empty folder to a
// completed payment to a bank account. What is outside is outside here too: a chain whose tokens are worth nothing, an
// SMTP server, a bank that takes files and gives files, the central bank's rates. Nothing of it is known to the binary
// but by what slipway init was told.
func TestGoLiveFromNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program and runs it")
	}

	g := &goLive{t: t, dir: platformtest.LastingDir(t), binary: filepath.Join(t.TempDir(), "slipway")}
	g.etc = filepath.Join(g.dir, "etc")
	g.data = filepath.Join(g.dir, "data")
	g.start = []string{g.binary, "serve", "--config", g.settings()}

	built := waits.For(t, "start of a build")
	build := exec.CommandContext(t.Context(), "go", "build", "-tags", "nosandbox", "-o", g.binary, ".")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	built()

	said, err := g.run("init", "--dir", filepath.Join(g.dir, "bare"), "--mode", "test")
	require.Error(t, err, "this build cannot simulate what was left out")
	require.Contains(t, said, "rates.feeds is not set, and this build has no simulators")

	g.follow()
}

// TestInstalledPackageGoesLive follows the same page with the program of a package that scripts/release-check has
// installed in a clean root: as the package's user, in its folders, started as its unit or its image starts it.
func TestInstalledPackageGoesLive(t *testing.T) {
	root := os.Getenv("SLIPWAY_TEST_ROOT")
	if root == "" {
		t.Skip("scripts/release-check runs it")
	}

	g := &goLive{
		t:     t,
		root:  root,
		dir:   "/srv/trial",
		etc:   "/etc/slipway",
		data:  "/var/lib/slipway",
		start: strings.Fields(os.Getenv("SLIPWAY_TEST_START")), // the unit's ExecStart, or the image's entry point
		user:  new(syscall.Credential),
	}
	g.binary = g.start[0]

	_, err := fmt.Sscanf(os.Getenv("SLIPWAY_TEST_USER"), "%d:%d", &g.user.Uid, &g.user.Gid)
	require.NoError(t, err)
	require.NotZero(t, g.user.Uid, "nothing needs root")

	g.follow()
}

// follow goes through the page.
func (g *goLive) follow() {
	t := g.t

	g.prepareWorld()
	g.setUp()
	g.deployRouter()

	operators := []person{
		g.operator("olga@example.org", "Olga"),
		g.operator("otto@example.org", "Otto"),
	}

	stop := g.serve()
	defer stop()

	_, err := g.run("--config", g.settings(), "doctor")
	require.NoError(t, err, "nothing is wrong while it runs")

	_, err = g.run("healthcheck", "http://"+g.listen)
	require.NoError(t, err)

	for i := range operators {
		g.complete(&operators[i])
	}

	g.prepare(operators)
	customer := g.customer(operators)
	g.pay(customer)
	t.Logf("from nothing to COMPLETED: %s", time.Since(g.began).Round(time.Second))
}

// goLive is a company on its way, and what is around it.
type goLive struct {
	t        *testing.T
	began    time.Time
	root     string // of the file system that the program sees; empty: this machine's
	user     *syscall.Credential
	dir      string // this and the following as the program sees them
	etc      string // of the settings
	data     string
	binary   string
	start    []string // what serves
	listen   string
	world    *world.World
	feed     common.Address // says what a USDC is worth
	ecb      string
	mails    *mailServer
	said     bytes.Buffer // by the service
	treasury common.Address
}

// person is somebody with a session.
type person struct {
	*apiclient.Client
	email, link string
}

const goLivePassword = "nine violet kettles 47"

// prepareWorld starts what is around the company.
func (g *goLive) prepareWorld() {
	t := g.t
	t.Helper()

	g.mails = startMailServer(t)
	require.NoError(t, os.MkdirAll(g.host(g.dir), 0o755))

	var err error
	g.world, err = world.Start(t.Context(), world.Config{
		BankDir: g.host(filepath.Join(g.dir, "bank")),
		Mode:    devchain.Periodic,
		Period:  200 * time.Millisecond,
		Without: world.Parts{Identity: true},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, g.world.Close()) })

	if g.user != nil { // the bank gives its customer the two folders, and what is in them by their group
		require.NoError(t, os.Chmod(g.host(filepath.Join(g.dir, "bank")), 0o755))

		for _, folder := range []string{g.world.Bank.Inbox(), g.world.Bank.Outbox()} {
			require.NoError(t, os.Chown(folder, int(g.user.Uid), int(g.user.Gid)))
			require.NoError(t, os.Chmod(folder, 0o770|os.ModeSetgid))
		}
	}

	g.feed = g.deployFeed()
	g.ecb = centralBank(t)
	g.treasury = common.BytesToAddress(crypto.Keccak256([]byte("treasury of the trial"))[12:])
	g.listen = freeAddress(t)
	g.began = time.Now()
}

// host returns where a path of the program is on this machine.
func (g *goLive) host(path string) string { return filepath.Join(g.root, path) }

// inside returns what the program sees at a path of this machine.
func (g *goLive) inside(path string) string { return strings.TrimPrefix(path, g.root) }

// command returns a command as the program's user, in its root.
func (g *goLive) command(ctx context.Context, line ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, line[0], line[1:]...)
	c.Dir = g.dir
	c.Env = []string{"HOME=" + g.dir, "PATH=/usr/bin"}

	if g.user != nil {
		c.SysProcAttr = &syscall.SysProcAttr{Chroot: g.root, Credential: g.user}
	}

	return c
}

// run runs the release binary, and returns what it printed.
func (g *goLive) run(args ...string) (string, error) {
	g.t.Helper()

	out, err := g.command(g.t.Context(), append([]string{g.binary}, args...)...).CombinedOutput()
	g.t.Logf("$ slipway %s\n%s", strings.Join(args, " "), out)

	return string(out), err
}

func (g *goLive) settings() string { return filepath.Join(g.etc, "slipway.toml") }

// setUp answers the questions.
func (g *goLive) setUp() {
	g.t.Helper()

	list := filepath.Join(g.dir, "list.txt")
	require.NoError(g.t, os.WriteFile(g.host(list), []byte("name: Nobody In Particular\n"), 0o644))

	house := world.HouseAccounts()[0]
	node := g.world.URL

	out, err := g.run("init", "--dir", g.etc,
		"--mode", "test",
		"--base-url", "http://"+g.listen,
		"--listen", g.listen,
		"--data-dir", g.data,
		"--database", "-",
		"--network", "seven",
		"--chain-id", fmt.Sprint(world.ChainID),
		"--rpc", node+","+strings.Replace(node, "127.0.0.1", "localhost", 1),
		"--finality", "2",
		"--treasury", g.treasury.Hex(),
		"--router", "-",
		"--mail-host", "127.0.0.1",
		"--mail-port", g.mails.port,
		"--mail-security", "none",
		"--mail-from", "Slipway <no-reply@example.org>",
		"--mail-user", "-",
		"--verification", "manual",
		"--screening-list", list,
		"--to-bank", g.inside(g.world.Bank.Inbox()),
		"--from-bank", g.inside(g.world.Bank.Outbox()),
		"--bank-test-system",
		"--account-currency", house.Currency,
		"--account-country", house.Country,
		"--account-iban", house.IBAN,
		"--account-bic", house.BIC,
		"--account-holder", house.Holder,
		"--account-rails", "SEPA",
		"--liquidity", "house",
		"--feed", "USDC/USD seven "+g.feed.Hex()+" 24h",
	)
	require.NoError(g.t, err)
	require.Contains(g.t, out, "router deploy seven")

	settings, err := os.ReadFile(g.host(g.settings()))
	require.NoError(g.t, err)

	changed := strings.NewReplacer(
		"[rates]\n", "[rates]\necb_url = \""+g.ecb+"\"\n", // the real one cannot be reached from a test
		"[bank]\n", "[bank]\npoll = \"1s\"\ngather = \"1s\"\n", // a minute each where nobody waits for it
	).Replace(string(settings))
	require.Equal(g.t, 3, strings.Count(changed, "\n")-strings.Count(string(settings), "\n"))
	require.NoError(g.t, os.WriteFile(g.host(g.settings()), []byte(changed), 0o600))
}

// deployRouter gives the operator's key gas money, and deploys.
func (g *goLive) deployRouter() {
	g.t.Helper()

	key, err := os.ReadFile(g.host(filepath.Join(g.etc, "operator.json")))
	require.NoError(g.t, err)
	operator := common.HexToAddress(
		regexp.MustCompile(`"address":\s*"([0-9a-f]{40})"`).FindStringSubmatch(string(key))[1],
	)
	require.NoError(g.t, g.world.Chain.Fund(operator, big.NewInt(1_000_000_000_000_000_000)))

	client, err := ethclient.DialContext(g.t.Context(), g.world.URL)
	require.NoError(g.t, err)

	defer client.Close()

	g.until("the operator's address has gas money", func() bool {
		has, err := client.BalanceAt(g.t.Context(), operator, nil)
		require.NoError(g.t, err)

		return has.Sign() > 0
	})

	owner := g.world.Accounts[4].Address.Hex()
	_, err = g.run("--config", g.settings(), "router", "deploy", "seven", "--owner", owner, "--guardian", owner)
	require.NoError(g.t, err)

	out, err := g.run("init", "--dir", g.etc)
	require.NoError(g.t, err)
	require.Contains(g.t, out, "Ready")
	require.Contains(g.t, out, "router approve ")

	out, err = g.run("--config", g.settings(), "doctor")
	require.Error(g.t, err)
	require.Contains(g.t, out, "slipway migrate makes it")

	_, err = g.run("--config", g.settings(), "migrate")
	require.NoError(g.t, err)
}

// operator prepares an account of one of the platform's people.
func (g *goLive) operator(email, name string) person {
	g.t.Helper()

	out, err := g.run("--config", g.settings(), "user", "add", email, name, "Muster", "--role", "operator")
	require.NoError(g.t, err)
	found := regexp.MustCompile(`/account/complete#(\S+)`).FindStringSubmatch(out)
	require.NotNil(g.t, found, out)

	return person{apiclient.New("http://" + g.listen), email, found[1]}
}

// serve starts the service and waits until it is ready.
func (g *goLive) serve() (stop func()) {
	g.t.Helper()

	said := &g.said

	c := g.command(context.Background(), g.start...)
	c.Stdout, c.Stderr = said, said
	require.NoError(g.t, c.Start())

	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()

	for status := 0; status != http.StatusOK; {
		select {
		case err := <-ended:
			g.t.Fatalf("serve ended: %v\n%s", err, said.String())
		default:
		}

		if res, err := http.Get("http://" + g.listen + "/readyz"); err == nil {
			status = res.StatusCode
			require.NoError(g.t, res.Body.Close())
		}
	}

	return func() {
		require.NoError(g.t, c.Process.Signal(os.Interrupt))
		require.NoError(g.t, <-ended, said.String())
	}
}

// call requires an answer.
func (g *goLive) call(p person, method, path string, body, out any) {
	g.t.Helper()
	require.NoError(g.t, p.Call(g.t.Context(), method, path, body, out), "%s %s", method, path)
}

// complete sets the password by the printed link, and the second factor that operators need.
func (g *goLive) complete(p *person) {
	g.t.Helper()

	link := person{&apiclient.Client{Base: p.Base, Token: p.link, HTTP: p.HTTP}, p.email, ""}
	g.call(link, "PATCH", "/users/complete", object{
		"token":     p.link,
		"firstName": "Operator",
		"lastName":  "Muster",
		"password":  goLivePassword,
	}, nil)

	_, err := p.SignIn(g.t.Context(), p.email, goLivePassword)
	require.NoError(g.t, err)

	var made struct {
		Secret string `json:"secret"`
	}

	g.call(*p, "POST", "/auth/2fa/generate", object{"password": goLivePassword}, &made)

	raw, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(made.Secret)
	require.NoError(g.t, err)

	app := otp.Usual(raw)
	g.call(*p, "POST", "/auth/2fa/verify", object{"code": app.Code(app.Step(time.Now()))}, nil)
}

// prepare does what operators do before the first customer: the token's place on the network, and the house's stock.
func (g *goLive) prepare(operators []person) {
	g.t.Helper()

	g.placeToken(operators)

	var asked struct {
		ID string `json:"_id"`
	}

	g.call(operators[0], "POST", "/operations/stock/changes", object{
		"kind":      "CAPITAL_IN",
		"received":  object{"asset": "EUR", "amount": "10000.00"},
		"reference": "2026-11-24/1",
		"reason":    "Working capital",
	}, &asked)
	g.call(operators[1], "POST", "/operations/approvals/"+asked.ID+"/decision", object{
		"decision": "APPROVED",
		"comment":  "It is set aside.",
	}, nil)

	g.until("the stock is filled", func() bool {
		var stock struct {
			Positions []struct {
				Asset string `json:"asset"`
				Free  string `json:"free"`
			} `json:"positions"`
		}

		g.call(operators[0], "GET", "/operations/stock", nil, &stock)

		for _, p := range stock.Positions {
			if p.Asset == "EUR" && p.Free == "10000.00" {
				return true
			}
		}

		return false
	})
}

// placeToken says where the token is on the network: one operator asks, the other one approves, and the chain is asked
// once more before it is so.
func (g *goLive) placeToken(operators []person) {
	g.t.Helper()

	usdc := g.world.Tokens[0]

	var network struct {
		PendingApproval string `json:"pendingApproval"`
	}

	g.call(operators[0], "PUT", "/networks/net_seven/tokens/USDC", object{
		"address":  usdc.Address.Hex(),
		"decimals": usdc.Decimals,
	}, &network)
	g.call(operators[1], "POST", "/operations/approvals/"+network.PendingApproval+"/decision", object{
		"decision": "APPROVED",
		"comment":  "It is the contract of the issuer's list.",
	}, nil)
	g.until("the token is on the network", func() bool {
		var approvals struct {
			Results []struct {
				ID      string `json:"_id"`
				Outcome string `json:"outcome"`
			} `json:"results"`
		}

		g.call(operators[1], "GET", "/operations/approvals", nil, &approvals)

		for _, a := range approvals.Results {
			if a.ID == network.PendingApproval {
				return a.Outcome == "CARRIED_OUT"
			}
		}

		return false
	})
}

// until asks again until something is so; between two questions it waits for what the service may tell.
func (g *goLive) until(what string, so func() bool) {
	g.t.Helper()

	for range 1800 {
		if so() {
			return
		}

		select {
		case <-g.t.Context().Done():
			g.t.Fatal(what)
		case <-time.After(100 * time.Millisecond): // another process's time is the wall's
		}
	}

	g.t.Fatalf("it does not come to pass that %s\n%s", what, g.said.String())
}

// customer registers a company, which the operators verify by hand.
func (g *goLive) customer(operators []person) person {
	g.t.Helper()

	p := person{apiclient.New("http://" + g.listen), "ada@customer.example", ""}
	g.call(p, "POST", "/auth/register", object{
		"firstName": "Ada",
		"lastName":  "Muster",
		"email":     p.email,
		"password":  goLivePassword,
	}, nil)
	g.call(p, "POST", "/auth/confirm-account", object{"token": g.mails.link(g, p.email)}, nil)

	_, err := p.SignIn(g.t.Context(), p.email, goLivePassword)
	require.NoError(g.t, err)

	var made struct {
		ID string `json:"_id"`
	}

	g.call(p, "POST", "/organisations/create", object{"organisationType": "Organisation", "name": "Ada AG"}, &made)

	var token struct {
		URL string `json:"url"`
	}

	g.call(p, "POST", "/idv/get-applicant-token", object{"type": "organisation", "organisationId": made.ID}, &token)
	g.fillForm(token.URL)
	g.decide(operators)
	g.until("the company is approved", func() bool {
		var org struct {
			Status string `json:"onboardingStatus"`
		}

		g.call(p, "GET", "/organisations/"+made.ID, nil, &org)

		return org.Status == "APPROVED"
	})

	return p
}

// fillForm answers the questions of the hosted form in a browser without script.
func (g *goLive) fillForm(page string) {
	g.t.Helper()

	jar, err := cookiejar.New(nil)
	require.NoError(g.t, err)

	browser := &http.Client{Jar: jar}
	at := "http://" + g.listen + "/verify"
	post := func(path, contentType string, body io.Reader) {
		res, err := browser.Post(at+path, contentType, body)
		require.NoError(g.t, err)
		said, err := io.ReadAll(res.Body)
		require.NoError(g.t, err)
		require.NoError(g.t, res.Body.Close())
		require.Equal(g.t, http.StatusOK, res.StatusCode, string(said))
	}
	form := func(path string, values url.Values) {
		post(path, "application/x-www-form-urlencoded", strings.NewReader(values.Encode()))
	}

	form("/open", url.Values{"code": {page}})
	form("/form", url.Values{
		"registrationNumber": {"CHE-123.456.789"},
		"country":            {"CHE"},
		"street":             {"Seestrasse 1"},
		"postCode":           {"8002"},
		"city":               {"Zürich"},
		"representatives":    {"Ada Muster"},
		"owners":             {"Ada Muster"},
	})

	picture, err := base64.StdEncoding.DecodeString(
		"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6" +
			"kgAAAABJRU5ErkJggg==",
	)
	require.NoError(g.t, err)

	for _, kind := range []string{"REGISTER", "OWNERS", "SIGNATORY", "ADDRESS"} {
		var b bytes.Buffer

		w := multipart.NewWriter(&b)
		part, err := w.CreateFormFile(kind, "scan.png")
		require.NoError(g.t, err)
		_, err = part.Write(picture)
		require.NoError(g.t, err)
		require.NoError(g.t, w.Close())
		post("/documents", w.FormDataContentType(), &b)
	}

	form("/send", nil)
}

// decide has two operators look at the case and approve it.
func (g *goLive) decide(operators []person) {
	g.t.Helper()

	var list struct {
		Results []struct {
			ID string `json:"_id"`
		} `json:"results"`
	}

	g.call(operators[0], "GET", "/operations/reviews?status[]=SUBMITTED", nil, &list)
	require.Len(g.t, list.Results, 1)

	var found struct {
		Screening string `json:"screening"`
		Basis     int64  `json:"basis"`
		Checklist []struct {
			Point string `json:"point"`
		} `json:"checklist"`
	}

	at := "/operations/reviews/" + list.Results[0].ID
	g.until("the names are screened", func() bool {
		g.call(operators[0], "GET", at, nil, &found)
		return found.Screening == "CLEAR"
	})

	for _, c := range found.Checklist {
		g.call(operators[0], "PUT", at+"/checklist/"+c.Point, object{"done": true}, nil)
	}

	g.call(operators[0], "GET", at, nil, &found)

	for _, o := range operators {
		g.call(o, "POST", at+"/decision", object{"decision": "APPROVE", "basis": found.Basis}, nil)
	}
}

// pay pays a bank account out of the customer's wallet, until the bank's files say that it was paid.
func (g *goLive) pay(p person) {
	g.t.Helper()

	var self, receiver, account, made struct {
		ID string `json:"_id"`
	}

	payer := g.world.Accounts[0]
	g.call(p, "GET", "/receivers/self", nil, &self)
	g.prove(p, self.ID, payer)
	g.call(p, "POST", "/receivers", object{
		"type":           "INDIVIDUAL",
		"email":          "alice@example.org",
		"firstName":      "Alice",
		"lastName":       "Keller",
		"address":        object{"addressLine1": "Seestrasse 1", "postCode": "8002", "city": "Zürich"},
		"countryIsoCode": "CH",
	}, &receiver)
	g.call(p, "POST", "/bank-accounts", object{
		"receiver":    receiver.ID,
		"bankCountry": "CH",
		"currency":    "EUR",
		"iban":        "CH9300762011623852957",
		"bicSwift":    "SLWYCHZ0XXX",
	}, &account)
	g.until("the account can be paid to", func() bool {
		var a struct {
			Validation struct {
				Verified bool `json:"verified"`
			} `json:"ibanSuiteValidation"`
		}

		g.call(p, "GET", "/bank-accounts/"+account.ID, nil, &a)

		return a.Validation.Verified
	})

	g.call(p, "POST", "/transactions", object{
		"type":          "FIAT",
		"token":         "USDC",
		"walletAddress": payer.Address.Hex(),
		"payments": []object{{
			"type":        "FIAT",
			"receiver":    receiver.ID,
			"bankAccount": account.ID,
			"amount":      "250.00",
			"reason":      "Invoice 2026-118",
		}},
	}, &made)

	at := "/transactions/" + made.ID

	var allowance struct {
		Enough bool `json:"sufficient"`
		Calls  []struct {
			To   string `json:"to"`
			Data string `json:"data"`
		} `json:"approvalCalls"`
	}

	g.call(p, "POST", at+"/check-allowance", nil, &allowance)

	for _, c := range allowance.Calls {
		g.send(payer.Key, common.HexToAddress(c.To), hexutil.MustDecode(c.Data))
	}

	g.until("the wallet's approval is seen", func() bool {
		g.call(p, "POST", at+"/check-allowance", nil, &allowance)
		return allowance.Enough
	})
	g.call(p, "POST", at+"/submit", nil, nil)
	g.call(p, "POST", at+"/accept", nil, nil)

	var paid struct {
		Status     string `json:"status"`
		Settlement string `json:"settlementStatus"`
		Info       string `json:"statusInfo"`
	}

	g.until("it is COMPLETED", func() bool {
		g.call(p, "GET", at, nil, &paid)
		return paid.Status == "COMPLETED" && paid.Settlement == "SETTLED"
	})

	wrong, err := g.world.Bank.Check(g.t.Context())
	require.NoError(g.t, err)
	require.Empty(g.t, wrong, "the bank's own books")

	executed, err := g.world.Bank.Executions(g.t.Context())
	require.NoError(g.t, err)
	require.Len(g.t, executed, 1)

	for _, times := range executed {
		require.Equal(g.t, 1, times)
	}
}

// prove stores a wallet, and proves it by a signature.
func (g *goLive) prove(p person, receiver string, a world.Account) {
	g.t.Helper()

	var w struct {
		ID        string `json:"_id"`
		Ownership struct {
			Message string `json:"message"`
		} `json:"ownership"`
	}

	g.call(p, "POST", "/wallets", object{
		"address":  a.Address.Hex(),
		"network":  "net_seven",
		"type":     "EOA",
		"receiver": receiver,
	}, &w)

	signature, err := crypto.Sign(accounts.TextHash([]byte(w.Ownership.Message)), a.Key)
	require.NoError(g.t, err)

	signature[64] += 27
	g.call(p, "POST", "/wallets/"+w.ID+"/verify-wallet", object{
		"message":       w.Ownership.Message,
		"signedMessage": "0x" + hex.EncodeToString(signature),
	}, nil)
	g.until("the wallet is screened", func() bool {
		var now struct {
			Status string `json:"walletAnalysisStatus"`
		}

		g.call(p, "GET", "/wallets/"+w.ID, nil, &now)

		return now.Status == "APPROVED"
	})
}

// send sends a transaction from somebody's own wallet. An empty address deploys a contract, whose address is returned.
func (g *goLive) send(key *ecdsa.PrivateKey, to common.Address, data []byte) common.Address {
	g.t.Helper()

	client, err := ethclient.DialContext(g.t.Context(), g.world.URL)
	require.NoError(g.t, err)

	defer client.Close()

	from := crypto.PubkeyToAddress(key.PublicKey)
	nonce, err := client.PendingNonceAt(g.t.Context(), from)
	require.NoError(g.t, err)

	target := &to
	if to == (common.Address{}) {
		target = nil
	}

	tx, err := types.SignNewTx(key, types.LatestSignerForChainID(g.world.Chain.ChainID()), &types.DynamicFeeTx{
		ChainID:   g.world.Chain.ChainID(),
		Nonce:     nonce,
		Gas:       500_000,
		GasTipCap: big.NewInt(1_000_000_000),
		GasFeeCap: big.NewInt(50_000_000_000),
		To:        target,
		Data:      data,
	})
	require.NoError(g.t, err)
	require.NoError(g.t, client.SendTransaction(g.t.Context(), tx))

	return crypto.CreateAddress(from, nonce)
}

// deployFeed puts a price feed on the chain: USDC / USD at 1, always of the newest block. The code answers decimals(),
// description() and, to anything else, latestRoundData().
func (g *goLive) deployFeed() common.Address {
	g.t.Helper()

	name := "USDC / USD"
	code := strings.Join([]string{
		"60003560e01c",              // the selector
		"8063313ce56714603957",      // decimals() is at 0x39
		"80637284e41614604457",      // description() is at 0x44
		"6001600052",                // the round 1
		"6305f5e100602052",          // the answer, 1 with eight decimals
		"42604052" + "42606052",     // started and updated now
		"6001608052" + "60a06000f3", // answered in the round 1
		"5b6008600052" + "60206000f3",
		"5b6020600052" + fmt.Sprintf("60%02x602052", len(name)),
		"7f" + hex.EncodeToString(common.RightPadBytes([]byte(name), 32)) + "604052" + "60606000f3",
	}, "")
	length := fmt.Sprintf("%02x", len(code)/2)

	return g.send(g.world.Accounts[3].Key, common.Address{}, common.FromHex("60"+length+"80600b6000396000f3"+code))
}

// centralBank serves the reference rates of today.
func centralBank(t *testing.T) string {
	t.Helper()

	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `<g:Envelope xmlns:g="http://www.gesmes.org/xml/2002-08-01" `+
			`xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><Cube><Cube time='%s'>`+
			`<Cube currency='USD' rate='1.10'/></Cube></Cube></g:Envelope>`, time.Now().UTC().Format(time.DateOnly))
	}))
	t.Cleanup(s.Close)

	return s.URL
}

// freeAddress returns an address that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()

	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())

	return l.Addr().String()
}

// mailServer is a relay that keeps what it gets.
type mailServer struct {
	port string
	mu   sync.Mutex
	got  map[string]string // the newest text by recipient
}

func startMailServer(t *testing.T) *mailServer {
	t.Helper()

	m := &mailServer{got: map[string]string{}}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)

	_, m.port, err = net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)

	s := smtp.NewServer(
		smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &mailSession{server: m}, nil }),
	)
	s.Domain = "localhost"

	go func() { _ = s.Serve(l) }()

	t.Cleanup(func() { _ = s.Close() })

	return m
}

// link waits for a mail to an address, and returns the token of the link in it.
func (m *mailServer) link(g *goLive, to string) (token string) {
	g.t.Helper()

	pattern := regexp.MustCompile(`/account/confirm#([A-Za-z0-9_]+)`)

	g.until("a mail to "+to+" arrives", func() bool {
		m.mu.Lock()
		defer m.mu.Unlock()

		text := strings.NewReplacer("=\r\n", "", "=3D", "=").Replace(m.got[to])
		if found := pattern.FindStringSubmatch(text); found != nil {
			token = found[1]
		}

		return token != ""
	})

	return token
}

type mailSession struct {
	server *mailServer
	to     []string
}

// Mail begins a mail.
func (s *mailSession) Mail(string, *smtp.MailOptions) error { return nil }

// Rcpt adds a recipient.
func (s *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = append(s.to, to)
	return nil
}

// Data keeps the mail.
func (s *mailSession) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}

	s.server.mu.Lock()
	defer s.server.mu.Unlock()

	for _, to := range s.to {
		s.server.got[to] = string(raw)
	}

	return nil
}

// Reset forgets the recipients.
func (s *mailSession) Reset() { s.to = nil }

// Logout ends the connection.
func (*mailSession) Logout() error { return nil }
