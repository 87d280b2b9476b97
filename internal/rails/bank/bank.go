// Package bank moves money on bank accounts: each planned payout is executed at most once, whatever crashes, is lost
// or comes twice.
//
// What it promises. A payout is planned inside the transaction that decides on it, one row under one key. Its
// identifiers are made from that key, so they are the same for ever. Planned payouts become a payment file (ISO 20022
// pain.001); the file's bytes and hash are stored before they leave, and only these bytes are ever sent, under one
// name. When it is not known whether a file arrived, the channel is asked; when that does not tell, the payouts are
// HELD for a person. Silence, a time-out or an error never counts as failed. What comes from the bank (pain.002,
// camt.052/053/054, pacs.004) is kept as it came, read as a stream in bounded memory, and booked as a whole file or
// not at all; each entry of a statement counts once for ever. Only a booked entry moves money. What a file proves and
// the business status that follows are written in one transaction (Observer).
//
// What it does not promise: that a bank executes a file it has taken, or in which order; that a batch whose details
// come in no message can be taken apart; that two databases for one house account are safe.
//
// Read in this order: bank.go (what callers use), state.go; out: plan.go, identity.go, calendar.go, batch.go,
// render.go, send.go, resolve.go; in: inbox.go, import.go, statement.go, book.go, entry.go, told.go, doubt.go,
// amend.go, conclude.go, match.go, block.go, return.go, report.go; after a back-up was put back: copies.go,
// reread.go, handed.go, adopt.go; query.go and attention.go for people; channel.go with folder.go and sftp.go;
// store.go, store_in.go.
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
)

// HouseAccount is an account of ours at a bank: payouts leave from it, deposits arrive on it.
type HouseAccount struct {
	// Currency is ISO 4217, Country ISO 3166 alpha-2
	ID, Currency, Country string
	// an IBAN or an account number, with what its country asks for
	IBAN, BIC, AccountNumber, SortCode, RoutingNumber, IFSC                 string
	Holder, HolderStreet, HolderPostCode, HolderTown, BankName, BankAddress string
	// of refdata, that this bank takes files for
	Rails []string
	// "15:00", in the time zone of each rail; empty: the rail's usual one
	CutOff string

	// BooksFrom is camt.053 or camt.054, the one that counts, for a bank whose two tell of one booking in different
	// words; empty: both.
	BooksFrom string

	// Evidences: how the bank shows that a credit is the return of a payout; empty: all but the sender
	ReturnEvidence []string
	ReturnCodes    []string // bank transaction codes of its own that it gives to returns
	ReturnFee      string   // most that banks keep of a return, in Currency; empty: 50, in any case 5 % of the payout
}

// Party is who receives a payout.
type Party struct {
	Name string
	// Country is ISO 3166 alpha-2; Town and Country are needed where an address is sent
	Street, BuildingNumber, PostCode, Town, Country string
}

// AccountIDs says where a payout goes: what the payment's snapshot of the bank account holds.
type AccountIDs struct {
	IBAN, BIC, AccountNumber, SortCode, RoutingNumber, IFSC string
	AccountType                                             string // CHECKING or SAVINGS, for ACH
	BankName, Country                                       string // Country of the bank, ISO 3166 alpha-2
}

// Payout is one payment to be made from a house account.
type Payout struct {
	Key        string // its business identity: the same key never is paid twice
	Object     string // the record it is about
	From       string // the house account's id
	Rail       string // SEPA, SEPA_INSTANT, FASTER_PAYMENTS, CHAPS, ACH, FEDWIRE, NEFT, IMPS, SIC, SWIFT
	Currency   string // of Amount; empty: Amount says it
	Amount     money.Amount
	Creditor   Party
	Account    AccountIDs
	Charges    string // OUR, SHA or BEN; on SEPA always shared, whatever is asked
	Purpose    string // ISO 20022 external purpose code of four letters, or empty
	Remittance string // text for the creditor, at most 140 characters
	// creditor reference, ISO 11649 or Swiss QR; it goes in place of the text, or before it on a rail that has no
	// place for one
	Reference string

	// Set by this package on what observers receive and Status gives.
	ID         string
	State      State
	EndToEndID string // 26 characters, from Key: comes back in statements
	UETR       string // from Key too
}

