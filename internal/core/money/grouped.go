package money

import "strings"

// Grouped returns a decimal text with commas between thousands, for people: 1,234.50. It never rounds. A text that is
// no number is returned as it is.
func Grouped(s string) string {
	digits, negative := strings.CutPrefix(s, "-")
	whole, frac, point := strings.Cut(digits, ".")

	if strings.Trim(whole+frac, "0123456789") != "" || whole == "" {
		return s
	}

	var b strings.Builder
	if negative {
		b.WriteByte('-')
	}

	for i, c := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}

		b.WriteRune(c)
	}

	if point {
		b.WriteString("." + frac)
	}

	return b.String()
}
