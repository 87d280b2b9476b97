package user

import (
	"context"
	"errors"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/record"
	"slipway/internal/identity/comment"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
	"slipway/internal/standards/mailbox"
)

// UserView is a user as the interface shows it. Neither it nor User has a field for the password or its hash.
type UserView struct {
	ID                string           `json:"_id"`
	Email             string           `json:"email"`
	FirstName         string           `json:"firstName,omitempty"`
	LastName          string           `json:"lastName,omitempty"`
	Address           string           `json:"address,omitempty"`
	PhoneNumber       string           `json:"phoneNumber,omitempty"`
	MessagingHandle   string           `json:"messagingHandle,omitempty"`
	KycOnboardingInfo string           `json:"kycOnboardingInfo,omitempty" doc:"onboardingStatus of the person; null before his verification was begun"`
	KybOnboardingInfo string           `json:"kybOnboardingInfo,omitempty" doc:"onboardingStatus of the organisation acted for; null without one"`
	OrganisationRole  string           `json:"organisationRole,omitempty" doc:"role in the organisation acted for"`
	PlatformRole      string           `json:"platformRole,omitempty" enum:"staff,operator" example:"operator" doc:"what the person may do for the platform; null for everybody else"`
	TwoFactorRequired bool             `json:"twoFactorRequired"`
	TwoFactorEnabled  bool             `json:"twoFactorEnabled"`
	IsEmailConfirmed  bool             `json:"isEmailConfirmed"`
	IsAccountSetup    bool             `json:"isAccountSetup"`
	IsActive          bool             `json:"isActive"`
	Citizenship       []record.Country `json:"citizenship" nullable:"false"`
	Country           *record.Country  `json:"country"`
	DateOfBirth       *time.Time       `json:"dateOfBirth"`
	Features          []string         `json:"features"`
	Comments          []comment.View   `json:"comments" nullable:"false" doc:"what the platform's people have written about the person, the newest last"`
	Organisations     []Membership     `json:"organisations"`
	Version           int64            `json:"version"`
	CreatedAt         time.Time        `json:"createdAt"`
	UpdatedAt         time.Time        `json:"updatedAt"`
}

// Record returns the identifier and the version.
func (v UserView) Record() (id string, version int64) { return v.ID, v.Version }

type changeMeInput struct {
	Body struct {
		FirstName       *string      `json:"firstName,omitempty" nullable:"false" maxLength:"100"`
		LastName        *string      `json:"lastName,omitempty" nullable:"false" maxLength:"100"`
		Address         *string      `json:"address,omitempty" maxLength:"500"`
		PhoneNumber     *string      `json:"phoneNumber,omitempty" maxLength:"32"`
		MessagingHandle *string      `json:"messagingHandle,omitempty" maxLength:"64"`
		Country         *caller.Ref  `json:"country,omitempty" record:"country" maxLength:"64" doc:"ISO 3166-1 alpha-2 code or identifier; empty clears it"`
		Citizenship     []caller.Ref `json:"citizenship,omitempty" record:"country" maxItems:"10" doc:"codes or identifiers of countries; [] clears it"`
		DateOfBirth     *string      `json:"dateOfBirth,omitempty" maxLength:"40" doc:"a day or date-time; empty clears it" example:"1980-05-17"`
	}
}

type noInput struct{}

// Routes registers the operations of users.
func (s *Service) Routes(api *web.API) {
	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/users/me",
		ID:      "getMe",
		Tag:     "users",
		Access:  web.Bearer,
		Summary: "The signed-in user",
	}, s.handleGet)

	web.Register(api, web.Operation{
		Method:     "PATCH",
		Path:       "/users/me",
		ID:         "changeMe",
		Versioned:  true,
		Stages:     true,
		Tag:        "users",
		Access:     web.Bearer,
		PeopleOnly: true,
		Summary:    "Change the signed-in user",
		Description: "Fields that are left out stay as they are. The e-mail address, roles and flags cannot be " +
			"changed here.",
		Codes: []fault.Code{fault.CountryUnknown, fault.UnknownField},
	}, s.handleChange)
}

