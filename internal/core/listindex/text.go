package listindex

import (
	"bytes"
	"hash/maphash"
	"index/suffixarray"
	"slices"
	"strings"
	"sync/atomic"
)

// text finds the rows whose text contains a word. Each text that a row has had is a document with a number; a row that
// changes its text gets a new one.
//
// Documents are sealed in segments. A segment has every word of its documents once, so that the names and reasons that
// many records share are looked at once. Its words are sorted by each of their endings, which finds the few that
// contain a text without reading the others. The latest documents are not sealed yet.
type text struct {
	document []int32 // of each position; absent: none
	sums     []uint64
	rows     []int32 // of each document: its position; absent: the row has another one by now
	stale    int     // documents without a row
	sealed   []*segment
	latest   *segment // each document is one word
	seed     maphash.Seed
	frequent frequent
}

// A segment of more documents has fewer words twice, and takes longer to seal. While an index is loaded, nobody waits
// for it.
const (
	segmentSize = 8192
	loadedSize  = 65536 // the numbers of 16 bits
)

// segment is the words of some documents, which follow each other in number.
type segment struct {
	first     int      // the number of its first document
	words     []byte   // each word behind a line feed
	spans     []span   // of each word
	near      []uint32 // of each nearBytes of words: the number of the word at the first of them
	documents []uint16 // of the first word, then of the second …, counted from first; empty: word n is of document n
	// sorted is what finds words without reading them. Until it is there, words are read from the first to the last.
	sorted atomic.Pointer[sorted]
	reads  atomic.Int32 // how often the words were read so
}

// sorted is the words of a segment by each of their endings, and the documents by what most words have.
type sorted struct {
	endings *suffixarray.Index
	digits  threeDigits
}

// span is where a word begins in words, and where its documents end. They begin where those of the word before it end.
type span struct{ start, documents uint32 }

// nearBytes is how many bytes are looked through for the word that a place is in: as many as are fetched at once.
const nearBytes = 64

// mostPlaces is the number of places in a segment from which on it is faster to read all words than to go to each.
const mostPlaces = 4096

// sortedAfter is how often the words of a segment are read before they are sorted, which takes as long as reading them
// some hundred times. What is written while nobody searches is never sorted.
const sortedAfter = 256

// insert makes room for a position.
func (t *text) insert(at int) {
	for p := at; p < len(t.document); p++ {
		if d := t.document[p]; d != absent {
			t.rows[d]++
		}
	}

	if at < len(t.document) {
		t.frequent.forget()
	}

	t.document = slices.Insert(t.document, at, absent)
	t.sums = slices.Insert(t.sums, at, 0)
}

func (t *text) remove(at int) {
	if d := t.document[at]; d != absent {
		t.rows[d] = absent
		t.document[at] = absent
		t.stale++
		t.frequent.clear(at)
	}
}

// put sets the text of a row. If the row has this text already, it does nothing.
func (t *text) put(at int, s string, loading bool) {
	sum := maphash.String(t.seed, s)
	if t.document[at] != absent && t.sums[at] == sum {
		return
	}

	t.remove(at)
	t.document[at] = int32(len(t.rows))
	t.sums[at] = sum
	t.rows = append(t.rows, int32(at))

	t.latest.add(s)

	if n := len(t.latest.spans); n == loadedSize || (n >= segmentSize && !loading) {
		t.seal()
	}
}

func newText() text { return text{latest: new(segment), seed: maphash.MakeSeed()} }

func (t *text) seal() {
	t.sealed = append(t.sealed, t.latest.seal())
	t.latest = &segment{first: len(t.rows)}
}

// sort sorts the words of the segment, which takes long. A second call does it again, to the same end.
func (s *segment) sort() {
	s.sorted.Store(&sorted{endings: suffixarray.New(s.words), digits: s.threeDigits()})
}

// add appends a word.
func (s *segment) add(word string) {
	s.words = append(s.words, '\n')
	s.spans = append(s.spans, span{start: uint32(len(s.words))})
	s.words = append(s.words, word...)

	for len(s.near)*nearBytes < len(s.words) {
		s.near = append(s.near, uint32(len(s.spans)-1))
	}
}

// word returns a word by its number.
func (s *segment) word(n int) []byte {
	if n+1 < len(s.spans) {
		return s.words[s.spans[n].start : s.spans[n+1].start-1]
	}

	return s.words[s.spans[n].start:]
}

