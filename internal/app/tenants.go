package app

import (
	"cmp"
	"context"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/auth"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/review"
	"slipway/internal/identity/twofactor"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
	"slipway/internal/standards/mailbox"
)

// TenantView is an organisation as the platform's people see it.
type TenantView struct {
	ID         string              `json:"_id" example:"org_01kaj3w8r8q2m5x9v7t4b6c1dn"`
	Type       string              `json:"organisationType" enum:"Organisation,HNWI"`
	Name       string              `json:"name" example:"Muster AG" doc:"of an individual: first and last name"`
	Country    string              `json:"countryIsoCode" example:"CH"`
	Reference  string              `json:"referenceCode"`
	Onboarding organisation.Status `json:"onboardingStatus" enum:"PENDING,SUBMITTED,APPROVED,REJECTED"`
	IsActive   bool                `json:"isActive"`
	Members    int                 `json:"memberCount" example:"4" doc:"active members"`
	Review     *review.ListedView  `json:"review,omitempty" doc:"its verification by hand; null: there is none"`
	CreatedAt  time.Time           `json:"createdAt"`
}

// tenantDetailView is an organisation with what the platform has agreed on with it, and its people.
type tenantDetailView struct {
	TenantView

	RegistrationNumber    string                           `json:"registrationNumber,omitempty" example:"CHE-123.456.789"`
	Address               organisation.OrganisationAddress `json:"address"`
	Risk                  string                           `json:"risk"`
	TransactionValueLimit string                           `json:"transactionValueLimit" doc:"US dollars; 0: none of its own"`
	MinUSDPaymentAmount   string                           `json:"minUSDPaymentAmount" doc:"US dollars; 0: none of its own"`
	CumulativeAmount      string                           `json:"cumulativeAmount" doc:"US dollars; 0: none of its own"`
	Commissions           []organisation.CommissionView    `json:"customCommissions" nullable:"false" doc:"those that its record does not show, too"`
	TermsAsked            string                           `json:"termsPending,omitempty" example:"apr_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"the approval that other terms wait for; null: none are asked for"`
	People                []tenantPersonView               `json:"members" nullable:"false"`
	AllowedActions        []string                         `json:"allowedActions" nullable:"false" example:"[\"terms\"]"`
}

// tenantPersonView is a member as the platform's people see him.
type tenantPersonView struct {
	User             string             `json:"user" example:"usr_01kaj3w8r8q2m5x9v7t4b6c1dn"`
	Name             string             `json:"name" example:"Ada Muster"`
	Email            string             `json:"email"`
	UserType         string             `json:"userType" doc:"authorized: may accept transactions"`
	Roles            []string           `json:"roles" nullable:"false"`
	Onboarding       string             `json:"onboardingStatus" doc:"of the person's own verification"`
	IsMember         bool               `json:"isMember" doc:"false: the organisation has switched the membership off"`
	IsActive         bool               `json:"isActive" doc:"false: the platform has switched the account off; nobody signs in to it"`
	TwoFactorEnabled bool               `json:"twoFactorEnabled"`
	BlockedUntil     *time.Time         `json:"codesBlockedUntil,omitempty" doc:"no code of the second factor is taken before, after wrong ones; null: codes are taken"`
	Review           *review.ListedView `json:"review,omitempty" doc:"the person's verification by hand; null: there is none"`
	AllowedActions   []string           `json:"allowedActions" nullable:"false" example:"[\"change-status\",\"recovery\"]"`
}

type tenantsIn struct {
	web.Paging
	Term     string   `query:"searchTerm" maxLength:"200" example:"Muster" doc:"words of the name, or the reference code"`
	Status   []string `query:"onboardingStatus[]" maxItems:"4" enum:"PENDING,SUBMITTED,APPROVED,REJECTED" doc:"in one of these states"`
	IsActive *bool    `query:"isActive" doc:"false: those that are switched off"`
}

type tenantIn struct {
	ID string `path:"id" maxLength:"64"`
}

type addTenantIn struct {
	Body struct {
		OrganisationType   string                            `json:"organisationType" enum:"Organisation,HNWI" doc:"HNWI: an individual, who is the admin and sends dateOfBirth"`
		Name               string                            `json:"name,omitempty" maxLength:"200" doc:"legal name; an individual may do without"`
		RegistrationNumber string                            `json:"registrationNumber,omitempty" maxLength:"64" doc:"of the commercial register"`
		Country            string                            `json:"country,omitempty" maxLength:"64" doc:"ISO 3166-1 alpha-2 code or identifier"`
		Address            *organisation.OrganisationAddress `json:"address,omitempty"`
		Email              string                            `json:"email" maxLength:"254" doc:"of the person who becomes its admin"`
		FirstName          string                            `json:"firstName" maxLength:"100" doc:"of that person"`
		LastName           string                            `json:"lastName" maxLength:"100" doc:"of that person"`
		DateOfBirth        string                            `json:"dateOfBirth,omitempty" maxLength:"40" doc:"of an individual: a day or date-time" example:"1980-05-17"`
	}
}

