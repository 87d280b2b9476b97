//go:build !nosandbox && !noconsole

package console_test

import (
	_ "embed"
	"encoding/hex"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
	"slipway/internal/platform/browsertest"
)

//go:embed testdata/wallets.js
var walletScript string

// Errors of wallets (EIP-1193, EIP-3085).
const (
	refused      = 4001
	unknownChain = 4902
	wrongCall    = -32602
)

// wallet is a wallet of a person, beside a page. It holds one key, and misbehaves as a test says.
type wallet struct {
	h *apptest.Harness

	mu      sync.Mutex
	account world.Account
	shows   common.Address // the account that it lets the page see
	chain   uint64
	calls   []string          // methods, in the order in which it was asked
	after   map[string]func() // runs when a method was answered
	refuses map[string]int    // the error that a method is answered with
	sent    int
}

// walletOf is a wallet with a key, on the development chain.
func walletOf(h *apptest.Harness, a world.Account) *wallet {
	return &wallet{
		h:       h,
		account: a,
		shows:   a.Address,
		chain:   world.ChainID,
		after:   map[string]func(){},
		refuses: map[string]int{},
	}
}

// install puts wallets beside a page, under their names.
func install(p *browsertest.Page, all map[string]*wallet, scripts ...string) {
	names, _ := json.Marshal(sortedNames(all))
	scripts = append(scripts, fmt.Sprintf("const WALLETS = %s;", names), walletScript)

	p.Beside(strings.Join(scripts, "\n"), func(text string) string {
		var call struct {
			Wallet string `json:"wallet"`
			Method string `json:"method"`
			Params []any  `json:"params"`
		}
		if err := json.Unmarshal([]byte(text), &call); err != nil {
			return err.Error()
		}

		result, code, message := all[call.Wallet].answer(call.Method, call.Params)

		out := object{"result": result}
		if code != 0 {
			out = object{"error": object{"code": code, "message": message}}
		}

		raw, _ := json.Marshal(out)

		return string(raw)
	})
}

type object = map[string]any

func sortedNames(all map[string]*wallet) (out []string) {
	for name := range maps.Keys(all) {
		out = append(out, name)
	}

	return out
}

// answer answers a call. code is not 0 for an error.
func (w *wallet) answer(method string, params []any) (result any, code int, message string) {
	w.mu.Lock()
	defer w.mu.Unlock()

	w.calls = append(w.calls, method)
	if code, ok := w.refuses[method]; ok {
		return nil, code, "no"
	}

	defer func() {
		if then := w.after[method]; then != nil {
			then()
		}
	}()

	switch method {
	case "eth_requestAccounts", "eth_accounts":
		return []string{strings.ToLower(w.shows.Hex())}, 0, ""

	case "eth_chainId":
		return fmt.Sprintf("0x%x", w.chain), 0, ""

	case "wallet_switchEthereumChain", "wallet_addEthereumChain":
		return nil, 0, ""

	case "personal_sign":
		return w.sign(text(params, 0)), 0, ""

	case "eth_signTypedData_v4":
		return w.signTyped(text(params, 1)), 0, ""

	case "eth_sendTransaction":
		return w.send(params)
	}

	return nil, wrongCall, "unknown method " + method
}

func text(params []any, i int) string {
	s, _ := params[i].(string)
	return s
}

func (w *wallet) sign(message string) string {
	signature, err := crypto.Sign(accounts.TextHash(common.FromHex(message)), w.account.Key)
	if err != nil {
		return err.Error()
	}

	signature[64] += 27

	return "0x" + hex.EncodeToString(signature)
}

// send signs and sends a call, if it names the chain and the account that the wallet has at this moment.
func (w *wallet) send(params []any) (result any, code int, message string) {
	call, _ := params[0].(map[string]any)
	if call["chainId"] != fmt.Sprintf("0x%x", w.chain) {
		return nil, wrongCall, "another chain"
	}

	from, _ := call["from"].(string)
	if common.HexToAddress(from) != w.account.Address {
		return nil, wrongCall, "another account"
	}

	to, _ := call["to"].(string)
	data, _ := call["data"].(string)
	w.sent++

	return w.h.Send(w.account, common.HexToAddress(to), common.FromHex(data)).TxHash.Hex(), 0, ""
}

