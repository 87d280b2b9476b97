package organisation

import (
	"context"
	"time"

	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
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

// MemberView is a member as the interface shows it.
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

// InvitationView is an invitation. The token is shown once.
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

// SendersInfoView lists the bank accounts from which deposits may come.
type SendersInfoView struct {
	Senders []Sender `json:"senders"`
	Policy  string   `json:"policy"`
}

// view shows an organisation with the given members.
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

// memberViews shows members with the people behind them.
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

func invitationView(i Invitation) InvitationView {
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
