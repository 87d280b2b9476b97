// Package bankaccount holds the bank accounts that an organisation pays to, each of one receiver.
//
// What it promises: an account has every field that its region needs, each in its standard's form; it can be paid to
// (Usable) only after its numbers were checked, offline and by the configured provider; and when the account behind a
// known receiver is changed, nothing is paid to it for a day, so that the owner can notice. A payment never reads this
// table again once it is locked in: it keeps the account's Snapshot, so that later edits and deletions do not move
// money that is on its way.
//
// Read in this order: account.go (what it is), region.go (which fields), check.go (are they right), fits.go (do they
// fit each other), alike.go (numbers that people take for one another), rails.go (how it is reached), service.go,
// change.go, validate.go (use cases), store.go (all SQL), store_find.go (what other nouns call), store_search.go (by the
// end of a number), view.go, http.go.
package bankaccount

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/fault"
	"slipway/internal/core/state"
	"slipway/internal/identity/approval"
)

// CoolDown is how long nothing is paid to an account whose numbers or receiver were changed after it had been good.
const CoolDown = 24 * time.Hour

// Validation is the status of the check of an account's numbers.
type Validation string

// The statuses of validation.
const (
	ValidationPending  Validation = "PENDING"  // good offline; the provider is asked by a job
	ValidationVerified Validation = "VERIFIED" // good
	ValidationRejected Validation = "REJECTED" // the client corrects the account
)

// ValidationMoves is every allowed change of validation.
var ValidationMoves = state.New("Bank account validation",
	state.Move[Validation]{To: ValidationPending, On: "account is added, good offline, a provider is configured"},
	state.Move[Validation]{To: ValidationVerified, On: "account is added, good offline, no provider"},
	state.Move[Validation]{To: ValidationRejected, On: "account is added, wrong offline"},
	state.Move[Validation]{
		From: ValidationPending,
		To:   ValidationPending,
		On:   "numbers change, or the provider is in trouble",
	},
	state.Move[Validation]{
		From: ValidationPending,
		To:   ValidationVerified,
		On:   "provider finds nothing wrong, or there is none any more",
	},
	state.Move[Validation]{
		From: ValidationPending,
		To:   ValidationRejected,
		On:   "provider finds it wrong, or numbers change to wrong ones",
	},
	state.Move[Validation]{From: ValidationVerified, To: ValidationPending, On: "numbers change"},
	state.Move[Validation]{From: ValidationVerified, To: ValidationVerified, On: "numbers change, no provider"},
	state.Move[Validation]{From: ValidationVerified, To: ValidationRejected, On: "numbers change to wrong ones"},
	state.Move[Validation]{From: ValidationRejected, To: ValidationPending, On: "numbers change"},
	state.Move[Validation]{From: ValidationRejected, To: ValidationVerified, On: "numbers change, no provider"},
	state.Move[Validation]{From: ValidationRejected, To: ValidationRejected, On: "numbers change to other wrong ones"},
)

// Account types of the United States.
const (
	Checking = "CHECKING"
	Savings  = "SAVINGS"
)

// Yes and No are how the interface writes whether a scheme reaches an account; an empty text is unknown.
const (
	Yes = "YES"
	No  = "NO"
)

// Bank is what is known of the institution beyond its codes.
type Bank struct {
	Name                    string `json:"bankName,omitempty"`
	Branch                  string `json:"bankBranch,omitempty"`
	Address                 string `json:"bankAddress,omitempty"`
	Address2                string `json:"bankAddress2,omitempty"`
	City                    string `json:"bankCity,omitempty"`
	State                   string `json:"bankState,omitempty"`
	Zip                     string `json:"bankZip,omitempty"`
	Phone                   string `json:"bankPhone,omitempty"`
	Fax                     string `json:"bankFax,omitempty"`
	Website                 string `json:"bankWebsite,omitempty"`
	Email                   string `json:"bankEmail,omitempty"`
	Code                    string `json:"bankCode,omitempty"`
	BranchCode              string `json:"branchCode,omitempty"`
	IntermediaryRoutingCode string `json:"intermediaryRoutingCode,omitempty"`
	IntermediaryBankName    string `json:"intermediaryBankName,omitempty"`
	Channel                 string `json:"channel,omitempty"`
	BIC                     string `json:"bic,omitempty"` // of what was found
}

// SEPA is which schemes of the SEPA area reach an account: YES, NO, or empty when nobody has said.
type SEPA struct {
	SCT     string `json:"sct,omitempty" doc:"credit transfer"`
	SDD     string `json:"sdd,omitempty" doc:"direct debit, core"`
	COR1    string `json:"cor1,omitempty" doc:"direct debit, one day"`
	B2B     string `json:"b2b,omitempty" doc:"direct debit, business to business"`
	SCC     string `json:"scc,omitempty" doc:"card clearing"`
	SCI     string `json:"sci,omitempty" doc:"instant credit transfer"`
	SCITips string `json:"sciTips,omitempty" doc:"instant credit transfer over TIPS"`
}

