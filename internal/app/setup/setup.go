// Package setup writes the first configuration of a deployment: it asks for what nobody can guess, checks each answer
// against the world as it goes, makes the keys, and says what to do next.
//
// A second run keeps what is there and asks only for what is missing. It never replaces a setting or a key. Without a
// terminal the answers come from flags. It does not start anything and sends nothing on a chain.
//
// Read in this order:
//
//   - The first configuration: setup.go (a run), questions.go and parties.go (what is asked), ask.go, check.go,
//     facts.go, keys.go, file.go (how the file is completed).
//   - What stands is looked at: doctor.go, doctor_chain.go (keys and networks), limits.go (what a node takes in one
//     request), doctor_ebics.go, doctor_backup.go, doctor_signon.go (the provider of the platform's people), rates.go,
//     doctor_ways.go (proxies, buckets, providers), upgrade.go (what another program would change), store.go (whether
//     PostgreSQL archives its log).
//   - What is sent by a key at hand: deploy.go (the router's contract), rotate.go (another operator's key).
package setup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"slipway/internal/platform/config"
)

// FileName is the configuration file in the folder of settings.
const FileName = "slipway.toml"

// Answers are what the person who sets a deployment up decides. An empty one is asked for, or left out if it may be.
type Answers struct {
	Mode     string `help:"What the deployment is for: test or live."`
	BaseURL  string `name:"base-url" help:"Address under which clients reach the API."`
	Listen   string `help:"Address and port the API listens on."`
	DataDir  string `help:"Folder for data, of this user alone."`
	Database string `help:"postgres://… or sqlite:PATH; - for the SQLite file in the data folder."`

	Witness string `help:"Folder for the witness, on another disk or server than the database; - for the data folder."`

	Network  string   `help:"Name of a network such as base-sepolia; - for none: a chain is simulated (mode test)."`
	ChainID  uint64   `help:"Its chain id."`
	Testnet  bool     `help:"Its tokens are worth nothing: for chain ids that Slipway does not know."`
	RPC      []string `name:"rpc" help:"Addresses of its nodes."`
	Treasury string   `help:"Address that receives what is converted to money in the bank."`
	Router   string   `help:"Address of the router; - if it is not deployed yet."`
	Finality uint64   `help:"Blocks after which a payment is final; 0 for the chain's own tag."`
	MailHost string   `help:"SMTP server; - for none: mails stay in a mailbox (mode test)."`
	MailPort int      `help:"Its port."`
	MailTLS  string   `name:"mail-security" help:"starttls, tls or none."`
	MailFrom string   `help:"Address that mails come from."`
	MailUser string   `help:"User name at the server; - for none."`
	MailPass string   `name:"mail-password-file" help:"File that holds its password."`

	Verification string   `help:"Who verifies people and companies: manual or outside; - for a simulator (mode test)."`
	Lists        []string `name:"screening-list" help:"Files with sanctions lists; - for none (mode test)."`

	ToBank    string   `help:"Folder for payment files to the bank; - for no bank: none in live, a simulated one in test."`
	FromBank  string   `help:"Folder in which the bank's statements arrive."`
	TestBank  bool     `name:"bank-test-system" help:"The other end of these folders moves no money (mode test)."`
	Currency  string   `name:"account-currency" help:"Currency of our account at the bank."`
	Country   string   `name:"account-country" help:"Country of the bank, two letters."`
	IBAN      string   `name:"account-iban" help:"IBAN of the account."`
	BIC       string   `name:"account-bic" help:"BIC of the bank."`
	Holder    string   `name:"account-holder" help:"Holder of the account."`
	BankRails []string `name:"account-rails" help:"Rails that the bank takes files for, such as SEPA."`

	Liquidity string   `help:"Who converts between tokens and money: house or outside; - for a simulator (mode test)."`
	Feeds     []string `name:"feed" help:"Price feeds, each as PAIR NETWORK ADDRESS HEARTBEAT; - for made-up prices (mode test)."`
}

// Config is where a deployment is set up, and how to ask.
type Config struct {
	Dir     string // of the settings
	Answers Answers
	In      io.Reader // of a terminal; nil: nobody can be asked
	Out     io.Writer
}

// none is the answer that leaves something out.
const none = "-"

// Run completes the configuration in c.Dir. It returns an error, having written what was answered before, if an answer
// is missing and nobody can be asked, or if a check fails.
func Run(ctx context.Context, c Config) error {
	s, err := open(c)
	if err != nil {
		return err
	}

	for _, step := range []func(context.Context) error{
		s.purpose,
		s.storage,
		s.keys,
		s.network,
		s.mail,
		s.verification,
		s.screening,
		s.bank,
		s.prices,
	} {
		if err := step(ctx); err != nil {
			return err
		}

		if err := s.keep(); err != nil {
			return err
		}
	}

	return s.next()
}

// setup is one run.
type setup struct {
	Config
	asker
	path    string
	file    *File
	have    *config.Config
	changed bool
}

func open(c Config) (*setup, error) {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return nil, err
	}

	c.Dir = dir
	if _, err := folder(dir); err != nil {
		return nil, err
	}

	s := &setup{Config: c, asker: newAsker(c.In, c.Out), path: filepath.Join(dir, FileName)}

	return s, s.load()
}

// load reads the file as it is now.
func (s *setup) load() (err error) {
	if s.file, err = OpenFile(s.path); err != nil {
		return err
	}

	source := config.Source{}
	if exists(s.path) {
		source.File = s.path
	}

	s.have, err = config.Load(source)

	return err
}

// keep writes what was added and reads it back, so that a wrong value is refused at once.
func (s *setup) keep() error {
	if !s.changed {
		return nil
	}

	s.changed = false

	before, err := os.ReadFile(s.path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}

	if err := s.file.Save(); err != nil {
		return err
	}

	if err := s.load(); err != nil {
		if before != nil {
			err = errors.Join(err, os.WriteFile(s.path, before, 0o600)) //nolint:gosec // the operator names it
		} else {
			err = errors.Join(err, os.Remove(s.path))
		}

		return fmt.Errorf("nothing was changed: %w", err)
	}

	return nil
}

// set adds a setting.
func (s *setup) set(key string, value any) {
	s.file.Add(key, value)
	s.changed = true
}

// given returns the value of a setting that is in the file already, and says so.
func (s *setup) given(key string, value any) bool {
	if !s.have.Given(key) {
		return false
	}

	s.say("  %s is set: %v", key, value)

	return true
}
