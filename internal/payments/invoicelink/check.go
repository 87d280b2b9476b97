package invoicelink

import (
	"context"

	"slipway/internal/platform/db"
)

// CheckInvoice returns everything that Submit would refuse about an invoice now. It changes nothing. The hosted page
// shows the result beside the fields before it asks for confirmation.
func (s *Service) CheckInvoice(ctx context.Context, token string, in Invoice) error {
	in = in.trimmed()

	if err := s.admit(ctx, token); err != nil {
		return err
	}

	now := s.deps.DB.Now()
	err := s.deps.DB.Snapshot(ctx, func(q db.Querier) error {
		k, err := linkOf(ctx, q, token, now)
		if err == nil {
			err = k.checkChangeable("")
		}

		if err != nil {
			return err
		}

		return k.checkInvoice(ctx, q, in, now)
	})

	return s.countIfInvalid(ctx, err)
}
