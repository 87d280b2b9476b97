package user

import (
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"slipway/internal/core/day"
	"slipway/internal/core/fault"
	"slipway/internal/core/text"
	"slipway/internal/standards/mailbox"
)

// CheckText returns a line of text cleaned (text.Clean) and trimmed. It adds to l if the text is missing, too long, or
// contains hidden characters: PostgreSQL cannot store NUL, a line break in a name could forge log lines and mail
// headers, and with marks that turn the direction of writing one name can look like another.
func CheckText(l *fault.List, pointer, s string, maxLength int, required bool) string {
	s = strings.TrimSpace(text.Clean(s))
	switch {
	case s == "" && required:
		l.Add(pointer, fault.Required, "is required.")
	case utf8.RuneCountInString(s) > maxLength:
		l.Add(pointer, fault.TooLong, "may have at most %d characters.", maxLength)
	case !text.OneLine(s):
		l.Add(pointer, fault.FormatInvalid, "must be one line of visible characters.")
	}

	return s
}

// CheckName is CheckText for the name of a person or an organisation. Names stand in mails to people who never asked
// for them, so a name must not contain the address of a page.
func CheckName(l *fault.List, pointer, s string, maxLength int, required bool) string {
	s = CheckText(l, pointer, s, maxLength, required)
	if holdsLink(s) {
		l.Add(pointer, fault.FormatInvalid, "must not contain the address of a web page.")
	}

	return s
}

// holdsLink reports whether a text contains the address of a page.
func holdsLink(s string) bool {
	s = strings.ToLower(s)

	return strings.Contains(s, "://") || strings.Contains(s, "www.") || linkPath.MatchString(s)
}

// linkPath matches a host with a path behind it: example.com/offer.
var linkPath = regexp.MustCompile(`[\pL\d-]\.\pL{2,}/`)

// CheckEmail returns an address in the form in which it is stored (mailbox.Parse). It adds to l if the address is
// missing or is none.
func CheckEmail(l *fault.List, pointer, s string) string {
	s = text.Trim(s)
	if s == "" {
		l.Add(pointer, fault.Required, "is required.")
		return s
	}

	if len(s) > mailbox.MaxLength {
		l.Add(pointer, fault.TooLong, "may have at most %d characters.", mailbox.MaxLength)
		return s
	}

	address, err := mailbox.Parse(s)
	if err != nil {
		l.Add(pointer, fault.FormatInvalid, "%s.", err)
		return s
	}

	return address
}

func visibleASCII(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}

	return true
}

// CheckPhone returns a telephone number trimmed. It adds to l if it contains anything but digits and the usual marks.
func CheckPhone(l *fault.List, pointer, s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return s
	}

	digits := 0
	for i := range len(s) {
		switch {
		case s[i] >= '0' && s[i] <= '9':
			digits++
		case !strings.ContainsRune("+ ()./-", rune(s[i])) || (s[i] == '+' && i > 0):
			digits = -maxPhone
		}
	}

	if digits < 4 || len(s) > maxPhone {
		l.Add(pointer, fault.FormatInvalid, "must be a telephone number such as +41 44 668 18 00.")
	}

	return s
}

const maxPhone = 32

// CheckBirth parses a day of birth, written as a date or as a date-time, and returns the date. It adds to l if the day
// is before 1900 or in the future.
func CheckBirth(l *fault.List, pointer, s string, now time.Time) string {
	t, err := day.Parse(s)

	switch {
	case err != nil:
		l.Add(pointer, fault.FormatInvalid, "must be a date such as 1980-05-17.")
		return ""
	case t.Year() < 1900 || t.After(now):
		l.Add(pointer, fault.OutOfRange, "must be a day of birth: after 1900 and not in the future.")
	}

	return t.Format(time.DateOnly)
}

// BirthTime returns a stored day of birth as the interface shows it, a date-time; nil for none.
func BirthTime(date string) *time.Time {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return nil
	}

	return &t
}

// Shown returns a time as the interface shows it: UTC with milliseconds.
func Shown(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }
