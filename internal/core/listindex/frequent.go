package listindex

import "sync"

// frequent keeps the answers for words that many rows have: finding these again costs most, and people search for the
// same ones. An answer stays true while rows are added and change; a search completes it with what came since.
//
// Answers are kept and read by several searches at once. Rows change while nobody searches.
type frequent struct {
	mu      sync.Mutex
	answers map[string]answer
}

// answer is the rows that had a word when the text had some number of documents. Once it is kept, its bits are changed
// only by clear.
type answer struct {
	found     bits
	documents int
	cost      int // how many documents had the word
}

const (
	// frequentShare says which words are kept: those that one document of so many has, or more.
	frequentShare = 64
	// frequentMost limits the answers. An answer takes a bit for each row.
	frequentMost = 128
)

func (f *frequent) find(word string) answer {
	f.mu.Lock()
	defer f.mu.Unlock()

	return f.answers[word]
}

// keep keeps an answer. If there are too many, the one that is found again soonest is dropped.
func (f *frequent) keep(word string, a answer) {
	f.mu.Lock()
	defer f.mu.Unlock()

	if f.answers == nil {
		f.answers = map[string]answer{}
	}

	f.answers[word] = a

	if len(f.answers) <= frequentMost {
		return
	}

	least := word
	for other, b := range f.answers {
		if b.cost < f.answers[least].cost {
			least = other
		}
	}

	delete(f.answers, least)
}

// clear takes a row out of all answers, because its text changes.
func (f *frequent) clear(at int) {
	for _, a := range f.answers {
		a.found.clear(at)
	}
}

// forget drops all answers, because rows have moved.
func (f *frequent) forget() { clear(f.answers) }
