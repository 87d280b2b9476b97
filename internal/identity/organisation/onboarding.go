package organisation

import (
	"context"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/state"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Status is how far the verification of an organisation has come.
type Status string

// The statuses of the interface.
const (
	Pending   Status = "PENDING"   // the organisation acts next: documents are missing
	Submitted Status = "SUBMITTED" // the verification provider acts next
	Approved  Status = "APPROVED"  // nobody: the organisation may do business
	Rejected  Status = "REJECTED"  // the organisation may submit again
)

// Onboarding is the table of moves, of organisations and of their members. It never changes. The three ways back to
// PENDING are not in the interface's table: without them a verification that the provider withdraws (new level, reset
// applicant) would leave an old answer in force.
var Onboarding = state.New("Organisation onboarding",
	state.Move[Status]{From: "", To: Pending, On: "organisation created"},
	state.Move[Status]{From: Pending, To: Submitted, On: "documents submitted"},
	state.Move[Status]{From: Submitted, To: Approved, On: "verification passed"},
	state.Move[Status]{From: Submitted, To: Rejected, On: "verification failed"},
	state.Move[Status]{From: Rejected, To: Submitted, On: "documents submitted again"},
	state.Move[Status]{From: Approved, To: Pending, On: "verification withdrawn"},
	state.Move[Status]{From: Submitted, To: Pending, On: "verification reset"},
	state.Move[Status]{From: Rejected, To: Pending, On: "verification reset"},
)

// AcceptGate is the condition of a guarded UPDATE that must only happen for an APPROVED, active organisation and one
// of its active, authorized members, under a policy that lets him. Its parameters are those of GateArgs, in this
// order: organisation, policy, organisation, user. It names organisations.id, onboarding_status, is_active,
// four_eyes; members.organisation, user_id, user_type, is_active; users.id, is_active.
//
// four_eyes is 0 while it is off, and else the version of the policy. So the parameter is 0 for a member who may
// accept only without four eyes, the version of a policy that was read and lets him, or AnyPolicy.
const AcceptGate = "EXISTS (SELECT 1 FROM organisations gate_o " +
	"WHERE gate_o.id = ? AND gate_o.onboarding_status = 'APPROVED' AND gate_o.is_active = TRUE" +
	" AND gate_o.four_eyes <= ?)" +
	" AND EXISTS (SELECT 1 FROM members gate_m JOIN users gate_u ON gate_u.id = gate_m.user_id " +
	"WHERE gate_m.organisation = ?" +
	" AND gate_m.user_id = ? AND gate_m.user_type = 'authorized' AND gate_m.is_active = TRUE AND gate_u.is_active " +
	"= TRUE)"

// GateArgs returns the parameters of AcceptGate.
func GateArgs(organisation, user string, policy int64) []any {
	return []any{organisation, policy, organisation, user}
}

// onboardingEvent is the data of organisation.onboarding.updated.
type onboardingEvent struct {
	ID               string    `json:"_id"`
	OnboardingStatus Status    `json:"onboardingStatus"`
	Previous         Status    `json:"previousOnboardingStatus"`
	UpdatedAt        time.Time `json:"updatedAt"`
}

// Advance moves the onboarding status of an organisation that was read in this transaction, and returns the
// organisation as it then is. It is the only writer of the column. A move that Onboarding does not have, staying in
// place included, is refused with Conflict; if the row is no longer at o's version, Write answers db.ErrStale. why is
// a short sentence for the audit log.
func Advance(ctx context.Context, tx *db.Tx, o Organisation, to Status, why string) (Organisation, error) {
	if !Onboarding.Allows(o.Onboarding, to) {
		return o, fault.New(fault.Conflict, fault.OnboardingMove,
			"The onboardingStatus cannot change from %s to %s.", o.Onboarding, to)
	}

	from := o.Onboarding
	o.Onboarding = to
	o.Version++
	o.UpdatedAt = tx.Now
	writeOnboarding(tx, o, from)
	trail.Audit(ctx, tx, o.ID, "organisation.onboarding", o.ID, string(from)+" to "+string(to)+": "+why)

	return o, trail.Event(tx, "organisation.onboarding.updated", o.ID, o.ID, o.Version,
		onboardingEvent{o.ID, to, from, tx.Now.Truncate(time.Millisecond)})
}

// AdvanceTo walks an organisation to a status along the allowed moves, each an Advance of its own. One that is there
// already stays as it is.
func AdvanceTo(ctx context.Context, tx *db.Tx, orgID string, to Status, why string) (Organisation, error) {
	o, err := ByID(ctx, tx, orgID)
	if err != nil {
		return o, err
	}

	for _, next := range path(o.Onboarding, to) {
		if o, err = Advance(ctx, tx, o, next, why); err != nil {
			return o, err
		}
	}

	return o, nil
}

// memberEvent is the data of member.onboarding.updated.
type memberEvent struct {
	ID               string    `json:"_id"`
	User             string    `json:"user"`
	ApplicantID      string    `json:"applicantId"`
	OnboardingStatus Status    `json:"onboardingStatus"`
	Previous         Status    `json:"previousOnboardingStatus"`
	UpdatedAt        time.Time `json:"updatedAt"`
}

// advanceMember is Advance for a member: the only writer of a member's onboarding status.
func advanceMember(ctx context.Context, tx *db.Tx, m Member, to Status, why string) (Member, error) {
	if !Onboarding.Allows(m.Onboarding, to) {
		return m, fault.New(fault.Conflict, fault.OnboardingMove,
			"The member's onboardingStatus cannot change from %s to %s.", m.Onboarding, to)
	}

	from := m.Onboarding
	m.Onboarding = to
	m.Version++
	m.UpdatedAt = tx.Now
	writeMemberOnboarding(tx, m, from)
	trail.Audit(ctx, tx, m.Organisation, "member.onboarding", m.ID, string(from)+" to "+string(to)+": "+why)

	return m, trail.Event(tx, "member.onboarding.updated", m.Organisation, m.ID, m.Version,
		memberEvent{m.ID, m.User, m.ApplicantID, to, from, tx.Now.Truncate(time.Millisecond)})
}

// walk takes one member to what is known of the person behind him.
func (v Verified) walk(ctx context.Context, tx *db.Tx, m Member, why string) (Member, error) {
	if v.ApplicantID != "" && m.ApplicantID != v.ApplicantID {
		m.ApplicantID = v.ApplicantID
		m.Version++
		m.UpdatedAt = tx.Now
		writeApplicant(tx, m)
	}

	for _, next := range path(m.Onboarding, v.Status) {
		var err error
		if m, err = advanceMember(ctx, tx, m, next, why); err != nil {
			return m, err
		}
	}

	return m, nil
}

// Verified is what is known of a person's identity: the provider's applicant and how far its verification has come.
type Verified struct {
	ApplicantID string
	Status      Status
}

// AdvancePerson takes every membership of a person, in whatever organisation, to what is known of him. A second call
// changes nothing.
func AdvancePerson(ctx context.Context, tx *db.Tx, userID string, v Verified, why string) error {
	all, err := membershipsOfPerson(ctx, tx, userID)
	for _, m := range all {
		if _, err := v.walk(ctx, tx, m, why); err != nil {
			return err
		}
	}

	return err
}

// path returns the moves from one status to another, the fewest there are; nil when there is no way or none is needed.
func path(from, to Status) []Status {
	if from == to {
		return nil
	}

	came := map[Status]Status{from: ""}

	next := []Status{from}
	for len(next) > 0 {
		at := next[0]

		next = next[1:]
		for _, s := range Onboarding.From(at) {
			if _, seen := came[s]; !seen {
				came[s] = at
				next = append(next, s)
			}
		}
	}

	var out []Status
	for s := to; s != from; s = came[s] {
		if s == "" {
			return nil
		}

		out = append([]Status{s}, out...)
	}

	return out
}
