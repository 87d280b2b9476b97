package settlement

import (
	"math/big"
	"strconv"

	"slipway/internal/core/money"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/words"
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
	OtherUnits         bool   // the token has other decimals than when the amounts were locked
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
	case f.OtherUnits:
		return Fail, unitsWhy
	case f.Unproven != "":
		return Fail, f.Unproven
	case f.Held != "":
		return Wait, f.Held
	}

	if f.Lapsed {
		return Fail, lapsedWhy
	}

	if why := walletFunding.shortage(f.Balance, f.Allowance, t.DebitAmount()); why != "" {
		return Fail, why
	}

	return Send, ""
}

// funding is what is said of an owner who holds or has approved too little.
type funding struct{ holds, approved string }

var (
	walletFunding = funding{
		holds:    "The wallet holds %[1]s; %[2]s are needed.",
		approved: "The wallet has approved %[1]s; %[2]s are needed.",
	}
	treasuryFunding = funding{
		holds:    "The treasury holds %[1]s; %[2]s are needed.",
		approved: "The treasury has approved %[1]s; %[2]s are needed.",
	}
)

// shortage returns a sentence if an owner's balance or approval does not cover an amount, or "" if both do.
func (f funding) shortage(balance, allowance *big.Int, needed money.Amount) string {
	why := f.holds
	found := balance

	if found.Cmp(needed.Units()) >= 0 {
		why = f.approved
		found = allowance
	}

	if found.Cmp(needed.Units()) >= 0 {
		return ""
	}

	return words.Phrase(why, sum(money.FromUnits(needed.Asset(), found)), sum(needed))
}

// sum returns an amount for a statusInfo.
func sum(a money.Amount) string { return words.Sum(a.String(), a.Asset().Code) }

// legReason returns the reason of a leg that was not paid, as the chain states it.
func legReason(o contract.LegOutcome) string {
	return words.Detailed("the token or its contract did not carry it out", o.Reason)
}

// changedWhy is the statusInfo of a transaction whose rows were changed after submit locked them (I8).
var changedWhy = words.Phrase("The content is not what was submitted.")

// unitsWhy is the statusInfo of a transaction whose amounts are in units that the token has no longer.
var unitsWhy = words.Phrase("The decimals of the token were put right after submit, so the amounts are in another " +
	"unit; nothing was sent.")

// lapsedWhy is the statusInfo of a transaction whose signature lapsed before anything was sent.
var lapsedWhy = words.Phrase("The deadline of what the wallet has signed has passed; nothing was sent.")

// usedBefore is the statusInfo of a transaction whose number the router knows although none of our sends has used it.
// This database is then older than the chain, as after restoring a backup, and the transaction may have been paid.
var usedBefore = words.Phrase("The router has carried out a batch with this transaction's number before; whether it " +
	"paid this transaction is to be looked at.")

// legStatus returns the payment status that an outcome on the chain means.
func legStatus(o contract.LegOutcome) (transaction.PaymentStatus, string) {
	switch o.Status {
	case contract.LegPaid:
		return transaction.PaymentCompleted, ""
	case contract.LegFailed:
		return transaction.PaymentFailed, legReason(o)
	default:
		return transaction.PaymentUnknown, legReason(o)
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

		reasons = append(reasons, words.Phrase("payment %[1]s: %[2]s", strconv.Itoa(i+1), legReason(o)))
	}

	if len(reasons) == 0 {
		return paid, failed, unclear, ""
	}

	return paid, failed, unclear, words.Phrase(
		"%[1]s of %[2]s payments failed: %[3]s.",
		strconv.Itoa(failed+unclear),
		strconv.Itoa(len(outcomes)),
		joinReasons(reasons),
	)
}

// joinReasons returns the first three reasons, and how many more there are.
func joinReasons(reasons []string) string {
	const shown = 3

	out := words.List(words.Semicolons, reasons[:min(len(reasons), shown)]...)
	if more := len(reasons) - shown; more > 0 {
		out = words.Phrase("%[1]s; and %[2]s more", out, strconv.Itoa(more))
	}

	return out
}
