// Package setup writes the first configuration of a deployment: it asks for what nobody can guess, checks each answer
// against the world as it goes, makes the keys, and says what to do next.
//
// A second run keeps what is there and asks only for what is missing. It never replaces a setting or a key. Without a
// terminal the answers come from flags. It does not start anything and sends nothing on a chain.
//
// Read in this order: setup.go and parties.go (the questions), ask.go, check.go, keys.go, file.go (how the file is completed).
package setup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"slipway/internal/directory/network"
	"slipway/internal/platform/config"
	"slipway/internal/platform/secret"
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

// purpose asks what the deployment is for and where clients reach it.
func (s *setup) purpose(context.Context) error {
	s.title("Purpose")

	if !s.given("mode", s.have.Mode) {
		mode, err := s.ask(question{
			text:  "What is it for? test: networks without worth, simulators for what you leave out. live: real money",
			flag:  "--mode",
			given: s.Answers.Mode,
			usual: string(config.Test),
			check: oneOf(string(config.Test), string(config.Live)),
		})
		if err != nil {
			return err
		}

		s.set("mode", mode)

		if err := s.keep(); err != nil {
			return err
		}
	}

	if !s.given("http.listen", s.have.HTTP.Listen) {
		listen, err := s.ask(question{
			text:  "Address and port the API listens on; TLS ends at the proxy in front",
			flag:  "--listen",
			given: s.Answers.Listen,
			usual: "127.0.0.1:8080",
		})
		if err != nil {
			return err
		}

		s.set("http.listen", listen)
	}

	if s.given("http.base_url", s.have.HTTP.BaseURL) {
		return nil
	}

	usual := ""
	if !s.have.Mode.RealMoney() {
		usual = "http://localhost:8080"
	}

	base, err := s.ask(question{
		text:  "Address under which clients reach it, such as https://pay.example.org",
		flag:  "--base-url",
		given: s.Answers.BaseURL,
		usual: usual,
	})
	if err != nil {
		return err
	}

	s.set("http.base_url", strings.TrimSuffix(base, "/"))

	return nil
}

// storage asks for the data folder and the database.
func (s *setup) storage(ctx context.Context) error {
	s.title("Storage")

	dir := s.have.DataDir
	if !s.given("data_dir", dir) {
		var err error

		dir, err = s.ask(question{
			text:  "Folder for data, on a disk that survives",
			flag:  "--data-dir",
			given: s.Answers.DataDir,
			usual: filepath.Join(s.Dir, "data"),
		})
		if err != nil {
			return err
		}

		if dir, err = filepath.Abs(dir); err != nil {
			return err
		}

		s.set("data_dir", dir)
	}

	if err := s.checked(folder(dir)); err != nil {
		return fmt.Errorf("data_dir: %w", err)
	}

	if !s.given("database.url", "(a secret)") && !s.have.Given("data_dir") {
		url, err := s.ask(question{
			text:  "Database: postgres://user:password@host/name, or - for an SQLite file in the data folder",
			flag:  "--database",
			given: s.Answers.Database,
			usual: none,
		})
		if err != nil {
			return err
		}

		if url != none {
			s.set("database.url", url)
		}
	}

	if err := s.keep(); err != nil {
		return err
	}

	if err := s.checked(database(ctx, s.have)); err != nil {
		return fmt.Errorf("database.url: %w", err)
	}

	return nil
}

// network asks for one network: its nodes, its treasury and its router.
func (s *setup) network(ctx context.Context) error {
	s.title("Network")

	if len(s.have.Networks) == 0 {
		id, err := s.ask(question{
			text:  "Name of the network, such as base-sepolia" + s.orSimulated("a simulated chain"),
			flag:  "--network",
			given: s.Answers.Network,
			usual: s.usualNone(),
		})
		if err != nil || id == none {
			return err
		}

		if err := s.addNetwork(id); err != nil {
			return err
		}

		if err := s.keep(); err != nil {
			return err
		}
	}

	for _, n := range s.have.Networks {
		s.say("  network %s: chain %d, %d nodes", n.ID, n.ChainID, len(n.RPCURLs))

		for i, url := range secret.RevealAll(n.RPCURLs) {
			if err := s.checked(node(ctx, url, n.ChainID)); err != nil {
				return fmt.Errorf("network.%s: the %d. of rpc_urls: %w", n.ID, i+1, err)
			}
		}

		if f, ok := network.FactsOf(int64(n.ChainID)); ok && len(f.Tokens) > 0 {
			if err := s.checked(tokensOn(ctx, secret.RevealAll(n.RPCURLs)[0], f)); err != nil {
				return fmt.Errorf("network.%s: %w", n.ID, err)
			}
		}

		if err := s.places(n); err != nil {
			return err
		}
	}

	return nil
}

