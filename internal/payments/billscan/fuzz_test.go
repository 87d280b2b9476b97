package billscan_test

import (
	"strings"
	"testing"

	"slipway/internal/payments/billscan"
	"slipway/internal/platform/qrscan"
)

// L-03: whatever a code says, what is made of it is a bill whose values stand in the code, each as a line of it, or
// broken rules, or nothing.
func FuzzEveryValueStandsInTheCode(f *testing.F) {
	for _, payload := range []string{
		"SPC\n0200\n1\nCH9300762011623852957\nS\nWerft " +
			"AG\n\n\n8001\nZürich\nCH\n\n\n\n\n\n\n\n1.25\nCHF\n\n\n\n\n\n\n\nNON\n\n\nEPD",
		"SPC\r\n0200\r\n1\r\nCH9300762011623852957\r\nK\r\nWerft AG\r\nHafen 7\r\n8001 " +
			"Zürich\r\n\r\n\r\nCH\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\nEUR\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n" +
			"SCOR\r\nRF18539007547034\r\n\r\nEPD\r\n//S1/10/7/11/261101/40/0:30",
		"BCD\n002\n1\nSCT\nCOBADEFFXXX\nWerft GmbH\nDE89370400440532013000\nEUR12.3\nSUPP\n\nRechnung 8\nThank you",
	} {
		f.Add(payload)
	}

	f.Fuzz(func(t *testing.T, payload string) {
		all := billscan.Statements([]qrscan.Code{{Page: 1, Text: payload}, {Page: 2, Text: payload}})
		if len(all) == 0 {
			if billscan.IsBill(payload) {
				t.Fatal("a bill is passed over")
			}

			return
		}

		if all[0].Problems != nil {
			return
		}

		if len(all) != 1 {
			t.Fatalf("the same bill on two pages is %d bills", len(all))
		}

		b := all[0].Bill

		lines := map[string]bool{"": true}
		for line := range strings.Lines(payload) {
			lines[strings.TrimRight(line, "\r\n")] = true
		}

		values := []string{
			b.Version,
			b.Message,
			b.Information,
			b.Purpose,
			b.Billing,
			b.BIC,
			b.Creditor.Name,
			b.Creditor.Street,
			b.Creditor.BuildingNumber,
			b.Creditor.PostCode,
			b.Creditor.Town,
			b.Creditor.Country,
			b.Creditor.CombinedLine1,
			b.Creditor.CombinedLine2,
		}
		values = append(values, b.Schemes...)
		// codes of the euro area have amounts with fewer decimals, and numbers in groups
		if b.Source == billscan.Swiss {
			values = append(values, string(b.Account), b.Amount, b.Currency, b.ReferenceType, b.Reference)
		}

		for _, v := range values {
			if !lines[v] {
				t.Fatalf("%q is no line of the code", v)
			}
		}
	})
}
