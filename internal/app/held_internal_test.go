package app

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/words"
	"slipway/internal/rails/bank"
)

// A mail says in its reader's language what a decision about something held at a bank does.
func TestWhatEndsAHoldAtABankIsInEveryLanguage(t *testing.T) {
	var all []heldChoice
	for _, kind := range []string{bank.AlertWaiting, bank.AlertUnbalanced, bank.AlertDoubt, bank.AlertUnknown} {
		all = append(all, bankChoices(kind)...)
	}

	for _, why := range []string{bank.HoldUnwritable, bank.HoldUnknown, "AC04"} {
		all = append(all, payoutChoices(bank.PayoutStatus{Reason: bank.Reason{Code: why}})...)
	}

	require.Len(t, all, 13)

	for _, c := range all {
		require.True(t, words.Must().In("en").Knows(c.Effect), c.Effect)
	}
}
