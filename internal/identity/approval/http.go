package approval

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
	"slipway/internal/platform/words"
)

// View is an approval as members of its organisation see it.
type View struct {
	ID             string     `json:"_id"`
	Kind           Kind       `json:"kind" enum:"RECEIVER,BANK_ACCOUNT,WALLET,POLICY,MEMBER,INVITATION,PERIOD,RECOVERY,NETWORK,TOKEN,TERMS,RETURN,HELD,BANK_HOLD,BANK_KEYS,MOVEMENT,RELEASE,STOCK,RECEIVABLE,REREADING,DEPOSIT"`
	Object         string     `json:"object" doc:"identifier of the record that it is about"`
	Summary        string     `json:"summary" doc:"what is approved, for people"`
	Status         Status     `json:"status" enum:"PENDING,APPROVED,REJECTED,SUPERSEDED,EXPIRED"`
	RequestedBy    string     `json:"requestedBy" doc:"identifier of the user who asked last"`
	Requester      string     `json:"requestedByName,omitempty" example:"Olga Keller" doc:"what that person is called; for the platform's people alone"`
	Authors        []string   `json:"authors" nullable:"false" doc:"users who have had a part in it: none of them may approve it"`
	DecidedBy      string     `json:"decidedBy,omitempty"`
	Decider        string     `json:"decidedByName,omitempty" example:"Otto Weber" doc:"what that person is called; for the platform's people alone"`
	Comment        string     `json:"comment,omitempty"`
	DecidedAt      *time.Time `json:"decidedAt,omitempty"`
	NotBefore      *time.Time `json:"notBefore,omitempty" doc:"until then it can be rejected and not approved"`
	NotAfter       *time.Time `json:"notAfter,omitempty" doc:"from then on it can be neither approved nor carried out"`
	Outcome        Outcome    `json:"outcome,omitempty" enum:"WAITING,CARRIED_OUT,REFUSED" doc:"of what is carried out after the decision: what has become of it"`
	OutcomeInfo    string     `json:"outcomeInfo,omitempty" doc:"why it was REFUSED"`
	AllowedActions []string   `json:"allowedActions" nullable:"false" example:"[\"approve\",\"reject\"]"`
	CreatedAt      time.Time  `json:"createdAt"`
	Version        int64      `json:"version"`
}

// Record returns the identifier and the version.
func (v View) Record() (id string, version int64) { return v.ID, v.Version }

// Show returns the function that shows approvals to the caller. Names are for the platform's people: an organisation is
// not told who of them has decided.
func (s *Service) Show(ctx context.Context) func(q db.Querier, all []Approval) ([]View, error) {
	return func(q db.Querier, all []Approval) ([]View, error) {
		var people []string

		if caller.Of(ctx).Staff != "" {
			for _, a := range all {
				people = append(people, a.RequestedBy, a.DecidedBy)
			}
		}

		names, err := user.NamesOf(ctx, q, people...)
		if err != nil {
			return nil, err
		}

		notSecond, err := s.callerAsSecond(ctx, q)
		if err != nil {
			return nil, err
		}

		out := make([]View, len(all))
		for i, a := range all {
			out[i] = viewOf(a)
			out[i].AllowedActions = s.allowedActions(ctx, a, notSecond)
			out[i].Requester = names(a.RequestedBy)
			out[i].Decider = names(a.DecidedBy)
		}

		return out, nil
	}
}

func viewOf(a Approval) View {
	v := View{
		ID:          a.ID,
		Kind:        a.Kind,
		Object:      a.Object,
		Summary:     words.English(a.Summary),
		Status:      a.Status,
		RequestedBy: a.RequestedBy,
		Authors:     []string{},
		DecidedBy:   a.DecidedBy,
		Comment:     a.Comment,
		Outcome:     a.Outcome,
		OutcomeInfo: a.OutcomeInfo,
		CreatedAt:   a.CreatedAt.Truncate(time.Millisecond),
		Version:     a.Version,
	}

	v.Authors = append(v.Authors, a.Authors.List()...)
	v.DecidedAt = shownOrNil(a.DecidedAt)
	v.NotBefore = shownOrNil(a.NotBefore)
	v.NotAfter = shownOrNil(a.NotAfter)

	return v
}

