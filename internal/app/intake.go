package app

import "slipway/internal/payments/intake"

// buildIntake builds the imports of tables.
func (a *App) buildIntake() {
	a.Intake = intake.New(intake.Deps{
		DB:           a.DB,
		OrgApproved:  organisationApproved,
		Accounts:     a.BankAccounts,
		Payees:       a.payees(),
		Transactions: a.Transactions,
	})
}
