package settlement

import (
	"context"
	"errors"

	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/web"
)

type policyIn struct {
	ID   string `path:"id"`
	Body struct {
		Policy Policy `json:"policy" enum:"RECREDIT,HOLD,RESEND" doc:"RECREDIT: what it is worth then goes back to the wallet in tokens; HOLD: kept as fiat; RESEND: kept until the details are repaired and the payment is made again"`
	}
}

// policyView is what an organisation wants done with returned payments.
type policyView struct {
	Organisation string `json:"organisation"`
	Policy       Policy `json:"policy"`
}

type returnIn struct {
	ID   string `path:"id"`
	Body struct {
		Payment     int    `json:"payment" minimum:"1" maximum:"30" doc:"which payment of the transaction, counted from 1"`
		Action      string `json:"action" enum:"RESEND,RECREDIT" doc:"pay it again with what came back, or send what it is worth now to the wallet"`
		BankAccount string `json:"bankAccount,omitempty" maxLength:"64" doc:"RESEND: another bank account of the same receiver; without it the same one"`
	}
}

// Routes registers what the platform's operators decide about returned payments.
func (s *Service) Routes(api *web.API) {
	web.Register(api, web.Operation{
		Method:        "PUT",
		Path:          "/operations/organisations/{id}/return-policy",
		ID:            "setReturnPolicy",
		Tag:           "operations",
		Access:        web.Operator,
		NoIdempotency: true,
		Summary:       "Say what is done with payments that come back",
		Description:   "Counts for returns that arrive from now on. Without it: RECREDIT.",
	}, s.handlePolicy)

	web.Register(api, web.Operation{
		Method:        "POST",
		Path:          "/operations/transactions/{id}/returns",
		ID:            "settleReturn",
		Tag:           "operations",
		Access:        web.Operator,
		NoIdempotency: true,
		Summary:       "Pay a returned payment again, or send its tokens back",
		Description:   "For a return that is kept as fiat. It can be decided once: a second call is answered 409.",
		Codes:         []fault.Code{fault.ReturnNotOpen},
	}, s.handleReturn)
}

func (s *Service) handlePolicy(ctx context.Context, in *policyIn) (*policyView, error) {
	out := &policyView{Organisation: in.ID, Policy: in.Body.Policy}

	return out, s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, err := organisation.ByID(ctx, tx, in.ID); err != nil {
			return err
		}

		trail.Audit(ctx, tx, in.ID, "organisation.return_policy", in.ID, string(in.Body.Policy))

		return SetPolicy(ctx, tx, in.ID, in.Body.Policy, web.PrincipalOf(ctx).User)
	})
}

func (s *Service) handleReturn(ctx context.Context, in *returnIn) (*transaction.View, error) {
	var err error
	if in.Body.Action == "RESEND" {
		err = s.Resend(ctx, in.ID, in.Body.Payment-1, in.Body.BankAccount)
	} else {
		err = s.Recredit(ctx, in.ID, in.Body.Payment-1)
	}

	if errors.Is(err, db.ErrStale) {
		err = notResendable("Someone else has decided at the same moment.")
	}

	if err != nil {
		return nil, err
	}

	t, err := transaction.ByID(ctx, s.DB, in.ID)
	if err != nil {
		return nil, err
	}

	v := transaction.ViewFor(ctx)(t)

	return &v, nil
}
