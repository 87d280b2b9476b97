package ebics

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/rails/bank"
)

// Commit hands a staged order over. After an error Look finds out what became of it. A second call continues.
func (c *Channel) Commit(ctx context.Context, staged, name string) error {
	u, err := uploadOf(ctx, c.db(), staged)
	if err != nil {
		return fmt.Errorf("upload of %s: %w", name, err)
	}

	return c.drive(ctx, u)
}

// errUnsettled ends a Commit of which nobody knows whether it worked.
var errUnsettled = errors.New("the bank has not confirmed the order")

// drive moves an upload as far as it goes.
func (c *Channel) drive(ctx context.Context, u uploadRow) error {
	s, err := c.contract.ready(ctx)
	if err != nil {
		return err
	}

	client := c.contract.client(s)

	p, err := preparedOf(ctx, c.db(), u.Staged)
	if err != nil {
		return err
	}

	for {
		switch u.State {
		case UploadStaged:
			u, err = c.announce(ctx, client, p, u)
		case UploadSending:
			u, err = c.advance(ctx, client, p, u)
		case UploadLast:
			u, err = c.last(ctx, client, p, u)
		case UploadArrived:
			return nil
		case UploadRefused:
			return &bank.FileRefused{Why: u.Reason}
		case UploadDiscarded:
			return fmt.Errorf("%s was given up", u.Staged)
		default:
			return errUnsettled
		}

		if err != nil {
			return err
		}
	}
}

// later are the refusals of an announcement that end by themselves, or by people who mend what is wrong: keys, user,
// clock. Nothing has left, so the same order is announced again.
var later = []string{CodeInternal, CodeTransactions, CodeReplay, CodeBankKeys, CodeUser}

// announce begins the transaction. If the answer is lost, the order is announced again: without its content the bank
// has nothing to execute.
func (c *Channel) announce(ctx context.Context, client *Client, p *Prepared, u uploadRow) (uploadRow, error) {
	transaction, orderID, err := client.Begin(ctx, p)

	r, proven := Refused(err)
	if r != nil && proven && !slices.Contains(later, r.Code()) {
		return c.note(ctx, u, func(now *uploadRow) {
			now.State = UploadRefused
			now.Reason = r.Error()
		})
	}

	if err != nil {
		return u, err
	}

	failpoint.Hit("ebics.announced_unsaved")

	// An id that another order of ours had lately does not tell the two apart: then only the file's MsgId does.
	if used, err := usedOrderID(ctx, c.db(), c.db().Now(), u, orderID); err != nil {
		return u, err
	} else if used {
		orderID = ""
	}

	return c.note(ctx, u, func(now *uploadRow) {
		now.State = UploadSending
		now.Transaction = transaction
		now.OrderID = orderID
		now.BeganAt = db.Micros(c.db().Now())
	})
}

// advance sends the next segment, or marks the upload before the last one leaves.
func (c *Channel) advance(ctx context.Context, client *Client, p *Prepared, u uploadRow) (uploadRow, error) {
	next := u.Sent + 1
	if next == u.Segments {
		return c.note(ctx, u, func(now *uploadRow) { now.State = UploadLast })
	}

	_, err := client.Send(ctx, p, u.Transaction, int(next))
	failpoint.Hit("ebics.segment_unsaved")

	r, proven := Refused(err)

	switch {
	case err == nil:
		return c.note(ctx, u, func(now *uploadRow) { now.Sent = next })

	case r != nil && proven && r.Code() == CodeRecovery && int64(r.Segment) == next:
		// It arrived before, and its answer was lost (ch. 5.5.2).
		return c.note(ctx, u, func(now *uploadRow) { now.Sent = next })

	case r != nil && proven && r.Code() != CodeInternal:
		return c.unknown(ctx, u, r)
	}

	return u, err
}

// last sends the last segment, in the only transaction that ever carries it (F-13).
func (c *Channel) last(ctx context.Context, client *Client, p *Prepared, u uploadRow) (uploadRow, error) {
	failpoint.Hit("ebics.last_marked")

	orderID, err := client.Send(ctx, p, u.Transaction, int(u.Segments))
	failpoint.Hit("ebics.last_unsaved")

	r, proven := Refused(err)

	switch {
	case err == nil && orderID != "" && u.OrderID != "" && orderID != u.OrderID:
		return c.note(ctx, u, func(now *uploadRow) {
			now.State = UploadUnknown
			now.Reason = "the bank announced the order " + u.OrderID + " and confirms the order " + orderID
		})

	case err == nil:
		return c.note(ctx, u, func(now *uploadRow) { now.State = UploadArrived })

	case r != nil && proven && slices.Contains(outOfStep, r.Code()):
		return c.unknown(ctx, u, r)

	case r != nil && proven && r.Code() != CodeInternal:
		return c.note(ctx, u, func(now *uploadRow) {
			now.State = UploadRefused
			now.Reason = r.Error()
		})
	}

	return u, err
}

