package transaction_test

import (
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/payments/transaction"
	"slipway/internal/payments/transaction/crypto"
	"slipway/internal/payments/transaction/fiat"
	"slipway/internal/payments/transaction/onramp"
)

// An example that the service would refuse by itself is none.
func TestExamplesHaveTheShapeOfTheirType(t *testing.T) {
	kinds := map[string]transaction.Kind{"CRYPTO": crypto.Kind{}, "FIAT": fiat.Kind{}, "ONRAMP": onramp.Kind{}}
	for _, x := range transaction.Examples() {
		t.Run(x.Name, func(t *testing.T) {
			var in transaction.Input
			require.NoError(t, json.Unmarshal([]byte(x.Body), &in, json.RejectUnknownMembers(true)))
			require.Equal(t, x.Name, in.Type)
			require.Contains(t, kinds, in.Type)

			var l fault.List
			in.CheckShape(kinds[in.Type], &l)
			require.Empty(t, l.Fields())
			delete(kinds, in.Type)
		})
	}

	require.Empty(t, kinds, "every type has an example")
}
