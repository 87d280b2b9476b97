//go:build !nosandbox

package app_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
	"slipway/internal/rails/bank/banksim"
)

// sweep lets time pass until whatever waits is looked at again.
func sweep(t *testing.T, h *apptest.Harness) {
	t.Helper()
	h.DB().Clock().Advance(strandedIn)
	require.NoError(t, h.App.Settlement.Sweep(t.Context()))
	h.RunJobs()
}

// short has the treasury have nothing of a token that it could send: its tokens are elsewhere, or its approval of the router is. The
// function it returns brings them back.
func shortOf(h *apptest.Harness, what string) (refill func()) {
	usdc, treasury := h.World.Token("USDC"), h.World.Treasury
	if what == "allowance" {
		h.Approve(usdc, treasury, big.NewInt(1))
		return func() { h.Approve(usdc, treasury, apptest.Units(usdc, 1_000_000)) }
	}
	all := h.Balance(usdc, treasury.Address)
	away := h.Account("elsewhere")
	h.Send(treasury, usdc.Address, apptest.Calldata("transfer(address,uint256)", away.Address, all))
	return func() {
		h.Fund(away)
		h.Send(away, usdc.Address, apptest.Calldata("transfer(address,uint256)", treasury.Address, all))
	}
}

// waiting lists why sendings of the treasury wait.
func waiting(h *apptest.Harness) int64 {
	return h.Count("SELECT count(*) FROM treasury_sends WHERE state = 'WANTED' AND info LIKE 'The treasury %'")
}

// E-13: a treasury that is short, of tokens or of its approval of the router, lets a delivery and a refund wait; nothing is planned and
// nothing ends. Both go on by themselves when it has the tokens.
func TestATreasuryThatIsShortWaitsAndGoesOn(t *testing.T) {
	for _, what := range []string{"balance", "allowance"} {
		t.Run(what, func(t *testing.T) {
			apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
				c := h.Client("Ada")
				c.StaySignedIn()
				fiat := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "002"), "100.00"))
				h.MineUntil("the tokens are here", func() bool { return c.Read(fiat).Settlement == "CONVERTED" })
				refill := shortOf(h, what)
				onramp, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
				h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: reference, Sender: c.Name()})

				h.BankUntil("both wait", func() bool { return waiting(h) == 2 })
				for range 3 {
					sweep(t, h)
					h.BankRound()
					h.World.Chain.Mine(1)
				}
				require.EqualValues(t, 2, waiting(h), "it waits as long as it takes")
				require.EqualValues(t, 1, h.Count("SELECT count(*) FROM chain_sends"), "the pull alone: nothing is planned that cannot be paid")
				require.Equal(t, transaction.StatusProcess, c.Read(onramp).Status)
				h.Oracle()

				refill()
				sweep(t, h)
				h.SettleAll()
				c.Ends(onramp, completed, paid)
				require.Equal(t, "REFUNDED", c.Ends(fiat, failed, refunded).Settlement)
				h.Oracle()
			})
		})
	}
}

// E-13: the treasury becomes short after a sending was planned, so that the router takes its number and the token moves nothing. The wallet
// is not to blame: the sending waits, and is paid under another number when the tokens are there.
func TestATreasuryThatBecomesShortIsNoRefusalOfTheWallet(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		onramp, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: reference, Sender: c.Name()})
		require.NoError(t, h.App.Rail.Pause(t.Context(), "net_dev", true))
		h.BankUntil("planned", func() bool { return h.Count("SELECT count(*) FROM treasury_sends WHERE state = 'PLANNED'") == 1 })
		h.Exec("UPDATE chain_sends SET gas_asked = 2000000") // as it was estimated while the tokens were there
		refill := shortOf(h, "balance")
		require.NoError(t, h.App.Rail.Pause(t.Context(), "net_dev", false))

		h.MineUntil("it waits", func() bool { return waiting(h) == 1 })
		require.Equal(t, "ON_HOLD", c.Read(onramp).Settlement)
		require.EqualValues(t, 2, h.Count("SELECT round FROM treasury_sends"))
		h.Oracle()

		refill()
		sweep(t, h)
		h.SettleAll()
		c.Ends(onramp, completed, paid)
		require.EqualValues(t, 2, h.Count("SELECT count(*) FROM chain_sends WHERE state = 'FINAL'"))
		moved, _ := h.Ground()
		require.Len(t, moved, 1)
		h.Oracle()
	})
}

// Tokens that a wallet refused are kept, and an operator sends them again when the wallet takes them: a delivery and a refund alike.
func TestAnOperatorSendsKeptTokensAgain(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c, staff := h.Client("Ada"), h.Person("Sam")
		c.StaySignedIn()
		staff.Staff("operator")
		staff.StaySignedIn()
		usdc := h.World.Token("USDC")
		fiat := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "002"), "100.00"))
		onramp, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
		resend := func(id string) apptest.Answer { return staff.Do("POST", "/operations/transactions/"+id+"/resend", nil) }
		resend(fiat).Refused(409, "TX_NOT_HELD")
		h.MineUntil("the tokens are here", func() bool { return c.Read(fiat).Settlement == "CONVERTED" })
		h.Admin(usdc, "blacklist(address)", c.Payer.Address)
		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: reference, Sender: c.Name()})
		h.BankUntil("both are kept", func() bool { return c.Read(fiat).Settlement == "REFUND_FAILED" && c.Read(onramp).Settlement == "ON_HOLD" && h.Count("SELECT count(*) FROM treasury_sends WHERE state = 'FAILED'") == 2 })
		h.Oracle()

		h.Admin(usdc, "unBlacklist(address)", c.Payer.Address)
		resend(fiat).OK(200)
		resend(onramp).OK(200)
		resend(fiat).Refused(409, "TX_NOT_HELD")
		h.SettleAll()
		require.Equal(t, "REFUNDED", c.Ends(fiat, failed, refunded).Settlement)
		c.Ends(onramp, completed, paid)
		h.Oracle()
	})
}
