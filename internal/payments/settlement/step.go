package settlement

import (
	"fmt"
	"math/big"
	"strings"

	"slipway/internal/core/money"
	"slipway/internal/payments/transaction"
	"slipway/internal/rails/chain/contract"
)

// Action is the next thing settlement does for a transaction: one write, or one call outside and one write.
type Action int

// The actions.
const (
	Nothing  Action = iota // not ours to move, or the rail has it
	Fail                   // it cannot be paid and nothing was sent
	Hold                   // something was sent that this database has no record of: a person must check
	Wait                   // held by a rule: it continues when the reason is gone
	Send                   // plan the batch
	Convert                // FIAT, ONRAMP: ask the liquidity provider
	PayOut                 // FIAT: every order is finished; plan the payouts and refund what cannot be converted
	Deliver                // ONRAMP: plan the tokens
	GiveBack               // ONRAMP: the deposit cannot be converted; send it back
	PlanSend               // FIAT, ONRAMP: number and plan a treasury sending, or find out why it moved nothing
)

// Facts is what the chain reports before anything is sent: the paying wallet's funds in base units, and whether the
// router has carried out a batch with the transaction's number, and whether the paying wallet is still who was proven.
type Facts struct {
	Balance, Allowance *big.Int
	Used               bool
	Lapsed             bool   // what the payer has signed is no longer valid
	Unproven           string // why the paying contract wallet's proof has ended; empty: it holds
	Held               string // what a second person has to approve of the paying wallet first
}

// Next returns what to do with an accepted transaction, and why. It is pure. planned is true if its send is already
// stored; from then on only the rail's evidence moves the transaction.
func Next(t transaction.Transaction, planned bool, f Facts) (Action, string) {
	switch {
	case t.Status != transaction.StatusProcess || t.Settlement == transaction.SettlementUncertain || planned:
		return Nothing, ""
	case f.Used:
		return Hold, usedBefore
	case !t.ContentUnchanged():
		return Fail, changedWhy
	case f.Unproven != "":
		return Fail, f.Unproven
	case f.Held != "":
		return Wait, f.Held
	}

	if f.Lapsed {
		return Fail, lapsedWhy
	}

	if why := shortage("The wallet", f.Balance, f.Allowance, t.DebitAmount()); why != "" {
		return Fail, why
	}

	return Send, ""
}

// shortage returns a sentence if an owner's balance or approval does not cover an amount, or "" if both do.
func shortage(owner string, balance, allowance *big.Int, needed money.Amount) string {
	verb := "holds"
	found := balance

	if found.Cmp(needed.Units()) >= 0 {
		verb = "has approved"
		found = allowance
	}

	if found.Cmp(needed.Units()) >= 0 {
		return ""
	}

	asset := needed.Asset()

	return fmt.Sprintf(
		"%s %s %s %s; %s are needed.",
		owner,
		verb,
		money.Format(found, asset.Decimals),
		asset.Code,
		needed,
	)
}

// changedWhy is the statusInfo of a transaction whose rows were changed after submit locked them (I8).
const changedWhy = "The content is not what was submitted."

// lapsedWhy is the statusInfo of a transaction whose signature lapsed before anything was sent.
const lapsedWhy = "The deadline of what the wallet has signed has passed; nothing was sent."

// usedBefore is the statusInfo of a transaction whose number the router knows although none of our sends has used it.
// This database is then older than the chain, as after restoring a backup, and the transaction may have been paid.
const usedBefore = "The router has carried out a batch with this transaction's number before; whether it paid this " +
	"transaction is to be looked at."

// legStatus returns the payment status that an outcome on the chain means.
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

// summary counts the outcomes of a transaction whose payments are all final, and returns its statusInfo.
func summary(outcomes []contract.LegOutcome) (paid, failed, unclear int, info string) {
	var reasons []string
	for i, o := range outcomes {
		switch o.Status {
		case contract.LegPaid:
			paid++
			continue
		case contract.LegFailed:
			failed++
		default:
			unclear++
		}

		reasons = append(reasons, fmt.Sprintf("payment %d: %s", i+1, o.Reason))
	}

	if len(reasons) == 0 {
		return paid, failed, unclear, ""
	}

	return paid, failed, unclear, fmt.Sprintf(
		"%d of %d payments failed: %s",
		failed+unclear,
		len(outcomes),
		joinReasons(reasons),
	)
}

// joinReasons returns the first three reasons, and how many more there are.
func joinReasons(reasons []string) string {
	const shown = 3
	if len(reasons) <= shown {
		return strings.Join(reasons, "; ")
	}

	return fmt.Sprintf("%s; and %d more", strings.Join(reasons[:shown], "; "), len(reasons)-shown)
}
