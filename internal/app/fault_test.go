//go:build !nosandbox

package app_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/rails/chain/contract"
	"slipway/internal/rails/chain/devchain"
	"slipway/internal/rails/chain/faultrpc"
)

const sendRaw = "eth_sendRawTransaction"

// attempts counts what was ever signed.
func attempts(h *apptest.Harness) int64 { return h.Count("SELECT count(*) FROM chain_attempts") }

// a broadcast whose answer is an error, lost, or untrue is not a failed one. Whatever the node
// says, the transaction completes once, with one nonce and one signature.
func TestABroadcastIsNotJudgedByItsAnswer(t *testing.T) {
	faults := []faultrpc.Fault{
		{Kind: faultrpc.LoseWith502, Method: sendRaw, Times: 2},
		{Kind: faultrpc.LoseAsGarbage, Method: sendRaw, Times: 1},
		{
			Kind:   faultrpc.ActThenRefuse,
			Method: sendRaw,
			Times:  1,
			Code:   -32000,
			Text:   "internal error",
		},
		{
			Kind:   faultrpc.ActThenRefuse,
			Method: sendRaw,
			Times:  1,
			Code:   -32000,
			Text:   "nonce too low",
		},
		{Kind: faultrpc.Swallow, Method: sendRaw, Times: 3},
		{
			Kind:   faultrpc.Refuse,
			Method: sendRaw,
			Times:  1,
			Code:   -32000,
			Text:   "txpool is full",
		},
		{Kind: faultrpc.Down, Method: sendRaw, Times: 2},
	}

	apptest.EachWith(t, apptest.Config{Proxy: true}, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		for i, f := range faults {
			h.Proxy.Add(f)
			id := c.Accepted("USDC", "10.00")
			h.Settle()
			c.Ends(id, transaction.StatusCompleted, transaction.PaymentCompleted)
			require.EqualValues(t, i+1, attempts(h), "kind %d made a second signature", f.Kind)
			h.Proxy.Clear()
		}

		raws := map[string]bool{}
		for _, raw := range h.Proxy.Asked() {
			raws[raw] = true
		}

		require.Len(t, raws, len(faults), "what is sent again is the same bytes")
		h.Oracle()
	})
}

// a node that holds another transaction with our nonce freezes the signer. Nothing is failed, nothing is paid
// twice, and the state is shown; the books stay as they are until a person lets go.
func TestARivalTransactionFreezesAndFailsNothing(t *testing.T) {
	apptest.EachWith(t, apptest.Config{Proxy: true}, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		h.Proxy.Add(faultrpc.Fault{
			Kind:   faultrpc.Refuse,
			Method: sendRaw,
			Code:   -32000,
			Text:   "replacement transaction underpriced",
		})
		first := c.Accepted("USDC", "10.00")
		second := c.Accepted("USDC", "11.00")
		h.MineUntil("frozen", h.Frozen)

		for _, id := range []string{first, second} {
			require.Equal(t, transaction.StatusProcess, c.Read(id).Status)
		}

		require.Contains(t, c.Read(first).Chain[0].Info+c.Read(second).Chain[0].Info, "frozen")
		h.Oracle()
		h.Proxy.Clear()
		require.NoError(t, h.App.Rail.Thaw(t.Context(), "net_dev"))
		h.Settle()
		c.Ends(first, transaction.StatusCompleted)
		c.Ends(second, transaction.StatusCompleted)
		h.Oracle()
	})
}

