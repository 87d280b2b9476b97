package approval

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Handler decides who may approve a kind and carries approvals out.
type Handler struct {
	Roles []string // one of which the second person needs
	// Before asks somebody outside before an operator's approval is written, and returns the refusal of it; nil:
	// nobody.
	Before func(ctx context.Context, a Approval) error
	// Decided runs in the transaction of the decision, also of a rejection. An error undoes the decision.
	Decided func(ctx context.Context, tx *db.Tx, a Approval) error
	// After carries out, from a job, what needs somebody outside. It calls done at the end of its write. A refusal ends
	// the approval as REFUSED; after any other error it is called again. nil: Decided does everything.
	After func(ctx context.Context, a Approval, done func(tx *db.Tx) error) error
}

// Notice is a new payee that cannot be paid to before From.
type Notice struct {
	Change
	From time.Time
}

// Deps is what the service needs from elsewhere.
type Deps struct {
	DB *db.DB
	// Is reports whether a user is an active member of the organisation with one of the roles.
	Is func(ctx context.Context, q db.Querier, organisation, user string, roles []string) (bool, error)
	// SecondPerson refuses a user who cannot be the second operator now; nil: the routes' access is enough.
	SecondPerson func(ctx context.Context, q db.Querier, user string) error
	// Asked runs in the transaction of a new request and notifies those who may decide; may be nil.
	Asked func(ctx context.Context, tx *db.Tx, a Approval, roles []string) error
	// Schedule queues the job that calls CarryOut, in the transaction of a decision; nil: no kind has an After.
	Schedule func(tx *db.Tx, approvalID string)
	// NewPayee runs in the transaction that creates a payee which has to wait; may be nil.
	NewPayee func(ctx context.Context, tx *db.Tx, n Notice) error
}

// Service holds the use cases.
type Service struct {
	deps     Deps
	handlers map[Kind]Handler
}

// New returns the service. Every kind must be registered by Handle before the first request for it.
func New(d Deps) *Service { return &Service{d, map[Kind]Handler{}} }

// Handle registers the handler of a kind. It panics if the kind has one already, or if the handler is incomplete.
func (s *Service) Handle(k Kind, h Handler) {
	if _, exists := s.handlers[k]; exists || len(h.Roles) == 0 || h.Decided == nil {
		panic("approval: the handler of " + string(k) + " is registered twice, or has no roles or no Decided")
	}

	s.handlers[k] = h
}

func (s *Service) handler(k Kind) (Handler, error) {
	h, ok := s.handlers[k]
	if !ok {
		return h, fmt.Errorf("approval: no handler is registered for %s", k)
	}

	return h, nil
}

// Ask writes a request of the caller in the current transaction. An open request about the same record becomes
// SUPERSEDED.
func (s *Service) Ask(ctx context.Context, tx *db.Tx, r Request) (Approval, error) {
	h, err := s.handler(r.Kind)
	if err != nil {
		return Approval{}, err
	}

	if err := s.Withdraw(ctx, tx, r.Organisation, r.Kind, r.Object); err != nil {
		return Approval{}, err
	}

	asker := caller.Of(ctx).User
	a := Approval{
		ID:           id.New(prefix, tx.Now),
		Organisation: r.Organisation,
		Kind:         r.Kind,
		Object:       r.Object,
		Summary:      r.Summary,
		Data:         r.Data,
		Authors:      r.Authors.With(asker),
		RequestedBy:  asker,
		Status:       Pending,
		Version:      1,
		CreatedAt:    tx.Now,
	}

	if r.Delay > 0 {
		a.NotBefore = tx.Now.Add(r.Delay)
	}

	if r.Organisation == "" && !r.Lasting {
		a.NotAfter = tx.Now.Add(r.Delay + platformLifetime)
	}

	insert(tx, a)
	trail.Audit(ctx, tx, a.Organisation, "approval.requested", a.ID, string(a.Kind)+" "+a.Object)

	if err := trail.Event(tx, "approval.requested", a.Organisation, a.ID, a.Version, a.eventData()); err != nil {
		return a, err
	}

	if s.deps.Asked == nil {
		return a, nil
	}

	return a, s.deps.Asked(ctx, tx, a, h.Roles)
}

// Withdraw moves the open request about a record, if there is one, to SUPERSEDED: the record has changed.
func (s *Service) Withdraw(ctx context.Context, tx *db.Tx, organisation string, k Kind, object string) error {
	open, err := openOf(ctx, tx, organisation, k, object)
	for _, a := range open {
		if _, err := s.move(ctx, tx, a, Superseded, ""); err != nil {
			return err
		}
	}

	return err
}

// move is the only writer of a status. It returns the changed approval.
func (s *Service) move(ctx context.Context, tx *db.Tx, a Approval, to Status, comment string) (Approval, error) {
	if !states.Allows(a.Status, to) {
		return a, fault.New(fault.Conflict, fault.ApprovalDecided,
			"The approval is %s; only one that is PENDING can be decided.", a.Status)
	}

	a.Status = to
	a.DecidedBy = caller.Of(ctx).User
	a.Comment = comment
	a.DecidedAt = tx.Now
	a.Version++

	if err := decide(tx, a); err != nil {
		return a, err
	}

	action := "approval." + strings.ToLower(string(to))
	trail.Audit(ctx, tx, a.Organisation, action, a.ID, string(a.Kind)+" "+a.Object)

	return a, trail.Event(tx, action, a.Organisation, a.ID, a.Version, a.eventData())
}

