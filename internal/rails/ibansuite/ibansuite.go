// Package ibansuite asks an outside party about IBANs: whether national check digits fit, which bank it is, and which
// SEPA schemes reach it. Slipway checks every IBAN by itself first; this is for operators who want to know more than
// digits can tell.
//
// It promises an answer or an error, never a guess. Trouble of our account with the provider (a key that expired, no
// queries left) is an error and says nothing of the IBAN. Asking again is harmless.
//
// Client speaks the IBAN Validation API, version 4, of iban.com's IBAN Suite (www.iban.com/validation-api); Simulator
// is a server of the same contract, for tests and the sandbox.
package ibansuite

import (
	"context"
	"fmt"
)

// Codes of the IBAN Suite that say what is wrong. 001 to 007 say that a check passed or was not made.
const (
	WrongAccountDigit = 201 // national check digit: the IBAN itself is right
	WrongCheckDigits  = 202
	WrongLength       = 203
	WrongStructure    = 205
	WrongCharacter    = 206
	WrongCountry      = 207

	firstTrouble = 301 // our account with the provider
	lastTrouble  = 305
)

// Yes and No are how the provider and the interface write whether a scheme reaches a bank. Empty: unknown.
const (
	Yes = "YES"
	No  = "NO"
)

// Answer is what the provider says of an IBAN.
type Answer struct {
	Code    int    // the first check that failed, 0 when the IBAN is good
	Message string // in the provider's words, when Code is not 0
	// in the provider's words, when only the account's own check digit is wrong: some banks do not keep to their rule
	Doubt string
	Bank  Bank
	SEPA  SEPA
}

// Bank is what the provider knows of the bank. Everything may be empty.
type Bank struct {
	BIC, Name, Branch, Address, City, State, Zip, Phone, Fax, Website, Email, Code, BranchCode string
}

// SEPA is which schemes reach the bank: Yes, No or empty when the provider does not know the bank.
type SEPA struct{ SCT, SCI, SDD, COR1, B2B, SCC, SCITips string }

// Provider checks IBANs. iban is in electronic form. An error means that nothing was found out: a *Trouble, or a
// provider out of reach. It may be slow and is never asked inside a database transaction.
type Provider interface {
	Check(ctx context.Context, iban string) (Answer, error)
}

// Trouble is a fault of our account with the provider: somebody has to renew a key or buy queries. It says nothing of
// the IBAN.
type Trouble struct {
	Code    int // 301 to 305
	Message string
}

// Error says what the provider said.
func (t *Trouble) Error() string { return fmt.Sprintf("IBAN Suite: %d %s", t.Code, t.Message) }
