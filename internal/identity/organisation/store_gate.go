package organisation

// AcceptGate is a condition for a guarded UPDATE. It holds for an APPROVED, active organisation and one of its active,
// authorized members whom the policy lets accept. GateArgs returns its parameters.
//
// It names organisations.id, onboarding_status, is_active, four_eyes and payer_rules; members.organisation, user_id,
// user_type and is_active; users.id and is_active.
//
// four_eyes is 0 while four eyes are off, and else the version of the policy. So the parameter is one of three: 0 for a
// member who may accept only without four eyes, the version of a policy that was read and lets the member accept, or
// AnyPolicy. payer_rules, about the wallet that pays, is compared in the same way.
const AcceptGate = `EXISTS (SELECT 1 FROM organisations gate_o
		WHERE gate_o.id = ? AND gate_o.onboarding_status = 'APPROVED' AND gate_o.is_active = TRUE
			AND gate_o.four_eyes <= ? AND gate_o.payer_rules <= ?)
	AND EXISTS (SELECT 1 FROM members gate_m JOIN users gate_u ON gate_u.id = gate_m.user_id
		WHERE gate_m.organisation = ? AND gate_m.user_id = ?
			AND gate_m.user_type = 'authorized' AND gate_m.is_active = TRUE AND gate_u.is_active = TRUE)`

// Judged is by which versions of a policy a transaction was judged before it is accepted.
type Judged struct {
	FourEyes int64 // that lets the member accept, or AnyPolicy
	Payer    int64 // that lets the wallet pay, or AnyPolicy
}

// GateArgs returns the parameters of AcceptGate.
func GateArgs(organisation, user string, by Judged) []any {
	return []any{organisation, by.FourEyes, by.Payer, organisation, user}
}
