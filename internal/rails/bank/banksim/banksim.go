//go:build !nosandbox

// Package banksim is a bank: it holds our accounts, reads the payment files we put into its inbox, executes them
// against its own books, and answers in files as banks do. The sandbox lets people try Slipway with it, and tests ask
// it what really happened.
//
// It is the independent ground truth: it shares no code with our ledger, our bank rail or our writers and readers of
// messages. What it promises:
//
//   - a payment is executed at most once for its EndToEndId, and never by a copy of a file, unless AcceptDuplicates
//     asks for it;
//   - every journal of its books sums to zero, and every debit of a customer belongs to exactly one instruction;
//   - what was answered is stored before it is written, files appear whole or not at all, and after a kill it goes on
//     where it was.
//
// It is left out of builds with -tags nosandbox. Read in this order: banksim.go, books.go, receive.go, execute.go,
// report.go, control.go.
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

// Account is an account that we hold at this bank, with every way to name it that its country knows.
type Account struct {
	ID       string // what it is called between us: stable
	Currency string // ISO 4217
	Country  string // ISO 3166, two letters
	Holder   string

	IBAN, BIC             string
	AccountNumber         string
	SortCode              string // GB
	RoutingNumber         string // US
	IFSC                  string // IN
	BankName, BankAddress string
	Opening               string // balance on the first day, a decimal; "" is nothing
	StatementIBAN         string // named in statements where it differs from IBAN; usually ""
}

// Version is the version of the camt messages the bank writes.
type Version string

// The versions that banks use: .02 is what most wrote until 2022, .08 what they write since.
const (
	V02 Version = "02"
	V08 Version = "08"
)

// Delays of the endings that take time, when Config leaves them out.
const (
	defaultReturnAfter  = 2 * time.Minute
	defaultPendingFor   = 24 * time.Hour
	defaultUncertainFor = time.Hour
)

// Config says which bank to run.
type Config struct {
	Folder   string // books, inbox and outbox lie here; made when missing
	Accounts []Account
	Clock    *clock.Clock // whose days and delays it follows; nil is the wall clock
	Log      *slog.Logger // nil: silent
	AtOnce   bool         // payments are executed when they come, also before the day they are asked for
	Version  Version      // of statements and advices; "" is V08. Control can change it
	// Wrote is called after answers were written to the outbox, so that nobody has to wait for the next look into it.
	Wrote func()

	ReturnAfter  time.Duration // from the booking to the late return of endings 004 and 009; 0: two minutes
	PendingFor   time.Duration // how long ending 005 stays pending; 0: 24 hours
	UncertainFor time.Duration // how long endings 007 and 008 stay without any answer; 0: one hour
}

// Bank is a running bank. Safe for concurrent use; two banks in one folder are a fault.
type Bank struct {
	config Config
	db     *sql.DB
	mu     sync.Mutex // held through every change: a bank does one thing after the other
}

// New opens the bank in its folder, with the books it has there or with fresh ones.
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

// Inbox is the folder into which payment files are put, whole: names that begin with a dot or end in .tmp or .part
// are not looked at.
func (b *Bank) Inbox() string { return filepath.Join(b.config.Folder, "inbox") }

// Outbox is the folder in which the bank's answers appear. Their names sort in the order of writing.
func (b *Bank) Outbox() string { return filepath.Join(b.config.Folder, "outbox") }

// archive is where payment files lie that were read.
func (b *Bank) archive() string { return filepath.Join(b.config.Folder, "archive") }

// Accounts is what we hold here.
func (b *Bank) Accounts() []Account { return append([]Account(nil), b.config.Accounts...) }

// Close lets go of the books. A second call does nothing.
func (b *Bank) Close() error { return b.db.Close() }

// Step does everything that can be done now: takes what is in the inbox, executes what is due, ends days that are
// over, and writes the answers. It gives the number of answers written. When nothing changed, a second call does
// nothing.
func (b *Bank) Step(ctx context.Context) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.step(ctx)
}

func (b *Bank) step(ctx context.Context) (int, error) {
	written, err := b.deliver(ctx) // what a kill left behind goes out first
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

// Run steps until ctx ends: when the period is over, since files come without a word. An error is logged and tried
// again.
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

// account finds one of our accounts here by any of its names.
func (b *Bank) account(name string) (Account, bool) {
	for _, a := range b.config.Accounts {
		if name != "" && (a.ID == name || a.IBAN == name || a.StatementIBAN == name || a.AccountNumber == name) {
			return a, true
		}
	}

	return Account{}, false
}

// inCurrency finds our account of a currency.
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

// now is the bank's time in microseconds since 1970.
func (b *Bank) now() int64 { return b.config.Clock.Now().UnixMicro() }
