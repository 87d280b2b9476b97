package bank

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"slipway/internal/platform/db"
	"slipway/internal/standards/iso20022/camt"
)

// mostDoubts limits the doubts that one write decides, and the advised bookings that one message lists.
const mostDoubts = 1000

// conclude ends the import of a file. First it ends the doubts that the stored data now proves. Then it compares each
// statement's balances with what is booked for it. The file becomes IMPORTED if they agree, otherwise UNBALANCED until
// another file or two persons explain it.
func (r *Rail) conclude(ctx context.Context, tx *db.Tx, row *inboxRow) error {
	row.State = InboxImported
	if slices.Contains(reportKinds(), row.Kind) {
		return nil
	}

	statements, err := statementsOf(ctx, tx, row.ID)
	if err != nil {
		return fmt.Errorf("statements of %s: %w", row.ID, err)
	}

	w := newDedup(r, tx, row.ID)
	if err := w.endDoubts(ctx, statements); err != nil {
		return err
	}

	var problems []string
	for _, s := range statements {
		h, known := r.accounts[s.Account]
		if s.Place == "" || !known || h.BooksFrom == string(camt.Notification) {
			continue
		}

		s.currency = h.Currency

		b, err := balanceOf(ctx, tx, s)
		if err != nil {
			return fmt.Errorf("balance of statement %s: %w", s.ID, err)
		}

		if b.nothingNew() {
			noteRepeated(tx, s.ID)
			continue
		}

		if why := b.problem(); why != "" {
			problems = append(problems, fmt.Sprintf("statement %s of account %s: %s", s.StatementID, s.Account, why))
		}
	}

	if len(problems) > 0 {
		row.State = InboxUnbalanced
		row.ReasonCode = CodeUnbalanced
		row.Reason = oneLine(fmt.Errorf("%s", strings.Join(problems, "; ")))
	}

	return nil
}

// balance compares a statement's balances with what is booked for it.
type balance struct {
	s        statementRow
	movement *big.Int // its closing balance minus what earlier statements account for
	counted  *big.Int // the sum booked for it
	advised  []known  // booked in its days by notifications alone
	doubtful int64    // number of its bookings that are in doubt
}

func balanceOf(ctx context.Context, q db.Querier, s statementRow) (balance, error) {
	b := balance{s: s, movement: new(big.Int).Sub(number(s.Closing), number(s.Base)), counted: new(big.Int)}

	sums, err := countedOf(ctx, q, s.ID)
	if err != nil {
		return b, err
	}

	for _, units := range sums {
		b.counted.Add(b.counted, number(units))
	}

	if b.doubtful, err = doubtsIn(ctx, q, s.ID); err != nil {
		return b, err
	}

	var w db.Where
	w.And(
		"statement = '' AND status = 'BOOK' AND account = ? AND booked_at >= ? AND booked_at <= ?",
		s.Account,
		dayMicros(s.FirstOn),
		dayMicros(s.ClosingOn),
	)
	b.advised, err = knownWhere(ctx, q, w)

	return b, err
}

// number parses stored units; invalid text is 0.
func number(units string) *big.Int {
	n, ok := new(big.Int).SetString(units, 10)
	if !ok {
		return new(big.Int)
	}

	return n
}

// nothingNew reports whether a statement that seemed to continue the stored ones only repeats them: it is the beginning
// of a day for which a more complete one is stored.
func (b balance) nothingNew() bool {
	return b.s.Place == placeOver && b.counted.Sign() == 0 && b.doubtful == 0
}

// problem returns what does not match; "" if everything does.
func (b balance) problem() string {
	shown := func(n *big.Int) string { return b.s.shown(n.String()) }
	switch {
	case b.counted.Cmp(b.movement) != 0:
		return fmt.Sprintf("its balances change by %s, but %s is booked for it", shown(b.movement), shown(b.counted))

	case len(b.advised) > 0 && b.s.Place != placeAgain:
		return fmt.Sprintf(
			"%d bookings of its days, such as %s, were advised but are not in it",
			len(b.advised),
			b.advised[0].id,
		)
	}

	return ""
}

// doubt is an open doubt: b may duplicate a.
type doubt struct {
	a, b *known
	days coverage // of their account
}

// coverage is the range of days that the stored statements of an account cover; zero if there are none.
type coverage struct{ first, last int64 }

// forgotten is how long before an account's first statement no other statement is expected.
const forgotten = 30 * dayLength

