//go:build !nosandbox

package world

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"slipway/internal/rails/bank/banksim"
	"slipway/internal/rails/chain/devchain"
)

// bankPeriod is how often the bank looks into its inbox.
const bankPeriod = 100 * time.Millisecond

// HouseAccounts returns our accounts at the sandbox's bank, one for each currency. Nobody has these numbers: their bank
// codes are not assigned.
func HouseAccounts() []banksim.Account {
	accounts := []banksim.Account{
		{
			ID:       "eur",
			Currency: "EUR",
			Country:  "DE",
			IBAN:     "DE91100000000123456789",
			BIC:      "SLWYDEF0XXX",
			Opening:  "50000000.00",
		},
		{
			ID:            "gbp",
			Currency:      "GBP",
			Country:       "GB",
			AccountNumber: "12345678",
			SortCode:      "999999",
			BIC:           "SLWYGBL0XXX",
			Opening:       "50000000.00",
		},
		{
			ID:            "usd",
			Currency:      "USD",
			Country:       "US",
			AccountNumber: "000123456789",
			RoutingNumber: "123456780",
			ACHOrigin:     "1234567890",
			BIC:           "SLWYUSN0XXX",
			Opening:       "50000000.00",
		},
		{
			ID:            "inr",
			Currency:      "INR",
			Country:       "IN",
			AccountNumber: "00012345678901",
			IFSC:          "SLWY0000001",
			BIC:           "SLWYINB0XXX",
			Opening:       "5000000000.00",
		},
		{
			ID:       "chf",
			Currency: "CHF",
			Country:  "CH",
			IBAN:     "CH6700099012345678901",
			BIC:      "SLWYCHZ0XXX",
			Opening:  "50000000.00",
		},
		{
			ID:       "aed",
			Currency: "AED",
			Country:  "AE",
			IBAN:     "AE120990000123456789012",
			BIC:      "SLWYAEA0XXX",
			Opening:  "200000000.00",
		},
	}

	for i := range accounts {
		accounts[i].Holder = "Slipway Sandbox AG"
		accounts[i].BankName = "Sandbox Bank"
		accounts[i].BankAddress = "1 Harbour Street, 8000 Zurich"
	}

	return accounts
}

// openBank starts the bank in its folder. It is open every day: whoever tries Slipway on a Saturday does not wait for
// Monday. In a world that works by itself it works by itself too.
func (w *World) openBank(_ context.Context, c Config) error { //nolint:contextcheck // it runs until it is closed
	w.BankFolder = c.BankDir
	if c.BankDir == "" {
		dir, err := os.MkdirTemp("", "slipway-bank-")
		if err != nil {
			return err
		}

		w.BankFolder = dir
		w.end = append(w.end, func() error { return os.RemoveAll(dir) })
	}

	b, err := banksim.New(banksim.Config{ //nolint:contextcheck // it reads its own books
		Folder:   w.BankFolder,
		Accounts: HouseAccounts(),
		Clock:    w.Clock,
		AtOnce:   true,
		Log:      c.Log,
	})
	if err != nil {
		return err
	}

	w.Bank = b
	w.end = append([]func() error{b.Close}, w.end...)

	if c.Mode == devchain.Manual {
		return nil
	}

	ctx, cancel := context.WithCancel(context.Background())

	done := make(chan error, 1)
	go func() { done <- b.Run(ctx, bankPeriod) }()

	w.end = append([]func() error{func() error {
		cancel()
		return <-done
	}}, w.end...)

	return nil
}

// BankFolders are where payment files go to the bank, and where its answers come from.
func (w *Places) BankFolders() (inbox, outbox string) {
	return filepath.Join(w.BankFolder, "inbox"), filepath.Join(w.BankFolder, "outbox")
}
