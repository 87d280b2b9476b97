//go:build !nosandbox && !noconsole

package console_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
	"slipway/internal/pages/pagestest"
	"slipway/internal/platform/browsertest"
)

type object = map[string]any

// walletOf is a wallet with a key, on the development chain. What it sends is in a block when it answers.
func walletOf(h *apptest.Harness, a world.Account) *pagestest.Wallet {
	w := pagestest.NewWallet(a.Key)
	w.Chain = world.ChainID
	w.Chains[w.Chain] = func(to common.Address, data []byte) (common.Hash, error) {
		return h.Send(a, to, data).TxHash, nil
	}

	return w
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
	pagestest.Install(p, map[string]*pagestest.Wallet{"Apricot": idle, "Birch": own})

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
	require.Equal(t, 1, own.Sends())
	require.Empty(t, idle.Asked())
	require.Equal(t, []string{
		"eth_requestAccounts",
		"wallet_switchEthereumChain",
		"eth_chainId",
		"eth_accounts",
		"eth_sendTransaction",
	}, own.Asked(), "chain and account are read again directly before")
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
		set   func(w *pagestest.Wallet)
		words string
		asked string // a method that it must have been asked
	}{
		"refuses": {
			set:   func(w *pagestest.Wallet) { w.Refuses["eth_sendTransaction"] = pagestest.Refused },
			words: "You refused in the wallet. Nothing was sent.",
			asked: "eth_sendTransaction",
		},
		"has a question open": {
			set:   func(w *pagestest.Wallet) { w.Refuses["eth_requestAccounts"] = -32002 },
			words: "The wallet has a question open already.",
		},
		"stays on another chain": {
			set: func(w *pagestest.Wallet) {
				w.Chain = 1
				w.Stays = true
			},
			words: "The wallet is on another network",
		},
		"does not know the chain": {
			set: func(w *pagestest.Wallet) {
				w.Refuses["wallet_switchEthereumChain"] = pagestest.UnknownChain
				w.Refuses["wallet_addEthereumChain"] = pagestest.Refused
			},
			words: "You refused in the wallet.",
			asked: "wallet_addEthereumChain",
		},
		"holds another account": {
			set:   func(w *pagestest.Wallet) { w.Shows = s.h.World.Treasury.Address },
			words: "The wallet does not show the address",
		},
		"switches its account after the check": {
			set: func(w *pagestest.Wallet) {
				w.After["eth_chainId"] = func() { w.Shows = s.h.World.Treasury.Address }
			},
			words: "The wallet does not show the address",
		},
		"switches its chain between check and send": {
			set:   func(w *pagestest.Wallet) { w.After["eth_accounts"] = func() { w.Chain = 1 } },
			words: "another chain",
			asked: "eth_sendTransaction",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := walletOf(s.h, s.c.Payer)
			x.set(w)

			p := b.Page(t, browsertest.Look{})
			pagestest.Install(p, map[string]*pagestest.Wallet{"Birch": w})
			p.Open(review)
			p.Await(approveButton)
			press(t, p, approveButton)
			p.Await(".refusal")
			require.Contains(t, p.Text(".refusal"), x.words)
			p.Await(approveButton + ":not(:disabled)")
			require.Zero(t, w.Sends())
			sound(t, p)

			if x.asked != "" {
				require.Contains(t, w.Asked(), x.asked)
			}
		})
	}
}

// TestAnApprovalThatWasUsedUpIsAskedForAnew takes the allowance away after the page has read it, as another payment
// does when it is settled in between. Submitting is refused, and the page offers to approve again.
func TestAnApprovalThatWasUsedUpIsAskedForAnew(t *testing.T) {
	s := newStage(t)
	p := browsertest.Start(t).Page(t, browsertest.Look{})
	pagestest.Install(p, map[string]*pagestest.Wallet{"Birch": walletOf(s.h, s.c.Payer)})

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
	pagestest.Install(p, map[string]*pagestest.Wallet{"late Cedar": walletOf(s.h, s.c.Payer)})

	p.Open(s.draft(t))
	p.Await(".body .row p.quiet")
	require.Contains(t, p.Text(".body .row p.quiet"), "This browser has no wallet.")
	require.Contains(t, p.Text(".body .row p.quiet"), "Test keys that slipway dev prints have tokens", "on its chain")
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
			pagestest.Install(p, map[string]*pagestest.Wallet{"Birch": w}, `
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
			require.Empty(t, w.Asked())
			p.Shot("altered")
			sound(t, p)
		})
	}
}
