package bookkeeping

import "slipway/internal/payments/ledger"

// events say in words what a kind of journal records, from the customer's point of view.
var events = map[string]string{
	"hold":       "Tokens set aside for payments",
	"release":    "Tokens set free again",
	"send":       "Tokens sent",
	"final":      "Paid on the chain",
	"pulled":     "Tokens taken from the wallet",
	"convert":    "Converted",
	"booked":     "Paid by the bank",
	"rejected":   "Refused by the bank",
	"returned":   "Sent back by the receiver's bank",
	"return":     "Tokens sent back",
	"recredit":   "Given back to the wallet",
	"resend":     "Paid once more",
	"kept":       "Kept for you",
	"refund":     "Deposit on its way back",
	"deposit":    "Deposit received",
	"assign":     "Deposit assigned to the transaction",
	"sent":       "Tokens received",
	"receivable": "Owed by you",
	"withdrawn":  "Deposit taken back by its bank",
	"charge":     "Charged by the bank",
	"reversal":   "Booking reversed by the bank",

	ledger.KindBookOpening:     "Opening balance",
	ledger.KindBookRevaluation: "Valued at the end of the month",
}

// EventWords returns what a journal records, in words.
func EventWords(kind string) string {
	if w, ok := events[kind]; ok {
		return w
	}

	return kind
}
