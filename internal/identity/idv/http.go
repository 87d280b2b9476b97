package idv

import (
	"context"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
	provider "slipway/internal/rails/idv"
)

// ApplicantView is a registered applicant.
type ApplicantView struct {
	ApplicantID    string `json:"applicantId" doc:"the provider's identifier"`
	ExternalUserID string `json:"externalUserId" doc:"the user or the organisation"`
	Type           string `json:"type" enum:"user,organisation" doc:"whose onboarding follows"`
	LevelName      string `json:"levelName" doc:"what the provider looks at"`
	Status         string `json:"status" enum:"INIT,PENDING,PRECHECKED,QUEUED,ON_HOLD,COMPLETED" doc:"of the provider's review"`
}

// InfoView is the review of an applicant.
type InfoView struct {
	ApplicantID       string              `json:"applicantId"`
	ExternalUserID    string              `json:"externalUserId"`
	Type              string              `json:"type" enum:"user,organisation"`
	LevelName         string              `json:"levelName"`
	ReviewStatus      string              `json:"reviewStatus" doc:"init, pending, prechecked, queued, completed or onHold, as the provider writes it"`
	ReviewAnswer      *string             `json:"reviewAnswer" doc:"GREEN, RED, or null while there is none"`
	RejectType        *string             `json:"rejectType" doc:"RETRY: documents may be handed in again; FINAL: they may not; null without a rejection"`
	RejectLabels      []string            `json:"rejectLabels" nullable:"false" doc:"the provider's reasons"`
	ModerationComment string              `json:"moderationComment" doc:"what is to be done better, in the provider's words"`
	OnboardingStatus  organisation.Status `json:"onboardingStatus" enum:"PENDING,SUBMITTED,APPROVED,REJECTED" doc:"what the review means here"`
	RetryAllowed      bool                `json:"retryAllowed" doc:"whether documents may be handed in again after a rejection"`
	StatusInfo        string              `json:"statusInfo"`
	UpdatedAt         time.Time           `json:"updatedAt"`
}

// TokenView opens the provider's widget for one applicant.
type TokenView struct {
	Token     string    `json:"token" doc:"for the provider's widget; it is shown once" example:"Zm9yIGV4YW1wbGU"`
	URL       *string   `json:"url" doc:"where the token opens the hosted form, with a verification by hand; null: it is for the provider's widget"`
	UserID    string    `json:"userId" doc:"the user or the organisation that it is for"`
	LevelName string    `json:"levelName"`
	ExpiresAt time.Time `json:"expiresAt"`
}

type applicantInput struct {
	ApplicantID string `path:"applicantId"`
}

type updateInput struct {
	ApplicantID    string `path:"applicantId"`
	OrganisationID string `query:"organisationId" required:"true" maxLength:"64" doc:"the organisation, or one of which the person is a member"`
	Body           struct {
		FixedInfo *FixedInfo `json:"fixedInfo,omitempty" doc:"corrected details; only before documents were handed in, or after a rejection that allows another try"`
	}
}

type tokenInput struct {
	Body struct {
		Type           string `json:"type" enum:"user,organisation" doc:"who is to be verified: the caller, or an organisation"`
		OrganisationID string `json:"organisationId,omitempty" maxLength:"64" doc:"required for organisation"`
	}
}

// Routes registers the operations and the provider's webhook.
func (s *Service) Routes(api *web.API) {
	op := func(path, id, summary, description string, codes ...fault.Code) web.Operation {
		return web.Operation{
			Method:      "POST",
			Path:        path,
			ID:          id,
			Tag:         "verifications",
			Access:      web.Bearer,
			Summary:     summary,
			Description: description,
			Codes:       append(codes, fault.UpstreamFailed),
		}
	}

	person := op("/idv/users", "registerPerson", "Register the caller with the identity provider",
		"The second call returns the same applicant.", fault.ProviderRefused)
	person.PeopleOnly = true
	web.Register(api, person, s.handlePerson)

	company := op("/idv/companies", "registerCompany", "Register the organisation with the identity provider",
		"For admins of the organisation acted for. The second call returns the same applicant.", fault.ProviderRefused)
	company.Access = web.Tenant
	company.Roles = []string{organisation.Admin}
	web.Register(api, company, s.handleCompany)

	info := op("/idv/get-applicant-info/{applicantId}", "getApplicantInfo", "How a verification stands",
		"As it was read from the provider last. It is read when an event comes, and every half hour while a review is "+
			"open.")
	info.NoIdempotency = true
	web.Register(api, info, s.handleInfo)

	update := op("/idv/update-applicant-info/{applicantId}", "updateApplicantInfo",
		"Correct the applicant's details, and read the provider again", "Without a body nothing is corrected.",
		fault.ApplicantFixed, fault.ProviderRefused)
	update.OptionalBody = true
	web.Register(api, update, s.handleUpdate)

	token := op("/idv/get-applicant-token", "getApplicantToken", "Get a token for the provider's widget",
		"For the caller, or for an organisation of which he is an admin. Registers the applicant if that was not done "+
			"before.",
		fault.VerificationFinal, fault.ProviderRefused)
	token.NoIdempotency = true
	web.Register(api, token, s.handleToken)

	api.Mount("POST", "/idv/webhook", web.Public, s.webhook(api))
}

