//go:build !nosandbox

package main

import (
	"context"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"

	"slipway/internal/pages/pagestest"
	"slipway/internal/platform/browsertest"
)

// saves marks the page with the type of a file that it saves.
const saves = `
	const real = URL.createObjectURL;
	URL.createObjectURL = file => { document.documentElement.dataset.saved = file.type; return real.call(URL, file); };`

// The tutorial's first payment in the console, as each of its steps says: from the address that slipway dev prints to
// the proof of the book, with two of the keys that it prints in wallets beside the page.
func TestFirstPaymentTutorialIsClicked(t *testing.T) {
	browser := browsertest.Start(t)
	dev := startDev(t)

	p := browser.Page(t, browsertest.Look{})
	payer := dev.wallet(0)
	payee := dev.wallet(1)
	pagestest.Install(p, map[string]*pagestest.Wallet{"Birch": payer, "Cedar": payee}, saves)

	dev.signIn(p)

	signedOut := len(p.Complaints()) // the page was refused before

	p.Shot("signed-in")
	proveOwnWallet(t, p)
	addAlice(t, p, payee.Shows)
	pay(t, p)
	require.Equal(t, 1, payer.Sends())
	require.Zero(t, payee.Sends())

	choose(t, p, "Statement (PDF)")
	p.Await("html[data-saved='application/pdf']")
	proveTheBook(t, p)
	require.Empty(t, p.Complaints()[signedOut:])
}

// wallet returns a browser's wallet with one of the printed keys. It knows nothing of the development chain until a
// page asks it to add the chain; then it sends through the node that the page names, as people's wallets do.
func (d dev) wallet(n int) *pagestest.Wallet {
	d.t.Helper()

	printed := d.words("0x")[n]
	key, err := crypto.HexToECDSA(strings.TrimPrefix(printed[1], "0x"))
	require.NoError(d.t, err)

	w := pagestest.NewWallet(key)
	require.Equal(d.t, printed[0], w.Shows.Hex())

	ctx := d.t.Context()
	w.Dial = func(url string) (uint64, pagestest.Send, error) {
		node, err := ethclient.DialContext(ctx, url)
		if err != nil {
			return 0, nil, err
		}

		context.AfterFunc(ctx, node.Close)

		chain, err := node.ChainID(ctx)
		if err != nil {
			return 0, nil, err
		}

		return chain.Uint64(), func(to common.Address, data []byte) (common.Hash, error) {
			return sendCall(ctx, node, key, to, data)
		}, nil
	}

	return w
}

// choose goes to a link or button with this text by the Tab key, and presses it.
func choose(t *testing.T, p *browsertest.Page, text string) {
	t.Helper()

	const mostTabs = 80
	for range mostTabs {
		if first, _, _ := strings.Cut(strings.TrimSpace(p.Text(":focus")), "\n"); first == text {
			p.Press(browsertest.Enter)
			return
		}

		p.Press(browsertest.Tab)
	}

	t.Fatalf("the Tab key does not reach %q; the page: %s", text, p.Text("body"))
}

const (
	proven    = ".head .status.good ~ .status.good" // and screened
	bookProof = "section[aria-label='Ledger verification']"
)

// proveOwnWallet is step 3: the overview leads to the wallets.
func proveOwnWallet(t *testing.T, p *browsertest.Page) {
	t.Helper()
	choose(t, p, "Connect and verify a wallet")
	p.Await("main .empty")
	choose(t, p, "Add a wallet")
	p.Await("form .row button")
	choose(t, p, "Use the address of Birch")
	p.Await("form .row button:not(:disabled)")
	p.Shot("address")
	choose(t, p, "Add and verify")

	p.Await("main pre")
	require.Contains(t, p.Text("main pre"), "This does not move funds.")
	p.Shot("message")
	choose(t, p, "Sign with Birch")
	p.Await(proven)
	p.Shot("proven")
}

// addAlice is step 4: the payee, and her wallet, which she proves.
func addAlice(t *testing.T, p *browsertest.Page, wallet common.Address) {
	t.Helper()
	choose(t, p, "Payees")
	p.Await("main .empty")
	choose(t, p, "New payee")
	p.Await("form select")
	p.TabTo("form select")
	p.Type("Person")
	p.Fill("input[name='/firstName']", "Alice")
	p.Fill("input[name='/lastName']", "Keller")
	p.Fill("input[name='/email']", "alice@example.org")
	p.Fill("input[name='/address/addressLine1']", "Seestrasse 1")
	p.Fill("input[name='/address/postCode']", "8002")
	p.Fill("input[name='/address/city']", "Zürich")
	p.TabTo("input[type=checkbox]")
	p.Press(browsertest.Space)
	p.Shot("alice")
	choose(t, p, "Save")

	p.Await(".head button.button")
	require.Contains(t, p.Text("main h1"), "Alice Keller")
	choose(t, p, "Add a wallet")
	p.Await("input[name='/address']")
	p.Fill("input[name='/address']", wallet.Hex())
	choose(t, p, "Add")

	p.Await("main .card p a")
	require.Contains(t, p.Text("main"), "It cannot be paid before it is verified.")
	p.Shot("her-wallet")
	choose(t, p, "Development chain · verification and screening")
	p.Await("main pre")
	choose(t, p, "Sign with Cedar")
	p.Await(proven)
}

// pay is steps 5 to 8: draw up, approve, submit, accept, and look on until the block is final.
func pay(t *testing.T, p *browsertest.Page) {
	t.Helper()
	choose(t, p, "Transactions")
	p.Await("main .empty")
	choose(t, p, "New payment")
	p.Await("form select")
	p.TabTo("form select")
	p.Type("Tokens to w")
	p.Await("select[name='/payments/0/wallet']")
	p.TabTo("select[name='/payments/0/wallet']")
	p.Type("Alice")
	p.Fill("input[name='/payments/0/amount']", "12.50")
	p.Fill("input[name='/payments/0/reason']", "Invoice 7")
	p.Shot("draft")
	choose(t, p, "Save and review")

	p.Await(".body .row .button")
	require.Contains(t, p.Text(".payee"), "Alice Keller")
	p.Shot("review")
	choose(t, p, "Approve with Birch")
	p.Await("header .status.good")
	choose(t, p, "Submit")
	p.Await("form .button.primary")
	p.Shot("accept")
	choose(t, p, "Accept and pay 12.500000 USDC")

	p.Await("h1 .status.good")
	require.Contains(t, p.Text("h1"), "12.50")
	require.Contains(t, p.Text("h1"), "Completed")

	steps := p.Text("section[aria-label='Where it stands']")
	for _, words := range []string{
		"Prepared", "Submitted", "Accepted", "Tokens sent", "tx\n0x", "Final · ", "Settled",
	} {
		require.Contains(t, steps, words)
	}

	p.Shot("completed")
}

// proveTheBook is step 9: the user is one of the platform's people, too, and sees the book.
func proveTheBook(t *testing.T, p *browsertest.Page) {
	t.Helper()
	choose(t, p, "Platform →")
	p.Await("main h1")
	choose(t, p, "Ledger")
	p.Await(bookProof + " button:not(:disabled)")
	choose(t, p, "Verify now")
	p.Await(bookProof + " .status.good")
	require.Contains(t, p.Text(bookProof), "Intact")
	require.Contains(t, p.Text(bookProof), "4 journals, 12 postings, 4 links")
	p.Shot("ledger")

	choose(t, p, "final")
	p.Await("section[aria-label=Postings] tbody tr")
	require.Contains(t, p.Text("section[aria-label=Postings]"), "paid to receiver Alice Keller")
	p.Shot("journal")
}
