// Package listindex answers lists from memory: which records match a filter, how many they are, and which of them stand
// on a page. It knows what filters ask for, not the records themselves; those are read from the database afterwards.
//
// Every combination of filters, order and offset costs about the same: a filter is a few bits for each record. At a
// million records a list takes some tens of microseconds, and a search some milliseconds.
//
// An Index holds the records of one list, in the order of their creation. It is as new as what was last put in. The
// caller puts every change in, and protects the index against concurrent use.
//
// Read in this order: listindex.go (what callers use), find.go (how a list is answered), bits.go, order.go (the order
// of the last change), text.go (search), digits.go (search for numbers), frequent.go (words that many records have).
package listindex

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"slipway/internal/core/id"
)

// Row is what lists need to know of a record.
type Row struct {
	ID      string
	Version int64 // rises with each change
	Updated int64 // microseconds
	Gone    bool  // deleted: in no list
	// Marks are what filters ask for and what lists are grouped by, such as "status=DRAFT".
	Marks []string
	// Text is searched; it is in lower case.
	Text string
}

// Index holds the rows of a list.
type Index struct {
	prefix  string   // of the identifiers
	ids     []id.Raw // ascending; a row's position is its place here
	version []int64
	live    bits // without deleted ones
	marks   map[string]bits
	updates order
	text    text
	loading bool
}

// New returns an empty index of records whose identifiers have a prefix, such as "txn".
func New(prefix string) *Index {
	return &Index{
		prefix:  prefix,
		marks:   map[string]bits{},
		updates: newOrder(),
		text:    newText(),
		loading: true,
	}
}

// Len returns the number of rows, deleted ones included.
func (x *Index) Len() int { return len(x.ids) }

// ErrID is the error of a row whose identifier has another form than those of package id.
var ErrID = errors.New("not an identifier of this list")

// Put adds a row, or replaces an older version of it. It ignores a version that the index has already.
func (x *Index) Put(r Row) error {
	raw, ok := id.Parse(x.prefix, r.ID)
	if !ok {
		return ErrID
	}

	at, found := x.position(raw)

	switch {
	case found && r.Version <= x.version[at]:
		return nil
	case found:
		x.unmark(at)
	default:
		x.insert(at, raw)
	}

	x.version[at] = r.Version

	if r.Gone {
		x.updates.remove(at)
		x.text.remove(at)

		return nil
	}

	x.live = x.live.with(at)
	for _, m := range r.Marks {
		x.marks[m] = x.marks[m].with(at)
	}

	x.text.put(at, r.Text, x.loading)
	x.updates.put(at, r.Updated, x.loading)

	return nil
}

// Loaded ends the first filling of the index. Before it, the order of the last change is not kept, and nothing can be
// found.
func (x *Index) Loaded() {
	x.updates.sort()
	x.text.seal()

	for _, sort := range x.Pending() {
		sort()
	}

	x.text.findDigits()

	x.loading = false
}

// Pending returns work that makes searches faster. It may be done while the index is used.
func (x *Index) Pending() []func() {
	var out []func()

	for _, s := range x.text.sealed {
		if s.sorted.Load() == nil && (x.loading || s.reads.Load() >= sortedAfter) {
			out = append(out, s.sort)
		}
	}

	return out
}

// insert makes room for a row. Almost all rows come last; one of another process may come a little earlier.
func (x *Index) insert(at int, raw id.Raw) {
	if at < len(x.ids) {
		x.live = x.live.shifted(at, len(x.ids))
		for m, b := range x.marks {
			x.marks[m] = b.shifted(at, len(x.ids))
		}
	}

	x.ids = slices.Insert(x.ids, at, raw)
	x.version = slices.Insert(x.version, at, 0)
	x.updates.insert(at)
	x.text.insert(at)
}

// Worn reports whether so many texts have changed that an index that is built anew would be much smaller.
func (x *Index) Worn() bool { return x.text.stale > segmentSize && x.text.stale > len(x.text.rows)/2 }

func (x *Index) unmark(at int) {
	x.live.clear(at)

	for _, b := range x.marks {
		b.clear(at)
	}
}

// position returns where a row is, or where it belongs.
func (x *Index) position(raw id.Raw) (at int, found bool) {
	if last := len(x.ids) - 1; last < 0 || x.ids[last].Compare(raw) < 0 {
		return last + 1, false
	}

	return slices.BinarySearchFunc(x.ids, raw, id.Raw.Compare)
}

// Has reports whether the index has this version of a record, or a later one.
func (x *Index) Has(recordID string, version int64) bool {
	raw, ok := id.Parse(x.prefix, recordID)
	if !ok {
		return false
	}

	at, found := x.position(raw)

	return found && x.version[at] >= version
}

// Marks returns the marks of rows that begin with a text, in order.
func (x *Index) Marks(begin string) []string {
	var out []string
	for m := range maps.Keys(x.marks) {
		if strings.HasPrefix(m, begin) {
			out = append(out, m)
		}
	}

	slices.Sort(out)

	return out
}
