package organisation

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/record"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/comment"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/standards/mailbox"
)

// OrganisationAddress is the Address of the interface.
type OrganisationAddress struct {
	AddressLine1 string `json:"addressLine1" required:"false" maxLength:"200"`
	PostCode     string `json:"postCode" required:"false" maxLength:"16"`
	City         string `json:"city" required:"false" maxLength:"100"`
}

// OrganisationFields are an organisation's own.
type OrganisationFields struct {
	ID                    string              `json:"_id"`
	OrganisationType      string              `json:"organisationType"`
	Name                  string              `json:"name"`
	FirstName             string              `json:"firstName,omitempty"`
	LastName              string              `json:"lastName,omitempty"`
	DateOfBirth           *time.Time          `json:"dateOfBirth"`
	RegistrationNumber    string              `json:"registrationNumber,omitempty"`
	ReferenceCode         string              `json:"referenceCode,omitempty"`
	PayablesEmail         string              `json:"payablesEmail,omitempty"`
	Address               OrganisationAddress `json:"address"`
	OnboardingStatus      Status              `json:"onboardingStatus" enum:"PENDING,SUBMITTED,APPROVED,REJECTED"`
	TransactionValueLimit string              `json:"transactionValueLimit" doc:"US dollars; 0: none of its own"`
	MinUSDPaymentAmount   string              `json:"minUSDPaymentAmount"`
	CumulativeAmount      string              `json:"cumulativeAmount"`
	IsOnChainOrganisation bool                `json:"isOnChainOrganisation"`
	ComplexStructure      bool                `json:"complexStructure"`
	IsActive              bool                `json:"isActive"`
	RequireIdempotencyKey bool                `json:"requireIdempotencyKey"`
	QuoteHeadroomPercent  *string             `json:"quoteHeadroomPercent" doc:"by how many percent wallets approve more than a FIAT transaction costs; null: quotes.headroom_percent of the deployment" example:"1.5"`
	Risk                  string              `json:"risk"`
	Features              []string            `json:"features" nullable:"false"`
	HomeCurrency          string              `json:"homeCurrency" doc:"ISO 4217 code of the currency of its books; empty: the operator's"`
	TimeZone              string              `json:"timeZone" example:"Europe/Zurich" doc:"IANA name of the time zone in which the days of its books are; empty: that of its country"`
	TaxID                 string              `json:"taxId" doc:"tax number, for invoices to it"`
	VATID                 string              `json:"vatId" doc:"VAT identification number, for invoices to it"`
	Version               int64               `json:"version"`
	CreatedAt             time.Time           `json:"createdAt"`
	UpdatedAt             time.Time           `json:"updatedAt"`
}

// Record returns the identifier and the version.
func (v OrganisationFields) Record() (id string, version int64) { return v.ID, v.Version }

// OrganisationView is an organisation as the interface shows it.
type OrganisationView struct {
	OrganisationFields
	Country           *record.Country  `json:"country"`
	Wallets           []record.Wallet  `json:"wallets" nullable:"false" doc:"of the organisation's own receiver"`
	Members           []MemberView     `json:"members" nullable:"false"`
	CustomCommissions []CommissionView `json:"customCommissions" nullable:"false"`
	Senders           []Sender         `json:"senders" nullable:"false" doc:"its own bank accounts, from which deposits may come"`
	Comments          []comment.View   `json:"comments" nullable:"false" doc:"what people have written about it, the newest last"`
	Documents         []string         `json:"documents" nullable:"false" doc:"documentStorageKeys of what it has uploaded, the newest first; GET /documents has all"`
	DefaultWallet     *record.Wallet   `json:"defaultWallet" doc:"that payables are paid from"`
	DefaultToken      *record.Token    `json:"defaultToken" doc:"that payables are paid with"`
	AllowedActions    []string         `json:"allowedActions" nullable:"false" example:"[\"update\",\"invitations\",\"approval-policy\",\"comments\"]"`
}

// LevelView is how closely a person is verified.
type LevelView struct {
	Name string `json:"name,omitempty" doc:"the identity provider's name of the level; null before the verification was begun"`
}

