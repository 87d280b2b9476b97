package screening

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"math/bits"
	"slices"
	"strings"

	"slipway/internal/core/text"
)

// listed is one name of one party.
type listed struct {
	party *party
	text  string // as in the list
	weak  bool
	words []int32 // of the vocabulary
	total int     // the sum of their weights
}

// party is what is known of a listed party besides its names.
type party struct {
	list, entry string
	programs    []string
	countries   []string
	births      []string
	places      []string
	numbers     []string
}

// nameIndex finds similar listed names without comparing with each: by words that are equal, look the same, or are
// equal after removing one letter from either. It never changes after newIndex.
type nameIndex struct {
	seed  maphash.Seed
	names []listed
	vocab []vocable
	word  map[string]int32
	looks map[string][]int32 // words by what they look like at a glance, where that is not the word itself
	near  []neighbour        // sorted by hash
}

// vocable is a word of listed names, with the names that contain it.
type vocable struct {
	text   string
	names  []int32
	weight int // how specific it is: rarer words weigh more
}

// neighbour is a word without one letter, by its hash.
type neighbour struct {
	hash uint64
	word int32
}

// maxWords limits the words of a name that are compared; least is the length from which words may differ in a letter.
const (
	maxWords   = 40
	shortWord  = 4
	similarity = 75 // of 100: from here on two words count as the same, misspelt
	glanced    = 95 // of 100: the similarity of words that look the same at a glance
)

func newIndex(names []listed, words [][]string) *nameIndex {
	x := &nameIndex{
		seed:  maphash.MakeSeed(),
		names: names,
		word:  map[string]int32{},
		looks: map[string][]int32{},
	}
	for i := range names {
		for _, w := range words[i] {
			id, known := x.word[w]
			if !known {
				id = int32(len(x.vocab))
				x.word[w] = id
				x.vocab = append(x.vocab, vocable{text: w})
			}

			v := &x.vocab[id]
			if n := len(v.names); n == 0 || v.names[n-1] != int32(i) {
				v.names = append(v.names, int32(i))
			}

			names[i].words = append(names[i].words, id)
		}
	}

	x.addLooks()

	for i := range x.vocab {
		x.vocab[i].weight = x.weight(x.vocab[i].text, len(x.vocab[i].names))
		for _, h := range x.without(x.vocab[i].text) {
			x.near = append(x.near, neighbour{h, int32(i)})
		}
	}

	slices.SortFunc(x.near, func(a, b neighbour) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.word, b.word))
	})

	for i := range names {
		for _, w := range names[i].words {
			names[i].total += x.vocab[w].weight
		}
	}

	return x
}

// addLooks makes words findable by what they look like: at a glance, and in Latin letters where they are listed in
// others.
func (x *nameIndex) addLooks() {
	add := func(look string, id int32) {
		if look != x.vocab[id].text && !slices.Contains(x.looks[look], id) {
			x.looks[look] = append(x.looks[look], id)
		}
	}
	for i := range x.names {
		for _, t := range tokensOf(x.names[i].text) {
			if id, ok := x.word[spellings.Replace(t.plain)]; ok {
				add(glance(t.plain), id)

				if t.latin != t.plain {
					add(glance(t.latin), id)
				}
			}
		}
	}
}

// weight returns the weight of a word in n names: one, plus one for each halving of its frequency; a third of that for
// a common word.
func (x *nameIndex) weight(w string, n int) int {
	out := 1 + bits.Len(uint(len(x.names)/max(1, n)))
	if strings.Contains(commonWords, " "+w+" ") {
		return max(1, out/3)
	}

	return out
}

// without returns the hashes of a word and of every form without one letter. Short words must be equal.
func (x *nameIndex) without(w string) []uint64 {
	out := []uint64{maphash.String(x.seed, w)}
	if r := []rune(w); len(r) > shortWord {
		for i := range r {
			out = append(out, maphash.String(x.seed, string(r[:i])+string(r[i+1:])))
		}
	}

	return out
}

// sameWords adds the words of the vocabulary that a word is in another spelling, or looks like at a glance, with their
// similarity.
func (x *nameIndex) sameWords(w string, out map[int32]int) map[int32]int {
	note := func(id int32, like int) {
		if out == nil {
			out = map[int32]int{}
		}

		out[id] = max(out[id], like)
	}

	if id, ok := x.word[spellings.Replace(w)]; ok {
		note(id, 100)
	}

	look := glance(w)
	if id, ok := x.word[look]; ok {
		note(id, glanced)
	}

	for _, id := range x.looks[look] {
		note(id, glanced)
	}

	return out
}

// similarWords adds the words of the vocabulary that a word may be a misspelling of, with their similarity.
func (x *nameIndex) similarWords(w string, out map[int32]int) map[int32]int {
	out = x.sameWords(w, out)

	w = spellings.Replace(w)
	if len([]rune(w)) <= shortWord {
		return out
	}

	for _, h := range x.without(w) {
		at, _ := slices.BinarySearchFunc(x.near, h, func(n neighbour, h uint64) int { return cmp.Compare(n.hash, h) })

		for ; at < len(x.near) && x.near[at].hash == h; at++ {
			id := x.near[at].word
			if _, seen := out[id]; seen || len([]rune(x.vocab[id].text)) <= shortWord {
				continue
			}

			if like := likeness(w, x.vocab[id].text); like >= similarity {
				if out == nil {
					out = map[int32]int{}
				}

				out[id] = like
			}
		}
	}

	return out
}

