package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"slipway/internal/app/cli"
	"slipway/internal/app/operations"
)

type apiCommand struct {
	Args []string `arg:"" optional:"" passthrough:"" help:"RESOURCE VERB [IDS], fields of the operation as --FIELD VALUE, and: -o table, json, csv or id; --columns A,B; --all; --body JSON or @FILE; --file FILE; --key KEY; --if-match ETAG; --dry-run; --yes; --profile NAME."`
}

// Run calls an operation, or lists what there is where the call is not complete.
func (c apiCommand) Run(ctx context.Context, g *globals) error {
	switch len(c.Args) {
	case 0:
		return lines(g.out, operations.Resources())
	case 1:
		return c.verbs(g.out)
	}

	o, ok := operations.Find(c.Args[0], c.Args[1])
	if !ok {
		_ = c.verbs(os.Stderr)
		return fmt.Errorf("there is no operation %s %s", c.Args[0], c.Args[1])
	}

	if len(c.Args) == 3 && (c.Args[2] == "--help" || c.Args[2] == "-h") {
		return describeOperation(g.out, o)
	}

	call, err := cli.Parse(o, c.Args[2:], g.terminal.in)
	if err != nil {
		return err
	}

	return send(ctx, g, call)
}

// send connects and sends a call, after a person's yes where one is needed.
func send(ctx context.Context, g *globals, call *cli.Call) error {
	s, err := cli.Connect(ctx, call.Profile)
	if err != nil {
		return err
	}

	if g.terminal.attended {
		s.Ask = g.terminal.secret
	}

	if call.NeedsYes(s) {
		if !g.terminal.attended {
			return errors.New("this pays or deletes, with real money: confirm it with --yes")
		}

		answer, err := g.terminal.line(fmt.Sprintf("%s %s at %s, with real money. Go on? [y/N]",
			call.Operation.Resource, call.Operation.Verb, s.URL))
		if err != nil || !strings.EqualFold(strings.TrimSpace(answer), "y") {
			return errors.New("not confirmed: nothing was sent")
		}
	}

	return call.Send(ctx, s, g.out, os.Stderr)
}

// verbs lists the operations of a resource.
func (c apiCommand) verbs(out io.Writer) error {
	all := operations.Of(c.Args[0])
	if len(all) == 0 {
		return fmt.Errorf("there is no resource %s; there are: %s",
			c.Args[0], strings.Join(operations.Resources(), ", "))
	}

	rows := make([][]string, len(all))
	for i, o := range all {
		rows[i] = []string{strings.Join(append([]string{o.Verb}, o.Params()...), " "), o.Summary}
	}

	return columns(out, "verb\tmeaning", rows)
}

// describeOperation prints what an operation takes.
func describeOperation(out io.Writer, o operations.Operation) error {
	fmt.Fprintf(out, "%s\n%s %s\n\n", o.Summary, o.Method, o.Path)

	var rows [][]string

	for _, f := range append(o.Queries[:len(o.Queries):len(o.Queries)], o.Body...) {
		kind := f.Type
		if len(f.Enum) > 0 {
			kind = strings.Join(f.Enum, "|")
		}

		if f.Required {
			kind += ", required"
		}

		rows = append(rows, []string{"--" + strings.TrimSuffix(f.Name, "[]"), kind, f.Doc})
	}

	return columns(out, "field\ttype\tmeaning", rows)
}

func lines(out io.Writer, all []string) error {
	for _, x := range all {
		if _, err := fmt.Fprintln(out, x); err != nil {
			return err
		}
	}

	return nil
}

type loginCommand struct {
	URL      string `arg:"" help:"Address of the deployment, such as https://pay.example.org."`
	Profile  string `default:"default" help:"Name to keep the session under."`
	Email    string `xor:"who" help:"Sign in as a person; password and code are asked for."`
	ClientID string `name:"client-id" xor:"who" help:"Sign in as an API client; its secret is asked for, or read from the standard input."`
	Test     bool   `help:"A deployment without real money: nothing asks for --yes."`
	InClear  bool   `help:"Send the secret unencrypted to another machine, in a network that you trust."`
}

// Run signs in and stores the profile. The password is typed unseen, or read from the standard input.
func (c loginCommand) Run(ctx context.Context, g *globals) error {
	if c.Email == "" && c.ClientID == "" {
		return errors.New("say who signs in: --email or --client-id")
	}

	p := cli.Profile{
		URL:      strings.TrimRight(c.URL, "/"),
		Test:     c.Test,
		InClear:  c.InClear,
		ClientID: c.ClientID,
	}

	if err := p.Protected(); err != nil { // before anybody types it
		return err
	}

	word := "password"
	if c.ClientID != "" {
		word = "secret"
	}

	secret, err := g.terminal.secret(word)
	if err != nil {
		return err
	}

	if c.ClientID != "" {
		p.Secret = secret
	}

	code := func() (string, error) { return g.terminal.line("code of the second factor") }

	if err := cli.Login(ctx, c.Profile, p, c.Email, secret, code); err != nil {
		return err
	}

	_, err = fmt.Fprintf(g.out, "signed in to %s as profile %s\n", p.URL, c.Profile)

	return err
}

type logoutCommand struct {
	Profile string `default:"default" help:"Name of the profile."`
}

// Run ends the session and removes the profile.
func (c logoutCommand) Run(ctx context.Context, g *globals) error {
	if err := cli.Logout(ctx, c.Profile); err != nil {
		return err
	}

	_, err := fmt.Fprintf(g.out, "signed out of profile %s\n", c.Profile)

	return err
}

type explainCommand struct {
	Transaction string `arg:"" help:"Identifier of the transaction."`
	Profile     string `help:"Name of the profile."`
}

// Run prints the explanation in words.
func (c explainCommand) Run(ctx context.Context, g *globals) error {
	s, err := cli.Connect(ctx, c.Profile)
	if err != nil {
		return err
	}

	return cli.Explain(ctx, s, c.Transaction, g.out)
}

type listenCommand struct {
	Types     []string `help:"Only events of these types, such as transaction.*."`
	ForwardTo string   `name:"forward-to" help:"URL that gets each event by POST, signed as a webhook is."`
	Secret    string   `help:"Key that signs what is forwarded. Without it, one is made and printed." env:"SLIPWAY_API_WEBHOOK_SECRET"`
	After     string   `help:"Number of the last event that was seen. Without it, only what happens from now on."`
	Profile   string   `help:"Name of the profile."`
}

// Run follows the feed until it is interrupted.
func (c listenCommand) Run(ctx context.Context, g *globals) error {
	s, err := cli.Connect(ctx, c.Profile)
	if err != nil {
		return err
	}

	if c.ForwardTo != "" && c.Secret == "" {
		c.Secret = cli.NewWebhookKey()
		fmt.Fprintln(g.out, "signed with "+c.Secret)
	}

	l := &cli.Listener{
		Session: s,
		Types:   c.Types,
		After:   c.After,
		Forward: c.ForwardTo,
		Secret:  c.Secret,
		Out:     g.out,
	}

	return l.Run(ctx)
}

type healthCommand struct {
	URL string `arg:"" default:"http://127.0.0.1:8080" help:"Address of the service."`
}

// Run asks for /readyz, and returns an error unless it is ready.
func (c healthCommand) Run(ctx context.Context, g *globals) error {
	return cli.Ready(ctx, c.URL)
}