// MemberView is a member as the interface shows it.
type MemberView struct {
	ID               string        `json:"_id"`
	User             user.Embedded `json:"user"`
	Organisation     string        `json:"organisation"`
	UserType         string        `json:"userType" doc:"authorized: may accept transactions"`
	Roles            []string      `json:"roles"`
	LevelName        LevelView     `json:"levelName"`
	ApplicantID      string        `json:"applicantId,omitempty"`
	OnboardingStatus string        `json:"onboardingStatus"`
	IsActive         bool          `json:"isActive"`
	StandsIn         *StandInView  `json:"standsIn,omitempty" doc:"for whom the member accepts for a time, now or later; null: for nobody"`
	StandsInText     string        `json:"standsInText,omitempty" doc:"the same in English, for people" example:"Accepts for Ada Muster from 20 December 2026 00:00 UTC until 6 January 2027 00:00 UTC."`
	PendingApproval  string        `json:"pendingApproval,omitempty" doc:"identifier of the approval that a change of the member waits for"`
	AllowedActions   []string      `json:"allowedActions" nullable:"false" example:"[\"update\"]"`
	Version          int64         `json:"version"`
	CreatedAt        time.Time     `json:"createdAt"`
	UpdatedAt        time.Time     `json:"updatedAt"`
}

// Record returns the identifier and the version.
func (v MemberView) Record() (id string, version int64) { return v.ID, v.Version }

// InvitationView is an invitation. The token is shown once.
type InvitationView struct {
	ID           string    `json:"_id"`
	Organisation string    `json:"organisation"`
	Email        string    `json:"email"`
	Roles        []string  `json:"roles"`
	InvitedBy    string    `json:"invitedByName" doc:"what the admin is called who has sent it last" example:"Ada Muster"`
	Token        string    `json:"token,omitempty" doc:"hand it to the person invited; it is shown once. Empty while the invitation waits for a second admin" example:"Zm9yIGV4YW1wbGU"`
	Pending      string    `json:"pendingApproval,omitempty" doc:"identifier of the approval that it waits for; the mail goes out when it is approved"`
	ExpiresAt    time.Time `json:"expiresAt"`
	CreatedAt    time.Time `json:"createdAt"`
}

// SendersInfoView lists the bank accounts from which deposits may come.
type SendersInfoView struct {
	Senders []Sender `json:"senders" nullable:"false" doc:"the organisation's own bank accounts; none: its name is enough"`
	Policy  string   `json:"policy" enum:"OWN_ACCOUNTS_ONLY" doc:"deposits come from the organisation itself"`
}

// view shows an organisation.
func (s *Service) view(ctx context.Context, q db.Querier, o Organisation) (OrganisationView, error) {
	views, err := s.views(ctx, q, []Organisation{o})
	if err != nil {
		return OrganisationView{}, err
	}

	return views[0], nil
}

// views shows organisations, in lists and alone.
func (s *Service) views(ctx context.Context, q db.Querier, all []Organisation) ([]OrganisationView, error) {
	out := make([]OrganisationView, len(all))
	if len(all) == 0 {
		return out, nil
	}

	ids := make([]string, len(all))
	for i, o := range all {
		ids[i] = o.ID
	}

	members, err := allMembersOf(ctx, q, ids)
	if err != nil {
		return nil, err
	}

	admin := rightsOf(ctx, all, members)

	shown, err := s.memberViewsFor(ctx, q, members, admin, all...)
	if err != nil {
		return nil, err
	}

	comments, err := comment.Of(ctx, q, ids...)
	if err != nil {
		return nil, err
	}

	belongings, err := s.config.Belongings(ctx, q, ids)
	if err != nil {
		return nil, err
	}

	commissions, err := commissionViews(ctx, q, ids)
	if err != nil {
		return nil, err
	}

	membersOf := map[string][]MemberView{}
	for _, m := range shown {
		membersOf[m.Organisation] = append(membersOf[m.Organisation], m)
	}

	for i, o := range all {
		v := &out[i]
		if *v, err = s.own(ctx, q, o, belongings[o.ID], admin[o.ID]); err != nil {
			return nil, err
		}

		v.CustomCommissions = append(v.CustomCommissions, commissions[o.ID]...)
		v.Members = append(v.Members, membersOf[o.ID]...)
		v.Comments = append(v.Comments, comments[o.ID]...)
	}

	return out, nil
}

