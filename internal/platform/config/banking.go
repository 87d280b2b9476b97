package config

import (
	"net"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/crypto/ssh"

	"slipway/internal/platform/secret"
)

// Bank is how files go to our bank and come from it.
type Bank struct {
	Channel    string        `key:"channel" oneof:"folder sftp" help:"folder: two folders on this machine, such as those of an EBICS or Swift client. sftp: the bank's SFTP server. Empty: files are only imported by hand."`
	ToBank     string        `key:"to_bank" help:"Folder for payment files. They appear under their name only when they are whole. On the SFTP server with bank.channel sftp."`
	FromBank   string        `key:"from_bank" help:"Folder in which the bank's statements and reports appear; what was taken is moved to the folder done in it."`
	Archive    string        `key:"archive" help:"Folder that keeps every file that came from the bank, named by its hash. All processes of a deployment share it. Empty: bank/archive in data_dir."`
	Poll       time.Duration `key:"poll" default:"1m" min:"100ms" max:"1h" help:"Time between two looks at the bank's files, and at payouts that wait for a file."`
	Gather     time.Duration `key:"gather" default:"1m" min:"0s" max:"12h" help:"How long a payout waits for others to go into one file with it."`
	MaxInFile  int           `key:"max_in_file" default:"10000" min:"1" max:"50000" help:"Payouts in one file at most."`
	AskFor     time.Duration `key:"ask_for" default:"15m" min:"1m" max:"72h" help:"How long it may stay unknown whether a file reached the bank before its payouts are held for a person."`
	Unanswered time.Duration `key:"unanswered" default:"48h" min:"1h" max:"720h" help:"After which a payout that is at the bank without being booked is shown as needing attention."`
	ReturnDays int           `key:"return_days" default:"396" min:"1" max:"3660" help:"Days after the hand-over within which a payment may come back. What comes later waits for two people."`
	SFTP       BankSFTP      `key:"sftp"`
}

// BankSFTP is the bank's server.
type BankSFTP struct {
	Address  string      `key:"address" help:"Host and port of the bank's SFTP server."`
	User     string      `key:"user" help:"Our user there."`
	Key      secret.Text `key:"key" help:"Our private key, in PEM."`
	Password secret.Text `key:"password" help:"Our password, where the bank takes no key."`
	HostKey  string      `key:"host_key" help:"The server's public key as in authorized_keys: ssh-ed25519 AAAA… No other server is spoken to."`
}

// HouseAccount is an account of ours at a bank; in TOML a [[house_account]] table.
type HouseAccount struct {
	ID             string   `key:"id" help:"Name in logs, files of the command line and the ledger: lower-case letters, digits and dashes. It never changes."`
	Currency       string   `key:"currency" help:"Currency, by ISO 4217."`
	Country        string   `key:"country" help:"Country of the bank, by ISO 3166, two letters."`
	IBAN           string   `key:"iban" help:"Its IBAN, where it has one."`
	BIC            string   `key:"bic" help:"BIC of the bank."`
	AccountNumber  string   `key:"account_number" help:"Its number, where it has no IBAN."`
	SortCode       string   `key:"sort_code" help:"Sort code, in the United Kingdom."`
	RoutingNumber  string   `key:"routing_number" help:"Routing number (ABA), in the United States."`
	IFSC           string   `key:"ifsc" help:"IFSC, in India."`
	Holder         string   `key:"holder" help:"Who holds it: the debtor in payment files, and whom deposits are to be paid to."`
	HolderStreet   string   `key:"holder_street" help:"Street of the holder."`
	HolderPostCode string   `key:"holder_post_code" help:"Post code of the holder."`
	HolderTown     string   `key:"holder_town" help:"Town of the holder. With it the address goes into payment files."`
	BankName       string   `key:"bank_name" help:"Name of the bank, for people."`
	BankAddress    string   `key:"bank_address" help:"Address of the bank, for people."`
	Rails          []string `key:"rails" help:"Rails that the bank takes files for: SEPA, SEPA_INSTANT, FASTER_PAYMENTS, CHAPS, ACH, FEDWIRE, NEFT, IMPS, SIC, SWIFT."`
	CutOff         string   `key:"cut_off" help:"Time of the day, at the rail's place, until which the bank executes files the same day, such as 15:00. Empty: the rail's usual one."`
	ReturnEvidence []string `key:"return_evidence" help:"How this bank shows that a credit is the return of a payment of ours: reason (RtrInf), reversal (RvslInd), notice (pacs.004), code (bank transaction code), sender (it comes from the account that was paid). Empty: all but sender. Other credits that name a payment wait for two people."`
	ReturnCodes    []string `key:"return_codes" help:"Bank transaction codes of the bank's own that it gives to returns, such as NTRF+159. Those of ISO 20022 are known."`
	ReturnFee      string   `key:"return_fee" help:"Most that banks keep of a return, in the account's currency. Empty: 50. Five percent of the payment are allowed in any case; where more is missing two people look."`
	BooksFrom      string   `key:"books_from" oneof:"camt.053 camt.054" help:"The one message that counts, for a bank whose camt.053 and camt.054 tell of one booking in different words. Empty: both."`
}

