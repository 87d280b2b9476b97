//go:build !nosandbox

package main

import (
	"context"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/cli"
	"slipway/internal/app/operations"
	"slipway/internal/demo"
	"slipway/internal/platform/config"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/standards/otp"
)

// signedIn starts a sandbox and signs in to it as its person, as docs/how-to/use-the-command-line.md says.
func signedIn(t *testing.T) *sandbox {
	t.Helper()

	s := sandboxIn(t, t.TempDir(), "127.0.0.1:0")
	t.Cleanup(func() { require.NoError(t, s.close()) })
	signIn(t, s)

	return s
}

// sandboxIn starts a sandbox that goes on where an earlier one in the folder ended.
func sandboxIn(t *testing.T, dir, listen string) *sandbox {
	t.Helper()

	c, err := config.Load(config.Source{})
	require.NoError(t, err)

	s, err := startSandbox(t.Context(), sandboxSettings{
		dir:       dir,
		bank:      filepath.Join(dir, "bank"),
		period:    50 * time.Millisecond,
		listen:    listen,
		keepChain: true,
		log:       slog.New(slog.DiscardHandler),
		config:    c,
	})
	require.NoError(t, err)

	return s
}

// signIn makes a sandbox's person the command line's profile, and returns the person.
func signIn(t *testing.T, s *sandbox) demo.Person {
	t.Helper()
	t.Setenv(cli.EnvFile, filepath.Join(t.TempDir(), "profiles.json"))

	p, err := demo.SignUp(t.Context(), s.base, s.app.DB)
	require.NoError(t, err)

	typed(t, p.Password+"\n")

	out, err := slip(t, "login", s.base, "--email", p.Email, "--test")
	require.NoError(t, err)
	require.Contains(t, out, "profile default")

	return p
}

// typed makes a text the standard input.
func typed(t *testing.T, text string) {
	t.Helper()

	file := filepath.Join(t.TempDir(), "stdin")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))

	in, err := os.Open(file)
	require.NoError(t, err)

	before := os.Stdin
	os.Stdin = in

	t.Cleanup(func() {
		os.Stdin = before
		require.NoError(t, in.Close())
	})
}

// The page "use the command line", call by call.
func TestCommandLineTutorial(t *testing.T) {
	s := signedIn(t)

	info, err := os.Stat(os.Getenv(cli.EnvFile))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	id, err := slip(t, "api", "receivers", "create", "--type", "INDIVIDUAL", "--email", "alice@example.org",
		"--firstName", "Alice", "--lastName", "Keller", "--countryIsoCode", "CH",
		"--address.addressLine1", "Seestrasse 1", "--address.postCode", "8002", "--address.city", "Zürich", "-o", "id")
	require.NoError(t, err)

	id = strings.TrimSpace(id)
	require.Regexp(t, "^rcv_", id)

	out, err := slip(t, "api", "receivers", "read", id, "-o", "json")
	require.NoError(t, err)

	var got map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.Equal(t, "Keller", got["lastName"])

	out, err = slip(t, "api", "receivers", "list", "--columns", "_id,lastName,address.city", "--limit", "1", "--all")
	require.NoError(t, err)
	require.Contains(t, out, "Zürich")
	require.Equal(t, 3, strings.Count(out, "\n"), "a head, the organisation itself and Alice: all pages\n%s", out)

	out, err = slip(t, "api", "receivers", "list", "-o", "csv", "--columns", "lastName")
	require.NoError(t, err)
	require.Contains(t, out, "lastName\n")
	require.Contains(t, out, "Keller\n")

	out, err = slip(t, "api", "receivers", "delete", id, "--dry-run", "--key", "k1")
	require.NoError(t, err)
	require.Equal(t, "DELETE "+s.base+"/receivers/"+id+"\nIdempotency-Key: k1\n", out)

	_, err = slip(t, "api", "receivers", "read", "rcv_unknown")
	require.Equal(t, cli.ExitRefused, exitOf(t, err))

	_, err = slip(t, "logout")
	require.NoError(t, err)

	_, err = slip(t, "api", "receivers", "list")
	require.ErrorIs(t, err, cli.ErrNoProfile)
}

