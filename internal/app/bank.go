package app

import (
	"cmp"
	"fmt"
	"time"

	"slipway/internal/payments/settlement"
	"slipway/internal/platform/epoch"
	"slipway/internal/rails/bank"
)

// buildBank builds the rail to our banks, where there are both rates and a provider of liquidity. Settlement registers
// as its observer (buildSettlement).
func (a *App) buildBank() error {
	if err := a.buildEBICS(); err != nil {
		return err
	}

	if a.rates == nil || a.liquidity == nil {
		return nil
	}

	b := a.outside.Banking
	c := a.Config.Bank

	rail, err := bank.New(bank.Config{
		DB:           a.DB,
		Read:         settlement.Read(a.DB),
		Accounts:     b.House,
		Channel:      b.Channel,
		Archive:      b.Archive,
		Copies:       a.witness,
		Gate:         epoch.Gate{Instance: a.Instance},
		Behind:       a.Instance.Behind,
		Log:          a.Log,
		MaxInFile:    c.MaxInFile,
		AskFor:       c.AskFor,
		Unanswered:   c.Unanswered,
		ReturnWithin: time.Duration(c.ReturnDays) * 24 * time.Hour,
		Gather:       b.Gather,
	})
	if err != nil {
		return fmt.Errorf("bank: %w", err)
	}

	a.Bank = rail
	a.Bank.Register(a.Jobs, cmp.Or(b.Look, time.Minute))

	return nil
}
