package settlement

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/payments/evidence"
	"slipway/internal/payments/transaction"
)

// The decision of each case that a transaction can be in when its job runs. What needs a locked content is shown over
// the whole service, in internal/app.
func TestNext(t *testing.T) {
	units := func(n int64) *big.Int { return big.NewInt(n) }
	rich := Facts{Funds: evidence.Funds{Balance: units(100), Allowance: units(100)}}
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
