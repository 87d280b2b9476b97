// Package bank executes payouts from bank accounts and reads what banks report. Each planned payout is executed at most
// once, whatever crashes, is lost or arrives twice.
//
// What it promises:
//
//   - A payout is planned in the transaction that decides on it: one row under one key.
//   - Its identifiers are derived from that key. They never change.
//   - Planned payouts become a payment file (package format: pain.001, Nacha). The bytes and their hash are stored
//     before they leave. Only these bytes are ever sent, under one name.
//   - If it is unknown whether a file arrived, the channel is asked. If the channel cannot tell, the payouts are HELD
//     for a person. Silence, a time-out or an error never counts as failed.
//   - What the bank sends (pain.002, camt.052/053/054, MT940, MT942, BAI2, pacs.004) is archived unchanged and read as a
//     stream in bounded memory. A file is booked completely or not at all, except for statements of accounts that are
//     not ours. Of a ZIP, which is held in memory as it is packed, the files in it are archived and booked one by one.
//   - Each entry of a statement counts once, forever. Only a booked entry moves money.
//   - What a file proves and the business status that follows are written in one transaction (Observer).
//
// What it does not promise: that a bank executes a file it has received, or in which order; that a batch can be split
// whose details come in no message; that two databases can share one house account.
//
// Read in this order, each file before what it calls:
//
//  1. After a backup was restored: adopt.go, reread.go.
//  2. Files out: block.go (debits of a whole block), batch.go with store_query.go, plan.go, calendar.go, render.go,
//     send.go; for people reconciliation.go with store_reconcile.go, and resolve.go.
//  3. Files in: inbox.go, import.go, signs.go (that the database is old), unpack.go (files in a ZIP), book.go,
//     examine.go, spool.go, archive.go, doubt.go, conclude.go, amend.go, dedup.go with store_doubt.go, match.go,
//     entry.go, mention.go, return.go, reported.go with report.go, correction.go (payees' accounts).
//  4. What is read again and shown: rebuild.go with store_restore.go, copies.go, query.go, attention.go.
//  5. What all of it rests on: payee.go (names at the bank), transition.go, statement.go, sftp.go, store.go, house.go
//     (accounts), currency.go, folder.go, store_attention.go, store_payee.go, store_correction.go, store_in.go,
//     store_return.go, bank.go,
//     channel.go, state.go, identity.go, formats.go (the formats there are).
package bank

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
	"slipway/internal/platform/witness"
	"slipway/internal/rails/bank/format"
)

// HouseAccount is one of our own bank accounts. Payouts leave from it, deposits arrive on it.
type HouseAccount struct {
	// Currency is ISO 4217, Country ISO 3166 alpha-2
	ID, Currency, Country string
	// an IBAN or an account number, with the codes that its country requires
	IBAN, BIC, AccountNumber, SortCode, RoutingNumber, IFSC                 string
	Holder, HolderStreet, HolderPostCode, HolderTown, BankName, BankAddress string
	// names from refdata: the rails on which this bank accepts files
	Rails []string
	// "15:00", in the time zone of each rail; empty: the rail's default
	CutOff string

	// BooksFrom is the message that counts, camt.053 or camt.054, for a bank whose two messages describe one booking in
	// different words; empty: both.
	BooksFrom string

	// Format is the name of the format of its payment files, one of Formats; empty: the first. Rails that it does not
	// carry go in the first one.
	Format string
	// ACH is the bank's set-up sheet, if Format is nacha
	ACH ACH

	// StatementEncoding is the encoding of its MT940 and MT942, by the names of iso20022.Charset; empty: UTF-8, or
	// windows-1252 where it is none.
	StatementEncoding string

	// ReturnEvidence lists how the bank shows that a credit is the return of a payout; empty: every Evidence except the
	// sender
	ReturnEvidence []string
	ReturnCodes    []string // the bank's own transaction codes for returns
	// the most that banks deduct from a return, in Currency; empty: 50. Up to 5 % of the payout is always accepted
	ReturnFee string
}

// Party is the receiver of a payout.
type Party = format.Party

// AccountIDs identifies the receiving account, as the payment's snapshot of the bank account holds it.
type AccountIDs = format.AccountIDs

// ACH is what was agreed with an originating bank in the United States.
type ACH = format.ACH

// Payout is one payment to be made from a house account.
type Payout struct {
	Key        string // its business identity: the same key is never paid twice
	Object     string // id of the record that the payout belongs to
	From       string // the house account's id
	Rail       string // SEPA, SEPA_INSTANT, FASTER_PAYMENTS, CHAPS, ACH, FEDWIRE, NEFT, IMPS, SIC, SWIFT
	Currency   string // of Amount; may be empty
	Amount     money.Amount
	Creditor   Party
	Account    AccountIDs
	Charges    string // OUR, SHA or BEN; on SEPA always shared
	Purpose    string // ISO 20022 external purpose code of four letters, or empty
	Remittance string // text for the creditor, at most 140 characters
	// creditor reference, ISO 11649 or Swiss QR. It replaces the text, or precedes it on a rail that has no field for
	// references
	Reference string

	// Set by this package on what observers receive and Status returns.
	ID         string
	State      State
	EndToEndID string // derived from Key, as its file names it; the bank repeats it in statements
	UETR       string // derived from Key
}

