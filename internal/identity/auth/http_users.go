package auth

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
	"slipway/internal/standards/mailbox"
)

// CompleteInfoView is what a person sees before completing an account.
type CompleteInfoView struct {
	Email            string    `json:"email"`
	FirstName        string    `json:"firstName"`
	LastName         string    `json:"lastName"`
	OrganisationName string    `json:"organisationName"`
	ExpiresAt        time.Time `json:"expiresAt"`
}

// QueuedView reports whether a mail was queued.
type QueuedView struct {
	Queued bool `json:"queued" doc:"false: there is nothing to do any more"`
}

type completeInfoInput struct {
	Token string `query:"token" required:"true" maxLength:"200" doc:"what stands behind the # of the link" example:"Zm9yIGV4YW1wbGU"`
}

// InvitationInfoView is what a person sees before joining by an invitation.
type InvitationInfoView struct {
	Organisation string    `json:"organisationName" example:"Muster AG"`
	Inviter      string    `json:"invitedByName" example:"Ada Muster" doc:"what the admin is called who invites"`
	Email        string    `json:"email" doc:"the address that the invitation is for"`
	Roles        []string  `json:"roles" nullable:"false"`
	Verified     bool      `json:"isVerified" doc:"the organisation is APPROVED; false: nobody has verified that it is who it says"`
	ExpiresAt    time.Time `json:"expiresAt"`
}

type completeInput struct {
	Body struct {
		Token       string `json:"token" maxLength:"200" doc:"what stands behind the # of the link" example:"Zm9yIGV4YW1wbGU"`
		Password    string `json:"password" doc:"15 characters or more, at most 1,024 bytes" verbatim:"true"`
		FirstName   string `json:"firstName" maxLength:"100"`
		LastName    string `json:"lastName" maxLength:"100"`
		PhoneNumber string `json:"phoneNumber,omitempty" maxLength:"32"`
	}
}

type staffMailInput struct {
	Body struct {
		UserID    string `json:"userId,omitempty" maxLength:"64" doc:"of the person; without it and email the caller"`
		Email     string `json:"email,omitempty" maxLength:"254"`
		FirstName string `json:"firstName,omitempty" maxLength:"100"`
		LastName  string `json:"lastName,omitempty" maxLength:"100"`
	}
}

type changeStatusInput struct {
	ID   string `path:"id"`
	Body struct {
		IsActive *bool `json:"isActive,omitempty" doc:"the state wished; without it the other one than now"`
	}
}

// completeRoutes registers the operations that complete a prepared account.
func (s *Service) completeRoutes(api *web.API) {
	byToken := "Whoever completes an account has no access token yet: the token of the mailed link is the credential, and the " +
		"header Authorization is not looked at."

	web.Register(api, web.Operation{
		Method:      "GET",
		Path:        "/users/complete/info",
		ID:          "getCompleteInfo",
		Tag:         "users",
		Access:      web.Public,
		Summary:     "What is known of an account to be completed",
		Description: byToken,
		Codes:       []fault.Code{fault.LinkInvalid, fault.AccountInactive},
	}, s.handleCompleteInfo)

	web.Register(api, web.Operation{
		Method:        "PATCH",
		Path:          "/users/complete",
		ID:            "completeUser",
		Tag:           "users",
		Access:        web.Public,
		NoIdempotency: true,
		MaxBody:       maxAuthBody,
		Summary:       "Complete an account that was prepared",
		Description:   byToken,
		Codes: []fault.Code{
			fault.LinkInvalid,
			fault.PasswordWeak,
			fault.AccountSetUp,
			fault.AccountInactive,
		},
	}, s.handleComplete)

	web.Register(api, web.Operation{
		Method:      "GET",
		Path:        "/auth/invitation/info",
		ID:          "getInvitationInfo",
		Tag:         "users",
		Access:      web.Public,
		Summary:     "Who invites, and into which organisation",
		Description: "The token of the invitation is the credential. It is not used up.",
		Codes:       []fault.Code{fault.LinkInvalid},
	}, s.handleInvitationInfo)
}

