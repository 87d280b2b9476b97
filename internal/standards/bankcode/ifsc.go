package bankcode

import "errors"

// ErrIFSC is why a text is no IFSC.
var ErrIFSC = errors.New("an IFSC has eleven characters: four letters, a zero, six letters or digits")

// IFSC is an Indian Financial System Code.
type IFSC string

// ParseIFSC reads an IFSC; white space is taken out, letters become capitals. Whether there is such a branch, only
// the Reserve Bank's list knows.
func ParseIFSC(s string) (IFSC, error) {
	s = upper(s)
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
