//go:build !nosandbox

package matrix

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/state"
	"slipway/internal/directory/analysis"
	"slipway/internal/directory/bankaccount"
	files "slipway/internal/directory/document"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/review"
	"slipway/internal/payments/invoicelink"
	"slipway/internal/payments/outbound"
	"slipway/internal/payments/payable"
	"slipway/internal/payments/receivable"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/schedule"
	"slipway/internal/payments/stock"
	"slipway/internal/payments/transaction"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/bank/ebics"
	"slipway/internal/rails/chain"
)

// The pages of docs/reference/states are drawn from the tables that the code asks.
func TestStateDiagramsAreFresh(t *testing.T) {
	for name, diagram := range map[string]string{
		"transaction.md":        transaction.Table().Diagram(),
		"settlement.md":         transaction.SettlementTable().Diagram(),
		"transaction-fiat.md":   transaction.TableOf(transaction.TypeFiat).Diagram(),
		"transaction-onramp.md": transaction.TableOf(transaction.TypeOnramp).Diagram(),
		"settlement-fiat.md":    transaction.SettlementTableOf(transaction.TypeFiat).Diagram(),
		"settlement-onramp.md":  transaction.SettlementTableOf(transaction.TypeOnramp).Diagram(),
		"payment.md":            transaction.PaymentTable().Diagram(),
		"ebics-contract.md":     ebics.ContractStates().Diagram(),
		"ebics-upload.md":       ebics.UploadStates().Diagram(),
		"bank-payout.md":        bank.States().Diagram(),
		"onboarding.md":         organisation.Onboarding.Diagram(),
		"wallet-ownership.md":   wallet.OwnershipMoves.Diagram(),
		"wallet-screening.md":   wallet.AnalysisMoves.Diagram(),
		"screening-case.md":     analysis.CaseMoves.Diagram(),
		"bank-account.md":       bankaccount.ValidationMoves.Diagram(),
		"chain-send.md":         chain.States().Diagram(),
		"approval.md":           approval.States().Diagram(),
		"document.md":           files.Moves.Diagram(),
		"payable.md":            payable.Table().Diagram(),
		"invoice-link.md":       invoicelink.States().Diagram(),
		"deposit.md":            reconcile.Table().Diagram(),
		"receivable.md":         receivable.States().Diagram(),
		"schedule.md":           schedule.States().Diagram(),
		"schedule-day.md":       schedule.DayStates().Diagram(),
		"stock-reservation.md":  stock.States().Diagram(),
		"review.md":             review.States().Diagram(),
		"effect.md":             outbound.States().Diagram(),
		"next.md":               transaction.NextPage(),
	} {
		file := filepath.Join(root, "docs", "reference", "states", name)
		if *update {
			require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
			require.NoError(t, os.WriteFile(file, []byte(diagram), 0o644))
		}

		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, diagram, string(text), "%s is stale: run this test with -update", name)
	}
}

// Every pair of states: what the tables allow is exactly what the interface and
// docs/explanation/interface-decisions.md list.
func TestEveryPairOfStates(t *testing.T) {
	walk(t, transaction.Table(), map[transaction.Status][]transaction.Status{
		transaction.StatusDraft:   {transaction.StatusDraft, transaction.StatusWaiting, transaction.StatusRejected},
		transaction.StatusWaiting: {transaction.StatusProcess, transaction.StatusRejected},
		transaction.StatusProcess: {
			transaction.StatusProcess,
			transaction.StatusReleased,
			transaction.StatusFailed,
			transaction.StatusRejected,
		},
		transaction.StatusReleased: {
			transaction.StatusReleased,
			transaction.StatusCompleted,
			transaction.StatusFailed,
		},
		transaction.StatusCompleted: {},
		transaction.StatusFailed:    {},
		transaction.StatusRejected:  {},
	})

	walk(t, transaction.SettlementTable(), map[transaction.SettlementStatus][]transaction.SettlementStatus{
		transaction.SettlementIdle: {transaction.SettlementIdle, transaction.SettlementPulling},
		transaction.SettlementPulling: {
			transaction.SettlementPulling,
			transaction.SettlementSent,
			transaction.SettlementUncertain,
			transaction.SettlementIdle,
		},
		transaction.SettlementSent: {
			transaction.SettlementSent,
			transaction.SettlementUncertain,
			transaction.SettlementSettled,
			transaction.SettlementIdle,
		},
		transaction.SettlementUncertain: {
			transaction.SettlementUncertain,
			transaction.SettlementSent,
			transaction.SettlementSettled,
			transaction.SettlementIdle,
		},
		transaction.SettlementSettled: {},
	})

	walk(t, approval.States(), map[approval.Status][]approval.Status{
		approval.Pending:    {approval.Approved, approval.Rejected, approval.Superseded, approval.Expired},
		approval.Approved:   {},
		approval.Rejected:   {},
		approval.Superseded: {},
		approval.Expired:    {},
	})
}

func walk[S ~string](t *testing.T, table *state.Table[S], allowed map[S][]S) {
	t.Helper()
	require.Len(t, allowed, len(table.States()))

	for _, from := range table.States() {
		for _, to := range table.States() {
			want := false
			for _, x := range allowed[from] {
				want = want || x == to
			}

			require.Equal(t, want, table.Allows(from, to), "%s to %s", from, to)
		}

		require.Equal(t, len(allowed[from]) == 0, table.Final(from), "%s", from)
	}
}