// a payment that the fee holds up is sent again with a higher one, under the same nonce and with the same
// content; it arrives once.
func TestStuckFeeIsRaised(t *testing.T) {
	quick := apptest.Config{Proxy: true, Tune: func(out *app.Outside) { out.Networks[0].Rail.StuckAfter = 1 }}

	apptest.EachWith(t, quick, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		// The node takes only what offers more than the first attempt: the first is swallowed, so that blocks come
		// without it.
		h.Proxy.Add(faultrpc.Fault{Kind: faultrpc.Swallow, Method: sendRaw, Match: first()})
		id := c.Accepted("USDC", "10.00")
		h.Settle()
		v := c.Ends(id, transaction.StatusCompleted)
		require.Greater(t, attempts(h), int64(1))
		require.Len(t, v.Chain, int(attempts(h)))
		require.Equal(t, "FINAL", v.Chain[0].Status)
		require.Empty(t, v.Chain[0].ReplacedBy)

		for _, x := range v.Chain[1:] {
			require.Equal(t, []string{"REPLACED", v.Chain[0].TxHash}, []string{x.Status, x.ReplacedBy})
		}

		require.EqualValues(t, 1, h.Count("SELECT count(DISTINCT nonce) FROM chain_attempts"))
		h.Oracle()
	})
}

// first matches the first raw transaction that comes, again and again.
func first() func(params []json.RawMessage) bool {
	seen := ""

	return func(params []json.RawMessage) bool {
		if seen == "" {
			seen = string(params[0])
		}

		return string(params[0]) == seen
	}
}

// E-01: a block with our payment is replaced before it is final. The status says so, the ledger was not touched, and
// the payment arrives once, whether the chain kept the transaction or forgot it.
func TestReorganisationBeforeFinality(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		for _, fate := range []devchain.Fate{devchain.Return, devchain.Drop} {
			id := c.Accepted("USDC", "10.00")
			h.Until("sent", func() bool { waiting, _ := h.World.Chain.PoolSize(); return waiting == 1 })
			h.World.Chain.Mine(1)
			h.Until("released", func() bool { return c.Read(id).Status == transaction.StatusReleased })
			require.Zero(t, h.Count("SELECT count(*) FROM journals WHERE transaction_id = ? AND kind = 'final'", id))

			_, err := h.World.Chain.Reorg(1, fate)
			require.NoError(t, err)

			h.Until("told", func() bool {
				return h.Count("SELECT count(*) FROM chain_sends WHERE object = ? AND state = 'SENT'", id) == 1
			})
			v := c.Read(id)
			require.Equal(t, transaction.StatusReleased, v.Status, "the interface has no way back from RELEASED")
			require.Contains(t, v.StatusInfo, "replaced")

			h.Oracle()
			h.Settle()
			v = c.Ends(id, transaction.StatusCompleted, transaction.PaymentCompleted)
			require.Empty(t, v.StatusInfo, "what was said of the replaced block is over")

			require.EqualValues(
				t,
				1,
				h.Count("SELECT count(*) FROM journals WHERE transaction_id = ? AND kind = 'final'", id),
			)
		}

		h.Oracle()
	})
}

// E-02: after a reorganisation the raised sibling is mined instead of the first attempt. It is the same payment.
func TestRaisedSiblingAfterAReorganisation(t *testing.T) {
	stuck := apptest.Config{Proxy: true, Tune: func(out *app.Outside) { out.Networks[0].Rail.StuckAfter = 1 }}

	apptest.EachWith(t, stuck, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		id := c.Accepted("USDC", "10.00")
		h.Until("sent", func() bool { waiting, _ := h.World.Chain.PoolSize(); return waiting == 1 })
		h.World.Chain.Mine(1)
		h.Until("released", func() bool { return c.Read(id).Status == transaction.StatusReleased })
		original := c.Read(id).Chain[0].TxHash
		// the node will not take the first attempt back
		h.Proxy.Add(faultrpc.Fault{Kind: faultrpc.Swallow, Method: sendRaw, Match: first()})
		_, err := h.World.Chain.Reorg(1, devchain.Drop)
		require.NoError(t, err)

		h.Settle()
		v := c.Ends(id, transaction.StatusCompleted, transaction.PaymentCompleted)
		require.NotEqual(t, original, v.Chain[0].TxHash)

		h.Oracle()
	})
}

