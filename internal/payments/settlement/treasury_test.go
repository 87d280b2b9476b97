//go:build !nosandbox

package settlement_test

import (
	"bytes"
	"context"
	"math/big"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
	"slipway/internal/rails/bank/banksim"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/devchain"
)

// strandedIn is after how long the sweep looks again at what waits.
const strandedIn = 3 * time.Minute

// sweep lets time pass until whatever waits is looked at again.
func sweep(t *testing.T, h *apptest.Harness) {
	t.Helper()
	h.DB().Clock().Advance(strandedIn)
	require.NoError(t, h.App.Settlement.Sweep(t.Context()))
	h.RunJobs()
}

// short has the treasury have nothing of a token that it could send: its tokens are elsewhere, or its approval of the
// router is. The function it returns brings them back.
func shortOf(h *apptest.Harness, what string) (refill func()) {
	usdc := h.World.Token("USDC")

	treasury := h.World.Treasury
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

// becomesShort is an on-ramp whose delivery was planned while the treasury had the tokens, and has moved nothing: it
// waits for a second attempt. deposit is the bank's reference of its deposit.
func becomesShort(t *testing.T, h *apptest.Harness, c *apptest.Client) (id, deposit string, refill func()) {
	t.Helper()

	id, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
	refs := h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: reference, Sender: c.Name()})
	require.NoError(t, h.App.Rail.Pause(t.Context(), "net_dev", true))
	h.BankUntil("planned", func() bool {
		return h.Count("SELECT count(*) FROM effects WHERE word <> 'convert' AND state = 'PLANNED'") == 1
	})
	h.Exec("UPDATE chain_sends SET gas_asked = 2000000") // as it was estimated while the tokens were there
	refill = shortOf(h, "balance")
	require.NoError(t, h.App.Rail.Pause(t.Context(), "net_dev", false))
	h.MineUntil("it waits", func() bool { return waiting(h) == 1 })

	return id, refs[0], refill
}

// waiting lists why sendings of the treasury wait.
func waiting(h *apptest.Harness) int64 {
	return h.Count(
		"SELECT count(*) FROM effects WHERE word <> 'convert' AND state = 'WANTED' AND info LIKE '%The treasury %'",
	)
}

// E-13: a treasury that is short, of tokens or of its approval of the router, lets a delivery and a refund wait;
// nothing is planned and nothing ends. Both go on by themselves when it has the tokens.
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
				require.EqualValues(
					t,
					1,
					h.Count("SELECT count(*) FROM chain_sends"),
					"the pull alone: nothing is planned that cannot be paid",
				)
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

// E-13: the treasury becomes short after a sending was planned, so that the router takes its number and the token
// moves nothing. The wallet is not to blame: the sending waits, and is paid under another number when the tokens are
// there.
func TestATreasuryThatBecomesShortIsNoRefusalOfTheWallet(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		onramp, _, refill := becomesShort(t, h, c)
		require.Equal(t, "ON_HOLD", c.Read(onramp).Settlement)
		require.EqualValues(t, 2, h.Count("SELECT round FROM effects WHERE word <> 'convert'"))
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

// Tokens that a wallet refused are kept, and an operator sends them again when the wallet takes them: a delivery and
// a refund alike.
func TestAnOperatorSendsKeptTokensAgain(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		two := h.Operators()
		c.StaySignedIn()
		usdc := h.World.Token("USDC")
		fiat := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "002"), "100.00"))
		onramp, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
		resend := func(id string) apptest.Answer {
			return two.Do("POST", "/operations/transactions/"+id+"/resend", nil)
		}
		resend(fiat).Refused(409, "TX_NOT_HELD")
		h.MineUntil("the tokens are here", func() bool { return c.Read(fiat).Settlement == "CONVERTED" })
		h.Admin(usdc, "blacklist(address)", c.Payer.Address)
		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: reference, Sender: c.Name()})
		h.BankUntil("both are kept", func() bool {
			return c.Read(fiat).Settlement == "REFUND_FAILED" && c.Read(onramp).Settlement == "ON_HOLD" &&
				h.Count("SELECT count(*) FROM effects WHERE word <> 'convert' AND state = 'KEPT'") == 2
		})
		h.Oracle()

		h.Admin(usdc, "unBlacklist(address)", c.Payer.Address)
		two.Carried(resend(fiat))
		two.Carried(resend(onramp))
		resend(fiat).Refused(409, "TX_NOT_HELD")
		h.SettleAll()
		require.Equal(t, "REFUNDED", c.Ends(fiat, failed, refunded).Settlement)
		c.Ends(onramp, completed, paid)
		h.Oracle()
	})
}

