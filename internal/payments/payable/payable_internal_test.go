package payable

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/payments/transaction"
)

// Of every pair of states only those of the interface's table are moves, and the ways back that are decided besides.
func TestMovesOfAPayable(t *testing.T) {
	may := map[Status][]Status{
		"":       {Draft},
		Draft:    {Draft, Rejected, Approved},
		Approved: {Approved, Draft, Paid},
		Rejected: nil,
		Paid:     nil,
	}

	for from, to := range may {
		for _, next := range []Status{"", Draft, Approved, Rejected, Paid} {
			p := Payable{Status: from}

			if err := p.setStatus(next); slices.Contains(to, next) {
				require.NoError(t, err, "%s to %s", from, next)
				require.Equal(t, next, p.Status)
			} else {
				require.Error(t, err, "%s to %s", from, next)
				require.Equal(t, from, p.Status)
			}
		}
	}
}

// I7: of every outcome of a payment in every state of its transaction. Whatever can still become something else
// leaves the payable where it is: the table of outcomes says what can.
func TestFateOfAPayable(t *testing.T) {
	outcomes := []transaction.PaymentStatus{
		"",
		transaction.PaymentSent,
		transaction.PaymentCompleted,
		transaction.PaymentFailed,
		transaction.PaymentReturned,
		transaction.PaymentRefunded,
		transaction.PaymentCancelled,
		transaction.PaymentUnknown,
	}
	for _, outcome := range outcomes {
		ended := func(status transaction.Status) Status {
			return fate(transaction.Transaction{
				Status:   status,
				Payments: []transaction.Payment{{Position: 4, Outcome: outcome}},
			}, 4)
		}
		for _, status := range []transaction.Status{transaction.StatusCompleted, transaction.StatusFailed} {
			got := ended(status)
			require.Equal(t, outcome == transaction.PaymentCompleted, got == Paid, "%s %s", status, outcome)

			if got == Draft && outcome != "" {
				for _, later := range outcomes {
					paysYet := later == transaction.PaymentSent || later == transaction.PaymentUnknown ||
						later == transaction.PaymentCompleted

					require.False(
						t,
						paysYet && transaction.PaymentTable().Allows(outcome, later),
						"%s may still become %s",
						outcome,
						later,
					)
				}
			}
		}

		require.Equal(t, Draft, ended(transaction.StatusRejected), "nothing was sent")
		require.Equal(t, Draft, fate(transaction.Transaction{Deleted: true}, 4), "nothing was sent")
	}

	for outcome, want := range map[transaction.PaymentStatus]Status{
		"":                          Approved,
		transaction.PaymentReturned: Approved,
		transaction.PaymentUnknown:  Approved,
		transaction.PaymentFailed:   Draft,
	} {
		require.Equal(t, want, fate(transaction.Transaction{
			Status:   transaction.StatusCompleted,
			Payments: []transaction.Payment{{Outcome: outcome}},
		}, 0), outcome)
	}

	require.Equal(t, Draft, fate(transaction.Transaction{
		Status:   transaction.StatusFailed,
		Payments: []transaction.Payment{{}},
	}, 0))
	require.Equal(
		t,
		Approved,
		fate(transaction.Transaction{Status: transaction.StatusCompleted}, 0),
		"no payment, no word about it",
	)
}

// Amounts sort as texts as they do as numbers, across assets with other decimals, up to the largest that a payment
// takes.
func TestSortableAmounts(t *testing.T) {
	amount := func(decimals int, units string) string {
		n, ok := new(big.Int).SetString(units, 10)
		require.True(t, ok)
		return sortable(money.FromUnits(money.Asset{Code: "X", Decimals: decimals}, n))
	}
	in := []string{
		amount(18, "1"),
		amount(6, "1"),
		amount(2, "1"),
		amount(0, "1"),
		amount(6, "1500000"),
		amount(18, "2000000000000000000"),
		amount(0, "100"),
		amount(2, "999999999999999"),
		amount(6, strings.Repeat("9", 29)),
		amount(0, strings.Repeat("9", 29)),
	}
	require.True(t, slices.IsSorted(in), in)
	require.Equal(t, amount(2, "150"), amount(6, "1500000"))

	for _, s := range in {
		require.Len(t, s, len(in[0]))
	}
}

// One invoice is recognised however its number is written; another receiver, amount, currency or number is another
// invoice.
func TestLikeness(t *testing.T) {
	p := Payable{
		Receiver:      "rcv_1",
		InvoiceNumber: "RE-2026/117",
		Amount:        money.FromUnits(money.Asset{Code: "EUR", Decimals: 2}, big.NewInt(1000)),
	}

	like := func(change func(p *Payable)) bool {
		other := p
		change(&other)
		return likenessOf(other) == likenessOf(p)
	}

	require.True(t, like(func(p *Payable) { p.InvoiceNumber = " re 2026.117" }))

	require.True(t, like(func(p *Payable) {
		p.Name = "another"
		p.ID = "pbl_2"
	}))

	require.False(t, like(func(p *Payable) { p.InvoiceNumber = "RE-2026/118" }))
	require.False(t, like(func(p *Payable) { p.InvoiceNumber = "" }))
	require.False(t, like(func(p *Payable) { p.Receiver = "rcv_2" }))
	require.False(t, like(func(p *Payable) {
		p.Amount = money.FromUnits(money.Asset{Code: "USD", Decimals: 2}, big.NewInt(1000))
	}))
	require.False(t, like(func(p *Payable) {
		p.Amount = money.FromUnits(money.Asset{Code: "EUR", Decimals: 2}, big.NewInt(1001))
	}))
}