// E-06: the allowance is lowered, or the balance gone, between submit and accept: accept says which, and nothing is
// held.
func TestAcceptNamesWhatIsMissing(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		usdc := h.World.Token("USDC")
		id := c.Submitted("USDC", "10.00")
		h.Approve(usdc, c.Payer, apptest.Units(usdc, 9))
		h.DB().Clock().Advance(fundsAge)
		c.Act(id, "accept").Refused(422, "ALLOWANCE_INSUFFICIENT", "/walletAddress ALLOWANCE_INSUFFICIENT")
		h.Approve(usdc, c.Payer, apptest.Units(usdc, 10))

		h.Send(
			c.Payer,
			usdc.Address,
			apptest.Calldata("transfer(address,uint256)", c.Payee, apptest.Units(usdc, 999_995)),
		)

		c.Act(id, "accept").Refused(422, "BALANCE_INSUFFICIENT", "/walletAddress BALANCE_INSUFFICIENT")
		require.Zero(t, h.Count("SELECT count(*) FROM journals"))
		require.NoError(t, h.World.Mint(usdc, c.Payer.Address, apptest.Units(usdc, 5)))

		h.World.Chain.Mine(1)
		c.Act(id, "accept").OK(200)
		h.Settle()
		c.Ends(id, transaction.StatusCompleted)
		h.Oracle()
	})
}

// fundsAge is longer than accept may rely on an earlier reading of the chain.
const fundsAge = 3 * time.Second

// E-06: the same after accept: the transaction is FAILED, says why, and everything it held and reserved is free again.
func TestFundsGoneAfterAcceptFailAndRelease(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		usdc := h.World.Token("USDC")
		id := c.Accepted("USDC", "10.00", "1.00")
		h.Approve(usdc, c.Payer, new(big.Int))
		h.Settle()
		v := c.Ends(id, transaction.StatusFailed, transaction.PaymentFailed, transaction.PaymentFailed)
		require.Contains(t, v.StatusInfo, "has approved USDC 0.00")

		h.Approve(usdc, c.Payer, apptest.Units(usdc, 1000))
		id = c.Accepted("USDC", "20.00")

		h.Send(
			c.Payer,
			usdc.Address,
			apptest.Calldata("transfer(address,uint256)", c.Payee, apptest.Units(usdc, 999_990)),
		)

		h.Settle()
		v = c.Ends(id, transaction.StatusFailed, transaction.PaymentFailed)
		require.Contains(t, v.StatusInfo, "holds USDC 10.00")
		require.Zero(t, h.Count("SELECT count(*) FROM reservations WHERE released_at = 0"))
		require.Zero(t, h.Count("SELECT count(*) FROM chain_sends"))

		h.Oracle()
	})
}

// E-06, X-10: one blacklisted payee of three fails alone; its amount is back, the others are paid, and the sentence
// says which.
func TestOneBadPayeeFailsAlone(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		usdc := h.World.Token("USDC")
		bad := h.Account("bad").Address
		other := h.Account("other").Address
		h.Admin(usdc, "blacklist(address)", bad)
		before := h.Balance(usdc, c.Payer.Address)

		id := c.Do(
			"POST",
			"/transactions",
			c.Body("USDC", c.Payment(c.Payee, "1.00"), c.Payment(bad, "2.00"), c.Payment(other, "4.00")),
		).OK(201).ID()

		c.Act(id, "submit").OK(200)
		c.Act(id, "accept").OK(200)
		h.Settle()

		v := c.Ends(
			id,
			transaction.StatusCompleted,
			transaction.PaymentCompleted,
			transaction.PaymentFailed,
			transaction.PaymentCompleted,
		)

		require.Regexp(t, `^1 of 3 payments failed: payment 2: `, v.StatusInfo)
		require.NotEmpty(t, v.Payments[1].StatusInfo)

		require.Equal(
			t,
			apptest.Units(usdc, 5).String(),
			new(big.Int).Sub(before, h.Balance(usdc, c.Payer.Address)).String(),
		)

		h.Oracle()
	})
}

