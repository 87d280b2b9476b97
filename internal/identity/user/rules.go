package user

import (
	"net/mail"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"slipway/internal/core/fault"
)

// CheckText trims a line of text and notes when it is missing, too long, or holds control characters (PostgreSQL
// cannot store NUL, and a line break in a name forges log lines and mail headers). It returns the trimmed text.
func CheckText(l *fault.List, pointer, s string, most int, required bool) string {
	s = strings.TrimSpace(s)
	switch {
	case s == "" && required:
		l.Add(pointer, fault.Required, "is required.")
	case utf8.RuneCountInString(s) > most:
		l.Add(pointer, fault.TooLong, "may have at most %d characters.", most)
	case !utf8.ValidString(s) || strings.ContainsFunc(s, hidden):
		l.Add(pointer, fault.FormatInvalid, "must be one line of visible characters.")
	}

	return s
}

// CheckName is CheckText for a name of a person or an organisation, which stands in mails to people who never asked
// for them: it must not hold the address of a page.
func CheckName(l *fault.List, pointer, s string, most int, required bool) string {
	s = CheckText(l, pointer, s, most, required)
	if holdsLink(s) {
		l.Add(pointer, fault.FormatInvalid, "must not hold an address to follow.")
	}

	return s
}

// holdsLink reports whether a text has the address of a page in it.
func holdsLink(s string) bool {
	s = strings.ToLower(s)

	return strings.Contains(s, "://") || strings.Contains(s, "www.") || linkPath.MatchString(s)
}

// linkPath is a host with a path behind it: example.com/offer.
var linkPath = regexp.MustCompile(`[\pL\d-]\.\pL{2,}/`)

// hidden: control characters, and the marks that turn the direction of writing, with which one name can be made to
// look like another.
func hidden(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' ||
		r == utf8.RuneError
}

// maxEmail is the longest address that can be delivered to (RFC 5321, 4.5.3.1.3, less the angle brackets).
const maxEmail = 254

// CheckEmail trims an address and notes when it is missing or cannot be one. Only ASCII is taken: two addresses that
// look alike in Unicode would be two accounts. It returns the trimmed address with the case as written.
func CheckEmail(l *fault.List, pointer, s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		l.Add(pointer, fault.Required, "is required.")
		return s
	}

	if len(s) > maxEmail {
		l.Add(pointer, fault.TooLong, "may have at most %d characters.", maxEmail)
		return s
	}

	a, err := mail.ParseAddress(s)

	at := strings.LastIndexByte(s, '@')
	if err != nil || a.Address != s || !visibleASCII(s) || at < 1 || at > 64 ||
		!strings.Contains(strings.Trim(s[at+1:], "."), ".") {
		l.Add(pointer, fault.FormatInvalid, "must be an e-mail address such as name@example.com.")
	}

	return s
}

func visibleASCII(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}

	return true
}

// CheckPhone trims a telephone number and notes when it has other characters than numbers are written with.
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

// CheckBirth reads a day of birth, written as a day or as a date-time, and returns the day. It notes days before 1900
// and in the future.
func CheckBirth(l *fault.List, pointer, s string, now time.Time) string {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		t, err = time.Parse(time.RFC3339, s)
	}

	switch {
	case err != nil:
		l.Add(pointer, fault.FormatInvalid, "must be a date such as 1980-05-17.")
		return ""
	case t.Year() < 1900 || t.After(now):
		l.Add(pointer, fault.OutOfRange, "must be a day of birth: after 1900 and not in the future.")
	}

	return t.UTC().Format(time.DateOnly)
}

// BirthTime is a stored day of birth as the interface shows it, a date-time; nil for none.
func BirthTime(day string) *time.Time {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return nil
	}

	return &t
}

// Shown is a time as the interface shows it: UTC with milliseconds.
func Shown(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

func itoa(n int) string { return strconv.Itoa(n) }
