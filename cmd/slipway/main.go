// Command slipway is all of Slipway in one binary: the service, its demo, and its tools.
//
// main.go lists the commands. A command reads its flags and calls a package; it holds no logic of its own. Read in this
// order:
//
//   - What all commands share: main.go, deployment.go (which deployment, and its database), terminal.go (where a person
//     answers), two.go (operators prove who they are, and approve).
//   - What runs: serve.go with memory.go, signer.go with signer_key.go (which key) and signer_rotate.go (another key).
//   - Setting up and looking: init.go, doctor.go (with upgrade and version), router.go with router_plan.go,
//     screening.go, tools.go (the database, the ledger, users, keys, settings).
//   - Banks: bank.go, bank_import.go, bank_show.go, bank_owed.go, bank_ebics.go. Back-ups: backup.go. After a restored
//     one: reread.go.
//   - Customers: organisation.go (one with its first admin).
//   - Clients of the API: api.go, completion.go (the words that may follow).
//   - A sandbox: sandbox.go with trigger.go; nosandbox.go stands in their place in a build for production.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"slipway/internal/app/cli"
	"slipway/internal/platform/config"
	"slipway/internal/platform/observe"
	"slipway/internal/platform/remote"
)

// commands is the command line. The sandbox's own commands are added in a build that has it.
type commands struct {
	sandboxCommands
	Init      initCommand      `cmd:"" help:"Set a deployment up: ask what nobody can guess, check it, make keys, write slipway.toml. A second run asks for what is missing."`
	Doctor    doctorCommand    `cmd:"" help:"Look at everything that a deployment stands on, and say what is wrong and what mends it. Changes nothing."`
	Serve     serveCommand     `cmd:"" help:"Run the service: for real money with every safety check (mode live), or on networks for tests, with simulators of what is not configured (mode test)."`
	Migrate   migrateCommand   `cmd:"" help:"Bring the database's schema up to date and exit. serve does the same at its start."`
	Upgrade   upgradeCommand   `cmd:"" help:"Say what running this program on the deployment's database would change, and what stands against it."`
	Ledger    ledgerCommand    `cmd:"" help:"Verify the books, and print postings."`
	Bank      bankCommand      `cmd:"" help:"List and import bank files, end holds, and settle deposits that match no transaction."`
	Backup    backupCommand    `cmd:"" help:"Take back-ups of the database, documents and bank files, put one back, and prove that it can be put back."`
	Reread    rereadCommand    `cmd:"" help:"After a restored backup: show what was found, and let payments leave again."`
	Approve   approveCommand   `cmd:"" help:"Approve or reject what another operator has asked for. You prove who you are."`
	Screening screeningCommand `cmd:"" help:"Show sanctions lists, and check an address or a name against them."`
	Org       orgCommand       `cmd:"" name:"organisation" help:"Add a customer: an organisation with its first admin."`
	User      userCommand      `cmd:"" help:"Grant platform roles, and require second factors."`
	Router    routerCommand    `cmd:"" help:"Prepare the deployment of a router contract."`
	Signer    signerGroup      `cmd:"" help:"Run the process that holds the operator's key, and replace the key."`
	Key       keyCommand       `cmd:"" help:"Create the operator's key file and sealing keys."`
	Config    configCommand    `cmd:"" help:"Print every setting with its meaning and value."`
	API       apiCommand       `cmd:"" name:"api" help:"Call the API: slipway api RESOURCE VERB [IDS] [--FIELD VALUE]. Without a verb it lists what there is."`
	Login     loginCommand     `cmd:"" help:"Sign in to a deployment, and keep the session in a profile."`
	Logout    logoutCommand    `cmd:"" help:"End a profile's session, and forget it."`
	Explain   explainCommand   `cmd:"" help:"Say where a transaction stands, whom it waits for, and what happens next."`
	Listen    listenCommand    `cmd:"" help:"Follow an organisation's events, and forward them as webhooks are sent."`
	Complete  completeCommand  `cmd:"" name:"completion" help:"Print the completion script for a shell."`
	Health    healthCommand    `cmd:"" name:"healthcheck" help:"Ask a running service whether it is ready. For containers."`
	OpenAPI   openapiCommand   `cmd:"" name:"openapi" help:"Print the OpenAPI document."`
	Version   versionCommand   `cmd:"" help:"Print the version, and how it was built."`
}

// globals are the flags of every command.
type globals struct {
	ConfigFile string `name:"config" short:"c" help:"TOML file with settings. Environment variables (SLIPWAY_…) override it." type:"existingfile"`
	out        io.Writer
	terminal   *terminal
}

// load reads the configuration, and makes requests leave as it says.
func (g *globals) load() (*config.Config, error) {
	c, err := config.Load(config.Source{File: g.ConfigFile, Environ: os.Environ()})
	if err != nil || c.Outgoing.Proxy == "environment" {
		return c, err
	}

	return c, remote.IgnoreProxies()
}

type commandLine struct {
	globals
	commands
}

func main() {
	endings := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup starts it
		endings = append(endings, syscall.SIGHUP)
	}

	ctx, stop := signal.NotifyContext(context.Background(), endings...)
	defer stop()

	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		complain(err)

		code := 1

		var f *cli.Fault
		if errors.As(err, &f) {
			code = f.Exit
		}

		os.Exit(code)
	}
}

// logLimit is how long a process that ends waits for the reader of its standard error.
const logLimit = 2 * time.Second

// complain prints why the command failed. A reader that stands still does not keep the process from ending.
func complain(err error) {
	printed := make(chan struct{})

	go func() {
		fmt.Fprintln(os.Stderr, "slipway: "+err.Error())
		close(printed)
	}()

	select {
	case <-printed:
	case <-time.After(logLimit):
	}
}

// openLog opens the log of a process that serves. From then on a reader of it that goes away is no reason to end, and
// libraries that log by themselves log there.
func openLog(w io.Writer, level, format string) (*observe.Log, error) {
	log, err := observe.NewLog(w, level, format)
	if err != nil {
		return nil, err
	}

	signal.Ignore(syscall.SIGPIPE)
	slog.SetDefault(log.Logger)

	return log, nil
}

// run parses and executes one command line of this process.
func run(ctx context.Context, args []string, out io.Writer) error {
	return runAt(ctx, args, out, terminalAt(os.Stdin))
}

// runAt parses and executes one command line. What it has to ask it asks at a terminal.
func runAt(ctx context.Context, args []string, out io.Writer, at *terminal) error {
	line := &commandLine{}
	line.out = out
	line.terminal = at

	p, err := kong.New(line,
		kong.Name("slipway"),
		kong.Description("Moves value between crypto wallets and bank accounts, exactly once."),
		kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Writers(out, os.Stderr),
	)
	if err != nil {
		return err
	}

	if len(args) == 0 {
		args = []string{"--help"}
	}

	parsed, err := p.Parse(args)
	if err != nil {
		var usage *kong.ParseError
		if errors.As(err, &usage) {
			_ = usage.Context.PrintUsage(true)
		}

		return err
	}

	parsed.BindTo(ctx, (*context.Context)(nil))

	return parsed.Run(&line.globals)
}

// isTerminal reports whether the output is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
