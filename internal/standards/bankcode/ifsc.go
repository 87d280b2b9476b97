package bankcode

import (
	"errors"

	"slipway/internal/core/text"
)

// ErrIFSC means that a text is not an IFSC.
var ErrIFSC = errors.New("an IFSC has eleven characters: four letters, a zero, six letters or digits")

// IFSC is an Indian Financial System Code.
type IFSC string

// ParseIFSC parses an IFSC as people write it (text.Compact). It does not check that the branch exists:
// only the Reserve Bank's list shows that.
func ParseIFSC(s string) (IFSC, error) {
	s = text.Compact(s)
	if len(s) != 11 || s[4] != '0' {
		return "", ErrIFSC
	}

	for i := range len(s) {
		if !letter(s[i]) && (i < 4 || !digit(s[i])) {
			return "", ErrIFSC
		}
	}

	return IFSC(s), nil
}
