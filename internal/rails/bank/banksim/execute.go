//go:build !nosandbox

package banksim

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/go-json-experiment/json"
)

// States of an instruction. Due is when something happens to it next.
const (
	stateWaiting  = "WAITING"  // until its day, or the end of its ending's delay
	stateHeld     = "HELD"     // for compliance, or a payee's name: a control releases or refuses it
	stateExecuted = "EXECUTED" // debited once
	stateRejected = "REJECTED" // never debited
	stateReturned = "RETURNED" // debited, and money was returned
)

// ending is the fate of a payment. The last three digits of the creditor's account, or a control, select it.
type ending string

// The endings.
const (
	endPaid            ending = ""
	endClosed          ending = "002"
	endUnknown         ending = "003"
	endReturned        ending = "004" // paid, and returned after completion
	endPending         ending = "005" // pending for a day, then paid
	endCompliance      ending = "006"
	endUncertainPaid   ending = "007" // no answer for an hour, then paid
	endUncertainUnpaid ending = "008" // no answer for an hour, then refused
	endPartialReturn   ending = "009" // paid, and returned minus fees
	endChanged         ending = "010" // in ACH: paid, and the bank says that the account has another number now

	endReject          ending = "reject"           // refused at once with the code after the colon
	endLateReject      ending = "late reject"      // accepted, and refused afterwards
	endDuplicateReject ending = "duplicate reject" // refused as a duplicate, but paid
	endPayee           ending = "payee"            // held with the code after the colon: the account has another name
)

// returnFee is what the other bank deducts from a partial return: 15.00, or half of less than 30.00.
const returnFee = "15.00"

// endingOf returns a payment's ending.
func (b *Bank) endingOf(ctx context.Context, t *sql.Tx, account string) (ending, error) {
	for _, w := range []struct {
		wish string
		end  ending
	}{
		{wishReject, endReject},
		{wishLateReject, endLateReject},
		{wishDuplicateReject, endDuplicateReject},
		{wishPayee, endPayee},
	} {
		code, err := b.wish(ctx, t, w.wish)
		if err != nil || code != "" {
			if w.end == endReject || w.end == endPayee {
				return w.end + ":" + ending(code), err
			}

			return w.end, err
		}
	}

	if len(account) < 3 {
		return endPaid, nil
	}

	switch e := ending(account[len(account)-3:]); e {
	case endClosed,
		endUnknown,
		endReturned,
		endPending,
		endCompliance,
		endUncertainPaid,
		endUncertainUnpaid,
		endPartialReturn,
		endChanged:
		return e, nil
	default: // every other number is paid
		return endPaid, nil
	}
}

// refusal returns the reason of an ending that is refused at once. Codes: ISO 20022 external status reasons.
func (e ending) refusal() *refusal {
	switch {
	case e == endClosed:
		return refuse("AC04", "the creditor's account is closed")
	case e == endUnknown:
		return refuse("AC01", "there is no such account")
	case len(e) > len(endReject)+1 && e[:len(endReject)+1] == endReject+":":
		return refuse(string(e[len(endReject)+1:]), "refused by the sandbox")
	}

	return nil
}

// payeeCodes are what the bank can find of a name that is not the account's.
const payeeCodes = " RVNM RVMC RVNA "

// payee returns what the bank has found of the payee's name, or "" if it holds the payment for something else or not.
func (e ending) payee() string {
	if code, ok := strings.CutPrefix(string(e), string(endPayee)+":"); ok {
		return code
	}

	return ""
}

// instruction is one payment order.
type instruction struct {
	id       int64
	file     int64
	account  Account
	units    *big.Int
	payment  payment
	ending   ending
	state    string
	reason   string
	due      int64
	returned string
}