// asked returns the methods that the wallet was asked, and forgets them.
func (w *wallet) asked() []string {
	w.mu.Lock()
	defer w.mu.Unlock()

	out := w.calls
	w.calls = nil

	return out
}

func (w *wallet) sends() int {
	w.mu.Lock()
	defer w.mu.Unlock()

	return w.sent
}

// draft is a payment whose tokens the wallet has not approved. It returns the page on which they are.
func (s *stage) draft(t *testing.T) (review string) {
	t.Helper()

	for _, token := range s.h.World.Tokens {
		s.h.Approve(token, s.c.Payer, common.Big0)
	}

	return s.home() + "/transactions/" + s.c.Draft("USDC", "250.00") + "/review"
}

const approveButton = ".body .row .button"

// press goes to a button with this text and presses it.
func press(t *testing.T, p *browsertest.Page, selector string) {
	t.Helper()
	p.TabTo(selector)
	p.Press(browsertest.Enter)
}

// TestAWalletApprovesAndTheServiceIsAsked lets the second of two wallets approve. The first one is never asked.
func TestAWalletApprovesAndTheServiceIsAsked(t *testing.T) {
	s := newStage(t)
	p := browsertest.Start(t).Page(t, browsertest.Look{})
	idle := walletOf(s.h, s.h.Account("somebody's"))
	own := walletOf(s.h, s.c.Payer)
	install(p, map[string]*wallet{"Apricot": idle, "Birch": own})

	p.Open(s.draft(t))
	p.Await(approveButton + ":nth-child(2)")
	p.Shot("two")
	sound(t, p)
	p.TabTo("main " + approveButton)

	for !strings.Contains(p.Text(":focus"), "Birch") {
		p.Press(browsertest.Tab)
	}

	p.Press(browsertest.Enter)
	p.Await("header .status.good")
	require.Equal(t, 1, own.sends())
	require.Empty(t, idle.asked())
	require.Equal(t, []string{
		"eth_requestAccounts",
		"wallet_switchEthereumChain",
		"eth_chainId",
		"eth_accounts",
		"eth_sendTransaction",
	}, own.asked(), "chain and account are read again directly before")
	p.Shot("approved")

	press(t, p, ".actions .button.primary")
	p.Await("form .button.primary")
	sound(t, p)
}

// TestAWalletThatMisbehavesSendsNothing shows each misbehaviour in words, and leaves the button.
func TestAWalletThatMisbehavesSendsNothing(t *testing.T) {
	b := browsertest.Start(t)
	s := newStage(t)
	review := s.draft(t)

	for name, x := range map[string]struct {
		set   func(w *wallet)
		words string
		asked string // a method that it must have been asked
	}{
		"refuses": {
			set:   func(w *wallet) { w.refuses["eth_sendTransaction"] = refused },
			words: "You refused in the wallet. Nothing was sent.",
			asked: "eth_sendTransaction",
		},
		"has a question open": {
			set:   func(w *wallet) { w.refuses["eth_requestAccounts"] = -32002 },
			words: "The wallet has a question open already.",
		},
		"stays on another chain": {
			set:   func(w *wallet) { w.chain = 1 },
			words: "The wallet is on another network",
		},
		"does not know the chain": {
			set: func(w *wallet) {
				w.refuses["wallet_switchEthereumChain"] = unknownChain
				w.refuses["wallet_addEthereumChain"] = refused
			},
			words: "You refused in the wallet.",
			asked: "wallet_addEthereumChain",
		},
		"holds another account": {
			set:   func(w *wallet) { w.shows = s.h.World.Treasury.Address },
			words: "The wallet does not show the address",
		},
		"switches its account after the check": {
			set: func(w *wallet) {
				w.after["eth_chainId"] = func() { w.shows = s.h.World.Treasury.Address }
			},
			words: "The wallet does not show the address",
		},
		"switches its chain between check and send": {
			set:   func(w *wallet) { w.after["eth_accounts"] = func() { w.chain = 1 } },
			words: "another chain",
			asked: "eth_sendTransaction",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := walletOf(s.h, s.c.Payer)
			x.set(w)

			p := b.Page(t, browsertest.Look{})
			install(p, map[string]*wallet{"Birch": w})
			p.Open(review)
			p.Await(approveButton)
			press(t, p, approveButton)
			p.Await(".refusal")
			require.Contains(t, p.Text(".refusal"), x.words)
			p.Await(approveButton + ":not(:disabled)")
			require.Zero(t, w.sends())
			sound(t, p)

			if x.asked != "" {
				require.Contains(t, w.asked(), x.asked)
			}
		})
	}
}

