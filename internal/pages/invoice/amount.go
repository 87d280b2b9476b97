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
		whole, part, _ := strings.Cut(s, ",")
		if len(part) == 3 {
			l.Add("/amount", fault.FormatInvalid,
				"%s can be read in two ways: write it with a point before the cents, such as 1250.00.", typed)

			return ""
		}

		s = whole + "." + part

	case points == 0: // 1,250,500
		s = ungrouped(s, ",", "")
	case strings.LastIndexByte(s, ',') > strings.LastIndexByte(s, '.'): // 1.250,50
		s = ungrouped(s, ".", ",")
	default: // 1,250.50
		s = ungrouped(s, ",", ".")
	}

	whole, part, pointed := strings.Cut(s, ".")
	if trimmed := strings.TrimLeft(whole, "0"); whole != "" && trimmed == "" {
		whole = "0"
	} else {
		whole = trimmed
	}

	if pointed {
		whole += "." + part
	}

	if money.CheckForm(whole) != nil {
		l.Add("/amount", fault.AmountForm, "must be a number, such as 1250.50.")
		return ""
	}

	return whole
}

// ungrouped removes the marks between groups of three digits and writes a point for the mark before the cents. It
// returns "" if a group has not three digits or there is more than one mark before the cents.
func ungrouped(s, group, cents string) string {
	whole := s
	part := ""
	pointed := false

	if cents != "" {
		whole, part, pointed = strings.Cut(s, cents)
	}

	groups := strings.Split(whole, group)
	for i, g := range groups {
		if i > 0 && len(g) != 3 || i == 0 && (len(g) == 0 || len(g) > 3) {
			return ""
		}
	}

	if pointed {
		return strings.Join(groups, "") + "." + part
	}

	return strings.Join(groups, "")
}

// showAmount returns an amount with its thousands separated: "EUR 1,250.50".
func showAmount(amount, unit string) string {
	whole, part, pointed := strings.Cut(amount, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}

	if pointed {
		whole += "." + part
	}

	return unit + " " + whole
}
