package receiver

import (
	"strings"

	"slipway/internal/core/day"
	"slipway/internal/standards/mailbox"
)

// Person is what identifies a receiver, a person or a company. A field that is left out stays as it is; an empty text,
// and null in a PATCH, clears it.
type Person struct {
	FirstName   *string  `json:"firstName,omitempty" maxLength:"70"`
	MiddleName  *string  `json:"middleName,omitempty" maxLength:"70"`
	LastName    *string  `json:"lastName,omitempty" maxLength:"70"`
	LegalName   *string  `json:"legalName,omitempty" maxLength:"140"`
	TaxID       *string  `json:"taxId,omitempty" maxLength:"40" doc:"as the country of the receiver writes it"`
	PhoneNumber *string  `json:"phoneNumber,omitempty" maxLength:"32" pattern:"^\\+?[0-9 ()./-]+$" patternDescription:"is not a telephone number"`
	Address     *Address `json:"address,omitempty"`
	Country     *string  `json:"countryIsoCode,omitempty" pattern:"^[A-Z]{2}$" patternDescription:"must be two capital letters (ISO 3166-1 alpha-2)" doc:"ISO 3166-1 alpha-2"`
	DateOfBirth *day.Day `json:"dateOfBirth,omitempty" doc:"of an INDIVIDUAL"`
}

// Details are the optional fields of both bodies.
type Details struct {
	Person
	IsHidden *bool `json:"isHidden,omitempty" doc:"left out of lists"`
}

// CreateBody is the body of POST /receivers.
type CreateBody struct {
	Type  Type   `json:"type" enum:"INDIVIDUAL,COMPANY" doc:"INDIVIDUAL needs firstName and lastName, of which one may be empty; COMPANY legalName"`
	Email string `json:"email" maxLength:"254"`
	Details
}

// ChangeBody is the body of PATCH /receivers/{id}.
type ChangeBody struct {
	Type  *Type   `json:"type,omitempty" nullable:"false" enum:"INDIVIDUAL,COMPANY" doc:"INDIVIDUAL needs firstName and lastName, of which one may be empty; COMPANY legalName"`
	Email *string `json:"email,omitempty" nullable:"false" maxLength:"254"`
	Details
}

func put(into *string, from *string) {
	if from != nil {
		*into = strings.TrimSpace(*from)
	}
}

// Apply writes what was given into the receiver.
func (d Person) Apply(r *Receiver) {
	put(&r.FirstName, d.FirstName)
	put(&r.MiddleName, d.MiddleName)
	put(&r.LastName, d.LastName)
	put(&r.LegalName, d.LegalName)
	put(&r.TaxID, d.TaxID)
	put(&r.Phone, d.PhoneNumber)
	put(&r.Country, d.Country)

	if d.Address != nil {
		r.Address = *d.Address
	}

	if d.DateOfBirth != nil {
		r.BirthDate = d.DateOfBirth.Time
		r.HasBirth = !d.DateOfBirth.IsZero() // null clears it
	}
}

// Unsaid returns the names that are left out. null is the same.
func (d Person) Unsaid() Unsaid {
	return Unsaid{FirstName: d.FirstName == nil, LastName: d.LastName == nil}
}

// Apply writes what was given into the receiver.
func (d Details) Apply(r *Receiver) {
	d.Person.Apply(r)

	if d.IsHidden != nil {
		r.Hidden = *d.IsHidden
	}
}

// Receiver makes the record that the body asks for.
func (b CreateBody) Receiver(organisation, owner string) Receiver {
	r := Receiver{Organisation: organisation, Owner: owner, Type: b.Type, Email: mailbox.Normal(b.Email)}
	b.Details.Apply(&r)
	r.Unsaid = b.Unsaid()

	return r
}

// Apply writes what was given into the receiver.
func (b ChangeBody) Apply(r *Receiver) {
	if b.Type != nil && *b.Type != "" {
		r.Type = *b.Type
	}

	if b.Email != nil {
		r.Email = mailbox.Normal(*b.Email)
	}

	b.Details.Apply(r)
}
