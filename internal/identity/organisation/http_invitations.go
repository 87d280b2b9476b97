package organisation

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

type invitationsInput struct {
	ID string `path:"id"`
	web.Paging
}

type invitationInput struct {
	ID           string `path:"id"`
	InvitationID string `path:"invitationId" maxLength:"64" doc:"identifier of the invitation"`
}

// invitationRoutes registers what admins do about invitations that nobody has used yet.
func (s *Service) invitationRoutes(api *web.API) {
	op := func(method, path, id, summary, description string, codes ...fault.Code) web.Operation {
		return web.Operation{
			Method:      method,
			Path:        "/organisations/{id}/invitations" + path,
			ID:          id,
			Tag:         "organisations",
			Access:      web.Bearer,
			PeopleOnly:  true,
			Summary:     summary,
			Description: description,
			Codes:       append(codes, fault.RoleRequired),
		}
	}

	web.Register(api, op("GET", "", "listInvitations", "The open invitations of an organisation",
		"For admins. Those that can still be used or wait for a second admin, the newest first."), s.handleInvitations)

	resend := op(
		"POST",
		"/{invitationId}/resend",
		"resendInvitation",
		"Send an invitation again",
		"For admins. The answer is a new invitation with a token of its own; the earlier one ends. What a second admin "+
			"has approved is sent without another approval.",
		fault.InvitationWaits,
		fault.InvitationLimit,
		fault.MemberExists,
		fault.MemberLimit,
	)
	resend.Status = 201
	resend.NoIdempotency = true
	resend.StepUp = true
	web.Register(api, resend, s.handleResend)

	web.Register(api, op("DELETE", "/{invitationId}", "revokeInvitation", "Revoke an invitation",
		"For admins. Its link stops working at once."), s.handleRevoke)
}

func (s *Service) handleInvitations(ctx context.Context, in *invitationsInput) (*web.List[InvitationView], error) {
	window, err := in.Window()
	if err != nil {
		return nil, err
	}

	if window.After != "" && !id.Valid(invitationPrefix, window.After) {
		return nil, badCursor()
	}

	read := func(q db.Querier, page caller.Window) ([]Invitation, int64, error) {
		o, _, err := ForAdmin(ctx, q, in.ID, caller.Of(ctx).User)
		if err != nil {
			return nil, 0, err
		}

		now := s.db.Now()

		total, err := openInvitations(ctx, q, o.ID, now)
		if err != nil {
			return nil, 0, err
		}

		page.Limit++
		all, err := openInvitationsOf(ctx, q, o.ID, page, now)

		return all, total, err
	}
	position := func(i Invitation) string { return i.ID }

	return web.ListOf(ctx, s.db, in.Paging, read, position, func(q db.Querier, page []Invitation) (
		[]InvitationView, error,
	) {
		return invitationViews(ctx, q, page)
	})
}

func (s *Service) handleResend(ctx context.Context, in *invitationInput) (*InvitationView, error) {
	return s.onceInvitation(ctx, 201, func(done func(*db.Tx, Invitation) error) error {
		return s.resend(ctx, caller.Of(ctx).User, in.ID, in.InvitationID, done)
	})
}

func (s *Service) handleRevoke(ctx context.Context, in *invitationInput) (*InvitationView, error) {
	return s.onceInvitation(ctx, 200, func(done func(*db.Tx, Invitation) error) error {
		return s.revoke(ctx, caller.Of(ctx).User, in.ID, in.InvitationID, done)
	})
}

// onceInvitation runs a use case that ends with an invitation and shows the invitation.
func (s *Service) onceInvitation(
	ctx context.Context, status int, run func(done func(*db.Tx, Invitation) error) error,
) (*InvitationView, error) {
	asIs := func(v InvitationView) InvitationView { return v }

	return web.Once(ctx, status, asIs, func(done func(*db.Tx, InvitationView) error) error {
		return run(func(tx *db.Tx, in Invitation) error {
			views, err := invitationViews(ctx, tx, []Invitation{in})
			if err != nil {
				return err
			}

			return done(tx, views[0])
		})
	})
}

// invitationViews shows invitations with whoever invites, and the approvals that they wait for.
func invitationViews(ctx context.Context, q db.Querier, all []Invitation) ([]InvitationView, error) {
	people := make([]string, len(all))
	ids := make([]string, len(all))
	organisations := make([]string, len(all))

	for i, in := range all {
		people[i] = in.CreatedBy
		ids[i] = in.ID
		organisations[i] = in.Organisation
	}

	names, err := user.NamesOf(ctx, q, people...)
	if err != nil {
		return nil, err
	}

	waiting, err := approval.PendingOf(ctx, q, approval.Invitation, organisations, ids)

	out := make([]InvitationView, len(all))
	for i, in := range all {
		out[i] = invitationView(in)
		out[i].InvitedBy = names(in.CreatedBy)
		out[i].Pending = waiting[in.ID]
	}

	return out, err
}
