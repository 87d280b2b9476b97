package payable

import (
	"context"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

// Open counts the payables of an organisation on which somebody acts next.
type Open struct {
	Draft     int64
	ToApprove int64 // drafts that the person has neither made nor changed; all drafts if nobody is given
	Approved  int64 // and in no transaction
	Reserved  int64 // approved, in a transaction that has not ended
}

// OpenOf counts open payables. withoutAuthor is the user whose own drafts ToApprove leaves out; empty: nobody's.
func OpenOf(ctx context.Context, q db.Querier, organisation, withoutAuthor string) (Open, error) {
	type count struct {
		status         string
		reserved, mine bool
		n              int64
	}

	rows, err := db.Select(ctx, q, func(c *count) []any {
		return []any{&c.status, &c.reserved, &c.mine, &c.n}
	}, `SELECT status, transaction_id <> '', replace(authors, ?, '') <> authors, count(*) FROM payables
		WHERE organisation = ? AND status IN ('DRAFT', 'APPROVED') GROUP BY 1, 2, 3`,
		withoutAuthor, organisation)

	var out Open

	for _, r := range rows {
		switch {
		case Status(r.status) == Draft:
			out.Draft += r.n
			if !r.mine {
				out.ToApprove += r.n
			}

		case r.reserved:
			out.Reserved += r.n
		default:
			out.Approved += r.n
		}
	}

	return out, err
}

// Due is what is to be paid on a day.
type Due struct {
	Day    time.Time
	Amount money.Amount
}

var dueRows = db.NewView("FROM payables", (*Due).columns)

func (d *Due) columns(c *db.Columns) {
	c.Time("expected_at", &d.Day)
	c.Amount("currency", "decimals", "units", &d.Amount)
}

// DueUntil returns open payables with a day on which they are to be paid, up to a day, oldest first, at most limit.
func DueUntil(ctx context.Context, q db.Querier, organisation string, until time.Time, limit int) ([]Due, error) {
	return dueRows.Select(ctx, q, `WHERE organisation = ? AND expected_at > 0 AND status IN ('DRAFT', 'APPROVED')
		AND expected_at <= ? ORDER BY expected_at LIMIT ?`, organisation, db.Micros(until), int64(limit))
}
