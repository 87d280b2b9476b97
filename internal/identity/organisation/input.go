package organisation

import (
	"context"
	"regexp"
	"strings"
	"time"

	"slipway/internal/core/day"
	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
)

// Details are what someone sends to create an organisation. Only Type is required, and for TypeHNWI the person's name
// and day of birth.
type Details struct {
	Type, Name, FirstName, LastName, DateOfBirth string
	RegistrationNumber, PayablesEmail, Country   string
	AddressLine1, PostCode, City                 string
}

// CalledName returns what the organisation is called: its name, or else that of the individual.
func (n Details) CalledName() string {
	if n.Name == "" && n.Type == TypeHNWI {
		return n.FirstName + " " + n.LastName
	}

	return n.Name
}

// Check returns the details with every text in the form that is stored, and adds to l everything that is wrong with
// them.
func (s *Service) Check(ctx context.Context, q db.Querier, l *fault.List, n Details, now time.Time) (Details, error) {
	if n.Type != TypeOrganisation && n.Type != TypeHNWI {
		l.Add("/organisationType", fault.NotInEnum, "must be one of %s, %s.", TypeOrganisation, TypeHNWI)
	}

	person := n.Type == TypeHNWI
	n.Name = user.CheckName(l, "/name", n.Name, 200, false)
	n.FirstName = user.CheckName(l, "/firstName", n.FirstName, 100, person)
	n.LastName = user.CheckName(l, "/lastName", n.LastName, 100, person)

	switch {
	case n.DateOfBirth != "":
		n.DateOfBirth = user.CheckBirth(l, "/dateOfBirth", n.DateOfBirth, now)
	case person:
		l.Add("/dateOfBirth", fault.Required, "is required for an individual.")
	}

	n.RegistrationNumber = user.CheckText(l, "/registrationNumber", n.RegistrationNumber, 64, false)
	if n.PayablesEmail != "" {
		n.PayablesEmail = user.CheckEmail(l, "/payablesEmail", n.PayablesEmail)
	}

	n.AddressLine1 = user.CheckText(l, "/address/addressLine1", n.AddressLine1, 200, false)
	n.PostCode = user.CheckText(l, "/address/postCode", n.PostCode, 16, false)
	n.City = user.CheckText(l, "/address/city", n.City, 100, false)

	if n.Country != "" {
		code, err := s.config.Countries.Resolve(ctx, q, l, "/country", n.Country)
		if err != nil {
			return n, err
		}

		n.Country = code
	}

	return n, nil
}

// Changes are what an admin may change about an organisation. A nil field stays as it is.
type Changes struct {
	Name, PayablesEmail         *string
	RequireKey                  *bool
	Headroom                    *string
	DefaultWallet, DefaultToken *string
	HomeCurrency, TimeZone      *string // empty: none
	TaxID, VATID                *string // empty: none
}

// apply returns the organisation with the changes made, and notes what is wrong with them. The name stays once
// documents are submitted: it is what gets verified, and an approval must not carry over to another name.
func (c Changes) apply(o Organisation, l *fault.List) (Organisation, error) {
	if c.Name != nil {
		name := user.CheckName(l, "/name", *c.Name, 200, true)
		if name != o.Name && o.Onboarding != Pending && o.Onboarding != Rejected {
			return o, fault.New(fault.Conflict, fault.OrganisationNameFixed,
				"The name cannot change while the onboardingStatus is %s.", o.Onboarding)
		}

		o.Name = name
	}

	if c.PayablesEmail != nil {
		o.PayablesEmail = *c.PayablesEmail
		if o.PayablesEmail != "" {
			o.PayablesEmail = user.CheckEmail(l, "/payablesEmail", o.PayablesEmail)
		}
	}

	if c.RequireKey != nil {
		o.RequireKey = *c.RequireKey
	}

	if c.Headroom != nil {
		o.Headroom = *c.Headroom
		if o.Headroom != "" {
			o.Headroom = CheckHeadroom(l, "/quoteHeadroomPercent", o.Headroom).String()
		}
	}

	if c.DefaultWallet != nil {
		o.DefaultWallet = *c.DefaultWallet
	}

	if c.DefaultToken != nil {
		o.DefaultToken = *c.DefaultToken
	}

	if c.HomeCurrency != nil {
		o.HomeCurrency = *c.HomeCurrency
	}

	if c.TimeZone != nil {
		o.TimeZone = strings.TrimSpace(*c.TimeZone)

		if _, ok := day.Zone(o.TimeZone); !ok && o.TimeZone != "" {
			l.Add(
				"/timeZone",
				fault.FormatInvalid,
				"must be a name of the IANA time zone database, such as Europe/Zurich.",
			)
		}
	}

	if c.TaxID != nil {
		o.TaxID = user.CheckText(l, "/taxId", *c.TaxID, 64, false)
	}

	if c.VATID != nil {
		o.VATID = checkVATID(l, "/vatId", *c.VATID)
	}

	return o, nil
}

// vatID is a VAT identification number: the country's code and its own part (Directive 2006/112/EC, article 215).
var vatID = regexp.MustCompile(`^[A-Z]{2}[0-9A-Z+*.]{2,18}$`)

// checkVATID returns a VAT identifier without spaces, in capital letters. It adds to l if the text cannot be one.
func checkVATID(l *fault.List, pointer, s string) string {
	s = strings.ToUpper(strings.ReplaceAll(user.CheckText(l, pointer, s, 32, false), " ", ""))
	if s != "" && !vatID.MatchString(s) {
		l.Add(pointer, fault.FormatInvalid, "must begin with the two letters of its country, such as DE123456789.")
	}

	return s
}

// MemberChanges are what an admin may change about a member. A nil field stays as it is.
type MemberChanges struct {
	UserType *string
	Roles    []string // nil: as they are; empty: none
	IsActive *bool
	StandsIn *StandIn // the zero value: for nobody
}

// apply returns the member with the changes made, or one refusal. self means that an admin changes the own membership:
// nobody authorizes himself.
func (c MemberChanges) apply(m Member, self bool) (Member, error) {
	var l fault.List
	if c.UserType != nil {
		before := m.UserType
		m.UserType = checkUserType(&l, "/userType", *c.UserType)

		if self && m.UserType == Authorized && before != Authorized {
			l.Add("/userType", fault.NotAllowed,
				"cannot be set to authorized by the member himself; another admin does it.")
		}
	}

	if c.Roles != nil {
		m.Roles = checkRoles(&l, "/roles", c.Roles)
	}

	if c.IsActive != nil {
		m.IsActive = *c.IsActive
	}

	switch {
	case c.StandsIn != nil:
		m.StandsIn = *c.StandsIn
	case m.UserType == Authorized: // who accepts himself stands in for nobody
		m.StandsIn = StandIn{}
	}

	return m, l.Err()
}