// Each kind of failure has an exit code of its own, and a lost answer names the key to repeat with.
func TestExitCodesTellRefusedFromUnknown(t *testing.T) {
	status := http.StatusOK
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if status == 0 {
			panic(http.ErrAbortHandler) // the answer is lost
		}

		w.WriteHeader(status)
	}))
	t.Setenv(cli.EnvURL, service.URL)
	t.Setenv(cli.EnvToken, "at_1")

	accept := []string{"api", "transactions", "accept", "txn_1", "--yes", "--key", "order-7"}

	_, err := slip(t, accept...)
	require.NoError(t, err)

	status = 503
	_, err = slip(t, accept...)
	require.Equal(t, cli.ExitUnknown, exitOf(t, err))
	require.ErrorContains(t, err, "repeat with --key order-7")

	_, err = slip(t, "api", "transactions", "get", "txn_1")
	require.Equal(t, cli.ExitUnreachable, exitOf(t, err), "a question has no outcome")

	status = 0
	_, err = slip(t, accept...)
	require.Equal(t, cli.ExitUnknown, exitOf(t, err))

	status = 409
	_, err = slip(t, accept...)
	require.Equal(t, cli.ExitRefused, exitOf(t, err))

	service.Close()

	_, err = slip(t, accept...)
	require.Equal(t, cli.ExitUnreachable, exitOf(t, err), "nothing was sent")
}

// No operation that changes something says that nothing was done, or that it was, when its answer is lost: uploads too.
func TestLostAnswerOfAnyChangeIsUnknown(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		panic(http.ErrAbortHandler)
	}))
	defer service.Close()

	file := filepath.Join(t.TempDir(), "invoice.pdf")
	require.NoError(t, os.WriteFile(file, []byte("%PDF-1.7"), 0o600))
	t.Setenv(cli.EnvURL, service.URL)
	t.Setenv(cli.EnvToken, "at_1")

	uploads := 0

	for _, o := range operations.All() {
		if !o.Changes() {
			continue
		}

		args := []string{"api", o.Resource, o.Verb, "--yes"}
		for range o.Params() {
			args = append(args, "x_1")
		}

		switch {
		case o.File:
			uploads++

			args = append(args, "--file", file)
		case len(o.Body) > 0:
			args = append(args, "--body", "{}")
		}

		said := "look before you repeat it"
		if o.Keyed {
			args = append(args, "--key", "order-7")
			said = "repeat with --key order-7"
		}

		_, err := slip(t, args...)
		require.Equal(t, cli.ExitUnknown, exitOf(t, err), "%s %s", o.Resource, o.Verb)
		require.ErrorContains(t, err, said, "%s %s", o.Resource, o.Verb)
	}

	require.Positive(t, uploads)
}

// A refused upload is refused.
func TestRefusedUploadIsRefused(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnprocessableEntity)
	}))
	defer service.Close()

	t.Setenv(cli.EnvURL, service.URL)
	t.Setenv(cli.EnvToken, "at_1")

	for _, o := range operations.All() {
		if !o.File || len(o.Params()) > 0 {
			continue
		}

		_, err := slip(t, "api", o.Resource, o.Verb, "--yes", "--file", os.Args[0])
		require.Equal(t, cli.ExitRefused, exitOf(t, err), "%s %s", o.Resource, o.Verb)
	}
}

// Who has a second factor is asked for its code. A wrong one signs nobody in.
func TestLoginAsksForTheSecondFactor(t *testing.T) {
	s := signedIn(t)
	p, code := secondFactor(t, s)

	_, err := slip(t, "logout")
	require.NoError(t, err)
	require.NoError(t, s.world.Advance(2*time.Minute)) // a code is taken once

	typed(t, p.Password+"\n12345x\n")

	_, err = slip(t, "login", s.base, "--email", p.Email, "--test")
	require.Equal(t, cli.ExitRefused, exitOf(t, err))

	_, err = slip(t, "api", "receivers", "list")
	require.ErrorIs(t, err, cli.ErrNoProfile)

	typed(t, p.Password+"\n"+code()+"\n")

	_, err = slip(t, "login", s.base, "--email", p.Email, "--test")
	require.NoError(t, err)

	_, err = slip(t, "api", "receivers", "list")
	require.NoError(t, err)
}

// secondFactor sets a second factor up for the signed-in person, and returns the person and what makes codes.
func secondFactor(t *testing.T, s *sandbox) (p demo.Person, code func() string) {
	t.Helper()

	c, err := cli.Connect(t.Context(), "")
	require.NoError(t, err)

	p, err = demo.SignUp(t.Context(), s.base, s.app.DB)
	require.NoError(t, err)

	var made struct {
		Secret string `json:"secret"`
	}

	require.NoError(t, c.Call(t.Context(), "POST", "/auth/2fa/generate", object{"password": p.Password}, &made))

	raw, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(made.Secret)
	require.NoError(t, err)

	phone := otp.Usual(raw)
	code = func() string { return phone.Code(phone.Step(s.app.DB.Now())) }
	require.NoError(t, c.Call(t.Context(), "POST", "/auth/2fa/verify", object{"code": code()}, nil))

	return p, code
}

