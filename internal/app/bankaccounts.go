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

// buildBankAccounts builds bank accounts, with the configured tables and provider.
func (a *App) buildBankAccounts() error {
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
		BICOptional: c.EURBIC == "optional",
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

// suiteOf returns the configured provider, or nil: accounts are checked offline only.
func suiteOf(c config.BankAccounts) (ibansuite.Provider, error) {
	switch c.Provider {
	case "ibansuite":
		return ibansuite.NewClient(ibansuite.Config{URL: c.URL, Key: c.Key, Timeout: c.Timeout})
	case "simulator":
		return simulatedSuite()
	}

	return nil, nil
}

// bankTables reads the configured files. A file that is no such table stops the start: people would rely on a check
// that is not made.
func bankTables(c config.BankAccounts) (bankaccount.Tables, error) {
	var t bankaccount.Tables

	modulus := func(weights, substitutes io.Reader) (err error) {
		t.UK, err = bankcode.ReadModulusTable(weights, substitutes)
		return err
	}

	err := withFiles("bank_accounts.uk_weights_file", c.UKWeightsFile, c.UKSubstitutionsFile, modulus)
	if err != nil {
		return t, err
	}

	directory := func(ach, wire io.Reader) (err error) {
		t.Fed, err = bankcode.ReadDirectory(ach, wire)
		return err
	}

	err = withFiles("bank_accounts.fedach_file, fedwire_file", c.FedACHFile, c.FedwireFile, directory)
	if err != nil {
		return t, err
	}

	banks := func(file, _ io.Reader) (err error) {
		t.Banks, err = bankcode.ReadBanks(file)
		return err
	}

	return t, withFiles("bank_accounts.banks_file", c.BanksFile, "", banks)
}

// withFiles opens two files and calls read with them; a file without a name is nil. Without either name it does
// nothing. Its errors begin with key, the setting.
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
