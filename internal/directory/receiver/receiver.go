// Package receiver holds whom an organisation pays: people and companies, and the organisation itself (its
// self-receiver), to whom its own wallets belong.
//
// Every organisation has exactly one self-receiver, made with it; a unique index sees to that. A deleted receiver is
// not found by any use case and keeps its row: transactions hold their own copy of what they need.
//
// Read in this order: receiver.go (what it is, its rules), address.go, service.go (use cases), store.go (all SQL),
// body.go and view.go (its form in requests and answers), view_remarks.go (what is odd in its names),
// view_belongings.go (the form of its bank accounts). Wallets and bank accounts belong to a receiver and are built on
// this package; package payee shows it with them, and has its operations.
package receiver

import (
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/text"
	"slipway/internal/directory/refdata"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/user"
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
	Unsaid                                     Unsaid
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

// Unsaid are the names that the body of a new receiver has left out. A person with one name leaves the other one empty;
// whoever leaves it out may have forgotten it. A stored receiver has none of them.
type Unsaid struct{ FirstName, LastName bool }

// Name is what the receiver is called on a payment. That of a person with one name is this name alone.
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
	} else if !r.Self {
		r.checkNames(l)
	}

	need(r.Address.AddressLine1, "address")
	need(r.Country, "countryIsoCode")

	if r.Country != "" {
		if c, ok := refdata.All().Country(r.Country); !ok || c.Alpha2 != r.Country {
			l.Add("/countryIsoCode", fault.CountryUnknown, "is not a country code of ISO 3166-1 alpha-2.")
		}
	}

	user.CheckEmail(l, "/email", r.Email)

	if r.HasBirth && (r.BirthDate.After(now) || r.BirthDate.Before(now.AddDate(-oldest, 0, 0))) {
		l.Add("/dateOfBirth", fault.OutOfRange, "must be in the past, and at most %d years ago.", oldest)
	}

	for field, name := range map[string]string{
		"firstName":  r.FirstName,
		"middleName": r.MiddleName,
		"lastName":   r.LastName,
		"legalName":  r.LegalName,
	} {
		if name != "" && text.Fold(name) == "" { // a sign in place of a name would go to the bank
			l.Add("/"+field, fault.FormatInvalid, "has no letter. Leave it empty where there is no such name.")
		}
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

// checkNames notes what is missing of the names of a person. One of both may be empty.
func (r Receiver) checkNames(l *fault.List) {
	none := r.FirstName == "" && r.LastName == ""

	for _, n := range []struct {
		field  string
		unsaid bool
	}{
		{"firstName", r.Unsaid.FirstName},
		{"lastName", r.Unsaid.LastName},
	} {
		if none || n.unsaid {
			l.Add("/"+n.field, fault.Required,
				"is required for a receiver of type %s. For a person with one name, one of both is empty.", r.Type)
		}
	}
}
