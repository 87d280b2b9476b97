//go:build !nosandbox && !noconsole

package console_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/pages/pagestest"
	"slipway/internal/platform/browsertest"
)

// TestAnAllowanceIsTakenBack shows what a wallet lets the router take, and has the browser wallet take it back, by
// keyboard alone. The wallet is asked for an approval of nothing, and the chain has none afterwards.
func TestAnAllowanceIsTakenBack(t *testing.T) {
	s := newStage(t)
	p := browsertest.Start(t).Page(t, browsertest.Phone())
	own := walletOf(s.h, s.c.Payer)
	pagestest.Install(p, map[string]*pagestest.Wallet{"Birch": own})

	for _, token := range s.h.World.Tokens {
		s.h.Approve(token, s.c.Payer, new(big.Int))
	}

	s.h.Approve(s.h.World.Tokens[0], s.c.Payer, big.NewInt(700_000_000))

	const open = "ul[aria-label='Spending allowances']"

	p.Open(s.home() + "/wallets")
	p.Await("details summary")
	press(t, p, "details summary")
	p.Await(open + " button")
	require.Contains(t, p.Text(open), "700.00")
	require.Contains(t, p.Text(open), "payment contract")
	sound(t, p)
	press(t, p, open+" button")
	p.Await(open + " button:not(.link)")
	p.Shot("take-back")
	sound(t, p)
	press(t, p, open+" button:not(.link)")
	p.Await(open + " li.quiet")
	require.Equal(t, 1, own.Sends())
	p.Shot("taken-back")
	sound(t, p)
}
