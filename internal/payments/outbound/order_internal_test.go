package outbound

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/payments/effect"
	"slipway/internal/rails/liquidity"
)

// An order follows from its stored row alone, so that every asking is the same; an answer to another order is none.
func TestOrders(t *testing.T) {
	usdc := money.Asset{Code: "USDC", Decimals: 6}
	eur := money.Asset{Code: "EUR", Decimals: 2}
	into := Effect{
		Key:    effect.ConversionOf("txn_1", "EUR"),
		Amount: money.FromUnits(usdc, big.NewInt(1_100_000)),
		Order:  Order{Buy: money.FromUnits(eur, big.NewInt(100))},
	}
	o := into.order()
	require.Equal(t, "100", o.BuyUnits.String())
	require.Nil(t, o.SellUnits)
	require.Equal(t, "1111000", o.LimitUnits.String())
	out := Effect{
		Key:    effect.ConversionOf("txn_1", "EUR"),
		Amount: money.FromUnits(eur, big.NewInt(100)),
		Order:  Order{Buy: money.FromUnits(usdc, big.NewInt(1_100_000))},
	}
	o = out.order()
	require.Equal(t, "100", o.SellUnits.String())
	require.Equal(t, "1089000", o.LimitUnits.String())

	n := func(x int64) *big.Int { return big.NewInt(x) }
	for _, c := range []struct {
		x       Effect
		sold    *big.Int
		bought  *big.Int
		correct bool
	}{
		{into, n(1_111_001), n(100), false},
		{out, n(100), n(1_088_999), false},
		{out, n(100), n(1_089_000), true},
		{into, n(1_050_000), n(100), true},
		{into, n(1_050_000), n(99), false},
		{into, nil, n(100), false},
		{into, n(0), n(100), false},
		{out, n(99), n(7), false},
	} {
		require.Equal(t, c.correct, c.x.contradiction(liquidity.Result{
			Status:      liquidity.Filled,
			SoldUnits:   c.sold,
			BoughtUnits: c.bought,
		}) == nil, fmt.Sprint(c.sold, c.bought))
	}
}

// An answer that names another order, whatever it says, is no answer.
func TestAnAnswerOfAnotherOrderIsNone(t *testing.T) {
	x := Effect{Key: effect.ConversionOf("txn_1", "EUR")}

	for _, status := range []liquidity.Status{liquidity.Filled, liquidity.Rejected, liquidity.Accepted} {
		require.ErrorContains(
			t,
			x.contradiction(liquidity.Result{Key: "transaction/txn_2/convert/EUR", Status: status}),
			"answered for transaction/txn_2/convert/EUR",
		)
	}

	require.NoError(t, x.contradiction(liquidity.Result{Key: x.Key.String(), Status: liquidity.Rejected}))
}