// endDoubts ends the open doubts about the accounts of some statements, as far as there is proof. Ending one may prove
// another.
func (w *dedup) endDoubts(ctx context.Context, statements []statementRow) error {
	open, err := w.openDoubts(ctx, statements)
	if err != nil || len(open) == 0 {
		return err
	}

	var moving []Entry
	for before := 0; before != len(open); {
		before = len(open)

		proven, err := w.proven(ctx, open)
		if err != nil {
			return err
		}

		var left []doubt
		for _, d := range open {
			var some []Entry
			switch {
			case d.separate():
				some, err = w.confirm(ctx, d.b)
			case d.duplicate() || proven[d.b.statement]:
				some, err = w.mergeDuplicate(ctx, d.a, d.b)
			default:
				left = append(left, d)
			}

			if err != nil {
				return err
			}

			moving = append(moving, some...)
		}

		open = left
	}

	return w.settle(ctx, moving)
}

func (w *dedup) openDoubts(ctx context.Context, statements []statementRow) ([]doubt, error) {
	accounts := map[string]bool{}
	for _, s := range statements {
		accounts[s.Account] = true
	}

	rows, err := doubtRows(ctx, w.tx, mostDoubts)
	if err != nil || len(rows) == 0 {
		return nil, err
	}

	var ids []string
	for _, p := range rows {
		ids = append(ids, p.a, p.b)
	}

	all, err := knownByID(ctx, w.tx, ids)
	if err != nil {
		return nil, err
	}

	covered := map[string]coverage{}
	for account := range accounts {
		if covered[account], err = coverageOf(ctx, w.tx, account); err != nil {
			return nil, err
		}
	}

	var out []doubt
	for _, p := range rows {
		if a, b := all[p.a], all[p.b]; a != nil && b != nil && accounts[b.account] {
			out = append(out, doubt{a, b, covered[b.account]})
		}
	}

	return out, nil
}

// over reports whether statements cover a day completely, so that none can list a booking of it any more.
func (c coverage) over(day int64) bool {
	return day < c.last && (day >= c.first || day < c.first-forgotten)
}

// separate reports whether the doubtful booking is a separate one: a statement, or a notification, lists both.
func (d doubt) separate() bool {
	if d.b.statement != "" {
		return d.a.statement != "" || d.b.advised
	}

	return d.b.named && d.a.kind == string(camt.Statement) && d.a.advised
}

// duplicate reports whether the booking is a duplicate: it was only advised, a statement lists the other one, and no
// statement can list this one any more. If both have the same key it is a duplicate at once: should a statement list it
// after all, nothing was confused.
func (d doubt) duplicate() bool {
	return d.b.statement == "" && d.a.statement != "" && (keyOf(d.a.id) == keyOf(d.b.id) || d.days.over(d.b.bookedAt))
}

// proven returns the statements whose balances prove that every doubtful booking in them was advised in other words:
// with these duplicates merged the balances match, and no other booking of their days was advised but is missing.
func (w *dedup) proven(ctx context.Context, open []doubt) (map[string]bool, error) {
	out := map[string]bool{}
	for i, d := range open {
		s := d.b.statement
		if s == "" || d.separate() || slices.ContainsFunc(open[:i], func(x doubt) bool { return x.b.statement == s }) {
			continue
		}

		row, err := statementByID(ctx, w.tx, s)
		if err != nil {
			return nil, fmt.Errorf("statement %s: %w", s, err)
		}

		if row.Place == "" {
			continue
		}

		b, err := balanceOf(ctx, w.tx, row)
		if err != nil {
			return nil, fmt.Errorf("balance of statement %s: %w", s, err)
		}

		out[s] = b.explainedBy(open)
	}

	return out, nil
}

// explainedBy reports whether a statement matches if the doubts about its bookings end as duplicates.
func (b balance) explainedBy(open []doubt) bool {
	explained := map[string]bool{}

	counted := new(big.Int).Set(b.counted)
	for _, d := range open {
		if d.b.statement != b.s.ID {
			continue
		}

		apart := d.a.bookedAt - d.b.bookedAt
		if d.separate() || apart > daysApart*dayLength || apart < -daysApart*dayLength ||
			apart != 0 && !d.days.over(d.a.bookedAt) {
			return false
		}

		explained[d.a.id] = true

		n := number(d.a.units)
		if !d.a.credit {
			n.Neg(n)
		}

		counted.Add(counted, n)
	}

	left := slices.ContainsFunc(b.advised, func(k known) bool { return !explained[k.id] })

	return counted.Cmp(b.movement) == 0 && !left
}

// reconsider compares unbalanced statements again with what is booked now.
func (r *Rail) reconsider(ctx context.Context) error {
	rows, err := inboxWhere(ctx, r.db, "WHERE state = 'UNBALANCED' ORDER BY id LIMIT 50")
	if err != nil {
		return err
	}

	for _, row := range rows {
		err := r.inboxWrite(ctx, &row, func(tx *db.Tx, row *inboxRow) error {
			row.ReasonCode = ""
			row.Reason = ""
			return r.conclude(ctx, tx, row)
		})
		if err != nil {
			return fmt.Errorf("unbalanced file %s: %w", row.ID, err)
		}
	}

	return nil
}
