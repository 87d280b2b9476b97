package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"slipway/internal/app"
	"slipway/internal/app/cli"
	"slipway/internal/core/caller"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
)

// operator has one of the platform's operators prove who he is, by address, password and second factor. word says
// which one is asked for, purpose is for the audit log.
func (g *globals) operator(ctx context.Context, a *app.App, word, purpose string) (user.User, error) {
	email, err := g.terminal.line("e-mail of " + word)
	if err != nil {
		return user.User{}, err
	}

	return g.operatorAt(ctx, a, strings.TrimSpace(email), purpose)
}

// operatorAt is operator for somebody who has given his address.
func (g *globals) operatorAt(ctx context.Context, a *app.App, email, purpose string) (user.User, error) {
	password, err := g.terminal.secret("password")
	if err != nil {
		return user.User{}, err
	}

	code := func() (string, error) {
		typed, err := g.terminal.secret("code of the second factor")
		return strings.TrimSpace(typed), err
	}

	u, err := a.Auth.ProvePerson(ctx, email, password, purpose, code)
	if err == nil && u.Staff != user.Operator {
		err = fmt.Errorf("%s is not an operator of the platform", u.Email)
	}

	return u, err
}

// as returns the context of what a person does who has proven who he is.
func as(ctx context.Context, u user.User) context.Context {
	return caller.With(ctx, caller.Principal{User: u.ID, Staff: u.Staff})
}

// byTwo has one operator ask for something and another one approve it. ask writes the request and calls done with it.
//
// Both prove who they are, one after the other. Where nobody sits at a terminal, or the second person is not there, the
// request waits: the second one decides with slipway approve, or in the console.
func (g *globals) byTwo(
	ctx context.Context, a *app.App, purpose string, ask func(ctx context.Context, done approval.Done) error,
) error {
	first, err := g.operator(ctx, a, "the operator who asks", purpose)
	if err != nil {
		return err
	}

	var asked approval.Approval

	err = ask(as(ctx, first), func(_ *db.Tx, ap approval.Approval) error {
		asked = ap
		return nil
	})
	if err != nil {
		return err
	}

	if asked.Status == approval.Approved { // the first one had asked for the same
		return g.tell(first, asked)
	}

	summary := cli.Plain(words.English(asked.Summary))
	fmt.Fprintf(g.out, "%s is asked for by %s:\n  %s\n", asked.ID, first.Email, summary)

	second := ""
	if g.terminal.attended {
		second, err = g.terminal.line("e-mail of the second operator, or nothing if it is decided later")
		if err != nil {
			return err
		}
	}

	if second = strings.TrimSpace(second); second == "" {
		const waits = "Another operator approves it: slipway approve %s, or in the console.\n"
		_, err = fmt.Fprintf(g.out, waits, asked.ID)

		return err
	}

	u, err := g.operatorAt(ctx, a, second, purpose)
	if err == nil {
		err = g.decide(ctx, a, u, asked.ID, true, "")
	}

	if err == nil {
		return nil
	}

	now, readErr := approval.ByID(ctx, a.DB, "", asked.ID)
	if readErr == nil && now.Status == approval.Pending {
		err = fmt.Errorf("%w\n%s waits for another operator: slipway approve %s", err, asked.ID, asked.ID)
	}

	return errors.Join(err, readErr)
}

// decide writes an operator's decision about what another one has asked for, and prints what has become of it.
func (g *globals) decide(
	ctx context.Context, a *app.App, u user.User, id string, approve bool, comment string,
) error {
	ap, err := a.DecideApproval(as(ctx, u), id, approve, comment)
	if err != nil {
		return err
	}

	return g.tell(u, ap)
}

// tell prints what has become of an approval that an operator has decided about.
func (g *globals) tell(u user.User, ap approval.Approval) error {
	if ap.Outcome == approval.Refused {
		return fmt.Errorf("%s was approved by %s and could not be carried out: %s", ap.ID, u.Email, ap.OutcomeInfo)
	}

	outcome := ""
	if ap.Outcome == approval.Waiting {
		outcome = "; the service carries it out"
	}

	_, err := fmt.Fprintf(g.out, "%s is %s by %s%s\n", ap.ID, ap.Status, u.Email, outcome)

	return err
}

type approveCommand struct {
	ID      string `arg:"" help:"What another operator has asked for: the identifier that begins with apr_."`
	Reject  bool   `help:"Reject it. Who has asked for it withdraws it so."`
	Comment string `help:"Kept with the decision."`
}

// Run takes the decision of an operator, who proves who he is.
func (c approveCommand) Run(ctx context.Context, g *globals) error {
	return g.tool(ctx, func(a *app.App) error {
		ap, err := approval.ByID(ctx, a.DB, "", c.ID)
		if err != nil {
			return err
		}

		if ap.Status != approval.Pending {
			return errors.New(ap.ID + " is " + string(ap.Status))
		}

		fmt.Fprintf(g.out, "%s:\n  %s\n", ap.ID, cli.Plain(words.English(ap.Summary)))

		u, err := g.operator(ctx, a, "the operator who decides", "approve "+ap.ID)
		if err != nil {
			return err
		}

		return g.decide(ctx, a, u, ap.ID, !c.Reject, c.Comment)
	})
}