// many payments are pulled in one sum. One payee that the token refuses fails alone, and its amount is
// back.
func TestOneBadPayeeOfManyFailsAlone(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		usdc := h.World.Token("USDC")
		bad := h.Account("bad").Address
		h.Admin(usdc, "blacklist(address)", bad)
		before := h.Balance(usdc, c.Payer.Address)

		var payments []object
		for i := range contract.PullFrom - 1 {
			payments = append(payments, c.Payment(h.Account(fmt.Sprint("payee ", i)).Address, "1.00"))
		}

		id := c.Do("POST", "/transactions", c.Body("USDC", append(payments, c.Payment(bad, "2.00"))...)).OK(201).ID()
		c.Act(id, "submit").OK(200)
		c.Act(id, "accept").OK(200)
		h.Settle()

		ended := slices.Repeat([]transaction.PaymentStatus{paid}, contract.PullFrom-1)
		v := c.Ends(id, completed, append(ended, transaction.PaymentFailed)...)
		require.Regexp(t, `^1 of 14 payments failed: payment 14: `, v.StatusInfo)

		spent := new(big.Int).Sub(before, h.Balance(usdc, c.Payer.Address))
		require.Equal(t, apptest.Units(usdc, contract.PullFrom-1), spent)

		data, err := db.Value[[]byte](t.Context(), h.DB(), "SELECT data FROM chain_sends WHERE object = ?", id)
		require.NoError(t, err)
		call, err := contract.DecodeCall(data)
		require.NoError(t, err)
		require.Equal(t, contract.ByPull, call.Manner)
		require.Zero(t, h.Balance(usdc, h.World.Router).Sign())
		h.Oracle()
	})
}

// E-06: a paused token: every payment fails, the transaction is FAILED, nothing is kept.
func TestPausedTokenFailsAll(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		for _, code := range []string{"USDC", "USDT"} {
			some := c.Accepted(code, "1.00", "2.00")
			many := c.Accepted(code, slices.Repeat([]string{"1.00"}, contract.PullFrom)...) // pulled in one sum
			h.Admin(h.World.Token(code), "pause()")
			h.Settle()
			v := c.Ends(some, failed, transaction.PaymentFailed, transaction.PaymentFailed)
			require.Contains(t, v.StatusInfo, "2 of 2 payments failed: payment 1: ")
			require.Equal(t, "IDLE", v.Settlement)

			ended := slices.Repeat([]transaction.PaymentStatus{transaction.PaymentFailed}, contract.PullFrom)
			v = c.Ends(many, failed, ended...)
			require.Equal(t, "IDLE", v.Settlement)
			require.Contains(t, v.StatusInfo, "The network refuses the batch: ")
		}

		moved, _ := h.Ground()
		require.Empty(t, moved)
		h.Oracle()
	})
}

// E-06: the router is paused while a batch waits: the batch is refused as a whole, and only once it is known that its
// number was never used the transaction is FAILED and the amount back.
func TestPausedRouterFailsWithProof(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.Accepted("USDC", "1.00")
		h.Settle()
		h.Send(h.World.Operator, h.World.Router, apptest.Calldata("pause()"))
		id := c.Accepted("USDC", "1.00")
		h.MineUntil("the key's use from outside is noticed", h.Frozen)
		require.NoError(t, h.App.Rail.Thaw(t.Context(), "net_dev"))

		h.Settle()
		v := c.Ends(id, transaction.StatusFailed, transaction.PaymentFailed)
		require.Contains(t, v.StatusInfo, "the router is paused")
		require.NotContains(t, v.StatusInfo, "0x")

		h.OracleWithout("I9") // the pause was sent with the operator's key
	})
}

