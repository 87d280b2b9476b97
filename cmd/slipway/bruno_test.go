//go:build !nosandbox

package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/platformtest/parts"
)

// bruno is the collection of the tutorial's calls.
const bruno = "../../clients/bruno"

var (
	brunoBlock    = regexp.MustCompile(`(?ms)^([a-z:-]+) \{\n(.*?)^\}$`)
	brunoVariable = regexp.MustCompile(`\{\{(\w+)\}\}`)
	tutorialShell = regexp.MustCompile("(?s)```sh\n(.*?)```")
)

// brunoCall is one file of the collection.
type brunoCall struct {
	name   string
	blocks map[string]string
}

func (c brunoCall) method() string {
	for _, m := range []string{"get", "post", "put", "patch", "delete"} {
		if _, ok := c.blocks[m]; ok {
			return strings.ToUpper(m)
		}
	}

	return ""
}

// lines returns the "name: value" lines of a block.
func (c brunoCall) lines(block string) [][2]string {
	var out [][2]string

	for _, line := range strings.Split(c.blocks[block], "\n") {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			out = append(out, [2]string{name, strings.TrimSpace(value)})
		}
	}

	return out
}

func (c brunoCall) line(block, name string) string {
	for _, l := range c.lines(block) {
		if l[0] == name {
			return l[1]
		}
	}

	return ""
}

func readBruno(t *testing.T, file string) brunoCall {
	t.Helper()

	raw, err := os.ReadFile(file)
	require.NoError(t, err)

	c := brunoCall{filepath.Base(file), map[string]string{}}
	for _, b := range brunoBlock.FindAllStringSubmatch(string(raw), -1) {
		c.blocks[b[1]] = b[2]
	}

	return c
}

// brunoCalls returns the calls in their order, which is that of their numbers.
func brunoCalls(t *testing.T) []brunoCall {
	t.Helper()

	files, err := filepath.Glob(filepath.Join(bruno, "[0-9]*.bru"))
	require.NoError(t, err)

	var out []brunoCall

	for i, f := range files {
		c := readBruno(t, f)
		require.Equal(t, strconv.Itoa(i+1), c.line("meta", "seq"), c.name)
		require.Equal(t, fmt.Sprintf("%02d %s.bru", i+1, c.line("meta", "name")), c.name)
		out = append(out, c)
	}

	return out
}

// Every call of the tutorial is in the collection.
func TestBrunoHasTheCallsOfTheTutorial(t *testing.T) {
	var has []string

	for _, c := range brunoCalls(t) {
		path := strings.TrimPrefix(c.line(strings.ToLower(c.method()), "url"), "{{api}}")
		has = append(has, c.method()+" "+brunoVariable.ReplaceAllString(path, "{}"))
	}

	page, err := os.ReadFile("../../docs/tutorial/first-payment.md")
	require.NoError(t, err)

	called := regexp.MustCompile(`\$API(/[^\s?;]*)`)
	named := regexp.MustCompile(`-X (\w+)`)
	found := 0

	for _, shell := range tutorialShell.FindAllStringSubmatch(string(page), -1) {
		for _, call := range strings.Split(shell[1], "curl ")[1:] {
			path := called.FindStringSubmatch(call)
			if path == nil {
				continue
			}

			method := "GET"
			if m := named.FindStringSubmatch(call); m != nil {
				method = m[1]
			} else if strings.Contains(call, " -d ") {
				method = "POST"
			}

			found++

			require.Contains(t, has, method+" "+regexp.MustCompile(`\$\w+`).ReplaceAllString(path[1], "{}"))
		}
	}

	require.Greater(t, found, 10)
}

// The collection runs against a sandbox as it stands, the wallet doing what is its part.
func TestBrunoCollectionRuns(t *testing.T) {
	runCollection(t, func(c brunoCall, vars map[string]string) brunoAnswer {
		return sendBruno(t, c, func(text string) string {
			return brunoVariable.ReplaceAllStringFunc(text, func(v string) string {
				value, ok := vars[strings.Trim(v, "{}")]
				require.True(t, ok, "%s: %s has no value", c.name, v)

				return value
			})
		})
	})
}

// Bruno's own command line takes the collection as it stands: it sends what our runner sends, and finds the same in the
// answers.
func TestRealBrunoRunsTheCollection(t *testing.T) {
	program := parts.Need(t, "bru")[0]

	runCollection(t, func(c brunoCall, vars map[string]string) brunoAnswer {
		report := filepath.Join(t.TempDir(), "report.json")
		args := []string{"run", c.name, "--env", "sandbox", "--reporter-json", report}

		// What is asserted is judged in Node itself: on a busy machine Bruno 4.1 may look at an answer before its other
		// sandbox is there, and then finds nothing in it.
		args = append(args, "--sandbox", "developer")

		for name, value := range vars {
			if !strings.Contains(value, "\n") { // the message as people read it, which no call sends
				args = append(args, "--env-var", name+"="+value)
			}
		}

		bru := exec.CommandContext(t.Context(), program, args...)
		bru.Dir = bruno

		out, _ := bru.CombinedOutput() // it fails where an assertion does not hold yet

		raw, err := os.ReadFile(report)
		require.NoError(t, err, string(out))

		var said []struct {
			Results []struct {
				Response struct {
					Status int
					Data   json.RawMessage
				}
				AssertionResults []struct{ Status string }
			}
		}

		require.NoError(t, json.Unmarshal(raw, &said), string(raw))
		require.Len(t, said, 1, string(raw))
		require.Len(t, said[0].Results, 1, string(raw))

		one := said[0].Results[0]
		require.Len(t, one.AssertionResults, len(c.lines("assert")), string(raw))

		answer := brunoAnswer{status: one.Response.Status, body: one.Response.Data}
		holds := !slices.ContainsFunc(one.AssertionResults, func(a struct{ Status string }) bool {
			return a.Status != "pass"
		})
		require.Equal(t, holds, answer.asSaid(t, c), "%s: Bruno and our runner disagree: %s", c.name, raw)

		return answer
	})
}

