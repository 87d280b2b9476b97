package approval

import (
	"context"
	"fmt"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Handler carries out what a kind is about.
type Handler struct {
	Roles []string // one of which the second person needs
	// Decided runs in the transaction of the decision, also of a rejection. An error undoes the decision.
	Decided func(ctx context.Context, tx *db.Tx, a Approval) error
	// After carries out what was approved, from a job, where somebody outside is asked first. It calls done at the
	// end of its write. A refusal ends the approval as REFUSED; after any other error it is called again. nil:
	// Decided does everything.
	After func(ctx context.Context, a Approval, done func(tx *db.Tx) error) error
}

// Notice is a new payee that can be paid to only after a while.
type Notice struct {
	Change
	From time.Time
}

// Deps is what the use cases need from elsewhere.
type Deps struct {
	DB *db.DB
	// Is reports whether a user is an active member of the organisation with one of the roles, as it is in this
	// transaction.
	Is func(ctx context.Context, q db.Querier, organisation, user string, roles []string) (bool, error)
	// Asked runs in the transaction of a new request: whoever may decide is told. nil: nobody is.
	Asked func(ctx context.Context, tx *db.Tx, a Approval, roles []string) error
	// Later asks for the job that calls CarryOut, in the transaction of a decision; nil: no kind has an After.
	Later func(tx *db.Tx, approvalID string)
	// NewPayee runs where a payee was made that has to wait; nil: nobody is told.
	NewPayee func(ctx context.Context, tx *db.Tx, n Notice) error
}

// Service holds the use cases.
type Service struct {
	deps     Deps
	handlers map[Kind]Handler
}

// New makes the service. Every kind that is asked for is handed to Handle before the first request.
func New(d Deps) *Service { return &Service{d, map[Kind]Handler{}} }

// Handle says who decides about a kind and what a decision does. It panics on a kind that has a handler already.
func (s *Service) Handle(k Kind, h Handler) {
	if _, there := s.handlers[k]; there || len(h.Roles) == 0 || h.Decided == nil {
		panic("approval: the handler of " + string(k) + " stands twice, or lacks roles or what it does")
	}

	s.handlers[k] = h
}

func (s *Service) handler(k Kind) (Handler, error) {
	h, ok := s.handlers[k]
	if !ok {
		return h, fmt.Errorf("approval: nobody decides about %s", k)
	}

	return h, nil
}

// Ask notes a request of the caller in the transaction of what led to it. An older one about the same record is
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

	if r.Organisation == "" {
		a.NotAfter = tx.Now.Add(r.Delay + platformLifetime)
	}

	insert(tx, a)
	trail.Audit(ctx, tx, a.Organisation, "approval.requested", a.ID, string(a.Kind)+" "+a.Object)

	if err := trail.Event(tx, "approval.requested", a.Organisation, a.ID, a.Version, a.notice()); err != nil {
		return a, err
	}

	if s.deps.Asked == nil {
		return a, nil
	}

	return a, s.deps.Asked(ctx, tx, a, h.Roles)
}

// Withdraw ends the open request about a record, if there is one: the record is another one now.
func (s *Service) Withdraw(ctx context.Context, tx *db.Tx, organisation string, k Kind, object string) error {
	open, err := openOf(ctx, tx, organisation, k, object)
	for _, a := range open {
		if _, err := s.move(ctx, tx, a, Superseded, ""); err != nil {
			return err
		}
	}

	return err
}

// move is the only writer of a status. It returns the approval as it then is.
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

	what := strings.ToLower(string(to))
	trail.Audit(ctx, tx, a.Organisation, "approval."+what, a.ID, string(a.Kind)+" "+a.Object)

	return a, trail.Event(tx, "approval."+what, a.Organisation, a.ID, a.Version, a.notice())
}

// notice is what an event tells of an approval: which one, and how it stands; no numbers of accounts.
type notice struct {
	ID     string `json:"_id"`
	Kind   Kind   `json:"kind"`
	Object string `json:"object"`
	Status Status `json:"status"`
}

func (a Approval) notice() notice { return notice{a.ID, a.Kind, a.Object, a.Status} }

// Done is called at the end of a write with what the client will see.
type Done = func(tx *db.Tx, a Approval) error

// Decide is the second person's word. Authors may only reject, which withdraws what they have asked for; everyone
// else needs a role of the kind. A second decision is refused.
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

		return s.decided(ctx, tx, a, approve, comment, done)
	})
}

// StandIn is Decide by an operator: about what another operator has asked for, and for an organisation whose other
// admins are gone: about its policy and its people alone, never about whom it pays. He makes sure by other means that
// the organisation wants it. Who has asked may only reject, which withdraws it.
func (s *Service) StandIn(ctx context.Context, approvalID string, approve bool, comment string, done Done) error {
	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		a, err := anyone(ctx, tx, approvalID)
		switch {
		case err != nil:
			return err

		case a.Organisation != "" && !a.Kind.ofPeople():
			return fault.New(fault.Conflict, fault.ApprovalForMembers,
				"An approval about a %s is decided by the organisation's members.", a.Kind)

		case approve && a.Authors.Has(caller.Of(ctx).User):
			return hadPart()
		}

		return s.decided(ctx, tx, a, approve, comment, done)
	})
}

// decided writes a decision and lets it take effect.
func (s *Service) decided(ctx context.Context, tx *db.Tx, a Approval, approve bool, comment string, done Done) error {
	if approve && tx.Now.Before(a.NotBefore) {
		return fault.New(fault.Conflict, fault.ApprovalTooEarly,
			"It can be approved from %s on; until then it can be rejected.", a.NotBefore.UTC().Format(time.RFC3339))
	}

	if approve && a.overdue(tx.Now) {
		return fault.New(fault.Conflict, fault.ApprovalExpired,
			"It could be approved until %s. Ask again.", a.NotAfter.UTC().Format(time.RFC3339))
	}

	h, err := s.handler(a.Kind)
	if err != nil {
		return err
	}

	to := Rejected
	if approve {
		to = Approved
	}

	a, err = s.move(ctx, tx, s.planned(tx, a, h, approve), to, comment)
	if err != nil {
		return err
	}

	if err := h.Decided(ctx, tx, a); err != nil {
		return err
	}

	return done(tx, a)
}

func hadPart() error {
	return fault.New(fault.Forbidden, fault.SecondPersonRequired,
		"You have had a part in what is to be approved; another person decides.")
}

func (s *Service) mayDecide(ctx context.Context, tx *db.Tx, a Approval, user string, approve bool) error {
	h, err := s.handler(a.Kind)
	if err != nil {
		return err
	}

	may, err := s.deps.Is(ctx, tx, a.Organisation, user, h.Roles)
	author := a.Authors.Has(user)

	switch {
	case err != nil:
		return err
	case author && !approve:
		return nil

	case !may:
		return fault.New(fault.Forbidden, fault.RoleRequired,
			"A decision about %s needs one of the roles %v in the organisation.", a.Kind, h.Roles)

	case author:
		return hadPart()
	}

	return nil
}

func (s *Service) tell(ctx context.Context, tx *db.Tx, n Notice) error {
	if s.deps.NewPayee == nil {
		return nil
	}

	return s.deps.NewPayee(ctx, tx, n)
}
