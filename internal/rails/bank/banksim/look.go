//go:build !nosandbox

package banksim

import (
	"context"
	"database/sql"
	"fmt"
	"math/big"
	"strings"
	"time"
)

// Balance returns the balance of our account at this bank, in minor units.
func (b *Bank) Balance(ctx context.Context, account string) (*big.Int, error) {
	return balanceOf(ctx, b.db, account)
}

// BalanceText returns Balance as a decimal, with a sign if it is negative.
func (b *Bank) BalanceText(ctx context.Context, account string) (string, error) {
	a, _ := b.account(account)

	units, err := b.Balance(ctx, account)
	if err != nil {
		return "", err
	}

	if units.Sign() < 0 {
		return "-" + formatAmount(a.Currency, units), nil
	}

	return formatAmount(a.Currency, units), nil
}

// Payment is an instruction as in the bank's books.
type Payment struct {
	EndToEndID, MsgID, PmtInfID, UETR string
	Account, Currency, Amount         string
	Creditor, CreditorAccount         string
	State                             string // WAITING, HELD, EXECUTED, REJECTED, RETURNED
	Reason                            string
	Executed                          int    // number of executions
	Returned                          string // decimal; "" is zero
}

// Payments lists every instruction that was received, in order of arrival, including copies.
func (b *Bank) Payments(ctx context.Context) ([]Payment, error) {
	executed := map[int64]int{}

	err := each(ctx, b.db, `SELECT id, executed FROM instruction`, nil, func(r *sql.Rows) error {
		var (
			id int64
			n  int
		)
		err := r.Scan(&id, &n)
		executed[id] = n

		return err
	})
	if err != nil {
		return nil, err
	}

	var out []Payment
	err = b.instructions(ctx, b.db, `1 = 1 ORDER BY id`, nil, func(i instruction) error {
		p := Payment{
			EndToEndID:      i.payment.EndToEndID,
			MsgID:           i.payment.MsgID,
			PmtInfID:        i.payment.PmtInfID,
			UETR:            i.payment.UETR,
			Account:         i.account.ID,
			Currency:        i.payment.Currency,
			Amount:          formatAmount(i.payment.Currency, i.units),
			Creditor:        i.payment.Creditor,
			CreditorAccount: i.payment.CreditorAccount,
			State:           i.state,
			Reason:          i.reason,
			Executed:        executed[i.id],
		}
		if i.returned != "" {
			p.Returned = formatAmount(i.payment.Currency, mustUnits(i.returned))
		}

		out = append(out, p)

		return nil
	})

	return out, err
}

// Executions counts how often the bank has executed each EndToEndId: the truth for F-03.
func (b *Bank) Executions(ctx context.Context) (map[string]int, error) {
	out := map[string]int{}
	err := each(
		ctx,
		b.db,
		`SELECT end_to_end, SUM(executed) FROM instruction GROUP BY end_to_end`,
		nil,
		func(r *sql.Rows) error {
			var (
				id string
				n  int
			)
			err := r.Scan(&id, &n)
			out[id] = n

			return err
		},
	)

	return out, err
}

// Line is an entry of one of our accounts.
type Line struct {
	Ref, Account, Currency, Amount string
	Credit, Reversal               bool
	Status                         string // PDNG, BOOK, GONE
	At                             time.Time
	Statement                      int64 // number; 0: in none yet
	EndToEndIDs                    []string
	Counterparty, Text             string // of the first detail
	ReturnReason                   string
}

// Lines lists an account's entries; "" is all accounts.
func (b *Bank) Lines(ctx context.Context, account string) ([]Line, error) {
	list, err := b.entries(ctx, b.db, `account = ? OR ? = ''`, account, account)
	if err != nil {
		return nil, err
	}

	numbers := map[int64]int64{}
	err = each(ctx, b.db, `SELECT id, statement FROM entry`, nil, func(r *sql.Rows) error {
		var id, n int64
		err := r.Scan(&id, &n)
		numbers[id] = n

		return err
	})

	out := make([]Line, len(list))
	for n, e := range list {
		d := e.details[0]

		out[n] = Line{
			Ref:          e.ref(),
			Account:      e.account.ID,
			Currency:     e.account.Currency,
			Amount:       formatAmount(e.account.Currency, e.units),
			Credit:       e.credit,
			Reversal:     e.reversal,
			Status:       e.status,
			At:           time.UnixMicro(e.at).UTC(),
			Statement:    numbers[e.id],
			Counterparty: orText(d.Debtor, d.Creditor),
			Text:         orText(strings.Join(d.Texts, " "), d.Reference),
			ReturnReason: d.ReturnReason,
		}
		for _, x := range e.details {
			out[n].EndToEndIDs = append(out[n].EndToEndIDs, x.EndToEndID)
		}
	}

	return out, err
}

// File is a payment file that the bank has received.
type File struct {
	Name, MsgID, Outcome, Reason string
	Received                     time.Time
}

// Files lists every payment file that was received, including copies.
func (b *Bank) Files(ctx context.Context) ([]File, error) {
	var out []File
	err := each(
		ctx,
		b.db,
		`SELECT name, message, outcome, reason, received FROM file ORDER BY id`,
		nil,
		func(r *sql.Rows) error {
			var (
				f  File
				at int64
			)
			err := r.Scan(&f.Name, &f.MsgID, &f.Outcome, &f.Reason, &at)
			f.Received = time.UnixMicro(at).UTC()
			out = append(out, f)

			return err
		},
	)

	return out, err
}

