package chart

import (
	"strconv"

	"slipway/internal/core/money"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/ledger"
)

// Send is a sending of tokens by the treasury.
type Send struct {
	Of

	Key     effect.Key
	Network string
	Amount  money.Amount
}

// SendBegun is a sending of which the first attempt was planned.
type SendBegun struct{ Send }

// Journal returns what is posted.
func (e SendBegun) Journal() ledger.Journal {
	return e.journal(e.Key.String()+"/send", "send",
		move(ledger.ConvertClearing(e.Network), ledger.ClearingAccount(e.Network), e.Amount, "")...)
}

// SendStopped is a sending that was begun and of which nothing has moved and nothing will: its cause was undone. It is
// the opposite of SendBegun.
type SendStopped struct{ Send }

// Journal returns what is posted.
func (e SendStopped) Journal() ledger.Journal {
	return opposite(SendBegun(e).Journal(), e.Key.String()+"/stopped", "stopped")
}

// SendSettled is a sending that has arrived for good.
type SendSettled struct {
	Send

	Wallet string
	Hash   string // of the transaction on the chain
}

// SendSettledKey returns the key of the journal of SendSettled.
func SendSettledKey(send effect.Key) string { return send.First().String() + "/final" }

// Journal returns what is posted.
func (e SendSettled) Journal() ledger.Journal {
	lines := append(onTreasury(e.Network, e.Amount.Neg(), e.Hash),
		move(ledger.ClearingAccount(e.Network), ledger.WalletAccount(e.Network, e.Wallet), e.Amount, "")...)

	return e.journal(SendSettledKey(e.Key), "sent", lines...)
}

// SendKept is a sending that the wallet refuses in a round: the tokens are kept for the organisation.
type SendKept struct {
	Send

	Round int64
}

// Journal returns what is posted.
func (e SendKept) Journal() ledger.Journal {
	return e.journal(e.key("kept"), "kept",
		move(ledger.ClearingAccount(e.Network), ledger.HeldAccount(e.Network, e.Organisation), e.Amount, "")...)
}

func (e SendKept) key(event string) string {
	return e.Key.String() + "/" + event + "/" + strconv.FormatInt(e.Round, 10)
}

// SendRetried is a kept sending that is made again. It is the opposite of the SendKept of the same round.
type SendRetried struct{ SendKept }

// Journal returns what is posted.
func (e SendRetried) Journal() ledger.Journal {
	return opposite(e.SendKept.Journal(), e.key("unkept"), "unkept")
}
