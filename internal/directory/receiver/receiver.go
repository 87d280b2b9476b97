// Package receiver holds whom an organisation pays: people and companies, and the organisation itself (its
// self-receiver), to whom its own wallets belong.
//
// Every organisation has exactly one self-receiver, made with it; a unique index sees to that. A deleted receiver is
// not found by any use case and keeps its row: transactions hold their own copy of what they need.
//
// Read in this order: receiver.go (what it is, its rules), service.go (use cases), store.go (all SQL), body.go and
// view.go (its form in requests and answers). Wallets and bank accounts belong to a receiver and are built on this
// package; package payee shows it with them, and has its operations.
package receiver

import (
	"net/mail"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/text"
	"slipway/internal/directory/refdata"
	"slipway/internal/identity/approval"
)

// Type says which names a receiver has.
type Type string

// The two types.
const (
	Individual Type = "INDIVIDUAL"
	Company    Type = "COMPANY"
)

// Receiver is one payee of one organisation.
type Receiver struct {
	ID, Organisation, Owner                    string
	Type                                       Type
	FirstName, MiddleName, LastName, LegalName string
	Email, TaxID, Phone                        string
	Address                                    Address
	BirthDate                                  time.Time // only when HasBirth
	HasBirth                                   bool
	Country                                    string // alpha-2
	Hidden, Self                               bool
	BankingPartnerID, BankingPartnerClient     string
	DeletedAt                                  time.Time // zero: it is not deleted
	Mark                                       approval.Mark
	Version                                    int64
	CreatedAt, UpdatedAt                       time.Time
}

// Name is what the receiver is called on a payment.
func (r Receiver) Name() string {
	if r.Type == Company {
		return r.LegalName
	}

	return strings.Join(strings.Fields(r.FirstName+" "+r.MiddleName+" "+r.LastName), " ")
}

// oldest and youngest bound a date of birth: nobody lives longer, and children are not paid.
const oldest = 130

// check notes every rule the record breaks. A self-receiver may lack what the organisation has not said of itself yet.
func (r Receiver) check(now time.Time, l *fault.List) {
	need := func(value, field string) {
		if strings.TrimSpace(value) == "" && !r.Self {
			l.Add("/"+field, fault.Required, "is required for a receiver of type %s.", r.Type)
		}
	}
	if r.Type == Company {
		need(r.LegalName, "legalName")
	} else {
		need(r.FirstName, "firstName")
		need(r.LastName, "lastName")
	}

	need(r.Address.AddressLine1, "address")
	need(r.Country, "countryIsoCode")

	if r.Country != "" {
		if c, ok := refdata.All().Country(r.Country); !ok || c.Alpha2 != r.Country {
			l.Add("/countryIsoCode", fault.CountryUnknown, "is not a country code of ISO 3166-1 alpha-2.")
		}
	}

	if !mailAddress(r.Email) {
		l.Add("/email", fault.FormatInvalid, "is not an e-mail address.")
	}

	if r.HasBirth && (r.BirthDate.After(now) || r.BirthDate.Before(now.AddDate(-oldest, 0, 0))) {
		l.Add("/dateOfBirth", fault.OutOfRange, "must be in the past, and at most %d years ago.", oldest)
	}

	for field, value := range map[string]string{
		"firstName":   r.FirstName,
		"middleName":  r.MiddleName,
		"lastName":    r.LastName,
		"legalName":   r.LegalName,
		"taxId":       r.TaxID,
		"phoneNumber": r.Phone,
	} {
		if !text.OneLine(value) { // they go into bank messages and mails
			l.Add("/"+field, fault.FormatInvalid, "holds characters that cannot be printed.")
		}
	}
}

func mailAddress(s string) bool {
	a, err := mail.ParseAddress(s)
	if err != nil || a.Address != s || a.Name != "" || len(s) > 254 || !text.OneLine(s) {
		return false
	}

	at := strings.LastIndexByte(s, '@')

	return at > 0 && !strings.ContainsAny(s, " \"\\<>") && strings.Contains(s[at:], ".")
}