// choosy is a signer that refuses calls of the router for one payer, while there is one.
type choosy struct {
	chain.Signer
	payer *atomic.Pointer[common.Address]
}

func (s choosy) SignTx(ctx context.Context, tx *types.Transaction, id *big.Int) (*types.Transaction, error) {
	if p := s.payer.Load(); p != nil && bytes.Contains(tx.Data(), p.Bytes()) {
		return nil, &chain.Refusal{Reason: "the payer is not listed"}
	}

	return s.Signer.SignTx(ctx, tx, id)
}

// E-13, all at once: the signer refuses one payment, the treasury is short, and the chain replaces blocks that were
// final. The gap is filled, the treasury's sending waits, the network stands until it is thawed; then everything
// comes to its end, once.
func TestSignerTreasuryAndReorganisationTogether(t *testing.T) {
	for name, giveUp := range map[string]bool{"sent anew": false, "given up": true} {
		t.Run(name, func(t *testing.T) {
			var payer atomic.Pointer[common.Address]
			tune := func(out *app.Outside) { out.Signer = choosy{Signer: out.Signer, payer: &payer} }

			apptest.EachWith(t, apptest.Config{Tune: tune}, func(t *testing.T, h *apptest.Harness) {
				c := h.Client("Ada")
				eve := h.Client("Eve")
				two := h.Operators()

				for _, person := range []*apptest.Client{c, eve} {
					person.StaySignedIn()
				}

				operate := func(path string) apptest.Answer { return two.Do("POST", "/operations/"+path, nil) }

				payer.Store(&eve.Payer.Address)

				refill := shortOf(h, "balance")
				onramp, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
				h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: reference, Sender: c.Name()})
				refusedOne := eve.Accepted("USDC", "10.00")
				first := c.Accepted("USDC", "11.00")
				h.Until("put aside", func() bool {
					return h.Count("SELECT count(*) FROM chain_sends WHERE state = 'HOLD'") == 1
				})
				operate("transactions/"+refusedOne+"/give-up").Refused(409, "TX_NOT_DEAD")
				h.BankUntil("the others flow", func() bool {
					return c.Read(first).Status == completed && waiting(h) == 1 &&
						h.Count("SELECT count(*) FROM chain_sends WHERE key LIKE 'filler/%' AND state = 'FINAL'") == 1
				})
				h.Oracle()

				oldest := h.Count("SELECT min(block) FROM chain_receipts")
				_, err := h.World.Chain.Reorg(int(h.World.Chain.Head().Number.Int64()-oldest)+1, devchain.Drop)
				require.NoError(t, err)
				second := c.Accepted("USDC", "12.00")
				h.MineUntil("frozen", h.Frozen)
				require.Equal(t, completed, c.Read(first).Status, "what was posted stands")
				operate("rails/net_dev/thaw").OK(200)

				what := "give-up"
				if !giveUp {
					payer.Store(nil)
					what = "resend"
				}

				var asked apptest.Answer
				h.MineUntil("the filler is final again", func() bool {
					asked = operate("transactions/" + refusedOne + "/" + what)
					return asked.Status == 202
				})
				two.Carried(asked)
				refill()
				sweep(t, h)
				h.SettleAll()
				c.Ends(onramp, completed, paid)
				c.Ends(first, completed)
				c.Ends(second, completed)

				if giveUp {
					eve.Ends(refusedOne, failed)
				} else {
					eve.Ends(refusedOne, completed)
				}

				h.MineUntil("all are final", func() bool {
					return h.Count("SELECT count(*) FROM chain_sends WHERE state NOT IN ('FINAL', 'REFUSED')") == 0
				})
				h.Oracle()
			})
		})
	}
}

