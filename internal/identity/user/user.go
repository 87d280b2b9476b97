// Package user keeps people: who they are and what they may change about themselves. Package auth keeps their passwords
// and sessions, package organisation their memberships.
//
// It promises one account for each e-mail address, whatever its letter case, and that a person changes only the fields
// of Changes. It does not promise that an address belongs to the person unless ConfirmedAt is set.
//
// Read in this order: user.go (what a user is), rules.go (checks of texts that organisations share), service.go,
// account.go (what happens to an account), grant.go (who belongs to the platform, and who can be a second person),
// embedded.go (a person within other records), store.go, store_grant.go, store_language.go (the language of his mails),
// http.go.
package user

import (
	"reflect"
	"strconv"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/standards/mailbox"
)

// The platform's own people. Operator includes Staff.
const (
	NoStaff  = ""
	Staff    = "staff"
	Operator = "operator"
)

// Prefix of a user's identifier.
const Prefix = "usr"

// User is one person. Country and Citizenship are ISO 3166-1 alpha-2 codes; DateOfBirth is a day such as 1980-05-17,
// or empty.
type User struct {
	ID, Email, FirstName, LastName        string
	Address, PhoneNumber, MessagingHandle string
	Country                               string
	Citizenship                           []string
	DateOfBirth                           string
	Features                              []string
	Staff                                 string
	TwoFactorRequired, IsAccountSetup     bool
	IsActive                              bool
	ConfirmedAt                           time.Time // of the e-mail address; zero: it was not
	Version                               int64
	CreatedAt, UpdatedAt                  time.Time
}

// Person is what someone sends to get an account. Call Check before use.
type Person struct{ FirstName, LastName, Email string }

// Check trims the texts and adds to l everything that is wrong with them, under the JSON names of the registration
// body.
func (p *Person) Check(l *fault.List) {
	p.FirstName = CheckName(l, "/firstName", p.FirstName, 100, true)
	p.LastName = CheckName(l, "/lastName", p.LastName, 100, true)
	p.Email = CheckEmail(l, "/email", p.Email)
}

// Key returns an e-mail address in the form in which addresses are compared (mailbox.Key).
func Key(email string) string { return mailbox.Key(email) }

// Changes are what a person may change about himself. A nil field stays as it is. An empty text clears a field that may
// be empty. E-mail, roles, staff, features and the flags are missing on purpose.
type Changes struct {
	FirstName, LastName, Address, PhoneNumber, MessagingHandle *string
	Country, DateOfBirth                                       *string
	Citizenship                                                []string
}

// check puts the texts into the form that is stored and adds to l what is wrong with them. country turns a caller's
// reference to a country into a code.
func (c *Changes) check(l *fault.List, now time.Time, country func(pointer, ref string) string) {
	type checkFunc = func(l *fault.List, pointer, s string, maxLength int, required bool) string

	text := func(check checkFunc, pointer string, s *string, maxLength int, required bool) {
		if s != nil {
			*s = check(l, pointer, *s, maxLength, required)
		}
	}

	text(CheckName, "/firstName", c.FirstName, 100, true)
	text(CheckName, "/lastName", c.LastName, 100, true)
	text(CheckText, "/address", c.Address, 500, false)
	text(CheckText, "/messagingHandle", c.MessagingHandle, 64, false)

	if c.PhoneNumber != nil {
		*c.PhoneNumber = CheckPhone(l, "/phoneNumber", *c.PhoneNumber)
	}

	if c.DateOfBirth != nil && *c.DateOfBirth != "" {
		*c.DateOfBirth = CheckBirth(l, "/dateOfBirth", *c.DateOfBirth, now)
	}

	if c.Country != nil && *c.Country != "" {
		*c.Country = country("/country", *c.Country)
	}

	for i, ref := range c.Citizenship {
		c.Citizenship[i] = country("/citizenship/"+strconv.Itoa(i), ref)
	}
}

// apply returns the user with the changes made.
func (c Changes) apply(u User) User {
	set := func(to *string, from *string) {
		if from != nil {
			*to = *from
		}
	}
	set(&u.FirstName, c.FirstName)
	set(&u.LastName, c.LastName)
	set(&u.Address, c.Address)
	set(&u.PhoneNumber, c.PhoneNumber)
	set(&u.MessagingHandle, c.MessagingHandle)
	set(&u.Country, c.Country)
	set(&u.DateOfBirth, c.DateOfBirth)

	if c.Citizenship != nil {
		u.Citizenship = c.Citizenship
	}

	return u
}

// equal reports whether two states of an account are the same.
func (u User) equal(other User) bool {
	if len(u.Citizenship) == 0 && len(other.Citizenship) == 0 { // none, read or cleared
		u.Citizenship = other.Citizenship
	}

	return reflect.DeepEqual(u, other)
}
