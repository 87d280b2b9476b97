package app

import "slipway/internal/payments/overview"

// buildOverview builds what members see first, and the job that adds up what was paid.
func (a *App) buildOverview() {
	a.Overview = overview.New(overview.Deps{
		DB:           a.DB,
		Transactions: a.Transactions,
		Approvals:    a.Approvals,
	})

	a.Jobs.Every(overview.Job, overview.Every, a.Overview.Count)
}
