//go:build !nosandbox

package app_test

import (
	"context"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
	"slipway/internal/rails/chain/faultrpc"
)

// steal has the thief call the router with the operator's stolen key, in a block of his own; it reports whether
// tokens moved.
func steal(t *testing.T, h *apptest.Harness, from common.Address) bool {
	t.Helper()
	usdc := h.World.Token("USDC")
	thief := h.Account("thief").Address
	data, err := contract.EncodePay(contract.Batch{
		Payer:  from,
		Token:  usdc.Address,
		Number: new(big.Int).SetUint64(h.World.Chain.Head().Number.Uint64() + 1<<40),
		Legs:   []contract.Leg{{To: thief, Amount: big.NewInt(1)}},
	})
	require.NoError(t, err)

	before := h.Balance(usdc, thief)
	nonce, err := h.Eth.NonceAt(context.Background(), h.World.Operator.Address, nil)
	require.NoError(t, err)
	id := h.World.Chain.ChainID()
	tx, err := types.SignNewTx(h.World.Operator.Key, types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID:   id,
		Nonce:     nonce,
		To:        &h.World.Router,
		Data:      data,
		Gas:       2_000_000,
		GasTipCap: big.NewInt(50_000_000_000),
		GasFeeCap: big.NewInt(100_000_000_000),
	})
	require.NoError(t, err)
	require.NoError(t, h.Eth.SendTransaction(context.Background(), tx))
	h.World.Chain.Mine(1)

	return h.Balance(usdc, thief).Cmp(before) != 0
}

// K-07: the operator's key is stolen. The guardian's pause takes effect with the next block; the owner names a new
// operator by the router's own rule; the service starts with the new key. Whatever was under way ends once: what was
// planned is sent by the new operator, what the old one had sent is refused by the router or sent anew. The old key
// moves nothing any more.
func TestAStolenOperatorKeyIsReplaced(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		old := h.World.Operator
		owner := h.Account("owner")
		guardian := h.Account("guardian")

		heir := h.Account("the new operator")
		for _, a := range []world.Account{owner, guardian, heir} {
			h.Fund(a)
		}

		// as a live deployment has it from the start
		h.Send(old, h.World.Router, apptest.Calldata("setGuardian(address)", guardian.Address))
		h.Send(old, h.World.Router, apptest.Calldata("transferOwnership(address)", owner.Address))
		h.Send(owner, h.World.Router, apptest.Calldata("acceptOwnership()"))
		c := h.Client("Ada")
		staff := h.Person("Sam")
		c.StaySignedIn()
		staff.StaySignedIn()
		staff.Staff("operator")
		operate := func(path string, body any) apptest.Answer { return staff.Do("POST", "/operations/"+path, body) }
		require.NoError(t, h.App.Rail.Thaw(t.Context(), world.NetworkID)) // the key was used from outside until here

		before := c.Accepted("USDC", "10.00")
		h.Settle()
		c.Ends(before, completed)
		require.True(t, steal(t, h, c.Payer.Address), "the stolen key works until it is noticed")

		// Noticed: nothing moves from the next block on.
		h.Send(guardian, h.World.Router, apptest.Calldata("pause()"))
		require.False(t, steal(t, h, c.Payer.Address))
		operate("rails/"+world.NetworkID+"/pause", apptest.Object{"paused": true, "reason": "keys rotate"}).OK(200)
		waitingOne := c.Accepted("USDC", "11.00")
		h.Until("planned", func() bool {
			return h.Count("SELECT count(*) FROM chain_sends WHERE state = 'PLANNED'") == 1
		})

		// Replaced: the owner's call counts at once, the service signs with the new key.
		h.Send(owner, h.World.Router, apptest.Calldata("setOperator(address)", heir.Address))
		h.Tune(func(out *app.Outside) { out.Signer = chain.NewKeySigner(heir.Key) })
		h.Restart()
		h.Send(owner, h.World.Router, apptest.Calldata("unpause()"))
		require.False(t, steal(t, h, c.Payer.Address), "the old key is nobody's to the router")
		operate("rails/"+world.NetworkID+"/pause", apptest.Object{"paused": false}).OK(200)
		after := c.Accepted("USDC", "12.00")
		h.Settle()
		c.Ends(waitingOne, completed)
		c.Ends(after, completed)
		require.EqualValues(t, 2, h.Count("SELECT count(*) FROM chain_sends WHERE signer = ?", heir.Address.Hex()))
	})
}