// Reason is the bank's reason for refusing or returning a payment.
type Reason struct {
	Code string // from the bank: an ISO external code such as AC04, or its own code
	Text string
}

// Return is money of an executed payout that was returned, completely or in part, as a booked credit.
type Return struct {
	Entry    Entry
	Reason   Reason
	Amount   money.Amount // returned by this entry
	Deducted money.Amount // the part of the payout that has not been returned
	Complete bool         // true if what is missing is bank charges; false if the payee still has a part
	Reversal bool         // the bank reversed its own booking; no other bank returned the money
}

// Entry is one movement on a house account: a booking, or one part of a booking that the bank split. It is never
// changed or removed once booked.
type Entry struct {
	ID       string // unique forever; the same each time the bank reports the entry
	Booking  string // the booking it is part of; equal to ID if it is the complete booking
	Account  string // house account id
	File     string // the first file that reported it
	Amount   money.Amount
	Credit   bool      // money came in
	Reversal bool      // the bank reverses an earlier booking
	BookedAt time.Time // the booking day, midnight UTC
	ValueAt  time.Time // the value day; zero if the bank gives none
	BankRef  string    // AcctSvcrRef
	Code     string    // bank transaction code: domain/family/sub-family, or the bank's own

	EndToEndID, UETR, InstrID, PaymentInfoID string // as the bank repeats them; "" for NOTPROVIDED
	MandateID                                string
	Remittance                               string   // unstructured text, lines joined by a newline
	References                               []string // structured creditor references
	Counterparty                             string   // name of the other party
	CounterpartyAccount                      string   // its IBAN or account number
	// BIC of its bank. It is not stored: "" if the entry was read from the database
	CounterpartyBank       string
	ReturnCode, ReturnText string // RtrInf
	Info                   string // AddtlNtryInf and AddtlTxInf

	mentions       []string // what has the form of our end-to-end identification in its texts
	mentionedBlock string   // what has the form of the identification of a block in its texts

	Claims Claim // set on a credit passed to Observer.Credited: the payout whose return it claims to be

	Reading *Reading // what Config.Read found in it; nil if the entry was read from the database
}

// Reading holds what the texts of a credit contain, found without the database.
type Reading struct {
	Texts      []string // texts the bank passed on: remittance, references, end-to-end id
	References []string // references of deposits found in the texts
	Sealed     any      // the texts as the observer stores them, encrypted beside the write and not within it
}

// Claim names the payout that a credit refers to without being its proven return, and why people must check it.
type Claim struct{ Payout, Why string }

// Observer records what happens to payouts and what arrives.
//
// Each method is called inside the transaction that records the evidence, so that both happen or neither. A transaction
// may run twice: methods change nothing but tx. An error rolls everything back; the call is retried.
//
// For one payout, HandedOver is called first and once. Booked or Rejected follows, once. After Booked, Returned may
// follow, once for each part that is returned. Held may be called any number of times before Booked or Rejected, and
// PayeeChecked at any time after HandedOver.
//
// Each entry is passed once, either to Booked or Returned, or to Credited or Debited. From there it may be Withdrawn.
type Observer interface {
	HandedOver(ctx context.Context, tx *db.Tx, p Payout) error
	Booked(ctx context.Context, tx *db.Tx, p Payout, e Entry) error
	Rejected(ctx context.Context, tx *db.Tx, p Payout, r Reason) error
	Held(ctx context.Context, tx *db.Tx, p Payout, why string) error
	Returned(ctx context.Context, tx *db.Tx, p Payout, r Return) error
	// PayeeChecked receives what the bank found of the name on a payout, and once more when the bank waits no longer.
	PayeeChecked(ctx context.Context, tx *db.Tx, p Payout, c PayeeCheck) error
	// Corrected receives what two persons have decided to be right about the account of an executed payout. An error
	// that is a refusal goes to them.
	Corrected(ctx context.Context, tx *db.Tx, p Payout, right Corrected) error
	// Credited receives booked credits that are no return of our payouts, up to a few hundred of one file per call.
	Credited(ctx context.Context, tx *db.Tx, entries []Entry) error
	// Debited receives booked debits that are no payout of ours: charges, and reversals of earlier credits (Reversal
	// set).
	Debited(ctx context.Context, tx *db.Tx, entries []Entry) error
	// Withdrawn receives the movements of one booking. Each was passed to Credited or Debited before. The bank has now
	// reported the booking with more detail: other movements that replace these follow in the same transaction.
	// Withdrawn reports whether everything done with them was undone. It returns false if people have decided about one
	// of them; then nothing is changed and nothing follows.
	Withdrawn(ctx context.Context, tx *db.Tx, entries []Entry) (bool, error)
}

