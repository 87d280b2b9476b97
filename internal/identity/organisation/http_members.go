package organisation

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

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
		InvitationToken string `json:"invitationToken" maxLength:"200" doc:"as the admin got it"`
	}
}

type memberInput struct {
	ID       string `path:"id"`
	MemberID string `path:"memberId"`
}

type changeMemberInput struct {
	memberInput
	Body struct {
		UserType *string  `json:"userType,omitempty" nullable:"false" maxLength:"20" doc:"authorized, viewer, initiator, approver or admin; without case"`
		Roles    []string `json:"roles,omitempty" maxItems:"4" doc:"of viewer, initiator, approver, admin"`
		IsActive *bool    `json:"isActive,omitempty" doc:"false ends the access of the member at once"`

		StandsIn *StandInView `json:"standsIn,omitempty" doc:"for whom the member, who does not accept himself, accepts for a time; null: for nobody"`
	}
}

func (s *Service) memberRoutes(api *web.API) {
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
		Path:    "/organisations/{id}/members",
		ID:      "listMembers",
		Tag:     "organisations",
		Access:  web.Bearer,
		Summary: "The members of an organisation",
	}, s.handleMembers)

	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/organisations/{id}/members/{memberId}",
		ID:      "readMember",
		Tag:     "organisations",
		Access:  web.Bearer,
		Summary: "A member of an organisation",
	}, s.handleMember)

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
		Description: "For admins. An earlier open invitation for the same address ends. Under an approval policy it " +
			"waits for another admin: `pendingApproval` names the approval. Mails go out for organisations that are " +
			"APPROVED.",
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
		Description: "For admins. Nobody authorizes himself, and one active admin remains. Under an approval policy " +
			"every change waits for another admin: `pendingApproval` names the approval, and the member is as he was.",
		Codes: []fault.Code{fault.RoleRequired, fault.LastAdmin},
	}, s.handleChangeMember)
}

func (s *Service) handleJoin(ctx context.Context, in *joinInput) (*OrganisationView, error) {
	return s.once(ctx, 200, func(done func(*db.Tx, Organisation) error) error {
		return s.join(ctx, caller.Of(ctx).User, in.Body.InvitationToken, done)
	})
}

func (s *Service) handleMembers(ctx context.Context, in *membersInput) (*web.List[MemberView], error) {
	window, err := in.Window()
	if err != nil {
		return nil, err
	}

	if window.After != "" && !id.Valid(memberPrefix, window.After) {
		return nil, badCursor()
	}

	read := func(q db.Querier, page caller.Window) ([]Member, int64, error) {
		o, err := s.visible(ctx, q, in.ID)
		if err != nil {
			return nil, 0, err
		}

		total, err := countMembers(ctx, q, o.ID)
		if err != nil {
			return nil, 0, err
		}

		members, err := membersOf(ctx, q, o.ID, page.After, page.Limit+1, page.Offset)

		return members, total, err
	}
	position := func(m Member) string { return m.ID }

	return web.ListOf(ctx, s.db, in.Paging, read, position, func(q db.Querier, page []Member) ([]MemberView, error) {
		return s.memberViews(ctx, q, page)
	})
}

func (s *Service) handleMember(ctx context.Context, in *memberInput) (*MemberView, error) {
	o, err := s.visible(ctx, s.db, in.ID)
	if err != nil {
		return nil, err
	}

	m, err := memberByID(ctx, s.db, o.ID, in.MemberID)
	if err != nil {
		return nil, err
	}

	return web.Only(s.memberViews(ctx, s.db, []Member{m}))
}

func (s *Service) handleInvite(ctx context.Context, in *inviteInput) (*InvitationView, error) {
	return s.onceInvitation(ctx, 201, func(done func(*db.Tx, Invitation) error) error {
		return s.invite(ctx, caller.Of(ctx).User, in.ID, in.Body.Email, in.Body.Roles, done)
	})
}

func (s *Service) handleChangeMember(ctx context.Context, in *changeMemberInput) (*MemberView, error) {
	var l fault.List

	c := MemberChanges{
		UserType: in.Body.UserType,
		Roles:    in.Body.Roles,
		IsActive: in.Body.IsActive,
		StandsIn: in.Body.StandsIn.standIn(&l),
	}
	if err := l.Err(); err != nil {
		return nil, err
	}

	return s.onceMember(ctx, func(done func(*db.Tx, Member) error) error {
		return s.changeMember(ctx, caller.Of(ctx).User, in.ID, in.MemberID, c, done)
	})
}

// onceMember runs a use case that ends with a member and shows the member.
func (s *Service) onceMember(
	ctx context.Context,
	run func(done func(*db.Tx, Member) error) error,
) (*MemberView, error) {
	asIs := func(v MemberView) MemberView { return v }

	return web.Once(ctx, 200, asIs, func(done func(*db.Tx, MemberView) error) error {
		return run(func(tx *db.Tx, m Member) error {
			views, err := s.memberViews(ctx, tx, []Member{m})
			if err != nil {
				return err
			}

			return done(tx, views[0])
		})
	})
}