// Where the service asks for a fresh second factor, or for the password of an older session, a person types it, and the
// request is sent once more. A program is told what to do instead, and nothing is asked twice.
func TestProofIsAskedForAtTheTerminal(t *testing.T) {
	s := signedIn(t)
	p, code := secondFactor(t, s)
	d := &desk{t: t}
	pause := []string{
		"api", "operations", "pause-rail", "net_dev", "--paused", "true", "--reason", "a look", "-o", "json",
	}
	later := func() { require.NoError(t, s.world.Advance(11*time.Minute)) }

	_, err := slip(t, pause...)
	require.NoError(t, err, "it was proven just now")

	later()

	_, err = d.piped(code()+"\n", pause...)
	require.Equal(t, cli.ExitRefused, exitOf(t, err))
	require.ErrorContains(t, err, "slipway api auth step-up --code CODE")
	_, err = d.at("000000\n"+code()+"\n", pause...)
	require.Equal(t, cli.ExitRefused, exitOf(t, err))
	require.ErrorContains(t, err, "TWO_FACTOR_CODE_INVALID")
	_, err = d.at("", pause...)
	require.Equal(t, cli.ExitRefused, exitOf(t, err), "nobody has typed anything")

	file := filepath.Join(t.TempDir(), "statement.xml")
	require.NoError(t, os.WriteFile(file, []byte("<Document/>"), 0o600))

	_, err = d.at(code()+"\n", "api", "operations", "import-bank-file", "--file", file, "-o", "json")
	require.NoError(t, err, "a file is sent once more, too")
	_, err = d.at("", pause...)
	require.NoError(t, err, "for ten minutes")

	require.NoError(t, s.world.Advance(time.Minute)) // a code is taken once
	_, err = d.piped(p.Password+"\n"+code()+"\n", "login", s.base, "--email", p.Email, "--test")
	require.NoError(t, err)
	later()

	create := []string{"api", "auth", "create-api-key", "--name", "shop", "-o", "json"}
	out, err := d.at(code()+"\n"+p.Password+"\n", create...)
	require.NoError(t, err)
	require.Contains(t, out, "clientId")
	_, err = d.at("not the password\n"+p.Password+"\n", create...)
	require.Equal(t, cli.ExitRefused, exitOf(t, err))
	require.ErrorContains(t, err, "CREDENTIALS_INVALID")
	_, err = d.piped(p.Password+"\n", create...)
	require.ErrorContains(t, err, "this needs your password")
}

// No secret crosses a network in clear, unless somebody says so: it is refused before it is typed.
func TestSecretsAreNotSentInClear(t *testing.T) {
	t.Setenv(cli.EnvFile, filepath.Join(t.TempDir(), "profiles.json"))
	t.Setenv(cli.EnvURL, "")

	for address, want := range map[string]error{
		"https://pay.example.org":   nil,
		"http://localhost:8080":     nil,
		"http://127.0.0.1:8080":     nil,
		"http://[::1]:8080":         nil,
		"http://pay.example.org":    cli.ErrInClear,
		"HTTP://pay.example.org":    cli.ErrInClear,
		"http://10.1.2.3:8080":      cli.ErrInClear,
		"http://localhost.evil.org": cli.ErrInClear,
		"http://127.0.0.1.nip.io":   cli.ErrInClear,
		"pay.example.org":           cli.ErrInClear,
	} {
		p := cli.Profile{URL: address}
		require.ErrorIs(t, p.Protected(), want, address)

		p.InClear = true
		require.NoError(t, p.Protected(), address)
	}

	_, err := slip(t, "login", "http://pay.example.org", "--client-id", "ak_1")
	require.ErrorIs(t, err, cli.ErrInClear, "there is nothing on the standard input yet")

	t.Setenv(cli.EnvURL, "http://pay.example.org")
	t.Setenv(cli.EnvClient, "ak_1")
	t.Setenv(cli.EnvSecret, "sk_live_x")

	_, err = slip(t, "api", "receivers", "list")
	require.ErrorIs(t, err, cli.ErrInClear)
}

