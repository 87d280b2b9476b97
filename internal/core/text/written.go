package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Unspaced returns a number or code without what people put between its characters to read it, and without what comes
// along when it is copied: white space of all kinds, line ends, and what cannot be seen. What Hidden reports stays, to
// be refused. Letters and digits of full width become those of ASCII. It checks nothing, and a second call changes
// nothing.
func Unspaced(s string) string {
	if isASCII(s) && !strings.ContainsFunc(s, unicode.IsSpace) {
		return s
	}

	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || Invisible(r) && !Hidden(r) {
			return -1
		}

		return r
	}, norm.NFKC.String(s))

	return norm.NFC.String(s) // a mark may stand beside another letter now
}

// Compact is Unspaced for numbers and codes of which no hyphen is part: it removes those too, and capitals replace
// small letters of ASCII.
func Compact(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Pd, r), r == '\u2212': // minus
			return -1
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		}

		return r
	}, Unspaced(s))

	return norm.NFC.String(s)
}
