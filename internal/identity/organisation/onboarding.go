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

// Onboarding is the table of moves of organisations and of their members. The three moves back to PENDING are not in
// the interface's table. Without them the old result would stay in force when the provider withdraws a verification
// (new level, reset applicant).
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

// onboardingEvent is the data of organisation.onboarding.updated.
type onboardingEvent struct {
	ID               string    `json:"_id"`
	OnboardingStatus Status    `json:"onboardingStatus"`
	Previous         Status    `json:"previousOnboardingStatus"`
	UpdatedAt        time.Time `json:"updatedAt"`
}

// Advance moves the onboarding status of an organisation that was read in this transaction, and returns the changed
// organisation. It is the only writer of the column.
//
// A move that Onboarding does not have, staying in place included, is refused with Conflict. If the row is no longer at
// o's version, the write fails with db.ErrStale. reason is a short text for the audit log.
func Advance(ctx context.Context, tx *db.Tx, o Organisation, to Status, reason string) (Organisation, error) {
	if !Onboarding.Allows(o.Onboarding, to) {
		return o, fault.New(fault.Conflict, fault.OnboardingMove,
			"The onboardingStatus cannot change from %s to %s.", o.Onboarding, to)
	}

	from := o.Onboarding
	o.Onboarding = to
	o.Version++
	o.UpdatedAt = tx.Now
	writeOnboarding(tx, o, from)
	trail.Audit(ctx, tx, o.ID, "organisation.onboarding", o.ID, string(from)+" to "+string(to)+": "+reason)

	return o, trail.Event(tx, "organisation.onboarding.updated", o.ID, o.ID, o.Version,
		onboardingEvent{o.ID, to, from, tx.Now.Truncate(time.Millisecond)})
}

// AdvanceTo moves an organisation to a status along the allowed moves, each with its own Advance. An organisation that
// has the status already stays as it is.
func AdvanceTo(ctx context.Context, tx *db.Tx, orgID string, to Status, reason string) (Organisation, error) {
	o, err := ByID(ctx, tx, orgID)
	if err != nil {
		return o, err
	}

	for _, next := range path(o.Onboarding, to) {
		if o, err = Advance(ctx, tx, o, next, reason); err != nil {
			return o, err
		}
	}

	return o, nil
}

// memberEvent is the data of member.onboarding.updated.
type memberEvent struct {
	ID               string    `json:"_id"`
	User             eventUser `json:"user"`
	ApplicantID      string    `json:"applicantId"`
	OnboardingStatus Status    `json:"onboardingStatus"`
	Previous         Status    `json:"previousOnboardingStatus"`
	UpdatedAt        time.Time `json:"updatedAt"`
}

type eventUser struct {
	ID string `json:"_id"`
}

// advanceMember is Advance for a member: the only writer of a member's onboarding status.
func advanceMember(ctx context.Context, tx *db.Tx, m Member, to Status, reason string) (Member, error) {
	if !Onboarding.Allows(m.Onboarding, to) {
		return m, fault.New(fault.Conflict, fault.OnboardingMove,
			"The member's onboardingStatus cannot change from %s to %s.", m.Onboarding, to)
	}

	from := m.Onboarding
	m.Onboarding = to
	m.Version++
	m.UpdatedAt = tx.Now
	writeMemberOnboarding(tx, m, from)
	trail.Audit(ctx, tx, m.Organisation, "member.onboarding", m.ID, string(from)+" to "+string(to)+": "+reason)

	return m, trail.Event(tx, "member.onboarding.updated", m.Organisation, m.ID, m.Version,
		memberEvent{m.ID, eventUser{m.User}, m.ApplicantID, to, from, tx.Now.Truncate(time.Millisecond)})
}

// Verified is what is known about a person's identity: the provider's applicant and the status of its verification.
type Verified struct {
	ApplicantID string
	Status      Status
}

// AdvancePerson moves the memberships of a person in all organisations to what is known about the person. A second call
// changes nothing.
func AdvancePerson(ctx context.Context, tx *db.Tx, userID string, v Verified, reason string) error {
	all, err := membershipsOfPerson(ctx, tx, userID)
	for _, m := range all {
		if _, err := v.applyTo(ctx, tx, m, reason); err != nil {
			return err
		}
	}

	return err
}

// applyTo moves a member to what is known about the person.
func (v Verified) applyTo(ctx context.Context, tx *db.Tx, m Member, reason string) (Member, error) {
	if v.ApplicantID != "" && m.ApplicantID != v.ApplicantID {
		m.ApplicantID = v.ApplicantID
		m.Version++
		m.UpdatedAt = tx.Now
		writeApplicant(tx, m)
	}

	for _, next := range path(m.Onboarding, v.Status) {
		var err error
		if m, err = advanceMember(ctx, tx, m, next, reason); err != nil {
			return m, err
		}
	}

	return m, nil
}

// path returns the statuses to move through from one status to another, by the fewest moves. It returns nil if there is
// no way, or if both are the same.
func path(from, to Status) []Status {
	if from == to {
		return nil
	}

	previous := map[Status]Status{from: ""}
	queue := []Status{from}

	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]

		for _, s := range Onboarding.From(at) {
			if _, seen := previous[s]; !seen {
				previous[s] = at
				queue = append(queue, s)
			}
		}
	}

	var out []Status
	for s := to; s != from; s = previous[s] {
		if s == "" {
			return nil
		}

		out = append([]Status{s}, out...)
	}

	return out
}
