//go:build !nosandbox

package contract

import (
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestPayMovesEachLegFromPayerToPayee(t *testing.T) {
	w := newWorld(t)
	b := w.batch(w.token, 32)
	before := w.balance(w.token, payer.address)
	out := w.pay(b)
	require.Equal(t, strings.Repeat("P", 32), statuses(out))

	sum := new(big.Int)
	for _, leg := range b.Legs {
		require.Equal(t, leg.Amount, w.balance(w.token, leg.To))
		sum.Add(sum, leg.Amount)
	}

	require.Equal(t, new(big.Int).Sub(before, sum), w.balance(w.token, payer.address))
	w.requireEmptyRouter(w.token)
}

func TestPayMovesTheLargestAmount(t *testing.T) {
	w := newWorld(t)
	w.must(deployer, w.token, tokenABI.Pack("mint", payer.address, maxAmount))
	b := w.batch(w.token, 1)
	b.Legs[0].Amount = maxAmount
	require.Equal(t, "P", statuses(w.pay(b)))
	require.Equal(t, maxAmount, w.balance(w.token, payee(0)))
}

func TestPayRefusesReusedNumber(t *testing.T) {
	w := newWorld(t)
	b := w.batch(w.token, 2)
	w.pay(b)
	other := w.batch(w.hostile(), 3)

	other.Number = b.Number
	for _, again := range []Batch{b, other} {
		require.Equal(t, "batch 1 was executed before", w.refused(operator, w.router, w.encode(again)))
	}

	require.Equal(t, b.Legs[0].Amount, w.balance(w.token, payee(0)))
	require.True(t, w.executed(b.Number))
	require.False(t, w.executed(big.NewInt(2)))
}

func TestPayRefusesNumberWhoseLegsAllFailed(t *testing.T) {
	w := newWorld(t)
	b := w.batch(w.hostile(mannerRevertEmpty), 1)
	require.Equal(t, "F", statuses(w.pay(b)))
	require.Equal(t, "batch 1 was executed before", w.refused(operator, w.router, w.encode(b)))
}

// A number is used exactly once whatever the order, over word borders and at both ends of the range; and the view tells
// exactly the used ones.
func TestNumbersAreUsedOnceInAnyOrder(t *testing.T) {
	w := newWorld(t)
	top := new(big.Int).Set(unlimited)

	pool := []*big.Int{top, new(big.Int).Sub(top, big.NewInt(255)), new(big.Int).Sub(top, big.NewInt(256))}
	for _, n := range []int64{0, 1, 254, 255, 256, 257, 511, 512, 1 << 40} {
		pool = append(pool, big.NewInt(n))
	}

	used := map[string]bool{}
	rapid.Check(t, func(rt *rapid.T) {
		b := w.batch(w.token, 1)
		b.Number = rapid.SampledFrom(pool).Draw(rt, "number")
		b.Legs[0].Amount = big.NewInt(rapid.Int64Range(1, 1000).Draw(rt, "amount"))

		r := w.send(operator, &w.router, w.encode(b), plentyOfGas)
		if used[b.Number.String()] {
			require.Equal(rt, types.ReceiptStatusFailed, r.Status)
		} else {
			require.Equal(rt, "P", statuses(w.outcome(b, r)))
		}

		used[b.Number.String()] = true
		for _, n := range pool {
			require.Equal(rt, used[n.String()], w.executed(n), "executed(%s)", n)
		}
	})
	data, err := w.call(stranger, w.router, routerABI.PackExecutedWord(big.NewInt(1)))
	require.NoError(t, err)
	bits, err := routerABI.UnpackExecutedWord(data)
	require.NoError(t, err)

	for i := range 256 {
		require.Equal(t, used[big.NewInt(int64(256+i)).String()], bits.Bit(i) == 1)
	}
}

func TestPayRefusesWrongLegLengths(t *testing.T) {
	w := newWorld(t)
	for _, size := range []int{0, 1, 31, 33, 63, 32*32 + 1, 33 * 32} {
		data := routerABI.PackPay(payer.address, w.token, big.NewInt(9), make([]byte, size))
		require.Contains(t, w.refused(operator, w.router, data), "are not 1 to 32 legs")
	}

	require.False(t, w.executed(big.NewInt(9)))
}

func TestPayRefusesRouterAsPayee(t *testing.T) {
	w := newWorld(t)
	for at := range 3 {
		b := w.batch(w.token, 3)
		b.Legs[at].To = w.router
		require.Equal(t, "a payee is the router itself", w.refused(operator, w.router, w.encode(b)))
	}

	w.requireEmptyRouter(w.token)
}

func TestPayRefusesTokenWithoutCode(t *testing.T) {
	w := newWorld(t)
	b := w.batch(stranger.address, 1)
	require.Contains(t, w.refused(operator, w.router, w.encode(b)), "no contract at the token's address")
	require.False(t, w.executed(b.Number))
}

func TestRouterTakesNoEther(t *testing.T) {
	w := newWorld(t)
	for _, data := range [][]byte{nil, w.encode(w.batch(w.token, 1))} {
		r := w.sendTx(operator, &types.DynamicFeeTx{To: &w.router, Value: big.NewInt(1), Data: data, Gas: 1_000_000})
		require.Equal(t, types.ReceiptStatusFailed, r.Status)
	}

	require.Zero(t, w.sim.Balance(w.router).Sign())
}

func TestPayTakesOnlyTheOperator(t *testing.T) {
	w := newWorld(t)
	b := w.batch(w.token, 1)
	sig := signIntent(t, w, payer, b, farFuture)
	intent, err := encodeIntent(b, farFuture, sig)
	require.NoError(t, err)

	for _, who := range []account{owner, guardian, payer, stranger, deployer} {
		require.Equal(t, who.address.Hex()+" is not the router's operator", w.refused(who, w.router, w.encode(b)))
		require.Equal(t, who.address.Hex()+" is not the router's operator", w.refused(who, w.router, intent))
	}
}

func TestPayNeedsThePayersAllowanceAndBalance(t *testing.T) {
	w := newWorld(t)
	b := w.batch(w.token, 3)
	w.must(payer, w.token, tokenABI.Pack("approve", w.router, big.NewInt(201)))
	out := w.pay(b) // 100 and 101 fit, 102 does not
	require.Equal(t, "PPF", statuses(out))
	require.Equal(t, "the allowance of "+w.router.Hex()+" is 0 base units, 102 are needed", out.Legs[2].Reason)

	poor := w.batch(w.token, 1)
	poor.Payer = stranger.address
	w.must(stranger, w.token, tokenABI.Pack("approve", w.router, unlimited))
	out = w.pay(poor)
	require.Equal(t, "F", statuses(out))
	require.Equal(t, stranger.address.Hex()+" holds 0 base units, 100 are needed", out.Legs[0].Reason)
}

func TestReentrantCallsAreRefused(t *testing.T) {
	w := newWorld(t)
	// Only an operator that is a contract can be re-entered at all: everybody else is refused as no operator.
	relayABI := testOnly("RelayOperator")
	relay := w.deploy(deployer, relayABI.Code)
	w.must(owner, w.router, routerABI.PackSetOperator(relay))
	token := w.hostile(mannerCallBack)
	outer := w.batch(token, 2)
	inner := w.batch(w.token, 1)
	sig := signIntent(t, w, payer, inner, farFuture)
	byIntent, err := encodeIntent(inner, farFuture, sig)
	require.NoError(t, err)

	legs := make([]byte, 32)
	none := []byte{}

	for _, data := range [][]byte{
		w.encode(inner),
		byIntent,
		routerABI.PackPayByPull(inner.Payer, inner.Token, inner.Number, legs),
		routerABI.PackPayWithPermit(inner.Payer, inner.Token, inner.Number, legs, farFuture, none, none),
		routerABI.PackPayWithAuthorization(inner.Payer, inner.Token, inner.Number, legs, farFuture, none),
		routerABI.PackPayWithPermit2(inner.Payer, inner.Token, inner.Number, legs, farFuture, none),
		routerABI.PackPayOwn(inner.Token, inner.Number, legs, farFuture),
	} {
		w.must(deployer, token, hostileABI.Pack("callBackWith", relay, relayABI.Pack("relay", w.router, data)))
		w.must(stranger, relay, relayABI.Pack("relay", w.router, w.encode(outer)))
		answer, err := w.call(stranger, token, hostileABI.Pack("calledBackWell"))
		require.NoError(t, err)
		require.Zero(t, new(big.Int).SetBytes(answer).Sign(), "the inner call went through")

		answer, err = w.call(stranger, token, hostileABI.Pack("answer"))
		require.NoError(t, err)

		said, err := hostileABI.abi.Unpack("answer", answer)
		require.NoError(t, err)
		require.Equal(t, "the router was called from within its own call", ExplainReason(said[0].([]byte)))
		require.False(t, w.executed(inner.Number))

		outer = w.batch(token, 2)
	}

	// The guard is released when the call ends.
	w.must(stranger, relay, relayABI.Pack("relay", w.router, w.encode(inner)))
	require.True(t, w.executed(inner.Number))
}
