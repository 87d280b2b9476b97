//go:build !nosandbox

package app

import (
	"context"
	"errors"
	"strings"

	"slipway/internal/core/fault"
	"slipway/internal/platform/web"
	"slipway/internal/rails/bank/banksim"
)

type depositIn struct {
	Body struct {
		Reference     string `json:"reference" maxLength:"200" doc:"what the sender writes: the reference of bank-details, or anything else"`
		Amount        string `json:"amount" maxLength:"40" doc:"what is asked for; the kind may change it"`
		Currency      string `json:"currency" maxLength:"3" doc:"ISO 4217; the bank has one account of ours in each of its currencies"`
		SenderName    string `json:"senderName" maxLength:"200"`
		SenderAccount string `json:"senderAccount,omitempty" maxLength:"40" doc:"IBAN or account number"`
		EndToEndID    string `json:"endToEndId,omitempty" maxLength:"40" doc:"the sender's own identification"`
		Kind          string `json:"kind,omitempty" enum:"exact,short,over,fee_shortened,split,duplicate,wrong_reference,no_reference,wrong_currency,other_sender,pending" doc:"in which way the deposit is not what was asked for; default exact"`
	}
}

// depositMade names the lines that the deposit has made on our account.
type depositMade struct {
	Entries []string `json:"entries" doc:"the bank's references of the lines; reverse, book and drop of /sandbox/bank take them"`
}

type bankIn struct {
	Body struct {
		Op         string `json:"op" maxLength:"40" doc:"one of the operations listed above"`
		EndToEndID string `json:"endToEndId,omitempty" maxLength:"40" doc:"of a payment, as the transaction's bank list shows it"`
		Entry      string `json:"entry,omitempty" maxLength:"40" doc:"the bank's reference of a deposit"`
		Reason     string `json:"reason,omitempty" maxLength:"10" doc:"ISO 20022 reason code, such as AC04"`
		Count      int    `json:"count,omitempty" minimum:"1" maximum:"1000" doc:"how many times; default 1"`
		Kind       string `json:"kind,omitempty" maxLength:"20"`
		Amount     string `json:"amount,omitempty" maxLength:"40"`
	}
}

// bankState is the state of the bank after a control.
type bankState struct {
	Accounts []bankAccountState `json:"accounts"`
	Payments map[string]int     `json:"payments" doc:"how many payments are in each state"`
	Answers  []string           `json:"answers" doc:"the newest files the bank has written, newest first"`
}

type bankAccountState struct {
	ID       string `json:"id"`
	Currency string `json:"currency"`
	Balance  string `json:"balance"`
}

// bankRoutes registers the controls of the simulated bank.
func bankRoutes(b *banksim.Bank, api *web.API) {
	depositOp := control("/sandbox/deposits", "sandboxDeposit", "Send money to one of our bank accounts")
	depositOp.Description = "The bank books it and writes the advice at once. Each call is another deposit."
	web.Register(api, depositOp, func(ctx context.Context, in *depositIn) (*depositMade, error) {
		kind := banksim.Kind(in.Body.Kind)
		if kind == "exact" {
			kind = banksim.Exact
		}

		refs, err := b.Deposit(ctx, banksim.Deposit{
			Reference:     in.Body.Reference,
			Amount:        in.Body.Amount,
			Currency:      in.Body.Currency,
			Sender:        in.Body.SenderName,
			SenderAccount: in.Body.SenderAccount,
			EndToEndID:    in.Body.EndToEndID,
			Kind:          kind,
		})

		return &depositMade{Entries: refs}, asRefusal(err)
	})

	bankOp := control("/sandbox/bank", "sandboxBank", "Steer the bank")
	bankOp.Description = operationsText()
	web.Register(api, bankOp, func(ctx context.Context, in *bankIn) (*bankState, error) {
		err := b.Control(ctx, banksim.Control{
			Op:         in.Body.Op,
			EndToEndID: in.Body.EndToEndID,
			Entry:      in.Body.Entry,
			Reason:     in.Body.Reason,
			Count:      in.Body.Count,
			Kind:       in.Body.Kind,
			Amount:     in.Body.Amount,
		})
		if err != nil {
			return nil, asRefusal(err)
		}

		return stateOf(ctx, b)
	})
}

// operationsText returns the help of /sandbox/bank: what every operation does, and how account numbers choose an
// outcome.
func operationsText() string {
	var s strings.Builder
	s.WriteString("Operations:\n\n")

	for _, o := range banksim.Operations() {
		s.WriteString("- `" + o.Op + "`: " + o.Does + "\n")
	}

	s.WriteString("\nThe last three digits of the creditor's account choose what becomes of a payment: " +
		"002 account closed, 003 no account, 004 returned after it was completed, 005 pending for 24 hours, " +
		"006 held for compliance, 007 no word for an hour, then paid, 008 no word for an hour, then refused, " +
		"009 partly returned.")

	return s.String()
}

// asRefusal returns the errors of the bank's controls as a refusal.
func asRefusal(err error) error {
	var no banksim.Faults
	if !errors.As(err, &no) {
		return err
	}

	var l fault.List
	for _, f := range no {
		l.Add("/"+f.Field, fault.FormatInvalid, "%s", f.Text)
	}

	return l.Err()
}

// stateOf returns the bank's balances, its payments by state, and its newest files.
func stateOf(ctx context.Context, b *banksim.Bank) (*bankState, error) {
	out := &bankState{Payments: map[string]int{}}
	for _, a := range b.Accounts() {
		balance, err := b.BalanceText(ctx, a.ID)
		if err != nil {
			return nil, err
		}

		out.Accounts = append(out.Accounts, bankAccountState{ID: a.ID, Currency: a.Currency, Balance: balance})
	}

	list, err := b.Payments(ctx)
	if err != nil {
		return nil, err
	}

	for _, p := range list {
		out.Payments[p.State]++
	}

	out.Answers, err = b.Answers(ctx, 20)

	return out, err
}
