package settlement

import (
	"slipway/internal/payments/evidence"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/words"
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
	Convert                // FIAT, ONRAMP: store the orders to providers of liquidity
	PayOut                 // FIAT: every order is finished; plan the payouts and refund what cannot be converted
	Deliver                // ONRAMP: plan the tokens
	GiveBack               // ONRAMP: the deposit cannot be converted; send it back
	Advance                // FIAT, ONRAMP: do what effects wait for: the treasury's sends, the orders
)

// Facts is what the chain reports before anything is sent: the paying wallet's funds in base units, and whether the
// router has carried out a batch with the transaction's number, and whether the paying wallet is still who was proven.
type Facts struct {
	evidence.Funds

	Used       bool
	OtherUnits bool   // the token has other decimals than when the amounts were locked
	Lapsed     bool   // what the payer has signed is no longer valid
	Unproven   string // why the paying contract wallet's proof has ended; empty: it holds
	Held       string // what a second person has to approve of the paying wallet first
}

// Next returns what to do with an accepted transaction, and why. It is pure. planned is true if its send is already
// stored; from then on only the rail's evidence moves the transaction.
func Next(t transaction.Transaction, planned bool, f Facts) (Action, string) {
	switch {
	case t.Status != transaction.StatusProcess || t.Settlement == transaction.SettlementUncertain || planned:
		return Nothing, ""
	case f.Used:
		return Hold, evidence.UsedBefore
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

	if why := f.Short(evidence.Wallet(), t.DebitAmount()); why != "" {
		return Fail, why
	}

	return Send, ""
}

// changedWhy is the statusInfo of a transaction whose rows were changed after submit locked them (I8).
var changedWhy = words.Phrase("The content is not what was submitted.")

// unitsWhy is the statusInfo of a transaction whose amounts are in units that the token has no longer.
var unitsWhy = words.Phrase("The decimals of the token were put right after submit, so the amounts are in another " +
	"unit; nothing was sent.")

// lapsedWhy is the statusInfo of a transaction whose signature lapsed before anything was sent.
var lapsedWhy = words.Phrase("The deadline of what the wallet has signed has passed; nothing was sent.")
