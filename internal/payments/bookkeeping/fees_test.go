package bookkeeping_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/payments/bookkeeping"
	"slipway/internal/payments/ledger"
)

// What is invoiced must not change after: a line of which the rate may still come is not final, unless its month is
// closed. One without a rate never is.
func TestFinalIsWhatNoRateChanges(t *testing.T) {
	value := money.Zero(money.Asset{Code: "EUR", Decimals: 2})
	closed := ledger.Entry{Closed: true}

	require.NoError(t, bookkeeping.Final(bookkeeping.Line{Value: &value}))
	require.NoError(t, bookkeeping.Final(bookkeeping.Line{Entry: closed, Value: &value, Provisional: true}))

	for _, l := range []bookkeeping.Line{{Value: &value, Provisional: true}, {Entry: closed}} {
		require.True(t, fault.Is(bookkeeping.Final(l), fault.RateUnavailable))
	}
}