// shownOrNil returns a time as the interface shows it; nil for none.
func shownOrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}

	t = t.Truncate(time.Millisecond)

	return &t
}

type byID struct {
	ID string `path:"id" maxLength:"64"`
}

type decideIn struct {
	byID
	Body struct {
		Comment string `json:"comment,omitempty" maxLength:"500" doc:"kept with the decision" verbatim:"true"`
	}
}

type operatorIn struct {
	byID
	Body struct {
		Decision string `json:"decision" enum:"APPROVED,REJECTED" doc:"APPROVED takes effect at once, or is carried out by a job: see outcome"`
		Comment  string `json:"comment" maxLength:"500" doc:"how it was made sure that the organisation wants it; kept with the decision" verbatim:"true"`
	}
}

type listIn struct {
	web.Paging
	Status    []string `query:"status[]" maxItems:"5" enum:"PENDING,APPROVED,REJECTED,SUPERSEDED,EXPIRED" doc:"in one of these states"`
	Kind      []string `query:"kind[]" maxItems:"20" enum:"RECEIVER,BANK_ACCOUNT,WALLET,POLICY,MEMBER,INVITATION,PERIOD,RECOVERY,NETWORK,TOKEN,TERMS,RETURN,HELD,BANK_HOLD,BANK_KEYS,MOVEMENT,RELEASE,STOCK,RECEIVABLE,REREADING,DEPOSIT" doc:"about one of these"`
	Object    string   `query:"object" maxLength:"64" doc:"identifier of the record they are about"`
	Direction int      `query:"direction" default:"-1" enum:"-1,1" doc:"-1: newest first"`
}

// Routes registers the operations of approvals.
func (s *Service) Routes(api *web.API) {
	s.memberRoutes(api)
	s.operatorRoutes(api)
}

// op describes an operation for the members of an organisation.
func op(method, path, id, summary string, codes ...fault.Code) web.Operation {
	return web.Operation{
		Method:  method,
		Path:    path,
		ID:      id,
		Summary: summary,
		Tag:     "approvals",
		Access:  web.Tenant,
		Codes:   codes,
	}
}

// decideOp describes a decision of a second person.
func decideOp(word, summary, description string) web.Operation {
	o := op("POST", "/approvals/{id}/"+word, word, summary, fault.ApprovalDecided, fault.ApprovalOvertaken,
		fault.ApprovalTooEarly, fault.ApprovalExpired, fault.SecondPersonRequired, fault.RoleRequired,
		fault.SecondPersonMissing, fault.LastAdmin)
	o.Description = description
	o.OptionalBody = true
	o.StepUp = true
	o.PeopleOnly = true // an API client would be a program of the first person

	return o
}

func (s *Service) memberRoutes(api *web.API) {
	list := op("GET", "/approvals", "listApprovals", "List what waits for a second person, and what was decided")
	web.Register(api, list, s.list)

	web.Register(api, op("GET", "/approvals/{id}", "readApproval", "Read an approval"), s.read)

	approve := decideOp("approve", "Approve",
		"For members with a role that the kind asks for, who have had no part in what is approved. It takes effect at "+
			"once.")
	web.Register(api, approve, s.decide(true))

	reject := decideOp("reject", "Reject, or withdraw what you have asked for",
		"A payee that was rejected cannot be paid to until it is changed and approved.")
	web.Register(api, reject, s.decide(false))
}

