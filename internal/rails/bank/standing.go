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
type Standing struct {
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
var ErrIncomparable = errors.New("bookings are taken from advices: they are not those of the statements one by one")

// Reconciliation compares an account's statements with its bookings. It returns db.ErrNone before the first statement,
// ErrImporting while the newest is being booked, and ErrWaiting or ErrIncomparable if they cannot be compared.
func (r *Rail) Standing(ctx context.Context, q db.Querier, house string) (Standing, error) {
	h, err := r.Account(house)
	if err != nil {
		return Standing{}, err
	}

	if h.BooksFrom == string(camt.Notification) {
		return Standing{}, ErrIncomparable
	}

	first, newest, err := endsOf(ctx, q, house)
	if err != nil {
		return Standing{}, err
	}

	importing, err := db.Value[bool](
		ctx,
		q,
		"SELECT EXISTS(SELECT 1 FROM bank_inbox WHERE id = ? AND state = 'IMPORTING')",
		newest.FileID,
	)
	if err != nil {
		return Standing{}, fmt.Errorf("file %s: %w", newest.FileID, err)
	}

	if importing {
		return Standing{}, ErrImporting
	}

	waits, err := db.Value[bool](ctx, q, "SELECT EXISTS(SELECT 1 FROM bank_inbox WHERE state = 'WAITING')")
	if err != nil {
		return Standing{}, fmt.Errorf("files that wait: %w", err)
	}

	if waits { // of any account: which one is unknown until the file is booked
		return Standing{}, ErrWaiting
	}

	s := Standing{
		Statement: newest.StatementID,
		On:        newest.ClosingOn,
		Moved:     new(big.Int).Sub(number(newest.Closing), number(first.Opening)),
	}

	return s, s.between(ctx, q, house, first, newest)
}

// endsOf reads the first and the newest statement of an account's chain.
func endsOf(ctx context.Context, q db.Querier, house string) (first, newest statementRow, err error) {
	const chain = "SELECT " + statementColumns + " FROM bank_statements " +
		"WHERE account = ? AND kind = 'camt.053' AND opening <> '' AND place <> 'AGAIN' "

	newest, err = db.One(ctx, q, (*statementRow).dest, chain+"ORDER BY closing_on DESC, id DESC LIMIT 1", house)
	if err != nil {
		return first, newest, fmt.Errorf("newest statement of %s: %w", house, err)
	}

	first, err = db.One(ctx, q, (*statementRow).dest, chain+"ORDER BY closing_on, id LIMIT 1", house)
	if err != nil {
		err = fmt.Errorf("first statement of %s: %w", house, err)
	}

	return first, newest, err
}

// between reads the bookings that only our books or only the statements contain.
func (s *Standing) between(ctx context.Context, q db.Querier, house string, first, newest statementRow) (err error) {
	// A statement may contain advised bookings some days late, but not later: an older advised booking that it lacks is
	// unexplained.
	const advised = `SELECT units, credit FROM bank_entries
		WHERE account = ? AND statement = '' AND status = 'BOOK' AND (booked_at < ? OR booked_at >= ?)`

	in, out, err := sumsOf(
		ctx,
		q,
		advised,
		house,
		dayMicros(first.FirstOn),
		dayMicros(newest.ClosingOn)-daysApart*dayLength,
	)
	if err != nil {
		return fmt.Errorf("advised bookings of %s: %w", house, err)
	}

	s.Advised = in.Sub(in, out)

	const unbalanced = "SELECT c.units, TRUE FROM bank_statements s JOIN bank_counted c ON c.statement = s.id " +
		"WHERE s.account = ? AND s.kind = 'camt.053' AND s.opening = ''"

	told, _, err := sumsOf(ctx, q, unbalanced, house)
	if err != nil {
		return fmt.Errorf("statements of %s without balances: %w", house, err)
	}

	s.Advised.Add(s.Advised, told)

	const waiting = `SELECT b.units, TRUE FROM bank_returns b
		JOIN bank_payouts p ON p.id = b.payout_id
		WHERE NOT b.settled AND p.house = ?`
	if s.Waiting, _, err = sumsOf(ctx, q, waiting, house); err != nil {
		return fmt.Errorf("returns of %s: %w", house, err)
	}

	const doubted = "SELECT e.units, e.credit FROM bank_doubts d JOIN bank_entries e ON e.id = d.entry_id " +
		"WHERE d.state = 'OPEN' AND e.account = ? AND e.statement <> ''"
	if s.DoubtedIn, s.DoubtedOut, err = sumsOf(ctx, q, doubted, house); err != nil {
		return fmt.Errorf("doubted bookings of %s: %w", house, err)
	}

	return nil
}

// sumsOf returns the sums of bookings by direction.
func sumsOf(ctx context.Context, q db.Querier, query string, args ...any) (in, out *big.Int, err error) {
	type line struct {
		units  string
		credit bool
	}

	lines, err := db.Select(ctx, q, func(l *line) []any { return []any{&l.units, &l.credit} }, query, args...)
	in = new(big.Int)
	out = new(big.Int)

	for _, l := range lines {
		if l.credit {
			in.Add(in, number(l.units))
		} else {
			out.Add(out, number(l.units))
		}
	}

	return in, out, err
}
