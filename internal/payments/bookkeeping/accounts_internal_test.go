package bookkeeping

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/payments/ledger"
	"slipway/internal/standards/bookfile"
)

// Every kind of account has a number of its own, in an organisation's book and in the house's, so no line of either
// stands on an account that nobody knows.
func TestEveryKindHasAnAccount(t *testing.T) {
	for name, x := range map[string]struct {
		chart Chart
		kinds []ledger.Kind
	}{
		"organisation": {proposed(), ledger.Kinds()},
		"house":        {houseChart(), append(ledger.Kinds(), ledger.HouseKinds()...)},
	} {
		seen := map[string]bool{}

		for _, k := range x.kinds {
			a := x.chart.of(k)
			require.Regexp(t, `^[1-5][0-9]{3}$`, a.Number, "%s: %s", name, k.Name)
			require.False(t, seen[a.Number], "%s: %s has the number of another kind", name, k.Name)
			require.Equal(t, class(a.Number), a.Class, "%s: %s", name, k.Name)
			require.True(t, bookfile.DATEVAccount(a.Number))

			seen[a.Number] = true
		}
	}
}

// Nobody knows a house account as a customer's: each begins with one of the kinds of the house.
func TestHouseKindsAreTheHouses(t *testing.T) {
	for _, k := range ledger.HouseKinds() {
		require.True(t, ledger.House(k.Name+"/x"), k.Name)
	}

	for _, k := range ledger.Kinds() {
		require.False(t, ledger.House(k.Name+"/x"), k.Name)
	}
}

// Of the rules that fit a line, the finest wins: the whole place, its wallet or payee alone, its network alone, the
// asset, the kind.
func TestTheFinestRuleWins(t *testing.T) {
	chart := proposed()
	set := func(number, asset, place string) {
		r := Rule{Kind: "wallet", Asset: asset, Location: place}
		chart[r] = Account{Rule: r, Number: number}
	}
	wallet := ledger.Kinds()[0]

	for _, step := range []struct{ number, asset, place string }{
		{"1101", "USDC", ""},
		{"1102", "", "base"},
		{"1103", "USDC", "base"},
		{"1104", "", "0xabc"},
		{"1105", "USDC", "0xabc"},
		{"1106", "", "base/0xabc"},
		{"1107", "USDC", "base/0xabc"},
	} {
		set(step.number, step.asset, step.place)
		require.Equal(t, step.number, chart.finest(wallet, "USDC", "base/0xabc", "").Number)
	}

	require.Equal(t, "1106", chart.finest(wallet, "DAI", "base/0xabc", "").Number)
	require.Equal(t, "1103", chart.finest(wallet, "USDC", "base/0xdef", "").Number)
	require.Equal(t, "1101", chart.finest(wallet, "USDC", "ethereum/0xdef", "").Number)
	require.Equal(t, "1100", chart.finest(wallet, "DAI", "ethereum/0xdef", "").Number)
	require.Equal(t, "2110", chart.finest(ledger.Kind{Name: "payee"}, "USDC", "base", "").Number, "of another kind")
}

// A payee is finer than a kind of payee, that finer than a network, and a network finer than an asset.
func TestTheKindOfPayeeIsARule(t *testing.T) {
	chart := proposed()
	kind := ledger.Kind{Name: "receiver"}

	for _, step := range []struct{ number, asset, place, receiver string }{
		{"2101", "USDC", "", ""},
		{"2102", "", "base", ""},
		{"2103", "", "", "COMPANY"},
		{"2104", "USDC", "", "COMPANY"},
		{"2105", "", "base", "COMPANY"},
		{"2106", "", "rcv", ""},
		{"2107", "", "base/rcv", ""},
		{"2108", "", "base/rcv", "COMPANY"},
	} {
		r := Rule{Kind: kind.Name, Asset: step.asset, Location: step.place, Receiver: step.receiver}
		chart[r] = Account{Rule: r, Number: step.number}
		require.Equal(t, step.number, chart.finest(kind, "USDC", "base/rcv", "COMPANY").Number)
	}

	require.Equal(t, "2102", chart.finest(kind, "USDC", "base/other", "SELF").Number)
	require.Equal(t, "2105", chart.finest(kind, "DAI", "base/other", "COMPANY").Number)
	require.Equal(t, "2104", chart.finest(kind, "USDC", "ethereum/other", "COMPANY").Number)
	require.Equal(t, "2103", chart.finest(kind, "DAI", "ethereum/other", "COMPANY").Number)
	require.Equal(t, "2101", chart.finest(kind, "USDC", "ethereum/other", "").Number)
	require.Equal(t, "receiver:USDC::COMPANY", Rule{"receiver", "USDC", "", "COMPANY"}.id())
}

// A fee whose VAT stands on a line of its own has no tax code, else a program would take out the VAT again. One without
// VAT keeps that of its account, and so does the VAT.
func TestTaxCodesOfFees(t *testing.T) {
	chart := proposed()
	for _, kind := range []string{"income/commission", "tax"} {
		a := chart[Rule{Kind: kind}]
		a.TaxCode = "94"
		chart[Rule{Kind: kind}] = a
	}

	entry := func(journal, account string) ledger.Entry {
		return ledger.Entry{Journal: journal, Account: account, Asset: "USDC", Units: "1"}
	}

	lines, err := linesOf([]ledger.Entry{
		entry("with", "income/commission/net_1"),
		entry("with", "tax/net_1/DE-S-19"),
		entry("without", "income/commission/net_1"),
	}, func(ledger.Entry) basis { return basis{chart: chart} }, func(ledger.Entry) int { return 6 })
	require.NoError(t, err)
	require.Equal(t, []string{"", "94", "94"},
		[]string{lines[0].Account.TaxCode, lines[1].Account.TaxCode, lines[2].Account.TaxCode})

	lines[1].Account.TaxCode = ""
	require.Equal(t, "DE-S-19", viewOf(lines[1]).TaxCode)
	require.Empty(t, viewOf(lines[0]).TaxCode)
}
