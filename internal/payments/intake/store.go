package intake

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// made is a payment that was taken in: the transaction whose draft has it. Its key is unique in the organisation, so
// the same row of the same table is one payment, however often the table is taken in.
type made struct {
	ID           string // organisation and key
	Organisation string
	Transaction  string
	Line         int64
	CreatedAt    time.Time
}

var madeRows = db.NewTable("intake_payments", (*made).columns)

func (m *made) columns(c *db.Columns) {
	c.Text("id", &m.ID)
	c.Text("organisation", &m.Organisation)
	c.Text("transaction_id", &m.Transaction)
	c.Int64("line", &m.Line)
	c.Time("created_at", &m.CreatedAt)
}

// keyOf returns what a payment is known by: the key that the table gives it, or else its account and what it says, and
// which of several equal ones it is. Only a hash is kept, since the reason of a payment is nobody else's business.
func keyOf(organisation, account string, p Payment) string {
	said := "key|" + p.Key
	if p.Key == "" {
		said = strings.Join([]string{"content", account, p.content(), strconv.Itoa(p.Nth)}, "|")
	}

	sum := sha256.Sum256([]byte(organisation + "|" + said))

	return organisation + "/" + hex.EncodeToString(sum[:16])
}

// alreadyMade returns what is there of some keys. A payment whose draft was deleted is there, and is not alive: it may
// be taken in again.
func alreadyMade(ctx context.Context, q db.Querier, organisation string, keys []string) (
	all map[string]made, alive map[string]bool, err error,
) {
	var w db.Where
	w.And("organisation = ?", organisation)

	all, err = madeRows.ByKeys(ctx, q, w, keys, func(m made) string { return m.ID })
	if err != nil || len(all) == 0 {
		return all, nil, err
	}

	var ids []string
	seen := map[string]bool{}

	for _, m := range all {
		if !seen[m.Transaction] {
			seen[m.Transaction] = true
			ids = append(ids, m.Transaction)
		}
	}

	progress, err := transaction.ProgressOf(ctx, q, ids)
	alive = map[string]bool{}

	for id := range progress {
		alive[id] = true
	}

	return all, alive, err
}

// noteMade notes at each payment to a known account which transaction an earlier run has made of it.
func (s *Service) noteMade(ctx context.Context, q db.Querier, organisation string, all []Entry) error {
	var keys []string
	for _, e := range all {
		if e.Payment != nil && (e.Account.ID != "" || e.Payment.Key != "") {
			keys = append(keys, keyOf(organisation, e.Account.ID, *e.Payment))
		}
	}

	there, alive, err := alreadyMade(ctx, q, organisation, keys)
	if err != nil || len(alive) == 0 {
		return err
	}

	for i, e := range all {
		if e.Payment == nil {
			continue
		}

		if m, ok := there[keyOf(organisation, e.Account.ID, *e.Payment)]; ok && alive[m.Transaction] {
			all[i].Payment.Made = m.Transaction
		}
	}

	return nil
}