// addNetwork asks for what makes a network.
func (s *setup) addNetwork(id string) error {
	number := ""
	if s.Answers.ChainID != 0 {
		number = strconv.FormatUint(s.Answers.ChainID, 10)
	}

	chain, err := s.ask(question{
		text:  "Its chain id, such as 84532",
		flag:  "--chain-id",
		given: number,
		check: func(v string) error { _, err := strconv.ParseUint(v, 10, 64); return err },
	})
	if err != nil {
		return err
	}

	if err := s.known(chainNumber(chain)); err != nil {
		return err
	}

	urls, err := s.ask(question{
		text:  "Addresses of its nodes, of two providers, separated by commas",
		flag:  "--rpc",
		given: strings.Join(s.Answers.RPC, ","),
	})
	if err != nil {
		return err
	}

	s.file.AddTo("network", id, "rpc_urls", listed(urls))

	if s.Answers.Finality > 0 {
		s.file.AddTo("network", id, "finality_depth", s.Answers.Finality)
	}

	if s.Answers.Testnet {
		s.file.AddTo("network", id, "testnet", true)
	}

	s.file.AddTo("network", id, "chain_id", chainNumber(chain))
	s.changed = true

	return nil
}

// chainNumber returns a checked number as it is written.
func chainNumber(s string) uint64 {
	n, _ := strconv.ParseUint(s, 10, 64) // checked by the question
	return n
}

// places asks for the treasury and the router of a network, where they are not set.
func (s *setup) places(n config.Network) error {
	if n.Treasury == "" {
		address, err := s.ask(question{
			text:  "Address of the treasury, which receives the tokens that are converted",
			flag:  "--treasury",
			given: s.Answers.Treasury,
		})
		if err != nil {
			return err
		}

		s.file.AddTo("network", n.ID, "treasury", address)
		s.changed = true
	}

	if n.Router != "" {
		return nil
	}

	router, err := s.ask(question{
		text:  "Address of the Slipway router, or - if it is not deployed yet",
		flag:  "--router",
		given: s.Answers.Router,
		usual: none,
	})
	if err != nil || router == none {
		return err
	}

	s.file.AddTo("network", n.ID, "router", router)
	s.changed = true

	return nil
}

// mail asks for the mail server.
func (s *setup) mail(ctx context.Context) error {
	s.title("Mail")

	if !s.given("mail.host", s.have.Mail.Host) {
		host, err := s.ask(question{
			text:  "SMTP server" + s.orSimulated("a mailbox at /sandbox/mailbox"),
			flag:  "--mail-host",
			given: s.Answers.MailHost,
			usual: s.usualNone(),
		})
		if err != nil || host == none {
			return err
		}

		if err := s.addMail(host); err != nil {
			return err
		}

		if err := s.keep(); err != nil {
			return err
		}
	}

	if err := s.checked(mailServer(ctx, s.have.Mail)); err != nil {
		return fmt.Errorf("mail: %w", err)
	}

	return nil
}

