//go:build !nosandbox

package banksim

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// Outcomes of a payment file.
const (
	fileAccepted  = "ACCEPTED"
	filePartial   = "PARTIAL"
	fileRejected  = "REJECTED"
	fileDuplicate = "DUPLICATE"
)

// takeInbox reads every file in the inbox, oldest name first.
func (b *Bank) takeInbox(ctx context.Context) error {
	if off, err := setting(ctx, b.db, wishOffline); err != nil || off != "" {
		return err
	}

	list, err := os.ReadDir(b.Inbox())
	if err != nil {
		return err
	}

	for _, e := range list {
		name := e.Name()
		if e.IsDir() || strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".tmp") ||
			strings.HasSuffix(name, ".part") {
			continue // not complete yet (F-04)
		}

		if err := b.take(ctx, name); err != nil {
			return fmt.Errorf("payment file %s: %w", name, err)
		}
	}

	return nil
}

// take records one file and all its consequences in one transaction, then moves it away. A kill in between leaves a
// file whose bytes are known: it is only moved.
func (b *Bank) take(ctx context.Context, name string) error {
	path := filepath.Join(b.Inbox(), name)

	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil // it was removed meanwhile
	}

	if err != nil {
		return err
	}

	sum := hashOf(raw)

	var id int64

	err = b.db.QueryRowContext(
		ctx,
		`SELECT id FROM file WHERE sha256 = ? AND name = ? AND taken = 0`,
		sum,
		name,
	).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		err = b.write(ctx, func(t *sql.Tx) error {
			id, err = b.receive(ctx, t, name, sum, raw)
			return err
		})
	}

	if err != nil {
		return err
	}

	if err := os.Rename(path, filepath.Join(b.archive(), fmt.Sprintf("%08d_%s", id, name))); err != nil {
		return err
	}

	return b.write(ctx, func(t *sql.Tx) error {
		_, err := t.ExecContext(ctx, `UPDATE file SET taken = 1 WHERE id = ?`, id)
		return err
	})
}

