package app

import (
	"context"
	"fmt"

	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
	"slipway/internal/rails/bank/ebics"
)

// This file holds the contract at a bank's EBICS server: what people do with it is in cmd/slipway.

// buildEBICS builds the contract and the channel over it, where one is configured.
func (a *App) buildEBICS() error {
	e := a.outside.Banking.EBICS
	if e == nil {
		return nil
	}

	c := e.Contract
	c.DB = a.DB

	contract, err := ebics.NewContract(c)
	if err != nil {
		return fmt.Errorf("bank.ebics: %w", err)
	}

	channel, err := ebics.NewChannel(contract, e.Channel)
	if err != nil {
		return fmt.Errorf("bank.ebics: %w", err)
	}

	a.EBICS = contract
	a.outside.Banking.Channel = channel

	return nil
}

// handleBankKeys registers what lets the keys of a bank be used: two operators, who have compared them with its letter
// (F-14).
func (a *App) handleBankKeys() {
	a.Approvals.Handle(approval.BankKeys, approval.Handler{
		Roles: []string{user.Operator},
		Decided: func(ctx context.Context, tx *db.Tx, ap approval.Approval) error {
			if ap.Status != approval.Approved {
				return nil
			}

			if a.EBICS == nil {
				return fault.Missing("EBICS contract")
			}

			return a.EBICS.Accept(ctx, tx, ap.Data)
		},
	})
}

// AskBankKeys asks a second operator to let keys of the bank be used. Both compare the hashes with the bank's letter. A
// second call replaces the first request.
func (a *App) AskBankKeys(ctx context.Context, s *ebics.Stored, keys *ebics.BankKeys, done approval.Done) error {
	return a.DB.Write(ctx, func(tx *db.Tx) error {
		ap, err := a.Approvals.Ask(ctx, tx, approval.Request{
			Kind:   approval.BankKeys,
			Object: s.ID,
			Data:   keys.Text(),
			Summary: words.Phrase(
				"Use these keys of the bank %[1]s over EBICS. Compare their hashes with the bank's letter before you "+
					"approve. Authentication: %[2]s. Encryption: %[3]s.",
				s.ID,
				keys.Authentication.HashText(s.Version),
				keys.Encryption.HashText(s.Version),
			),
		})
		if err != nil {
			return err
		}

		return done(tx, ap)
	})
}
