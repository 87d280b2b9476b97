package statement

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/payments/transaction"
)

// No document shows a code: every status that a transaction or a payment can have has words, and no word looks like a
// code.
func TestEveryStatusHasWords(t *testing.T) {
	for _, s := range []transaction.Status{
		transaction.StatusDraft, transaction.StatusWaiting, transaction.StatusProcess, transaction.StatusReleased,
		transaction.StatusCompleted, transaction.StatusFailed, transaction.StatusRejected,
	} {
		require.Contains(t, statusNames, string(s))
		require.Contains(t, statusWords, string(s))
	}

	for _, s := range []transaction.PaymentStatus{
		transaction.PaymentDraft, transaction.PaymentLocked, transaction.PaymentProcess, transaction.PaymentSent,
		transaction.PaymentCompleted, transaction.PaymentFailed, transaction.PaymentReturned,
		transaction.PaymentRefunded, transaction.PaymentCancelled, transaction.PaymentUnknown,
	} {
		require.Contains(t, paymentNames, string(s))
	}

	for _, s := range []transaction.SettlementStatus{
		transaction.SettlementIdle, transaction.SettlementQuoted, transaction.SettlementPulling,
		transaction.SettlementReceived, transaction.SettlementConverted, transaction.SettlementAtBank,
		transaction.SettlementAwaiting, transaction.SettlementSent, transaction.SettlementMismatch,
		transaction.SettlementHeld, transaction.SettlementReturned, transaction.SettlementRefunding,
		transaction.SettlementRefunded, transaction.SettlementNoRefund, transaction.SettlementUncertain,
		transaction.SettlementSettled,
	} {
		require.Contains(t, settlementNames, string(s))
	}

	code := regexp.MustCompile(`^[A-Z_]{3,}$`)
	for _, words := range []map[string]string{statusNames, paymentNames, settlementNames, kindWords} {
		for _, w := range words {
			require.NotRegexp(t, code, w)
		}
	}

	require.Equal(t, "Deposit received", settlementWord("ONRAMP", "FUNDS_RECEIVED"))
	require.Equal(t, "Tokens received", settlementWord("FIAT", "FUNDS_RECEIVED"))
}