// hashOf returns the hash of a file.
func hashOf(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// receive decides about a file and each payment in it, executes what it can, and writes the status report.
func (b *Bank) receive(ctx context.Context, t *sql.Tx, name, sum string, raw []byte) (int64, error) {
	o, err := readOrder(raw)

	var no *refusal
	if err != nil && !errors.As(err, &no) {
		return 0, err
	}

	outcome := fileRejected
	if no == nil {
		if no, err = b.wholeFile(ctx, t, o, sum); err != nil {
			return 0, err
		}

		if no != nil && no.code == "DU01" {
			outcome = fileDuplicate
		}
	}

	f := answered{
		message: o.Header.MsgID,
		count:   o.Header.Count,
		sum:     o.Header.Sum,
		refused: no,
		nacha:   isNacha(raw),
	}

	r, err := t.ExecContext(
		ctx,
		`INSERT INTO file (name, sha256, message, received, taken, outcome, reason) VALUES (?, ?, ?, ?, 0, ?, ?)`,
		name,
		sum,
		f.message,
		b.now(),
		outcome,
		codeOf(no),
	)
	if err != nil {
		return 0, err
	}

	id, err := r.LastInsertId()
	if err != nil || no != nil {
		if err == nil {
			err = b.statusReport(ctx, t, f)
		}

		return id, err
	}

	var ready []instruction

	left := map[string]*big.Int{} // of each account, after the previous blocks
	for _, p := range o.Blocks {
		done, now, err := b.takeBlock(ctx, t, id, o, p, left)
		if err != nil {
			return id, err
		}

		f.blocks = append(f.blocks, done)
		ready = append(ready, now...)
	}

	if err := b.executeAll(ctx, t, ready); err != nil {
		return id, err
	}

	if _, err := t.ExecContext(ctx, `UPDATE file SET outcome = ? WHERE id = ?`, f.outcome(), id); err != nil {
		return id, err
	}

	if err := b.statusReport(ctx, t, f); err != nil {
		return id, err
	}

	return id, b.advise(ctx, t)
}

func codeOf(no *refusal) string {
	if no == nil {
		return ""
	}

	return no.code
}

// wholeFile refuses a copy of an earlier file, by its bytes or its MsgId, and what controls refuse.
func (b *Bank) wholeFile(ctx context.Context, t *sql.Tx, o *order, sum string) (*refusal, error) {
	naive, err := setting(ctx, t, wishDuplicates)
	if err != nil {
		return nil, err
	}

	var had int
	if err := t.QueryRowContext(
		ctx,
		`SELECT COUNT(*) FROM file WHERE (sha256 = ? OR message = ?) AND outcome <> ?`,
		sum,
		o.Header.MsgID,
		fileDuplicate,
	).Scan(&had); err != nil {
		return nil, err
	}

	if had > 0 && naive == "" {
		return refuse("DU01", "a message %s was received before", o.Header.MsgID), nil
	}

	code, err := b.wish(ctx, t, wishRejectFile)
	if err != nil || code == "" {
		return nil, err
	}

	return refuse(code, "refused by the sandbox"), nil
}

// takeBlock decides about the payments of a block. It returns the status report of the block, and the payments to
// execute now.
func (b *Bank) takeBlock(
	ctx context.Context,
	t *sql.Tx,
	file int64,
	o *order,
	p block,
	left map[string]*big.Int,
) (blockStatus, []instruction, error) {
	done := blockStatus{id: p.ID}

	account, known := b.account(p.DebtorIB)
	if !known {
		account, known = b.account(p.DebtorNo)
	}

	var ready []instruction
	balance := left[account.ID]

	var err error
	if balance == nil {
		if balance, err = b.balanceIfKnown(ctx, t, account, known); err != nil {
			return done, nil, err
		}

		left[account.ID] = balance
	}

	for _, x := range p.Transfers {
		i := instruction{file: file, account: account, payment: o.payment(p, x), state: stateWaiting}

		no := checkTransfer(x, account)
		if !known {
			no = refuse("AC02", "the debtor's account is not ours")
		}

		if no == nil {
			i.units, _ = parseAmount(account.Currency, x.Amount.Text) // checkTransfer has parsed it
			if no, err = b.decide(ctx, t, &i, p, balance); err != nil {
				return done, nil, err
			}
		}

		now := no == nil && i.due == 0 && i.state == stateWaiting

		status, answered, err := b.store(ctx, t, &i, no)
		if err != nil {
			return done, nil, err
		}

		if now {
			balance.Sub(balance, i.units)
			ready = append(ready, i)
		}

		if answered {
			done.payments = append(done.payments, status)
		} else {
			done.silent++
		}
	}

	return done, ready, nil
}

// store inserts an instruction, rejected if no is not nil, and announces it if its ending is pending. It returns what
// the first status report states about it, and whether it states anything.
func (b *Bank) store(ctx context.Context, t *sql.Tx, i *instruction, no *refusal) (paymentStatus, bool, error) {
	status, answered := b.firstWord(*i, no)
	if no != nil {
		i.state = stateRejected
		i.reason = no.code
		i.due = 0
	}

	if err := i.insert(ctx, t); err != nil {
		return status, false, err
	}

	if no == nil && i.ending == endPending {
		return status, answered, b.announce(ctx, t, *i)
	}

	return status, answered, nil
}

func (b *Bank) balanceIfKnown(ctx context.Context, t *sql.Tx, a Account, known bool) (*big.Int, error) {
	if !known {
		return new(big.Int), nil
	}

	return balanceOf(ctx, t, a.ID)
}

// decide sets a payment's ending and its time. A refused payment is never executed.
func (b *Bank) decide(ctx context.Context, t *sql.Tx, i *instruction, p block, balance *big.Int) (*refusal, error) {
	naive, err := setting(ctx, t, wishDuplicates)
	if err != nil {
		return nil, err
	}

	var had int

	err = t.QueryRowContext(
		ctx,
		`SELECT COUNT(*) FROM instruction WHERE end_to_end = ? AND state <> ?`,
		i.payment.EndToEndID,
		stateRejected,
	).Scan(&had)
	if err != nil {
		return nil, err
	}

	if had > 0 && naive == "" {
		return refuse("AM05", "EndToEndId %s was received before", i.payment.EndToEndID), nil
	}

	if i.ending, err = b.endingOf(ctx, t, i.payment.CreditorAccount); err != nil {
		return nil, err
	}

	if i.payment.ACH != nil {
		i.ending = i.ending.inACH()
	}

	if no := i.ending.refusal(); no != nil &&
		(i.payment.ACH == nil || i.ending != endClosed && i.ending != endUnknown) {
		return no, nil // in ACH the payee's bank finds out, and sends it back
	}

	if i.ending == endCompliance || i.ending.payee() != "" {
		i.state = stateHeld
		return nil, nil
	}

	if i.due, err = b.dueOf(i.ending, p); err != nil {
		return refuse("DT01", "%s", err), nil
	}

	if i.due == 0 && balance.Cmp(i.units) < 0 {
		return refuse("AM04", "the balance is %s", formatAmount(i.account.Currency, balance)), nil
	}

	return nil, nil
}

// dueOf returns when a payment is executed or refused: 0 is now.
func (b *Bank) dueOf(e ending, p block) (int64, error) {
	now := b.config.Clock.Now()
	switch e {
	case endPending, endDuplicateReject:
		return now.Add(b.config.PendingFor).UnixMicro(), nil
	case endUncertainPaid, endUncertainUnpaid:
		return now.Add(b.config.UncertainFor).UnixMicro(), nil
	case endLateReject:
		return now.UnixMicro(), nil
	default: // on its execution date
	}

	date := p.Date
	if date == "" && len(p.DateTime) >= len(time.DateOnly) {
		date = p.DateTime[:len(time.DateOnly)]
	}

	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return 0, fmt.Errorf("ReqdExctnDt %q is not a date", shortened(date, 20))
	}

	if day.After(now) && !b.config.AtOnce {
		return day.UnixMicro(), nil
	}

	return 0, nil
}

// insert adds the instruction's row.
func (i *instruction) insert(ctx context.Context, t *sql.Tx) error {
	facts, err := json.Marshal(i.payment)
	if err != nil {
		return err
	}

	units := "0"
	if i.units != nil {
		units = i.units.String()
	}

	r, err := t.ExecContext(
		ctx,
		`INSERT INTO instruction (file, block, end_to_end, account, units, facts, ending, state, reason, due, executed)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
		i.file,
		i.payment.PmtInfID,
		i.payment.EndToEndID,
		i.account.ID,
		units,
		string(facts),
		string(i.ending),
		i.state,
		i.reason,
		i.due,
	)
	if err != nil {
		return err
	}

	i.id, err = r.LastInsertId()

	return err
}

// wish consumes one request of a control: a value with a number of times, stored as "times value".
func (b *Bank) wish(ctx context.Context, t *sql.Tx, name string) (string, error) {
	text, err := setting(ctx, t, name)
	if err != nil || text == "" {
		return "", err
	}

	times, value, _ := strings.Cut(text, " ")

	n, err := strconv.Atoi(times)
	if err != nil || n <= 0 {
		return "", err
	}

	left := ""
	if n > 1 {
		left = strconv.Itoa(n-1) + " " + value
	}

	return value, set(ctx, t, name, left)
}