// Reason is why the bank refused or returned a payment.
type Reason struct {
	Code string // of the bank: ISO external code such as AC04, or its own
	Text string
}

// Return is money of an executed payout that came back, as a booked credit: all of it, or a part.
type Return struct {
	Entry    Entry
	Reason   Reason
	Amount   money.Amount // what came back
	Deducted money.Amount // what is still missing to the payout
	Complete bool         // what is missing are charges of banks; otherwise a part is still with the payee
	Reversal bool         // the bank took its own booking back, instead of another bank returning the money
}

// Entry is one movement on a house account: a booking, or one part of a booking that the bank broke down. Booked for
// ever.
type Entry struct {
	ID       string // unique for ever, the same however often the bank tells of it
	Booking  string // the booking it is part of; equal to ID when it is all of it
	Account  string // house account id
	File     string // the file that first told of it
	Amount   money.Amount
	Credit   bool      // money came in
	Reversal bool      // the bank takes an earlier booking back
	BookedAt time.Time // the booking day, midnight UTC
	ValueAt  time.Time // the value day; zero when the bank names none
	BankRef  string    // AcctSvcrRef
	Code     string    // bank transaction code: domain/family/sub-family, or the bank's own

	EndToEndID, UETR, InstrID, PaymentInfoID string // as the bank gives them back; "" for NOTPROVIDED
	MandateID                                string
	Remittance                               string   // unstructured text, lines joined by a newline
	References                               []string // structured creditor references
	Counterparty                             string   // name of the other side
	CounterpartyAccount                      string   // its IBAN or account number
	// BIC of its bank; it is not stored, and "" of an entry that was read again
	CounterpartyBank       string
	ReturnCode, ReturnText string // RtrInf
	Info                   string // AddtlNtryInf and AddtlTxInf

	Claims Claim // of a credit in Observer.Credited: the payout whose return it claims to be

	Reading *Reading // what Config.Read found in it; nil of an entry that was read again
}

// Reading is what the texts of a credit hold, found without the database.
type Reading struct {
	Texts      []string // what the bank passed on: remittance, references, end-to-end id
	References []string // references of deposits that the texts hold
}

// Claim is a payout that a credit names without being its proven return, and why people must look.
type Claim struct{ Payout, Why string }

// Observer records what becomes of payouts and what arrives. Each method is called inside the transaction that
// records the evidence, so both happen or neither. A body may run twice: methods touch nothing but tx. For one
// payout: HandedOver once and first; then Booked or Rejected, once; after Booked perhaps Returned, once for each part
// that comes back; Held any number of times before Booked or Rejected. Each entry comes once, either with Booked or
// Returned, or in Credited or Debited, from where it may be Withdrawn. An error leaves everything as it was; it is
// tried again.
type Observer interface {
	HandedOver(ctx context.Context, tx *db.Tx, p Payout) error
	Booked(ctx context.Context, tx *db.Tx, p Payout, e Entry) error
	Rejected(ctx context.Context, tx *db.Tx, p Payout, r Reason) error
	Held(ctx context.Context, tx *db.Tx, p Payout, why string) error
	Returned(ctx context.Context, tx *db.Tx, p Payout, r Return) error
	// Credited gives booked credits that are no return of ours, up to some hundred of one file at a time.
	Credited(ctx context.Context, tx *db.Tx, entries []Entry) error
	// Debited gives booked debits that are no payout of ours: charges, and reversals of earlier credits (Reversal set).
	Debited(ctx context.Context, tx *db.Tx, entries []Entry) error
	// Withdrawn gives the movements of one booking, each of which came with Credited or Debited before. The bank has
	// told of the booking anew, with more of it: other movements in their place follow in the same transaction. It
	// reports whether all that was done with them is taken back; false when people have decided about one, and then
	// nothing is changed and nothing follows.
	Withdrawn(ctx context.Context, tx *db.Tx, entries []Entry) (bool, error)
}