// own returns the view of an organisation without its members and comments. administer is why the caller may not
// administer it, or nil.
func (s *Service) own(
	ctx context.Context,
	q db.Querier,
	o Organisation,
	has Belongings,
	administer error,
) (OrganisationView, error) {
	v := OrganisationView{
		OrganisationFields: fieldsOf(o),
		Wallets:            append([]record.Wallet{}, has.Wallets...),
		Members:            []MemberView{},
		CustomCommissions:  []CommissionView{},
		Senders:            append([]Sender{}, has.Senders...),
		Comments:           []comment.View{},
		Documents:          append([]string{}, has.Documents...),
		AllowedActions:     s.allowedActions(ctx, administer),
	}

	for i, w := range v.Wallets { // the default one is one of the organisation's own receiver
		if w.ID == o.DefaultWallet {
			v.DefaultWallet = &v.Wallets[i]
		}
	}

	var err error
	if v.Country, err = s.config.Countries.Show(ctx, q, o.Country); err != nil {
		return v, err
	}

	if o.DefaultToken != "" {
		v.DefaultToken, err = s.config.Paid(ctx, q, o.DefaultToken)
	}

	return v, err
}

// fieldsOf shows what is an organisation's own.
func fieldsOf(o Organisation) OrganisationFields {
	v := OrganisationFields{
		ID:                    o.ID,
		OrganisationType:      o.Type,
		Name:                  o.Name,
		FirstName:             o.FirstName,
		LastName:              o.LastName,
		DateOfBirth:           user.BirthTime(o.DateOfBirth),
		RegistrationNumber:    o.RegistrationNumber,
		ReferenceCode:         o.ReferenceCode,
		PayablesEmail:         mailbox.Show(o.PayablesEmail),
		Address:               OrganisationAddress{o.AddressLine1, o.PostCode, o.City},
		OnboardingStatus:      o.Onboarding,
		TransactionValueLimit: o.TransactionValueLimit,
		MinUSDPaymentAmount:   o.MinUSDPaymentAmount,
		CumulativeAmount:      o.CumulativeTotal,
		IsOnChainOrganisation: o.IsOnChain,
		ComplexStructure:      o.ComplexStructure,
		IsActive:              o.IsActive,
		RequireIdempotencyKey: o.RequireKey,
		Risk:                  o.Risk,
		Features:              append([]string{}, o.Features...),
		HomeCurrency:          o.HomeCurrency,
		TimeZone:              o.TimeZone,
		TaxID:                 o.TaxID,
		VATID:                 o.VATID,
		Version:               o.Version,
		CreatedAt:             user.Shown(o.CreatedAt),
		UpdatedAt:             user.Shown(o.UpdatedAt),
	}
	if o.Headroom != "" {
		v.QuoteHeadroomPercent = &o.Headroom
	}

	return v
}

// memberViews shows members with the people behind them.
func (s *Service) memberViews(ctx context.Context, q db.Querier, members []Member) ([]MemberView, error) {
	admin, err := adminRights(ctx, q, members)
	if err != nil {
		return nil, err
	}

	return s.memberViewsFor(ctx, q, members, admin)
}

