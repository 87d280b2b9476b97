package app

import (
	"fmt"

	"slipway/internal/platform/config"
	"slipway/internal/rails/bank"
)

// bankOf returns the configured channel to the bank, and our accounts there.
func bankOf(c *config.Config) (Banking, error) {
	out := Banking{Archive: c.BankArchive(), Look: c.Bank.Poll, Gather: c.Bank.Gather}
	for _, a := range c.HouseAccounts {
		out.House = append(out.House, bank.HouseAccount{
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
			HolderStreet:   a.HolderStreet,
			HolderPostCode: a.HolderPostCode,
			HolderTown:     a.HolderTown,
			BankName:       a.BankName,
			BankAddress:    a.BankAddress,
			Rails:          a.Rails,
			CutOff:         a.CutOff,
			BooksFrom:      a.BooksFrom,

			StatementEncoding: a.StatementEncoding,

			ReturnEvidence: a.ReturnEvidence,
			ReturnCodes:    a.ReturnCodes,
			ReturnFee:      a.ReturnFee,
		})
	}

	if _, err := bank.New(bank.Config{Accounts: out.House}); err != nil {
		return out, fmt.Errorf("house_account: %w", err)
	}

	var err error
	switch c.Bank.Channel {
	case "folder":
		out.Channel, err = bank.NewFolder(c.Bank.ToBank, c.Bank.FromBank)

	case "sftp":
		s := c.Bank.SFTP

		out.Channel, err = bank.NewSFTP(bank.SFTPConfig{
			Address:    s.Address,
			User:       s.User,
			PrivateKey: []byte(s.Key.Reveal()),
			Password:   s.Password.Reveal(),
			HostKey:    s.HostKey,
			ToBank:     c.Bank.ToBank,
			FromBank:   c.Bank.FromBank,
		})
	}

	if err != nil {
		return out, fmt.Errorf("bank: %w", err)
	}

	return out, nil
}
