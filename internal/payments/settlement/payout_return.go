package settlement

import (
	"math/big"
	"slices"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/outbound"
)

// ReturnState is the state of a returned payment.
type ReturnState string

// The states of a return, and who acts next.
const (
	ReturnReceived  ReturnState = "RECEIVED"   // to be given back in tokens; its job asks for its value
	ReturnHeld      ReturnState = "HELD"       // kept as fiat, or waiting for corrected bank details
	ReturnGivenBack ReturnState = "GIVEN_BACK" // in tokens: the effect that sends them says where they are
	ReturnResent    ReturnState = "RESENT"     // paid again, under another end-to-end identification
	ReturnSetOff    ReturnState = "SET_OFF"    // kept for what the organisation owes
)

// Policy is what an organisation wants done with returned payments.
type Policy string

// The policies.
const (
	PolicyRecredit Policy = "RECREDIT" // its value in tokens goes back to the paying wallet; the default
	PolicyHold     Policy = "HOLD"     // kept as fiat
	PolicyResend   Policy = "RESEND"   // kept as fiat until the details are corrected, then paid again
)

// PayoutReturn is money of a finished payment that came back.
type PayoutReturn struct {
	ID, Payout, Transaction               string
	Position                              int
	Organisation                          string
	Amount, Deducted                      money.Amount
	Charges                               money.Amount // booked with it as kept by banks; below zero: less than before
	Reason, RawReason, Scheme, EndToEndID string
	Policy                                Policy
	State                                 ReturnState
	// the rate of giving back, and the result in base units; "" before
	Rate, TokenUnits                 string
	ReceivedAt, CreatedAt, UpdatedAt time.Time
}

// kept reports whether a return stays as fiat; otherwise it waits for its worth in tokens.
func (x PayoutReturn) kept() bool { return x.State != ReturnReceived }

// account returns the account on which a return's money is until it is given back or paid again.
func (x PayoutReturn) account() ledger.Account {
	return chart.ReturnAccount(x.Organisation, x.Amount.Asset().Code, x.kept())
}

// effect returns the key of what the treasury sends for a return.
func (x PayoutReturn) effect() effect.Key { return effect.ReturnOf(x.Transaction, x.ID) }

// moreCameBack reports whether more of a payment came back than a send covers, and is not finished yet.
func moreCameBack(returns []PayoutReturn, sends []outbound.Effect, x outbound.Effect) bool {
	return slices.ContainsFunc(returns, func(r PayoutReturn) bool {
		onItsWay := slices.ContainsFunc(sends, func(y outbound.Effect) bool { return y.Key == r.effect() && y.Open() })
		open := r.State == ReturnReceived || r.State == ReturnHeld || onItsWay

		return r.Position == x.Position && r.effect() != x.Key && open
	})
}

// proportion returns units × part ÷ all, rounded down, and at most units.
func proportion(units, part, all *big.Int) *big.Int {
	if part.Cmp(all) >= 0 {
		return new(big.Int).Set(units)
	}

	out := new(big.Int).Mul(units, part)

	return out.Quo(out, all)
}
