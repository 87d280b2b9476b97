package transaction

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"slipway/internal/core/listindex"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// ListLimits are what is kept in memory so that long lists answer as fast as short ones.
type ListLimits struct {
	// Rows limits the transactions that are indexed, of all organisations together; 0: none are. A transaction takes
	// about 400 bytes.
	Rows int
	// From is the number of transactions from which an organisation's list is indexed; 0: 1,000. The database counts
	// fewer in a millisecond.
	From int
}

// listsEvery is how often indexes are brought up to date if nobody lists.
const listsEvery = time.Second

// buildEvery is how often at most it is tried to index an organisation's list, which may be short, or find no room.
const buildEvery = time.Minute

// listed are the indexes of long lists, one for each organisation.
//
// An index is brought up to date before each list, with the changes that were committed since: every change of a
// transaction writes an event. So a list shows what its caller has written before, through whichever process. An index
// that cannot be used is left out, and the database answers instead, with the same list.
type listed struct {
	db     *db.DB
	limits ListLimits
	wanted chan string // organisations whose list was read without an index
	// turns has room for the lists that are answered at the same time. On SQLite all their work is done here: more of
	// them would take the processors from each other, and all would end late. nil: no limit.
	turns chan struct{}

	applying sync.Mutex

	mu       sync.RWMutex
	position int64 // of the next reading of changes; 0: nothing is indexed
	of       map[string]*indexed
}

// indexed is the index of an organisation.
type indexed struct {
	used atomic.Int64 // microseconds: when it was last asked

	mu sync.RWMutex
	x  *listindex.Index
}

func newListed(d *db.DB, l ListLimits) *listed {
	if l.From == 0 {
		l.From = 1_000
	}

	out := &listed{db: d, limits: l, wanted: make(chan string, 64), of: map[string]*indexed{}}
	if d.Dialect() == db.SQLite {
		out.turns = make(chan struct{}, 1+runtime.GOMAXPROCS(0))
	}

	return out
}

// KeepLists builds indexes of long lists and keeps them up to date, until ctx ends. It starts with the longest ones.
// A list is answered without an index until it is built.
func (s *Service) KeepLists(ctx context.Context) error {
	l := s.listed
	if l.limits.Rows == 0 {
		return nil
	}

	tick := time.NewTicker(listsEvery)
	defer tick.Stop()

	// A database that does not answer now is asked again with the next list.
	organisations, _ := longest(ctx, l.db, l.limits.From)
	for _, org := range organisations {
		l.want(org)
	}

	tried := map[string]time.Time{}

	for {
		select {
		case <-ctx.Done():
			return nil

		case org := <-l.wanted:
			now := l.db.Now()
			if now.Sub(tried[org]) < buildEvery {
				continue
			}

			maps.DeleteFunc(tried, func(_ string, at time.Time) bool { return now.Sub(at) >= buildEvery })
			tried[org] = now
			_ = l.build(ctx, org)

		case <-tick.C:
			_ = l.refresh(ctx)
			l.tend()
		}
	}
}

// tend sorts what was added to the indexes, for searches, and drops an index that is better built anew.
func (l *listed) tend() {
	l.mu.RLock()
	all := maps.Clone(l.of)
	l.mu.RUnlock()

	for org, n := range all {
		n.mu.RLock()
		pending := n.x.Pending()
		worn := n.x.Worn()
		n.mu.RUnlock()

		for _, sort := range pending {
			sort()
		}

		if worn {
			l.mu.Lock()
			delete(l.of, org)
			l.mu.Unlock()
			l.want(org)
		}
	}
}

// IndexList builds the index of an organisation's list now, if it is long enough. A second call does nothing.
func (s *Service) IndexList(ctx context.Context, organisation string) error {
	return s.listed.build(ctx, organisation)
}

// find returns the index of an organisation, or nil. It asks for one if there is none.
func (l *listed) find(organisation string) *indexed {
	l.mu.RLock()
	defer l.mu.RUnlock()

	x := l.of[organisation]
	if x == nil && l.limits.Rows > 0 {
		l.want(organisation)
	}

	return x
}

// want asks KeepLists for an index. If it is busy, a later list asks again.
func (l *listed) want(organisation string) {
	select {
	case l.wanted <- organisation:
	default:
	}
}

