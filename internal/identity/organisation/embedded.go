package organisation

import (
	"context"
	"slices"

	"slipway/internal/core/fault"
	"slipway/internal/core/record"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
)

// Embedded is an Organisation of the interface within another record.
type Embedded struct {
	OrganisationFields
	Country           *record.CountryRef `json:"country"`
	Wallets           record.Many        `json:"wallets" doc:"null within another record: GET /organisations/{id} has them"`
	Members           record.Many        `json:"members" doc:"null within another record: GET /organisations/{id} has them"`
	CustomCommissions record.Many        `json:"customCommissions" doc:"null within another record: GET /organisations/{id} has them"`
	Senders           record.Many        `json:"senders" doc:"null within another record: GET /organisations/{id} has them"`
	Comments          record.Many        `json:"comments" doc:"null within another record: GET /organisations/{id} has them"`
	Documents         record.Many        `json:"documents" doc:"null within another record: GET /organisations/{id} has them"`
	DefaultWallet     *record.Ref        `json:"defaultWallet" doc:"that payables are paid from"`
	DefaultToken      *record.Coded      `json:"defaultToken" doc:"that payables are paid with"`
}

// Around returns an organisation and some people as its records show them, the people by identifier. Who is no member
// any more shows a name and an address of mail alone: where that person lives now is nobody's business there.
func (s *Service) Around(
	ctx context.Context,
	q db.Querier,
	orgID string,
	people []string,
) (Embedded, map[string]user.Embedded, error) {
	o, err := ByID(ctx, q, orgID)
	if err != nil {
		return Embedded{}, nil, err
	}

	shown, err := s.embed(ctx, q, o)
	if err != nil {
		return shown, nil, err
	}

	members, err := membersWith(ctx, q, orgID, people)
	if err != nil {
		return shown, nil, err
	}

	byMember, err := s.peopleOf(ctx, q, members, []Organisation{o})
	if err != nil {
		return shown, nil, err
	}

	out := map[string]user.Embedded{}
	for _, m := range members {
		out[m.User] = byMember[m.ID]
	}

	left := slices.DeleteFunc(slices.Clone(people), func(id string) bool { return id == "" || out[id].ID != "" })

	users, err := user.ByIDs(ctx, q, left)
	for id, u := range users {
		out[id] = u.Embed()
	}

	return shown, out, err
}

func (s *Service) embed(ctx context.Context, q db.Querier, o Organisation) (Embedded, error) {
	v := Embedded{OrganisationFields: fieldsOf(o), DefaultWallet: record.RefTo(o.DefaultWallet)}

	if o.DefaultToken != "" {
		t, err := s.config.Paid(ctx, q, o.DefaultToken)
		if err != nil {
			return v, err
		}

		if t != nil {
			v.DefaultToken = &record.Coded{ID: t.ID, Name: t.Name, Code: t.Code}
		}
	}

	var err error
	v.Country, err = s.config.Countries.Ref(ctx, q, o.Country)

	return v, err
}

// peopleOf shows the people behind members, by member. known are organisations that were read already.
func (s *Service) peopleOf(
	ctx context.Context,
	q db.Querier,
	members []Member,
	known []Organisation,
) (map[string]user.Embedded, error) {
	onboarding := map[string]Status{}
	for _, o := range known {
		onboarding[o.ID] = o.Onboarding
	}

	var ids []string
	for _, m := range members {
		ids = append(ids, m.User)

		if _, read := onboarding[m.Organisation]; !read {
			o, err := ByID(ctx, q, m.Organisation)
			if err != nil && !fault.Is(err, fault.NotFoundCode) {
				return nil, err
			}

			onboarding[m.Organisation] = o.Onboarding
		}
	}

	slices.Sort(ids)

	users, err := user.ByIDs(ctx, q, slices.Compact(ids))
	if err != nil {
		return nil, err
	}

	out := make(map[string]user.Embedded, len(members))
	for _, m := range members {
		u := users[m.User]
		v := u.Embed()

		if m.IsActive {
			if v, err = u.EmbedForMembers(ctx, q, s.config.Countries); err != nil {
				return nil, err
			}

			v.OrganisationRole = m.role()
		}

		v.KybOnboardingInfo = string(onboarding[m.Organisation])
		if m.ApplicantID != "" {
			v.KycOnboardingInfo = string(m.Onboarding)
		}

		out[m.ID] = v
	}

	return out, nil
}