// eventData is the data of an approval's events. It holds no account numbers.
type eventData struct {
	ID     string `json:"_id"`
	Kind   Kind   `json:"kind"`
	Object string `json:"object"`
	Status Status `json:"status"`
}

func (a Approval) eventData() eventData { return eventData{a.ID, a.Kind, a.Object, a.Status} }

// Done is called at the end of a write with what the client sees.
type Done = func(tx *db.Tx, a Approval) error

// Decide writes the decision of a second person and carries it out. Authors may only reject, which withdraws their
// request; everyone else needs a role of the kind. A second decision is refused.
func (s *Service) Decide(ctx context.Context, approvalID string, approve bool, comment string, done Done) error {
	p := caller.Of(ctx)

	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		a, err := ByID(ctx, tx, p.Organisation, approvalID)
		if err != nil {
			return err
		}

		if err := s.mayDecide(ctx, tx, a, p.User, approve); err != nil {
			return err
		}

		return s.writeDecision(ctx, tx, a, approve, comment, done)
	})
}

// DecideAsOperator is Decide by an operator. It decides requests of another operator and, for an organisation whose
// other admins are gone, requests about its policy and its people, never about whom it pays. The operator has made sure
// by other means that the organisation wants it. Authors may only reject, which withdraws their request. Whoever has
// become an operator just now may only reject, too.
func (s *Service) DecideAsOperator(
	ctx context.Context, approvalID string, approve bool, comment string, done Done,
) error {
	if err := s.askBefore(ctx, approvalID, approve); err != nil {
		return err
	}

	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		a, err := byIDAnywhere(ctx, tx, approvalID)
		switch {
		case err != nil:
			return err

		case a.Organisation != "" && !a.Kind.aboutPeople():
			return fault.New(fault.Conflict, fault.ApprovalForMembers,
				"An approval about a %s is decided by the organisation's members.", a.Kind)
		}

		if err := s.mayStandIn(ctx, tx, a, caller.Of(ctx).User, approve); err != nil {
			return err
		}

		return s.writeDecision(ctx, tx, a, approve, comment, done)
	})
}

// askBefore asks what the kind of an approval asks outside before it is approved. For somebody who cannot approve it,
// nobody outside is asked.
func (s *Service) askBefore(ctx context.Context, approvalID string, approve bool) error {
	if !approve {
		return nil
	}

	a, err := byIDAnywhere(ctx, s.deps.DB, approvalID)
	if err != nil {
		return err
	}

	h, err := s.handler(a.Kind)
	if err != nil || h.Before == nil || a.Status != Pending {
		return err
	}

	if err := s.mayStandIn(ctx, s.deps.DB, a, caller.Of(ctx).User, approve); err != nil {
		return err
	}

	return h.Before(ctx, a)
}

// ApproveIn is DecideAsOperator, approving, in the transaction of a caller that shows its record with an operation of
// its own. The caller has asked outside what the kind asks before.
func (s *Service) ApproveIn(ctx context.Context, tx *db.Tx, a Approval, comment string) error {
	if err := s.mayStandIn(ctx, tx, a, caller.Of(ctx).User, true); err != nil {
		return err
	}

	_, err := s.carryDecision(ctx, tx, a, true, comment)

	return err
}

// writeDecision writes a decision about the version that the caller saw, and carries it out.
func (s *Service) writeDecision(
	ctx context.Context, tx *db.Tx, a Approval, approve bool, comment string, done Done,
) error {
	if err := caller.Unchanged(ctx, a.Version); err != nil {
		return err
	}

	a, err := s.carryDecision(ctx, tx, a, approve, comment)
	if err != nil {
		return err
	}

	return done(tx, a)
}

// carryDecision writes a decision and carries it out. It returns the changed approval.
func (s *Service) carryDecision(
	ctx context.Context, tx *db.Tx, a Approval, approve bool, comment string,
) (Approval, error) {
	comment, err := Comment("/comment", comment)
	if err != nil {
		return a, err
	}

	if err := a.open(tx.Now, approve); err != nil {
		return a, err
	}

	h, err := s.handler(a.Kind)
	if err != nil {
		return a, err
	}

	to := Rejected
	if approve {
		to = Approved
		a = s.schedule(tx, a, h)
	}

	a, err = s.move(ctx, tx, a, to, comment)
	if err != nil {
		return a, err
	}

	return a, h.Decided(ctx, tx, a)
}

