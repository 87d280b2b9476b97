package app

import (
	"context"

	"slipway/internal/core/fault"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/web"
)

type rejectIn struct {
	ID   string `path:"id"`
	Body struct {
		Reason string `json:"reason" maxLength:"500" doc:"shown in statusInfo"`
	}
}

// reviewRoute registers the platform's review: staff may refuse a transaction while nothing of it can have left the
// house, or while all that came in is still here.
func (a *App) reviewRoute(api *web.API) {
	web.Register(api, web.Operation{
		Method:  "POST",
		Path:    "/transactions/{id}/reject",
		ID:      "rejectTransaction",
		Tag:     "transactions",
		Access:  web.Staff,
		Summary: "Refuse a transaction in review (platform staff)",
		Description: "Possible until a send of the transaction has been written down; afterwards it is answered " +
			"409. A FIAT transaction that is ON_HOLD with its tokens at the treasury gives them back to its wallet " +
			"instead, and is FAILED once they are there.",
		Codes: []fault.Code{fault.TxNotReviewable},
	},
		func(ctx context.Context, in *rejectIn) (*transaction.View, error) {
			return a.Transactions.Answer(ctx, 200, func(done transaction.Done) error {
				return a.Settlement.Reject(ctx, in.ID, in.Body.Reason, done)
			})
		})
}
