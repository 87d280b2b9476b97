package evidence

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/words"
	"slipway/internal/rails/chain/contract"
)

func TestSummary(t *testing.T) {
	paid := contract.LegOutcome{Status: contract.LegPaid}
	failed := contract.LegOutcome{Status: contract.LegFailed, Reason: "blacklisted"}

	unclear := contract.LegOutcome{Status: contract.LegUnclear, Reason: "no log"}
	for _, c := range []struct {
		legs []contract.LegOutcome
		want string
	}{
		{[]contract.LegOutcome{paid, paid}, ""},
		{[]contract.LegOutcome{paid, failed, paid}, "1 of 3 payments failed: payment 2: blacklisted."},
		{[]contract.LegOutcome{failed, unclear}, "2 of 2 payments failed: payment 1: blacklisted; payment 2: no log."},
		{[]contract.LegOutcome{failed, failed, failed, failed, paid}, "4 of 5 payments failed: payment 1: " +
			"blacklisted; payment 2: blacklisted; payment 3: blacklisted; and 1 more."},
	} {
		_, _, _, info := Summary(c.legs)
		require.Equal(t, c.want, words.English(info))
	}
}

func TestRefusalsInWords(t *testing.T) {
	require.Equal(t, "the router is paused", explained(`execution reverted "0xf562b5a0"`))
	require.Equal(t, "the router is paused", explained(`execution reverted 0xf562b5a0`))
	require.Equal(t, "execution reverted", explained("execution reverted"))
	require.Equal(t, "it is 0xzz", explained("it is 0xzz"))
}
