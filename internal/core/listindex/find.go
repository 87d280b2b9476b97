package listindex

import (
	"slices"
	"strings"
	"sync"
	"time"

	"slipway/internal/core/id"
)

// Query is a list: what it shows, in which order, and which page of it.
type Query struct {
	Marks    [][]string // of each of these, a row has at least one
	From, To time.Time  // created at or after From, and before To; a zero time is no limit
	Words    []Word     // all of them are found in a row
	Order    Order
	// Groups are the marks that a list ByGroup is ordered by, in rising order. Rows without any come in no such list.
	Groups    []string
	Ascending bool
	After     *Place // the page begins behind it; nil: at the first row
	Offset    int    // rows to leave out, without After
	Limit     int

	everything bool // no row is left out by marks, times and words
}

// Word is a part of what is searched for. A row matches if its text contains it, if its identifier begins with it, or
// if it is one of Records.
type Word struct {
	Text    string   // in lower case, without white space
	Records []string // identifiers
}

// Order is what a list is ordered by. Rows that are equal in it are in the order of their creation.
type Order int

// The orders.
const (
	ByCreation Order = iota
	ByUpdate
	ByGroup
)

// Place is a row's place in a list, in the order of a query.
type Place struct {
	ID      string
	Updated int64  // ByUpdate
	Group   string // ByGroup: its mark
}

// Hit is a row of a page.
type Hit struct {
	ID      string
	Version int64 // that the filters were applied to
}

// scratch are sets that were used, for their memory.
var scratch = sync.Pool{New: func() any { return new(bits) }}

// Find returns a page, how many rows match on all pages, and whether rows follow behind the page.
func (x *Index) Find(q Query) (page []Hit, total int, more bool) {
	set := scratch.Get().(*bits)
	defer scratch.Put(set)

	*set, total = x.matching(q, (*set)[:0])

	q.everything = total == len(x.updates.entries)-x.updates.stale

	walk := x.byCreation
	switch q.Order {
	case ByCreation:
	case ByUpdate:
		walk = x.byUpdate
	case ByGroup:
		walk = x.byGroup
	}

	walk(q, *set, func(at int) bool {
		if more = len(page) == q.Limit; more {
			return false
		}

		page = append(page, Hit{x.ids[at].String(x.prefix), x.version[at]})

		return true
	})

	return page, total, more
}

// matching returns the set of rows that match, in the memory of set, and how many they are.
func (x *Index) matching(q Query, set bits) (bits, int) {
	set = append(set, x.live...)
	set.keepBetween(x.span(q.From, q.To))

	for _, any := range q.Marks {
		marked := make([]bits, len(any))
		for i, m := range any {
			marked[i] = x.marks[m]
		}

		set.keepAnyOf(marked)
	}

	for _, w := range q.Words {
		set.keep(x.search(w))
	}

	return set, set.count()
}

// span returns the positions of the rows that were created in a time: from lo up to hi, without hi.
func (x *Index) span(from, to time.Time) (lo, hi int) {
	hi = len(x.ids)
	if !from.IsZero() {
		lo, _ = x.position(id.First(from))
	}

	if !to.IsZero() {
		hi, _ = x.position(id.First(to))
	}

	return lo, hi
}

func (x *Index) search(w Word) bits {
	found := x.text.find(w.Text)

	// What is found besides is added to a copy, because others may read the set.
	owned := false
	add := func(at int) {
		if !owned {
			found = slices.Clone(found)
			owned = true
		}

		found = found.with(at)
	}

	if begin, ok := strings.CutPrefix(w.Text, x.prefix+"_"); ok {
		if first, last, ok := id.Beginning(begin); ok {
			for at, _ := x.position(first); at < len(x.ids) && x.ids[at].Compare(last) <= 0; at++ {
				add(at)
			}
		}
	}

	for _, r := range w.Records {
		if raw, ok := id.Parse(x.prefix, r); ok {
			if at, ok := x.position(raw); ok {
				add(at)
			}
		}
	}

	return found
}

// beyond returns the positions that come after a place in the order of creation.
func (x *Index) beyond(q Query, p *Place) (lo, hi int) {
	hi = len(x.ids)
	if p == nil {
		return 0, hi
	}

	raw, ok := id.Parse(x.prefix, p.ID)
	if !ok {
		return 0, 0
	}

	at, found := x.position(raw)

	switch {
	case !q.Ascending:
		return 0, at
	case found:
		return at + 1, hi
	default:
		return at, hi
	}
}

// ordered goes through positions of a set in the order of the query.
func (q Query) ordered(set bits, lo, hi, skip int, each func(at int) bool) (left int, more bool) {
	if q.Ascending {
		return set.up(lo, hi, skip, each)
	}

	return set.down(lo, hi, skip, each)
}

func (x *Index) byCreation(q Query, set bits, each func(at int) bool) {
	lo, hi := x.beyond(q, q.After)
	q.ordered(set, lo, hi, q.Offset, each)
}

func (x *Index) byGroup(q Query, set bits, each func(at int) bool) {
	part := scratch.Get().(*bits)
	defer scratch.Put(part)

	skip := q.Offset
	reached := q.After == nil

	for i := range q.Groups {
		group := q.Groups[i]
		if !q.Ascending {
			group = q.Groups[len(q.Groups)-1-i]
		}

		lo, hi := 0, len(x.ids)

		switch {
		case reached:
		case group == q.After.Group:
			lo, hi = x.beyond(q, q.After)
			reached = true
		case (group > q.After.Group) == q.Ascending: // no row has the cursor's group any more
			reached = true
		default:
			continue
		}

		of := x.marks[group]

		*part = (*part)[:0]
		for i, w := range set {
			*part = append(*part, w&of.word(i))
		}

		var more bool
		if skip, more = q.ordered(*part, lo, hi, skip, each); !more {
			return
		}
	}
}

func (x *Index) byUpdate(q Query, set bits, each func(at int) bool) {
	entries := x.updates.entries
	i, step := len(entries)-1, -1

	if q.Ascending {
		i, step = 0, 1
	}

	lo, hi := 0, len(x.ids)

	if q.After != nil {
		lo, hi = x.beyond(q, q.After)

		i = x.updates.since(q.After.Updated)
		if !q.Ascending {
			i = x.updates.since(q.After.Updated+1) - 1
		}
	}

	skip := q.Offset
	if q.everything && q.After == nil {
		i, skip = x.updates.skip(i, step, skip)
	}

	for ; i >= 0 && i < len(entries); i += step {
		e := entries[i]
		at := int(e.at)

		switch {
		case at == absent || !set.has(at):
		case q.After != nil && e.updated == q.After.Updated && (at < lo || at >= hi):
		case skip > 0:
			skip--
		case !each(at):
			return
		}
	}
}
