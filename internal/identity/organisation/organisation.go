// Package organisation keeps the tenants: organisations, their members and invitations, their onboarding, and the
// policy on what one person may decide alone.
//
// It promises:
//   - The onboarding status of an organisation or a member moves only along Onboarding, and only through Advance and
//     advanceMember.
//   - A member accepts transactions only while authorized.
//   - To everyone who is not a member, an organisation does not exist.
//
// It does not promise who the people behind an organisation are: the onboarding status does.
//
// Read in this order, the rules before what keeps them:
//
//   - Types and rules: organisation.go, onboarding.go (its table of moves), input.go (what people send), policy.go with
//     accept_rules.go (how many people accept together), headroom.go and sentences.go (what a policy means, in words), terms.go (prices and limits agreed with the
//     platform).
//   - The use cases: service.go, members.go, invitation.go, invitation_open.go (those that can still be used),
//     invitation_end.go (people are told that one ends), stand_in.go (a member accepts for another one for a time),
//     sign_on.go (members by the organisation's provider),
//     policy_service.go, policy_members.go and terms_proposal.go (what a second person decides), and find.go
//     (organisations of every tenant, for the platform's people).
//   - How they are shown: view.go, embedded.go (within other records).
//   - All SQL: store.go, store_invitation.go, store_policy.go, store_terms.go, store_gate.go (the condition of accept).
//   - The operations: http.go, http_members.go, http_invitations.go, http_policy.go, http_terms.go, http_audit.go (the
//     audit log); sandbox.go and http_sandbox.go (testers act as the verification provider).
package organisation

import (
	"slices"
	"strings"
	"time"

	"slipway/internal/core/day"
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

// Roles of a member. They decide what a member may do in the organisation. None of them allows to accept transactions:
// that takes the userType Authorized.
const (
	Viewer    = "viewer"
	Initiator = "initiator"
	Approver  = "approver"
	Admin     = "admin"
)

// Authorized is the userType of a member who may accept transactions. It is stored in lower case; input is compared
// without case.
const Authorized = "authorized"

// Limits of what one organisation or one person may have.
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
	DefaultWallet, DefaultToken                                 string // what payables are paid with; empty: none
	Headroom                                                    string // see ParseHeadroom; empty: the deployment's
	HomeCurrency                                                string // of its books, by ISO 4217; empty: the operator's
	TimeZone                                                    string // in which its books' days are; empty: that of its country
	TaxID, VATID                                                string // printed on invoices to it; empty: none
	Features                                                    []string
	Version                                                     int64
	CreatedAt, UpdatedAt                                        time.Time
}

// Zone returns the time zone in which the days of its books are.
func (o Organisation) Zone() *time.Location {
	if zone, ok := day.Zone(o.TimeZone); ok {
		return zone
	}

	return day.ZoneOf(o.Country)
}

// Approved returns nil if the organisation may do business, else the refusal that says why not.
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
	ApplicantID            string // the identity provider's identifier of the person
	Onboarding             Status // how far the verification of the person has come
	IsActive               bool
	StandsIn               StandIn
	Version                int64
	CreatedAt, UpdatedAt   time.Time
}

// Writers returns the roles of which a member needs one to create, change or delete receivers, wallets and
// transactions. A viewer only reads and an approver only decides. Whoever may accept a payment may also create one.
func Writers() []string { return []string{Initiator, Admin, Authorized} }

// Is reports whether an active member has the role, as one of the roles or as the userType.
func (m Member) Is(role string) bool {
	return m.IsActive && (slices.Contains(m.Roles, role) || m.UserType == role)
}

// MayAccept returns nil if the member may accept transactions, else the refusal.
func (m Member) MayAccept() error {
	if !m.IsActive || !strings.EqualFold(m.UserType, Authorized) {
		return fault.New(fault.Forbidden, fault.MemberNotAuthor,
			"Only an AUTHORIZED member of the organisation may accept transactions.")
	}

	return nil
}

// role returns the strongest role, for views that show one.
func (m Member) role() string {
	for _, r := range []string{Admin, Approver, Initiator, Viewer} {
		if slices.Contains(m.Roles, r) {
			return r
		}
	}

	return ""
}

// PrincipalRoles returns what a request's principal carries of a membership: the roles and the userType, which is one
// of them or Authorized.
func PrincipalRoles(roles, userType string) []string {
	out := db.Words(roles)
	if userType = strings.ToLower(userType); userType != "" && !slices.Contains(out, userType) {
		out = append(out, userType)
	}

	return out
}

// checkRoles adds unknown roles to l and returns the others once each, sorted, in lower case.
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

// checkUserType adds an unknown userType to l and returns the text in lower case.
func checkUserType(l *fault.List, pointer, s string) string {
	s = strings.ToLower(s)
	if !slices.Contains([]string{Authorized, Viewer, Initiator, Approver, Admin}, s) {
		l.Add(pointer, fault.NotInEnum, "must be one of authorized, viewer, initiator, approver, admin.")
	}

	return s
}
