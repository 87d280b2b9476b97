package bank

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync/atomic"

	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/camt"
)

// bookedAtOnce is how many movements one write books, but an entry as a whole: large enough that statements are few, small enough that others do not wait long.
const bookedAtOnce = 2000

// book books a file that was found sound, from the archive. It goes on from what its row says was done.
func (r *Rail) book(ctx context.Context, row inboxRow, found examined, progress func(int64, int)) (inboxRow, error) {
	var err error
	switch {
	case found.said != nil:
		err = r.applyReport(ctx, &row, found.said)
	case found.returns != nil:
		err = r.applyReturns(ctx, &row, found.returns)
	default:
		err = r.bookStatements(ctx, &row, progress)
	}
	if err != nil {
		return row, err
	}
	err = r.inboxWrite(ctx, &row, func(_ *db.Tx, row *inboxRow) error {
		row.State = InboxImported
		return nil
	})
	return row, err
}

// inboxWrite changes a file's row together with what body writes. When another process was first, the row is read anew and the body is not
// run: the caller looks at how far the row is.
func (r *Rail) inboxWrite(ctx context.Context, row *inboxRow, body func(tx *db.Tx, now *inboxRow) error) error {
	var now inboxRow
	err := r.db.Write(ctx, func(tx *db.Tx) error {
		now = *row
		if err := body(tx, &now); err != nil {
			return err
		}
		noteInbox(tx, *row, now)
		return nil
	})
	if errors.Is(err, db.ErrStale) {
		other, rerr := inboxByHash(ctx, r.db, row.Hash)
		if rerr == nil && (other.Done != row.Done || other.State != row.State) {
			*row = other
			return nil
		}
		return errors.Join(err, rerr)
	}
	if err == nil {
		*row = now
	}
	return err
}

// bookStatements is the second pass. One goroutine reads and prepares what comes next while this one writes.
func (r *Rail) bookStatements(ctx context.Context, row *inboxRow, progress func(int64, int)) error {
	f, err := os.Open(archived(r.c.Archive, row.Hash))
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	defer func() { _ = f.Close() }()
	ctx, cancel := context.WithCancel(ctx)
	read := &counting{r: f}
	b := &booker{r: r, ctx: ctx, file: row.ID, from: row.Done, out: make(chan []*booking)}
	reading := make(chan error, 1)
	go func() {
		defer close(b.out)
		err := camt.Read(bufio.NewReaderSize(read, 256<<10), iso20022.Limits{Bytes: r.c.MaxFile}, b)
		if err == nil {
			err = b.flush()
		}
		reading <- err
	}()
	defer func() {
		cancel()
		for range b.out { // until the reader has noticed
		}
	}()
	w := &chunks{r: r, row: row}
	for some := range b.out {
		if err := w.book(ctx, some); err != nil {
			return err
		}
		progress(read.n.Load(), int(row.Done))
	}
	return <-reading
}

type counting struct {
	r io.Reader
	n atomic.Int64
}

