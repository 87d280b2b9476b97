package transaction

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// What is searched in is folded and cut by signs, not in the middle of one, and the same however many payments come
// behind the cut.
func TestSearchTextIsFoldedAndCut(t *testing.T) {
	x := Transaction{ID: "txn_1", WalletAddress: "0xAB"}
	require.Equal(t, "txn_1 0xab", searchText(x))

	for range 30 {
		x.Payments = append(x.Payments, Payment{Reason: "MIETE FÜR ÅRSTA", Address: "0xCD"})
	}

	whole := strings.ToLower("txn_1 0xAB" + strings.Repeat(" MIETE FÜR ÅRSTA 0xCD", 30))
	require.Equal(t, string([]rune(whole)[:searchLimit]), searchText(x))
	x.Payments = []Payment{{Reason: strings.Repeat("Ü", 2*searchLimit)}}
	require.Equal(t, searchLimit, utf8.RuneCountInString(searchText(x)))
	x.Payments[0].Reason = strings.Repeat("Ü", searchLimit-len("txn_1 0xAB "))
	require.Equal(t, "txn_1 0xab "+strings.ToLower(x.Payments[0].Reason), searchText(x))
}
