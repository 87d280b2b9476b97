package bank

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Few texts of a statement have the form of our identification, so that few are looked up.
func TestOtherNumbersAreNoMentions(t *testing.T) {
	id := EndToEndID("transaction/txn_1/payout/0")

	for text, want := range map[string][]string{
		"":                                     nil,
		id:                                     {id},
		id + id:                                {id}, // the second is in the middle of a word
		id + " " + id:                          {id},
		id[:1] + " " + id[1:5] + "\n" + id[5:]: {id},
		id[:1] + " " + id[1:5] + " " + id[5:9] + " " + id[9:]: nil,
		"x" + id + "x":                           {id},
		"A" + id:                                 {("A" + id)[:26]},
		id[:25]:                                  nil,
		strings.ToLower(id):                      nil,
		"DE02100100100006820101":                 nil,
		"210000000003139471430009017":            nil,
		"RF18539007547034 Invoice 2026-118":      nil,
		"Rechnung 4711 vom 20.11.2026, Kunde 42": nil,
	} {
		require.Equal(t, want, addMentions(nil, text), text)
	}

	require.Len(t, addMentions(nil, many(100)), mostMentions)
}

// many returns different texts of the form of an identification.
func many(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(EndToEndID(strings.Repeat("x", i+1)) + ";")
	}

	return b.String()
}
