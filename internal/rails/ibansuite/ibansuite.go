// Package ibansuite asks an external provider about IBANs: whether national check digits match, which bank it is, and
// which SEPA schemes reach it. Slipway checks every IBAN itself first; this is for operators who want to know more than
// digits can show.
//
// It returns an answer or an error, never a guess. Trouble with our account at the provider (an expired key, no queries
// left) is an error and means nothing for the IBAN. Repeating a request is harmless.
//
// Client implements the IBAN Validation API, version 4, of iban.com's IBAN Suite (www.iban.com/validation-api).
// Simulator is a server with the same contract, for tests and the sandbox.
//
// Read ibansuite.go (answers and codes), client.go, then simulator.go.
package ibansuite

import (
	"context"
	"fmt"
)

// Error codes of the IBAN Suite. 001 to 007 mean that a check passed or was not made.
const (
	WrongAccountDigit = 201 // national check digit: the IBAN itself is valid
	WrongCheckDigits  = 202
	WrongLength       = 203
	WrongStructure    = 205
	WrongCharacter    = 206
	WrongCountry      = 207

	firstTrouble = 301 // our account at the provider
	lastTrouble  = 305
)

// Yes and No are how the provider and the interface write whether a scheme reaches a bank. Empty means unknown.
const (
	Yes = "YES"
	No  = "NO"
)

// Answer is the provider's answer about an IBAN.
type Answer struct {
	Code    int    // the first failed check; 0 if the IBAN is valid
	Message string // the provider's text if Code is not 0
	// the provider's text if only the national check digit is wrong: some banks do not follow their own rule
	Doubt string
	Bank  Bank
	SEPA  SEPA
}

// Bank is what the provider knows about the bank. Every field may be empty.
type Bank struct {
	BIC, Name, Branch, Address, City, State, Zip, Phone, Fax, Website, Email, Code, BranchCode string
}

// SEPA lists which schemes reach the bank: Yes, No, or empty if the provider does not know the bank.
type SEPA struct{ SCT, SCI, SDD, COR1, B2B, SCC, SCITips string }

// Provider checks IBANs. iban is in electronic form. An error means that nothing was found out: a *Trouble, or a
// provider that cannot be reached. It may be slow; never call it inside a database transaction.
type Provider interface {
	Check(ctx context.Context, iban string) (Answer, error)
}

// Trouble is a problem with our account at the provider: someone must renew a key or buy queries. It means nothing for
// the IBAN.
type Trouble struct {
	Code    int // 301 to 305
	Message string
}

// Error returns the provider's text.
func (t *Trouble) Error() string { return fmt.Sprintf("IBAN Suite: %d %s", t.Code, t.Message) }
