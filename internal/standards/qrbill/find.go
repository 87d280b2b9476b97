package qrbill

import (
	"errors"
	"slices"
	"strings"
)

// Why no bill is taken from a document. Both are stable answers, not faults of the document's form.
var (
	ErrNone    = errors.New("the document has no QR code of a Swiss bill")
	ErrSeveral = errors.New(
		"the document has QR codes of different Swiss bills: which one is meant is for a person to say",
	)
)

// Find picks the Swiss bill among the texts of all QR codes of a document. Other codes do not count, and the same
// text twice is one bill. Its errors are ErrNone, ErrSeveral, and Parse's when the only bill breaks the rules; a
// faulty bill beside a good one is ErrSeveral too, for the good one may not be the one that is meant.
func Find(texts []string) (Bill, error) {
	var bills []string
	for _, text := range texts {
		if Is(text) && !slices.Contains(bills, text) {
			bills = append(bills, text)
		}
	}

	switch len(bills) {
	case 0:
		return Bill{}, ErrNone
	case 1:
		return Parse(bills[0])
	}

	return Bill{}, ErrSeveral
}

// Is says whether a QR code's text claims to be a Swiss bill, by its first line.
func Is(text string) bool {
	rest, ok := strings.CutPrefix(text, header)
	return ok && rest != "" && (rest[0] == '\n' || rest[0] == '\r')
}
