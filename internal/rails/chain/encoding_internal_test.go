package chain

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"
)

// A receipt proves nothing without the gas that was used, and without a status or, before Byzantium, the root of the
// state.
func TestAReceiptHasGasAndAStatus(t *testing.T) {
	gas := quantity(21_000)
	status := quantity(1)
	root := make([]byte, common.HashLength)

	for name, x := range map[string]struct {
		receipt wireReceipt
		sound   bool
	}{
		"gas and status":          {wireReceipt{Cumulative: &gas, Status: &status}, true},
		"gas and root":            {wireReceipt{Cumulative: &gas, Root: root}, true},
		"gas alone":               {wireReceipt{Cumulative: &gas}, false},
		"gas and half a root":     {wireReceipt{Cumulative: &gas, Root: root[:16]}, false},
		"status alone":            {wireReceipt{Status: &status}, false},
		"root alone":              {wireReceipt{Root: root}, false},
		"status and root, no gas": {wireReceipt{Status: &status, Root: root}, false},
	} {
		raw, err := encodeReceipt(x.receipt)
		if x.sound {
			require.NoError(t, err, name)
			require.NotEmpty(t, raw, name)
		} else {
			require.ErrorIs(t, err, ErrProof, name)
		}
	}
}