// match returns the names that score least or more, best first, one per party.
func (x *nameIndex) match(name string, least int) []Hit {
	orders := x.ask(name)

	seen := map[int32]bool{}
	for _, a := range orders[0] {
		for id := range a.similar {
			for _, n := range x.vocab[id].names {
				seen[n] = true
			}
		}
	}

	best := map[*party]Hit{}
	for n := range seen {
		l := &x.names[n]

		q := orders[0]

		f := x.compare(q, l)
		for _, other := range orders[1:] {
			if f2 := x.compare(other, l); f2.score > f.score {
				f = f2
				q = other
			}
		}

		if f.score < least {
			continue
		}

		hit := f.hit(x, q, l)
		if old, ok := best[l.party]; !ok || better(hit, old) {
			best[l.party] = hit
		}
	}

	out := make([]Hit, 0, len(best))
	for _, h := range best {
		out = append(out, h)
	}

	slices.SortFunc(out, func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key)) })

	return out[:min(len(out), HitLimit)]
}

func better(a, b Hit) bool {
	if a.Score != b.Score {
		return a.Score > b.Score
	}

	if a.Weak != b.Weak {
		return b.Weak
	}

	return a.Key < b.Key
}

// found is how a listed name compares with the requested one.
type found struct {
	score int   // of 100
	at    []int // of each asked word: the listed word that it is taken for; -1: none
	used  []bool
}

// compare counts by weight how much of each name is found in the other. The name of which more is found counts three
// fifths, so that a middle name missing in one of them does not hide a match. Letters count once: a word that is part
// of another one that was found is not looked for.
func (x *nameIndex) compare(query []asked, l *listed) found {
	f := found{at: make([]int, len(query)), used: make([]bool, len(l.words))}

	var (
		total, in, inListed int     // the latter in hundredths of weights
		taken               []asked // what was found and shares letters with others
	)
	for i := range query {
		a := &query[i]
		f.at[i] = -1

		if a.shares && slices.ContainsFunc(taken, a.overlaps) {
			continue
		}

		k, like := f.best(a, l)
		if k < 0 && !(a.extra && a.similar == nil) { // words of companies count for nothing, and are found everywhere
			continue
		}

		if a.shares {
			taken = append(taken, *a)
		}

		if k < 0 {
			continue
		}

		weight := x.vocab[l.words[k]].weight
		inListed += weight * like

		if !a.extra {
			weight = a.weight
		}

		f.at[i] = k
		f.used[k] = true
		total += weight
		in += weight * like
	}

	for i := range query {
		if a := &query[i]; f.at[i] < 0 && !a.extra && !(a.shares && a.within(taken)) {
			total += a.weight
		}
	}

	one := in / max(1, total)
	other := inListed / max(1, l.total)
	f.score = (3*max(one, other) + 2*min(one, other)) / 5

	return f
}

// best returns the listed word that an asked one is most similar to, of those that are left, and how much; -1 if to
// none.
func (f found) best(a *asked, l *listed) (at, like int) {
	at = -1
	for k, w := range l.words {
		if similar := a.similar[w]; !f.used[k] && similar > like {
			at = k
			like = similar
		}
	}

	return at, like
}

// hit returns a comparison with its explanation.
func (f found) hit(x *nameIndex, query []asked, l *listed) Hit {
	var same, rest, missing []string

	for i, a := range query {
		switch {
		case f.at[i] < 0 && a.weight > 0 && !f.covered(query, a):
			rest = append(rest, a.text)
		case f.at[i] < 0:
		case a.text == x.vocab[l.words[f.at[i]]].text:
			same = append(same, a.text)
		default:
			same = append(same, a.text+" like "+x.vocab[l.words[f.at[i]]].text)
		}
	}

	for i, w := range l.words {
		if !f.used[i] {
			missing = append(missing, x.vocab[w].text)
		}
	}

	why := "in both: " + strings.Join(same, ", ")
	if len(rest) > 0 {
		why += "; not listed: " + strings.Join(rest, ", ")
	}

	if len(missing) > 0 {
		why += "; listed besides: " + strings.Join(missing, ", ")
	}

	if l.weak {
		why += "; a weak alias"
	}

	return Hit{
		Key:       l.party.entry + "/" + text.Fold(l.text),
		List:      l.party.list,
		Entry:     l.party.entry,
		Name:      l.text,
		Weak:      l.weak,
		Programs:  l.party.programs,
		Countries: l.party.countries,
		Births:    l.party.births,
		Places:    l.party.places,
		Numbers:   l.party.numbers,
		Score:     f.score,
		Why:       fmt.Sprintf("%d of 100: %s", f.score, why),
	}
}

// covered reports whether a word shares letters with one that was found.
func (f found) covered(query []asked, a asked) bool {
	for i := range query {
		if f.at[i] >= 0 && a.overlaps(query[i]) {
			return true
		}
	}

	return false
}

// likeness returns the similarity of two words, of 100: each inserted, deleted, replaced or swapped letter costs its
// share of the longer word (Damerau-Levenshtein distance, optimal string alignment).
func likeness(a, b string) int {
	s := []rune(a)
	t := []rune(b)

	longest := max(len(s), len(t))
	if longest == 0 {
		return 100
	}

	before := make([]int, len(t)+1)
	last := make([]int, len(t)+1)
	row := make([]int, len(t)+1)

	for j := range last {
		last[j] = j
	}

	for i := 1; i <= len(s); i++ {
		row[0] = i
		for j := 1; j <= len(t); j++ {
			differs := 1
			if s[i-1] == t[j-1] {
				differs = 0
			}

			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+differs)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}

		before, last, row = last, row, before
	}

	return 100 * (longest - last[len(t)]) / longest
}
