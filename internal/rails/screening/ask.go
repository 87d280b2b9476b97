package screening

import "slices"

// asked is a word of the requested name: a token, or what several tokens are if they are one word, or what one token
// hides that is several.
type asked struct {
	text     string
	from, to int // its letters in the name, without separators
	weight   int // of a token: how much of the name it is
	similar  map[int32]int
	extra    bool // not a token: it counts only where it is found
	shares   bool // its letters are those of other asked words too
}

func (a asked) overlaps(b asked) bool { return a.from < b.to && b.from < a.to }

// within reports whether all letters of a word are those of others, of which no two overlap.
func (a asked) within(others []asked) bool {
	letters := a.to - a.from
	for _, b := range others {
		letters -= max(0, min(a.to, b.to)-max(a.from, b.from))
	}

	return letters <= 0
}

// Limits of what is looked for besides the tokens: a word in pieces, and several words in one.
const (
	maxPieces    = 32
	maxJoined    = 64 // letters
	shortestPart = 2  // letters of a word that stands in another one without a blank
)

// ask returns what is looked for of a name, in each order in which it is: the words that it has in pieces, the longest
// first, its tokens as they stand, and what these are made of. What comes first takes its letters from the others, so
// there is a second order if words are in pieces.
func (x *nameIndex) ask(name string) [][]asked {
	tokens := tokensOf(name)

	ends := make([]int, len(tokens)+1) // in letters
	for i, t := range tokens {
		ends[i+1] = ends[i] + t.length()
	}

	joined := x.joined(tokens, ends)
	company := companyOnly(tokens)

	var single, parts []asked
	for i, t := range tokens {
		a := asked{text: spellings.Replace(t.plain), from: ends[i], to: ends[i+1]}
		for _, w := range readings(t) {
			a.similar = x.similarWords(w, a.similar)
		}

		id, known := x.word[a.text]
		switch {
		case company[i], a.text == "":
		case known:
			a.weight = x.vocab[id].weight
		default:
			a.weight = x.weight(a.text, 0)
		}

		parts = append(parts, x.parts([]rune(t.plain), ends[i])...)

		if a.weight > 0 || a.similar != nil {
			single = append(single, a)
		}
	}

	out := [][]asked{slices.Concat(joined, single, parts)}
	if len(joined) > 0 {
		out = append(out, slices.Concat(single, joined, parts))
	}

	for _, order := range out {
		for i := range order {
			order[i].shares = len(joined)+len(parts) > 0
		}
	}

	return out
}

// companyOnly reports of each token whether it is a word for the kind of company, or with its neighbours the letters of
// one. They count for nothing, unless nothing else is there.
func companyOnly(tokens []token) []bool {
	const longest = 8 // letters of such a word

	out := make([]bool, len(tokens))
	for i := range tokens {
		letters := 0
		for j := i; j < len(tokens) && letters <= longest; j++ {
			if letters += tokens[j].length(); !companyWord(readings(tokens[i : j+1]...)) {
				continue
			}

			for k := i; k <= j; k++ {
				out[k] = true
			}
		}
	}

	if !slices.Contains(out, false) {
		clear(out)
	}

	return out
}

// joined returns the words of the vocabulary that a name has in pieces, the longest first.
func (x *nameIndex) joined(tokens []token, ends []int) (out []asked) {
	for i := range tokens {
		for j := i + 2; j <= min(len(tokens), i+maxPieces) && ends[j]-ends[i] <= maxJoined; j++ {
			var similar map[int32]int

			read := readings(tokens[i:j]...)
			for _, w := range read {
				similar = x.sameWords(w, similar)
			}

			if similar != nil {
				out = append(out, asked{
					text:    spellings.Replace(read[0]),
					from:    ends[i],
					to:      ends[j],
					similar: similar,
					extra:   true,
				})
			}
		}
	}

	slices.SortStableFunc(out, func(a, b asked) int { return (b.to - b.from) - (a.to - a.from) })

	return out
}

// parts returns the words of the vocabulary that a token consists of, in every way in which it does so entirely. from
// is where the token begins.
func (x *nameIndex) parts(token []rune, from int) (out []asked) {
	n := len(token)
	if n < 2*shortestPart || n > maxJoined {
		return nil
	}

	reached := make([]bool, n+1)
	reached[0] = true

	for i := range n {
		for j := i + shortestPart; reached[i] && j <= n; j++ {
			w := spellings.Replace(string(token[i:j]))

			a := asked{text: w, from: from + i, to: from + j, extra: true}
			if id, ok := x.word[w]; ok {
				a.similar = map[int32]int{id: 100}
			} else if !ofCompany(w) {
				continue
			}

			reached[j] = true
			if j-i < n { // else it is the token itself
				out = append(out, a)
			}
		}
	}

	if !reached[n] || len(out) == 0 {
		return nil
	}

	ahead := make([]bool, n+1) // from where words lead to the end
	ahead[n] = true

	for i := n - 1; i >= 0; i-- {
		ahead[i] = slices.ContainsFunc(out, func(a asked) bool { return a.from == from+i && ahead[a.to-from] })
	}

	out = slices.DeleteFunc(out, func(a asked) bool { return !ahead[a.to-from] })
	// words of companies last
	slices.SortStableFunc(out, func(a, b asked) int { return len(b.similar) - len(a.similar) })

	return out
}
