package overview

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
)

// StepView is something that an organisation sets up before it pays.
type StepView struct {
	Step string `json:"step" enum:"SECOND_FACTOR,ORGANISATION_VERIFIED,PERSON_VERIFIED,SECOND_PERSON,WALLET_PROVEN,PAYEE,FIRST_PAYMENT" doc:"SECOND_FACTOR: the caller has one. PERSON_VERIFIED: the caller may accept, or another member may. SECOND_PERSON: there is another active member. WALLET_PROVEN: an own wallet is proven. PAYEE: there is a receiver. FIRST_PAYMENT: something was paid"`
	Done bool   `json:"done" doc:"as it is now; what was done once may be open again"`
}

// readSteps fills in the steps, each from what is there now, and how many own wallets are to be proven.
func (s *Service) readSteps(ctx context.Context, q db.Querier, v *View, p caller.Principal) error {
	o, err := organisation.ByID(ctx, q, p.Organisation)
	if err != nil {
		return err
	}

	authorized, err := organisation.HoldersOf(ctx, q, o.ID, []string{organisation.Authorized})
	if err != nil {
		return err
	}

	everybody, err := organisation.HoldersOf(ctx, q, o.ID,
		append(organisation.Deciders(), organisation.Initiator, organisation.Viewer))
	if err != nil {
		return err
	}

	var wallets, proven int64

	self, err := receiver.Self(ctx, q, o.ID)
	if err == nil {
		wallets, proven, err = wallet.Proofs(ctx, q, o.ID, self.ID)
	}

	if err != nil && !fault.Is(err, fault.NotFoundCode) {
		return err
	}

	payee, err := receiver.AnyPayee(ctx, q, o.ID)
	if err != nil {
		return err
	}

	paid, err := everPaid(ctx, q, o.ID)
	if err != nil {
		return err
	}

	v.Waiting.Wallets = wallets - proven
	v.Steps = []StepView{
		{"SECOND_FACTOR", p.TwoFactor},
		{"ORGANISATION_VERIFIED", o.Approved() == nil},
		{"PERSON_VERIFIED", len(authorized) > 0},
		{"SECOND_PERSON", len(everybody) > 1},
		{"WALLET_PROVEN", proven > 0},
		{"PAYEE", payee},
		{"FIRST_PAYMENT", paid || len(v.Paid) > 0},
	}

	return nil
}