// firstWord returns what the first status report states about a payment, and whether it states anything.
func (b *Bank) firstWord(i instruction, no *refusal) (paymentStatus, bool) {
	s := paymentStatus{payment: i.payment, status: "ACCP"}
	switch {
	case no != nil:
		s.status = "RJCT"
		s.refused = no
	case i.ending == endUncertainPaid || i.ending == endUncertainUnpaid:
		return s, false
	case i.ending == endDuplicateReject:
		s.status = "RJCT"
		s.refused = refuse("AM05", "EndToEndId %s was received before", i.payment.EndToEndID)
	case i.ending == endCompliance:
		s.status = "PDNG"
		s.refused = refuse("RR04", "held for a compliance review")
	case i.ending.payee() != "":
		s.status = i.ending.payee()
		if s.status == "RVMC" {
			s.refused = &refusal{text: closeTo(i.payment.Creditor)}
		}
	case i.ending == endPending:
		s.status = "PDNG"
	case i.ending == endLateReject:
		s.status = "ACSP"
	}

	return s, true
}

// closeTo returns a name that is close to another one: its first word stands last.
func closeTo(name string) string {
	first, rest, ok := strings.Cut(name, " ")
	if !ok {
		return name + " Company"
	}

	return rest + " " + first
}

// executeAll executes payments: those of a block with batch booking in one entry, all others in one entry each.
func (b *Bank) executeAll(ctx context.Context, t *sql.Tx, list []instruction) error {
	for len(list) > 0 {
		first := list[0]
		n := 1

		for first.payment.Batch && n < len(list) && list[n].file == first.file &&
			list[n].payment.PmtInfID == first.payment.PmtInfID {
			n++
		}

		if err := b.execute(ctx, t, list[:n]); err != nil {
			return err
		}

		list = list[n:]
	}

	return nil
}

