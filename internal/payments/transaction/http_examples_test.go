package transaction

import (
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
)

// An example that the service would refuse by itself is none.
func TestExamplesHaveTheShapeOfTheirType(t *testing.T) {
	seen := map[string]bool{}
	for _, x := range examples() {
		var in Input
		require.NoError(t, json.Unmarshal([]byte(x.Body), &in, json.RejectUnknownMembers(true)), x.Name)
		require.Equal(t, x.Name, in.Type)

		var l fault.List
		in.shape(&l)
		require.Empty(t, l.Fields(), x.Name)
		seen[in.Type] = true
	}

	require.Len(t, seen, 3)
}