// TestAnApprovalThatWasUsedUpIsAskedForAnew takes the allowance away after the page has read it, as another payment
// does when it is settled in between. Submitting is refused, and the page offers to approve again.
func TestAnApprovalThatWasUsedUpIsAskedForAnew(t *testing.T) {
	s := newStage(t)
	p := browsertest.Start(t).Page(t, browsertest.Look{})
	install(p, map[string]*wallet{"Birch": walletOf(s.h, s.c.Payer)})

	p.Open(s.draft(t))
	p.Await(approveButton)
	press(t, p, approveButton)
	p.Await("header .status.good")

	for _, token := range s.h.World.Tokens {
		s.h.Approve(token, s.c.Payer, common.Big0)
	}

	press(t, p, ".actions .button.primary")
	p.Await(approveButton)
	p.Complained("422")
	require.Contains(t, p.Text("main"), "ALLOWANCE_INSUFFICIENT")
	p.Shot("short")
	sound(t, p)
	press(t, p, approveButton)
	p.Await("header .status.good")
	require.NotContains(t, p.Text("main"), "ALLOWANCE_INSUFFICIENT")
	press(t, p, ".actions .button.primary")
	p.Await("form .button.primary")
}

// TestAWalletMayAnnounceItselfLate waits for a wallet that is slower than the page.
func TestAWalletMayAnnounceItselfLate(t *testing.T) {
	s := newStage(t)
	p := browsertest.Start(t).Page(t, browsertest.Look{})
	install(p, map[string]*wallet{"late Cedar": walletOf(s.h, s.c.Payer)})

	p.Open(s.draft(t))
	p.Await(".body .row p.quiet")
	require.Contains(t, p.Text(".body .row p.quiet"), "This browser has no wallet.")
	p.Holds("announceLate(), true")
	p.Await(approveButton)
	require.Contains(t, p.Text(approveButton), "late Cedar")
}

// TestACallThatIsNotWhatWasCheckedHasNoButton alters the calls on their way from the service to the page, as somebody
// in between would.
func TestACallThatIsNotWhatWasCheckedHasNoButton(t *testing.T) {
	b := browsertest.Start(t)
	s := newStage(t)
	review := s.draft(t)

	for name, x := range map[string]struct{ alter, words string }{
		"another spender": {`c.data = c.data.slice(0, 34) + '1'.repeat(40) + c.data.slice(74)`, "another spender"},
		"another token":   {`c.to = '0x' + '2'.repeat(40)`, "another token"},
		"more":            {`c.data = c.data.slice(0, 74) + 'f'.repeat(64)`, "another amount"},
		"more, and says so": {
			`c.data = c.data.slice(0, 74) + (10n ** 15n).toString(16).padStart(64, '0'); c.amount = '1000000000.00'`,
			"more than is needed",
		},
		"money too":    {`c.value = '1'`, "not an approval"},
		"another call": {`c.data = '0xa9059cbb' + c.data.slice(10)`, "not an approval"},
		"a longer one": {`c.data += '00'`, "not an approval"},
	} {
		t.Run(name, func(t *testing.T) {
			p := b.Page(t, browsertest.Look{})
			w := walletOf(s.h, s.c.Payer)
			install(p, map[string]*wallet{"Birch": w}, `
				const real = window.fetch;
				window.fetch = async (...asked) => {
					const answer = await real(...asked);
					if (!(asked[0].url ?? '').endsWith('/check-allowance')) return answer;
					const body = await answer.json();
					for (const c of body.approvalCalls) { `+x.alter+` }
					return new Response(JSON.stringify(body), answer);
				};`)

			p.Open(review)
			p.Await(".body .note.wrong")
			require.Contains(t, p.Text(".body .note.wrong"), "Do not sign this.")
			require.Contains(t, p.Text(".body .note.wrong"), x.words)
			require.False(t, p.Holds(fmt.Sprintf("!!document.querySelector(%q)", approveButton)))
			require.Empty(t, w.asked())
			p.Shot("altered")
			sound(t, p)
		})
	}
}
