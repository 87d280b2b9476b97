package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"slipway/internal/app"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/ebics"
)

type bankEbicsCommand struct {
	Init     bankEbicsInitCommand     `cmd:"" help:"Make our keys, send them to the bank (INI, HIA), and write the letter that it wants. Safe to repeat: each step is done once."`
	Letter   bankEbicsLetterCommand   `cmd:"" help:"Write the letter once more."`
	Activate bankEbicsActivateCommand `cmd:"" help:"Fetch the bank's keys (HPB), and have two operators accept them, who compare them with the bank's letter."`
	Status   bankEbicsStatusCommand   `cmd:"" help:"Print how far the contract is set up, and what comes next."`
	Orders   bankEbicsOrdersCommand   `cmd:"" help:"Print the accounts and orders that the bank lets our user use (HTD)."`
	Suspend  bankEbicsSuspendCommand  `cmd:"" help:"Lock our user at the bank at once, as after the loss of a key (SPR). Only the bank can unlock it."`
}

// withEBICS is tool for commands about the contract. It returns an error if none is configured.
func (g *globals) withEBICS(ctx context.Context, do func(a *app.App) error) error {
	return g.tool(ctx, func(a *app.App) error {
		if a.EBICS == nil {
			return errors.New("bank.channel is not ebics in this configuration")
		}

		return do(a)
	})
}

// letterFlags say how the letter is written.
type letterFlags struct {
	Output   string `short:"o" default:"ebics-letter.pdf" help:"File for the letter, a PDF. One that is there is not replaced."`
	Language string `enum:"en,de,fr" default:"en" help:"Language of the letter: en, de or fr."`
}

// write writes the letter to its file.
func (f letterFlags) write(g *globals, a *app.App, s *ebics.Stored) (err error) {
	c := a.Config
	who := ebics.Subscriber{Host: c.Bank.EBICS.HostID, Partner: c.Bank.EBICS.PartnerID, User: c.Bank.EBICS.UserID}

	letter, err := s.Letter(who, c.Operator.Name, f.Language, a.DB.Now())
	if err != nil {
		return err
	}

	out, err := os.OpenFile(f.Output, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("the letter: %w", err)
	}

	_, err = out.Write(letter)
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}

	const next = "%s is the letter. Print it, sign it, and send it to the bank. When the bank has activated the user: " +
		"slipway bank ebics activate\n"
	_, err = fmt.Fprintf(g.out, next, f.Output)

	return err
}

type bankEbicsInitCommand struct{ letterFlags }

// Run makes and sends the keys, and writes the letter.
func (c bankEbicsInitCommand) Run(ctx context.Context, g *globals) error {
	return g.withEBICS(ctx, func(a *app.App) error {
		s, remarks, err := a.EBICS.Init(ctx)
		for _, r := range remarks {
			fmt.Fprintln(g.out, r)
		}

		if err != nil {
			return err
		}

		if s.State != ebics.ContractSent {
			return fmt.Errorf(
				"the contract is %s: its keys were sent before. slipway bank ebics letter writes the letter "+
					"once more",
				s.State,
			)
		}

		fmt.Fprintf(g.out, "the bank has our keys, by %s\n", s.Version)

		return c.write(g, a, s)
	})
}

type bankEbicsLetterCommand struct{ letterFlags }

// Run writes the letter.
func (c bankEbicsLetterCommand) Run(ctx context.Context, g *globals) error {
	return g.withEBICS(ctx, func(a *app.App) error {
		s, err := a.EBICS.Stored(ctx)
		if errors.Is(err, db.ErrNone) {
			return ebics.ErrNotSent
		}

		if err != nil {
			return err
		}

		return c.write(g, a, s)
	})
}

type bankEbicsActivateCommand struct{}

