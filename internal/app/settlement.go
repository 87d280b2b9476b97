package app

import (
	"slipway/internal/payments/settlement"
	"slipway/internal/payments/transaction/onramp"
)

// buildSettlement builds what moves money, and registers it with both rails as their observer: it sends through them,
// and they report to it what became of what was sent. Without accounts at banks it settles CRYPTO transactions alone.
func (a *App) buildSettlement() {
	d := settlement.Deps{
		DB:           a.DB,
		Keys:         a.Keys,
		Rail:         a.Rail,
		Transactions: a.Transactions,
		Screening:    a.Screenings,
		Approvals:    a.Approvals,
		Quotes:       a.Quotes,
		Jobs:         a.Jobs,
		Log:          a.Log,
		Sound:        a.ensureSound,

		Reference:      onramp.NewReference,
		DepositDetails: a.depositDetails,
		CorrectAccount: a.BankAccounts.Correct,
	}
	if a.Bank != nil {
		d.Bank = a.Bank
		d.Liquidity = a.liquidity
	}

	a.Settlement = settlement.New(d)
	a.Rail.Observe(a.Settlement)

	if a.Bank != nil {
		a.Bank.Observe(a.Settlement)
	}
}
