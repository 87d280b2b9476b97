//go:build !nosandbox

package invoice_test

import (
	"encoding/hex"
	"regexp"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/world"
	"slipway/internal/directory/wallet"
)

// text returns the text that the page asks to be signed.
func (p seen) text() string {
	p.t.Helper()

	m := regexp.MustCompile(`data-text="0x([0-9a-f]*)"`).FindStringSubmatch(p.Body)
	require.NotNil(p.t, m, p.Body)
	raw, err := hex.DecodeString(m[1])
	require.NoError(p.t, err)

	return string(raw)
}

// signed returns the signature of an account over a text, as wallets give it.
func signed(t *testing.T, a world.Account, text string) string {
	t.Helper()
	signature, err := crypto.Sign(accounts.TextHash([]byte(text)), a.Key)
	require.NoError(t, err)
	signature[64] += 27

	return "0x" + hex.EncodeToString(signature)
}

// untilProve leads a guest who wants tokens to the page on which his wallet signs.
func (g *guest) untilProve(address, id, to string) seen {
	g.t.Helper()
	g.send("/i/open", "code", address).on(200, "/i/"+id+"/you")
	g.send("/i/"+id+"/you", company()...).on(200, "/i/"+id+"/way")
	g.send("/i/"+id+"/way", "way", "wallet").on(200, "/i/"+id+"/wallet")

	at := "/i/" + id

	return g.send(at+"/wallet", "network", world.NetworkID, "address", to, "type", "EOA").on(200, at+"/prove")
}

func (g *guest) bill(id string) seen {
	g.t.Helper()
	g.send("/i/"+id+"/invoice", "amount", "10.5", "unit", "token:USDC", "reason", "Audit").on(200, "/i/"+id+"/check")

	return g.send("/i/"+id+"/check").on(200, "/i/"+id+"/done")
}

// wallet returns what the members see of a wallet that came by a link, and of its payable.
func (s *scene) wallet(id string) (ownership string, warnings []string) {
	s.t.Helper()

	var made struct {
		Wallet   string `json:"wallet"`
		Warnings []struct {
			Code string `json:"code"`
		} `json:"warnings"`
	}
	s.payable(id).Into(&made)

	var stored struct {
		Ownership struct {
			Status string `json:"status"`
		} `json:"ownership"`
	}
	s.h.Do(s.h.App, "GET", "/wallets/"+made.Wallet, s.c.Token, nil).OK(200).Into(&stored)

	for _, w := range made.Warnings {
		warnings = append(warnings, w.Code)
	}

	return stored.Ownership.Status, warnings
}

// The owner signs on the page, and the wallet can be paid from the moment in which it is stored.
func TestWalletIsProvenOnThePage(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		owner := s.h.Account("owner")
		address, id := s.link(asked("anna@example.com"))
		g := s.guest()
		at := "/i/" + id

		page := g.untilProve(address, id, owner.Address.Hex())
		require.Contains(t, page.Header.Get("Content-Security-Policy"), "script-src 'self'")
		require.Contains(t, page.text(), owner.Address.Hex())
		require.Contains(t, page.text(), "Prove control of this wallet for Northwind Trading AG.")

		wrong := g.send(at+"/prove", "signedMessage", "0x12").on(200, at+"/prove")
		require.NotEmpty(t, wrong.wrong("signedMessage"))
		wrong = g.send(at+"/prove", "signedMessage", signed(t, s.h.Account("thief"), page.text())).on(200, at+"/prove")
		require.Contains(t, wrong.wrong("signedMessage"), "made with the wallet&#39;s key")
		require.Equal(t, page.text(), wrong.text(), "the text can still be signed")

		signature := signed(t, owner, page.text())
		g.send(at+"/prove", "signedMessage", "0x"+strings.ToUpper(signature[2:])).on(200, at+"/invoice")
		g.get(at+"/prove").on(200, at+"/invoice")
		require.NotContains(t, g.bill(id).Body, "Sign now")

		ownership, warnings := s.wallet(id)
		require.Equal(t, "VERIFIED", ownership)
		require.Empty(t, warnings)
	})
}

// A person may sign later, also after the invoice was sent, and within 15 minutes of a text that is shown anew.
func TestWalletIsProvenAfterTheInvoiceWasSent(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		owner := s.h.Account("owner")
		address, id := s.link(asked("anna@example.com"))
		g := s.guest()
		at := "/i/" + id

		old := g.untilProve(address, id, owner.Address.Hex()).text()
		require.Contains(t, g.bill(id).Body, `href="`+at+`/prove"`)

		s.h.DB().Clock().Advance(wallet.ChallengeLifetime)
		g.send(at+"/prove", "signedMessage", signed(t, owner, old)).on(200, at+"/prove")

		page := g.get(at+"/prove").on(200, at+"/prove")
		require.Contains(t, page.Body, "Show a new text")
		page = g.send(at+"/prove", "again", "yes").on(200, at+"/prove")
		require.NotEqual(t, old, page.text())

		g.send(at+"/prove", "signedMessage", signed(t, owner, page.text())).on(200, at+"/done")

		s.c.Login() // the member's token has expired meanwhile
		ownership, warnings := s.wallet(id)
		require.Equal(t, "VERIFIED", ownership)
		require.Empty(t, warnings)
	})
}

// Whoever opens the link elsewhere sees no address of a wallet that he has not entered. Without a signature the members
// are warned, until the wallet is proven.
func TestTextOfAWalletIsForWhoKnowsIt(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		owner := s.h.Account("owner").Address.Hex()
		address, id := s.link(asked("anna@example.com"))
		s.guest().untilProve(address, id, owner)

		other := s.guest()
		at := "/i/" + id
		other.send("/i/open", "code", address)
		page := other.get(at+"/prove").on(200, at+"/prove")
		require.NotContains(t, page.Body, owner)
		page = other.send(at+"/prove", "address", s.h.Account("thief").Address.Hex()).on(200, at+"/prove")
		require.NotEmpty(t, page.wrong("address"))
		require.NotContains(t, page.Body, owner)
		other.send(at+"/prove", "address", owner).on(200, at+"/prove").text()

		other.bill(id)

		ownership, warnings := s.wallet(id)
		require.Equal(t, "PENDING", ownership)
		require.Equal(t, []string{"WALLET_UNPROVEN"}, warnings)
	})
}
