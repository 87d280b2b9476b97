package wallet

import (
	"time"

	"slipway/internal/platform/db"
)

// UsableGate is the condition of a guarded UPDATE that must only happen while a wallet may be used: what Usable says,
// in SQL, so that a revocation which committed first wins. Its parameters are those of UsableGateArgs.
const UsableGate = "EXISTS (SELECT 1 FROM wallets gate_w " +
	"WHERE gate_w.id = ? AND gate_w.soft_deleted = FALSE AND gate_w.ownership_status = 'VERIFIED'" +
	" AND gate_w.screening_status = 'APPROVED' AND gate_w.screened_at > ? AND gate_w.approval = '')"

// UsableGateArgs returns the parameters of UsableGate for a wallet at a time.
func UsableGateArgs(id string, now time.Time) []any {
	return []any{id, db.Micros(now.Add(-ScreeningLifetime))}
}
