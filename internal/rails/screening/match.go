package screening

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"math/bits"
	"slices"
	"strings"
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
}

// nameIndex finds similar listed names without comparing with each: by words that are equal, or equal after removing
// one letter from either. It never changes after newIndex.
type nameIndex struct {
	seed  maphash.Seed
	names []listed
	vocab []vocable
	word  map[string]int32
	near  []neighbour // sorted by hash
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
	maxWords   = 16
	shortWord  = 4
	similarity = 75 // of 100: from here on two words count as the same, misspelt
)

func newIndex(names []listed, spelt [][]string) *nameIndex {
	x := &nameIndex{seed: maphash.MakeSeed(), names: names, word: map[string]int32{}}
	for i := range names {
		for _, w := range spelt[i] {
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

// similarWords returns the words of the vocabulary that a word may be a misspelling of, with their similarity.
func (x *nameIndex) similarWords(w string) map[int32]int {
	out := map[int32]int{}
	if id, ok := x.word[w]; ok {
		out[id] = 100
	}

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
				out[id] = like
			}
		}
	}

	return out
}

// asked is a word of the requested name.
type asked struct {
	text    string
	weight  int
	similar map[int32]int
}

// match returns the names that score least or more, best first, one per party.
func (x *nameIndex) match(name string, least int) []Hit {
	var query []asked
	total := 0
	seen := map[int32]bool{}

	spelt := words(name)
	for _, w := range spelt[:min(len(spelt), maxWords)] {
		a := asked{text: w, weight: x.weight(w, 0), similar: x.similarWords(w)}
		if id, ok := x.word[w]; ok {
			a.weight = x.vocab[id].weight
		}

		total += a.weight

		query = append(query, a)
		for id := range a.similar {
			for _, n := range x.vocab[id].names {
				seen[n] = true
			}
		}
	}

	best := map[*party]Hit{}
	for n := range seen {
		hit := x.score(query, total, &x.names[n])
		if old, ok := best[x.names[n].party]; hit.Score >= least && (!ok || better(hit, old)) {
			best[x.names[n].party] = hit
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

// score compares words. It counts by weight how much of each name is found in the other. The name of which more is
// found counts three fifths, so that a middle name missing in one of them does not hide a match.
func (x *nameIndex) score(query []asked, total int, l *listed) Hit {
	used := make([]bool, len(l.words))

	var same, rest []string
	found := 0

	foundListed := 0 // in hundredths of weights
	for _, a := range query {
		at := -1

		like := 0
		for i, w := range l.words {
			if k := a.similar[w]; !used[i] && k > like {
				at = i
				like = k
			}
		}

		if at < 0 {
			rest = append(rest, a.text)
			continue
		}

		used[at] = true
		v := x.vocab[l.words[at]]
		found += a.weight * like

		foundListed += v.weight * like
		if a.text == v.text {
			same = append(same, v.text)
		} else {
			same = append(same, a.text+" like "+v.text)
		}
	}

	one := found / max(1, total)
	other := foundListed / max(1, l.total)
	score := (3*max(one, other) + 2*min(one, other)) / 5

	why := "in both: " + strings.Join(same, ", ")
	if len(rest) > 0 {
		why += "; not listed: " + strings.Join(rest, ", ")
	}

	var missing []string
	for i, w := range l.words {
		if !used[i] {
			missing = append(missing, x.vocab[w].text)
		}
	}

	if len(missing) > 0 {
		why += "; listed besides: " + strings.Join(missing, ", ")
	}

	if l.weak {
		why += "; a weak alias"
	}

	return Hit{
		Key:       l.party.entry + "/" + Fold(l.text),
		List:      l.party.list,
		Entry:     l.party.entry,
		Name:      l.text,
		Weak:      l.weak,
		Programs:  l.party.programs,
		Countries: l.party.countries,
		Score:     score,
		Why:       fmt.Sprintf("%d of 100: %s", score, why),
	}
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
