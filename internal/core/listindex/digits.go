package listindex

import (
	"fmt"
	"slices"
)

// Who searches for a number, a date or an amount types its first digits before the others. Of all words, these are in
// the most documents, and going to each of them takes a hundred times as long as finding the whole number. So the
// documents that have one to three digits are found before anybody searches.

// number returns the number that decimal digits are, or false for other text.
func number(digits []byte) (n int, ok bool) {
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}

		n = 10*n + int(c-'0')
	}

	return n, true
}

// threeDigits is the documents of a segment that have three digits in a word, for each three: those of 000 in rising
// order, then those of 001 …, counted from the segment's first.
type threeDigits struct {
	documents []uint16
	ends      [1000]uint32 // of each: where its documents end
}

func (t *threeDigits) documentsOf(n int) []uint16 {
	begin := uint32(0)
	if n > 0 {
		begin = t.ends[n-1]
	}

	return t.documents[begin:t.ends[n]]
}

// threeDigits finds the documents of all three digits, in a segment that is sealed.
func (s *segment) threeDigits() (out threeDigits) {
	var have [len(out.ends)]bits

	s.eachNumber(3, func(w, n int) {
		for _, d := range s.documentsOf(w) {
			have[n] = have[n].with(int(d))
		}
	})

	for n, b := range have {
		b.up(0, loadedSize, 0, func(d int) bool {
			out.documents = append(out.documents, uint16(d))
			return true
		})

		out.ends[n] = uint32(len(out.documents))
	}

	out.documents = slices.Clip(out.documents)

	return out
}

// findDigits finds the rows of each digit, and of all two. Those of three are found in each segment, because there are
// so many that a set of rows for each would take more memory than all words.
func (t *text) findDigits() {
	for digits, numbers := range map[int]int{1: 10, 2: 100} {
		all := make([]matches, numbers)
		for n := range all {
			all[n] = matches{rows: t.rows, found: make(bits, len(t.document)/wordBits+1)}
		}

		for _, s := range t.sealed {
			s.eachNumber(digits, func(w, n int) { s.each(w, &all[n]) })
		}

		for n, m := range all {
			if m.added > len(t.rows)/frequentShare {
				t.frequent.keep(fmt.Sprintf("%0*d", digits, n), answer{m.found, len(t.rows), m.added})
			}
		}
	}
}

// eachNumber calls found with each number of so many digits in the segment's words, and with its word.
func (s *segment) eachNumber(digits int, found func(word, number int)) {
	for w := range s.spans {
		word := s.word(w)

		for end := digits; end <= len(word); end++ {
			if n, ok := number(word[end-digits : end]); ok {
				found(w, n)
			}
		}
	}
}
