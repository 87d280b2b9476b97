package epcqr_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/standards/epcqr"
)

func transfer() epcqr.Transfer {
	return epcqr.Transfer{
		Name:      "Müller & Söhne AG",
		Account:   "DE75512108001245126199",
		BIC:       "COBADEFFXXX",
		Amount:    "1949.75",
		Purpose:   "SUPP",
		Reference: "RF18539007547034",
	}
}

func TestPayload(t *testing.T) {
	got, err := transfer().Payload()
	require.NoError(t, err)
	require.Equal(
		t,
		"BCD\n002\n1\nSCT\nCOBADEFFXXX\nMüller & Söhne AG\nDE75512108001245126199\nEUR1949.75\nSUPP\nRF18539007547034",
		got,
	)

	plain := transfer()
	plain.BIC = ""
	plain.Purpose = ""
	plain.Reference = ""
	got, err = plain.Payload()
	require.NoError(t, err)
	require.Equal(t, "BCD\n002\n1\nSCT\n\nMüller & Söhne AG\nDE75512108001245126199\nEUR1949.75", got)
	plain.Text = "invoice 7"
	got, err = plain.Payload()
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(got, "\nEUR1949.75\n\n\ninvoice 7"), got)
}

func TestPayloadTellsEverythingThatIsWrong(t *testing.T) {
	_, err := epcqr.Transfer{
		Name:      "A\nEUR1.00",
		Account:   "DE75512108001245126198",
		BIC:       "UKUKUKUK",
		Amount:    "1,949.75",
		Purpose:   "SUPPX",
		Reference: "RF19539007547034",
		Text:      strings.Repeat("x", 141),
	}.Payload()
	for _, want := range []error{epcqr.ErrName, epcqr.ErrAccount, epcqr.ErrAmount, epcqr.ErrPurpose, epcqr.ErrReference, epcqr.ErrText} {
		require.ErrorIs(t, err, want)
	}

	for _, amount := range []string{"", "0.00", "0.1", "01.00", "1", "1000000000.00", "-1.00", "1.000", ".50", "1e3"} {
		bad := transfer()
		bad.Amount = amount
		_, err := bad.Payload()
		require.ErrorIs(t, err, epcqr.ErrAmount, amount)
	}

	us := transfer()
	us.Account = "BR1800360305000010009795493C1" // an IBAN, outside SEPA
	_, err = us.Payload()
	require.ErrorIs(t, err, epcqr.ErrAccount)
	long := transfer()
	long.Reference = ""
	long.Name = strings.Repeat("ü", 70)
	long.Text = strings.Repeat("ü", 140)
	_, err = long.Payload()
	require.ErrorIs(t, err, epcqr.ErrSize)
}