// BankArchive is bank.archive, or its place in data_dir.
func (c *Config) BankArchive() string {
	if c.Bank.Archive != "" {
		return c.Bank.Archive
	}

	return filepath.Join(c.DataDir, "bank", "archive")
}

// bank finds what could not work. House accounts are checked by the bank rail itself, which knows what each needs.
func (k *checker) bank(b Bank) {
	if b.Channel == "" {
		return
	}

	if b.ToBank == "" || b.FromBank == "" {
		k.say("bank.to_bank and bank.from_bank are needed with bank.channel %s", b.Channel)
	}

	if b.Channel != "sftp" {
		return
	}

	if _, _, err := net.SplitHostPort(b.SFTP.Address); err != nil {
		k.say("bank.sftp.address: %q is not a host and port such as sftp.bank.example:22", b.SFTP.Address)
	}

	if b.SFTP.User == "" {
		k.say("bank.sftp.user is needed with bank.channel sftp")
	}

	if (b.SFTP.Key == "") == (b.SFTP.Password == "") {
		k.say("bank.sftp needs either a key or a password")
	}

	if _, err := ssh.ParsePrivateKey([]byte(b.SFTP.Key.Reveal())); b.SFTP.Key != "" && err != nil {
		k.say("bank.sftp.key is no private key in PEM") // without the cause: it may hold some of it
	}

	if _, _, _, _, err := ssh.ParseAuthorizedKey([]byte(b.SFTP.HostKey)); err != nil {
		k.say(
			"bank.sftp.host_key is no public key such as ssh-ed25519 AAAA…: without it anybody could pretend to be " +
				"the bank",
		)
	}
}

// liveBank finds what must not be with real money.
func (k *checker) liveBank(c *Config) {
	if c.Bank.Channel == "" {
		return
	}

	if len(c.HouseAccounts) == 0 {
		k.say("bank.channel is set, but there is no [[house_account]]")
	}

	folders := map[string]string{"the folder of bank.archive": c.BankArchive()}
	if c.Bank.Channel == "folder" {
		folders["bank.to_bank"] = c.Bank.ToBank
		folders["bank.from_bank"] = c.Bank.FromBank
	}

	for name, dir := range folders {
		if temporary(dir) {
			k.say("%s %s is emptied by the system at times", name, dir)
		}

		if info, err := os.Stat(dir); err == nil && info.Mode().Perm()&0o007 != 0 {
			k.say(
				"%s %s may be read or written by everybody on this machine (mode %04o)",
				name,
				dir,
				info.Mode().Perm(),
			)
		}
	}
}
