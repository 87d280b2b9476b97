package config

import (
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"slipway/internal/platform/secret"
)

// Bank is how files are exchanged with our bank.
type Bank struct {
	Channel    string        `key:"channel" oneof:"folder sftp ebics" help:"folder: two folders on this machine, such as those of a Swift client. sftp: the bank's SFTP server. ebics: the bank's EBICS server. Empty: files are only imported by hand."`
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
	EBICS      BankEBICS     `key:"ebics"`
}

// BankSFTP is the bank's server.
type BankSFTP struct {
	Address  string      `key:"address" help:"Host and port of the bank's SFTP server."`
	User     string      `key:"user" help:"Our user there."`
	Key      secret.Text `key:"key" help:"Our private key, in PEM."`
	Password secret.Text `key:"password" help:"Our password, if the bank accepts no key."`
	HostKey  string      `key:"host_key" help:"The server's public key as in authorized_keys: ssh-ed25519 AAAA… Connections to any other server are refused."`
}

// BankEBICS is our contract at the bank's EBICS server. The identifiers are those of the bank's letter.
type BankEBICS struct {
	URL        string        `key:"url" help:"Address of the bank's EBICS server. With real money it begins with https."`
	HostID     string        `key:"host_id" help:"HostID of the bank."`
	PartnerID  string        `key:"partner_id" help:"PartnerID (customer id) of the contract."`
	UserID     string        `key:"user_id" help:"UserID (subscriber id) whose keys sign. Give Slipway a user of its own."`
	Version    string        `key:"version" oneof:"H005 H004" help:"H005: EBICS 3.0. H004: EBICS 2.5. Empty: the newest that the bank says it speaks, when the keys are made."`
	Payments   []string      `key:"payments" help:"Orders that carry payment files. In EBICS 3.0 such as service=SCT scope=DE message=pain.001, in 2.5 such as CCT. With the name of a rail and a colon in front it is for that rail alone: SEPA_INSTANT: CIP."`
	Downloads  []string      `key:"downloads" help:"Orders that fetch statements and reports. In EBICS 3.0 such as service=EOP scope=CH container=ZIP message=camt.053 version=08, in 2.5 such as C53."`
	FetchEvery time.Duration `key:"fetch_every" default:"15m" min:"1m" max:"24h" help:"How often they are fetched. Banks bill or block customers who ask too often."`
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

	PaymentFormat      string   `key:"payment_format" oneof:"pain.001 nacha" help:"Format of the account's payment files. nacha: ACH goes in Nacha files, other rails in pain.001. Empty: pain.001."`
	ACHDestination     string   `key:"ach_destination" help:"Immediate destination in Nacha files, a routing number. Empty: routing_number."`
	ACHDestinationName string   `key:"ach_destination_name" help:"Name of the immediate destination, at most 23 characters. Empty: bank_name."`
	ACHOrigin          string   `key:"ach_origin" help:"Immediate origin in Nacha files, as the bank has assigned it: ten characters at most."`
	ACHOriginName      string   `key:"ach_origin_name" help:"Name of the immediate origin, at most 23 characters. Empty: holder."`
	ACHCompanyID       string   `key:"ach_company_id" help:"Company identification of the originator, as the bank has assigned it: ten characters at most. Empty: ach_origin."`
	ACHCompanyName     string   `key:"ach_company_name" help:"Originator that payees see in their statements, at most 16 characters. Empty: the beginning of holder."`
	ACHDescription     string   `key:"ach_description" help:"What payees see the payments are for, at most ten characters. Empty: PAYMENT."`
	ACHEntryClasses    []string `key:"ach_entry_classes" help:"Entry classes that the bank has agreed to: PPD for persons, CCD for companies. Empty: both."`
	ACHBalanced        bool     `key:"ach_balanced" default:"false" help:"Whether each batch ends with a debit of this account (a balanced file), as some banks require."`
	ACHSameDayUntil    string   `key:"ach_same_day_until" help:"Time in New York, such as 13:00, until which files are for the same day. Choose it before the bank's own time for its last window. Empty: they are for the next working day."`

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

	if b.Channel == "ebics" {
		k.bankEBICS(b.EBICS)
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

// bankEBICS checks that the contract is complete. The channel itself reads identifiers and orders.
func (k *checker) bankEBICS(e BankEBICS) {
	u, err := url.Parse(e.URL)
	k.when(err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http",
		"bank.ebics.url: %q is no address such as https://ebics.bank.example/ebicsweb", e.URL)

	for name, value := range map[string]string{
		"host_id":    e.HostID,
		"partner_id": e.PartnerID,
		"user_id":    e.UserID,
	} {
		k.when(value == "", "bank.ebics.%s is needed with bank.channel ebics: it is in the bank's letter", name)
	}

	k.when(len(e.Payments) == 0, "bank.ebics.payments is empty: no order would carry a payment")
	k.when(len(e.Downloads) == 0, "bank.ebics.downloads is empty: no statement would be fetched")
}

// liveBank reports settings that are not safe with real money.
func (k *checker) liveBank(c *Config) {
	if c.Bank.Channel == "" {
		return
	}

	k.when(c.Bank.TestSystem, "bank.test_system is true: a test system pays nobody")

	k.when(len(c.HouseAccounts) == 0, "bank.channel is set, but there is no [[house_account]]")

	k.when(c.Bank.Channel == "ebics" && !strings.HasPrefix(c.Bank.EBICS.URL, "https://"),
		"bank.ebics.url does not begin with https://: what the bank sends is not signed, and TLS alone protects it")

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