// tenantRoutes registers what the platform's people see of organisations.
func (a *App) tenantRoutes(api *web.API) {
	op := func(path, id, summary, description string) web.Operation {
		return web.Operation{
			Method:      "GET",
			Path:        "/operations/organisations" + path,
			ID:          id,
			Tag:         "operations",
			Access:      web.Staff,
			Summary:     summary,
			Description: description,
		}
	}

	web.Register(api, op("", "listTenants", "List organisations, and how far their verification is",
		"The newest come first."), a.listTenants)
	web.Register(api, op("/{id}", "readTenant", "Show an organisation with its terms, limits and people",
		""), a.readTenant)

	add := op(
		"",
		"addTenant",
		"Add an organisation with its first admin",
		"It starts PENDING, as if its admin had made it. An address without an account gets one, and the mail with the "+
			"link that completes it. A second call for the same admin and name adds nothing and mails once more.",
	)
	add.Method = "POST"
	add.Status = 201
	add.Stages = true
	add.PeopleOnly = true
	add.Codes = []fault.Code{
		fault.CountryUnknown,
		fault.OrganisationLimit,
		fault.AccountInactive,
		fault.TooManyAttempts,
	}
	web.Register(api, add, a.addTenant)
}

func (a *App) addTenant(ctx context.Context, in *addTenantIn) (*tenantDetailView, error) {
	b := in.Body
	c := auth.Customer{
		Details: organisation.Details{
			Type:               b.OrganisationType,
			Name:               b.Name,
			DateOfBirth:        b.DateOfBirth,
			RegistrationNumber: b.RegistrationNumber,
			Country:            b.Country,
		},
		Admin: user.Person{FirstName: b.FirstName, LastName: b.LastName, Email: b.Email},
	}

	if at := b.Address; at != nil {
		c.AddressLine1 = at.AddressLine1
		c.PostCode = at.PostCode
		c.City = at.City
	}

	asIs := func(v tenantDetailView) tenantDetailView { return v }

	return web.Once(ctx, 201, asIs, func(done func(*db.Tx, tenantDetailView) error) error {
		return a.Auth.AddOrganisation(ctx, c, func(tx *db.Tx, o organisation.Organisation) error {
			v, err := a.tenantDetail(ctx, tx, o)
			if err != nil {
				return err
			}

			return done(tx, v)
		})
	})
}

func (a *App) listTenants(ctx context.Context, in *tenantsIn) (*web.List[TenantView], error) {
	s := organisation.Search{Term: in.Term, Statuses: in.Status, IsActive: in.IsActive}

	return web.ListOf(ctx, a.DB, in.Paging,
		func(q db.Querier, page caller.Window) ([]organisation.Organisation, int64, error) {
			return organisation.Find(ctx, q, s, page)
		},
		func(o organisation.Organisation) string { return o.ID },
		func(q db.Querier, rows []organisation.Organisation) ([]TenantView, error) {
			people, err := organisation.People(ctx, q, tenantIDs(rows))
			if err != nil {
				return nil, err
			}

			return tenantViews(ctx, q, rows, people, a.DB.Now())
		},
	)
}

func tenantIDs(all []organisation.Organisation) []string {
	out := make([]string, len(all))
	for i, o := range all {
		out[i] = o.ID
	}

	return out
}

// tenantViews shows organisations with the number of their people and their verification.
func tenantViews(
	ctx context.Context,
	q db.Querier,
	all []organisation.Organisation,
	people []organisation.Member,
	now time.Time,
) ([]TenantView, error) {
	reviews, err := review.Of(ctx, q, tenantIDs(all), now)
	if err != nil {
		return nil, err
	}

	active := map[string]int{}

	for _, m := range people {
		if m.IsActive {
			active[m.Organisation]++
		}
	}

	out := make([]TenantView, len(all))
	for i, o := range all {
		out[i] = TenantView{
			ID:         o.ID,
			Type:       o.Type,
			Name:       cmp.Or(o.Name, strings.TrimSpace(o.FirstName+" "+o.LastName)),
			Country:    o.Country,
			Reference:  o.ReferenceCode,
			Onboarding: o.Onboarding,
			IsActive:   o.IsActive,
			Members:    active[o.ID],
			Review:     reviewOf(reviews, o.ID),
			CreatedAt:  o.CreatedAt.Truncate(time.Millisecond),
		}
	}

	return out, nil
}