// runCollection sends the calls of the collection to a sandbox, one after the other.
func runCollection(t *testing.T, send func(c brunoCall, vars map[string]string) brunoAnswer) {
	t.Helper()

	s := signedIn(t)
	payer := s.world.Accounts[0]

	vars := map[string]string{}
	for _, l := range readBruno(t, filepath.Join(bruno, "environments/sandbox.bru")).lines("vars") {
		vars[l[0]] = l[1]
	}

	require.Equal(t, payer.Address.Hex(), vars["payer"])
	vars["api"] = s.base

	for _, c := range brunoCalls(t) {
		switch c.line("meta", "name") {
		case "Prove the wallet":
			signature, err := crypto.Sign(accounts.TextHash([]byte(vars["message"])), payer.Key)
			require.NoError(t, err)

			signature[64] += 27
			vars["signature"] = "0x" + hex.EncodeToString(signature)

		case "Ask again":
			call := hexutil.MustDecode(vars["approveData"])
			(&goLive{t: t, world: s.world}).send(payer.Key, common.HexToAddress(vars["approveTo"]), call)
		}

		runBruno(t, c, vars, send)
	}
}

// runBruno sends a call until it answers what the collection says, and takes variables from the answer. What only asks
// is repeated; a change is sent once.
func runBruno(
	t *testing.T,
	c brunoCall,
	vars map[string]string,
	send func(c brunoCall, vars map[string]string) brunoAnswer,
) {
	t.Helper()

	asksOnly := c.method() == "GET" || strings.HasSuffix(c.line("post", "url"), "/check-allowance")

	var said brunoAnswer

	answersAsSaid := func() bool {
		said = send(c, vars)

		return said.asSaid(t, c)
	}

	if asksOnly {
		require.Eventually(t, answersAsSaid, time.Minute, 50*time.Millisecond, c.name)
	} else {
		require.True(t, answersAsSaid(), "%s: %d %s", c.name, said.status, said.body)
	}

	for _, v := range c.lines("vars:post-response") {
		vars[v[0]] = said.value(t, v[1])
	}
}

// brunoAnswer is what a call is answered.
type brunoAnswer struct {
	status int
	body   []byte
}

// sendBruno sends a call; with puts values in the place of variables.
func sendBruno(t *testing.T, c brunoCall, with func(string) string) brunoAnswer {
	t.Helper()

	block := strings.ToLower(c.method())
	body := with(c.blocks["body:json"])

	req, err := http.NewRequestWithContext(t.Context(), c.method(), with(c.line(block, "url")), strings.NewReader(body))
	require.NoError(t, err)

	for _, h := range c.lines("headers") {
		req.Header.Set(h[0], with(h[1]))
	}

	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}

	if c.line(block, "auth") == "inherit" {
		req.Header.Set("Authorization", "Bearer "+with("{{token}}"))
	}

	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)

	raw, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())

	return brunoAnswer{res.StatusCode, raw}
}

// asSaid reports whether an answer is what the collection asserts.
func (a brunoAnswer) asSaid(t *testing.T, c brunoCall) bool {
	t.Helper()

	return !slices.ContainsFunc(c.lines("assert"), func(said [2]string) bool {
		return "eq "+a.value(t, said[0]) != said[1]
	})
}

// value returns what an expression of Bruno such as res.body.payments[0].status is.
func (a brunoAnswer) value(t *testing.T, expression string) string {
	t.Helper()

	if expression == "res.status" {
		return strconv.Itoa(a.status)
	}

	path, quoted := strings.CutPrefix(expression, "JSON.stringify(")
	path = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(path, ")"), "res.body"), ".")

	var at any
	if bytes.HasPrefix(a.body, []byte("{")) {
		require.NoError(t, json.Unmarshal(a.body, &at))
	}

	for _, name := range strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
		if list, ok := at.([]any); ok {
			i, err := strconv.Atoi(name)
			require.NoError(t, err)
			require.Less(t, i, len(list), expression)
			at = list[i]

			continue
		}

		object, _ := at.(map[string]any)
		at = object[name]
	}

	text, isText := at.(string)
	if isText && !quoted {
		return text
	}

	out, err := json.Marshal(at)
	require.NoError(t, err)

	return string(out)
}
