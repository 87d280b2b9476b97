package organisation

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// PolicyLimit is an amount up to which one person is enough.
type PolicyLimit struct {
	Currency string `json:"currency" maxLength:"16" doc:"currency code of ISO 4217, or a token"`
	Amount   string `json:"amount" maxLength:"30" doc:"of one transaction" example:"10000.00"`
}

// DailyCap is the most that a paying wallet may let the router take of a token in a day (UTC).
type DailyCap struct {
	Token  string `json:"token" maxLength:"16" doc:"a token's code" example:"USDC"`
	Amount string `json:"amount" maxLength:"30" doc:"in the token's unit, in a UTC day" example:"50000.00"`
}

// PolicyView is the policy as the interface shows it.
type PolicyView struct {
	FourEyes        bool          `json:"fourEyes" doc:"whoever has created a transaction, or made or changed whom it pays, does not accept it"`
	FourEyesLimits  []PolicyLimit `json:"fourEyesLimits" nullable:"false" doc:"up to these one person is enough; a currency that is not listed has no such amount"`
	PayeeApproval   bool          `json:"payeeApproval" doc:"new and changed receivers, bank accounts and wallets are paid to after a second person has approved them"`
	PayeeDelayHours int64         `json:"payeeDelayHours" doc:"how long nothing is paid to a new bank account or wallet"`
	SignedIntents   bool          `json:"signedIntents" doc:"nothing is paid from a wallet without its signature that names the payees: an intent, an authorization or a Permit2 transfer"`
	DailyCaps       []DailyCap    `json:"dailyCaps" nullable:"false" doc:"by token, what a paying wallet lets the router take in a day at most; from a wallet with a higher cap, or none, nothing is paid"`
	AcceptRules     []AcceptRule  `json:"acceptRules" nullable:"false" doc:"how many people accept a transaction together; where several hold, the strictest counts"`
	Sentences       []Sentence    `json:"sentences" nullable:"false" doc:"what each rule means, as it is set now"`
	PendingApproval string        `json:"pendingApproval,omitempty" doc:"identifier of the approval that a weaker policy waits for"`
	Version         int64         `json:"version"`
}

// Record returns the identifier and the version.
func (v PolicyView) Record() (id string, version int64) { return "", v.Version }

type policyInput struct {
	ID   string `path:"id"`
	Body struct {
		FourEyes        bool          `json:"fourEyes" doc:"whoever has created a transaction, or made or changed whom it pays, does not accept it"`
		FourEyesLimits  []PolicyLimit `json:"fourEyesLimits,omitempty" maxItems:"50" doc:"up to these one person is enough"`
		PayeeApproval   bool          `json:"payeeApproval" doc:"new and changed payees wait for a second person"`
		SignedIntents   bool          `json:"signedIntents,omitempty" doc:"the paying wallet signs every batch"`
		DailyCaps       []DailyCap    `json:"dailyCaps,omitempty" maxItems:"20" doc:"what a paying wallet lets the router take in a day at most"`
		AcceptRules     []AcceptRule  `json:"acceptRules,omitempty" maxItems:"20" doc:"how many people accept a transaction together"`
		PayeeDelayHours int64         `json:"payeeDelayHours,omitempty" minimum:"0" maximum:"720" doc:"how long nothing is paid to a new bank account or wallet"`
	}
}

func (s *Service) policyRoutes(api *web.API) {
	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/organisations/{id}/approval-policy",
		ID:      "getApprovalPolicy",
		Tag:     "organisations",
		Access:  web.Bearer,
		Summary: "What one person may not decide alone",
	}, s.handlePolicy)

	web.Register(api, web.Operation{
		Method:     "PUT",
		Path:       "/organisations/{id}/approval-policy",
		ID:         "setApprovalPolicy",
		Tag:        "organisations",
		Access:     web.Bearer,
		StepUp:     true,
		PeopleOnly: true,
		Summary:    "Set what one person may not decide alone",
		Description: "For admins; the organisation needs two. A policy that asks for more is in force at once. One " +
			"that asks for less in any respect waits for another admin: `pendingApproval` names the approval, and " +
			"the answer is the policy as it stands. Under a policy, two admins decide on members. `GET " +
			"/wallets/{id}/limits` has the calls with which a wallet sets on the router what the policy wants.",
		Codes: []fault.Code{
			fault.RoleRequired,
			fault.SecondPersonMissing,
			fault.CurrencyUnknown,
			fault.TokenUnknown,
			fault.AmountForm,
		},
	}, s.handleSetPolicy)
}

// shownPolicy is a policy with the approval that waits.
type shownPolicy struct {
	Policy
	pending string
}

func policyView(p shownPolicy) PolicyView {
	v := PolicyView{
		FourEyes:        p.FourEyes,
		FourEyesLimits:  []PolicyLimit{},
		PayeeApproval:   p.PayeeApproval,
		PayeeDelayHours: int64(p.PayeeDelay / time.Hour),
		SignedIntents:   p.SignedIntents,
		DailyCaps:       []DailyCap{},
		AcceptRules:     append([]AcceptRule{}, p.AcceptRules...),
		Sentences:       p.Sentences(),
		PendingApproval: p.pending,
		Version:         p.Version,
	}
	for _, word := range db.Words(writeLimits(p.Limits)) {
		code, amount := cut(word)
		v.FourEyesLimits = append(v.FourEyesLimits, PolicyLimit{code, amount})
	}

	for _, word := range db.Words(writeLimits(p.DailyCaps)) {
		code, amount := cut(word)
		v.DailyCaps = append(v.DailyCaps, DailyCap{code, amount})
	}

	return v
}

func (s *Service) handlePolicy(ctx context.Context, in *idInput) (*PolicyView, error) {
	var v PolicyView
	err := s.db.Snapshot(ctx, func(q db.Querier) error {
		o, err := s.visible(ctx, q, in.ID)
		if err != nil {
			return err
		}

		p, err := PolicyOf(ctx, q, o.ID)
		if err != nil {
			return err
		}

		pending, err := approval.OpenAbout(ctx, q, o.ID, approval.Policy, o.ID)
		v = policyView(shownPolicy{p, pending})

		return err
	})

	return &v, err
}

func (s *Service) handleSetPolicy(ctx context.Context, in *policyInput) (*PolicyView, error) {
	var l fault.List
	b := in.Body

	p := Policy{
		FourEyes:      b.FourEyes,
		PayeeApproval: b.PayeeApproval,
		PayeeDelay:    time.Duration(b.PayeeDelayHours) * time.Hour,
		SignedIntents: b.SignedIntents,
	}
	if len(b.FourEyesLimits) > 0 && !b.FourEyes {
		l.Add("/fourEyesLimits", fault.NotAllowed, "belong to four eyes, which are off.")
	}

	p.Limits = s.checkLimits(&l, b.FourEyesLimits)
	p.DailyCaps = s.checkCaps(&l, b.DailyCaps)
	p.AcceptRules = s.checkRules(&l, b.AcceptRules)

	if err := l.Err(); err != nil {
		return nil, err
	}

	return web.Once(ctx, 200, policyView, func(done func(*db.Tx, shownPolicy) error) error {
		return s.setPolicy(ctx, caller.Of(ctx).User, in.ID, p, func(tx *db.Tx, p Policy, pending string) error {
			return done(tx, shownPolicy{p, pending})
		})
	})
}
