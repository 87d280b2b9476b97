package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"slipway/internal/directory/bankaccount"
	"slipway/internal/platform/config"
	"slipway/internal/platform/jobs"
	"slipway/internal/rails/ibansuite"
	"slipway/internal/standards/bankcode"
)

// bankAccounts builds the noun with the tables that the operator has given, and with a provider if one is configured.
func (a *App) bankAccounts() error {
	c := a.Config.BankAccounts

	tables, err := bankTables(c)
	if err != nil {
		return err
	}

	provider, err := suiteOf(c)
	if err != nil {
		return fmt.Errorf("bank_accounts.provider: %w", err)
	}

	a.BankAccounts = bankaccount.New(bankaccount.Deps{
		DB:          a.DB,
		Log:         a.Log,
		OrgApproved: organisationApproved,
		Tables:      tables,
		Provider:    provider,
		Enqueue:     a.Jobs.Enqueue,
		OrgName:     organisationName,
		Mail:        a.Mail.Queue,
		Payees:      a.payees(),
	})
	a.Jobs.Handle(bankaccount.JobValidate, func(ctx context.Context, j jobs.Job) (jobs.Result, error) {
		return jobs.Done(), a.BankAccounts.Validate(ctx, j.Payload)
	})

	return nil
}

// suiteOf makes the provider of the configuration; nil: accounts are checked offline only.
func suiteOf(c config.BankAccounts) (ibansuite.Provider, error) {
	switch c.Provider {
	case "ibansuite":
		return ibansuite.NewClient(ibansuite.Config{URL: c.URL, Key: c.Key, Timeout: c.Timeout})
	case "simulator":
		return simulatedSuite()
	}

	return nil, nil
}

// bankTables reads the files that the operator has given. One that is no such table stops the start: a check that is
// believed to be made and is not would be worse than none.
func bankTables(c config.BankAccounts) (bankaccount.Tables, error) {
	var t bankaccount.Tables

	err := withFiles(
		"bank_accounts.uk_weights_file",
		c.UKWeightsFile,
		c.UKSubstitutionsFile,
		func(weights, substitutes io.Reader) (err error) {
			t.UK, err = bankcode.ReadModulusTable(weights, substitutes)
			return err
		},
	)
	if err == nil {
		err = withFiles(
			"bank_accounts.fedach_file, fedwire_file",
			c.FedACHFile,
			c.FedwireFile,
			func(ach, wire io.Reader) (err error) {
				t.Fed, err = bankcode.ReadDirectory(ach, wire)
				return err
			},
		)
	}

	return t, err
}

// withFiles opens two files for a reader; one that is not named is nil. Without either, read is not called.
func withFiles(key, first, second string, read func(a, b io.Reader) error) (err error) {
	if first == "" && second == "" {
		return nil
	}

	var in [2]io.Reader
	for i, name := range []string{first, second} {
		if name == "" {
			continue
		}

		f, ferr := os.Open(name)
		if ferr != nil {
			return fmt.Errorf("%s: %w", key, ferr)
		}

		defer func() { err = errors.Join(err, f.Close()) }()
		in[i] = f
	}

	if err := read(in[0], in[1]); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}

	return nil
}