// Z-09, E-13: what the treasury sends is reached, too, when the rail has it on HOLD: two operators send it again, or
// give it up, after which it is made anew once the router says that its number is not used. One alone changes
// nothing.
func TestOperatorsReachTheTreasurysSendsOnHold(t *testing.T) {
	for _, what := range []string{"resend", "give-up"} {
		t.Run(what, func(t *testing.T) {
			var payer atomic.Pointer[common.Address]

			tune := func(out *app.Outside) { out.Signer = choosy{Signer: out.Signer, payer: &payer} }

			apptest.EachWith(t, apptest.Config{Tune: tune}, func(t *testing.T, h *apptest.Harness) {
				payer.Store(nil)

				c := h.Client("Ada")
				two := h.Operators()
				c.StaySignedIn()

				fiat := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "002"), "100.00"))
				h.MineUntil("the tokens are here", func() bool { return c.Read(fiat).Settlement == "CONVERTED" })
				payer.Store(&h.World.Treasury.Address)

				onramp, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
				h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: reference, Sender: c.Name()})

				onHold := func() int64 { return h.Count("SELECT count(*) FROM chain_sends WHERE state = 'HOLD'") }
				h.BankUntil("refund and delivery are on hold, and their nonces are filled", func() bool {
					return onHold() == 2 &&
						h.Count("SELECT count(*) FROM chain_sends WHERE key LIKE 'filler/%' AND state = 'FINAL'") == 2
				})
				h.Oracle()
				payer.Store(nil)

				for _, id := range []string{fiat, onramp} {
					before := onHold()
					asked := two.Do("POST", "/operations/transactions/"+id+"/"+what, nil)
					require.Contains(t, two.Approval(asked.OK(202).ID()).Summary, "the payer is not listed")
					h.RunJobs()
					require.Equal(t, before, onHold(), "one operator alone changes nothing")
					two.Carried(asked)
				}

				sweep(t, h)
				h.SettleAll()
				c.Ends(onramp, completed, paid)
				require.Equal(t, "REFUNDED", c.Ends(fiat, failed, refunded).Settlement)

				made, _ := h.Ground()
				require.Len(t, made, 3, "a pull, a refund and a delivery, each once")
				h.Oracle()
			})
		})
	}
}

// Z-09: what is held was looked at; when it is another thing, or held no more, the second operator's word is refused.
func TestWhatIsHeldIsAskedAnewWhenItHasChanged(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		two := h.Operators()
		c.StaySignedIn()

		usdc := h.World.Token("USDC")
		fiat := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "002"), "100.00"))
		h.MineUntil("the tokens are here", func() bool { return c.Read(fiat).Settlement == "CONVERTED" })
		h.Admin(usdc, "blacklist(address)", c.Payer.Address)
		h.BankUntil("kept", func() bool {
			return h.Count("SELECT count(*) FROM effects WHERE word <> 'convert' AND state = 'KEPT'") == 1
		})
		h.Admin(usdc, "unBlacklist(address)", c.Payer.Address)

		asked := two.Do("POST", "/operations/transactions/"+fiat+"/resend", nil)
		require.Contains(t, two.Approval(asked.OK(202).ID()).Summary, "USDC kept for "+c.Payer.Address.Hex())

		owed := owes(h, c.Org)
		two.Decide(asked, "APPROVED").Refused(409, "RETURN_NOT_OPEN")
		owed()
		h.Exec("UPDATE effects SET attempt = attempt + 1 WHERE word <> 'convert'")
		two.Decide(asked, "APPROVED").Refused(409, "APPROVAL_OVERTAKEN")
		h.Exec("UPDATE effects SET attempt = attempt - 1 WHERE word <> 'convert'")
		h.Exec("DELETE FROM receivables")
		two.Carried(asked)
		h.SettleAll()
		require.Equal(t, "REFUNDED", c.Ends(fiat, failed, refunded).Settlement)
		h.Oracle()
	})
}
