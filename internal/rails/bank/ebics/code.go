package ebics

import "fmt"

// The return codes that decide what happens next (annex 1 of the specification). All others that are not fine end the
// order.
const (
	codeOK            = "000000"
	codePostDone      = "011000" // a download was acknowledged as good
	codePostSkipped   = "011001" // a download was acknowledged as bad
	codeSimplified    = "031001" // order parameters that the bank ignores
	codeNoData        = "090005"
	CodeRecovery      = "061101" // the bank is at another segment, which its answer names
	CodeInternal      = "061099"
	CodeUnknownID     = "091101" // the bank does not know the transaction, or no longer
	CodeAborted       = "091102"
	CodeNoRecovery    = "091105"
	CodeReplay        = "091103"
	CodeBankKeys      = "091008" // we have an older key of the bank
	CodeUser          = "061001" // unknown, not active, locked, or signed with the wrong key
	CodeUserState     = "091002"
	CodeUserUnknown   = "091003"
	CodeUserStateHint = "091004"
	CodeUnsupported   = "091005" // order type, or service
	CodeTransactions  = "091119" // too many at once
	CodeDuplicate     = "091115" // of an order id; with files, of their content
	CodeVersion       = "091011"
)

// advice is what a person can do about a code.
var advice = map[string]string{
	CodeUser: "the bank does not accept the user or its keys: it was not activated, is locked, or the identifiers are " +
		"wrong. Call the bank",
	CodeUserState: "the user is not in the right state for this order: the bank has not activated it yet, or its keys " +
		"were sent before. Call the bank",
	CodeUserUnknown: "the bank does not know the user: check bank.ebics.partner_id and bank.ebics.user_id",
	CodeUserStateHint: "the user is not in the right state for this order: the bank has not activated it yet, or its keys " +
		"were sent before. Call the bank",
	CodeBankKeys:    "the bank has changed its keys: run slipway bank ebics activate, and compare them with its letter",
	CodeUnsupported: "the bank does not offer this order: compare it with what slipway bank ebics orders lists",
	CodeReplay:      "the bank takes the request for an old one: check this machine's clock",
	"090003":        "the user may not send this order: ask the bank for the right",
	"091302":        "the user may not use this account: ask the bank for the right",
	"091303":        "the amount is above the user's limit at the bank",
	"091217":        "the bank wants certificates of an authority",
	"091010":        "the bank does not understand the request",
}

// Refusal is an answer of the bank with an error code.
type Refusal struct {
	Technical string // ReturnCode of the header: the protocol
	Business  string // ReturnCode of the body: the order
	Text      string // the bank's words
	// Proven is true if the bank's signature covers the refusal. Refusals of set-up orders, and of requests that the
	// bank could not read, are not signed: they explain, and prove nothing.
	Proven bool
	// Segment is the last segment that the bank has, with CodeRecovery; 0 if it names none.
	Segment int
	// OrderID is what the bank calls the order; may be empty.
	OrderID string
}

// Code returns the code that explains the refusal.
func (r *Refusal) Code() string {
	if !fine(r.Technical) {
		return r.Technical
	}

	return r.Business
}

// Error returns the code, the bank's words and what to do.
func (r *Refusal) Error() string {
	text := fmt.Sprintf("the bank answers %s", r.Code())
	if r.Text != "" {
		text += " " + r.Text
	}

	if a := advice[r.Code()]; a != "" {
		text += ": " + a
	}

	return text
}

// Is makes errors.Is find ErrNoData.
func (r *Refusal) Is(target error) bool { return target == ErrNoData && r.Code() == codeNoData }

// fine reports whether a code lets the transaction go on: 00 is success, 01 a note, 03 a warning.
func fine(code string) bool {
	return len(code) == 6 && (code[:2] == "00" || code[:2] == "01" || code[:2] == "03")
}
