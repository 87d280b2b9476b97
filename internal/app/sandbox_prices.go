//go:build !nosandbox

package app

import (
	"cmp"
	"context"
	"io"
	"math/big"
	"path/filepath"
	"time"

	"slipway/internal/app/world"
	"slipway/internal/platform/clock"
	"slipway/internal/platform/config"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/liquidity"
	"slipway/internal/rails/liquidity/liquiditysim"
	"slipway/internal/rails/rates"
	"slipway/internal/rails/rates/ratesim"
)

// sandboxBanking returns the simulated market, and our accounts at the sandbox's bank.
func sandboxBanking() Banking {
	return Banking{
		Rates: func(c *clock.Clock) rates.Source { return ratesim.New(c) },
		House: sandboxHouse(),
	}
}

// sandboxBank returns sandboxBanking with the bank's folder, and a provider of liquidity whose books are in it too.
func sandboxBank(w world.Places) Banking {
	b := sandboxBanking()
	b.Look = time.Second

	b.Liquidity = func(name string, c *clock.Clock, source rates.Source) (liquidity.Provider, io.Closer, error) {
		return SimulatedLiquidity(liquidityBooks(w, name), c, source)
	}
	if w.BankFolder == "" {
		return b
	}

	b.Archive = filepath.Join(w.BankFolder, "received")
	inbox, outbox := w.BankFolders()

	folder, err := bank.NewFolder(inbox, outbox)
	if err != nil {
		b.Liquidity = func(string, *clock.Clock, rates.Source) (liquidity.Provider, io.Closer, error) {
			return nil, nil, err
		}

		return b
	}

	b.Channel = folder

	return b
}

// liquidityBooks returns the file with the books of a simulated provider, or "" without a folder: they are in memory.
func liquidityBooks(w world.Places, name string) string {
	dir := cmp.Or(w.Books, w.BankFolder)

	switch {
	case dir == "":
		return ""
	case name == config.MainLiquidity:
		return filepath.Join(dir, "liquidity.jsonl")
	default:
		return filepath.Join(dir, "liquidity-"+name+".jsonl")
	}
}

// SimulatedLiquidity starts a provider in this process and returns a client of it, which signs its requests as for the
// live one. books is the provider's file; "": in memory.
func SimulatedLiquidity(
	books string,
	c *clock.Clock,
	source rates.Source,
) (liquidity.Provider, *liquiditysim.Server, error) {
	const keyID, key = "sandbox", "slipway-sandbox-liquidity-secret"

	server, err := liquiditysim.New(liquiditysim.Config{
		Journal: books,
		KeyID:   keyID,
		Secret:  key,
		Clock:   c,
		Price: func(ctx context.Context, base, quote string) (*big.Rat, error) {
			r, err := source.Rate(ctx, base, quote)
			return r.Value, err
		},
	})
	if err != nil {
		return nil, nil, err
	}

	client, err := liquidity.NewClient(liquidity.ClientConfig{
		URL:       "http://liquidity.sandbox",
		KeyID:     keyID,
		Secret:    key,
		Clock:     c,
		Transport: server.Transport(),
	})

	return client, server, err
}

// sandboxRails returns the rails of the sandbox's bank for an account's currency, best first.
func sandboxRails(currency string) []string {
	switch currency {
	case "EUR":
		return []string{"SEPA", "SEPA_INSTANT", "SWIFT"}
	case "GBP":
		return []string{"FASTER_PAYMENTS", "CHAPS", "SWIFT"}
	case "USD":
		return []string{"ACH", "FEDWIRE", "SWIFT"}
	case "INR":
		return []string{"IMPS", "NEFT", "SWIFT"}
	case "CHF":
		return []string{"SIC", "SWIFT"}
	}

	return []string{"SWIFT"}
}

// sandboxFormat returns the format of an account's payment files: ACH leaves in Nacha files.
func sandboxFormat(achOrigin string) string {
	if achOrigin == "" {
		return ""
	}

	return "nacha"
}

// sandboxHouse returns our accounts at the sandbox's bank.
func sandboxHouse() []bank.HouseAccount {
	accounts := world.HouseAccounts()

	out := make([]bank.HouseAccount, len(accounts))
	for i, a := range accounts {
		out[i] = bank.HouseAccount{
			ID:             a.ID,
			Currency:       a.Currency,
			Country:        a.Country,
			IBAN:           a.IBAN,
			BIC:            a.BIC,
			AccountNumber:  a.AccountNumber,
			SortCode:       a.SortCode,
			RoutingNumber:  a.RoutingNumber,
			IFSC:           a.IFSC,
			Holder:         a.Holder,
			HolderStreet:   "Kaistrasse 4", // a Swiss QR-bill names where its creditor is
			HolderPostCode: "8001",
			HolderTown:     "Zürich",
			BankName:       a.BankName,
			BankAddress:    a.BankAddress,
			Rails:          sandboxRails(a.Currency),
			Format:         sandboxFormat(a.ACHOrigin),
			ACH:            bank.ACH{Origin: a.ACHOrigin},
		}
	}

	return out
}