// Run shows the bank's keys, and asks two operators.
func (bankEbicsActivateCommand) Run(ctx context.Context, g *globals) error {
	return g.withEBICS(ctx, func(a *app.App) error {
		s, keys, err := a.EBICS.FetchBankKeys(ctx)
		if err != nil {
			return err
		}

		fmt.Fprintf(g.out, "Keys of the bank %s. Compare them with its letter, not with what it sends by EBICS:\n"+
			"  authentication (X002)  %s\n  encryption (E002)      %s\n",
			s.ID, keys.Authentication.HashText(s.Version), keys.Encryption.HashText(s.Version))

		if s.Bank != nil && s.Bank.Text() == keys.Text() {
			_, err := fmt.Fprintln(g.out, "They are in use already.")
			return err
		}

		return g.byTwo(ctx, a, "bank ebics activate "+s.ID, func(ctx context.Context, done approval.Done) error {
			return a.AskBankKeys(ctx, s, keys, done)
		})
	})
}

type bankEbicsStatusCommand struct{}

// next says what comes after a state of the contract.
var nextOfContract = map[ebics.ContractState]string{
	ebics.ContractNew:  "slipway bank ebics init goes on",
	ebics.ContractINI:  "slipway bank ebics init goes on",
	ebics.ContractSent: "the bank compares the letter and activates the user; then slipway bank ebics activate",
	ebics.ContractLive: "nothing: payments leave by it",
	ebics.ContractLost: "the bank unlocks the user; call it",
}

// Run prints the state.
func (bankEbicsStatusCommand) Run(ctx context.Context, g *globals) error {
	return g.withEBICS(ctx, func(a *app.App) error {
		s, err := a.EBICS.Stored(ctx)
		if errors.Is(err, db.ErrNone) {
			_, err := fmt.Fprintln(g.out, "there are no keys yet: slipway bank ebics init")
			return err
		}

		if err != nil {
			return err
		}

		rows := [][]string{
			{"contract", s.ID},
			{"version", s.Version.String()},
			{"state", string(s.State)},
			{"next", nextOfContract[s.State]},
			{"signature key A006", s.Keys.Signature.Public().HashText(s.Version)},
			{"authentication key X002", s.Keys.Authentication.Public().HashText(s.Version)},
			{"encryption key E002", s.Keys.Encryption.Public().HashText(s.Version)},
			{"our keys expire", s.ExpiresAt.Format(clockLayout)},
		}

		if s.Bank != nil {
			rows = append(rows,
				[]string{"bank's authentication key", s.Bank.Authentication.HashText(s.Version)},
				[]string{"bank's encryption key", s.Bank.Encryption.HashText(s.Version)})
		}

		if !s.FetchedAt.IsZero() {
			rows = append(rows, []string{"fetched last", s.FetchedAt.Format(clockLayout)})
		}

		return columns(g.out, "what\tvalue", rows)
	})
}

type bankEbicsOrdersCommand struct{}

// Run prints what the bank permits.
func (bankEbicsOrdersCommand) Run(ctx context.Context, g *globals) error {
	return g.withEBICS(ctx, func(a *app.App) error {
		rights, err := a.EBICS.Rights(ctx)
		if err != nil {
			return err
		}

		var rows [][]string
		for _, x := range rights.Accounts {
			rows = append(rows, []string{x.ID, x.Number, x.Currency, x.Bank, x.Holder})
		}

		if err := columns(g.out, "account\tnumber\tcurrency\tbank\tholder", rows); err != nil {
			return err
		}

		fmt.Fprintln(g.out)

		rows = nil
		for _, o := range rights.Orders {
			rows = append(rows, []string{
				strings.TrimSpace(o.Order.String()),
				o.Level,
				o.Signatures,
				o.Account,
				o.Description,
			})
		}

		return columns(g.out, "order\tsignature class\tsignatures needed\taccount\tdescription", rows)
	})
}

type bankEbicsSuspendCommand struct{}

// Run has an operator lock the user.
func (bankEbicsSuspendCommand) Run(ctx context.Context, g *globals) error {
	return g.withEBICS(ctx, func(a *app.App) error {
		if _, err := g.operator(ctx, a, "the operator who suspends", "bank ebics suspend"); err != nil {
			return err
		}

		if err := a.EBICS.Suspend(ctx); err != nil {
			return err
		}

		_, err := fmt.Fprintln(
			g.out,
			"the user is locked at the bank: no payment leaves, and only the bank can unlock it",
		)

		return err
	})
}