// seal returns the segment with each word of its documents once.
func (s *segment) seal() *segment {
	number := map[string]int{}

	var (
		words []string
		in    [][]uint16
	)

	for d := range s.spans {
		for word := range strings.FieldsSeq(string(s.word(d))) {
			n, known := number[word]
			if !known {
				n = len(words)
				number[word] = n
				words = append(words, word)
				in = append(in, nil)
			}

			if last := len(in[n]) - 1; last < 0 || in[n][last] != uint16(d) {
				in[n] = append(in[n], uint16(d))
			}
		}
	}

	out := &segment{first: s.first}
	for n, word := range words {
		out.add(word)
		out.documents = append(out.documents, in[n]...)
		out.spans[n].documents = uint32(len(out.documents))
	}

	out.words = slices.Clip(out.words)
	out.spans = slices.Clip(out.spans)
	out.near = slices.Clip(out.near)
	out.documents = slices.Clip(out.documents)

	return out
}

// find returns the rows whose text contains the word. The caller does not change the set.
func (t *text) find(word string) bits {
	known := t.frequent.find(word)
	if known.documents == len(t.rows) {
		return known.found
	}

	pattern := []byte(word)
	m := &matches{rows: t.rows, found: make(bits, len(t.document)/wordBits+1)}
	copy(m.found, known.found)

	for i, s := range t.sealed {
		if i+1 == len(t.sealed) || t.sealed[i+1].first > known.documents {
			s.find(pattern, m)
		}
	}

	t.latest.find(pattern, m)

	if known.found != nil || m.added > len(t.rows)/frequentShare {
		t.frequent.keep(word, answer{m.found, len(t.rows), known.cost + m.added})
	}

	return m.found
}

// matches collects the rows of documents.
type matches struct {
	rows  []int32 // of each document
	found bits    // as long as all rows need
	added int
}

// add adds the rows of documents that are counted from a segment's first.
func (m *matches) add(first int, documents []uint16) {
	rows := m.rows[first:]
	found := m.found

	for _, d := range documents {
		if at := rows[d]; at != absent {
			found[uint32(at)/wordBits] |= 1 << (uint32(at) % wordBits)
		}
	}

	m.added += len(documents)
}

// find adds the documents that have the pattern in a word.
func (s *segment) find(pattern []byte, m *matches) {
	if sorted := s.sorted.Load(); sorted != nil {
		if n, ok := number(pattern); ok && len(pattern) == 3 {
			m.add(s.first, sorted.digits.documentsOf(n))
			return
		}

		places := sorted.endings.Lookup(pattern, mostPlaces)
		if len(places) < mostPlaces {
			s.all(places, m)

			return
		}
	}

	s.reads.Add(1)

	n := 0

	for from := 0; from < len(s.words); from = int(s.spans[n].start) {
		i := bytes.Index(s.words[from:], pattern)
		if i < 0 {
			return
		}

		n = s.at(from + i)
		s.each(n, m)

		if n++; n == len(s.spans) {
			return
		}
	}
}

// all adds the documents of the words at places. It makes each step for all of them before the next step: so the
// processor fetches many places of memory at once, where it would wait for one after the other.
func (s *segment) all(places []int, m *matches) {
	var words [mostPlaces]int

	for i, p := range places {
		words[i] = int(s.near[p/nearBytes])
	}

	for i, p := range places {
		words[i] = s.reach(words[i], p)
	}

	for _, n := range words[:len(places)] {
		s.each(n, m)
	}
}

// at returns the number of the word at a place.
func (s *segment) at(place int) int { return s.reach(int(s.near[place/nearBytes]), place) }

// reach goes on from a word to the one at a place.
func (s *segment) reach(n, place int) int {
	for n+1 < len(s.spans) && int(s.spans[n+1].start) <= place {
		n++
	}

	return n
}

// each adds the documents of word n.
func (s *segment) each(n int, m *matches) {
	if s.documents == nil {
		m.add(s.first+n, []uint16{0})
		return
	}

	m.add(s.first, s.documentsOf(n))
}

// documentsOf returns the documents of word n of a segment that is sealed.
func (s *segment) documentsOf(n int) []uint16 {
	begin := uint32(0)
	if n > 0 {
		begin = s.spans[n-1].documents
	}

	return s.documents[begin:s.spans[n].documents]
}
