package invoice

import (
	"strings"
	"unicode"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
)

// readAmount parses an amount as people write it: 1250.50, 1,250.50, 1.250,50, 1'250.50 or 1 250,50. It returns the
// form of the service, digits with at most one point. An amount with two readings, such as 1,250, is refused in l.
func readAmount(typed string, l *fault.List) string {
	s := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '\'' || r == '’' {
			return -1
		}

		return r
	}, typed)
	if s == "" {
		l.Add("/amount", fault.Required, "is required.")
		return ""
	}

	points := strings.Count(s, ".")
	commas := strings.Count(s, ",")

	switch {
	case commas == 0 && points <= 1:
	case commas == 0: // 1.250.500
		s = ungrouped(s, ".", "")

	case points == 0 && commas == 1:
		integer, fraction, _ := strings.Cut(s, ",")
		if len(fraction) == 3 {
			l.Add("/amount", fault.FormatInvalid,
				"%s can be read in two ways: write it with a point before the cents, such as 1250.00.", typed)

			return ""
		}

		s = integer + "." + fraction

	case points == 0: // 1,250,500
		s = ungrouped(s, ",", "")
	case strings.LastIndexByte(s, ',') > strings.LastIndexByte(s, '.'): // 1.250,50
		s = ungrouped(s, ".", ",")
	default: // 1,250.50
		s = ungrouped(s, ",", ".")
	}

	integer, fraction, hasFraction := strings.Cut(s, ".")

	number := strings.TrimLeft(integer, "0")
	if integer != "" && number == "" {
		number = "0"
	}

	if hasFraction {
		number += "." + fraction
	}

	if money.CheckForm(number) != nil {
		l.Add("/amount", fault.AmountForm, "must be a number, such as 1250.50.")
		return ""
	}

	return number
}

// ungrouped removes the marks between groups of three digits and writes a point for the mark before the cents. It
// returns "" if a group has not three digits or there is more than one mark before the cents.
func ungrouped(s, group, cents string) string {
	integer := s
	fraction := ""
	hasFraction := false

	if cents != "" {
		integer, fraction, hasFraction = strings.Cut(s, cents)
	}

	groups := strings.Split(integer, group)
	for i, g := range groups {
		if i > 0 && len(g) != 3 || i == 0 && (len(g) == 0 || len(g) > 3) {
			return ""
		}
	}

	if hasFraction {
		return strings.Join(groups, "") + "." + fraction
	}

	return strings.Join(groups, "")
}
