package invoicelink

import (
	"context"

	"slipway/internal/platform/db"
)

// CheckInvoice says everything that Submit would find wrong with an invoice now, and changes nothing: the hosted page
// tells it beside the fields before it asks whether all is right.
func (s *Service) CheckInvoice(ctx context.Context, token string, in Invoice) error {
	in = in.trimmed()

	if err := s.arriving(ctx, token); err != nil {
		return err
	}

	now := s.deps.DB.Now()
	err := s.deps.DB.Snapshot(ctx, func(q db.Querier) error {
		k, err := good(ctx, q, token, now)
		if err == nil {
			err = k.changeable("")
		}

		if err != nil {
			return err
		}

		return k.complete(ctx, q, in, now)
	})

	return s.judged(ctx, err)
}
