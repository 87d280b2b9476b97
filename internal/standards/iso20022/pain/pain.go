// Package pain writes payment orders to a bank (pain.001.001.09) and reads the bank's answers to them (pain.002).
//
// Everything that identifies an order comes from the caller, so the same input always gives the same bytes. If anything
// is wrong, nothing is written and all errors are returned at once. Characters that a rail cannot carry are replaced by
// a published table, and every replacement is reported. Characters without a replacement are refused.
//
// Read in this order: pain.go (what an order consists of), service.go (what each kind of payment requires), check.go,
// text.go (characters that a rail cannot carry), write.go; then pain002.go (the bank's answers) and pain001_read.go
// (the orders of a file that exists).
package pain

import "time"

// Service is how a block of payments is executed.
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
	SIC         Service = "SIC"          // Swiss Interbank Clearing, francs in Switzerland and Liechtenstein
	SWIFT       Service = "SWIFT"        // correspondent banks, any currency
)

// Guideline is whose rules a file keeps besides the schema of ISO 20022: those of the bank that receives it.
type Guideline string

const (
	CGI Guideline = ""    // the Common Global Implementation, and in SEPA the EPC's guidelines
	SPS Guideline = "SPS" // the Swiss Payment Standards, of banks in Switzerland and Liechtenstein
)

// Charges defines who pays the banks. SEPA allows only shared charges (SLEV), which the writer sets.
type Charges string

const (
	OUR Charges = "OUR" // the debtor all: DEBT
	SHA Charges = "SHA" // each its own: SHAR
	BEN Charges = "BEN" // the creditor all: CRED
)

// Initiation is one file. MsgID has at most 35 characters of the SEPA reference set, like all identifiers of an order.
type Initiation struct {
	MsgID           string
	CreatedAt       time.Time // written in UTC, to the second
	InitiatingParty Party     // only its name is required
	Guideline       Guideline // of the bank that receives the file
	Blocks          []Block
}

// Block is all payments of one account, service and day: one PmtInf.
type Block struct {
	PmtInfID        string
	Debtor          Party
	DebtorAccount   Account
	DebtorAgent     Agent // its BIC or clearing number; optional in SEPA
	Service         Service
	ExecutionDate   string // 2006-01-02
	Charges         Charges
	SingleBooking   bool   // each payment is booked separately (BtchBookg false)
	CategoryPurpose string // external code, or empty
	LocalInstrument string // only for ACH: CCD (to companies, the default), PPD (to persons) or CTX
	Transfers       []Transfer
}

// Transfer is one payment.
type Transfer struct {
	InstrID         string // empty: the EndToEndID
	EndToEndID      string // the bank repeats it in statements and returns: ours, and unique forever
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

// Address is structured; Lines may be added to it (hybrid). If it is given, Town and Country are required: since
// November 2026 banks refuse lines alone. The creditor of a payment by SWIFT needs one.
type Address struct {
	Street, Building, PostCode, Town, Subdivision string
	Country                                       string   // ISO 3166, two letters
	Lines                                         []string // at most two of 70 characters
}

// Account has an IBAN or a number of its bank.
type Account struct {
	IBAN     string
	Number   string
	Type     string // CACC (current, checking), SVGS (savings); required by ACH
	Currency string
}

// Agent is a bank. Its name and address are written only for a creditor's bank that has no BIC.
type Agent struct {
	BIC      string
	SortCode string // GBDSC, six digits
	ABA      string // USABA, nine digits
	IFSC     string // INFSC, eleven characters
	Name     string
	Address  Address

	iid string // CHBCC, the institution in a Swiss IBAN
}

// FaultCode is the kind of a fault. Codes are stable.
type FaultCode string

const (
	Missing    FaultCode = "MISSING"
	TooLong    FaultCode = "TOO_LONG"
	Characters FaultCode = "CHARACTERS"  // a character that the service cannot carry
	Format     FaultCode = "FORMAT"      // an invalid identifier, code or date
	BadAmount  FaultCode = "AMOUNT"      // not an exact amount of its currency, or outside the service's limits
	Currency   FaultCode = "CURRENCY"    // the service does not carry it
	Duplicate  FaultCode = "DUPLICATE"   // an identifier used twice in the file
	NotAllowed FaultCode = "NOT_ALLOWED" // the service has no field for it
	TooMany    FaultCode = "TOO_MANY"
)

// Fault is one error; Path is a JSON pointer into Initiation, such as /blocks/0/transfers/3/creditor/name.
type Fault struct {
	Path   string
	Code   FaultCode
	Detail string
}

// Refused lists all faults of an initiation.
type Refused struct{ Faults []Fault }

// Error returns the first fault.
func (r *Refused) Error() string { return r.Faults[0].Path + ": " + r.Faults[0].Detail }

// Change is a text that a rail cannot carry as given, and its replacement.
type Change struct {
	Path string
	From string
	To   string
}