// I8: what was changed behind the service's back after submit is refused by a process that reads it for accept, and
// FAILED where it was accepted as it was submitted, or changed after accept.
func TestTamperedContentIsNotPaid(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		other := h.Start()

		thief := h.Account("thief").Address.Hex()
		for _, change := range []struct {
			query string
			args  []any
		}{
			{"UPDATE payments SET address = ? WHERE transaction_id = ?", []any{thief}},
			{"UPDATE payments SET units = ? WHERE transaction_id = ?", []any{"1"}},
			{"UPDATE transactions SET token = ? WHERE id = ?", []any{"DAI"}},
			{"UPDATE transactions SET debit = ? WHERE id = ?", []any{"1"}},
			{"UPDATE transactions SET number = number + ? WHERE id = ?", []any{int64(1) << 20}},
		} {
			early := c.Submitted("USDC", "10.00")
			late := c.Submitted("USDC", "11.00")
			h.Exec(change.query, append(change.args, early)...)
			h.Do(other, "POST", "/transactions/"+early+"/accept", c.Token, nil).Refused(409, "TX_CHANGED")
			c.Act(early, "accept").OK(200)
			c.Act(late, "accept").OK(200)
			h.Exec(change.query, append(change.args, late)...)
			h.RunJobs()
			require.Equal(t, transaction.StatusFailed, c.Read(early).Status, change.query)
			require.Equal(t, transaction.StatusFailed, c.Read(late).Status, change.query)
		}

		moved, _ := h.Ground()
		require.Empty(t, moved)
		require.Zero(t, h.Count("SELECT count(*) FROM chain_sends"))
	})
}

// I8: the hash itself is part of what is accepted. Who changes it in the table together with the content is found out
// as well.
func TestTamperedHashIsNotAccepted(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		id := c.Submitted("USDC", "10.00")
		h.Exec("UPDATE transactions SET content_hash = ? WHERE id = ?", "of something else", id)
		c.Act(id, "accept").Refused(409, "TX_CHANGED")
		require.Equal(t, transaction.StatusWaiting, c.Read(id).Status)
	})
}

// TestAcceptOfWhatWasSubmittedHere: a process that has submitted a transaction does not read it for accept, and
// answers as if it had. What was moved or removed meanwhile, by itself or by another process, is refused for what it
// is now.
func TestAcceptOfWhatWasSubmittedHere(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		id := c.Submitted("USDC", "10.00")

		var read []string
		h.DB().Watch(func(query string, _ []any) {
			if strings.HasPrefix(query, "SELECT") && strings.Contains(query, "FROM transactions") {
				read = append(read, query)
			}
		})
		answer := c.Act(id, "accept").OK(200)
		h.DB().Watch(nil)
		require.Empty(t, read)

		var accepted, shown object
		answer.Into(&accepted)
		h.Do(h.Start(), "GET", "/transactions/"+id, c.Token, nil).OK(200).Into(&shown)

		for _, ofOtherTables := range []string{"timeline", "chain"} { // answers to changes leave them out
			delete(accepted, ofOtherTables)
			delete(shown, ofOtherTables)
		}

		require.Equal(t, shown, accepted)
		c.Act(id, "accept").Refused(409, "TX_NOT_WAITING_ACCEPTANCE")

		for range 2 {
			gone := c.Submitted("USDC", "1.00")
			moved := c.Submitted("USDC", "2.00")
			other := h.Start()
			h.Do(other, "DELETE", "/transactions/"+gone, c.Token, nil).OK(200)
			h.Do(other, "POST", "/transactions/"+moved+"/accept", c.Token, nil).OK(200)
			c.Act(gone, "accept").Refused(404, "NOT_FOUND")
			c.Act(moved, "accept").Refused(409, "TX_NOT_WAITING_ACCEPTANCE")
			h.App = other // and the other way round
		}

		id = c.Submitted("USDC", "3.00")
		h.Exec("UPDATE transactions SET version = version + 1 WHERE id = ?", id)
		c.Act(id, "accept").OK(200)
	})
}

