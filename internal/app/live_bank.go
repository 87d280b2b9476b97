package app

import (
	"errors"
	"fmt"
	"strings"

	"slipway/internal/platform/config"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/bank/ebics"
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

			Format: a.PaymentFormat,
			ACH: bank.ACH{
				Destination:     a.ACHDestination,
				DestinationName: a.ACHDestinationName,
				Origin:          a.ACHOrigin,
				OriginName:      a.ACHOriginName,
				CompanyID:       a.ACHCompanyID,
				CompanyName:     a.ACHCompanyName,
				Description:     a.ACHDescription,
				Classes:         a.ACHEntryClasses,
				Balanced:        a.ACHBalanced,
				SameDayUntil:    a.ACHSameDayUntil,
			},

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

	case "ebics":
		out.EBICS, err = ebicsOf(c, out.House)
	}

	if err != nil {
		return out, fmt.Errorf("bank: %w", err)
	}

	return out, nil
}

// ebicsOf returns the configured contract at the bank's EBICS server. It reports everything that is wrong in one error.
func ebicsOf(c *config.Config, house []bank.HouseAccount) (*EBICS, error) {
	e := c.Bank.EBICS

	out := &EBICS{
		Contract: ebics.ContractConfig{
			URL:        e.URL,
			Subscriber: ebics.Subscriber{Host: e.HostID, Partner: e.PartnerID, User: e.UserID},
			Version:    ebics.Version(e.Version),
			Name:       c.Operator.Name,
		},
		Channel: ebics.ChannelConfig{
			Accounts: house,
			Payments: map[string]ebics.Order{},
			Every:    e.FetchEvery,
		},
	}

	var problems []error

	read := func(setting, text string, upload bool) ebics.Order {
		o, err := ebics.ParseOrder(text, upload)
		if v := o.Version(); err == nil && v != "" && e.Version != "" && v != out.Contract.Version {
			err = fmt.Errorf("%s is an order of %s, and version is %s", o, v, e.Version)
		}

		if err != nil {
			problems = append(problems, fmt.Errorf("ebics.%s: %w", setting, err))
		}

		return o
	}

	for _, text := range e.Payments {
		rail, order, forRail := strings.Cut(text, ":")
		if !forRail {
			rail, order = "", text
		}

		if _, twice := out.Channel.Payments[strings.TrimSpace(rail)]; twice {
			problems = append(problems, fmt.Errorf("ebics.payments: two orders for %q", strings.TrimSpace(rail)))
		}

		out.Channel.Payments[strings.TrimSpace(rail)] = read("payments", order, true)
	}

	for _, text := range e.Downloads {
		out.Channel.Downloads = append(out.Channel.Downloads, read("downloads", text, false))
	}

	contract, err := ebics.NewContract(out.Contract)
	problems = append(problems, err)

	_, err = ebics.NewChannel(contract, out.Channel)
	problems = append(problems, err)

	return out, errors.Join(problems...)
}

// EBICSOf returns the configured contract at the bank's EBICS server, for who looks at it without the service.
func EBICSOf(c *config.Config) (*EBICS, error) {
	out, err := bankOf(c)
	if err == nil && out.EBICS == nil {
		err = errors.New("bank.channel is not ebics")
	}

	return out.EBICS, err
}
