package pain

import (
	"io"

	"slipway/internal/standards/iso20022"
)

// Status is what a bank says of one payment, one block or a whole file.
type Status struct {
	MsgID, CreatedAt  string
	OriginalMsgID     string
	OriginalMsgName   string // pain.001.001.09
	OriginalPmtInfID  string
	OriginalInstrID   string
	OriginalEndToEnd  string
	OriginalTxID      string
	OriginalUETR      string
	Level             Level  // what it speaks of
	Said              string // status at that very level; empty: inherited
	Status            string // the lowest that is said at this level or above: RJCT, ACSP, PDNG ...
	Meaning           Meaning
	Reasons           []iso20022.ReasonGiven // of this level; those above when it has none and inherits its status
	AcceptedAt        string
	AcctSvcrRef       string
	Amount            iso20022.Amount // original instructed amount, where repeated
	Number            int             // position in the message, from 0
	OriginalCount     string          // as the bank counts the group or block
	OriginalSum       string
	TransactionsBelow bool // a group or block whose transactions are spoken of, too
}

// Level of a status.
type Level string

const (
	GroupLevel       Level = "GROUP"
	BlockLevel       Level = "BLOCK"
	TransactionLevel Level = "TRANSACTION"
)

// Meaning of a status code for us. No meaning is proof that money arrived.
type Meaning string

const (
	UnderWay  Meaning = "UNDER_WAY" // RCVD, ACTC, ACCP, ACFC, ACSP, ACWC, ACWP, PATC ...
	Settled   Meaning = "SETTLED"   // ACSC, ACCC: settled at the debtor's or the creditor's bank; a return may still come
	PendingAt Meaning = "PENDING"   // PDNG
	Rejected  Meaning = "REJECTED"  // RJCT: final
	Cancelled Meaning = "CANCELLED" // CANC: final
	Partly    Meaning = "PARTLY"    // PART, PACC: only the level below tells
	PayeeOnly Meaning = "PAYEE_VERIFICATION"
	Unknown   Meaning = "UNKNOWN" // none that we know: nothing follows from it
)

// Read002 reads a payment status report to its end and gives each status to each: the group's first, then every block with its
// transactions behind it. What was given counts only when it returns nil.
func Read002(r io.Reader, l iso20022.Limits, each func(Status) error) error {
	panic("soon")
}