func (l *listed) drop() {
	l.mu.Lock()
	defer l.mu.Unlock()

	l.of = map[string]*indexed{}
	l.position = 0
}

// build reads an organisation's transactions into an index, unless there is one, or they are too few or too many.
func (l *listed) build(ctx context.Context, organisation string) error {
	l.mu.RLock()
	known := l.of[organisation] != nil
	l.mu.RUnlock()

	if known {
		return nil
	}

	count, err := countAll(ctx, l.db, organisation, l.limits.From)
	if err != nil || count < l.limits.From {
		return err
	}

	count, err = countAll(ctx, l.db, organisation, l.limits.Rows+1)
	if err != nil || !l.makeRoom(count) {
		return err
	}

	n := &indexed{x: listindex.New(idPrefix)}
	n.used.Store(db.Micros(l.db.Now()))

	var position int64

	err = l.db.Snapshot(ctx, func(q db.Querier) error {
		if position, err = trail.Position(ctx, q, l.db.Dialect()); err != nil {
			return err
		}

		return eachListRow(ctx, q, organisation, n.x.Put)
	})
	if err != nil {
		return fmt.Errorf("index the transactions of %s: %w", organisation, err)
	}

	n.x.Loaded()

	l.mu.Lock()
	defer l.mu.Unlock()

	l.of[organisation] = n
	if l.position == 0 || position < l.position { // read again what was committed while this index was built
		l.position = position
	}

	return nil
}

// makeRoom drops indexes that were not used for the longest time until as many rows have room, and reports whether they
// have.
func (l *listed) makeRoom(rows int) bool {
	if rows > l.limits.Rows {
		return false
	}

	l.mu.Lock()
	defer l.mu.Unlock()

	for {
		kept := 0
		oldest := ""

		for org, n := range l.of {
			n.mu.RLock()
			kept += n.x.Len()
			n.mu.RUnlock()

			if oldest == "" || n.used.Load() < l.of[oldest].used.Load() {
				oldest = org
			}
		}

		if kept+rows <= l.limits.Rows {
			return true
		}

		delete(l.of, oldest)
	}
}

// refresh puts into the indexes what was committed before the call. It drops them if that is too much.
func (l *listed) refresh(ctx context.Context) error {
	from := l.at()
	if from == 0 {
		return nil
	}

	changes, next, err := trail.Changes(ctx, l.db, l.db.Dialect(), from)
	if err == nil && l.news(changes) {
		from, next, err = l.apply(ctx)
	}

	restored := err == nil && next < from // the database is an older one than that which was read before
	if restored || errors.Is(err, trail.ErrFarBehind) {
		l.drop()
		return nil
	}

	if err == nil {
		l.advance(from, next)
	}

	return err
}

// at returns the position of the next reading.
func (l *listed) at() int64 {
	l.mu.RLock()
	defer l.mu.RUnlock()

	return l.position
}

// advance moves the position of the next reading, unless it is no longer where this one began: another reading has
// moved it, or an index was built that needs earlier changes.
func (l *listed) advance(from, next int64) {
	l.mu.Lock()
	defer l.mu.Unlock()

	if l.position == from {
		l.position = next
	}
}

// news reports whether an index lacks one of the changes.
func (l *listed) news(changes []trail.Change) bool { return len(l.lacking(changes)) > 0 }

// lacking returns the transactions that an index has not, or not in the version of their change.
func (l *listed) lacking(changes []trail.Change) []string {
	l.mu.RLock()
	defer l.mu.RUnlock()

	var ids []string

	for _, c := range changes {
		n := l.of[c.Organisation]
		if n == nil || !strings.HasPrefix(c.Object, idPrefix+"_") {
			continue
		}

		n.mu.RLock()

		if !n.x.Has(c.Object, c.Sequence) {
			ids = append(ids, c.Object)
		}

		n.mu.RUnlock()
	}

	slices.Sort(ids)

	return slices.Compact(ids)
}

