//go:build !nosandbox

package banksim

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// Names under which the books store what controls have requested. Those with a number of times hold "times value".
const (
	wishOffline         = "offline"
	wishSilence         = "silence"
	wishDuplicates      = "accept duplicates"
	wishVersion         = "version"
	wishNoRefs          = "no references"
	wishPacs            = "pacs.004"
	wishBreakBalance    = "break balance"
	wishRejectFile      = "reject file"
	wishReject          = "reject"
	wishLateReject      = "late reject"
	wishDuplicateReject = "duplicate reject"
	wishPayee           = "payee"
	wishLose            = "lose " // followed by the kind of answer
)

// Control makes the bank misbehave, to test what happens.
type Control struct {
	Op         string // one of Operations
	EndToEndID string // of a payment, for late_return, release, refuse, book_duplicate
	Entry      string // the bank's reference of an entry, for reverse, book, drop
	Reason     string // ISO code: reject…, payee_differs, late_return, refuse
	Count      int    // how many times; 0 means once
	Kind       string // of answer (lose_answer, duplicate_file), of camt version (format), of hostile file
	Amount     string // for late_return: the returned amount, a decimal; "" is everything
}

// Operation is a value of Control.Op with its description.
type Operation struct{ Op, Does string }

// Operations lists every control.
func Operations() []Operation {
	return []Operation{
		{"look", "changes nothing"},
		{"reject", "refuse the next payments (count, reason)"},
		{"reject_file", "refuse the complete next payment file (count, reason)"},
		{"late_reject", "accept the next payments and refuse them afterwards (count)"},
		{"duplicate_reject", "refuse the next payments as duplicates but pay them a day later (count)"},
		{
			"late_return",
			"return an executed payment, or a part of it (endToEndId, reason, amount)",
		},
		{
			"payee_differs",
			"do not find the payees of the next payments at their accounts, and hold the payments until release or refuse " +
				"(count, reason: RVNM no match, RVMC close match, RVNA no answer)",
		},
		{"release", "execute a payment that the bank holds (endToEndId)"},
		{"refuse", "refuse a payment that the bank holds (endToEndId, reason)"},
		{"reverse", "take a deposit back (entry)"},
		{"book", "book a deposit that was only announced (entry)"},
		{"drop", "remove a deposit that was only announced (entry)"},
		{"silence", "write no answers, but continue to work"},
		{"speak", "write answers again, including the withheld ones"},
		{"offline", "do not read the inbox"},
		{"online", "read the inbox again"},
		{"lose_answer", "lose the next answers for good (count, kind: pain.002, camt.054, camt.053, pacs.004)"},
		{"duplicate_file", "write the newest answer again under another name (kind)"},
		{"unknown_status", "report on a payment file that was never sent"},
		{"statement", "end the day now: statements of everything booked"},
		{"break_balance", "open the next statements with a wrong balance (count)"},
		{
			"hostile",
			"write a harmful file (kind: dtd, entities, depth, truncated, namespace, trailing, utf16, binary)",
		},
		{"accept_duplicates", "execute copies of payments and files, as a careless bank would"},
		{"refuse_duplicates", "refuse copies again"},
		{"format", "write camt messages in another version (kind: 02, 08)"},
		{"references_off", "omit the bank's references from statements"},
		{"references_on", "write them again"},
		{"pacs_on", "write a pacs.004 with every return"},
		{"pacs_off", "write none"},
	}
}

// switches are the controls that turn something on or off.
func switches(op string) (name, value string, is bool) {
	switch op {
	case "silence":
		return wishSilence, "on", true
	case "speak":
		return wishSilence, "", true
	case "offline":
		return wishOffline, "on", true
	case "online":
		return wishOffline, "", true
	case "accept_duplicates":
		return wishDuplicates, "on", true
	case "refuse_duplicates":
		return wishDuplicates, "", true
	case "references_off":
		return wishNoRefs, "on", true
	case "references_on":
		return wishNoRefs, "", true
	case "pacs_on":
		return wishPacs, "on", true
	case "pacs_off":
		return wishPacs, "", true
	}

	return "", "", false
}

// isoCode is the form of an external reason code.
var isoCode = regexp.MustCompile(`^[A-Z0-9]{4}$`)

