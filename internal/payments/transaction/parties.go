package transaction

import (
	"slices"
	"strings"

	"slipway/internal/directory/receiver"
	"slipway/internal/identity/approval"
)

// Parties are the people who have had a part in a transaction.
type Parties struct {
	ID         string
	CreatedBy  string
	Authors    approval.People // besides the creator
	AcceptedBy string
	Status     Status // the present one
}

// Payees returns the names of the receivers, each once, as they were when the transaction was locked.
func (t Transaction) Payees() []string {
	var out []string
	for _, p := range t.Payments {
		if name := p.Payee(); name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}

	return out
}

// Payee returns the receiver's name as it was when the transaction was locked, or "" if the stored copy holds no name.
// The legal name that an individual may have besides is not what screening sees and a bank gets.
func (p Payment) Payee() string {
	if snapshotText(p.Snapshot, `"type":"`) != string(receiver.Individual) {
		if name := strings.TrimSpace(snapshotText(p.Snapshot, `"legalName":"`)); name != "" {
			return name
		}
	}

	return strings.TrimSpace(snapshotText(p.Snapshot, `"firstName":"`) + " " + snapshotText(p.Snapshot, `"lastName":"`))
}
