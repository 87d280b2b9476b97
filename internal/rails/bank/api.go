package bank

import (
	"context"
	"errors"
	"io"
	"time"

	"slipway/internal/platform/db"
	"slipway/internal/platform/jobs"
)

// Check says what keeps an account from being used.
func (a HouseAccount) Check() []error { return nil }

// Plan writes down a payout inside the transaction that decides on it. A key that is there already fails the write with db.Unique on
// bank_payouts. The error is a *Refusal when no file could carry the payout; nothing is planned then.
func (r *Rail) Plan(tx *db.Tx, p Payout) error { return errors.ErrUnsupported }

// PayoutStatus is what is known of a payout.
type PayoutStatus struct {
	Payout
	File, FileName, MessageID string    // the payment file it is in
	ExecuteOn                 time.Time // the day the bank is asked to execute it
	Reason                    Reason    // of REJECTED, HELD, RETURNED
	Entry                     string    // the booked debit
	PlannedAt, UpdatedAt      time.Time
}

// Status gives what is known of a payout, or db.ErrNone.
func (r *Rail) Status(ctx context.Context, q db.Querier, key string) (PayoutStatus, error) {
	return PayoutStatus{}, errors.ErrUnsupported
}

// Outcome is what became of an incoming file.
type Outcome string

// The outcomes.
const (
	Imported    Outcome = "IMPORTED"    // booked as a whole
	Repeated    Outcome = "REPEATED"    // the same bytes were taken before; nothing new
	Quarantined Outcome = "QUARANTINED" // nothing of it was used; Reason says why
	Waiting     Outcome = "WAITING"     // a statement before it is missing: nothing of it is booked until that is there or a person decides
)

// Report says what Import did with a file.
type Report struct {
	File     string // its id; "" when even its bytes were not kept
	Hash     string // SHA-256 of its bytes, hexadecimal
	Kind     string // "camt.053", "pain.002" …
	Outcome  Outcome
	Reason   string // of QUARANTINED and WAITING
	Entries  int    // statement entries in it, of all statuses
	New      int    // entries that no earlier file told of
	Matched  int    // movements that belong to payouts of ours
	Statuses int    // payouts that a status report speaks of
}

// Import takes one file from the bank: camt.052, camt.053, camt.054, pain.002 or pacs.004, whatever its name. It is booked as a whole or
// not at all, and it is safe to repeat: after a crash it goes on where it stopped. progress may be nil; it is told of bytes read and
// entries done. The error is that of the machinery (disk, database); a bad file is no error but a Report.
func (r *Rail) Import(ctx context.Context, name string, content io.Reader, progress func(read int64, entries int)) (Report, error) {
	return Report{}, errors.ErrUnsupported
}

// Work does one round: fetches and imports what the bank has put out, writes files of planned payouts, hands them over, asks for those
// whose hand-over is unknown. Safe to call at any time, from several processes too.
func (r *Rail) Work(ctx context.Context) error { return errors.ErrUnsupported }

// Register has the runner call Work again and again, once per interval over all processes.
func (r *Rail) Register(runner *jobs.Runner, every time.Duration) {
	runner.Every("bank", every, r.Work)
}
