package listindex

import (
	"cmp"
	"slices"
)

// order lists the rows in the order of their last change, and in that of their creation among equals. A row that
// changes goes to the end and leaves a stale entry where it stood; stale entries are dropped when they are more than
// the others.
type order struct {
	entries []entry
	slot    []int32 // of each position: where its entry is; absent: none
	stale   int
	block   int     // how many entries a block has
	gone    []int32 // of each block of entries: how many are stale
}

// blockSize is the size of blocks at which going over all of them costs about as much as going over one.
const blockSize = 1024

func newOrder() order { return order{block: blockSize} }

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
		o.gone[int(s)/o.block]++
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
	if i%o.block == 0 {
		o.gone = append(o.gone, 0)
	}

	for ; !loading && i > 0 && o.before(e, o.entries[i-1]); i-- {
		o.place(i, o.entries[i-1])

		if o.entries[i].at == absent && i%o.block == 0 { // it goes to the next block
			o.gone[i/o.block-1]--
			o.gone[i/o.block]++
		}
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
	o.gone = make([]int32, (len(o.entries)+o.block-1)/o.block)

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

// skip goes on from an entry, in steps of 1 or -1, over as many rows as it may without looking at each: whole blocks.
// It returns where it stands, and how many rows are still to be left out.
func (o *order) skip(i, step, rows int) (at, left int) {
	for rows > 0 && i >= 0 && i < len(o.entries) {
		block := i / o.block
		first, last := block*o.block, min((block+1)*o.block, len(o.entries))-1
		live := last - first + 1 - int(o.gone[block])

		begins := i == first
		if step < 0 {
			begins = i == last
		}

		switch {
		case begins && live <= rows:
			rows -= live

			i = last + 1
			if step < 0 {
				i = first - 1
			}

		case begins:
			return i, rows
		default:
			if o.entries[i].at != absent {
				rows--
			}

			i += step
		}
	}

	return i, rows
}

// since returns where the entries of a time begin.
func (o *order) since(updated int64) int {
	i, _ := slices.BinarySearchFunc(o.entries, updated, func(e entry, t int64) int { return cmp.Compare(e.updated, t) })
	return i
}
