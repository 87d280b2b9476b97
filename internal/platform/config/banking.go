package config

import (
	"net"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/crypto/ssh"

	"slipway/internal/platform/secret"
)

// Bank is how files are exchanged with our bank.
type Bank struct {
	Channel    string        `key:"channel" oneof:"folder sftp" help:"folder: two folders on this machine, such as those of an EBICS or Swift client. sftp: the bank's SFTP server. Empty: files are only imported by hand."`
	TestSystem bool          `key:"test_system" default:"false" help:"Whether the other end of the channel is the bank's test system, which moves no money. Needed in mode test with a channel, refused in live."`
	ToBank     string        `key:"to_bank" help:"Folder for payment files. A file gets its name once it is complete. With bank.channel sftp, a folder on that server."`
	FromBank   string        `key:"from_bank" help:"Folder in which the bank's statements and reports arrive. Imported files are moved to its subfolder done."`
	Archive    string        `key:"archive" help:"Archive of every file that came from the bank, named by its hash. All processes of a deployment share it. Empty: bank/archive in data_dir."`
	Poll       time.Duration `key:"poll" default:"1m" min:"100ms" max:"1h" help:"Interval at which the bank's files are polled, and waiting payouts are written to files."`
	Gather     time.Duration `key:"gather" default:"1m" min:"0s" max:"12h" help:"How long a payout waits so that others can join its file."`
	MaxInFile  int           `key:"max_in_file" default:"10000" min:"1" max:"50000" help:"Maximum number of payouts in one file."`
	AskFor     time.Duration `key:"ask_for" default:"15m" min:"1m" max:"72h" help:"How long it may be unknown whether a file reached the bank before its payouts are held for review."`
	Unanswered time.Duration `key:"unanswered" default:"48h" min:"1h" max:"720h" help:"Time after which a payout that the bank has not booked is reported."`
	ReturnDays int           `key:"return_days" default:"396" min:"1" max:"3660" help:"Days within which a payment may be returned. A later return waits for two people."`
	SFTP       BankSFTP      `key:"sftp"`
}

// BankSFTP is the bank's server.
type BankSFTP struct {
	Address  string      `key:"address" help:"Host and port of the bank's SFTP server."`
	User     string      `key:"user" help:"Our user there."`
	Key      secret.Text `key:"key" help:"Our private key, in PEM."`
	Password secret.Text `key:"password" help:"Our password, if the bank accepts no key."`
	HostKey  string      `key:"host_key" help:"The server's public key as in authorized_keys: ssh-ed25519 AAAA… Connections to any other server are refused."`
}

