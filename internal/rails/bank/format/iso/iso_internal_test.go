package iso

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/rails/bank/format"
	"slipway/internal/rails/bank/format/formattest"
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

// The format keeps what every format of payment files must.
func TestPain001IsAFormat(t *testing.T) {
	formattest.Check(t, Format{}, format.Account{
		Currency: "EUR",
		Country:  "DE",
		IBAN:     "DE89370400440532013000",
		BIC:      "COBADEFFXXX",
		Holder:   "Slipway GmbH",
	}, "SEPA", format.AccountIDs{IBAN: "AT611904300234573201"})
}
