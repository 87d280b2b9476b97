package chart

import (
	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
)

// Debit is what a transaction takes from a wallet.
type Debit struct {
	Of

	Network, Wallet string
	Amount          money.Amount
}

func (d Debit) wallet() ledger.Account   { return ledger.WalletAccount(d.Network, d.Wallet) }
func (d Debit) reserved() ledger.Account { return ledger.ReservedAccount(d.Network, d.Wallet) }
func (d Debit) hold() ledger.Account     { return ledger.HoldAccount(d.Network, d.Organisation) }

// freed returns the postings of a debit that is under way no more: it is final on the chain, or nothing moved.
func (d Debit) freed() []ledger.Posting {
	return move(ledger.ClearingAccount(d.Network), d.reserved(), d.Amount, "")
}

// Accepted is a debit that is reserved: nothing has left the wallet yet.
type Accepted struct{ Debit }

// Journal returns what is posted.
func (e Accepted) Journal() ledger.Journal {
	return e.journal(e.key("hold"), "hold", move(e.reserved(), e.hold(), e.Amount, "")...)
}

// Released is a reserved debit that nothing was sent of and nothing will be. It is the opposite of Accepted.
type Released struct{ Debit }

// Journal returns what is posted.
func (e Released) Journal() ledger.Journal {
	return opposite(Accepted(e).Journal(), e.key("release"), "release")
}

// Sent is a debit that is under way: from now on its batch may be on the wire.
type Sent struct{ Debit }

// Journal returns what is posted.
func (e Sent) Journal() ledger.Journal {
	return e.journal(e.key("send"), "send", move(e.hold(), ledger.ClearingAccount(e.Network), e.Amount, "")...)
}

// GivenBack is a debit that was under way and moved nothing: it is reserved no more. Together with Sent it is the
// opposite of Accepted.
type GivenBack struct{ Debit }

// Journal returns what is posted.
func (e GivenBack) Journal() ledger.Journal {
	return e.journal(e.key("return"), "return", e.freed()...)
}

// Leg is one payee of a batch on the chain.
type Leg struct {
	Receiver string
	Payment  string // id of the payment
	Amount   money.Amount
	Failed   bool // the tokens stayed in the wallet
}

// Settled is a batch that is final on the chain: each of its legs was paid, or moved nothing. The legs sum to the
// debit. The wallet is debited by those that were paid. What they come to passes over an account of results: tokens may
// have cost another value than they have now.
type Settled struct {
	Debit

	Legs []Leg
}

// Journal returns what is posted.
func (e Settled) Journal() ledger.Journal {
	lines := e.freed()
	paid := money.Zero(e.Amount.Asset())

	for _, l := range e.Legs {
		if !l.Failed {
			paid = paid.Add(l.Amount)
			lines = append(lines,
				move(e.wallet(), ledger.ReceiverAccount(e.Network, l.Receiver), l.Amount, l.Payment)...)
		}
	}

	if paid.Sign() != 0 {
		lines = append(lines, over(ledger.DisposalDifference(e.Network), paid)...)
	}

	return e.journal(e.key("final"), "final", lines...)
}

// Pulled is a debit that has reached the treasury, to be converted.
type Pulled struct {
	Debit

	Hash string // of the transaction on the chain
}

// PulledKey returns the key of the journal of Pulled.
func PulledKey(transaction string) string { return Of{Transaction: transaction}.key("pulled") }

// Journal returns what is posted.
func (e Pulled) Journal() ledger.Journal {
	lines := append(onTreasury(e.Network, e.Amount, e.Hash), e.freed()...)
	lines = append(lines, move(e.wallet(), ledger.ConvertClearing(e.Network), e.Amount, "")...)

	return e.journal(PulledKey(e.Transaction), "pulled", lines...)
}

// GasPaid is the gas that the operator's key has paid for a send, whatever the send has done.
type GasPaid struct {
	Of

	Network, Send, Hash string // Send is the rail's key
	Cost                money.Amount
}

// Journal returns what is posted.
func (e GasPaid) Journal() ledger.Journal {
	return e.journal(e.Send+"/gas", "gas",
		move(ledger.GasAccount(e.Network), ledger.GasExpense(e.Network), e.Cost, e.Hash)...)
}
