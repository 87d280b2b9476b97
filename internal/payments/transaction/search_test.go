package transaction

import (
	"math/big"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// What is searched in has receivers' names, amounts and what they
// come to together, reasons, addresses and references. It is as texts are searched,
// has once what payments repeat, and is cut by signs, not in the middle of one.
func TestSearchTextIsFoldedAndCut(t *testing.T) {
	x := Transaction{ID: "txn_1", Type: TypeCrypto, Decimals: 6, WalletAddress: "0xAB"}
	require.Equal(t, "0xab", searchText(x))

	payment := Payment{
		Reason:   "MIETE FÜR ÅRSTA",
		Address:  "0xCD",
		Units:    big.NewInt(12_500_000),
		Snapshot: ReceiverSnapshot{LegalName: "Ölmühle GmbH"}.text(),
	}
	for range 3 {
		x.Payments = append(x.Payments, payment)
	}

	require.Equal(t, "0xab 37.50 miete fur arsta 0xcd 12.50 olmuhle gmbh 12.50 12.50", searchText(x))

	x.Payments[1].Reason = strings.Repeat("Я", 2*searchLimit)
	require.Equal(t, searchLimit, utf8.RuneCountInString(searchText(x)))

	one := x
	one.Payments = x.Payments[:1]
	require.Equal(t, "0xab miete fur arsta 0xcd 12.50 olmuhle gmbh", searchText(one))

	x.Type = TypeFiat
	x.Reference = "PX4K7Q2M"
	x.Payments = []Payment{{PaymentTerms: PaymentTerms{
		FiatUnits:        big.NewInt(1999),
		CurrencyDecimals: 2,
		Reference:        "RF18539007547034",
	}}}
	require.Equal(t, "0xab px4k7q2m px4k-7q2m rf18539007547034 19.99", searchText(x))

	franc := x.Payments[0]
	franc.Currency = "CHF"
	x.Payments = append(x.Payments, franc)
	require.Equal(t, "0xab px4k7q2m px4k-7q2m rf18539007547034 19.99 19.99", searchText(x), "no sum of two currencies")
}
