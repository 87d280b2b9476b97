package settlement

import (
	"context"
	"errors"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/web"
	"slipway/internal/rails/chain"
)

type policyIn struct {
	ID   string `path:"id"`
	Body struct {
		Policy Policy `json:"policy" enum:"RECREDIT,HOLD,RESEND" doc:"RECREDIT: what it is worth then goes back to the wallet in tokens; HOLD: kept as fiat; RESEND: kept until the details are repaired and the payment is made again"`
	}
}

// policyView is an organisation's policy for returned payments.
type policyView struct {
	Organisation string `json:"organisation"`
	Policy       Policy `json:"policy"`
}

type returnIn struct {
	ID   string `path:"id"`
	Body struct {
		Payment     int          `json:"payment" minimum:"1" maximum:"30" doc:"which payment of the transaction, counted from 1"`
		Action      ReturnAction `json:"action" enum:"RESEND,RECREDIT" doc:"pay it again with what came back, or send what it is worth then to the wallet"`
		BankAccount string       `json:"bankAccount,omitempty" maxLength:"64" doc:"RESEND: another bank account of the same receiver; without it the same one"`
	}
}

type heldIn struct {
	ID string `path:"id"`
}

// Routes registers the operations for operators' decisions on returned payments and on what is held.
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

	web.Register(
		api,
		asked(
			"returns",
			"settleReturn",
			"Ask a second operator to pay a returned payment again, or to send its worth back",
			"For a return that is kept as fiat. summary says what would happen, with what screening says.",
			fault.ReturnNotOpen,
			fault.RateStale,
			fault.RateUnavailable,
		),
		s.handleReturn,
	)

	web.Register(
		api,
		asked(
			"resend",
			"resendTransaction",
			"Ask a second operator to send anew what is held of a transaction",
			"For a person who has made sure that none of the attempts took effect: its own send and those of the "+
				"treasury for it that are on hold, and tokens that are kept because the wallet refused them. The "+
				"router takes each number once, so even a mistake cannot pay twice.",
			fault.TxNotHeld,
			fault.TxNotDead,
		),
		s.handleHeld(SendAgain),
	)

	web.Register(
		api,
		asked(
			"give-up",
			"giveUpTransaction",
			"Ask a second operator to give up what is held of a transaction on the chain",
			"For a person who has made sure that none of the attempts took effect. The router is asked whether it "+
				"has taken the number; if it has not, the transaction ends and its amount goes back. What the "+
				"treasury was to send is tried again.",
			fault.TxNotHeld,
			fault.TxNotDead,
		),
		s.handleHeld(GiveUp),
	)
}

// asked returns an operation on a transaction that needs a second operator's agreement.
func asked(word, id, summary, description string, codes ...fault.Code) web.Operation {
	return web.Operation{
		Method:  "POST",
		Path:    "/operations/transactions/{id}/" + word,
		ID:      id,
		Tag:     "operations",
		Access:  web.Operator,
		Status:  202,
		Summary: summary,
		Description: description + " A job carries it out when the second one has approved (POST " +
			"/operations/approvals/{id}/decision).",
		Codes: codes,
	}
}

func (s *Service) handlePolicy(ctx context.Context, in *policyIn) (*policyView, error) {
	out := &policyView{Organisation: in.ID, Policy: in.Body.Policy}

	return out, s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, err := organisation.ByID(ctx, tx, in.ID); err != nil {
			return err
		}

		trail.Audit(ctx, tx, in.ID, "organisation.return_policy", in.ID, string(in.Body.Policy))

		return SetPolicy(ctx, tx, in.ID, in.Body.Policy, caller.Of(ctx).User)
	})
}

func (s *Service) handleReturn(ctx context.Context, in *returnIn) (*approval.View, error) {
	want := returnDecision{
		Transaction: in.ID,
		Position:    in.Body.Payment - 1,
		Action:      in.Body.Action,
		BankAccount: in.Body.BankAccount,
	}

	return web.OnceOf(ctx, 202, s.Approvals.Show(ctx), func(done func(*db.Tx, approval.Approval) error) error {
		return s.askReturn(ctx, want, done)
	})
}

// notDead says what has to happen before a send can be decided about.
func notDead(err error) string {
	switch {
	case errors.Is(err, chain.ErrStillOperator):
		return "The router still has the key that was replaced as an operator. Replace it there (slipway signer " +
			"rotate), wait until that is final, and try again."
	case errors.Is(err, chain.ErrNonceOpen):
		return "It does not go through the router, and its nonce is open. Use the nonce up with the key that was " +
			"replaced, by a transfer of nothing to itself, wait until that is final, and try again."
	case errors.Is(err, chain.ErrNotRead):
		return "What became of it, or what the replaced key may still do, was not read at a final block yet. Try " +
			"again in a minute; if it stays so, GET /operations/rails says why."
	}

	return "The nonce that was meant for it is not final yet under another transaction of ours. Try again later."
}

func (s *Service) handleHeld(action HeldAction) func(ctx context.Context, in *heldIn) (*approval.View, error) {
	return func(ctx context.Context, in *heldIn) (*approval.View, error) {
		view, err := web.OnceOf(
			ctx,
			202,
			s.Approvals.Show(ctx),
			func(done func(*db.Tx, approval.Approval) error) error {
				return s.askHeld(ctx, in.ID, action, done)
			},
		)

		switch {
		case errors.Is(err, chain.ErrNotHeld):
			return nil, fault.New(fault.Conflict, fault.TxNotHeld, "Nothing of the transaction is on hold.")
		case errors.Is(err, chain.ErrNotDead):
			return nil, fault.New(fault.Conflict, fault.TxNotDead, notDead(err))
		}

		return view, err
	}
}
