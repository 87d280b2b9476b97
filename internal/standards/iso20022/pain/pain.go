// Package pain writes orders to a bank (pain.001.001.09) and reads the bank's answers to them (pain.002).
//
// Everything that identifies an order comes from the caller, so the same input gives the same bytes for ever. If
// anything is wrong, nothing is written and all errors are returned at once. Characters that a rail cannot carry are
// mapped by a published table, and every such change is reported. What cannot be mapped is refused.
package pain

import "time"

// Service is how a block of payments is to be executed.
type Service string

const (
	SEPA        Service = "SEPA"         // SEPA credit transfer, euro
	SEPAInstant Service = "SEPA_INSTANT" // within seconds
	UK          Service = "UK"           // Faster Payments, by sort code
	CHAPS       Service = "CHAPS"        // gross settlement, by sort code
	ACH         Service = "ACH"          // US batch
	Wire        Service = "WIRE"         // US Fedwire
	India       Service = "INDIA"        // NEFT, by IFSC
	IMPS        Service = "IMPS"         // India within seconds, by IFSC
	SWIFT       Service = "SWIFT"        // correspondent banks, any currency
)

// Charges says who pays the banks. SEPA knows only shared ones (SLEV), and it is the writer that says so.
type Charges string

const (
	OUR Charges = "OUR" // the debtor all: DEBT
	SHA Charges = "SHA" // each its own: SHAR
	BEN Charges = "BEN" // the creditor all: CRED
)

// Initiation is one file. MsgID is at most 35 characters of the SEPA reference set, as all identifiers of an order.
type Initiation struct {
	MsgID           string
	CreatedAt       time.Time // written in UTC, to the second
	InitiatingParty Party     // the name is enough
	Blocks          []Block
}

// Block is all payments of one account, service and day: one PmtInf.
type Block struct {
	PmtInfID        string
	Debtor          Party
	DebtorAccount   Account
	DebtorAgent     Agent // its BIC or clearing number; in SEPA it may be left out
	Service         Service
	ExecutionDate   string // 2006-01-02
	Charges         Charges
	SingleBooking   bool   // each payment is to be booked on its own (BtchBookg false)
	CategoryPurpose string // external code, or empty
	LocalInstrument string // ACH alone: CCD (to companies, the default), PPD (to persons) or CTX
	Transfers       []Transfer
}

// Transfer is one payment.
type Transfer struct {
	InstrID         string // empty: the EndToEndID
	EndToEndID      string // comes back in statements and returns: ours, and unique for ever
	UETR            string // UUID version 4 in lower case, or empty
	Amount          string // "1234.50", without more decimals than the currency has
	Currency        string
	Creditor        Party
	CreditorAccount Account
	CreditorAgent   Agent
	Intermediary    Agent
	Purpose         string // external code, or empty
	Remittance      string // free text
	Reference       string // structured creditor reference (RF.., or QR reference), instead of Remittance
	Instruction     string // to the debtor's bank, or empty
}

// Party is a person or company.
type Party struct {
	Name    string
	Address Address
	LEI     string
}

// Address is structured; Lines may be added to it (hybrid). Where one is given at all, Town and Country are needed:
// from November 2026 banks refuse lines alone.
type Address struct {
	Street, Building, PostCode, Town, Subdivision string
	Country                                       string   // ISO 3166, two letters
	Lines                                         []string // at most two of 70 characters
}

// Account has an IBAN or a number of its bank.
type Account struct {
	IBAN     string
	Number   string
	Type     string // CACC (current, checking), SVGS (savings); needed by ACH
	Currency string
}

// Agent is a bank.
type Agent struct {
	BIC      string
	SortCode string // GBDSC, six digits
	ABA      string // USABA, nine digits
	IFSC     string // INFSC, eleven characters
	Name     string
	Address  Address
}

// FaultCode is stable.
type FaultCode string

const (
	Missing    FaultCode = "MISSING"
	TooLong    FaultCode = "TOO_LONG"
	Characters FaultCode = "CHARACTERS"  // cannot be said in the service's characters
	Format     FaultCode = "FORMAT"      // an identifier, code or date that cannot be one
	BadAmount  FaultCode = "AMOUNT"      // no exact amount of its currency, or outside the service's limits
	Currency   FaultCode = "CURRENCY"    // the service does not carry it
	Duplicate  FaultCode = "DUPLICATE"   // an identifier that is used twice in the file
	NotAllowed FaultCode = "NOT_ALLOWED" // the service has no place for it
	TooMany    FaultCode = "TOO_MANY"
)

// Fault is one thing that is wrong; Path is a JSON pointer into Initiation, such as
// /blocks/0/transfers/3/creditor/name.
type Fault struct {
	Path   string
	Code   FaultCode
	Detail string
}

// Refused has all faults of an initiation.
type Refused struct{ Faults []Fault }

func (r *Refused) Error() string { return r.Faults[0].Path + ": " + r.Faults[0].Detail }

// Change is a text that a rail cannot carry as given, and what is written instead.
type Change struct {
	Path string
	From string
	To   string
}
