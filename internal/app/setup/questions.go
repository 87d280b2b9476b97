package setup

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"slipway/internal/directory/network"
	"slipway/internal/platform/config"
	"slipway/internal/platform/secret"
)

// This file asks the questions, subject by subject. A subject that the file of settings has already is not asked about.

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

	return s.witness()
}

// witness asks for a second place where a database would have its witness beside it, and for one that all processes
// share where several may share the database.
func (s *setup) witness() error {
	own := s.have.WitnessOwn()
	if s.given("witness.folder", s.have.Witness.Folder) || !own && !s.have.WitnessBeside() {
		return nil
	}

	s.say("  The witness notices that an old back-up was put back, and keeps what left for banks.")

	if own {
		s.say("  All processes on the database share one: with several machines, name a folder that all of them mount,")
		s.say("  or set witness.store to s3.")
	} else {
		s.say("  Where it lies with the database, both are lost and put back together.")
	}

	dir, err := s.ask(question{
		text:  "Folder for the witness, on another disk or server, or - for the data folder",
		flag:  "--witness",
		given: s.Answers.Witness,
		usual: none,
	})

	if err == nil && dir == none && own {
		dir = s.have.WitnessFolder()
	}

	if err != nil || dir == none {
		return err
	}

	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}

	s.set("witness.folder", dir)

	if err := s.checked(folder(dir)); err != nil {
		return fmt.Errorf("witness.folder: %w", err)
	}

	return s.keep()
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

	if err := s.checked(mailServer(ctx, s.have)); err != nil {
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
