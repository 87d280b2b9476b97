//go:build !nosandbox

package app_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
)

// ownCalls are the calls with which a wallet pays itself.
type ownCalls struct {
	Calls []struct {
		To      string `json:"to"`
		Data    string `json:"data"`
		Purpose string `json:"purpose"`
	} `json:"calls"`
}

func acceptOwn(t *testing.T, h *apptest.Harness, c *apptest.Client, amounts ...string) string {
	t.Helper()

	id := c.Draft("USDC", amounts...)
	until := h.DB().Now().Add(11 * time.Minute).Unix()
	c.Do("POST", "/transactions/"+id+"/submit", object{"ownUntil": until}).OK(200)

	var early ownCalls
	c.Do("GET", "/transactions/"+id+"/own-calls", nil).OK(200).Into(&early)
	require.Empty(t, early.Calls, "nobody has accepted it yet")

	c.Act(id, "accept").OK(200)
	h.RunJobs()

	return id
}

// A wallet pays its own batch: the service sends nothing, and settles by what the chain proves. What was approved is
// used up, and what others rest on stays.
func TestAWalletPaysItsOwnBatch(t *testing.T) { // X-01 X-02
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		token := h.World.Token("USDC")
		h.Approve(token, c.Payer, apptest.Units(token, 7))

		id := acceptOwn(t, h, c, "30.00", "12.00")
		require.Equal(t, "PROCESSING", string(c.Read(id).Status), "it waits for the wallet")

		var own ownCalls
		c.Do("GET", "/transactions/"+id+"/own-calls", nil).OK(200).Into(&own)

		var mined time.Time

		for _, call := range own.Calls {
			r := h.Send(c.Payer, common.HexToAddress(call.To), hexutil.MustDecode(call.Data))
			mined = time.Unix(int64(h.World.Chain.Block(r.BlockNumber.Uint64()).Time()), 0)
		}

		h.World.Chain.Mine(80)
		h.DB().Clock().Advance(10 * time.Minute)
		h.RunJobs()
		require.EqualValues(t, 2, h.Count("SELECT count(*) FROM journals WHERE transaction_id = ? "+
			"AND kind IN ('send', 'final') AND happened_at = ?", id, mined.UnixMicro()), "on the day of its block")
		c.Ends(id, transaction.StatusCompleted, transaction.PaymentCompleted, transaction.PaymentCompleted)
		require.Equal(t, apptest.Units(token, 7), h.Allowance(token, c.Payer.Address))
		require.Zero(t, h.Count("SELECT COUNT(*) FROM chain_sends"), "nothing was sent")
		h.Oracle()
	})
}

// What the wallet never pays expires: nothing moved, and its hold is free again.
func TestAnOwnBatchThatNeverComesExpires(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		token := h.World.Token("USDC")
		h.Approve(token, c.Payer, new(big.Int))

		id := acceptOwn(t, h, c, "30.00")

		h.World.Chain.Mine(80)
		h.DB().Clock().Advance(time.Minute)
		h.RunJobs()
		require.Equal(t, "PROCESSING", string(c.Read(id).Status))

		h.World.Chain.Mine(800) // each block is at least a second later than the one before
		h.DB().Clock().Advance(20 * time.Minute)
		h.RunJobs()
		c.Login()

		v := c.Ends(id, transaction.StatusFailed, transaction.PaymentFailed)
		require.Contains(t, v.StatusInfo, "until the deadline")
		h.Oracle()
	})
}
