// Package organisation keeps the tenants: organisations, their members, invitations, and how far their onboarding has
// come.
//
// Promised: the onboarding status of an organisation, and of a member, changes only along Onboarding and only through
// Advance and its like for members; a member accepts transactions only while authorized; to everyone who is not a
// member, an organisation does not exist. Not promised: who the people behind it are; that is what the onboarding
// status says.
//
// Read in this order: organisation.go and onboarding.go (types and rules), input.go, service.go, members.go (use
// cases), store.go, http.go, sandbox.go.
package organisation

import (
	"slices"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
)

// Prefixes of identifiers.
const (
	Prefix           = "org"
	memberPrefix     = "mem"
	invitationPrefix = "inv"
)

// The two kinds of client.
const (
	TypeOrganisation = "Organisation"
	TypeHNWI         = "HNWI" // a high-net-worth individual
)

// Roles of a member. They say what a member may do in the organisation; none of them lets him accept transactions.
const (
	Viewer    = "viewer"
	Initiator = "initiator"
	Approver  = "approver"
	Admin     = "admin"
)

// Authorized is the userType of a member who may accept transactions. It is stored in lower case and compared without
// case.
const Authorized = "authorized"

// The most an organisation, or a person, may have of each other.
const (
	maxMembers       = 250
	maxOrganisations = 250
	maxInvitations   = 500
)

// InvitationLifetime is how long an invitation can be used.
const InvitationLifetime = 14 * 24 * time.Hour

// Organisation is one tenant. Country is an ISO 3166-1 alpha-2 code; amounts are decimal texts in US dollars.
type Organisation struct {
	ID, Type, Name, FirstName, LastName, DateOfBirth            string
	RegistrationNumber, ReferenceCode, PayablesEmail            string
	Country, AddressLine1, PostCode, City                       string
	Onboarding                                                  Status
	TransactionValueLimit, MinUSDPaymentAmount, CumulativeTotal string
	IsOnChain, ComplexStructure, IsActive, RequireKey           bool
	Risk, CreatedBy                                             string
	DefaultWallet, DefaultToken                                 string // what payables are paid with; empty: not said
	Features                                                    []string
	Version                                                     int64
	CreatedAt, UpdatedAt                                        time.Time
}

// Approved is nil when the organisation may do business, else the refusal that says why not.
func (o Organisation) Approved() error {
	if !o.IsActive {
		return fault.New(fault.Forbidden, fault.AccountInactive, "The organisation has been switched off.")
	}

	if o.Onboarding != Approved {
		return fault.New(fault.Forbidden, fault.OrgNotApproved,
			"The organisation's onboardingStatus is %s; it must be APPROVED.", o.Onboarding)
	}

	return nil
}

// Member is a person in an organisation.
type Member struct {
	ID, Organisation, User string
	UserType               string // lower case
	Roles                  []string
	ApplicantID            string // the identity provider's, of the person
	Onboarding             Status // how far the verification of the person has come
	IsActive               bool
	Version                int64
	CreatedAt, UpdatedAt   time.Time
	PendingApproval        string // of the change that was just asked for; not stored
}

// Writers are the roles of which a member needs one to make, change or delete receivers, wallets and transactions. A
// viewer only reads, an approver only decides; whoever may accept a payment may also draw one up.
func Writers() []string { return []string{Initiator, Admin, Authorized} }

// Is reports whether an active member has the role, among his roles or as his userType.
func (m Member) Is(role string) bool {
	return m.IsActive && (slices.Contains(m.Roles, role) || m.UserType == role)
}

// MayAccept is nil when the member may accept transactions, else the refusal.
func (m Member) MayAccept() error {
	if !m.IsActive || !strings.EqualFold(m.UserType, Authorized) {
		return fault.New(fault.Forbidden, fault.MemberNotAuthor,
			"Only an AUTHORIZED member of the organisation may accept transactions.")
	}

	return nil
}

// role is the strongest role, for places that show one.
func (m Member) role() string {
	for _, r := range []string{Admin, Approver, Initiator, Viewer} {
		if slices.Contains(m.Roles, r) {
			return r
		}
	}

	return ""
}

// PrincipalRoles is what a request's principal carries of a membership: the roles and the userType, which is one of
// them or "authorized" for those who may accept.
func PrincipalRoles(roles, userType string) []string {
	out := db.Words(roles)
	if userType = strings.ToLower(userType); userType != "" && !slices.Contains(out, userType) {
		out = append(out, userType)
	}

	return out
}

// checkRoles notes roles that do not exist and returns the others once each, in lower case.
func checkRoles(l *fault.List, pointer string, roles []string) []string {
	out := []string{}
	for _, r := range roles {
		r = strings.ToLower(r)
		if !slices.Contains([]string{Viewer, Initiator, Approver, Admin}, r) {
			l.Add(pointer, fault.NotInEnum, "must be of viewer, initiator, approver, admin.")
			continue
		}

		if !slices.Contains(out, r) {
			out = append(out, r)
		}
	}

	slices.Sort(out)

	return out
}

// checkUserType notes a word that is no userType and returns it in lower case.
func checkUserType(l *fault.List, pointer, s string) string {
	s = strings.ToLower(s)
	if !slices.Contains([]string{Authorized, Viewer, Initiator, Approver, Admin}, s) {
		l.Add(pointer, fault.NotInEnum, "must be one of authorized, viewer, initiator, approver, admin.")
	}

	return s
}
