//go:build !nosandbox

package apptest

import (
	"context"
	"errors"
	"fmt"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/identity/user"
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

	d, err := h.Says("ann", entry, want)
	require.NoError(h.T, err)
	require.NotEmpty(h.T, d.Proposal.Approval)

	_, err = h.Says("ann", entry, want)
	require.Error(h.T, err)

	d, err = h.Says("bob", entry, want)
	require.NoError(h.T, err)
	require.Empty(h.T, d.Proposal.Approval)
	require.NotEmpty(h.T, d.Settler)
}

// Says records what an operator of some name wants done about a deposit, and returns the deposit after it.
func (h *Harness) Says(name, entry string, want reconcile.Decision) (d reconcile.Deposit, err error) {
	h.T.Helper()

	ctx := caller.With(context.Background(), caller.Principal{User: h.operator(name), Staff: user.Operator})
	err = h.App.Settlement.Deposits.Settle(ctx, entry, want, func(_ *db.Tx, now reconcile.Deposit, _ string) error {
		d = now
		return nil
	})

	return d, err
}

// operator returns an operator of this name, who has no account of his own to sign in with.
func (h *Harness) operator(name string) (id string) {
	h.T.Helper()
	ctx := context.Background()

	require.NoError(h.T, h.DB().Write(ctx, func(tx *db.Tx) error {
		email := name + "@desk.example"

		u, err := user.ByEmail(ctx, tx, email)
		if errors.Is(err, db.ErrNone) {
			u = user.Create(ctx, tx, user.Person{FirstName: name, LastName: "Desk", Email: email})
			_, err = tx.Exec("UPDATE users SET staff = ? WHERE id = ?", user.Operator, u.ID)
		}

		id = u.ID

		return err
	}))

	return id
}

// Frozen reports whether the signer waits for a person.
func (h *Harness) Frozen() bool {
	h.T.Helper()
	return h.Count("SELECT count(*) FROM chain_signers WHERE frozen <> ''") == 1
}