// HouseAccount is an account of ours at a bank; in TOML a [[house_account]] table.
type HouseAccount struct {
	ID             string   `key:"id" help:"Name in logs, in the ledger and on the command line: lower-case letters, digits and dashes. Never change it."`
	Currency       string   `key:"currency" help:"Currency, by ISO 4217."`
	Country        string   `key:"country" help:"Country of the bank, by ISO 3166, two letters."`
	IBAN           string   `key:"iban" help:"IBAN of the account, if it has one."`
	BIC            string   `key:"bic" help:"BIC of the bank."`
	AccountNumber  string   `key:"account_number" help:"Account number, if it has no IBAN."`
	SortCode       string   `key:"sort_code" help:"Sort code, in the United Kingdom."`
	RoutingNumber  string   `key:"routing_number" help:"Routing number (ABA), in the United States."`
	IFSC           string   `key:"ifsc" help:"IFSC, in India."`
	Holder         string   `key:"holder" help:"Account holder: the debtor in payment files, and the receiver of deposits."`
	HolderStreet   string   `key:"holder_street" help:"Street of the holder."`
	HolderPostCode string   `key:"holder_post_code" help:"Post code of the holder."`
	HolderTown     string   `key:"holder_town" help:"Town of the holder. If set, payment files contain the address."`
	BankName       string   `key:"bank_name" help:"Name of the bank, for people."`
	BankAddress    string   `key:"bank_address" help:"Address of the bank, for people."`
	Rails          []string `key:"rails" help:"Rails that the bank accepts files for: SEPA, SEPA_INSTANT, FASTER_PAYMENTS, CHAPS, ACH, FEDWIRE, NEFT, IMPS, SIC, SWIFT."`
	CutOff         string   `key:"cut_off" help:"Time until which the bank executes files on the same day, such as 15:00, in the rail's time zone. Empty: the rail's usual one."`
	ReturnEvidence []string `key:"return_evidence" help:"How this bank marks a credit as the return of one of our payments: reason (RtrInf), reversal (RvslInd), notice (pacs.004), code (bank transaction code), sender (it comes from the account that was paid). Empty: all except sender. Any other credit that names a payment waits for two people."`
	ReturnCodes    []string `key:"return_codes" help:"The bank's own transaction codes for returns, such as NTRF+159. Those of ISO 20022 are built in."`
	ReturnFee      string   `key:"return_fee" help:"Highest fee that banks deduct from a return, in the account's currency. Empty: 50. Five percent of the payment are always accepted. If more is missing, the return waits for two people."`
	BooksFrom      string   `key:"books_from" oneof:"camt.053 camt.054" help:"The one message that is booked, for a bank that describes the same booking differently in camt.053 and camt.054. Empty: both."`

	StatementEncoding string `key:"statement_encoding" oneof:"cp437 cp850 cp852 iso-8859-1 iso-8859-2 iso-8859-7 iso-8859-15 windows-1250 windows-1252" help:"Encoding of the bank's MT940 and MT942 files, for a bank that writes a code page of DOS or letters of another part of Europe. Empty: UTF-8, or windows-1252 where a file is none."`
}

// BankArchive returns bank.archive, or the default in data_dir.
func (c *Config) BankArchive() string {
	if c.Bank.Archive != "" {
		return c.Bank.Archive
	}

	return filepath.Join(c.DataDir, "bank", "archive")
}

// bank checks the settings of the channel. The bank rail itself checks house accounts.
func (k *checker) bank(b Bank) {
	if b.Channel == "" {
		return
	}

	k.when(b.ToBank == "" || b.FromBank == "",
		"bank.to_bank and bank.from_bank are needed with bank.channel %s", b.Channel)

	if b.Channel != "sftp" {
		return
	}

	if _, _, err := net.SplitHostPort(b.SFTP.Address); err != nil {
		k.report("bank.sftp.address: %q is not a host and port such as sftp.bank.example:22", b.SFTP.Address)
	}

	k.when(b.SFTP.User == "", "bank.sftp.user is needed with bank.channel sftp")

	k.when((b.SFTP.Key == "") == (b.SFTP.Password == ""), "bank.sftp needs either a key or a password")

	if _, err := ssh.ParsePrivateKey([]byte(b.SFTP.Key.Reveal())); b.SFTP.Key != "" && err != nil {
		k.report("bank.sftp.key is no private key in PEM") // without the cause: it may hold some of it
	}

	if _, _, _, _, err := ssh.ParseAuthorizedKey([]byte(b.SFTP.HostKey)); err != nil {
		k.report("bank.sftp.host_key is no public key such as ssh-ed25519 AAAA…: without it anybody could pretend to " +
			"be the bank")
	}
}

// liveBank reports settings that are not safe with real money.
func (k *checker) liveBank(c *Config) {
	if c.Bank.Channel == "" {
		return
	}

	k.when(c.Bank.TestSystem, "bank.test_system is true: a test system pays nobody")

	k.when(len(c.HouseAccounts) == 0, "bank.channel is set, but there is no [[house_account]]")

	folders := map[string]string{"the folder of bank.archive": c.BankArchive()}
	if c.Bank.Channel == "folder" {
		folders["bank.to_bank"] = c.Bank.ToBank
		folders["bank.from_bank"] = c.Bank.FromBank
	}

	for name, dir := range folders {
		k.when(temporary(dir), "%s %s is emptied by the system at times", name, dir)

		if info, err := os.Stat(dir); err == nil && info.Mode().Perm()&0o007 != 0 {
			k.report("%s %s may be read or written by everybody on this machine (mode %04o)", name, dir,
				info.Mode().Perm())
		}
	}
}
