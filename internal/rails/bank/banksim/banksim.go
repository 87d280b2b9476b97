//go:build !nosandbox

// Package banksim is a simulated bank: it holds our accounts, reads the payment files from its inbox, executes them in
// its own books, and answers in files as banks do. The sandbox lets people try Slipway with it, and tests compare
// against its books.
//
// It is the independent truth of tests: it shares no code with our ledger, our bank rail, or our writers and readers of
// messages. What it promises:
//
//   - A payment is executed at most once for its EndToEndId, and never by a copy of a file, unless AcceptDuplicates
//     asks for it.
//   - Every journal of its books sums to zero, and every debit of a customer belongs to exactly one instruction.
//   - An answer is stored before it is written, files appear complete or not at all, and after a kill it resumes.
//
// Builds with -tags nosandbox do not include it. Read in this order:
//
//   - What happens at the bank: banksim.go, books.go with money.go (amounts of messages), receive.go with order.go
//     and nacha.go (what a payment file says), execute.go, deposit.go (money that others send), entry.go (entries, advices,
//     statements).
//   - How it answers: report.go with xml.go, outbox.go (files appear once, complete or not at all).
//   - What tests do and see: control.go, hostile.go (files that harm a careless reader), look.go (the books).
package banksim

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"slipway/internal/platform/clock"
)

// Account is an account that we hold at this bank, with all its identifications.
type Account struct {
	ID       string // stable name between us and the bank
	Currency string // ISO 4217
	Country  string // ISO 3166, two letters
	Holder   string

	IBAN, BIC             string
	AccountNumber         string
	SortCode              string // GB
	RoutingNumber         string // US
	IFSC                  string // IN
	ACHOrigin             string // US: immediate origin of the customer's Nacha files
	BankName, BankAddress string
	Opening               string // balance on the first day, a decimal; "" is zero
	StatementIBAN         string // named in statements if it differs from IBAN; usually ""
}

// Version is the version of the camt messages that the bank writes.
type Version string

// The versions that banks use: .02 until about 2022, .08 since then.
const (
	V02 Version = "02"
	V08 Version = "08"
)

// Default delays of the endings that take time.
const (
	defaultReturnAfter  = 2 * time.Minute
	defaultPendingFor   = 24 * time.Hour
	defaultUncertainFor = time.Hour
)

// Config configures the bank.
type Config struct {
	Folder   string // contains books, inbox and outbox; created if missing
	Accounts []Account
	Clock    *clock.Clock // decides days and delays; nil is the wall clock
	Log      *slog.Logger // nil: none
	AtOnce   bool         // payments are executed when they arrive, even before their execution date
	Version  Version      // of statements and advices; "" is V08. Control can change it
	// Wrote is called after answers were written to the outbox, so that nobody must wait for the next poll.
	Wrote func()

	ReturnAfter  time.Duration // from the booking to the late return of endings 004 and 009; 0: two minutes
	PendingFor   time.Duration // how long ending 005 stays pending; 0: 24 hours
	UncertainFor time.Duration // how long endings 007 and 008 stay unanswered; 0: one hour
}

// Bank is a running bank. It is safe for concurrent use. Two banks in one folder are an error.
type Bank struct {
	config Config
	db     *sql.DB
	mu     sync.Mutex // held during every change: the bank does one thing at a time
}

// New opens the bank in its folder, with existing or new books.
func New(c Config) (*Bank, error) {
	if c.Clock == nil {
		c.Clock = clock.New()
	}

	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}

	if c.Version == "" {
		c.Version = V08
	}

	c.ReturnAfter = orElse(c.ReturnAfter, defaultReturnAfter)
	c.PendingFor = orElse(c.PendingFor, defaultPendingFor)
	c.UncertainFor = orElse(c.UncertainFor, defaultUncertainFor)

	b := &Bank{config: c}
	for _, dir := range []string{b.Inbox(), b.Outbox(), b.archive()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("bank folder: %w", err)
		}
	}

	if err := b.openBooks(); err != nil {
		return nil, fmt.Errorf("bank books: %w", err)
	}

	return b, nil
}

func orElse(d, other time.Duration) time.Duration {
	if d == 0 {
		return other
	}

	return d
}

// Inbox returns the folder for complete payment files. Names that begin with a dot or end in .tmp or .part are ignored.
func (b *Bank) Inbox() string { return filepath.Join(b.config.Folder, "inbox") }

// Outbox returns the folder with the bank's answers. Their names sort in the order of writing.
func (b *Bank) Outbox() string { return filepath.Join(b.config.Folder, "outbox") }

// archive holds payment files that were read.
func (b *Bank) archive() string { return filepath.Join(b.config.Folder, "archive") }

// Accounts returns our accounts at this bank.
func (b *Bank) Accounts() []Account { return append([]Account(nil), b.config.Accounts...) }

// Close closes the books. A second call does nothing.
func (b *Bank) Close() error { return b.db.Close() }

// Step does everything that is due: it reads the inbox, executes payments, closes past days, and writes the answers. It
// returns the number of answers written. If nothing changed, a second call does nothing.
func (b *Bank) Step(ctx context.Context) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.step(ctx)
}

func (b *Bank) step(ctx context.Context) (int, error) {
	written, err := b.deliver(ctx) // write first what a kill left behind
	for _, work := range []func(context.Context) error{b.takeInbox, b.executeDue, b.endDays} {
		if err != nil {
			return written, err
		}

		err = work(ctx)
	}

	if err != nil {
		return written, err
	}

	more, err := b.deliver(ctx)

	return written + more, err
}

// Run calls Step until ctx ends, once per period, since files arrive without notice. An error is logged and retried.
func (b *Bank) Run(ctx context.Context, period time.Duration) error {
	tick := time.NewTicker(period)
	defer tick.Stop()

	for {
		n, err := b.Step(ctx)
		if err != nil && ctx.Err() == nil {
			b.config.Log.Error("bank simulator", "error", err)
		}

		if n > 0 && b.config.Wrote != nil {
			b.config.Wrote()
		}

		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// account returns one of our accounts by any of its identifications.
func (b *Bank) account(name string) (Account, bool) {
	for _, a := range b.config.Accounts {
		if name != "" && (a.ID == name || a.IBAN == name || a.StatementIBAN == name || a.AccountNumber == name ||
			a.ACHOrigin == name) {
			return a, true
		}
	}

	return Account{}, false
}

// inCurrency returns our account in a currency.
func (b *Bank) inCurrency(code string) (Account, bool) {
	for _, a := range b.config.Accounts {
		if a.Currency == code {
			return a, true
		}
	}

	return Account{}, false
}

// write changes the books in one transaction.
func (b *Bank) write(ctx context.Context, body func(t *sql.Tx) error) error {
	t, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}

	if err := body(t); err != nil {
		return errors.Join(err, t.Rollback())
	}

	return t.Commit()
}

// now returns the bank's time in microseconds since 1970.
func (b *Bank) now() int64 { return b.config.Clock.Now().UnixMicro() }
