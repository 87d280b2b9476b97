package transaction

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"slipway/internal/identity/approval"
)

// Parties are the people who have had a part in a transaction.
type Parties struct {
	ID         string
	CreatedBy  string
	Authors    approval.People // besides the creator
	AcceptedBy string
	Status     Status // as it is now
}

// Payees are the names of those who are paid, each once, as they were when the transaction was locked.
func (t Transaction) Payees() []string {
	var out []string
	for _, p := range t.Payments {
		var r receiverSnapshot
		if p.Snapshot == "" || json.Unmarshal([]byte(p.Snapshot), &r) != nil {
			continue // what was stored by hand is no name to show
		}
		name := strings.TrimSpace(r.LegalName)
		if name == "" {
			name = strings.TrimSpace(r.FirstName + " " + r.LastName)
		}
		if name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}