// Account is one bank account of one receiver. Which of its numbers are set depends on its region.
type Account struct {
	ID           string `json:"id"`
	Organisation string `json:"organisation"`
	Receiver     string `json:"receiver"`
	Country      string `json:"country"`  // of the bank, ISO 3166-1 alpha-2
	Currency     string `json:"currency"` // ISO 4217

	IBAN          string `json:"iban,omitempty"` // electronic form
	BIC           string `json:"bic,omitempty"`
	AccountNumber string `json:"accountNumber,omitempty"`
	SortCode      string `json:"sortCode,omitempty"`      // six digits
	RoutingNumber string `json:"routingNumber,omitempty"` // ABA, nine digits
	IFSC          string `json:"ifsc,omitempty"`
	AccountType   string `json:"accountType,omitempty"` // CHECKING or SAVINGS

	ACHSaid string `json:"-"` // what the client said: YES, NO or empty
	FedSaid string `json:"-"`
	ACH     string `json:"ach,omitempty"` // as it counts
	Fed     string `json:"fed,omitempty"`
	SEPA    SEPA   `json:"sepa,omitzero"`

	Bank  Bank `json:"bank,omitzero"`  // what the client said
	Found Bank `json:"found,omitzero"` // what the table of banks and the provider say

	Validation   Validation `json:"validation"`
	ErrorCode    int64      `json:"-"` // a number of the IBAN Suite; 0: none
	ErrorMessage string     `json:"-"`
	ValidatedAt  time.Time  `json:"validatedAt,omitzero"`
	CoolUntil    time.Time  `json:"-"`

	Mark approval.Mark `json:"-"`

	Deleted   bool      `json:"-"`
	Version   int64     `json:"version"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`

	events []string // since it was read
}

// BankBIC is the BIC of the account's bank: the client's word for it, or else what the table of banks or the provider
// has found for its IBAN. Empty: it is not known, and SEPA does not need it.
func (a Account) BankBIC() string { return cmp.Or(a.BIC, a.Found.BIC) }

// BankName is the bank's name: the client's word for it, or else what the provider found.
func (a Account) BankName() string {
	if a.Bank.Name != "" {
		return a.Bank.Name
	}

	return a.Found.Name
}

// validated moves the validation, the only way to do so. A verdict is an event, a question is none.
func (a *Account) validated(to Validation) error {
	if !ValidationMoves.Allows(a.Validation, to) {
		return fmt.Errorf("bank account %s: validation cannot go from %s to %s", a.ID, a.Validation, to)
	}

	a.Validation = to
	if to != ValidationPending {
		a.events = append(a.events, "bank_account.validated")
	}

	return nil
}

// Usable refuses an account that nothing may be paid to now: deleted, not VERIFIED, reached by no rail, a
// QR-IBAN, changed within CoolDown or too new, or not approved by a second person where one has to.
func (a Account) Usable(now time.Time) error {
	switch {
	case a.Deleted:
		return fault.New(fault.Invalid, fault.BankAccountUnknown, "The bank account is deleted.")

	case a.Validation == ValidationPending:
		return fault.New(
			fault.Invalid,
			fault.BankAccountNotValidated,
			"The bank account's validation is still under way.",
		)

	case a.Validation != ValidationVerified:
		return fault.New(
			fault.Invalid,
			fault.BankAccountNotValidated,
			"The bank account did not pass validation: %s.",
			a.ErrorMessage,
		)

	case len(a.Rails()) == 0:
		return fault.New(fault.Invalid, fault.BankAccountUnreachable, "No payment rail reaches the bank account.")

	case now.Before(a.CoolUntil):
		return fault.New(
			fault.Invalid,
			fault.BankAccountCoolingDown,
			"The bank account is new or was changed; it can be paid to from %s on.",
			a.CoolUntil.UTC().Format(time.RFC3339),
		)
	}

	return a.Mark.Usable("bank account")
}

// Snapshot is the account as JSON, for a payment to keep for ever.
func (a Account) Snapshot() string {
	raw, err := json.Marshal(a)
	if err != nil {
		panic(err) // texts and times: nothing that cannot be written
	}

	return string(raw)
}

// FromSnapshot returns the account that a payment kept. What only this table needs (cool-down, deletion) is not in it.
func FromSnapshot(s string) (Account, error) {
	var a Account
	if err := json.Unmarshal([]byte(s), &a); err != nil {
		return Account{}, fmt.Errorf("read a bank account's snapshot: %w", err)
	}

	return a, nil
}

// Destination is where money goes that is paid to the account, as one text: whoever has approved one destination has
// not approved another.
func (a Account) Destination() string {
	t := a.target()
	return strings.Join(t[:], "|")
}