// Answers lists the newest answers by name, newest first. Lost ones are marked.
func (b *Bank) Answers(ctx context.Context, limit int) ([]string, error) {
	var out []string
	err := each(
		ctx,
		b.db,
		`SELECT name, lost FROM answer ORDER BY id DESC LIMIT ?`,
		[]any{limit},
		func(r *sql.Rows) error {
			var (
				name string
				lost bool
			)

			err := r.Scan(&name, &lost)
			if lost {
				name += " (lost)"
			}

			out = append(out, name)

			return err
		},
	)

	return out, err
}

// Check compares the books with their own rules and returns the violations:
//
//  1. Every journal sums to zero.
//  2. The balance of an account is the sum of its postings, and no account of ours is below zero.
//  3. Every booked entry has its journal, with the same amount.
//  4. Every booked debit that is not a reversal belongs to instructions, each with one debit, and their amounts sum up
//     to its amount.
//  5. Every instruction was executed as often as it has booked debits.
func (b *Bank) Check(ctx context.Context) ([]string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()

	var wrong []string
	journals := map[int64]*big.Int{}
	sums := map[string]*big.Int{}
	moved := map[int64]*big.Int{} // what each journal moved on our account

	err := each(ctx, b.db, `SELECT journal, account, units FROM posting`, nil, func(r *sql.Rows) error {
		var (
			journal       int64
			account, text string
		)
		if err := r.Scan(&journal, &account, &text); err != nil {
			return err
		}

		units, err := unitsOf(text)
		if err != nil {
			return err
		}

		addTo(journals, journal, units)
		addTo(sums, account, units)

		if !strings.HasPrefix(account, "world/") {
			addTo(moved, journal, units)
		}

		return nil
	})
	if err != nil {
		return nil, err
	}

	for id, sum := range journals {
		if sum.Sign() != 0 {
			wrong = append(wrong, fmt.Sprintf("journal %d sums to %s", id, sum))
		}
	}

	more, err := b.checkBalances(ctx, sums)
	if err != nil {
		return nil, err
	}

	wrong = append(wrong, more...)
	more, err = b.checkLines(ctx, moved)

	return append(wrong, more...), err
}

func addTo[K comparable](m map[K]*big.Int, key K, units *big.Int) {
	if m[key] == nil {
		m[key] = new(big.Int)
	}

	m[key].Add(m[key], units)
}

func (b *Bank) checkBalances(ctx context.Context, sums map[string]*big.Int) ([]string, error) {
	var wrong []string
	err := each(ctx, b.db, `SELECT id, balance, customer FROM account`, nil, func(r *sql.Rows) error {
		var (
			id, text string
			customer bool
		)
		if err := r.Scan(&id, &text, &customer); err != nil {
			return err
		}

		sum := sums[id]
		if sum == nil {
			sum = new(big.Int)
		}

		if sum.String() != text {
			wrong = append(wrong, fmt.Sprintf("account %s has balance %s, but its postings sum to %s", id, text, sum))
		}

		if customer && sum.Sign() < 0 {
			wrong = append(wrong, fmt.Sprintf("account %s is overdrawn: %s", id, sum))
		}

		return nil
	})

	return wrong, err
}

func (b *Bank) checkLines(ctx context.Context, moved map[int64]*big.Int) ([]string, error) {
	list, err := b.entries(ctx, b.db, `status = ?`, statusBooked)
	if err != nil {
		return nil, err
	}

	debits := map[int64]*big.Int{}
	executions := map[int64]int{}

	err = each(
		ctx,
		b.db,
		`SELECT d.instruction, d.entry, d.units FROM debit d JOIN entry e ON e.id = d.entry WHERE e.status = ?`,
		[]any{statusBooked},
		func(r *sql.Rows) error {
			var (
				instruction, line int64
				text              string
			)
			if err := r.Scan(&instruction, &line, &text); err != nil {
				return err
			}

			executions[instruction]++
			addTo(debits, line, mustUnits(text))

			return nil
		},
	)
	if err != nil {
		return nil, err
	}

	var wrong []string
	for _, e := range list {
		signed := new(big.Int).Set(e.units)
		if !e.credit {
			signed.Neg(signed)
		}

		if m := moved[e.journal]; m == nil || m.Cmp(signed) != 0 {
			wrong = append(wrong, fmt.Sprintf("line %s of %s has a journal of %v", e.ref(), signed, m))
		}

		if of := debits[e.id]; !e.credit && !e.reversal && (of == nil || of.Cmp(e.units) != 0) {
			wrong = append(wrong, fmt.Sprintf("debit %s of %s has instructions for %v", e.ref(), e.units, of))
		}
	}

	err = each(ctx, b.db, `SELECT id, end_to_end, executed FROM instruction`, nil, func(r *sql.Rows) error {
		var (
			id  int64
			end string
			n   int
		)
		if err := r.Scan(&id, &end, &n); err != nil {
			return err
		}

		if n != executions[id] || n > 1 {
			wrong = append(
				wrong,
				fmt.Sprintf("payment %s was executed %d times with %d debits", end, n, executions[id]),
			)
		}

		return nil
	})

	return wrong, err
}