// K-07: what the old operator had signed and no block has taken stays with the old key: it is sent again and counts
// if it is mined. A person who has taken the old key's power away has it sent anew by the new one; the router takes
// its number once.
func TestWhatTheOldOperatorLeftIsSentByTheNewOne(t *testing.T) {
	apptest.EachWith(t, apptest.Config{Proxy: true}, func(t *testing.T, h *apptest.Harness) {
		old := h.World.Operator
		heir := h.Account("the new operator")
		h.Fund(heir)
		c := h.Client("Ada")
		two := h.Operators()
		c.StaySignedIn()
		resend := func(id string) apptest.Answer {
			return two.Do("POST", "/operations/transactions/"+id+"/resend", nil)
		}
		h.Proxy.Add(swallowAll())
		id := c.Accepted("USDC", "10.00")
		h.Until("sent, and lost", func() bool {
			return h.Count("SELECT count(*) FROM chain_sends WHERE state = 'SENT'") == 1
		})
		resend(id).Refused(409, "TX_NOT_HELD")

		// The service has another key, and the router still the old one: what is left could be paid by either.
		h.Tune(func(out *app.Outside) { out.Signer = chain.NewKeySigner(heir.Key) })
		h.Restart()

		var refused apptest.Answer

		h.MineUntil("the router was asked", func() bool {
			refused = resend(id)
			return strings.Contains(refused.Raw, "still has the key that was replaced")
		})
		require.Contains(t, refused.Refused(409, "TX_NOT_DEAD").Raw, "slipway signer rotate")
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM chain_sends WHERE state = 'SENT'"))

		// takes the nonce of what was lost
		h.Send(old, h.World.Router, apptest.Calldata("setOperator(address)", heir.Address))
		h.Proxy.Clear()
		h.MineUntil("the old one's nonce is seen to be used", func() bool {
			h.DB().Clock().Advance(time.Second)
			return h.Count("SELECT count(*) FROM chain_sends WHERE state = 'HOLD'") == 1
		})
		two.Carried(resend(id))
		h.Settle()
		c.Ends(id, completed)
		moved, _ := h.Ground()
		require.Len(t, moved, 1)
		require.EqualValues(t, 2, attempts(h))
		h.OracleWithout("I9")
	})
}

// K-07: what is sent anew after the old operator lost its power, while its bytes are mined before the new one's turn,
// ends by them: the router refuses them, the transaction is FAILED with its amount back, and nothing is paid.
func TestWhatIsMinedOfTheOldOperatorEndsItsTransaction(t *testing.T) {
	apptest.EachWith(t, apptest.Config{Proxy: true}, func(t *testing.T, h *apptest.Harness) {
		old := h.World.Operator
		owner := h.Account("owner")
		heir := h.Account("the new operator")

		for _, a := range []world.Account{owner, heir} {
			h.Fund(a)
		}

		h.Send(old, h.World.Router, apptest.Calldata("transferOwnership(address)", owner.Address))
		h.Send(owner, h.World.Router, apptest.Calldata("acceptOwnership()"))
		require.NoError(t, h.App.Rail.Thaw(t.Context(), world.NetworkID)) // the key was used from outside until here

		c := h.Client("Ada")
		two := h.Operators()
		c.StaySignedIn()
		h.Proxy.Add(swallowAll())
		id := c.Accepted("USDC", "10.00")
		h.Until("sent, and lost", func() bool {
			return h.Count("SELECT count(*) FROM chain_sends WHERE state = 'SENT'") == 1
		})
		raw, err := db.Value[[]byte](t.Context(), h.DB(), "SELECT raw FROM chain_attempts")
		require.NoError(t, err)

		h.Send(owner, h.World.Router, apptest.Calldata("setOperator(address)", heir.Address))
		h.Tune(func(out *app.Outside) { out.Signer = chain.NewKeySigner(heir.Key) })
		h.Restart()
		require.NoError(t, h.App.Rail.Pause(t.Context(), world.NetworkID, true))

		var asked apptest.Answer

		h.MineUntil("it may be sent anew", func() bool {
			asked = two.Do("POST", "/operations/transactions/"+id+"/resend", nil)
			return asked.Status == 202
		})
		two.Carried(asked)
		h.Proxy.Clear()

		repeated := len(h.Proxy.Asked())
		mined := new(types.Transaction)
		require.NoError(t, mined.UnmarshalBinary(raw))
		require.NoError(t, h.Eth.SendTransaction(t.Context(), mined))
		h.Settle()
		c.Ends(id, failed, transaction.PaymentFailed)
		require.NoError(t, h.App.Rail.Pause(t.Context(), world.NetworkID, false))

		after := c.Accepted("USDC", "12.00")
		h.Settle()
		c.Ends(after, completed)
		require.NotContains(t, h.Proxy.Asked()[repeated:], hexutil.Encode(raw), "what was released is sent no more")
		require.EqualValues(t, 2, attempts(h))
		moved, _ := h.Ground()
		require.Len(t, moved, 1)
		h.OracleWithout("I9") // the old operator's key was used from outside
	})
}

// swallowAll loses every transaction that is sent through the proxy.
func swallowAll() faultrpc.Fault { return faultrpc.Fault{Kind: faultrpc.Swallow, Method: sendRaw} }
