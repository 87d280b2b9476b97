package transaction_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/state"
	"slipway/internal/payments/transaction"
)

var everyType = []transaction.Type{transaction.TypeCrypto, transaction.TypeFiat, transaction.TypeOnramp}

// Wherever a transaction can stand, it says what that means and whom it waits for, and whoever that is can move it.
func TestEveryPairSaysWhoActsAndWhoeverActsCanMoveIt(t *testing.T) {
	for _, kind := range everyType {
		for _, at := range transaction.Pairs(kind) {
			name := string(kind) + " " + string(at.Status) + " " + string(at.Settlement)
			by := transaction.WaitsFor(kind, at)

			require.NotEmpty(t, by, name)
			require.Equal(t, 2, strings.Count(transaction.Meaning(kind, at)+" ", ". "), "%s: two sentences", name)

			ways := transaction.Ways(kind, at)
			if by == state.Nobody {
				require.False(
					t,
					slices.ContainsFunc(ways, func(w transaction.Way) bool { return w.By == state.Member }),
					name,
				)

				continue
			}

			if by == state.Sender { // the bank tells of what the sender does
				by = state.Bank
			}

			require.True(t, slices.ContainsFunc(ways, func(w transaction.Way) bool { return w.By == by }),
				"%s: it waits for %s, who can do nothing", name, by)
		}
	}
}

// What Ways promises is what Advance allows, and a status leaves nothing for a cause of another one.
func TestWaysFollowTheTables(t *testing.T) {
	for _, kind := range everyType {
		for _, at := range transaction.Pairs(kind) {
			for _, w := range transaction.Ways(kind, at) {
				require.True(t, transaction.TableOf(kind).Allows(at.Status, w.To.Status), "%s %v: %v", kind, at, w)
				require.True(t, transaction.SettlementTableOf(kind).Allows(at.Settlement, w.To.Settlement) ||
					at.Settlement == w.To.Settlement, "%s %v: %v", kind, at, w)
			}
		}
	}

	causes := func(kind transaction.Type, status transaction.Status, settlement transaction.SettlementStatus) (out []string) {
		for _, w := range transaction.Ways(kind, transaction.Pair{Status: status, Settlement: settlement}) {
			out = append(out, w.Cause)
		}

		return out
	}

	require.Equal(t, []string{"edit", "submit", "review"},
		causes(transaction.TypeCrypto, transaction.StatusDraft, transaction.SettlementIdle), "a draft is not accepted")
	require.Equal(t, []string{"quoted anew", "review", "accept"},
		causes(transaction.TypeFiat, transaction.StatusWaiting, transaction.SettlementQuoted))
	require.Empty(t, causes(transaction.TypeFiat, transaction.StatusRejected, transaction.SettlementIdle))
}

// The page that says who acts next has a row for every pair.
func TestThePageHasARowForEveryPair(t *testing.T) {
	page := transaction.NextPage()

	for _, kind := range everyType {
		for _, at := range transaction.Pairs(kind) {
			require.Contains(t, page, fmt.Sprintf("| %s | %s | %s | %s | ",
				at.Status,
				at.Settlement,
				transaction.Meaning(kind, at),
				transaction.WaitsFor(kind, at),
			))
		}
	}
}
