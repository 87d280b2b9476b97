package auth

import (
	"context"

	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

type recoverInput struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Reason string `json:"reason" minLength:"1" maxLength:"500" doc:"how the person's identity was checked; the second operator reads it"`
	}
}

func (s *Service) recoveryRoute(api *web.API) {
	web.Register(api, web.Operation{
		Method:  "POST",
		Path:    "/operations/users/{id}/recovery",
		ID:      "recoverUser",
		Tag:     "operations",
		Access:  web.Operator,
		StepUp:  true,
		Status:  202,
		Summary: "Ask a second operator to take a person's second factor off",
		Description: "For a person whose second factor is lost or somebody else's, after a check of his identity. " +
			"When the second operator has approved (POST /operations/approvals/{id}/decision), all sessions end and " +
			"a link for a new password is mailed.",
		Codes: []fault.Code{fault.TwoFactorOff},
	}, s.handleRecover)
}

func (s *Service) handleRecover(ctx context.Context, in *recoverInput) (*approval.View, error) {
	return web.OnceOf(ctx, 202, s.config.Approvals.Show(ctx), func(done func(*db.Tx, approval.Approval) error) error {
		return s.askRecovery(ctx, in.ID, in.Body.Reason, done)
	})
}
