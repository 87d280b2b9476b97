package organisation

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// OrganisationAddress is the Address of the interface.
type OrganisationAddress struct {
	AddressLine1 string `json:"addressLine1" required:"false" maxLength:"200"`
	PostCode     string `json:"postCode" required:"false" maxLength:"16"`
	City         string `json:"city" required:"false" maxLength:"100"`
}

// OrganisationView is an organisation as the interface shows it. Its wallets are listed by GET /wallets/me.
type OrganisationView struct {
	ID                    string              `json:"_id"`
	OrganisationType      string              `json:"organisationType"`
	Name                  string              `json:"name"`
	FirstName             string              `json:"firstName"`
	LastName              string              `json:"lastName"`
	DateOfBirth           *time.Time          `json:"dateOfBirth"`
	RegistrationNumber    string              `json:"registrationNumber"`
	ReferenceCode         string              `json:"referenceCode"`
	PayablesEmail         string              `json:"payablesEmail"`
	Country               any                 `json:"country" doc:"Country object or null"`
	Address               OrganisationAddress `json:"address"`
	Wallets               []any               `json:"wallets"`
	Members               []MemberView        `json:"members" doc:"in a list of organisations: the caller's own membership only"`
	OnboardingStatus      Status              `json:"onboardingStatus" enum:"PENDING,SUBMITTED,APPROVED,REJECTED"`
	TransactionValueLimit string              `json:"transactionValueLimit" doc:"US dollars; 0: none of its own"`
	MinUSDPaymentAmount   string              `json:"minUSDPaymentAmount"`
	CumulativeAmount      string              `json:"cumulativeAmount"`
	IsOnChainOrganisation bool                `json:"isOnChainOrganisation"`
	ComplexStructure      bool                `json:"complexStructure"`
	IsActive              bool                `json:"isActive"`
	RequireIdempotencyKey bool                `json:"requireIdempotencyKey"`
	Risk                  string              `json:"risk"`
	Features              []string            `json:"features"`
	CustomCommissions     []CommissionView    `json:"customCommissions" nullable:"false"`
	Senders               []Sender            `json:"senders"`
	Comments              []any               `json:"comments"`
	Documents             []string            `json:"documents"`
	DefaultWallet         any                 `json:"defaultWallet" doc:"Wallet that payables are paid from, or null"`
	DefaultToken          any                 `json:"defaultToken" doc:"Token that payables are paid with, or null"`
	Version               int64               `json:"version"`
	CreatedAt             time.Time           `json:"createdAt"`
	UpdatedAt             time.Time           `json:"updatedAt"`
}

