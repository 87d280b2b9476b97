package invoicelink

import (
	"context"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/payments/payable"
	"slipway/internal/platform/db"
)

// FollowedFor is how long after an invoice was handed in its holder sees what became of it.
const FollowedFor = 180 * oneDay

// Progress is what became of an invoice, as far as the outside party is told. Why an invoice was declined, and who has
// decided, is not told.
type Progress string

// The stages.
const (
	Received Progress = "RECEIVED"  // nobody has taken it over yet
	InReview Progress = "IN_REVIEW" // it is a payable that waits for approval
	Agreed   Progress = "APPROVED"  // it is approved, and will be paid
	PaidOut  Progress = "PAID"      // its payment was completed
	Declined Progress = "DECLINED"  // the organisation has rejected it
)

// readable reports whether the token of a link still reads what was handed in, and what became of it.
func (k Link) readable(now time.Time) bool {
	switch k.Status {
	case Open:
		return now.Before(k.ExpiresAt)
	case Submitted, Used:
		return !k.SubmittedAt.IsZero() && now.Before(k.SubmittedAt.Add(FollowedFor))
	case Revoked, Expired: // what was handed in is deleted
	}

	return false
}

// usable reports whether the token of a link still hands in something.
func (k Link) usable(now time.Time) bool {
	return (k.Status == Open || k.Status == Submitted) && now.Before(k.ExpiresAt)
}

// progress returns what became of the invoice, and when it was paid. Before one is handed in both are empty.
func (k Link) progress(ctx context.Context, q db.Querier) (Progress, time.Time, error) {
	switch {
	case k.SubmittedAt.IsZero():
		return "", time.Time{}, nil
	case k.Payable == "":
		return Received, time.Time{}, nil
	}

	p, err := payable.ByID(ctx, q, k.Organisation, k.Payable)
	if fault.Is(err, fault.NotFoundCode) {
		return Declined, time.Time{}, nil
	}

	if err != nil {
		return "", time.Time{}, err
	}

	switch p.Status {
	case payable.Approved:
		return Agreed, time.Time{}, nil
	case payable.Paid:
		return PaidOut, p.PaidAt, nil
	case payable.Rejected:
		return Declined, time.Time{}, nil
	case payable.Draft:
	}

	return InReview, time.Time{}, nil
}
