//go:build !nosandbox

package contract

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"
)

// The manners of HostileToken, in its order.
const (
	mannerHonest uint8 = iota
	mannerReturnFalse
	mannerReturnFalseButMove
	mannerReturnTrueButKeep
	mannerReturnTwo
	mannerReturnShort
	mannerReturnHuge
	mannerRevertHuge
	mannerRevertEmpty
	mannerRevertPanic
	mannerBurnGas
	mannerTakeFee
	mannerCallBack
	mannerNeedGas
)

// Each manner fails or succeeds alone, between two honest legs that are always paid.
func TestOddTokensFailAlone(t *testing.T) { // X-04 X-10
	w := newWorld(t)

	cases := []struct {
		manner uint8
		status LegStatus
		reason string
	}{
		{mannerHonest, LegPaid, ""},
		{mannerReturnFalse, LegFailed, "the token did not answer true"},
		{
			mannerReturnFalseButMove,
			LegUnclear,
			"the token reported failure but logged the transfer: the token did not answer true",
		},
		{
			mannerReturnTrueButKeep,
			LegUnclear,
			"the token reported success but logged no transfer of exactly this amount",
		},
		{
			mannerReturnTwo,
			LegUnclear,
			"the token reported failure but logged the transfer: the token did not answer true",
		},
		{
			mannerReturnShort,
			LegUnclear,
			"the token reported failure but logged the transfer: the token did not answer true",
		},
		{mannerReturnHuge, LegPaid, ""},
		{mannerRevertHuge, LegFailed, "unknown reason 0x" + strings.Repeat("00", 31) + "0100000000… (128 bytes)"},
		{mannerRevertEmpty, LegFailed, "no reason was given"},
		{mannerRevertPanic, LegFailed, "the contract failed by an assertion failed (panic 0x01)"},
		{mannerBurnGas, LegFailed, "no reason was given"},
		{mannerTakeFee, LegUnclear, "the token reported success but logged no transfer of exactly this amount"},
		{mannerNeedGas, LegPaid, ""},
	}
	for _, c := range cases {
		t.Run(fmt.Sprintf("manner %d", c.manner), func(t *testing.T) {
			token := w.hostile(mannerHonest, c.manner, mannerHonest)
			out := w.pay(w.batch(token, 3))
			require.Equal(t, "P"+string(c.status[0])+"P", statuses(out))
			require.Equal(t, c.reason, out.Legs[1].Reason)
			require.LessOrEqual(t, len(out.Legs[1].Raw), 128)
			require.Equal(t, big.NewInt(102), w.balance(token, payee(2)))
			w.requireEmptyRouter(token)
		})
	}
}

// An answer of an earlier leg must not stand in for a missing or short one of a later leg.
func TestAnswersAreNotCarriedOver(t *testing.T) {
	w := newWorld(t)
	token := w.hostile(mannerHonest, mannerReturnShort, mannerReturnFalse, mannerHonest, mannerReturnTwo)
	require.Equal(t, "PUFPU", statuses(w.pay(w.batch(token, 5))))
}

// The worst batch a token can make: every leg burns all it gets, and the transaction still ends within the chain's
// limit.
func TestGasBurningTokenCannotStopTheBatch(t *testing.T) { // X-04 X-10
	w := newWorld(t)

	manners := make([]uint8, MaxLegs)
	for i := range manners[:MaxLegs-1] {
		manners[i] = mannerBurnGas
	}

	b := w.batch(w.hostile(manners...), MaxLegs)
	r := w.must(operator, w.router, w.encode(b))
	require.Equal(t, strings.Repeat("F", MaxLegs-1)+"P", statuses(w.outcome(b, r)))
	require.Less(t, r.GasUsed, uint64(MaxLegs*(DefaultLegGas+6_000)))
}

// Huge answers cost the batch a bounded amount: the memory for them is the token's own gas.
func TestHugeAnswersAreNotCopied(t *testing.T) {
	w := newWorld(t)
	b := w.batch(w.hostile(mannerRevertHuge), 1)
	r := w.must(operator, w.router, w.encode(b))
	require.Less(t, r.GasUsed, uint64(90_000))

	for _, log := range r.Logs {
		require.LessOrEqual(t, len(log.Data), 32*3+128)
	}
}

func TestBlacklistedPayeeFailsAlone(t *testing.T) {
	w := newWorld(t)
	abi := SampleOf("TestUSDC")
	usdc := w.deploy(deployer, abi.Code)
	w.fund(usdc)
	w.must(deployer, usdc, abi.Pack("blacklist", payee(7)))
	out := w.pay(w.batch(usdc, 30))
	require.Equal(t, strings.Repeat("P", 7)+"F"+strings.Repeat("P", 22), statuses(out))
	require.Equal(t, `the contract said "Blacklistable: account is blacklisted"`, out.Legs[7].Reason)
	require.Zero(t, w.balance(usdc, payee(7)).Sign())

	w.must(deployer, usdc, abi.Pack("pause"))
	out = w.pay(w.batch(usdc, 2))
	require.Equal(t, "FF", statuses(out))
	require.Equal(t, `the contract said "Pausable: paused"`, out.Legs[0].Reason)
	w.must(deployer, usdc, abi.Pack("unpause"))
	w.must(deployer, usdc, abi.Pack("unBlacklist", payee(7)))
	require.Equal(t, strings.Repeat("P", 8), statuses(w.pay(w.batch(usdc, 8))))
}