// Where money is real, what pays and what deletes is confirmed; where it is not, and for a look at the call, it is not.
func TestRealMoneyIsConfirmed(t *testing.T) {
	accept, _ := operations.Find("transactions", "accept")
	remove, _ := operations.Find("receivers", "delete")
	list, _ := operations.Find("transactions", "list")

	call := func(o operations.Operation, args ...string) *cli.Call {
		if len(o.Params()) > 0 {
			args = append(args, "x_1")
		}

		c, err := cli.Parse(o, args, nil)
		require.NoError(t, err)

		return c
	}

	live := &cli.Session{}
	require.True(t, call(accept).NeedsYes(live))
	require.True(t, call(remove).NeedsYes(live))
	require.False(t, call(list).NeedsYes(live))
	require.False(t, call(accept, "--yes").NeedsYes(live))
	require.False(t, call(accept, "--dry-run").NeedsYes(live))
	require.False(t, call(accept).NeedsYes(&cli.Session{Profile: cli.Profile{Test: true}}))
}

// Fields have the types of the operation, and what it does not have is refused before anything is sent.
func TestFieldsAreThoseOfTheOperation(t *testing.T) {
	t.Setenv(cli.EnvURL, "http://127.0.0.1:1")
	t.Setenv(cli.EnvToken, "at_1")

	out, err := slip(
		t,
		"api",
		"transactions",
		"create",
		"--dry-run",
		"--key",
		"k1",
		"--type",
		"CRYPTO",
		"--token",
		"USDC",
		"--payments.0.amount",
		"10",
		"--payments.0.receiver",
		"rcv_1",
		"--payments.1.amount",
		"2.50",
	)
	require.NoError(t, err)
	require.Contains(
		t,
		out,
		`{"payments":[{"amount":"10","receiver":"rcv_1"},{"amount":"2.50"}],"token":"USDC","type":"CRYPTO"}`,
	)

	out, err = slip(
		t,
		"api",
		"transactions",
		"list",
		"--dry-run",
		"--status",
		"DRAFT",
		"--status",
		"FAILED",
		"--limit=5",
	)
	require.NoError(t, err)
	require.Contains(t, out, "/transactions?limit=5&status%5B%5D=DRAFT&status%5B%5D=FAILED")

	_, err = slip(t, "api", "transactions", "create", "--colour", "red")
	require.ErrorContains(t, err, "has no field colour")

	_, err = slip(t, "api", "transactions", "get")
	require.ErrorContains(t, err, "takes 1 identifiers (id)")
}

// Completion knows commands, resources, verbs, fields and values.
func TestCompletionKnowsTheOperations(t *testing.T) {
	for line, want := range map[string]string{
		"":                               "serve",
		"api":                            "transactions",
		"api transactions":               "accept",
		"api transactions create":        "--token",
		"api transactions create --type": "ONRAMP",
		"api transactions create -o":     "csv",
		"bank":                           "suspense",
		"login":                          "--client-id",
	} {
		out, err := slip(t, append([]string{"completion", "words"}, strings.Fields(line)...)...)
		require.NoError(t, err)
		require.Contains(t, strings.Fields(out), want, line)
	}

	for _, shell := range []string{"bash", "zsh", "fish"} {
		out, err := slip(t, "completion", shell)
		require.NoError(t, err)
		require.Contains(t, out, "slipway completion words")
	}
}

// TestMain lets shells call this program by its name, and one that the tutorial calls: see programs.
func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) {
	case "slipway":
		main()
		return

	case "cast":
		if err := cast(context.Background(), os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}

		return
	}

	os.Exit(m.Run())
}

// The shells themselves complete by the scripts, where they are installed.
func TestShellsComplete(t *testing.T) {
	dir := programs(t, "slipway")

	for shell, ask := range map[string]string{
		"bash": `eval "$(slipway completion bash)"; COMP_WORDS=(slipway api transactions acc); COMP_CWORD=3; ` +
			`_slipway; printf '%s\n' "${COMPREPLY[@]}"`,
		"fish": `slipway completion fish | source; complete -C "slipway api transactions acc"`,
		"zsh": `compdef() { :; }; compadd() { shift; print -l -- "$@"; }; eval "$(slipway completion zsh)"; ` +
			`words=(slipway api transactions acc); CURRENT=4; _slipway`,
	} {
		t.Run(shell, func(t *testing.T) {
			at, err := exec.LookPath(shell)
			if err != nil {
				t.Skip(shell + " is not installed")
			}

			c := exec.CommandContext(t.Context(), at, "-c", ask)

			c.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "HOME="+dir)

			out, err := c.CombinedOutput()
			require.NoError(t, err, string(out))
			require.Contains(t, strings.Fields(string(out)), "accept", string(out))
		})
	}
}

