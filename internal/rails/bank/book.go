package bank

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/camt"
)

// bookedAtOnce is how many movements one write books, but always complete entries: large enough to keep writes few,
// small enough that others do not wait long.
const bookedAtOnce = 2000

// book books an archived file that passed the first pass. It resumes at the position in its row.
func (r *Rail) book(ctx context.Context, row inboxRow, found examined, progress func(int64, int)) (inboxRow, error) {
	var err error
	switch {
	case found.report != nil:
		err = r.applyReport(ctx, &row, found.report)
	default:
		err = r.bookStatements(ctx, &row, progress)
	}

	if err != nil {
		return row, err
	}

	err = r.inboxWrite(ctx, &row, func(tx *db.Tx, row *inboxRow) error {
		return r.conclude(ctx, tx, row)
	})
	if err != nil {
		return row, err
	}

	if row.State == InboxUnbalanced {
		r.log.Error(
			"bank statement does not match what is booked",
			"file",
			row.ID,
			"name",
			row.Name,
			"reason",
			row.Reason,
		)
	}

	return row, r.reconsider(ctx)
}

// inboxWrite updates a file's row together with what body writes. If another process was first, nothing is written and
// the row is read again: the caller checks its progress.
func (r *Rail) inboxWrite(ctx context.Context, row *inboxRow, body func(tx *db.Tx, now *inboxRow) error) error {
	var now inboxRow

	err := r.db.WriteLarge(ctx, func(tx *db.Tx) error {
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

// bookStatements runs the second pass. One goroutine reads and prepares the next entries while this one writes.
func (r *Rail) bookStatements(ctx context.Context, row *inboxRow, progress func(int64, int)) error {
	f, err := openArchived(r.db.Keyring(), r.c.Archive, row.Hash)
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}

	defer func() { _ = f.Close() }()

	statements, err := statementsOf(ctx, r.db, row.ID)
	if err != nil {
		return fmt.Errorf("statements: %w", err)
	}

	latest := newest(statements) // what was stored before them is booked
	statements = slices.DeleteFunc(statements, func(s statementRow) bool { return s.Created < latest })

	ctx, cancel := context.WithCancel(ctx)
	read := &counting{r: f}
	b := &booker{
		r:          r,
		ctx:        ctx,
		file:       row.ID,
		from:       row.Done,
		statements: statements,
		before:     map[string]bool{},
		out:        make(chan []*booking),
	}

	reading := make(chan error, 1)
	go func() {
		defer close(b.out)

		err := ReadStatements(bufio.NewReaderSize(read, 256<<10), iso20022.Limits{Bytes: r.c.MaxFile}, r.Charset, b)
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

// Read counts the bytes.
func (c *counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// booker reads statements and sends batches of bookings, one for each write.
type booker struct {
	r           *Rail
	ctx         context.Context
	file        string
	from        int64 // earlier positions were booked before a crash
	statements  []statementRow
	out         chan []*booking
	house       *HouseAccount
	source      *source
	seen        counter
	position    int64
	batch       []*booking
	moves       int             // in the batch
	before      map[string]bool // keys in the batch that earlier statements of the file contain
	beforeCount int             // how many bookings of the batch are in before
}

// Statement restarts the numbering of entries with equal keys. It passes over one that the first pass has left out.
func (b *booker) Statement(h camt.Header) error {
	at := slices.IndexFunc(b.statements, func(s statementRow) bool { return s.Number == int64(h.Number) })
	if at < 0 {
		b.house = nil
		return nil
	}

	house, ok := b.r.house(h.Account, h.Account.Currency)
	if !ok { // any more: to pass over it now would shift the positions of what follows
		return &Unusable{CodeAccount, fmt.Sprintf("statement %d is of an account that is not ours", h.Number+1)}
	}

	for ; b.beforeCount < len(b.batch); b.beforeCount++ {
		b.before[b.batch[b.beforeCount].key] = true
	}

	s := &b.statements[at]
	b.source = &source{
		id:       s.ID,
		name:     s.StatementID,
		kind:     h.Kind,
		place:    s.Place,
		position: b.position,
	}
	b.house = &house
	b.seen = counter{}

	return nil
}

// Entry adds an entry to the batch. If two statements of the file contain it, they are written one after the other, so
// that the second write finds it.
func (b *booker) Entry(e camt.Entry) error {
	if b.house == nil {
		return nil
	}

	x, err := prepare(b.house, b.source, e, b.file, b.position, b.seen)
	if err != nil {
		return err
	}

	b.position++
	if x.position < b.from {
		return nil
	}

	if b.before[x.key] {
		if err := b.flush(); err != nil {
			return err
		}
	}

	x.rows = x.row(b.file)
	for _, row := range x.rows {
		b.r.db.Seal(row) // concurrently with the goroutine that writes
	}

	if read := b.r.c.Read; read != nil && x.counts() {
		for i := range x.moves {
			if m := &x.moves[i]; m.Credit {
				m.Reading = read(*m)
			}
		}
	}

	b.batch = append(b.batch, x)

	b.moves += len(x.moves)
	if b.moves >= bookedAtOnce { // an entry may have thousands of movements
		return b.flush()
	}

	return nil
}

// End does nothing: the first pass checked the sums.
func (b *booker) End(camt.Totals) error { return nil }

func (b *booker) flush() error {
	if len(b.batch) == 0 {
		return nil
	}

	select {
	case b.out <- b.batch:
		b.batch = make([]*booking, 0, bookedAtOnce)
		b.moves = 0
		b.before = map[string]bool{}
		b.beforeCount = 0

		return nil

	case <-b.ctx.Done():
		return b.ctx.Err()
	}
}

// chunks books the batches that the reader sends.
type chunks struct {
	r        *Rail
	row      *inboxRow
	overlaps bool // an entry of this file was stored before: each is searched before it is inserted
}

// book books a batch in one write. It first assumes that the file repeats nothing that is stored. If the unique index
// shows otherwise, each entry is searched first. Entries that another process booked are skipped.
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
			return fmt.Errorf("the import of file %s makes no progress", c.row.ID)
		}
	}
}

// bookEntries inserts new entries and matches them. To stored ones it adds what the entries contain besides.
func (r *Rail) bookEntries(ctx context.Context, tx *db.Tx, row *inboxRow, some []*booking, look bool) error {
	w := newDedup(r, tx, row.ID)
	if err := w.assign(ctx, some, look); err != nil {
		return err
	}

	doubtful, err := w.doubts(ctx)
	if err != nil {
		return err
	}

	moving, err := w.updateKnown(ctx)
	if err != nil {
		return err
	}

	moving = slices.Grow(moving, len(w.fresh))
	for _, b := range w.fresh {
		if _, open := doubtful[b]; b.counts() && !open {
			w.count(b.accountedFor(), b.units, b.credit)
			moving = append(moving, b.moves...)
		}
	}

	s, err := r.begin(ctx, tx, moving)
	if err != nil {
		return err
	}

	for _, b := range w.fresh {
		b.rows[0][statusColumn] = string(b.status) // a previous run of this function may have set it to doubt
		if _, open := doubtful[b]; open {
			b.rows[0][statusColumn] = statusDoubt
		}

		b.store(tx)
	}

	now := db.Micros(tx.Now)
	for _, b := range w.fresh { // after the entries: the caller must see a duplicate entry as the first error
		if like, open := doubtful[b]; open {
			tx.Insert(insertDoubt, b.id, like, doubtOpen, now, now)
		}
	}

	w.storeCounted(some[0].position)
	row.Fresh += int64(len(w.fresh))

	if err := s.settleAll(ctx, moving); err != nil {
		return err
	}

	row.Matched += s.matched

	return nil
}