// Errors that callers compare with errors.Is.
var (
	ErrUnknownAccount = errors.New("the house account is not set up")
	ErrNotHeld        = errors.New("the payout is not on hold")
	ErrTwoPersons     = errors.New("two different persons are needed: one who asks and one who approves")
)

// Gate stops everything that leaves while the database may be older than the instance's last state. *epoch.Instance
// implements it.
type Gate interface {
	// Held reports whether nothing may leave.
	Held(ctx context.Context) (bool, error)
	// Advance is called before a file leaves. Afterwards an older backup can be distinguished from one that includes
	// the file.
	Advance(ctx context.Context) error
}

// open is the gate of a rail without one.
type open struct{}

// Held reports false.
func (open) Held(context.Context) (bool, error) { return false, nil }

// Advance does nothing.
func (open) Advance(context.Context) error { return nil }

// Config holds the dependencies and limits of a Rail.
type Config struct {
	DB       *db.DB
	Observer Observer // nil: Observe registers one
	Accounts []HouseAccount
	Channel  Channel // nil: nothing is sent or fetched; files can still be imported
	Archive  string  // folder that keeps every received file, named by its hash
	// Copies keeps every outgoing file outside of the database before it leaves. If nil, no copies are kept, and Reread
	// finds only the files that the channel still has.
	Copies witness.Store
	Gate   Gate // nil: always open
	// Behind is told, in the write that has found it, what shows that the database is older than the bank; nil: nobody
	// is. A second call with the same sentence changes nothing.
	Behind func(ctx context.Context, tx *db.Tx, sign string) error
	Name   string       // name of the initiating party, at most 70 characters; empty: the house account's holder
	Log    *slog.Logger // nil: none

	Gather    time.Duration // how long a planned payout may wait so that others share its file; 0: not at all
	MaxInFile int           // payouts in one file; 0: 10,000
	// how long to ask the channel and the inbox for a file whose hand-over is unknown, before it is HELD; 0: 15 min
	AskFor time.Duration
	// Read is called for each booked credit while its file is being read, concurrently with the write of the entries
	// before it. It must not block. If nil, Entry.Reading stays nil.
	Read func(Entry) *Reading

	// how long after its hand-over a payout may be returned without a person checking it; 0: 13 months
	ReturnWithin time.Duration

	Unanswered time.Duration // after this time a handed-over payout without a booking needs attention; 0: 2 days
	MaxFile    int64         // bytes of one incoming file; 0: 1 GiB
}

// Rail executes payouts from all house accounts and reads their statements. It is safe for concurrent use, also by
// several processes on one database.
type Rail struct {
	c        Config
	db       *db.DB
	log      *slog.Logger
	accounts map[string]HouseAccount
}

// New returns a rail. It refuses house accounts that cannot work, and reports all their problems at once.
func New(c Config) (*Rail, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}

	if c.Gate == nil {
		c.Gate = open{}
	}

	c.MaxInFile = orDefault(c.MaxInFile, 10_000)
	c.AskFor = orDefault(c.AskFor, 15*time.Minute)
	c.Unanswered = orDefault(c.Unanswered, 48*time.Hour)
	c.MaxFile = orDefault(c.MaxFile, 1<<30)
	r := &Rail{c: c, db: c.DB, log: c.Log, accounts: map[string]HouseAccount{}}

	var problems []error
	for _, a := range c.Accounts {
		if _, twice := r.accounts[a.ID]; twice {
			problems = append(problems, errors.New("house account "+a.ID+" is configured twice"))
		}

		problems = append(problems, a.Check()...)
		r.accounts[a.ID] = a
	}

	return r, errors.Join(problems...)
}

// Observe registers who records what becomes of payouts and what arrives, for an observer that is built with the rail
// itself. Call it once, before a file is read or a payout is planned.
func (r *Rail) Observe(o Observer) { r.c.Observer = o }

func orDefault[N ~int | ~int64](n, otherwise N) N {
	if n > 0 {
		return n
	}

	return otherwise
}

// Accounts returns the house accounts in the order of the configuration.
func (r *Rail) Accounts() []HouseAccount { return slices.Clone(r.c.Accounts) }

// Account returns a house account, or ErrUnknownAccount.
func (r *Rail) Account(id string) (HouseAccount, error) {
	if a, ok := r.accounts[id]; ok {
		return a, nil
	}

	return HouseAccount{}, ErrUnknownAccount
}

// AccountFor returns the first configured house account that pays a currency by a rail, or ErrUnknownAccount.
func (r *Rail) AccountFor(currency, rail string) (HouseAccount, error) {
	for _, a := range r.c.Accounts {
		if a.Currency == currency && slices.Contains(a.Rails, rail) {
			return a, nil
		}
	}

	return HouseAccount{}, ErrUnknownAccount
}