func (s *Service) handleInvitationInfo(ctx context.Context, in *completeInfoInput) (*InvitationInfoView, error) {
	if err := s.limits.fromSource(ctx, s.limits.source, s.db.Now()); err != nil {
		return nil, err
	}

	i, err := organisation.InvitedBy(ctx, s.db, in.Token, s.db.Now())

	return &InvitationInfoView{
		Organisation: i.Organisation,
		Inviter:      i.Inviter,
		Email:        i.Email,
		Roles:        append([]string{}, i.Roles...),
		Verified:     i.Verified,
		ExpiresAt:    user.Shown(i.ExpiresAt),
	}, err
}

func (s *Service) handleCompleteInfo(ctx context.Context, in *completeInfoInput) (*CompleteInfoView, error) {
	a, err := s.preparedAccount(ctx, in.Token)

	return &CompleteInfoView{
		Email:            mailbox.Show(a.user.Email),
		FirstName:        a.user.FirstName,
		LastName:         a.user.LastName,
		OrganisationName: a.organisation,
		ExpiresAt:        user.Shown(a.expires),
	}, err
}

func (s *Service) handleComplete(ctx context.Context, in *completeInput) (*user.UserView, error) {
	b := in.Body
	c := completion{
		Person:   user.Person{FirstName: b.FirstName, LastName: b.LastName},
		token:    b.Token,
		password: b.Password,
		phone:    b.PhoneNumber,
	}

	return s.answerUser(ctx, func(done func(tx *db.Tx, u user.User) error) error {
		return s.complete(ctx, c, done)
	})
}

// staffRoutes registers what the platform's people do about accounts.
func (s *Service) staffRoutes(api *web.API) {
	opens := "An address without an account gets one, to be completed."

	s.staffMailRoute(api, mailConfirm, "sendUserConfirmationEmail", "Send the mail that confirms an address", "")
	s.staffMailRoute(api, mailIdentity, "sendCompleteYourKYCEmail",
		"Send the mail that asks a person to verify his identity", "")
	s.staffMailRoute(api, mailBeneficiary, "sendCompleteYourBeneficiaryAccount",
		"Send the mail that asks a beneficiary to complete his account", opens)
	s.staffMailRoute(api, mailHNWI, "sendCompleteYourHNWI",
		"Send the mail that asks a private client to complete his account", opens)

	web.Register(api, web.Operation{
		Method:       "POST",
		Path:         "/users/{id}/change-status",
		ID:           "changeUserStatus",
		Tag:          "users",
		Access:       web.Staff,
		PeopleOnly:   true,
		OptionalBody: true,
		Summary:      "Switch an account on or off",
		Description: "Off ends every session and keeps the user's API clients out. Without `isActive` it toggles, " +
			"so that a repeated request undoes the first: send the state you wish.",
		Codes: []fault.Code{fault.ChangeStatusSelf, fault.LastAdmin, fault.RoleRequired},
	}, s.handleChangeStatus)
}

func (s *Service) staffMailRoute(api *web.API, m staffMail, id, summary, description string) {
	op := web.Operation{
		Method:       "POST",
		Path:         "/users/" + string(m),
		ID:           id,
		Tag:          "users",
		Access:       web.Staff,
		PeopleOnly:   true,
		OptionalBody: true,
		Status:       202,
		Summary:      summary,
		Description:  description,
		Codes:        []fault.Code{fault.TooManyAttempts},
	}

	web.Register(api, op, func(ctx context.Context, in *staffMailInput) (*QueuedView, error) {
		b := in.Body
		to := recipient{userID: b.UserID, email: b.Email, firstName: b.FirstName, lastName: b.LastName}
		view := func(queued bool) QueuedView { return QueuedView{Queued: queued} }

		return web.Once(ctx, 202, view, func(done func(*db.Tx, bool) error) error {
			return s.sendStaffMail(ctx, caller.Of(ctx), m, to, done)
		})
	})
}

func (s *Service) handleChangeStatus(ctx context.Context, in *changeStatusInput) (*user.UserView, error) {
	return s.answerUser(ctx, func(done func(tx *db.Tx, u user.User) error) error {
		return s.changeStatus(ctx, caller.Of(ctx), in.ID, in.Body.IsActive, done)
	})
}
