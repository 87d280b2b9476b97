package feed

import (
	"context"
	"fmt"

	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
)

// sealBatch limits the events that are numbered in one transaction.
const sealBatch = 1000

// Seal numbers committed events that have no number, at most sealBatch of them, and returns how many. If another
// process was first, it returns 0 and the next call goes on behind it.
//
// It reads outside of its transaction and writes under the head's version. Had it read inside, the database would have
// to hold every writer of events against it.
func (f *Feed) Seal(ctx context.Context) (int, error) {
	h, err := readHead(ctx, f.db)
	if err != nil {
		return 0, fmt.Errorf("read the head of the feed: %w", err)
	}

	f.noteVersion(h.version)

	events, next, err := unsealed(ctx, f.db, h.position, sealBatch)

	putBack := next < h.position
	if err != nil || len(events) == 0 && !putBack {
		return 0, err
	}

	number(events)

	records, err := compare(ctx, f.db, events)
	if err != nil {
		return 0, err
	}

	var writes []func(tx *db.Tx)

	for _, w := range f.writers {
		write, err := w(ctx, events)
		if err != nil {
			return 0, err
		}

		writes = append(writes, write)
	}

	err = f.db.Write(ctx, func(tx *db.Tx) error {
		moveHead(tx, h, next)

		for _, e := range events {
			insertFeed(tx, e)
		}

		writeRecords(tx, records)
		failpoint.Hit("feed.numbered")

		for _, write := range writes {
			write(tx)
		}

		return nil
	})
	if db.Overtaken(err, "feed", "feed_records") {
		return 0, nil
	}

	if err == nil {
		failpoint.Hit("feed.sealed")
		f.wake(events, h.version+1)
	}

	return len(events), err
}

// number numbers events whose Number is the newest one that their organisation had before.
func number(events []Event) {
	more := map[string]int64{}

	for i := range events {
		e := &events[i]
		more[e.Organisation]++
		e.Number += more[e.Organisation]
	}
}

// Forget removes numbers that are older than Kept, at most limit of them, and returns how many. The newest number of an
// organisation stays, since the next one follows it.
func (f *Feed) Forget(ctx context.Context, limit int) (int64, error) {
	var n int64

	err := f.db.Write(ctx, func(tx *db.Tx) (err error) {
		n, err = forget(tx, tx.Now.Add(-Kept), limit)
		return err
	})

	return n, err
}