// outOfStep are the refusals of a segment that say nothing about the order: the transaction is at another point, or
// over, perhaps because the segment arrived before.
var outOfStep = []string{CodeRecovery, CodeUnknownID, CodeAborted, CodeNoRecovery, CodeUser, CodeBankKeys, CodeReplay}

// unknown ends a transaction that the bank does not continue.
func (c *Channel) unknown(ctx context.Context, u uploadRow, r *Refusal) (uploadRow, error) {
	return c.note(ctx, u, func(now *uploadRow) {
		now.State = UploadUnknown
		now.Reason = r.Error()
	})
}

// Look returns where an order is. Staged means that its last segment has not left. If it may have, it is sent again in
// the same transaction, and then the customer protocol is asked. Gone means that neither told.
func (c *Channel) Look(ctx context.Context, staged, name string) (bank.Presence, int64, error) {
	u, err := uploadOf(ctx, c.db(), staged)
	if errors.Is(err, db.ErrNone) {
		return c.lookForMessage(ctx, name)
	}

	if err != nil {
		return bank.Gone, 0, err
	}

	if u.State == UploadLast {
		_ = c.drive(ctx, u) // what it found out is in the row

		if u, err = uploadOf(ctx, c.db(), staged); err != nil {
			return bank.Gone, 0, err
		}
	}

	if u.State == UploadLast || u.State == UploadUnknown {
		if u, err = c.ask(ctx, u); err != nil {
			return bank.Gone, 0, ignoreUnanswered(err)
		}
	}

	switch u.State {
	case UploadArrived:
		return bank.Present, u.Size, nil
	case UploadStaged, UploadSending:
		return bank.Staged, u.Size, nil
	case UploadRefused:
		return bank.Gone, 0, &bank.FileRefused{Why: u.Reason}
	case UploadLast, UploadUnknown, UploadDiscarded:
	}

	return bank.Gone, 0, nil
}

// ignoreUnanswered returns nil for an error of the exchange: a bank that does not answer does not tell. The rail then
// waits, and holds the file in the end; with an error it would wait for ever. Errors of the database are returned.
func ignoreUnanswered(err error) error {
	if errors.Is(err, db.ErrStale) {
		return err
	}

	return nil
}

// ask asks the customer protocol for an order. From the day before: the bank's clock and zone are its own.
func (c *Channel) ask(ctx context.Context, u uploadRow) (uploadRow, error) {
	since := db.Time(u.BeganAt).Add(-24 * time.Hour)

	fate, err := c.fate(ctx, since, func(e Event) bool { return e.about(u.OrderID, u.Message) })
	if err != nil {
		return u, err
	}

	switch fate {
	case FateArrived:
		return c.note(ctx, u, func(now *uploadRow) { now.State = UploadArrived })

	case FateRefused:
		return c.note(ctx, u, func(now *uploadRow) {
			now.State = UploadRefused
			now.Reason = "its customer protocol says so of the order " + u.OrderID
		})

	case FateUnknown, FateUnclear, fateNoVerdict:
	}

	return u, nil
}

func (c *Channel) fate(ctx context.Context, since time.Time, is func(Event) bool) (Fate, error) {
	s, err := c.contract.ready(ctx)
	if err != nil {
		return FateUnknown, err
	}

	const day = "2006-01-02"

	events, err := c.contract.client(s).Protocol(ctx, since.Format(day), c.db().Now().UTC().Format(day))
	if err != nil {
		return FateUnknown, err
	}

	return Find(events, c.contract.c.Subscriber, since, is), nil
}

// about reports whether an event is about an order: it has its id, and names no other file.
func (e Event) about(orderID, message string) bool {
	if e.names(message) {
		return true
	}

	return orderID != "" && e.OrderID == orderID && !slices.ContainsFunc(e.Info, namesAFile)
}

// names reports whether an event names a file by its MsgId.
func (e Event) names(message string) bool {
	return message != "" &&
		slices.ContainsFunc(e.Info, func(line string) bool { return strings.Contains(line, message) })
}

// namesAFile reports whether a line of the protocol has the MsgId of a payment file.
func namesAFile(line string) bool { return strings.Contains(strings.ToLower(line), "msgid") }

// protocolDays is how far back a file is looked for whose upload this database does not know.
const protocolDays = 14

// lookForMessage looks for a file in the customer protocol alone, after a restored backup. Only an event that names the
// file counts.
func (c *Channel) lookForMessage(ctx context.Context, name string) (bank.Presence, int64, error) {
	message, ours := bank.MessageOf(name)
	if !ours {
		return bank.Gone, 0, nil
	}

	fate, err := c.fate(ctx, c.db().Now().AddDate(0, 0, -protocolDays), func(e Event) bool { return e.names(message) })

	switch {
	case err != nil:
		return bank.Gone, 0, ignoreUnanswered(err)
	case fate == FateArrived:
		return bank.Present, 0, nil
	}

	return bank.Gone, 0, nil
}