// open refuses a decision that comes too late, or too early.
func (a Approval) open(now time.Time, approve bool) error {
	switch {
	case a.Status != Pending:
		return fault.New(fault.Conflict, fault.ApprovalDecided,
			"The approval is %s; only one that is PENDING can be decided.", a.Status)

	case approve && now.Before(a.NotBefore):
		return fault.New(fault.Conflict, fault.ApprovalTooEarly,
			"It can be approved from %s on; until then it can be rejected.", a.NotBefore.UTC().Format(time.RFC3339))

	case approve && a.overdue(now):
		return fault.New(fault.Conflict, fault.ApprovalExpired,
			"It could be approved until %s. Ask again.", a.NotAfter.UTC().Format(time.RFC3339))
	}

	return nil
}

// notByAuthor refuses an approval by a person who has had a part in what is approved.
func notByAuthor(a Approval, user string, approve bool) error {
	if approve && a.Authors.Has(user) {
		return secondPersonRequired()
	}

	return nil
}

// mayStandIn refuses an approval by an operator who is an author, or cannot be the second person now.
func (s *Service) mayStandIn(ctx context.Context, q db.Querier, a Approval, user string, approve bool) error {
	if err := notByAuthor(a, user, approve); err != nil {
		return err
	}

	return s.secondPerson(ctx, q, user, approve)
}

// secondPerson refuses an approval by an operator who cannot be the second person now.
func (s *Service) secondPerson(ctx context.Context, q db.Querier, user string, approve bool) error {
	if !approve || s.deps.SecondPerson == nil {
		return nil
	}

	return s.deps.SecondPerson(ctx, q, user)
}

func secondPersonRequired() error {
	return fault.New(fault.Forbidden, fault.SecondPersonRequired,
		"You have had a part in what is to be approved; another person decides.")
}

// mayDecide refuses a decision of a user who is an author or has no role of the kind.
func (s *Service) mayDecide(ctx context.Context, tx *db.Tx, a Approval, user string, approve bool) error {
	h, err := s.handler(a.Kind)
	if err != nil {
		return err
	}

	may, err := s.deps.Is(ctx, tx, a.Organisation, user, h.Roles)
	if err != nil {
		return err
	}

	return decidable(a, h, user, may, approve)
}

// decidable refuses a decision of a user without a role of the kind, and the approval of an author, who may only take
// back what he has asked for.
func decidable(a Approval, h Handler, user string, may, approve bool) error {
	author := a.Authors.Has(user)

	switch {
	case author && !approve:
		return nil

	case !may:
		return fault.New(fault.Forbidden, fault.RoleRequired,
			"A decision about %s needs one of the roles %v in the organisation.", a.Kind, h.Roles)

	case author:
		return secondPersonRequired()
	}

	return nil
}

// mostWaiting limits the open requests that Waiting looks at.
const mostWaiting = 500

// Waiting counts the open requests of the caller's organisation, and those among them that the caller may approve.
func (s *Service) Waiting(ctx context.Context, q db.Querier) (open, mine int64, err error) {
	list, err := waiting(ctx, q, caller.Of(ctx).Organisation, mostWaiting)
	for _, a := range list {
		if slices.Contains(s.allowedActions(ctx, a, nil), actApprove) {
			mine++
		}
	}

	return int64(len(list)), mine, err
}

// The actions on an approval, as the last path words of the operations.
const (
	actApprove = "approve"
	actReject  = "reject"
)

// allowedActions returns what the caller may do about a request: as a member of the organisation, or as an operator
// about a request of the platform. notSecond is the refusal of callerAsSecond.
func (s *Service) allowedActions(ctx context.Context, a Approval, notSecond error) []string {
	now := s.deps.DB.Now()
	p := caller.Of(ctx)
	approve := actApprove
	reject := actReject
	may := func(approving bool) error { return s.roleFor(a, p, approving) }

	if a.Organisation == "" {
		approve = "standIn"
		reject = approve
		may = func(approving bool) error {
			if approving && notSecond != nil {
				return notSecond
			}

			return notByAuthor(a, p.User, approving)
		}
	}

	return caller.Allowed(ctx,
		caller.Act{Word: actApprove, Operation: approve, Refusal: cmp.Or(a.open(now, true), may(true))},
		caller.Act{Word: actReject, Operation: reject, Refusal: cmp.Or(a.open(now, false), may(false))},
	)
}

// callerAsSecond returns the refusal of a caller who cannot be the second operator now, apart from errors. It is nil
// for members of organisations.
func (s *Service) callerAsSecond(ctx context.Context, q db.Querier) (refusal, err error) {
	p := caller.Of(ctx)
	if p.Staff == "" {
		return nil, nil
	}

	err = s.secondPerson(ctx, q, p.User, true)
	if _, refused := fault.As(err); refused {
		return err, nil
	}

	return nil, err
}

// roleFor is mayDecide by the roles that the caller has in the organisation acted for.
func (s *Service) roleFor(a Approval, p caller.Principal, approve bool) error {
	h, err := s.handler(a.Kind)
	if err != nil {
		return err
	}

	return decidable(a, h, p.User, slices.ContainsFunc(h.Roles, p.Is), approve)
}

func (s *Service) notifyNewPayee(ctx context.Context, tx *db.Tx, n Notice) error {
	if s.deps.NewPayee == nil {
		return nil
	}

	return s.deps.NewPayee(ctx, tx, n)
}
