package auth

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// CompleteInfoView is what a person sees before he completes his account.
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
	Token string `query:"token" required:"true" maxLength:"200" doc:"what stands behind the # of the link"`
}

type completeInput struct {
	Body struct {
		Token       string `json:"token" maxLength:"200" doc:"what stands behind the # of the link"`
		Password    string `json:"password" doc:"15 characters or more, at most 1,024 bytes"`
		FirstName   string `json:"firstName" maxLength:"100"`
		LastName    string `json:"lastName" maxLength:"100"`
		PhoneNumber string `json:"phoneNumber,omitempty" maxLength:"32"`
	}
}

type errandInput struct {
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

// userRoutes registers the operations of users that concern signing in.
func (s *Service) userRoutes(api *web.API) {
	bearer := "Send the link's token, or an access token, as Authorization: Bearer."
	info := web.Operation{
		Method:      "GET",
		Path:        "/users/complete/info",
		ID:          "getCompleteInfo",
		Tag:         "users",
		Access:      web.Public,
		Summary:     "What is known of an account to be completed",
		Description: bearer,
		Codes:       []fault.Code{fault.TokenMissing, fault.LinkInvalid},
	}
	web.Register(api, info, func(ctx context.Context, in *completeInfoInput) (*CompleteInfoView, error) {
		c, err := s.completeInfo(ctx, in.Token)

		return &CompleteInfoView{
			Email:            c.user.Email,
			FirstName:        c.user.FirstName,
			LastName:         c.user.LastName,
			OrganisationName: c.organisation,
			ExpiresAt:        user.Shown(c.expires),
		}, err
	})
	complete := web.Operation{
		Method:        "PATCH",
		Path:          "/users/complete",
		ID:            "completeUser",
		Tag:           "users",
		Access:        web.Public,
		NoIdempotency: true,
		MaxBody:       maxAuthBody,
		Summary:       "Complete an account that was prepared",
		Description:   bearer,
		Codes:         []fault.Code{fault.TokenMissing, fault.LinkInvalid, fault.PasswordWeak, fault.AccountSetUp},
	}
	web.Register(api, complete, func(ctx context.Context, in *completeInput) (*user.UserView, error) {
		c := completion{token: in.Body.Token, password: in.Body.Password, phone: in.Body.PhoneNumber}
		c.FirstName = in.Body.FirstName
		c.LastName = in.Body.LastName

		return s.answerUser(ctx, func(done func(tx *db.Tx, u user.User) error) error {
			return s.complete(ctx, c, done)
		})
	})

	for _, e := range []struct {
		errand
		id, summary, description string
	}{
		{errandConfirm, "sendUserConfirmationEmail", "Send the mail that confirms an address", ""},
		{errandIdentity, "sendCompleteYourKYCEmail", "Send the mail that asks a person to verify his identity", ""},
		{errandBeneficiary, "sendCompleteYourBeneficiaryAccount", "Send the mail that asks a beneficiary to " +
			"complete his account", "An address without an account gets one, to be completed."},
		{errandHNWI, "sendCompleteYourHNWI", "Send the mail that asks a private client to complete his account", "An address without an account gets one, to be completed."},
	} {
		op := web.Operation{
			Method:       "POST",
			Path:         "/users/" + string(e.errand),
			ID:           e.id,
			Tag:          "users",
			Access:       web.Staff,
			PeopleOnly:   true,
			OptionalBody: true,
			Status:       202,
			Summary:      e.summary,
			Description:  e.description,
			Codes:        []fault.Code{fault.TooManyAttempts},
		}

		web.Register(api, op, func(ctx context.Context, in *errandInput) (*QueuedView, error) {
			to := addressee{
				userID:    in.Body.UserID,
				email:     in.Body.Email,
				firstName: in.Body.FirstName,
				lastName:  in.Body.LastName,
			}

			return web.Once(ctx, 202, func(queued bool) QueuedView {
				return QueuedView{Queued: queued}
			}, func(done func(*db.Tx, bool) error) error {
				return s.sendErrand(ctx, caller.Of(ctx), e.errand, to, done)
			})
		})
	}

	status := web.Operation{
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
	}
	web.Register(api, status, func(ctx context.Context, in *changeStatusInput) (*user.UserView, error) {
		return s.answerUser(ctx, func(done func(tx *db.Tx, u user.User) error) error {
			return s.changeStatus(ctx, caller.Of(ctx), in.ID, in.Body.IsActive, done)
		})
	})
}
