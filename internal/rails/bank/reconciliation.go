package bank

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"slipway/internal/platform/db"
	"slipway/internal/standards/iso20022/camt"
)

// This file compares our bookings of an account with its newest statement. The two differ by bookings that only one
// side has, and each of these is known. Any other difference is unexplained.

// HaltName returns the name under which new files of a house account are halted.
func HaltName(house string) string { return "bank/" + house }

// Reconciliation is what the statements of a house account contain, and which of the account's bookings they do not.
// All amounts are signed minor units.
type Reconciliation struct {
	Statement string // the newest: the bank's identification of it
	On        string // its day

	Moved   *big.Int // from the opening balance of the first statement to the closing balance of the newest
	Advised *big.Int // booked here, but so far only advised, or in statements without balances
	Waiting *big.Int // in a statement, but not posted here: returns whose payout is not booked yet

	DoubtedIn  *big.Int // in a statement, but in doubt: credits that may be missing here,
	DoubtedOut *big.Int // and debits
}

// ErrImporting means that an account's newest statement is being booked.
var ErrImporting = errors.New("the newest statement is being booked")

// ErrWaiting means that the bank has sent a newer statement of which nothing is booked.
var ErrWaiting = errors.New("a statement waits for one that is missing, or for two persons")

// ErrIncomparable means that an account's bookings do not come from its statements (BooksFrom camt.054).
var ErrIncomparable = errors.New("bookings come from advices and cannot be compared with statements")

// Reconciliation compares an account's statements with its bookings. It returns db.ErrNone before the first statement,
// ErrImporting while the newest is being booked, and ErrWaiting or ErrIncomparable if they cannot be compared.
func (r *Rail) Reconciliation(ctx context.Context, q db.Querier, house string) (Reconciliation, error) {
	h, err := r.Account(house)
	if err != nil {
		return Reconciliation{}, err
	}

	if h.BooksFrom == string(camt.Notification) {
		return Reconciliation{}, ErrIncomparable
	}

	first, newest, err := endsOf(ctx, q, house)
	if err != nil {
		return Reconciliation{}, err
	}

	importing, err := isImporting(ctx, q, newest.FileID)
	if err != nil {
		return Reconciliation{}, fmt.Errorf("file %s: %w", newest.FileID, err)
	}

	if importing {
		return Reconciliation{}, ErrImporting
	}

	waits, err := anyWaiting(ctx, q)
	if err != nil {
		return Reconciliation{}, fmt.Errorf("files that wait: %w", err)
	}

	if waits { // of any account: which one is unknown until the file is booked
		return Reconciliation{}, ErrWaiting
	}

	s := Reconciliation{
		Statement: newest.StatementID,
		On:        newest.ClosingOn,
		Moved:     new(big.Int).Sub(number(newest.Closing), number(first.Opening)),
	}

	err = s.between(ctx, q, house, first, newest)

	return s, err
}

// between reads the bookings that only our books or only the statements contain.
func (s *Reconciliation) between(ctx context.Context, q db.Querier, house string, first, newest statementRow) error {
	// A statement may contain advised bookings some days late, but not later: an older advised booking that it lacks is
	// unexplained.
	until := dayMicros(newest.ClosingOn) - daysApart*dayLength

	advised, err := advisedSum(ctx, q, house, dayMicros(first.FirstOn), until)
	if err != nil {
		return fmt.Errorf("advised bookings of %s: %w", house, err)
	}

	unbalanced, err := unbalancedSum(ctx, q, house)
	if err != nil {
		return fmt.Errorf("statements of %s without balances: %w", house, err)
	}

	s.Advised = advised.Add(advised, unbalanced)

	if s.Waiting, err = waitingReturnsSum(ctx, q, house); err != nil {
		return fmt.Errorf("returns of %s: %w", house, err)
	}

	if s.DoubtedIn, s.DoubtedOut, err = doubtedSums(ctx, q, house); err != nil {
		return fmt.Errorf("doubted bookings of %s: %w", house, err)
	}

	return nil
}