// addMail asks how the server is used.
func (s *setup) addMail(host string) error {
	port := ""
	if s.Answers.MailPort != 0 {
		port = strconv.Itoa(s.Answers.MailPort)
	}

	answers := map[string]string{}
	for _, q := range []question{
		{text: "Its port", flag: "--mail-port", given: port, usual: "587", check: isPort},
		{
			text:  "Encryption: starttls, tls, or none for a server on this machine",
			flag:  "--mail-security",
			given: s.Answers.MailTLS,
			usual: "starttls",
			check: oneOf("starttls", "tls", "none"),
		},
		{text: "Address that mails come from", flag: "--mail-from", given: s.Answers.MailFrom},
		{text: "User name at the server, or - for none", flag: "--mail-user", given: s.Answers.MailUser, usual: none},
	} {
		answer, err := s.ask(q)
		if err != nil {
			return err
		}

		answers[q.flag] = answer
	}

	if user := answers["--mail-user"]; user != none {
		path, err := s.ask(question{
			text:  "File that holds the password",
			flag:  "--mail-password-file",
			given: s.Answers.MailPass,
			check: readable,
		})
		if err != nil {
			return err
		}

		if path, err = filepath.Abs(path); err != nil {
			return err
		}

		s.set("mail.password_file", path)
		s.set("mail.username", user)
	}

	number, _ := strconv.Atoi(answers["--mail-port"]) // checked by the question
	s.set("mail.from", answers["--mail-from"])
	s.set("mail.security", answers["--mail-security"])
	s.set("mail.port", number)
	s.set("mail.host", host)

	return nil
}

// bank asks for the folders of a bank, and one account of ours there.
func (s *setup) bank(context.Context) error {
	s.title("Bank")

	if !s.given("bank.channel", s.have.Bank.Channel) {
		without := "a simulated bank"
		if s.have.Mode.RealMoney() {
			without = "no bank"
		}

		to, err := s.ask(question{
			text:  "Folder for payment files to the bank, or - for " + without,
			flag:  "--to-bank",
			given: s.Answers.ToBank,
			usual: none,
		})
		if err != nil || to == none {
			return err
		}

		from, err := s.ask(question{
			text:  "Folder in which its statements arrive",
			flag:  "--from-bank",
			given: s.Answers.FromBank,
		})
		if err != nil {
			return err
		}

		if err := s.addBank(to, from); err != nil {
			return err
		}

		if err := s.keep(); err != nil {
			return err
		}
	}

	if s.have.Bank.Channel == "folder" {
		for _, dir := range []string{s.have.Bank.ToBank, s.have.Bank.FromBank} {
			if err := s.checked(folder(dir)); err != nil {
				return fmt.Errorf("bank: %w", err)
			}
		}
	}

	for _, a := range s.have.HouseAccounts {
		s.say("  account %s: %s %s", a.ID, a.Currency, a.IBAN+a.AccountNumber)
	}

	return nil
}

// addBank asks for the account, and adds it with the folders.
func (s *setup) addBank(to, from string) (err error) {
	account := map[string]string{}
	for _, q := range []question{
		{text: "Currency of our account there", flag: "currency", given: s.Answers.Currency, usual: "EUR"},
		{text: "Country of the bank, two letters", flag: "country", given: s.Answers.Country},
		{text: "IBAN of the account", flag: "iban", given: s.Answers.IBAN},
		{text: "BIC of the bank", flag: "bic", given: s.Answers.BIC},
		{text: "Holder of the account", flag: "holder", given: s.Answers.Holder},
		{text: "Rails it takes files for", flag: "rails", given: strings.Join(s.Answers.BankRails, ","), usual: "SEPA"},
	} {
		name := q.flag
		q.flag = "--account-" + name

		if account[name], err = s.ask(q); err != nil {
			return err
		}
	}

	id := strings.ToLower(account["currency"])
	s.file.AddTo("house_account", id, "rails", strings.Split(account["rails"], ","))

	for _, name := range []string{"holder", "bic", "iban", "country", "currency"} {
		s.file.AddTo("house_account", id, name, account[name])
	}

	for _, x := range []struct{ key, dir string }{{"bank.from_bank", from}, {"bank.to_bank", to}} {
		dir, err := filepath.Abs(x.dir)
		if err != nil {
			return err
		}

		s.set(x.key, dir)
	}

	if s.Answers.TestBank {
		s.set("bank.test_system", true)
	}

	s.set("bank.channel", "folder")

	return nil
}

// orSimulated ends a question about a part that is simulated where there is no real money.
func (s *setup) orSimulated(what string) string {
	if s.have.Mode.RealMoney() {
		return ""
	}

	return ", or - for " + what
}

// usualNone is the usual answer about a part that is simulated when it is left out.
func (s *setup) usualNone() string {
	if s.have.Mode.RealMoney() {
		return ""
	}

	return none
}