// maxTimes limits Control.Count.
const maxTimes = 1000

// Control executes a control with all its consequences, and writes the answers. It returns Faults for a control that is
// refused.
func (b *Bank) Control(ctx context.Context, c Control) error {
	b.mu.Lock()
	defer b.mu.Unlock()

	var wrong Faults
	if c.Reason != "" && !isoCode.MatchString(c.Reason) {
		wrong.add("reason", "must be an ISO 20022 reason code of four characters, such as AC04.")
	}

	if c.Count < 0 || c.Count > maxTimes {
		wrong.add("count", "must be between 1 and %d.", maxTimes)
	}

	if err := wrong.err(); err != nil {
		return err
	}

	c.Count = max(1, c.Count)
	if err := b.write(ctx, func(t *sql.Tx) error { return b.control(ctx, t, c) }); err != nil {
		return err
	}

	_, err := b.step(ctx)
	if err == nil && b.config.Wrote != nil {
		b.config.Wrote()
	}

	return err
}

func (b *Bank) control(ctx context.Context, t *sql.Tx, c Control) error {
	if name, value, is := switches(c.Op); is {
		return set(ctx, t, name, value)
	}

	times := func(name, value string) error { return set(ctx, t, name, strconv.Itoa(c.Count)+" "+value) }
	switch c.Op {
	case "look":
		return nil
	case "reject":
		return times(wishReject, orText(c.Reason, "AC06"))
	case "reject_file":
		return times(wishRejectFile, orText(c.Reason, "NARR"))
	case "late_reject":
		return times(wishLateReject, "on")
	case "duplicate_reject":
		return times(wishDuplicateReject, "on")
	case "break_balance":
		return times(wishBreakBalance, "on")

	case "payee_differs":
		code := orText(c.Reason, "RVNM")
		if !strings.Contains(payeeCodes, " "+code+" ") {
			return fault("reason", "must be RVNM, RVMC or RVNA.")
		}

		return times(wishPayee, code)

	case "lose_answer":
		kind := orText(c.Kind, "pain.002")
		if !strings.Contains(" pain.002 camt.054 camt.053 pacs.004 ", " "+kind+" ") {
			return fault("kind", "must be pain.002, camt.054, camt.053 or pacs.004.")
		}

		return times(wishLose+kind, "on")

	case "format":
		if c.Kind != string(V02) && c.Kind != string(V08) {
			return fault("kind", "must be 02 or 08.")
		}

		return set(ctx, t, wishVersion, c.Kind)

	case "statement":
		return b.statements(ctx, t, b.now()+1)
	case "duplicate_file":
		return b.again(ctx, t, c.Kind)

	case "unknown_status":
		return b.statusReport(ctx, t, answered{
			message: "NEVER-SENT",
			refused: refuse("NARR", "refused by the sandbox"),
		})

	case "hostile":
		return b.hostile(ctx, t, c.Kind)
	case "late_return", "release", "refuse":
		return b.onPayment(ctx, t, c)
	case "reverse", "book", "drop":
		return b.onEntry(ctx, t, c)
	}

	return fault("op", "is not an operation of the bank.")
}

func orText(s, other string) string {
	if s == "" {
		return other
	}

	return s
}

// onPayment executes a control of one payment.
func (b *Bank) onPayment(ctx context.Context, t *sql.Tx, c Control) error {
	state := stateHeld

	also := stateHeld
	if c.Op == "late_return" {
		state = stateExecuted
		also = stateReturned
	}

	var found []instruction

	err := b.instructions(
		ctx,
		t,
		`end_to_end = ? AND state IN (?, ?)`,
		[]any{c.EndToEndID, state, also},
		func(i instruction) error {
			found = append(found, i)
			return nil
		},
	)
	if err != nil {
		return err
	}

	if len(found) == 0 {
		return fault("endToEndId", "names no payment that is %s.", strings.ToLower(state))
	}

	i := found[0]
	switch c.Op {
	case "release":
		return b.executeNow(ctx, t, i)
	case "refuse":
		return b.rejectNow(ctx, t, i, refuse(orText(c.Reason, "RR04"), "refused after a review"))
	}

	out, err := unitsOf(orZero(i.returned))
	if err != nil {
		return err
	}

	out.Sub(i.units, out)

	amount := out
	if c.Amount != "" {
		amount, err = parseAmount(i.account.Currency, c.Amount)
	}

	if err != nil || amount.Sign() <= 0 || amount.Cmp(out) > 0 {
		return fault(
			"amount",
			"must be above zero and no more than the %s of the payment that are out.",
			formatAmount(i.account.Currency, out),
		)
	}

	return b.giveBack(ctx, t, i, out, new(big.Int).Sub(out, amount), orText(c.Reason, "AC04"))
}