func (s *Service) operatorRoutes(api *web.API) {
	web.Register(api, web.Operation{
		Method:  "POST",
		Path:    "/operations/approvals/{id}/decision",
		ID:      "standIn",
		Tag:     "operations",
		Access:  web.Operator,
		StepUp:  true,
		Summary: "Decide as the second operator, or in place of an organisation's second admin",
		Description: "What another operator has asked for; and where an organisation's other admins are gone, " +
			"about a POLICY, a MEMBER or an INVITATION. Make sure by other means that the organisation wants it.",
		Codes: []fault.Code{
			fault.ApprovalDecided,
			fault.ApprovalForMembers,
			fault.ApprovalTooEarly,
			fault.ApprovalExpired,
			fault.ApprovalOvertaken,
			fault.SecondPersonRequired,
			fault.OperatorTooNew,
			fault.UpstreamFailed,
			// what was asked for is judged anew
			fault.ReturnNotOpen,
			fault.TxNotHeld,
			fault.TxNotDead,
			fault.NothingToRelease,
			fault.DepositNotReturnable,
			fault.DepositNotReturn,
			fault.NetworkFixed,
			fault.NetworkInUse,
			fault.NetworkNoNode,
			fault.RateStale,
			fault.RateUnavailable,
			fault.EmailTaken,
			fault.EmailUnconfirmed,
		},
	}, s.decideAsOperator)

	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/operations/approvals",
		ID:      "listPlatformApprovals",
		Tag:     "operations",
		Access:  web.Operator,
		Summary: "List what operators have asked for and what a second one decided",
	}, s.listPlatform)
}

func (s *Service) decide(approve bool) func(ctx context.Context, in *decideIn) (*View, error) {
	return func(ctx context.Context, in *decideIn) (*View, error) {
		return web.OnceOf(ctx, 200, s.Show(ctx), func(done func(*db.Tx, Approval) error) error {
			return s.Decide(ctx, in.ID, approve, in.Body.Comment, done)
		})
	}
}

func (s *Service) decideAsOperator(ctx context.Context, in *operatorIn) (*View, error) {
	return web.OnceOf(ctx, 200, s.Show(ctx), func(done func(*db.Tx, Approval) error) error {
		return s.DecideAsOperator(ctx, in.ID, in.Body.Decision == string(Approved), in.Body.Comment, done)
	})
}

func (s *Service) read(ctx context.Context, in *byID) (*View, error) {
	a, err := ByID(ctx, s.deps.DB, caller.Of(ctx).Organisation, in.ID)
	if err != nil {
		return nil, err
	}

	return web.Only(s.Show(ctx)(s.deps.DB, []Approval{a}))
}

func (s *Service) list(ctx context.Context, in *listIn) (*web.List[View], error) {
	return s.listOf(ctx, in, caller.Of(ctx).Organisation)
}

// listPlatform lists what belongs to no organisation.
func (s *Service) listPlatform(ctx context.Context, in *listIn) (*web.List[View], error) {
	return s.listOf(ctx, in, "")
}

func (s *Service) listOf(ctx context.Context, in *listIn, organisation string) (*web.List[View], error) {
	page, err := in.Window()
	if err != nil {
		return nil, err
	}

	if page.After != "" && !id.Valid(prefix, page.After) {
		var l fault.List
		l.AddParameter("query", "cursor", fault.CursorInvalid, "is not a cursor of this list.")
		return nil, l.Err()
	}

	var w db.Where
	w.And("organisation = ?", organisation)

	if len(in.Status) > 0 {
		db.In(&w, "status", in.Status)
	}

	if len(in.Kind) > 0 {
		db.In(&w, "kind", in.Kind)
	}

	if in.Object != "" {
		w.And("object = ?", in.Object)
	}

	return web.ListOf(ctx, s.deps.DB, in.Paging, func(q db.Querier, page caller.Window) ([]Approval, int64, error) {
		return list(ctx, q, w, page, in.Direction > 0)
	}, func(a Approval) string { return a.ID }, s.Show(ctx))
}
