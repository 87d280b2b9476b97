// Package epcqr writes what a QR code says that starts a SEPA credit transfer: the European Payments Council's EPC069-12, version 002.
// Banking apps of the euro area read it. It only writes: bills that come in are not read from it.
package epcqr

import (
	"errors"
	"strings"
	"unicode/utf8"

	"slipway/internal/standards/bankcode"
	"slipway/internal/standards/creditorref"
	"slipway/internal/standards/iban"
)

// Transfer is what the payer is asked for. Reference and Text exclude each other; both may be empty.
type Transfer struct {
	Name      string    // of the payee, at most 70 characters
	Account   iban.IBAN // of a country that SEPA reaches
	BIC       string    // may be empty within the European Economic Area
	Amount    string    // euro, with two decimals and a point: 12.30; 0.01 to 999999999.99
	Purpose   string    // up to four capitals of ISO 20022's list, or empty
	Reference string    // ISO 11649, RF…
	Text      string    // for the payee, at most 140 characters
}

// Why a transfer cannot be written.
var (
	ErrName      = errors.New("the payee's name has 1 to 70 characters on one line")
	ErrAccount   = errors.New("the account's IBAN is not of a country that SEPA reaches")
	ErrAmount    = errors.New("the amount is 0.01 to 999999999.99 euro with two decimals")
	ErrPurpose   = errors.New("a purpose has up to four capital letters")
	ErrReference = errors.New("the reference is one of ISO 11649, and stands instead of a text")
	ErrText      = errors.New("the text has at most 140 characters on one line")
	ErrSize      = errors.New("the code would hold more than 331 bytes")
)

// Limits of EPC069-12. A code has at most version 13 at error correction level M, which holds the bytes.
const (
	maxName    = 70
	maxText    = 140
	maxPurpose = 4
	maxUnits   = 9
	maxBytes   = 331
)

// Payload writes the text of the code, which is made with error correction level M. Its errors tell everything that is wrong, joined.
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
	refuse(len(t.Purpose) > maxPurpose || strings.Trim(t.Purpose, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "", ErrPurpose)
	if t.Reference != "" {
		ref, ok := creditorref.ValidRF(t.Reference)
		refuse(!ok || ref != t.Reference || t.Text != "", ErrReference)
	}
	refuse(!line(t.Text, maxText), ErrText)
	text := strings.TrimRight(strings.Join([]string{"BCD", "002", "1", "SCT", t.BIC, t.Name, string(t.Account), "EUR" + t.Amount, t.Purpose,
		t.Reference, t.Text}, "\n"), "\n") // empty elements at the end are left out
	refuse(len(text) > maxBytes, ErrSize)
	if len(wrong) > 0 {
		return "", errors.Join(wrong...)
	}
	return text, nil
}

func line(s string, most int) bool {
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= most && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

func validAmount(s string) bool {
	units, cents, _ := strings.Cut(s, ".")
	plain := units != "" && strings.Trim(units+cents, "0123456789") == "" && (units == "0" || units[0] != '0')
	return plain && len(units) <= maxUnits && len(cents) == 2 && strings.Trim(s, "0.") != ""
}
