package settlement

import (
	"fmt"
	"math/big"
	"strings"

	"slipway/internal/core/money"
	"slipway/internal/payments/transaction"
	"slipway/internal/rails/chain/contract"
)

// Action is what settlement does next for a transaction.
type Action int

// The actions.
const (
	Nothing Action = iota // it is not ours to move, or the rail has it
	Fail                  // it cannot be paid and nothing was sent
	Hold                  // something was sent that this database does not know of: a person must look
	Send                  // plan the batch
)

// Facts is what the chain says before anything is sent: the paying wallet's funds in base units, and whether the
// router has carried out a batch with the transaction's number.
type Facts struct {
	Balance, Allowance *big.Int
	Used               bool
}

// Next decides from what is known, and from nothing else, what to do with an accepted transaction. planned says
// whether its send is written down already: from then on only the rail's evidence moves it.
func Next(t transaction.Transaction, planned bool, f Facts) (Action, string) {
	switch {
	case t.Status != transaction.StatusProcess || t.Settlement == transaction.SettlementUncertain || planned:
		return Nothing, ""
	case f.Used:
		return Hold, usedBefore
	case !t.ContentUnchanged():
		return Fail, changedWhy

	case f.Balance.Cmp(t.Debit) < 0:
		return Fail, fmt.Sprintf(
			"The wallet holds %s %s; %s are needed.",
			money.Format(f.Balance, t.Decimals),
			t.Token,
			t.DebitAmount(),
		)

	case f.Allowance.Cmp(t.Debit) < 0:
		return Fail, fmt.Sprintf(
			"The wallet has approved %s %s; %s are needed.",
			money.Format(f.Allowance, t.Decimals),
			t.Token,
			t.DebitAmount(),
		)
	}

	return Send, ""
}

// changedWhy is what is said of a transaction whose rows were changed after submit had locked them (I8).
const changedWhy = "The content is not what was submitted."

// usedBefore is what is said of a transaction whose number the router knows although nothing of ours has used it:
// this database is older than the chain, as after the restore of a backup, and the transaction may have been paid.
const usedBefore = "The router has carried out a batch with this transaction's number before; whether it paid this " +
	"transaction is to be looked at."

// legStatus is what an outcome on the chain means for a payment.
func legStatus(o contract.LegOutcome) (transaction.PaymentStatus, string) {
	switch o.Status {
	case contract.LegPaid:
		return transaction.PaymentCompleted, ""
	case contract.LegFailed:
		return transaction.PaymentFailed, o.Reason
	default:
		return transaction.PaymentUnknown, o.Reason
	}
}

// summary is the statusInfo of a transaction whose payments are all final.
func summary(outcomes []contract.LegOutcome) (paid, failed, unclear int, info string) {
	var reasons []string
	for i, o := range outcomes {
		switch o.Status {
		case contract.LegPaid:
			paid++

		case contract.LegFailed:
			failed++

			reasons = append(reasons, fmt.Sprintf("payment %d: %s", i+1, o.Reason))

		default:
			unclear++

			reasons = append(reasons, fmt.Sprintf("payment %d: %s", i+1, o.Reason))
		}
	}

	if len(reasons) == 0 {
		return paid, failed, unclear, ""
	}

	const shown = 3

	more := ""
	if len(reasons) > shown {
		more = fmt.Sprintf("; and %d more", len(reasons)-shown)
		reasons = reasons[:shown]
	}

	return paid, failed, unclear, fmt.Sprintf(
		"%d of %d payments failed: %s%s",
		failed+unclear,
		len(outcomes),
		strings.Join(reasons, "; "),
		more,
	)
}