// reviewOf returns the case of a subject, or nil for none.
func reviewOf(all map[string]review.ListedView, subject string) *review.ListedView {
	if v, ok := all[subject]; ok {
		return &v
	}

	return nil
}

func (a *App) readTenant(ctx context.Context, in *tenantIn) (*tenantDetailView, error) {
	var v tenantDetailView

	err := a.DB.Snapshot(ctx, func(q db.Querier) error {
		o, err := organisation.ByID(ctx, q, in.ID)
		if err != nil {
			return err
		}

		v, err = a.tenantDetail(ctx, q, o)

		return err
	})

	return &v, err
}

func (a *App) tenantDetail(
	ctx context.Context,
	q db.Querier,
	o organisation.Organisation,
) (tenantDetailView, error) {
	members, err := organisation.People(ctx, q, []string{o.ID})
	if err != nil {
		return tenantDetailView{}, err
	}

	views, err := tenantViews(ctx, q, []organisation.Organisation{o}, members, a.DB.Now())
	if err != nil {
		return tenantDetailView{}, err
	}

	v := tenantDetailView{
		TenantView:         views[0],
		RegistrationNumber: o.RegistrationNumber,
		Address: organisation.OrganisationAddress{
			AddressLine1: o.AddressLine1,
			PostCode:     o.PostCode,
			City:         o.City,
		},
		Risk:                  o.Risk,
		TransactionValueLimit: o.TransactionValueLimit,
		MinUSDPaymentAmount:   o.MinUSDPaymentAmount,
		CumulativeAmount:      o.CumulativeTotal,
		Commissions:           []organisation.CommissionView{},
		AllowedActions:        caller.Allowed(ctx, caller.Act{Word: "terms", Operation: "changeTerms"}),
	}

	commissions, err := organisation.CommissionsOf(ctx, q, organisation.CustomCommissions, o.ID)
	if err != nil {
		return v, err
	}

	for _, c := range commissions {
		v.Commissions = append(v.Commissions, organisation.CommissionViewOf(c))
	}

	asked, err := approval.PendingOf(ctx, q, approval.Terms, []string{""}, []string{o.ID})
	if err != nil {
		return v, err
	}

	v.TermsAsked = asked[o.ID]
	v.People, err = tenantPeople(ctx, q, members, a.DB.Now())

	return v, err
}

// tenantPeople shows members with their accounts and their verification.
func tenantPeople(
	ctx context.Context,
	q db.Querier,
	members []organisation.Member,
	now time.Time,
) ([]tenantPersonView, error) {
	ids := make([]string, len(members))
	for i, m := range members {
		ids[i] = m.User
	}

	people, err := user.BriefsOf(ctx, q, ids)
	if err != nil {
		return nil, err
	}

	factors, err := twofactor.StandingsOf(ctx, q, ids)
	if err != nil {
		return nil, err
	}

	reviews, err := review.Of(ctx, q, ids, now)
	if err != nil {
		return nil, err
	}

	out := make([]tenantPersonView, len(members))
	for i, m := range members {
		p := people[m.User]
		f := factors[m.User]

		out[i] = tenantPersonView{
			User:             m.User,
			Name:             p.Name(),
			Email:            mailbox.Show(p.Email),
			UserType:         m.UserType,
			Roles:            append([]string{}, m.Roles...),
			Onboarding:       string(m.Onboarding),
			IsMember:         m.IsActive,
			IsActive:         p.IsActive,
			TwoFactorEnabled: f.Enabled,
			Review:           reviewOf(reviews, m.User),
			AllowedActions:   personActions(ctx, m.User, f),
		}

		if f.BlockedUntil.After(now) {
			out[i].BlockedUntil = momentOrNil(f.BlockedUntil)
		}
	}

	return out, nil
}

// personActions returns what the caller may do about a person's account.
func personActions(ctx context.Context, person string, f twofactor.Standing) []string {
	var itself, none error

	if person == caller.Of(ctx).User {
		itself = fault.New(fault.Conflict, fault.ChangeStatusSelf, "You cannot switch off your own account.")
	}

	if !f.Enabled {
		none = fault.New(fault.Conflict, fault.TwoFactorOff, "The person has no second factor.")
	}

	return caller.Allowed(ctx,
		caller.Act{Word: "change-status", Operation: "changeUserStatus", Refusal: itself},
		caller.Act{Word: "recovery", Operation: "recoverUser", Refusal: none},
	)
}
