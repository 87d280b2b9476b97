// Package camt reads account reports of a bank as a stream: camt.052 (during the day), camt.053 (end of day) and
// camt.054 (single bookings), in versions 01 to 14.
//
// Only an entry with status BOOK in a camt.053 or camt.054 means that money moved. The same booking may be in both:
// callers recognise it by its key (account and AcctSvcrRef). What was passed to the Handler counts only if Read returns
// nil. A caller that cannot undo reads the file twice, the first time with a Handler that stores nothing.
//
// Read in this order: camt.go (what a handler is given), read.go (a message and its statements), entry.go, totals.go
// (the bank's sums), write.go (statements of our own).
package camt

import (
	"slipway/internal/standards/iso20022"
)

// Kind is the message.
type Kind string

const (
	Report       Kind = "camt.052" // during the day: not final
	Statement    Kind = "camt.053" // end of day
	Notification Kind = "camt.054" // details of bookings
)

// Status of an entry.
type Status string

const (
	Booked   Status = "BOOK" // the only one that moves money
	Pending  Status = "PDNG"
	Informed Status = "INFO"
	Future   Status = "FUTR"
)

// Account is an account as a statement names it: an IBAN or another number.
type Account struct {
	IBAN     string
	Other    string // a number that is not an IBAN
	Currency string // may be missing
	Name     string
	OwnerBIC string
	BIC      string // of the bank that keeps it
}

// ID returns the IBAN, otherwise the other number.
func (a Account) ID() string {
	if a.IBAN != "" {
		return a.IBAN
	}

	return a.Other
}

// Balance of an account. Type is OPBD, PRCD, CLBD, ITBD, CLAV, FWAV ... or the bank's own.
type Balance struct {
	Type   string
	Amount iso20022.Amount
	Credit bool
	Signed bool   // the bank says CRDT or DBIT; without it Credit means nothing
	Date   string // 2006-01-02, or empty
}

// Header is a statement before its entries.
type Header struct {
	Kind      Kind
	Format    string // of a statement in another format than camt: MT940
	Version   string // "01" ... "14"; empty where the message has no namespace
	MsgID     string
	MsgPage   Page   // of the message
	CreatedAt string // as written

	Number        int // position of this statement in its file, from 0
	ID            string
	Sequence      string // ElctrncSeqNb
	LegalSequence string // LglSeqNb
	Page          Page   // of the statement
	From, To      string // FrToDt
	CopyDuplicate string // CODU, COPY, DUPL or empty
	Account       Account
	Balances      []Balance
	DeclaredCount string // TxsSummry/TtlNtries/NbOfNtries
	DeclaredSum   string // TxsSummry/TtlNtries/Sum
}

// Page is a part of a message or statement. Number is empty if the bank states none: then it is the only part.
type Page struct {
	Number string
	Last   bool
}

// Balance returns the first balance of one of the types, for example OPBD or PRCD for an opening one.
func (h Header) Balance(types ...string) (Balance, bool) {
	for _, t := range types {
		for _, b := range h.Balances {
			if b.Type == t {
				return b, true
			}
		}
	}

	return Balance{}, false
}

// TxCode is the kind of a booking: the ISO domain, family and sub-family, or the bank's own code.
type TxCode struct {
	Domain, Family, SubFamily string // PMNT RCDT ESCT
	Proprietary               string
	Issuer                    string // of Proprietary
}

// String joins the domain's codes with a slash, or returns the bank's own.
func (c TxCode) String() string {
	if c.Domain == "" {
		return c.Proprietary
	}

	return c.Domain + "/" + c.Family + "/" + c.SubFamily
}

// Entry is one booking on an account.
type Entry struct {
	Account     Account // of the statement
	Statement   int     // Header.Number
	Number      int     // position in its statement, from 0
	Ref         string  // NtryRef
	AcctSvcrRef string  // the bank's own; may be missing
	Amount      iso20022.Amount
	Credit      bool
	Reversal    bool   // reverses an earlier booking; Credit is the direction in which money moves now
	Status      Status // empty if the bank states none: then nothing was booked
	BookingDate string // 2006-01-02, or empty
	ValueDate   string
	Code        TxCode
	Info        string // AddtlNtryInf
	BatchMsgID  string // Btch, where the entry has one
	BatchPmtInf string
	BatchCount  string // NbOfTxs of Btch, as written
	Charges     []Charge
	Details     []Detail // none for most entries of some banks

	// Lump means that the details are not the parts of the entry: their amounts, in its currency, do not add up to it,
	// or the bank states another number of transactions than it lists. Then no payer, reference or amount of a detail
	// applies to the entry.
	Lump bool
}

// Charge of a bank.
type Charge struct {
	Amount   iso20022.Amount
	Credit   bool   // given back
	Included bool   // in the entry's amount
	Bearer   string // DEBT, CRED, SHAR, SLEV
	Type     string
}

// Party is the counterparty, or ourselves.
type Party struct {
	Name    string
	Account Account
}

// Detail is one transaction of an entry. Most fields are empty in most files. EndToEndID is also empty if the bank
// writes NOTPROVIDED.
type Detail struct {
	MsgID, AcctSvcrRef, PmtInfID, InstrID, EndToEndID, UETR, TxID, MandateID, ClearingRef string

	Amount     iso20022.Amount // what was booked
	Credit     bool            // the entry's if the transaction states none
	Instructed iso20022.Amount // what the customer ordered (AmtDtls/InstdAmt)
	Original   iso20022.Amount // AmtDtls/TxAmt
	CounterVal iso20022.Amount // AmtDtls/CntrValAmt

	Debtor, Creditor                 Party
	UltimateDebtor, UltimateCreditor string
	DebtorAgentBIC, CreditorAgentBIC string

	Code           TxCode
	Purpose        string
	Remittance     []string // Ustrd, as written
	StructuredRefs []string // Strd/CdtrRefInf/Ref
	StructuredInfo []string // Strd/AddtlRmtInf: free text beside a structured reference
	Info           string   // AddtlTxInf
	Charges        []Charge
	Return         *Return // RtrInf
}

// Return marks a transaction as the return of an earlier one.
type Return struct {
	iso20022.ReasonGiven
	OriginalCode string // OrgnlBkTxCd
}

// Finding is an inconsistency in a statement that can be read nevertheless.
type Finding struct {
	Code   FindingCode
	Detail string
}

// FindingCode is stable.
type FindingCode string

const (
	CountDiffers   FindingCode = "ENTRY_COUNT_DIFFERS"    // TtlNtries/NbOfNtries
	SumDiffers     FindingCode = "ENTRY_SUM_DIFFERS"      // TtlNtries/Sum
	BalanceDiffers FindingCode = "BALANCE_DIFFERS"        // opening + booked entries is not the closing balance
	CurrencyMixed  FindingCode = "ENTRY_CURRENCY_DIFFERS" // an entry is not in the account's currency
)

// Totals are passed to the Handler after each statement's entries.
type Totals struct {
	Statement     int // Header.Number
	Entries       int
	Booked        int
	Details       int
	BookedCredits string // sums over entries with status BOOK
	BookedDebits  string
	Findings      []Finding

	// Remarks are what people should know about the file although it is sound.
	Remarks []string

	// Balances are those after the entries, in formats that have them there; the header then has none.
	Balances []Balance
}

// Handler receives what Read finds: for every statement it calls Statement once, then Entry for each entry, then End.
// An error ends the reading, and Read returns it. The handler may keep what it receives. Strings of neighbouring
// entries share memory, so clone a few that are kept for a long time.
type Handler interface {
	Statement(Header) error
	Entry(Entry) error
	End(Totals) error
}