// MemberUserView is what members see of each other.
type MemberUserView struct {
	ID        string    `json:"_id"`
	Email     string    `json:"email"`
	FirstName string    `json:"firstName"`
	LastName  string    `json:"lastName"`
	IsActive  bool      `json:"isActive"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// MemberView is a member as the interface shows him.
type MemberView struct {
	ID               string         `json:"_id"`
	User             MemberUserView `json:"user"`
	Organisation     string         `json:"organisation"`
	UserType         string         `json:"userType" doc:"authorized: may accept transactions"`
	Roles            []string       `json:"roles"`
	LevelName        map[string]any `json:"levelName"`
	ApplicantID      string         `json:"applicantId"`
	OnboardingStatus string         `json:"onboardingStatus"`
	IsActive         bool           `json:"isActive"`
	PendingApproval  string         `json:"pendingApproval,omitempty" doc:"in the answer to a change: identifier of the approval that it waits for"`
	CreatedAt        time.Time      `json:"createdAt"`
	UpdatedAt        time.Time      `json:"updatedAt"`
}

// InvitationView is an invitation. The token is shown here and never again.
type InvitationView struct {
	ID           string    `json:"_id"`
	Organisation string    `json:"organisation"`
	Email        string    `json:"email"`
	Roles        []string  `json:"roles"`
	Token        string    `json:"token" doc:"hand it to the person invited; it is shown once. Empty while the invitation waits for a second admin"`
	Pending      string    `json:"pendingApproval,omitempty" doc:"identifier of the approval that it waits for; the mail goes out when it is approved"`
	ExpiresAt    time.Time `json:"expiresAt"`
	CreatedAt    time.Time `json:"createdAt"`
}

// SendersInfoView says from whose accounts deposits may come.
type SendersInfoView struct {
	Senders []Sender `json:"senders"`
	Policy  string   `json:"policy"`
}

type idInput struct {
	ID string `path:"id"`
}

type createInput struct {
	Body struct {
		OrganisationType   string               `json:"organisationType" enum:"Organisation,HNWI" doc:"HNWI: an individual, who gives firstName, lastName and dateOfBirth"`
		Name               string               `json:"name,omitempty" maxLength:"200" doc:"legal name; fixed once documents are submitted"`
		FirstName          string               `json:"firstName,omitempty" maxLength:"100"`
		LastName           string               `json:"lastName,omitempty" maxLength:"100"`
		DateOfBirth        string               `json:"dateOfBirth,omitempty" maxLength:"40" doc:"a day or date-time" example:"1980-05-17"`
		RegistrationNumber string               `json:"registrationNumber,omitempty" maxLength:"64" doc:"of the commercial register"`
		Country            string               `json:"country,omitempty" maxLength:"64" doc:"ISO 3166-1 alpha-2 code or identifier"`
		Address            *OrganisationAddress `json:"address,omitempty"`
		PayablesEmail      string               `json:"payablesEmail,omitempty" maxLength:"254" doc:"where invoices are sent to"`
	}
}

type changeInput struct {
	ID   string `path:"id"`
	Body struct {
		Name                  *string     `json:"name,omitempty" maxLength:"200" doc:"legal name; fixed once documents are submitted"`
		PayablesEmail         *string     `json:"payablesEmail,omitempty" maxLength:"254" doc:"where invoices are sent to"`
		RequireIdempotencyKey *bool       `json:"requireIdempotencyKey,omitempty" doc:"refuse requests that move money without the header Idempotency-Key"`
		DefaultWallet         *caller.Ref `json:"defaultWallet,omitempty" doc:"a wallet of the organisation's own receiver: payables are paid from it; empty: none"`
		DefaultToken          *caller.Ref `json:"defaultToken,omitempty" doc:"identifier or symbol of the token that payables are paid with where a request names none; empty: none"`
	}
}

type listInput struct {
	web.Paging
	Direction int `query:"direction" enum:"-1,1" default:"-1" doc:"-1: newest first"`
}

type membersInput struct {
	ID string `path:"id"`
	web.Paging
}

type inviteInput struct {
	ID   string `path:"id"`
	Body struct {
		Email string   `json:"email" maxLength:"254"`
		Roles []string `json:"roles,omitempty" maxItems:"4" doc:"of viewer, initiator, approver, admin"`
	}
}

type joinInput struct {
	Body struct {
		InvitationToken string `json:"invitationToken" maxLength:"200" doc:"as the admin was given it"`
	}
}

type changeMemberInput struct {
	ID       string `path:"id"`
	MemberID string `path:"memberId"`
	Body     struct {
		UserType *string  `json:"userType,omitempty" maxLength:"20" doc:"authorized, viewer, initiator, approver or admin; without case"`
		Roles    []string `json:"roles,omitempty" maxItems:"4" doc:"of viewer, initiator, approver, admin"`
		IsActive *bool    `json:"isActive,omitempty" doc:"false ends the access of the member at once"`
	}
}

// Routes registers the operations of organisations and members.
func (s *Service) Routes(api *web.API) {
	s.auditRoute(api)
	s.policyRoutes(api)

	web.Register(api, web.Operation{
		Method:      "POST",
		Path:        "/organisations/create",
		ID:          "createOrganisation",
		Tag:         "organisations",
		Access:      web.Bearer,
		Status:      201,
		PeopleOnly:  true,
		Summary:     "Create an organisation",
		Description: "It starts PENDING with its self-receiver; the caller becomes its admin and an authorized member.",
		Codes:       []fault.Code{fault.CountryUnknown, fault.OrganisationLimit},
	}, s.handleCreate)

	web.Register(api, web.Operation{
		Method:     "POST",
		Path:       "/organisations/join",
		ID:         "joinOrganisation",
		Tag:        "organisations",
		Access:     web.Bearer,
		PeopleOnly: true,
		Summary:    "Join an organisation by an invitation",
		Codes:      []fault.Code{fault.InvitationInvalid, fault.MemberExists},
	}, s.handleJoin)

	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/organisations/me",
		ID:      "listMyOrganisations",
		Tag:     "organisations",
		Access:  web.Bearer,
		Summary: "The caller's organisations",
	}, s.handleList)

	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/organisations/{id}",
		ID:      "getOrganisation",
		Tag:     "organisations",
		Access:  web.Bearer,
		Summary: "One organisation",
	}, s.handleGet)

	web.Register(api, web.Operation{
		Method:      "PATCH",
		Path:        "/organisations/{id}",
		ID:          "changeOrganisation",
		Tag:         "organisations",
		Access:      web.Bearer,
		Summary:     "Change an organisation",
		Description: "For its admins. Fields that are left out stay as they are.",
		Codes:       []fault.Code{fault.RoleRequired, fault.OrganisationNameFixed},
	}, s.handleChange)

	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/organisations/{id}/senders-info",
		ID:      "getSendersInfo",
		Tag:     "organisations",
		Access:  web.Bearer,
		Summary: "From whose bank accounts deposits may come",
	}, s.handleSenders)

	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/organisations/{id}/members",
		ID:      "listMembers",
		Tag:     "organisations",
		Access:  web.Bearer,
		Summary: "The members of an organisation",
	}, s.handleMembers)

	web.Register(api, web.Operation{
		Method:        "POST",
		Path:          "/organisations/{id}/invitations",
		ID:            "inviteMember",
		Tag:           "organisations",
		Access:        web.Bearer,
		Status:        201,
		NoIdempotency: true,
		StepUp:        true,
		PeopleOnly:    true,
		Summary:       "Invite a person",
		Description: "For admins. An earlier open invitation for the same address ends. Under an " +
			"approval policy it waits for another admin: `pendingApproval` names the approval. Mails go out for " +
			"organisations that are APPROVED.",
		Codes: []fault.Code{fault.RoleRequired, fault.MemberExists, fault.MemberLimit, fault.InvitationLimit},
	}, s.handleInvite)

	web.Register(api, web.Operation{
		Method:     "PATCH",
		Path:       "/organisations/{id}/members/{memberId}",
		ID:         "changeMember",
		Tag:        "organisations",
		Access:     web.Bearer,
		StepUp:     true,
		PeopleOnly: true,
		Summary:    "Change a member",
		Description: "For admins. Nobody authorizes himself, and one active admin remains. Under an approval " +
			"policy every " +
			"change waits for another admin: `pendingApproval` names the approval, and the member is as he was.",
		Codes: []fault.Code{fault.RoleRequired, fault.LastAdmin},
	}, s.handleChangeMember)
}

func (s *Service) handleCreate(ctx context.Context, in *createInput) (*OrganisationView, error) {
	b := in.Body

	n := Details{
		Type:               b.OrganisationType,
		Name:               b.Name,
		FirstName:          b.FirstName,
		LastName:           b.LastName,
		DateOfBirth:        b.DateOfBirth,
		RegistrationNumber: b.RegistrationNumber,
		PayablesEmail:      b.PayablesEmail,
		Country:            b.Country,
	}
	if a := b.Address; a != nil {
		n.AddressLine1 = a.AddressLine1
		n.PostCode = a.PostCode
		n.City = a.City
	}

	return s.once(ctx, 201, func(done func(*db.Tx, Organisation) error) error {
		return s.create(ctx, caller.Of(ctx).User, n, done)
	})
}

func (s *Service) handleJoin(ctx context.Context, in *joinInput) (*OrganisationView, error) {
	return s.once(ctx, 200, func(done func(*db.Tx, Organisation) error) error {
		return s.join(ctx, caller.Of(ctx).User, in.Body.InvitationToken, done)
	})
}

func (s *Service) handleChange(ctx context.Context, in *changeInput) (*OrganisationView, error) {
	c := Changes{
		Name:          in.Body.Name,
		PayablesEmail: in.Body.PayablesEmail,
		RequireKey:    in.Body.RequireIdempotencyKey,
		DefaultWallet: (*string)(in.Body.DefaultWallet),
		DefaultToken:  (*string)(in.Body.DefaultToken),
	}

	return s.once(ctx, 200, func(done func(*db.Tx, Organisation) error) error {
		return s.change(ctx, caller.Of(ctx).User, in.ID, c, done)
	})
}

// once runs a use case that ends with an organisation and shows it as it is in that transaction.
func (s *Service) once(
	ctx context.Context, status int, run func(done func(*db.Tx, Organisation) error) error,
) (*OrganisationView, error) {
	return web.Once(ctx, status, func(v OrganisationView) OrganisationView {
		return v
	}, func(done func(*db.Tx, OrganisationView) error) error {
		return run(func(tx *db.Tx, o Organisation) error {
			members, err := membersOf(ctx, tx, o.ID, "", maxMembers, 0)
			if err != nil {
				return err
			}

			v, err := s.view(ctx, tx, o, members)
			if err != nil {
				return err
			}

			return done(tx, v)
		})
	})
}

func (s *Service) handleList(ctx context.Context, in *listInput) (*web.List[OrganisationView], error) {
	window, err := in.Window()
	if err != nil {
		return nil, err
	}

	var w db.Where
	if window.After != "" {
		if !id.Valid(Prefix, window.After) {
			return nil, badCursor()
		}

		if in.Direction < 0 {
			w.And("o.id < ?", window.After)
		} else {
			w.And("o.id > ?", window.After)
		}
	}

	p := caller.Of(ctx)
	userID := p.User

	only := "" // an API client is in one organisation
	if p.Client {
		only = p.Organisation
	}

	var out web.List[OrganisationView]
	err = s.db.Snapshot(ctx, func(q db.Querier) error {
		page, total, err := listOf(ctx, q, userID, only, w, window.Limit+1, window.Offset, in.Direction < 0)
		if err != nil {
			return err
		}

		next := ""
		if len(page) > window.Limit {
			page = page[:window.Limit]
			next = page[window.Limit-1].ID
		}

		views := make([]OrganisationView, len(page))
		for i, o := range page {
			m, err := MemberOf(ctx, q, o.ID, userID)
			if err != nil {
				return err
			}

			if views[i], err = s.view(ctx, q, o, []Member{m}); err != nil {
				return err
			}
		}

		out = web.NewList(views, total, next)

		return nil
	})

	return &out, err
}

func badCursor() error {
	var l fault.List
	l.Add("?cursor", fault.CursorInvalid, "is not a cursor of this list.")
	return l.Err()
}

// visible loads an organisation for a member, or for the platform's people.
func (s *Service) visible(ctx context.Context, q db.Querier, orgID string) (Organisation, error) {
	p := caller.Of(ctx)
	if p.Staff != user.NoStaff {
		return ByID(ctx, q, orgID)
	}

	o, _, err := ForMember(ctx, q, orgID, p.User)

	return o, err
}

func (s *Service) handleGet(ctx context.Context, in *idInput) (*OrganisationView, error) {
	var v OrganisationView
	err := s.db.Snapshot(ctx, func(q db.Querier) error {
		o, err := s.visible(ctx, q, in.ID)
		if err != nil {
			return err
		}

		members, err := membersOf(ctx, q, o.ID, "", maxMembers, 0)
		if err != nil {
			return err
		}

		v, err = s.view(ctx, q, o, members)

		return err
	})

	return &v, err
}

func (s *Service) handleSenders(ctx context.Context, in *idInput) (*SendersInfoView, error) {
	o, err := s.visible(ctx, s.db, in.ID)
	if err != nil {
		return nil, err
	}

	senders, err := s.config.Senders(ctx, s.db, o.ID)

	return &SendersInfoView{Senders: senders, Policy: "OWN_ACCOUNTS_ONLY"}, err
}

func (s *Service) handleMembers(ctx context.Context, in *membersInput) (*web.List[MemberView], error) {
	window, err := in.Window()
	if err != nil {
		return nil, err
	}

	if window.After != "" && !id.Valid(memberPrefix, window.After) {
		return nil, badCursor()
	}

	var out web.List[MemberView]
	err = s.db.Snapshot(ctx, func(q db.Querier) error {
		o, err := s.visible(ctx, q, in.ID)
		if err != nil {
			return err
		}

		total, err := countMembers(ctx, q, o.ID)
		if err != nil {
			return err
		}

		page, err := membersOf(ctx, q, o.ID, window.After, window.Limit+1, window.Offset)
		if err != nil {
			return err
		}

		next := ""
		if len(page) > window.Limit {
			page = page[:window.Limit]
			next = page[window.Limit-1].ID
		}

		views, err := memberViews(ctx, q, page)
		out = web.NewList(views, total, next)

		return err
	})

	return &out, err
}

func (s *Service) handleInvite(ctx context.Context, in *inviteInput) (*InvitationView, error) {
	view := func(i Invitation) InvitationView {
		return InvitationView{
			ID:           i.ID,
			Organisation: i.Organisation,
			Email:        i.EmailKey,
			Roles:        i.Roles,
			Token:        i.Token,
			Pending:      i.PendingApproval,
			ExpiresAt:    user.Shown(i.ExpiresAt),
			CreatedAt:    user.Shown(i.CreatedAt),
		}
	}

	return web.Once(ctx, 201, view, func(done func(*db.Tx, Invitation) error) error {
		return s.invite(ctx, caller.Of(ctx).User, in.ID, in.Body.Email, in.Body.Roles, done)
	})
}

func (s *Service) handleChangeMember(ctx context.Context, in *changeMemberInput) (*MemberView, error) {
	c := MemberChanges{UserType: in.Body.UserType, Roles: in.Body.Roles, IsActive: in.Body.IsActive}

	return onceMember(ctx, func(done func(*db.Tx, Member) error) error {
		return s.changeMember(ctx, caller.Of(ctx).User, in.ID, in.MemberID, c, done)
	})
}

// onceMember runs a use case that ends with a member and shows him.
func onceMember(ctx context.Context, run func(done func(*db.Tx, Member) error) error) (*MemberView, error) {
	return web.Once(ctx, 200, func(v MemberView) MemberView {
		return v
	}, func(done func(*db.Tx, MemberView) error) error {
		return run(func(tx *db.Tx, m Member) error {
			views, err := memberViews(ctx, tx, []Member{m})
			if err != nil {
				return err
			}

			return done(tx, views[0])
		})
	})
}

func (s *Service) view(ctx context.Context, q db.Querier, o Organisation, members []Member) (OrganisationView, error) {
	v := OrganisationView{
		ID:                    o.ID,
		OrganisationType:      o.Type,
		Name:                  o.Name,
		FirstName:             o.FirstName,
		LastName:              o.LastName,
		DateOfBirth:           user.BirthTime(o.DateOfBirth),
		RegistrationNumber:    o.RegistrationNumber,
		ReferenceCode:         o.ReferenceCode,
		PayablesEmail:         o.PayablesEmail,
		Address:               OrganisationAddress{o.AddressLine1, o.PostCode, o.City},
		Wallets:               []any{},
		OnboardingStatus:      o.Onboarding,
		TransactionValueLimit: o.TransactionValueLimit,
		MinUSDPaymentAmount:   o.MinUSDPaymentAmount,
		CumulativeAmount:      o.CumulativeTotal,
		IsOnChainOrganisation: o.IsOnChain,
		ComplexStructure:      o.ComplexStructure,
		IsActive:              o.IsActive,
		RequireIdempotencyKey: o.RequireKey,
		Risk:                  o.Risk,
		Features:              o.Features,
		CustomCommissions:     []CommissionView{},
		Comments:              []any{},
		Documents:             []string{},
		Version:               o.Version,
		CreatedAt:             user.Shown(o.CreatedAt),
		UpdatedAt:             user.Shown(o.UpdatedAt),
	}

	var err error
	if v.Country, err = s.config.Countries.Show(ctx, q, o.Country); err != nil {
		return v, err
	}

	if v.CustomCommissions, err = commissionViews(ctx, q, o.ID); err != nil {
		return v, err
	}

	if v.Senders, err = s.config.Senders(ctx, q, o.ID); err != nil {
		return v, err
	}

	if s.config.Paying != nil && (o.DefaultWallet != "" || o.DefaultToken != "") {
		if v.DefaultWallet, v.DefaultToken, err = s.config.Paying(ctx, q, o); err != nil {
			return v, err
		}
	}

	v.Members, err = memberViews(ctx, q, members)

	return v, err
}

func memberViews(ctx context.Context, q db.Querier, members []Member) ([]MemberView, error) {
	ids := make([]string, len(members))
	for i, m := range members {
		ids[i] = m.User
	}

	people, err := user.BriefsOf(ctx, q, ids)
	if err != nil {
		return nil, err
	}

	out := make([]MemberView, len(members))
	for i, m := range members {
		p := people[m.User]

		out[i] = MemberView{
			ID: m.ID,
			User: MemberUserView{
				ID:        p.ID,
				Email:     p.Email,
				FirstName: p.FirstName,
				LastName:  p.LastName,
				IsActive:  p.IsActive,
				CreatedAt: user.Shown(p.CreatedAt),
				UpdatedAt: user.Shown(p.UpdatedAt),
			},
			Organisation:     m.Organisation,
			UserType:         m.UserType,
			Roles:            m.Roles,
			LevelName:        map[string]any{},
			ApplicantID:      m.ApplicantID,
			OnboardingStatus: string(m.Onboarding),
			IsActive:         m.IsActive,
			PendingApproval:  m.PendingApproval,
			CreatedAt:        user.Shown(m.CreatedAt),
			UpdatedAt:        user.Shown(m.UpdatedAt),
		}
	}

	return out, nil
}