// B-06: the database is restored from a copy that was made before the batch was carried out. The number of the batch
// is used on the chain: nothing is paid again, nothing is called failed, and a person is asked to look.
func TestRestoredBackupPaysNothingTwice(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		id := c.Accepted("USDC", "10.00")
		restore := h.Snapshot()
		h.Settle()
		c.Ends(id, transaction.StatusCompleted)
		paid, _ := h.Ground()
		require.Len(t, paid, 1)
		restore()
		uncertain := func() bool { return c.Read(id).Settlement == "UNCERTAIN" }
		h.MineUntil("a person is asked", uncertain)
		v := c.Ends(id, transaction.StatusProcess, transaction.PaymentUnknown)
		require.Contains(t, v.StatusInfo, "number")

		for range 20 {
			h.DB().Clock().Advance(strandedIn)
			require.NoError(t, h.App.Settlement.Sweep(t.Context()))
			h.RunJobs()
			h.World.Chain.Mine(1)
		}

		require.True(t, uncertain())
		again, _ := h.Ground()
		require.Equal(t, paid, again)
		require.EqualValues(
			t,
			1,
			h.Count("SELECT count(*) FROM reservations WHERE released_at = 0"),
			"what may have been pulled stays reserved",
		)
	})
}

const strandedIn = 3 * time.Minute

// B-06, and the second lock: the batch was planned before the backup was made and carried out after it. The refusal
// of the router is no proof that nothing was paid.
func TestRefusalOfAUsedNumberIsNoFailure(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		require.NoError(t, h.App.Rail.Pause(t.Context(), "net_dev", true))
		id := c.Accepted("USDC", "10.00")
		h.RunJobs() // plans the send
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM chain_sends WHERE state = 'PLANNED'"))
		data, err := db.Value[[]byte](t.Context(), h.DB(), "SELECT data FROM chain_sends")
		require.NoError(t, err)
		h.Send(h.World.Operator, h.World.Router, data) // another process, another database, the same batch
		require.NoError(t, h.App.Rail.Pause(t.Context(), "net_dev", false))
		h.MineUntil("the signer is frozen", h.Frozen)
		require.NoError(t, h.App.Rail.Thaw(t.Context(), "net_dev"))
		h.MineUntil("a person is asked", func() bool { return c.Read(id).Settlement == "UNCERTAIN" })

		for range 10 {
			h.RunJobs()
			h.World.Chain.Mine(1)
		}

		v := c.Ends(id, transaction.StatusProcess, transaction.PaymentUnknown)
		require.Contains(t, v.StatusInfo, "number")
		require.Zero(t, h.Count("SELECT count(*) FROM journals WHERE kind IN ('release', 'return')"))
		moved, _ := h.Ground()
		require.Len(t, moved, 1)
	})
}

// E-09: a token that changes no non-zero allowance into another: check-allowance gives the call to zero first, then
// the approval, and both executed as given are what submit needs.
func TestApprovalCallsWorkAsGiven(t *testing.T) {
	type approval struct {
		Sufficient bool   `json:"sufficient"`
		Allowance  string `json:"allowance"`
		Required   string `json:"required"`
		Missing    string `json:"missing"`
		Calls      []struct {
			To      string `json:"to"`
			Data    string `json:"data"`
			Purpose string `json:"purpose"`
		} `json:"approvalCalls"`
	}

	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		for code, purposes := range map[string][]string{"USDT": {"RESET_TO_ZERO", "APPROVE"}, "USDC": {"APPROVE"}} {
			token := h.World.Token(code)
			h.Approve(token, c.Payer, apptest.Units(token, 3))
			id := c.Draft(code, "10.00")
			c.Act(id, "submit").Refused(422, "ALLOWANCE_INSUFFICIENT", "/walletAddress ALLOWANCE_INSUFFICIENT")

			var a approval
			c.Act(id, "check-allowance").OK(200).Into(&a)
			require.False(t, a.Sufficient)
			require.Equal(t, []string{"3.00", "10.00", "7.00"}, []string{a.Allowance, a.Required, a.Missing})

			var got []string
			for _, call := range a.Calls {
				got = append(got, call.Purpose)
				h.Send(c.Payer, common.HexToAddress(call.To), common.FromHex(call.Data))
			}

			require.Equal(t, purposes, got)
			require.Equal(
				t,
				apptest.Units(token, 10).String(),
				h.Allowance(token, c.Payer.Address).String(),
				"the exact amount",
			)
			c.Act(id, "check-allowance").OK(200).Into(&a)
			require.True(t, a.Sufficient)
			c.Act(id, "submit").OK(200)
			c.Act(id, "accept").OK(200)
			h.Settle()
			c.Ends(id, transaction.StatusCompleted)
		}

		h.Oracle()
	})
}