// Read counts.
func (c *counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// booker reads statements and hands on what one write books.
type booker struct {
	r        *Rail
	ctx      context.Context
	file     string
	from     int64 // what lies before was booked before a crash
	out      chan []*booking
	house    *HouseAccount
	kind     camt.Kind
	seen     counter
	position int64
	some     []*booking
	moves    int // in some
}

// Statement begins the numbering of entries that are alike.
func (b *booker) Statement(h camt.Header) error {
	house, ok := b.r.house(h.Account, h.Account.Currency)
	if !ok {
		return &Unusable{CodeAccount, fmt.Sprintf("statement %d is of an account that is not ours", h.Number+1)}
	}
	b.house, b.kind, b.seen = &house, h.Kind, counter{}
	return nil
}

// Entry gathers what one write books.
func (b *booker) Entry(e camt.Entry) error {
	x, err := prepare(b.house, b.kind, e, b.file, b.position, b.seen)
	if err != nil {
		return err
	}
	b.position++
	if x.position < b.from {
		return nil
	}
	x.rows = x.row(b.file)
	if note := b.r.c.Note; note != nil && x.counts() {
		for i := range x.moves {
			if m := &x.moves[i]; m.Credit {
				m.Noted = note(*m)
			}
		}
	}
	b.some, b.moves = append(b.some, x), b.moves+len(x.moves)
	if b.moves >= bookedAtOnce { // an entry may be thousands of movements
		return b.flush()
	}
	return nil
}

// End does nothing: sums were looked at in the first pass.
func (b *booker) End(camt.Totals) error { return nil }

func (b *booker) flush() error {
	if len(b.some) == 0 {
		return nil
	}
	select {
	case b.out <- b.some:
		b.some, b.moves = make([]*booking, 0, bookedAtOnce), 0
		return nil
	case <-b.ctx.Done():
		return b.ctx.Err()
	}
}

// chunks books what the reader hands on.
type chunks struct {
	r        *Rail
	row      *inboxRow
	overlaps bool // an entry of this file was stored before: each is looked for before it is stored
}

// book books some entries in one write. It first trusts that the file tells of nothing that is stored: the unique index knows better, and
// then each entry is looked for. Where another process books the same file, what it did is left out.
func (c *chunks) book(ctx context.Context, some []*booking) error {
	for {
		for len(some) > 0 && some[0].position < c.row.Done {
			some = some[1:]
		}
		if len(some) == 0 || c.row.State != InboxImporting {
			return nil
		}
		before := c.row.Done
		err := c.r.inboxWrite(ctx, c.row, func(tx *db.Tx, row *inboxRow) error {
			row.Done = some[len(some)-1].position + 1
			return c.r.bookEntries(ctx, tx, row, some, c.overlaps)
		})
		failpoint.Hit("bank.statement_half")
		switch {
		case db.IsUnique(err, "bank_entries") && !c.overlaps:
			c.overlaps = true
		case err != nil:
			return err
		case c.row.Done == before:
			return fmt.Errorf("file %s does not get on", c.row.ID)
		}
	}
}

// bookEntries stores entries and gives those that are new their meaning.
func (r *Rail) bookEntries(ctx context.Context, tx *db.Tx, row *inboxRow, some []*booking, look bool) error {
	told := some
	some, err := fresh(ctx, tx, told, look)
	if err != nil || len(some) == 0 {
		return err
	}
	doubtful, err := doubts(ctx, tx, told, some)
	if err != nil {
		return err
	}
	moving := make([]Entry, 0, len(some))
	for _, b := range some {
		if b.counts() && doubtful[b.id] == "" {
			moving = append(moving, b.moves...)
		}
	}
	s, err := r.begin(ctx, tx, moving)
	if err != nil {
		return err
	}
	now := db.Micros(tx.Now)
	for _, b := range some {
		b.store(tx)
		if like := doubtful[b.id]; like != "" {
			tx.Insert(insertDoubt, b.id, like, doubtOpen, now, now)
		}
	}
	for _, m := range moving {
		if err := s.settle(ctx, m); err != nil {
			return err
		}
	}
	row.Fresh += int64(len(some))
	row.Matched += s.matched
	return s.end(ctx)
}

// fresh leaves out what is stored, and what the file itself tells twice.
func fresh(ctx context.Context, tx *db.Tx, some []*booking, look bool) ([]*booking, error) {
	stored := map[string]bool{}
	if look {
		ids := make([]string, len(some))
		for i, b := range some {
			ids[i] = b.id
		}
		var err error
		if stored, err = known(ctx, tx, ids); err != nil {
			return nil, err
		}
	}
	out := make([]*booking, 0, len(some))
	for _, b := range some {
		if !stored[b.id] {
			stored[b.id] = true
			out = append(out, b)
		}
	}
	return out, nil
}

// The states of a doubt.
const (
	doubtOpen    = "OPEN"
	doubtCounted = "COUNTED"
	doubtDropped = "DROPPED"
)

// doubts finds bookings that may be another one which the bank's other message told in other words: same account, day, direction and amount,
// and one of the two without a reference of the bank. They are kept but do not count until two persons say so. It gives, by id, what each is like.
func doubts(ctx context.Context, tx *db.Tx, told, some []*booking) (map[string]string, error) {
	byAccount := map[string][]*booking{}
	for _, b := range some {
		if b.counts() {
			byAccount[b.house.ID] = append(byAccount[b.house.ID], b)
		}
	}
	out := map[string]string{}
	for account, list := range byAccount {
		ask := false
		from, to := list[0].bookedAt, list[0].bookedAt
		for _, b := range list {
			ask = ask || !b.named
			from, to = min(from, b.bookedAt), max(to, b.bookedAt)
		}
		if ask {
			tx.Insert(insertUnnamed, account)
		} else {
			var err error
			if ask, err = hasUnnamed(ctx, tx, account); err != nil {
				return nil, err
			}
		}
		if !ask {
			continue
		}
		others, err := bookedBetween(ctx, tx, account, string(list[0].kind), from, to)
		if err != nil {
			return nil, err
		}
		pair(list, without(others, told), out)
	}
	return out, nil
}

// without leaves out what the file itself tells again.
func without(others []alike, told []*booking) []alike {
	ids := make(map[string]bool, len(told))
	for _, b := range told {
		ids[b.id] = true
	}
	return slices.DeleteFunc(others, func(o alike) bool { return ids[o.id] })
}

// pair finds for each booking one of another message that it may be; each of those once.
func pair(list []*booking, others []alike, out map[string]string) {
	type key struct {
		day    int64
		units  string
		credit bool
	}
	at := map[key][]alike{}
	for _, o := range others {
		k := key{o.bookedAt, o.units, o.credit}
		at[k] = append(at[k], o)
	}
	for _, b := range list {
		k := key{b.bookedAt, b.units, b.credit}
		for i, o := range at[k] {
			if !b.named || !o.named {
				out[b.id] = o.id
				at[k] = append(at[k][:i:i], at[k][i+1:]...)
				break
			}
		}
	}
}