// What is forwarded is signed as a webhook is, over its very bytes, and listening goes on where it is told to.
func TestListenForwardsSignedEvents(t *testing.T) {
	signedIn(t)

	type sent struct {
		id, signature string
		body          []byte
	}

	got := make(chan sent, 8)

	to := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var b json.RawMessage
		if json.NewDecoder(r.Body).Decode(&b) == nil {
			got <- sent{r.Header.Get("Webhook-Id"), r.Header.Get("Webhook-Signature"), b}
		}
	}))
	defer to.Close()

	s, err := cli.Connect(t.Context(), "")
	require.NoError(t, err)

	var out strings.Builder

	l := &cli.Listener{
		Session: s,
		After:   "0",
		Forward: to.URL,
		Secret:  cli.NewWebhookKey(),
		Out:     &out,
		Until:   1,
	}
	require.NoError(t, l.Run(t.Context()))

	first := <-got
	require.NotEmpty(t, first.id)
	require.Regexp(t, "^v1,", first.signature)
	require.Contains(t, out.String(), "1  ")
	require.Contains(t, out.String(), "200 OK")
}

// The service goes away while somebody listens, and comes back: what has happened meanwhile and afterwards is handed
// on, each event once and in order.
func TestListenGoesOnWhereTheServiceWentAway(t *testing.T) {
	dir := t.TempDir()
	s := sandboxIn(t, dir, "127.0.0.1:0")
	address := strings.TrimPrefix(s.base, "http://")
	org := signIn(t, s).Organisation

	happens := func(object string) {
		require.NoError(t, s.app.DB.Write(t.Context(), func(tx *db.Tx) error {
			return trail.Event(tx, "receiver.create", org, object, 1, map[string]string{"_id": object})
		}))
	}

	session, err := cli.Connect(t.Context(), "")
	require.NoError(t, err)

	out := &heard{news: make(chan struct{}, 1)}
	listener := &cli.Listener{
		Session: session,
		Types:   []string{"receiver.create"},
		After:   "0",
		Out:     out,
		Pause:   10 * time.Millisecond,
		Until:   3,
	}

	ended := make(chan error, 1)
	go func() { ended <- listener.Run(t.Context()) }()

	happens("rcv_first")
	out.until(t, "rcv_first")

	happens("rcv_last")
	require.NoError(t, s.close())
	out.until(t, "waiting: ")

	s = sandboxIn(t, dir, address)
	t.Cleanup(func() { require.NoError(t, s.close()) })
	happens("rcv_after")

	require.NoError(t, <-ended)

	var objects []string

	for _, line := range out.lines {
		if !strings.HasPrefix(line, "waiting: ") {
			fields := strings.Fields(line)
			objects = append(objects, fields[len(fields)-1])
		}
	}

	require.Equal(t, []string{"rcv_first", "rcv_last", "rcv_after"}, objects)
}

// heard keeps the lines that a command prints while a test waits for them.
type heard struct {
	mu    sync.Mutex
	lines []string
	news  chan struct{}
}

// Write takes whole lines.
func (h *heard) Write(text []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()

	h.lines = append(h.lines, strings.TrimSuffix(string(text), "\n"))

	select {
	case h.news <- struct{}{}:
	default:
	}

	return len(text), nil
}

// until waits for a line with a text.
func (h *heard) until(t *testing.T, text string) {
	t.Helper()

	for {
		h.mu.Lock()
		come := slices.ContainsFunc(h.lines, func(line string) bool { return strings.Contains(line, text) })
		h.mu.Unlock()

		if come {
			return
		}

		select {
		case <-h.news:
		case <-time.After(time.Minute):
			t.Fatalf("waited in vain for %s", text)
		}
	}
}

func exitOf(t *testing.T, err error) int {
	t.Helper()

	var f *cli.Fault
	require.ErrorAs(t, err, &f)

	return f.Exit
}

// Each flow of trigger reaches the state that it is named for; a second run uses what the first has left.
func TestTriggerReachesWhatItIsNamedFor(t *testing.T) {
	s := signedIn(t)

	// Not all of them: a person may write 60 times a minute.
	for _, flow := range []string{"payment", "return", "onramp", "deposit-mismatch"} {
		out, err := slip(t, "trigger", flow, "--chain", s.world.Chain.URL())
		require.NoError(t, err, "%s: %s", flow, out)
	}

	out, err := slip(t, "trigger")
	require.NoError(t, err)
	require.Contains(t, out, "deposit-mismatch: ")

	_, err = slip(t, "trigger", "nothing")
	require.ErrorContains(t, err, "there is no flow nothing")

	out, err = slip(t, "api", "transactions", "list", "--status", "WAITING_ACCEPTANCE", "-o", "id")
	require.NoError(t, err)

	out, err = slip(t, "explain", strings.TrimSpace(out))
	require.NoError(t, err)
	require.Contains(t, out, "DEPOSIT_MISMATCH")
	require.Contains(t, out, "PLATFORM: ")
}
