package transaction

import (
	"context"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
)

// Parties are the people who have had a part in a transaction.
type Parties struct {
	ID         string
	CreatedBy  string
	Authors    approval.People // besides the creator
	AcceptedBy string
	Status     Status // as it is now
}

// PartiesOf gives the people of an organisation's transactions, by identifier. Unknown ones, another organisation's and deleted ones are left out.
func PartiesOf(ctx context.Context, q db.Querier, organisation string, ids []string) (map[string]Parties, error) {
	out := make(map[string]Parties, len(ids))
	for some := range slices.Chunk(ids, 256) {
		var w db.Where
		w.And("organisation = ?", organisation)
		w.And("deleted = FALSE")
		db.In(&w, "id", some)
		rows, err := db.Select(ctx, q, func(p *Parties) []any {
			return []any{&p.ID, &p.CreatedBy, (*string)(&p.Authors), &p.AcceptedBy, (*string)(&p.Status)}
		}, "SELECT id, created_by, authors, accepted_by, status FROM transactions"+w.SQL(), w.Args...)
		if err != nil {
			return nil, err
		}
		for _, p := range rows {
			out[p.ID] = p
		}
	}
	return out, nil
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