// Errors that callers compare with errors.Is.
var (
	ErrUnknownAccount = errors.New("the house account is not set up")
	ErrNotHeld        = errors.New("the payout is not on hold")
	ErrTwoPersons     = errors.New("two different persons are needed: one who asks and one who approves")
)

// Gate keeps things from leaving while the database does not follow the instance's own last state; *epoch.Instance is
// one.
type Gate interface {
	// Held reports whether nothing may leave.
	Held(ctx context.Context) (bool, error)
	// Advance is called before a file leaves. After it a back-up that was made before is told from one that knows of
	// the file.
	Advance(ctx context.Context) error
}

// open is the gate of a rail that has none.
type open struct{}

// Held reports false.
func (open) Held(context.Context) (bool, error) { return false, nil }

// Advance does nothing.
func (open) Advance(context.Context) error { return nil }

// Config is what a Rail works with.
type Config struct {
	DB       *db.DB
	Observer Observer
	Accounts []HouseAccount
	Channel  Channel // nil: nothing is sent or fetched; files can still be imported
	Archive  string  // folder that keeps every file that came in, named by its hash
	// Copies keeps every file that goes out, outside of the database, before it leaves. nil: none is kept, and Reread
	// finds those alone that the channel still has.
	Copies witness.Store
	Gate   Gate         // nil: always open
	Name   string       // who initiates payments, at most 70 characters; empty: the house account's holder
	Log    *slog.Logger // nil: none

	Gather    time.Duration // how long a planned payout may wait for others to share its file; 0: not at all
	MaxInFile int           // payouts in one file; 0: 10,000
	// how long the channel and the inbox are asked for a file whose hand-over is unknown, before it is HELD; 0: 15
	// min
	AskFor time.Duration
	// Read is called for each booked credit while its file is read, beside the write of what stands before it in the
	// file. It must not block. nil: Entry.Reading stays nil.
	Read func(Entry) *Reading

	// how long after its hand-over a payout may come back without people looking at it; 0: 13 months
	ReturnWithin time.Duration

	Unanswered time.Duration // after which a handed-over payout without booking stands on the attention list; 0: 2 days
	MaxFile    int64         // bytes of one incoming file; 0: 1 GiB
}

// Rail pays out from and watches all house accounts. Safe for concurrent use; several processes may run on one
// database.
type Rail struct {
	c        Config
	db       *db.DB
	log      *slog.Logger
	accounts map[string]HouseAccount
}

// New makes a rail. It refuses accounts that could not work: a currency, an identification and at least one rail are
// needed.
func New(c Config) (*Rail, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}

	if c.Gate == nil {
		c.Gate = open{}
	}

	c.MaxInFile = or(c.MaxInFile, 10_000)
	c.AskFor = or(c.AskFor, 15*time.Minute)
	c.Unanswered = or(c.Unanswered, 48*time.Hour)
	c.MaxFile = or(c.MaxFile, 1<<30)
	r := &Rail{c: c, db: c.DB, log: c.Log, accounts: map[string]HouseAccount{}}

	var problems []error
	for _, a := range c.Accounts {
		if _, twice := r.accounts[a.ID]; twice {
			problems = append(problems, errors.New("house account "+a.ID+" stands twice"))
		}

		problems = append(problems, a.Check()...)
		r.accounts[a.ID] = a
	}

	return r, errors.Join(problems...)
}

func or[N ~int | ~int64](n, otherwise N) N {
	if n > 0 {
		return n
	}

	return otherwise
}

// Accounts lists the house accounts in the order of configuration.
func (r *Rail) Accounts() []HouseAccount { return slices.Clone(r.c.Accounts) }

// Account finds a house account.
func (r *Rail) Account(id string) (HouseAccount, error) {
	if a, ok := r.accounts[id]; ok {
		return a, nil
	}

	return HouseAccount{}, ErrUnknownAccount
}

// AccountFor finds the house account that pays a currency by a rail; the first of the configuration.
func (r *Rail) AccountFor(currency, rail string) (HouseAccount, error) {
	for _, a := range r.c.Accounts {
		if a.Currency == currency && slices.Contains(a.Rails, rail) {
			return a, nil
		}
	}

	return HouseAccount{}, ErrUnknownAccount
}
