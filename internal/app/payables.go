package app

import "slipway/internal/payments/payable"

// buildPayables builds payables. Transactions call them through payable.Hooks, and payees through payable.PayeeChanged.
func (a *App) buildPayables() {
	a.Payables = payable.New(payable.Deps{DB: a.DB, Transactions: a.Transactions})
}
