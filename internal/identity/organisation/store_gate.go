package organisation

import (
	"time"

	"slipway/internal/platform/db"
)

// AcceptGate is a condition for a guarded UPDATE. It holds for an APPROVED, active organisation and one of its active,
// authorized members whom the policy lets accept. GateArgs returns its parameters.
//
// A member who is not authorized himself may accept while he stands in for one who is: the one by whose part in the
// transaction it was judged.
//
// It names organisations.id, onboarding_status, is_active, four_eyes, payer_rules and several_accept; members.id,
// organisation, user_id, user_type, is_active, stands_in_for, stands_in_from and stands_in_until; users.id and
// is_active.
//
// four_eyes is 0 while four eyes are off, and else the version of the policy. So the parameter is one of three: 0 for a
// member who may accept only without four eyes, the version of a policy that was read and lets the member accept, or
// AnyPolicy. payer_rules, about the wallet that pays, and several_accept, about
// how many people accept together, are compared in the same way.
const AcceptGate = `EXISTS (SELECT 1 FROM organisations gate_o
		WHERE gate_o.id = ? AND gate_o.onboarding_status = 'APPROVED' AND gate_o.is_active = TRUE
			AND gate_o.four_eyes <= ? AND gate_o.payer_rules <= ? AND gate_o.several_accept <= ?)
	AND EXISTS (SELECT 1 FROM members gate_m JOIN users gate_u ON gate_u.id = gate_m.user_id
		WHERE gate_m.organisation = ? AND gate_m.user_id = ?
			AND gate_m.is_active = TRUE AND gate_u.is_active = TRUE
			AND (gate_m.user_type = 'authorized'
				OR gate_m.stands_in_from <= ? AND gate_m.stands_in_until > ?
					AND EXISTS (SELECT 1 FROM members gate_f JOIN users gate_v ON gate_v.id = gate_f.user_id
						WHERE gate_f.organisation = ? AND gate_f.id = gate_m.stands_in_for AND gate_f.user_id = ?
							AND gate_f.user_type = 'authorized' AND gate_f.is_active = TRUE
							AND gate_v.is_active = TRUE)))`

// Judged is by which versions of a policy a transaction was judged before it is accepted.
type Judged struct {
	FourEyes int64 // that lets the member accept, or AnyPolicy
	Payer    int64 // that lets the wallet pay, or AnyPolicy
	Several  int64 // by which enough people accept; 0: there are no rules about that

	StandsInFor string // the user for whom the member accepts who is not authorized himself; "": nobody
}

// GateArgs returns the parameters of AcceptGate at a time.
func GateArgs(organisation, user string, by Judged, now time.Time) []any {
	at := db.Micros(now)

	return []any{
		organisation,
		by.FourEyes,
		by.Payer,
		by.Several,
		organisation,
		user,
		at,
		at,
		organisation,
		by.StandsInFor,
	}
}