func TestTokenWithoutAnswerIsPaid(t *testing.T) {
	w := newWorld(t)
	abi := SampleOf("TestUSDT")
	usdt := w.deploy(deployer, abi.Code)
	w.fund(usdt)
	w.must(deployer, usdt, abi.Pack("addBlackList", payee(1)))
	out := w.pay(w.batch(usdt, 4))
	require.Equal(t, "PFPP", statuses(out))
	require.Equal(t, "no reason was given", out.Legs[1].Reason)

	// The real one's approve: not from one allowance to another.
	r := w.send(payer, &usdt, abi.Pack("approve", w.router, big.NewInt(5)), plentyOfGas)
	require.Equal(t, types.ReceiptStatusFailed, r.Status)
	w.must(payer, usdt, abi.Pack("approve", w.router, big.NewInt(0)))
	w.must(payer, usdt, abi.Pack("approve", w.router, big.NewInt(150)))
	require.Equal(t, "PF", statuses(w.pay(w.batch(usdt, 3)))[0:1]+statuses(w.pay(w.batch(usdt, 1)))[0:1])
	w.must(deployer, usdt, abi.Pack("removeBlackList", payee(1)))
	w.must(deployer, usdt, abi.Pack("pause"))
	require.Equal(t, "FF", statuses(w.pay(w.batch(usdt, 2))))
	w.must(deployer, usdt, abi.Pack("unpause"))
}

func TestTestTokensLookLikeTheRealOnes(t *testing.T) {
	w := newWorld(t)

	for _, c := range []struct {
		contract, name, symbol string
		decimals               uint8
	}{
		{"TestUSDC", "USD Coin (test)", "USDC", 6},
		{"TestUSDT", "Tether USD (test)", "USDT", 6},
		{"TestDAI", "Dai Stablecoin (test)", "DAI", 18},
	} {
		abi := SampleOf(c.contract)
		token := w.deploy(deployer, abi.Code)
		name, err := w.call(stranger, token, abi.Pack("name"))
		require.NoError(t, err)
		require.Contains(t, string(name), c.name)

		symbol, err := w.call(stranger, token, abi.Pack("symbol"))
		require.NoError(t, err)
		require.Contains(t, string(symbol), c.symbol)

		decimals, err := w.call(stranger, token, abi.Pack("decimals"))
		require.NoError(t, err)
		require.Equal(t, c.decimals, decimals[31])

		_, err = w.call(stranger, token, abi.Pack("mint", stranger.address, big.NewInt(1)))
		require.Error(t, err, "a stranger can mint %s", c.symbol)

		w.fund(token)
		require.Equal(t, "P", statuses(w.pay(w.batch(token, 1))))
	}
}

// A batch sent with any gas limit either has its true outcome or no effect: no leg is reported as failed because the
// transaction ran short. The token refuses at once when it gets little, which leaves enough gas to report the refusal.
func TestShortGasNeverFailsALeg(t *testing.T) {
	w := newWorld(t)
	token := w.hostile(mannerNeedGas, mannerNeedGas, mannerRevertEmpty, mannerNeedGas)
	reverted := 0

	executed := 0
	for gas := uint64(60_000); gas < 900_000; gas += 7_000 {
		b := w.batch(token, 4)

		r := w.send(operator, &w.router, w.encode(b), gas)
		if r.Status == types.ReceiptStatusFailed {
			reverted++
			require.False(t, w.executed(b.Number))
			continue
		}

		executed++
		require.Equal(t, "PPFP", statuses(w.outcome(b, r)), "with %d gas", gas)
	}

	require.Greater(t, reverted, 10)
	require.Greater(t, executed, 10)
}

// The refusal says what it is, and GasHeadroom is enough for a leg that turns bad after the estimate.
func TestGasHeadroomCoversALegThatTurnsBad(t *testing.T) {
	w := newWorld(t)
	token := w.hostile()
	b := w.batch(token, 3)
	estimate := w.must(operator, w.router, w.encode(b)).GasUsed
	w.must(deployer, token, hostileABI.Pack("misbehave", payee(2), mannerBurnGas))

	b = w.batch(token, 3)
	tight := w.send(operator, &w.router, w.encode(b), estimate+DefaultLegGas)
	require.Equal(t, types.ReceiptStatusFailed, tight.Status)
	wide := w.send(operator, &w.router, w.encode(b), estimate+GasHeadroom(DefaultLegGas))
	require.Equal(t, "PPF", statuses(w.outcome(b, wide)))
}
