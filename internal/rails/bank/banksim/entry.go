//go:build !nosandbox

package banksim

import (
	"context"
	"database/sql"
	"fmt"
	"math/big"

	"github.com/go-json-experiment/json"
)

// Statuses of an entry, as in messages; gone is a pending one that was never booked.
const (
	statusPending = "PDNG"
	statusBooked  = "BOOK"
	statusGone    = "GONE"
)

// entry is one entry of an account.
type entry struct {
	id       int64
	account  Account
	units    *big.Int // without sign
	credit   bool
	reversal bool
	status   string
	at       int64
	journal  int64
	code     string
	details  []detail
}

// ref returns the bank's own reference, the same in every message.
func (e entry) ref() string { return fmt.Sprintf("BANK%012d", e.id) }

// detail is one transaction within an entry. Amounts are minor units of the account's currency.
type detail struct {
	// our instruction; 0 if the money comes from outside
	Instruction                                int64 `json:",omitempty"`
	MsgID, PmtInfID, InstrID, EndToEndID, UETR string
	Units                                      string
	Instructed                                 string // the ordered amount, if it differs or was returned
	Charges                                    string // what another bank deducted
	Debtor, DebtorAccount                      string
	Creditor, CreditorAccount                  string
	Texts                                      []string
	Reference                                  string // structured
	ReturnReason                               string
}

// detail returns the detail of an instruction for a statement.
func (p payment) detail(id int64, units *big.Int) detail {
	return detail{
		Instruction:     id,
		MsgID:           p.MsgID,
		PmtInfID:        p.PmtInfID,
		InstrID:         p.InstrID,
		EndToEndID:      p.EndToEndID,
		UETR:            p.UETR,
		Units:           units.String(),
		Creditor:        p.Creditor,
		CreditorAccount: p.CreditorAccount,
		Texts:           p.Texts,
		Reference:       p.Reference,
	}
}

// insertEntry adds an entry with the present time.
func (b *Bank) insertEntry(ctx context.Context, t *sql.Tx, e *entry) error {
	facts, err := json.Marshal(e.details)
	if err != nil {
		return err
	}

	e.at = b.now()

	r, err := t.ExecContext(
		ctx,
		`INSERT INTO entry (account, units, credit, reversal, status, at, journal, code, facts, advised, statement) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '', 0)`,
		e.account.ID,
		e.units.String(),
		e.credit,
		e.reversal,
		e.status,
		e.at,
		e.journal,
		e.code,
		string(facts),
	)
	if err != nil {
		return err
	}

	e.id, err = r.LastInsertId()

	return err
}

// entries reads entries that satisfy a condition.
func (b *Bank) entries(ctx context.Context, q querier, where string, args ...any) ([]entry, error) {
	var out []entry
	err := each(
		ctx,
		q,
		`SELECT id, account, units, credit, reversal, status, at, journal, code, facts FROM entry WHERE `+where+` ORDER BY id`,
		args,
		func(r *sql.Rows) error {
			var (
				e                     entry
				account, units, facts string
			)
			if err := r.Scan(
				&e.id,
				&account,
				&units,
				&e.credit,
				&e.reversal,
				&e.status,
				&e.at,
				&e.journal,
				&e.code,
				&facts,
			); err != nil {
				return err
			}

			e.account, _ = b.account(account)

			var err error
			if e.units, err = unitsOf(units); err != nil {
				return err
			}

			if err := json.Unmarshal([]byte(facts), &e.details); err != nil {
				return err
			}

			out = append(out, e)

			return nil
		},
	)

	return out, err
}

// advise writes one camt.054 per account with every entry whose status was not reported yet.
func (b *Bank) advise(ctx context.Context, t *sql.Tx) error {
	list, err := b.entries(ctx, t, `advised <> status AND status <> ?`, statusGone)
	if err != nil || len(list) == 0 {
		return err
	}

	for _, a := range b.config.Accounts {
		var of []entry
		for _, e := range list {
			if e.account.ID == a.ID {
				of = append(of, e)
			}
		}

		if len(of) == 0 {
			continue
		}

		if err := b.advice(ctx, t, a, of); err != nil {
			return err
		}
	}

	_, err = t.ExecContext(ctx, `UPDATE entry SET advised = status WHERE advised <> status`)

	return err
}

// endDays writes the statements of past days.
func (b *Bank) endDays(ctx context.Context) error {
	today := b.config.Clock.Now().Truncate(day).UnixMicro()

	var open int

	err := b.db.QueryRowContext(
		ctx,
		`SELECT COUNT(*) FROM entry WHERE statement = 0 AND status = ? AND at < ?`,
		statusBooked,
		today,
	).Scan(&open)
	if err != nil || open == 0 {
		return err
	}

	return b.write(ctx, func(t *sql.Tx) error { return b.statements(ctx, t, today) })
}

// statements closes the books of each account up to a time: one statement for each day with bookings.
func (b *Bank) statements(ctx context.Context, t *sql.Tx, before int64) error {
	for _, a := range b.config.Accounts {
		list, err := b.entries(
			ctx,
			t,
			`account = ? AND statement = 0 AND status = ? AND at < ?`,
			a.ID,
			statusBooked,
			before,
		)
		if err != nil {
			return err
		}

		for len(list) > 0 {
			n := 1
			for n < len(list) && dayOf(list[n].at) == dayOf(list[0].at) {
				n++
			}

			if err := b.closeDay(ctx, t, a, list[:n]); err != nil {
				return err
			}

			list = list[n:]
		}
	}

	return nil
}

// closeDay numbers a statement, sets its balances, and writes it.
func (b *Bank) closeDay(ctx context.Context, t *sql.Tx, a Account, list []entry) error {
	var (
		number int64
		text   string
	)
	if err := t.QueryRowContext(ctx, `SELECT statement, closing FROM account WHERE id = ?`, a.ID).Scan(
		&number,
		&text,
	); err != nil {
		return err
	}

	opening, err := unitsOf(text)
	if err != nil {
		return err
	}

	number++

	closing := new(big.Int).Set(opening)
	for _, e := range list {
		if e.credit {
			closing.Add(closing, e.units)
		} else {
			closing.Sub(closing, e.units)
		}

		if _, err := t.ExecContext(ctx, `UPDATE entry SET statement = ? WHERE id = ?`, number, e.id); err != nil {
			return err
		}
	}

	if _, err := t.ExecContext(
		ctx,
		`UPDATE account SET statement = ?, closing = ? WHERE id = ?`,
		number,
		closing.String(),
		a.ID,
	); err != nil {
		return err
	}

	broken, err := b.wish(ctx, t, wishBreakBalance)
	if err != nil {
		return err
	}

	if broken != "" {
		opening = new(big.Int).Add(opening, big.NewInt(1))
	}

	return b.statement(ctx, t, a, number, opening, closing, list)
}
