// Package epcqr writes and reads the QR code that starts a SEPA credit transfer: the European Payments Council's
// EPC069-12, version 002, and 001 when reading. Banking apps of the euro area read it; in Germany it is called
// GiroCode.
//
// Read in this order: epcqr.go (the transfer, and writing), parse.go (reading).
package epcqr

import (
	"errors"
	"strings"
	"unicode/utf8"

	"slipway/internal/standards/bankcode"
	"slipway/internal/standards/creditorref"
	"slipway/internal/standards/iban"
)

// Transfer is what the payer is asked to pay. Reference and Text exclude each other; both may be empty.
type Transfer struct {
	Version string    // 001 or 002 when read; always written as 002
	Name    string    // of the payee, at most 70 characters
	Account iban.IBAN // of a country in SEPA
	BIC     string    // may be empty within the European Economic Area
	// euro, with two decimals and a point: 12.30; 0.01 to 999999999.99; empty when read: the payer chooses
	Amount      string
	Purpose     string // up to four capitals of ISO 20022's list, or empty
	Reference   string // ISO 11649, RF…; when read, also any other structured one
	Text        string // for the payee, at most 140 characters
	Information string // for the payer, at most 70 characters
}

// Why a transfer cannot be written.
var (
	ErrName      = errors.New("the payee's name has 1 to 70 characters on one line")
	ErrAccount   = errors.New("the account's IBAN is not of a country that SEPA reaches")
	ErrAmount    = errors.New("the amount is 0.01 to 999999999.99 euro with two decimals")
	ErrPurpose   = errors.New("a purpose has up to four capital letters")
	ErrReference = errors.New("the reference is one of ISO 11649, and excludes a text")
	ErrText      = errors.New("the text has at most 140 characters on one line")
	ErrInfo      = errors.New("the information for the payer has at most 70 characters on one line")
	ErrSize      = errors.New("the code would contain more than 331 bytes")
)

// The values of the fixed elements.
const (
	tag         = "BCD"
	version1    = "001" // with the payee's BIC
	version2    = "002"
	charsetUTF8 = "1"
	service     = "SCT"
	currency    = "EUR"
)

// Limits of EPC069-12. A code has at most version 13 at error correction level M, which holds the bytes.
const (
	maxName        = 70
	maxText        = 140
	maxInformation = 70
	maxReference   = 35
	maxPurpose     = 4
	maxUnits       = 9
	maxBytes       = 331
)

// Payload returns the text of the code, which requires error correction level M. Its error joins everything that is
// wrong.
func (t Transfer) Payload() (string, error) {
	var wrong []error
	refuse := func(bad bool, err error) {
		if bad {
			wrong = append(wrong, err)
		}
	}
	refuse(strings.TrimSpace(t.Name) == "" || !line(t.Name, maxName), ErrName)
	account, err := iban.Parse(string(t.Account))
	refuse(err != nil || account != t.Account || !account.InSEPA(), ErrAccount)

	if t.BIC != "" {
		_, err := bankcode.ParseBIC(t.BIC)
		refuse(err != nil, err)
	}

	refuse(!validAmount(t.Amount), ErrAmount)
	refuse(!validPurpose(t.Purpose), ErrPurpose)

	if t.Reference != "" {
		ref, ok := creditorref.ValidRF(t.Reference)
		refuse(!ok || ref != t.Reference || t.Text != "", ErrReference)
	}

	refuse(!line(t.Text, maxText), ErrText)
	refuse(!line(t.Information, maxInformation), ErrInfo)
	text := strings.TrimRight(strings.Join([]string{
		tag, version2, charsetUTF8, service, t.BIC, t.Name, string(t.Account), currency + t.Amount, t.Purpose,
		t.Reference, t.Text, t.Information,
	}, "\n"), "\n") // empty elements at the end are omitted
	refuse(len(text) > maxBytes, ErrSize)

	if len(wrong) > 0 {
		return "", errors.Join(wrong...)
	}

	return text, nil
}

func line(s string, most int) bool {
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= most && !strings.ContainsFunc(s, func(r rune) bool {
		return r < ' ' || r == 0x7f
	})
}

// validPurpose accepts only letters: the codes of ISO 20022's list have no digits.
func validPurpose(s string) bool {
	return len(s) <= maxPurpose && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

func validAmount(s string) bool {
	units, cents, _ := strings.Cut(s, ".")
	plain := units != "" && strings.Trim(units+cents, "0123456789") == "" && (units == "0" || units[0] != '0')
	return plain && len(units) <= maxUnits && len(cents) == 2 && strings.Trim(s, "0.") != ""
}
