package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/payments/quote"
	"slipway/internal/payments/settlement"
	"slipway/internal/payments/transaction"
	"slipway/internal/payments/transaction/onramp"
	"slipway/internal/platform/clock"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/liquidity"
	"slipway/internal/rails/rates"
)

// Banking is what a deployment has so that tokens become fiat and fiat tokens. Without rates it carries out CRYPTO
// transactions alone.
type Banking struct {
	// Rates says what one thing is worth in another, in the service's time; nil: the configured market, if there is
	// one.
	Rates func(*clock.Clock) rates.Source
	// House is our accounts at banks: payouts leave from them, deposits arrive on them.
	House []bank.HouseAccount
	// Channel is the way to the bank; nil: files are only imported by hand.
	Channel bank.Channel
	// Archive is the folder that keeps every file that came from the bank.
	Archive string
	// Look is how often the bank's files are looked for; 0: a minute.
	Look time.Duration
	// Gather is how long a payout waits for others to go into one file with it; 0: not at all.
	Gather time.Duration
	// Liquidity opens the provider of a name that no address is configured for: a simulator, which trades at the given
	// prices. What it opens is closed with the App. nil: nobody swaps tokens and fiat.
	Liquidity OpenLiquidity
}

// OpenLiquidity opens the provider of liquidity of a name.
type OpenLiquidity func(name string, c *clock.Clock, prices rates.Source) (liquidity.Provider, io.Closer, error)

// quotes makes the prices of transactions and the accounts for deposits. Without rates there are none.
func (a *App) quotes() error {
	var err error
	if a.rates, err = a.source(); err != nil || a.rates == nil {
		return err
	}

	d, err := pricesOf(a.Config)
	if err != nil {
		return err
	}

	d.DB = a.DB
	d.Rates = a.rates
	a.Quotes = quote.New(d)
	a.deposits = depositAccounts(a.outside.Banking.House)

	return nil
}

// onramp is the type of transactions that take deposits.
func (a *App) onramp() onramp.Kind {
	return onramp.Kind{
		Quotes:          a.Quotes,
		DepositAccounts: func() []transaction.DepositAccount { return a.deposits },
	}
}

// payoutRails are the rails on which the house has an account to pay a currency from.
func (a *App) payoutRails(currency string) []string {
	var out []string
	for _, h := range a.outside.Banking.House {
		if h.Currency == currency {
			out = append(out, h.Rails...)
		}
	}

	return out
}

// carries says what of a payment the bank's files cannot carry.
func (a *App) carries(p transaction.Payment, rail string) map[string]string {
	if a.Bank == nil {
		return nil
	}

	return a.Settlement.Carries(p, rail)
}

// settlement builds what moves money: with rates, accounts at banks and a provider of liquidity all types of
// transactions, else CRYPTO.
func (a *App) settlement() error {
	d := settlement.Deps{
		DB:           a.DB,
		Rail:         a.Rail,
		Transactions: a.Transactions,
		Screening:    a.Screenings,
		Approvals:    a.Approvals,
		Jobs:         a.Jobs,
		Log:          a.Log,
		Quotes:       a.Quotes,
		Sound:        a.ensureSound,
		Keys:         a.Keys,
	}

	b := a.outside.Banking

	providers, err := a.liquidity()
	if err != nil {
		return err
	}

	if a.Quotes != nil && providers != nil {
		d.Liquidity = providers
		c := a.Config.Bank

		a.Bank, err = bank.New(bank.Config{
			DB:           a.DB,
			Observer:     a.observer,
			Read:         settlement.Read,
			Accounts:     b.House,
			Channel:      b.Channel,
			Archive:      b.Archive,
			Copies:       a.witness,
			Gate:         a.Instance,
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

		d.Bank = a.Bank

		look := b.Look
		if look == 0 {
			look = time.Minute
		}

		a.Bank.Register(a.Jobs, look)
	}

	a.Settlement = settlement.New(d)
	a.observer.Service = a.Settlement

	return nil
}

// treasuryReady compares the treasury of a network with the chain: without a wallet that has approved the router,
// refunds and deliveries would wait for ever.
func (a *App) treasuryReady(ctx context.Context, n Network, c *chain.Client) error {
	if a.Bank == nil {
		return nil
	}

	if n.Record.WalletAddress == "" {
		return errors.New("it has no treasury: set network.treasury")
	}

	for _, t := range n.Tokens {
		_, allowance, err := c.Balances(
			ctx,
			common.HexToAddress(t.Address),
			common.HexToAddress(n.Record.WalletAddress),
			common.HexToAddress(n.Record.Router()),
		)
		if err != nil {
			return fmt.Errorf("allowance of the treasury: %w", err)
		}

		if allowance.Sign() == 0 {
			return fmt.Errorf(
				"the treasury %s has not approved the router to move its %s",
				n.Record.WalletAddress,
				t.Code,
			)
		}
	}

	return nil
}

// depositAccounts are the house's accounts as depositors are told them: the first of each currency.
func depositAccounts(house []bank.HouseAccount) []transaction.DepositAccount {
	var out []transaction.DepositAccount
	taken := map[string]bool{}

	for _, h := range house {
		if taken[h.Currency] {
			continue
		}

		taken[h.Currency] = true

		rail := ""
		if len(h.Rails) > 0 {
			rail = h.Rails[0]
		}

		out = append(out, transaction.DepositAccount{
			ID:            h.ID,
			Currency:      h.Currency,
			Country:       h.Country,
			Holder:        h.Holder,
			Street:        h.HolderStreet,
			PostCode:      h.HolderPostCode,
			Town:          h.HolderTown,
			BankName:      h.BankName,
			BankAddress:   h.BankAddress,
			IBAN:          h.IBAN,
			BIC:           h.BIC,
			AccountNumber: h.AccountNumber,
			SortCode:      h.SortCode,
			RoutingNumber: h.RoutingNumber,
			IFSC:          h.IFSC,
			Rail:          rail,
		})
	}

	return out
}