func (s *Service) handleGet(ctx context.Context, _ *noInput) (*UserView, error) {
	p := caller.Of(ctx)

	u, err := ByID(ctx, s.db, p.User)
	if err != nil {
		return nil, gone(err)
	}

	v, err := s.View(ctx, s.db, u, p.Organisation)

	return &v, err
}

func (s *Service) handleChange(ctx context.Context, in *changeMeInput) (*UserView, error) {
	p := caller.Of(ctx)
	b := in.Body
	c := Changes{
		FirstName:       b.FirstName,
		LastName:        b.LastName,
		Address:         b.Address,
		PhoneNumber:     b.PhoneNumber,
		MessagingHandle: b.MessagingHandle,
		Country:         (*string)(b.Country),
		DateOfBirth:     b.DateOfBirth,
	}

	if b.Citizenship != nil {
		c.Citizenship = []string{}
	}

	for _, country := range b.Citizenship {
		c.Citizenship = append(c.Citizenship, string(country))
	}

	asIs := func(v UserView) UserView { return v }

	return web.Once(ctx, 200, asIs, func(done func(*db.Tx, UserView) error) error {
		return gone(s.change(ctx, p.User, c, func(tx *db.Tx, u User) error {
			v, err := s.View(ctx, tx, u, p.Organisation)
			if err != nil {
				return err
			}

			return done(tx, v)
		}))
	})
}

// gone turns db.ErrNone into NOT_FOUND: a cached token may outlive its user's row for a moment.
func gone(err error) error {
	if errors.Is(err, db.ErrNone) {
		return fault.Missing("user")
	}

	return err
}

// View shows a user with countries and organisations. organisation is the one acted for; it may be empty.
func (s *Service) View(ctx context.Context, q db.Querier, u User, organisation string) (UserView, error) {
	v := UserView{
		ID:                u.ID,
		Email:             mailbox.Show(u.Email),
		FirstName:         u.FirstName,
		LastName:          u.LastName,
		Address:           u.Address,
		PhoneNumber:       u.PhoneNumber,
		MessagingHandle:   u.MessagingHandle,
		PlatformRole:      u.Staff,
		TwoFactorRequired: u.TwoFactorRequired,
		IsEmailConfirmed:  !u.ConfirmedAt.IsZero(),
		IsAccountSetup:    u.IsAccountSetup,
		IsActive:          u.IsActive,
		Citizenship:       []record.Country{},
		DateOfBirth:       BirthTime(u.DateOfBirth),
		Features:          u.Features,
		Comments:          []comment.View{},
		Organisations:     []Membership{},
		Version:           u.Version,
		CreatedAt:         Shown(u.CreatedAt),
		UpdatedAt:         Shown(u.UpdatedAt),
	}

	var err error
	if v.Country, err = s.countries.Show(ctx, q, u.Country); err != nil {
		return v, err
	}

	for _, code := range u.Citizenship {
		c, err := s.countries.Show(ctx, q, code)
		if err != nil {
			return v, err
		}

		if c != nil {
			v.Citizenship = append(v.Citizenship, *c)
		}
	}

	comments, err := comment.Of(ctx, q, u.ID)
	if err != nil {
		return v, err
	}

	v.Comments = append(v.Comments, comments[u.ID]...)

	if v.TwoFactorEnabled, err = s.twoFactor(ctx, q, u.ID); err != nil {
		return v, err
	}

	if v.KycOnboardingInfo, v.KybOnboardingInfo, err = s.onboarding(ctx, q, u.ID, organisation); err != nil {
		return v, err
	}

	in, err := s.memberships(ctx, q, u.ID)
	for _, m := range in {
		v.Organisations = append(v.Organisations, m)
		if m.Organisation == organisation {
			v.OrganisationRole = m.Role
		}
	}

	return v, err
}
