package transaction

import (
	"context"

	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
)

// headroom returns by how much the approval of a transaction exceeds what it costs: what the call asks for, or else
// what the organisation has set, or else what the deployment has. It is only about what the wallet approves. The router
// takes the exact debit, whatever is approved.
func (s *Service) headroom(ctx context.Context, t Transaction, asked string) (organisation.Headroom, error) {
	var l fault.List

	converts := s.Kinds[t.Type].Traits().Converts
	if asked != "" {
		h := organisation.CheckHeadroom(&l, "/headroomPercent", asked)
		if !converts {
			l.Add("/headroomPercent", fault.NotAllowed, "belongs to FIAT transactions: other costs depend on no rate.")
		}

		return h, l.Err()
	}

	if !converts {
		return organisation.Headroom{}, nil
	}

	o, err := organisation.ByID(ctx, s.DB, t.Organisation)
	if err != nil || o.Headroom == "" {
		return s.Headroom, err
	}

	h := organisation.CheckHeadroom(&l, "/headroomPercent", o.Headroom)

	return h, l.Err()
}
