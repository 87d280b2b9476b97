package bank

import (
	"context"
	"fmt"
	"math/big"

	"slipway/internal/platform/db"
)

// isImporting reports whether an incoming file is being booked.
func isImporting(ctx context.Context, q db.Querier, fileID string) (bool, error) {
	return db.Value[bool](ctx, q,
		"SELECT EXISTS(SELECT 1 FROM bank_inbox WHERE id = ? AND state = 'IMPORTING')", fileID)
}

// anyWaiting reports whether an incoming file waits.
func anyWaiting(ctx context.Context, q db.Querier) (bool, error) {
	return db.Value[bool](ctx, q, "SELECT EXISTS(SELECT 1 FROM bank_inbox WHERE state = 'WAITING')")
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

// advisedSum returns the balance of the bookings that no statement lists, before the first day or from a later one on.
func advisedSum(ctx context.Context, q db.Querier, house string, first, from int64) (*big.Int, error) {
	const query = `SELECT units, credit FROM bank_entries
		WHERE account = ? AND statement = '' AND status = 'BOOK' AND (booked_at < ? OR booked_at >= ?)`

	in, out, err := sumsOf(ctx, q, query, house, first, from)

	return in.Sub(in, out), err
}

// unbalancedSum returns the sum of what is booked for statements without balances.
func unbalancedSum(ctx context.Context, q db.Querier, house string) (*big.Int, error) {
	const query = "SELECT c.units, TRUE FROM bank_statements s JOIN bank_counted c ON c.statement = s.id " +
		"WHERE s.account = ? AND s.kind = 'camt.053' AND s.opening = ''"

	sum, _, err := sumsOf(ctx, q, query, house)

	return sum, err
}

// waitingReturnsSum returns the sum of the returns whose payout is not booked yet.
func waitingReturnsSum(ctx context.Context, q db.Querier, house string) (*big.Int, error) {
	const query = `SELECT b.units, TRUE FROM bank_returns b
		JOIN bank_payouts p ON p.id = b.payout_id
		WHERE NOT b.settled AND p.house = ?`

	sum, _, err := sumsOf(ctx, q, query, house)

	return sum, err
}

// doubtedSums returns the sums of doubtful bookings in statements.
func doubtedSums(ctx context.Context, q db.Querier, house string) (in, out *big.Int, err error) {
	const query = "SELECT e.units, e.credit FROM bank_doubts d JOIN bank_entries e ON e.id = d.entry_id " +
		"WHERE d.state = 'OPEN' AND e.account = ? AND e.statement <> ''"

	return sumsOf(ctx, q, query, house)
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