// execute debits our account for instructions of one account, in one entry.
func (b *Bank) execute(ctx context.Context, t *sql.Tx, list []instruction) error {
	account := list[0].account

	sum := new(big.Int)
	for _, i := range list {
		sum.Add(sum, i.units)
	}

	journal, err := b.post(ctx, t, "payment", account.ID, account.Currency, new(big.Int).Neg(sum))
	if err != nil {
		return err
	}

	e, err := b.debitEntry(ctx, t, list, sum, journal)
	if err != nil {
		return err
	}

	for _, i := range list {
		due := int64(0)
		if i.comesBack() {
			due = b.config.Clock.Now().Add(b.config.ReturnAfter).UnixMicro()
		}

		if _, err := t.ExecContext(
			ctx,
			`UPDATE instruction SET state = ?, executed = executed + 1, due = ? WHERE id = ?`,
			stateExecuted,
			due,
			i.id,
		); err != nil {
			return err
		}

		if i.ending == endChanged && i.payment.ACH != nil {
			if err := b.nachaChange(ctx, t, i); err != nil {
				return err
			}
		}

		if _, err := t.ExecContext(
			ctx,
			`INSERT INTO debit (instruction, entry, units) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
			i.id,
			e,
			i.units.String(),
		); err != nil {
			return err
		}
	}

	return nil
}

// debitEntry books the entry of a debit: the announced one, or a new one.
func (b *Bank) debitEntry(
	ctx context.Context,
	t *sql.Tx,
	list []instruction,
	sum *big.Int,
	journal int64,
) (int64, error) {
	announced, err := b.announced(ctx, t, list[0].id)
	if err != nil {
		return 0, err
	}

	if announced != 0 {
		_, err := t.ExecContext(
			ctx,
			`UPDATE entry SET status = ?, at = ?, journal = ? WHERE id = ?`,
			statusBooked,
			b.now(),
			journal,
			announced,
		)

		return announced, err
	}

	e := debitOf(list, sum)
	e.status = statusBooked
	e.journal = journal
	err = b.insertEntry(ctx, t, &e)

	return e.id, err
}

// comesBack reports whether an executed payment is returned after a while.
func (i instruction) comesBack() bool {
	ach := i.payment.ACH != nil && (i.ending == endClosed || i.ending == endUnknown)
	return ach || i.ending == endReturned || i.ending == endPartialReturn
}

func debitOf(list []instruction, sum *big.Int) entry {
	if a := list[0].payment.ACH; a != nil && len(list) > 1 { // one sum, and what the customer calls it
		return entry{
			account: list[0].account,
			units:   sum,
			code:    "PMNT/ICDT/DMCT",
			details: []detail{{
				Instruction: list[0].id,
				Units:       sum.String(),
				Texts:       []string{"ACH SETTLEMENT " + a.CompanyID + " " + list[0].payment.PmtInfID},
			}},
		}
	}

	details := make([]detail, len(list))
	for n, i := range list {
		details[n] = i.payment.detail(i.id, i.units)
	}

	return entry{
		account: list[0].account,
		units:   sum,
		code:    "PMNT/ICDT/" + serviceCode(list[0].payment.Service),
		details: details,
	}
}

// announce adds a pending entry for a later debit.
func (b *Bank) announce(ctx context.Context, t *sql.Tx, i instruction) error {
	e := debitOf([]instruction{i}, i.units)

	e.status = statusPending
	if err := b.insertEntry(ctx, t, &e); err != nil {
		return err
	}

	_, err := t.ExecContext(
		ctx,
		`INSERT INTO debit (instruction, entry, units) VALUES (?, ?, ?)`,
		i.id,
		e.id,
		i.units.String(),
	)

	return err
}

// announced returns the pending entry of an instruction; 0 if there is none.
func (b *Bank) announced(ctx context.Context, t *sql.Tx, instruction int64) (int64, error) {
	var id int64

	err := t.QueryRowContext(
		ctx,
		`SELECT e.id FROM debit d JOIN entry e ON e.id = d.entry WHERE d.instruction = ? AND e.status = ?`,
		instruction,
		statusPending,
	).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}

	return id, err
}

// serviceCode returns the sub-family of a credit transfer's entry.
func serviceCode(service string) string {
	switch service {
	case "SEPA":
		return "ESCT"
	case "URGP":
		return "XBCT"
	}

	return "DMCT"
}

// executeDue executes what is due: payments whose delay is over, and late returns.
func (b *Bank) executeDue(ctx context.Context) error {
	var due []instruction

	err := b.instructions(
		ctx,
		b.db,
		`due > 0 AND due <= ? ORDER BY due, id`,
		[]any{b.now()},
		func(i instruction) error {
			due = append(due, i)
			return nil
		},
	)
	if err != nil {
		return err
	}

	for _, i := range due {
		if err := b.write(ctx, func(t *sql.Tx) error { return b.mature(ctx, t, i) }); err != nil {
			return fmt.Errorf("payment %s: %w", i.payment.EndToEndID, err)
		}
	}

	return nil
}

// mature executes what an instruction has waited for.
func (b *Bank) mature(ctx context.Context, t *sql.Tx, i instruction) error {
	switch {
	case i.state == stateExecuted && i.payment.ACH != nil: // an entry comes back whole
		return b.giveBack(ctx, t, i, i.units, new(big.Int), i.achReason())
	case i.state == stateExecuted && i.ending == endPartialReturn:
		return b.giveBack(ctx, t, i, i.units, feeOf(i), "AC06")
	case i.state == stateExecuted:
		return b.giveBack(ctx, t, i, i.units, new(big.Int), "AC04")
	case i.ending == endUncertainUnpaid:
		return b.rejectNow(ctx, t, i, refuse("AB05", "the creditor's bank did not answer in time"))
	case i.ending == endLateReject:
		return b.rejectNow(ctx, t, i, refuse("AC06", "the creditor's account is blocked"))
	}

	return b.executeNow(ctx, t, i)
}

// inACH returns what an ending is in ACH, where a batch is booked in one sum: an entry is refused at once, or it is
// paid and may come back.
func (e ending) inACH() ending {
	if e == endClosed || e == endUnknown || e == endReturned || e == endPartialReturn || e == endChanged ||
		e.refusal() != nil {
		return e
	}

	return endPaid
}

// achReason returns why an entry comes back.
func (i instruction) achReason() string {
	if i.ending == endUnknown {
		return "R03"
	}

	if i.ending == endPartialReturn {
		return "R23"
	}

	return "R02"
}

// executeNow executes a payment that has waited, or refuses it if the money is no longer there.
func (b *Bank) executeNow(ctx context.Context, t *sql.Tx, i instruction) error {
	balance, err := balanceOf(ctx, t, i.account.ID)
	if err != nil {
		return err
	}

	if balance.Cmp(i.units) < 0 {
		return b.rejectNow(ctx, t, i, refuse("AM04", "the balance is %s", formatAmount(i.account.Currency, balance)))
	}

	if err := b.execute(ctx, t, []instruction{i}); err != nil {
		return err
	}

	return b.advise(ctx, t)
}

// rejectNow refuses a payment that was never debited, and reports it separately.
func (b *Bank) rejectNow(ctx context.Context, t *sql.Tx, i instruction, no *refusal) error {
	if _, err := t.ExecContext(
		ctx,
		`UPDATE instruction SET state = ?, reason = ?, due = 0 WHERE id = ?`,
		stateRejected,
		no.code,
		i.id,
	); err != nil {
		return err
	}

	announced, err := b.announced(ctx, t, i.id)
	if err != nil {
		return err
	}

	if announced != 0 {
		if _, err := t.ExecContext(
			ctx,
			`UPDATE entry SET status = ?, advised = ? WHERE id = ?`,
			statusGone,
			statusGone,
			announced,
		); err != nil {
			return err
		}
	}

	return b.statusReport(ctx, t, answered{
		message: i.payment.MsgID,
		single:  true,
		nacha:   i.payment.ACH != nil,
		blocks: []blockStatus{{
			id:       i.payment.PmtInfID,
			payments: []paymentStatus{{payment: i.payment, status: "RJCT", refused: no}},
		}},
	})
}

func feeOf(i instruction) *big.Int {
	fee, err := parseAmount(i.account.Currency, returnFee)

	half := new(big.Int).Rsh(i.units, 1)
	if err != nil || fee.Cmp(half) > 0 {
		return half
	}

	return fee
}

// giveBack credits a return of a payment: the amount minus the other bank's fee, with its reason.
func (b *Bank) giveBack(ctx context.Context, t *sql.Tx, i instruction, amount, fee *big.Int, reason string) error {
	credit := new(big.Int).Sub(amount, fee)

	journal, err := b.post(ctx, t, "return", i.account.ID, i.account.Currency, credit)
	if err != nil {
		return err
	}

	d := i.payment.detail(i.id, credit)
	d.ReturnReason = reason

	if i.payment.ACH != nil { // the reason is in the return alone
		d.ReturnReason = ""

		if err := b.nachaReturn(ctx, t, i, reason); err != nil {
			return err
		}
	}

	d.Instructed = i.units.String()
	if fee.Sign() > 0 {
		d.Charges = fee.String()
	}

	e := entry{
		account: i.account,
		units:   credit,
		credit:  true,
		status:  statusBooked,
		journal: journal,
		code:    "PMNT/ICDT/RRTN",
		details: []detail{d},
	}
	if err := b.insertEntry(ctx, t, &e); err != nil {
		return err
	}

	total, err := unitsOf(orZero(i.returned))
	if err != nil {
		return err
	}

	total.Add(total, credit)

	if _, err := t.ExecContext(
		ctx,
		`UPDATE instruction SET state = ?, returned = ?, reason = ?, due = 0 WHERE id = ?`,
		stateReturned,
		total.String(),
		reason,
		i.id,
	); err != nil {
		return err
	}

	if on, err := setting(ctx, t, wishPacs); err != nil {
		return err
	} else if on != "" && i.payment.ACH == nil {
		if err := b.returnMessage(ctx, t, i, e, fee, reason); err != nil {
			return err
		}
	}

	return b.advise(ctx, t)
}

func orZero(s string) string {
	if s == "" {
		return "0"
	}

	return s
}

// instructions reads rows that satisfy a condition.
func (b *Bank) instructions(
	ctx context.Context,
	q querier,
	where string,
	args []any,
	row func(i instruction) error,
) error {
	return each(
		ctx,
		q,
		`SELECT id, file, account, units, facts, ending, state, reason, due, returned FROM instruction WHERE `+where,
		args,
		func(r *sql.Rows) error {
			var (
				i                     instruction
				account, units, facts string
			)
			if err := r.Scan(
				&i.id,
				&i.file,
				&account,
				&units,
				&facts,
				&i.ending,
				&i.state,
				&i.reason,
				&i.due,
				&i.returned,
			); err != nil {
				return err
			}

			i.account, _ = b.account(account) // a refused payment may name an account that is not ours

			var err error
			if i.units, err = unitsOf(units); err != nil {
				return err
			}

			if err := json.Unmarshal([]byte(facts), &i.payment); err != nil {
				return err
			}

			return row(i)
		},
	)
}
