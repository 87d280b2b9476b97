package statement

import "strings"

// Documents say in plain words what the interface says in codes.

// statusNames are the words of a transaction's status.
var statusNames = map[string]string{
	"DRAFT":                "Draft",
	"WAITING_ACCEPTANCE":   "Waiting for acceptance",
	"PROCESSING":           "Being carried out",
	"RELEASED":             "On its way",
	"COMPLETED":            "Completed",
	"FAILED":               "Not paid",
	"REJECTED_BY_PLATFORM": "Refused in review",
}

// settlementNames are the words of how far its settlement is.
var settlementNames = map[string]string{
	"IDLE":             "Nothing was moved",
	"QUOTED":           "Price locked",
	"FUNDS_PULLING":    "Tokens are being taken",
	"FUNDS_RECEIVED":   "Tokens received",
	"CONVERTED":        "Converted",
	"SENT_TO_BANK":     "Sent to the bank",
	"AWAITING_DEPOSIT": "Waiting for the deposit",
	"TOKENS_SENT":      "Tokens sent",
	"DEPOSIT_MISMATCH": "The deposit does not match",
	"ON_HOLD":          "On hold, a person looks at it",
	"UNCERTAIN":        "Being checked",
	"SETTLED":          "Settled",
	"RETURNED":         "Sent back by the bank",
	"REFUND_IN_FLIGHT": "On its way back",
	"REFUNDED":         "Refunded",
	"REFUND_FAILED":    "Refund failed",
}

// paymentNames are the words of a payment's status.
var paymentNames = map[string]string{
	"DRAFT":      "Draft",
	"LOCKED":     "Not yet paid",
	"PROCESSING": "Being paid",
	"SENT":       "On its way",
	"COMPLETED":  "Paid",
	"FAILED":     "Not paid",
	"RETURNED":   "Sent back",
	"REFUNDED":   "Refunded",
	"CANCELLED":  "Cancelled",
	"UNKNOWN":    "Being checked",
}

// word returns what a code means. A code without words is shown as it is.
func word(words map[string]string, of string) string {
	if w, ok := words[of]; ok {
		return w
	}

	return of
}

// spelled returns a code of a bank's order or of a send, which are words already, as a person writes them.
func spelled(code string) string { return strings.ToLower(strings.ReplaceAll(code, "_", " ")) }

// settlementWord is the word of a settlement status in a transaction of a type: what an ONRAMP transaction receives is
// no token.
func settlementWord(kind, of string) string {
	if kind == "ONRAMP" && of == "FUNDS_RECEIVED" {
		return "Deposit received"
	}

	return word(settlementNames, of)
}
