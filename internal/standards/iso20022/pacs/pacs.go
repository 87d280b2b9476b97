// Package pacs reads pacs.004, the return of a payment between banks that some banks pass on to their customers. Versions 02 to 13.
package pacs

import (
	"io"

	"slipway/internal/standards/iso20022"
)

// Return is one payment that came back. OriginalEndToEndID is the one of our order.
type Return struct {
	MsgID, CreatedAt string
	Number           int // position in the message, from 0

	ReturnID            string
	OriginalMsgID       string
	OriginalInstrID     string
	OriginalEndToEndID  string
	OriginalTxID        string
	OriginalUETR        string
	OriginalClearingRef string
	OriginalAmount      iso20022.Amount // of the payment between the banks
	Returned            iso20022.Amount // may be less, by charges
	Instructed          iso20022.Amount // returned instructed amount, before charges
	SettlementDate      string          // 2006-01-02, or empty
	Charges             []Charge
	Reasons             []iso20022.ReasonGiven
	Debtor, Creditor    string // of the original payment
	DebtorAccount       string
	CreditorAccount     string
	Remittance          []string
}

// Charge that was taken from the returned amount.
type Charge struct {
	Amount iso20022.Amount
	Agent  string // BIC
}

// Read004 reads a message to its end and gives every return to each. What was given counts only when it returns nil.
func Read004(r io.Reader, l iso20022.Limits, each func(Return) error) error {
	panic("soon")
}