// memberViewsFor is memberViews for a caller whose rights are known: admin is, by organisation, why he may not
// administer it. known are organisations that were read already.
func (s *Service) memberViewsFor(
	ctx context.Context,
	q db.Querier,
	members []Member,
	admin map[string]error,
	known ...Organisation,
) ([]MemberView, error) {
	ids := make([]string, len(members))
	records := make([]string, len(members))
	organisations := make([]string, len(members))

	for i, m := range members {
		ids[i] = m.User
		records[i] = m.ID
		organisations[i] = m.Organisation
	}

	waiting, err := approval.PendingOf(ctx, q, approval.Member, organisations, records)
	if err != nil {
		return nil, err
	}

	people, err := s.peopleOf(ctx, q, members, known)
	if err != nil {
		return nil, err
	}

	levels, err := s.config.Levels(ctx, q, ids)
	if err != nil {
		return nil, err
	}

	others, err := namesOfMembers(ctx, q, members)
	if err != nil {
		return nil, err
	}

	now := s.db.Now()

	out := make([]MemberView, len(members))
	for i, m := range members {
		out[i] = MemberView{
			StandsIn:         standInView(m.StandsIn, now),
			StandsInText:     standInText(m.StandsIn, others[m.StandsIn.For], now),
			ID:               m.ID,
			User:             people[m.ID],
			Organisation:     m.Organisation,
			UserType:         m.UserType,
			Roles:            m.Roles,
			LevelName:        LevelView{levels[m.User]},
			ApplicantID:      m.ApplicantID,
			OnboardingStatus: string(m.Onboarding),
			IsActive:         m.IsActive,
			PendingApproval:  waiting[m.ID],
			AllowedActions: caller.Allowed(ctx,
				caller.Act{Word: "update", Operation: "changeMember", Refusal: admin[m.Organisation]}),
			Version:   m.Version,
			CreatedAt: user.Shown(m.CreatedAt),
			UpdatedAt: user.Shown(m.UpdatedAt),
		}
	}

	return out, nil
}

// namesOfMembers returns what the people are called for whom members stand in, by member.
func namesOfMembers(ctx context.Context, q db.Querier, members []Member) (map[string]string, error) {
	out := map[string]string{}

	for _, m := range members {
		if m.StandsIn.For == "" || out[m.StandsIn.For] != "" {
			continue
		}

		other, err := memberByID(ctx, q, m.Organisation, m.StandsIn.For)
		if err != nil {
			return nil, err
		}

		people, err := user.BriefsOf(ctx, q, []string{other.User})
		if err != nil {
			return nil, err
		}

		out[m.StandsIn.For] = people[other.User].Name()
	}

	return out, nil
}

// adminRights returns, by organisation of the members, why the caller may not administer it; nil where he may. It
// decides as ForAdmin does.
func adminRights(ctx context.Context, q db.Querier, members []Member) (map[string]error, error) {
	out := map[string]error{}

	for _, m := range members {
		if _, known := out[m.Organisation]; known {
			continue
		}

		_, _, err := ForAdmin(ctx, q, m.Organisation, caller.Of(ctx).User)
		if _, refused := fault.As(err); err != nil && !refused {
			return nil, err
		}

		out[m.Organisation] = err
	}

	return out, nil
}

// rightsOf is adminRights for organisations of which all members are known.
func rightsOf(ctx context.Context, all []Organisation, members []Member) map[string]error {
	p := caller.Of(ctx)
	out := make(map[string]error, len(all))
	active := make(map[string]bool, len(all))

	for _, o := range all {
		active[o.ID] = o.IsActive
		out[o.ID] = fault.Missing("organisation")
	}

	for _, m := range members {
		if m.User == p.User && m.IsActive && p.MayActIn(m.Organisation) {
			out[m.Organisation] = mayAdminister(m, active[m.Organisation])
		}
	}

	return out
}

// allowedActions returns what the caller may do with an organisation that he may administer, if administer is nil.
func (s *Service) allowedActions(ctx context.Context, administer error) []string {
	return caller.Allowed(ctx,
		caller.Act{Word: "update", Operation: "changeOrganisation", Refusal: administer},
		caller.Act{Word: "invitations", Operation: "inviteMember", Refusal: administer},
		caller.Act{Word: "approval-policy", Operation: "setApprovalPolicy", Refusal: administer},
	)
}

func invitationView(i Invitation) InvitationView {
	return InvitationView{
		ID:           i.ID,
		Organisation: i.Organisation,
		Email:        mailbox.Show(i.EmailKey),
		Roles:        i.Roles,
		Token:        i.Token,
		Pending:      i.PendingApproval,
		ExpiresAt:    user.Shown(i.ExpiresAt),
		CreatedAt:    user.Shown(i.CreatedAt),
	}
}