// apply puts the transactions that have changed into their indexes, one caller after the other: the second finds that
// the first has done it. It returns where the reading of changes began, and where the next one does.
func (l *listed) apply(ctx context.Context) (from, next int64, err error) {
	l.applying.Lock()
	defer l.applying.Unlock()

	from = l.at()
	err = l.db.Snapshot(ctx, func(q db.Querier) error {
		var changes []trail.Change

		changes, next, err = trail.Changes(ctx, q, l.db.Dialect(), from)
		if err != nil {
			return err
		}

		changed := map[string][]listRow{}

		for ids := range slices.Chunk(l.lacking(changes), listChunk) {
			rows, err := listRowsOf(ctx, q, ids)
			if err != nil {
				return err
			}

			for _, r := range rows {
				changed[r.organisation] = append(changed[r.organisation], r)
			}
		}

		for organisation, rows := range changed {
			if err := l.put(organisation, rows); err != nil {
				return err
			}
		}

		return nil
	})

	return from, next, err
}

// put puts what was committed into the index of an organisation, all at once, as other lists see it.
func (l *listed) put(organisation string, rows []listRow) error {
	l.mu.RLock()
	n := l.of[organisation]
	l.mu.RUnlock()

	if n == nil {
		return nil
	}

	n.mu.Lock()
	defer n.mu.Unlock()

	for _, r := range rows {
		if err := n.x.Put(r.Row); err != nil {
			return err
		}
	}

	return nil
}

// page answers a list from the index. ok is false if it cannot, because the index was dropped, or the rows changed
// again and again meanwhile.
func (l *listed) page(
	ctx context.Context,
	n *indexed,
	f Filter,
	records [][]string,
) (page []Transaction, total int64, more, ok bool, err error) {
	const attempts = 4

	if l.turns != nil {
		select {
		case l.turns <- struct{}{}:
			defer func() { <-l.turns }()
		case <-ctx.Done():
			return nil, 0, false, false, ctx.Err()
		}
	}

	for range attempts {
		if err = l.refresh(ctx); err != nil {
			return nil, 0, false, false, err
		}

		if l.find(f.Organisation) != n { // dropped meanwhile: nobody keeps it up to date
			return nil, 0, false, false, nil
		}

		n.used.Store(db.Micros(l.db.Now()))

		hits, found, follows, err := n.find(f, records)
		if err != nil {
			return nil, 0, false, false, err
		}

		page, ok, err = l.read(ctx, hits)
		if err != nil || ok {
			return page, int64(found), follows, ok, err
		}
	}

	return nil, 0, false, false, nil
}

func (n *indexed) find(f Filter, records [][]string) ([]listindex.Hit, int, bool, error) {
	n.mu.RLock()
	defer n.mu.RUnlock()

	query := f.query(records)
	if err := f.ordered(&query, n.x); err != nil {
		return nil, 0, false, err
	}

	hits, total, more := n.x.Find(query)

	return hits, total, more, nil
}

// read returns the transactions of a page in its order. ok is false if one of them has another version by now, so that
// it may not belong there any more.
func (l *listed) read(ctx context.Context, hits []listindex.Hit) (page []Transaction, ok bool, err error) {
	if len(hits) == 0 {
		return nil, true, nil
	}

	ids := make([]string, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}

	err = l.db.Snapshot(ctx, func(q db.Querier) error {
		loaded, err := loadAll(ctx, q, ids)
		if err != nil {
			return err
		}

		page = make([]Transaction, len(hits))
		for i, h := range hits {
			page[i] = loaded[h.ID]
			if page[i].Version != h.Version {
				return nil
			}
		}

		ok = true

		return attachTerms(ctx, q, page)
	})

	return page, ok, err
}

// ordered sets the order of a query, and where its page begins.
func (f Filter) ordered(q *listindex.Query, x *listindex.Index) error {
	by := sortings[f.SortBy]

	switch {
	case by.of != nil:
		q.Order = listindex.ByGroup
		q.Groups = x.Marks(by.of.mark(""))
	case by.column != "":
		q.Order = listindex.ByUpdate
	}

	if f.After == "" {
		return nil
	}

	id, value, err := f.order().Parse(f.After)
	if err != nil {
		return err
	}

	q.Offset = 0
	q.After = &listindex.Place{ID: id}

	switch v := value.(type) {
	case int64:
		q.After.Updated = v
	case string:
		if by.of != nil {
			q.After.Group = by.of.mark(v)
		}
	}

	return nil
}

// next returns the sort position behind a page, if rows follow.
func (f Filter) next(page []Transaction, more bool) string {
	if !more {
		return ""
	}

	return f.position(page[len(page)-1])
}
