package organisation

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

type sandboxOnboardingInput struct {
	ID   string `path:"id"`
	Body struct {
		Status string `json:"status" enum:"PENDING,SUBMITTED,APPROVED,REJECTED"`
	}
}

// SandboxRoutes registers the operations with which testers act as the verification provider. Only sandbox deployments
// call it: a live one has no such routes.
func (s *Service) SandboxRoutes(api *web.API) {
	web.Register(api, web.Operation{
		Method:  "POST",
		Path:    "/sandbox/organisations/{id}/onboarding",
		ID:      "sandboxOnboarding",
		Tag:     "simulators",
		Access:  web.Bearer,
		Summary: "Set the onboarding status",
		Description: "For members. The status moves along the allowed transitions, through those in between; " +
			"asking for the current one changes nothing.",
	}, s.handleSandboxOnboarding)

	web.Register(api, web.Operation{
		Method:  "POST",
		Path:    "/sandbox/organisations/{id}/members/{memberId}",
		ID:      "sandboxMember",
		Tag:     "simulators",
		Access:  web.Bearer,
		Summary: "Set a member's userType, roles or activity",
		Description: "For members, also for themselves, without the second admin that a policy asks for. One " +
			"active admin remains, two under a policy.",
	}, s.handleSandboxMember)
}

func (s *Service) handleSandboxOnboarding(ctx context.Context, in *sandboxOnboardingInput) (*OrganisationView, error) {
	return s.once(ctx, 200, func(done func(*db.Tx, Organisation) error) error {
		return s.simulateOnboarding(ctx, caller.Of(ctx).User, in.ID, Status(in.Body.Status), done)
	})
}

func (s *Service) handleSandboxMember(ctx context.Context, in *changeMemberInput) (*MemberView, error) {
	c := MemberChanges{UserType: in.Body.UserType, Roles: in.Body.Roles, IsActive: in.Body.IsActive}

	return s.onceMember(ctx, func(done func(*db.Tx, Member) error) error {
		return s.simulateMember(ctx, caller.Of(ctx).User, in.ID, in.MemberID, c, done)
	})
}