func (s *Service) handlePerson(ctx context.Context, _ *struct{}) (*ApplicantView, error) {
	return s.registered(ctx, func(ctx context.Context, q db.Querier) (subject, error) {
		return s.person(ctx, q, caller.Of(ctx).User)
	})
}

func (s *Service) handleCompany(ctx context.Context, _ *struct{}) (*ApplicantView, error) {
	return s.registered(ctx, func(ctx context.Context, q db.Querier) (subject, error) {
		p := caller.Of(ctx)
		return s.company(ctx, q, p, p.Organisation)
	})
}

func (s *Service) registered(ctx context.Context, find finder) (*ApplicantView, error) {
	return web.Once(ctx, 200, applicantView, func(done func(*db.Tx, Applicant) error) error {
		return s.register(ctx, find, done)
	})
}

func (s *Service) handleInfo(ctx context.Context, in *applicantInput) (*InfoView, error) {
	a, err := s.visible(ctx, s.db, in.ApplicantID)
	if err != nil {
		return nil, err
	}

	v := infoView(a)

	return &v, nil
}

func (s *Service) handleUpdate(ctx context.Context, in *updateInput) (*InfoView, error) {
	return web.Once(ctx, 200, infoView, func(done func(*db.Tx, Applicant) error) error {
		return s.refresh(ctx, in.ApplicantID, in.OrganisationID, in.Body.FixedInfo, done)
	})
}

func (s *Service) handleToken(ctx context.Context, in *tokenInput) (*TokenView, error) {
	orgID := in.Body.OrganisationID
	p := caller.Of(ctx)
	find := func(ctx context.Context, q db.Querier) (subject, error) {
		if provider.Kind(in.Body.Type) == provider.Organisation {
			return s.company(ctx, q, p, orgID)
		}

		if orgID != "" { // people may name the organisation for which they are verified
			if _, _, err := organisation.ForMember(ctx, q, orgID, p.User); err != nil {
				return subject{}, err
			}
		}

		return s.person(ctx, q, p.User)
	}

	if orgID == "" && provider.Kind(in.Body.Type) == provider.Organisation {
		var l fault.List
		l.Add("/organisationId", fault.Required, "is needed for an organisation.")
		return nil, l.Err()
	}

	return web.Once(ctx, 200, tokenView, func(done func(*db.Tx, widgetToken) error) error {
		return s.token(ctx, find, done)
	})
}

func tokenView(t widgetToken) TokenView {
	var at *string
	if t.Token.URL != "" {
		at = &t.Token.URL
	}

	return TokenView{
		URL:       at,
		Token:     t.Token.Value,
		UserID:    t.Applicant.Subject,
		LevelName: t.Applicant.Level,
		ExpiresAt: user.Shown(t.Token.ExpiresAt),
	}
}

// statusWords translates the provider's statuses that are not merely written in upper case here.
var statusWords = map[string]string{"": "INIT", provider.StatusOnHold: "ON_HOLD"}

func applicantView(a Applicant) ApplicantView {
	status, ok := statusWords[a.review.status]
	if !ok {
		status = strings.ToUpper(a.review.status)
	}

	return ApplicantView{
		ApplicantID:    a.ApplicantID,
		ExternalUserID: a.Subject,
		Type:           string(a.Kind),
		LevelName:      a.Level,
		Status:         status,
	}
}

func infoView(a Applicant) InfoView {
	r := a.review

	v := InfoView{
		ApplicantID:       a.ApplicantID,
		ExternalUserID:    a.Subject,
		Type:              string(a.Kind),
		LevelName:         a.Level,
		ReviewStatus:      r.status,
		RejectLabels:      r.labels,
		ModerationComment: r.comment,
		OnboardingStatus:  a.Status,
		RetryAllowed:      a.RetryAllowed(),
		StatusInfo:        a.info(),
		UpdatedAt:         user.Shown(a.UpdatedAt),
	}
	if r.answer != "" {
		v.ReviewAnswer = &r.answer
	}

	if r.answer == provider.Red && r.rejectType != "" {
		v.RejectType = &r.rejectType
	}

	if v.RejectLabels == nil {
		v.RejectLabels = []string{}
	}

	return v
}

// info describes in words what the statuses do not show.
func (a Applicant) info() string {
	switch {
	case a.review.status == provider.StatusOnHold:
		return "The provider has put the verification on hold."
	case a.ended() && a.review.open():
		return "Documents are being reviewed again; until that is finished, the answer stands."
	case a.Status == organisation.Rejected && a.RetryAllowed():
		return "Documents may be handed in again."
	case a.Status == organisation.Rejected:
		return "No further documents are taken."
	}

	return ""
}
