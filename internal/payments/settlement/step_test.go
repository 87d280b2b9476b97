package settlement

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/payments/transaction"
	"slipway/internal/platform/words"
	"slipway/internal/rails/chain/contract"
)

// The decision of each case that a transaction can be in when its job runs. What needs a locked content is shown over
// the whole service, in internal/app.
func TestNext(t *testing.T) {
	units := func(n int64) *big.Int { return big.NewInt(n) }
	rich := Facts{Balance: units(100), Allowance: units(100)}
	process := transaction.Transaction{
		Status:     transaction.StatusProcess,
		Settlement: transaction.SettlementPulling,
		Debit:      units(10),
		Token:      "USDC",
		Decimals:   6,
	}
	waiting := process
	uncertain := process
	waiting.Status = transaction.StatusWaiting
	uncertain.Settlement = transaction.SettlementUncertain
	used := rich

	used.Used = true
	for _, c := range []struct {
		name    string
		t       transaction.Transaction
		planned bool
		facts   Facts
		want    Action
	}{
		{"not accepted", waiting, false, rich, Nothing},
		{"planned already", process, true, rich, Nothing},
		{"planned, and the number is used: by ourselves", process, true, used, Nothing},
		{"a person looks", uncertain, false, rich, Nothing},
		{"the number was used by a send that is not known", process, false, used, Hold},
		{"never locked", process, false, rich, Fail},
	} {
		got, why := Next(c.t, c.planned, c.facts)
		require.Equal(t, c.want, got, c.name)
		require.Equal(t, c.want == Fail || c.want == Hold, why != "", c.name)
	}
}

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
		_, _, _, info := summary(c.legs)
		require.Equal(t, c.want, words.English(info))
	}
}

func TestRefusalsInWords(t *testing.T) {
	require.Equal(t, "the router is paused", explainRefusal(`execution reverted "0xf562b5a0"`))
	require.Equal(t, "the router is paused", explainRefusal(`execution reverted 0xf562b5a0`))
	require.Equal(t, "execution reverted", explainRefusal("execution reverted"))
	require.Equal(t, "it is 0xzz", explainRefusal("it is 0xzz"))
}