// onEntry executes a control of one deposit.
func (b *Bank) onEntry(ctx context.Context, t *sql.Tx, c Control) error {
	id, err := strconv.ParseInt(strings.TrimPrefix(c.Entry, "BANK"), 10, 64)
	if err != nil {
		id = 0
	}

	status := statusPending
	if c.Op == "reverse" {
		status = statusBooked
	}

	found, err := b.entries(
		ctx,
		t,
		`id = ? AND credit = 1 AND reversal = 0 AND status = ? AND code = 'PMNT/RCDT/DMCT'`,
		id,
		status,
	)
	if err != nil {
		return err
	}

	if len(found) == 0 {
		return fault("entry", "names no deposit that is %s.", map[string]string{
			statusPending: "pending",
			statusBooked:  "booked",
		}[status])
	}

	e := found[0]
	switch c.Op {
	case "drop":
		_, err := t.ExecContext(
			ctx,
			`UPDATE entry SET status = ?, advised = ? WHERE id = ?`,
			statusGone,
			statusGone,
			e.id,
		)

		return err

	case "book":
		journal, err := b.post(ctx, t, "deposit", e.account.ID, e.account.Currency, e.units)
		if err != nil {
			return err
		}

		if _, err := t.ExecContext(
			ctx,
			`UPDATE entry SET status = ?, at = ?, journal = ? WHERE id = ?`,
			statusBooked,
			b.now(),
			journal,
			e.id,
		); err != nil {
			return err
		}

		return b.advise(ctx, t)
	}

	return b.reverse(ctx, t, e)
}

// reverse takes a deposit back: a debit with the reversal indicator, once per deposit.
func (b *Bank) reverse(ctx context.Context, t *sql.Tx, e entry) error {
	name := "reversed " + e.ref()
	if done, err := setting(ctx, t, name); err != nil || done != "" {
		if err == nil {
			err = fault("entry", "was reversed already.")
		}

		return err
	}

	journal, err := b.post(ctx, t, "reversal", e.account.ID, e.account.Currency, new(big.Int).Neg(e.units))
	if err != nil {
		return err
	}

	back := entry{
		account:  e.account,
		units:    e.units,
		reversal: true,
		status:   statusBooked,
		journal:  journal,
		code:     "PMNT/RCDT/RRTN",
		details:  e.details,
	}
	if err := b.insertEntry(ctx, t, &back); err != nil {
		return err
	}

	if err := set(ctx, t, name, back.ref()); err != nil {
		return err
	}

	return b.advise(ctx, t)
}

// again writes the newest answer of a kind once more under another name.
func (b *Bank) again(ctx context.Context, t *sql.Tx, kind string) error {
	var (
		name string
		body []byte
	)

	err := t.QueryRowContext(
		ctx,
		`SELECT name, body FROM answer WHERE (kind = ? OR ? = '') AND lost = 0 ORDER BY id DESC LIMIT 1`,
		kind,
		kind,
	).Scan(&name, &body)
	if errors.Is(err, sql.ErrNoRows) {
		return fault("kind", "names no answer that was written.")
	}

	if err != nil {
		return err
	}

	var number int64
	if err := t.QueryRowContext(ctx, `SELECT MAX(id) + 1 FROM answer`).Scan(&number); err != nil {
		return err
	}

	_, err = t.ExecContext(ctx, `INSERT INTO answer (id, name, kind, body, written, lost) VALUES (?, ?, ?, ?, 0, 0)`,
		number, fmt.Sprintf("%08d_copy_of_%s", number, name), orText(kind, "copy"), body)

	return err
}
