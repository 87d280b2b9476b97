package listindex

import (
	"cmp"
	"slices"
)

// order lists the rows in the order of their last change, and in that of their creation among equals. A row that changes
// goes to the end and leaves a stale entry where it stood; stale entries are dropped when they are more than the others.
type order struct {
	entries []entry
	slot    []int32 // of each position: where its entry is; absent: none
	stale   int
}

type entry struct {
	updated int64
	at      int32 // position; absent: the entry is stale
}

const absent = -1

// insert makes room for a position.
func (o *order) insert(at int) {
	for p := at; p < len(o.slot); p++ {
		if s := o.slot[p]; s != absent {
			o.entries[s].at++
		}
	}

	o.slot = slices.Insert(o.slot, at, absent)
}

func (o *order) remove(at int) {
	if s := o.slot[at]; s != absent {
		o.entries[s].at = absent
		o.slot[at] = absent
		o.stale++
	}
}

// put moves a row to the place of a change. Almost always that is the end. While rows are loaded, sort brings them into
// order afterwards.
func (o *order) put(at int, updated int64, loading bool) {
	o.remove(at)

	if o.stale > 1024 && o.stale > len(o.entries)/2 {
		o.compact()
	}

	e := entry{updated, int32(at)}
	o.entries = append(o.entries, e)

	i := len(o.entries) - 1
	for ; !loading && i > 0 && o.before(e, o.entries[i-1]); i-- {
		o.place(i, o.entries[i-1])
	}

	o.place(i, e)
}

// before reports whether a row stands before an entry. Among equal times a stale entry has no place.
func (o *order) before(e, other entry) bool {
	if e.updated != other.updated {
		return e.updated < other.updated
	}

	return other.at == absent || e.at < other.at
}

func (o *order) place(i int, e entry) {
	o.entries[i] = e
	if e.at != absent {
		o.slot[e.at] = int32(i)
	}
}

func (o *order) compact() {
	o.entries = slices.DeleteFunc(o.entries, func(e entry) bool { return e.at == absent })
	o.stale = 0

	for i, e := range o.entries {
		o.slot[e.at] = int32(i)
	}
}

func (o *order) sort() {
	o.compact()

	slices.SortFunc(o.entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.updated, b.updated), cmp.Compare(a.at, b.at))
	})

	for i, e := range o.entries {
		o.slot[e.at] = int32(i)
	}
}

// since returns where the entries of a time begin.
func (o *order) since(updated int64) int {
	i, _ := slices.BinarySearchFunc(o.entries, updated, func(e entry, t int64) int { return cmp.Compare(e.updated, t) })
	return i
}