// E-10: of fifty parallel submits over two processes only as many go through as allowance and balance carry together.
func TestReservationsStayWithinAllowanceAndBalance(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		apps := []*app.App{h.App, h.Start()}
		usdc := h.World.Token("USDC")
		h.Approve(usdc, c.Payer, apptest.Units(usdc, 205))

		var requests []func() apptest.Answer
		for i := range 50 {
			id := c.Draft("USDC", "10.00")

			requests = append(requests, func() apptest.Answer {
				return h.Do(apps[i%2], "POST", "/transactions/"+id+"/submit", c.Token, nil)
			})
		}

		won := 0
		for _, a := range atOnce(requests...) {
			if a.Status == 200 {
				won++
			} else {
				a.Refused(422, "FUNDS_RESERVED_ELSEWHERE", "/walletAddress FUNDS_RESERVED_ELSEWHERE")
			}
		}

		require.Equal(t, 20, won)
		h.Oracle()
	})
}

// I5: an accepted transaction whose job was lost is found by the sweep, behind however many others that wait for the
// chain.
func TestSweepFindsALostJob(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		require.NoError(t, h.App.Rail.Pause(t.Context(), "net_dev", true))

		c.Accepted("USDC", "1.00")
		h.RunJobs() // this one has a send that waits
		lost := c.Accepted("USDC", "2.00")
		h.Exec("DELETE FROM jobs")
		h.DB().Clock().Advance(strandedIn)
		require.NoError(t, h.App.Settlement.Sweep(t.Context()))
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM jobs"), "a job only for what has no send")
		require.NoError(t, h.App.Rail.Pause(t.Context(), "net_dev", false))

		h.Settle()
		c.Ends(lost, transaction.StatusCompleted)
		h.Oracle()
	})
}

// E-10: a payment that becomes final between the reading of a wallet's funds and the reservation frees nothing for
// that reservation: the reading may be older than the payment.
func TestFundsReadBeforeAPaymentAreNotCountedTwice(t *testing.T) {
	patient := apptest.Config{Proxy: true, Tune: func(out *app.Outside) { out.Networks[0].Rail.Timeout = time.Minute }}

	apptest.EachWith(t, patient, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		usdc := h.World.Token("USDC")
		h.Approve(usdc, c.Payer, apptest.Units(usdc, 10))
		first := c.Accepted("USDC", "10.00")
		second := c.Draft("USDC", "10.00")
		asked := make(chan struct{})
		goOn := make(chan struct{})

		var held atomic.Bool
		h.Proxy.Edit(func(method string, params []json.RawMessage, result json.RawMessage) json.RawMessage {
			allowance := method == "eth_call" && strings.Contains(string(params[0]), "dd62ed3e")
			if allowance && held.CompareAndSwap(false, true) { // the answer is as it was before the payment
				close(asked)
				<-goOn
			}

			return result
		})

		answer := make(chan apptest.Answer, 1)
		go func() { answer <- c.Act(second, "submit") }()
		<-asked
		h.Settle()
		c.Ends(first, transaction.StatusCompleted)
		close(goOn)
		(<-answer).Refused(422, "FUNDS_RESERVED_ELSEWHERE")
		h.Oracle()
	})
}
