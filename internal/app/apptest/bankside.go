//go:build !nosandbox

package apptest

import (
	"context"
	"fmt"

	"github.com/stretchr/testify/require"

	"slipway/internal/payments/reconcile"
	"slipway/internal/platform/db"
)

// SenderAccount is a valid IBAN of nobody's, from which deposits come that can be sent back.
const SenderAccount = "DE89370400440532013000"

// EndToEnd returns the identification under which the bank knows a payment.
func (h *Harness) EndToEnd(transactionID string, position int) string {
	h.T.Helper()
	id, err := db.Value[string](
		context.Background(),
		h.DB(),
		"SELECT end_to_end_id FROM bank_payouts WHERE key = ?",
		fmt.Sprintf("transaction/%s/payout/%d", transactionID, position),
	)
	require.NoError(h.T, err)

	return id
}

// ExecutedOnce requires that the bank has executed no payment twice, and returns how many it has executed.
func (h *Harness) ExecutedOnce() (n int) {
	h.T.Helper()
	all, err := h.World.Bank.Executions(context.Background())
	require.NoError(h.T, err)

	for id, times := range all {
		require.LessOrEqual(h.T, times, 1, id)
		n += times
	}

	return n
}

// BankRounds moves files between the first app and the bank, and runs no job.
func (h *Harness) BankRounds(n int) {
	h.T.Helper()
	ctx := context.Background()

	for range n {
		require.NoError(h.T, h.App.Bank.Work(ctx))
		_, err := h.World.Bank.Step(ctx)
		require.NoError(h.T, err)
	}

	require.NoError(h.T, h.App.Bank.Work(ctx))
}

// Suspense lists the deposits that wait for people.
func (h *Harness) Suspense() []reconcile.Deposit {
	h.T.Helper()
	all, err := reconcile.Suspense(context.Background(), h.DB(), "", true, 100)
	require.NoError(h.T, err)

	return all
}

// Decide has two persons decide the same about a deposit: one is not enough, nor the same one twice.
func (h *Harness) Decide(entry string, want reconcile.Decision) {
	h.T.Helper()
	ctx := context.Background()
	deposits := h.App.Settlement.Deposits

	_, done, err := deposits.Settle(ctx, entry, "ann", want)
	require.NoError(h.T, err)
	require.False(h.T, done)

	_, done, err = deposits.Settle(ctx, entry, "ann", want)
	require.Error(h.T, err)
	require.False(h.T, done)

	_, done, err = deposits.Settle(ctx, entry, "bob", want)
	require.NoError(h.T, err)
	require.True(h.T, done)
}

// Frozen reports whether the signer waits for a person.
func (h *Harness) Frozen() bool {
	h.T.Helper()
	return h.Count("SELECT count(*) FROM chain_signers WHERE frozen <> ''") == 1
}
