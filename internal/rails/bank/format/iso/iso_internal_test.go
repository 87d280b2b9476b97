package iso

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/standards/iso20022/pain"
)

// Each rail is written as the service of its own clearing: a wrong one sends a payment another way.
func TestServices(t *testing.T) {
	require.Equal(t, map[string]pain.Service{
		"SEPA":            pain.SEPA,
		"SEPA_INSTANT":    pain.SEPAInstant,
		"FASTER_PAYMENTS": pain.UK,
		"CHAPS":           pain.CHAPS,
		"ACH":             pain.ACH,
		"FEDWIRE":         pain.Wire,
		"NEFT":            pain.India,
		"IMPS":            pain.IMPS,
		"SIC":             pain.SIC,
		"SWIFT":           pain.SWIFT,
	}, services())
}
