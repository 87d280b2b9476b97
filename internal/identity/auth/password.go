package auth

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
)

// Limits of a password. NIST SP 800-63B-4 (3.1.1.2) requires 15 characters for a password alone and 8 beside a second
// factor. It requires a block list and forbids rules on character classes. The maximum is far above what anyone types,
// so that no password is ever truncated.
const (
	minAlone      = 15   // characters, without a second factor
	minWithSecond = 8    // characters, beside a second factor
	maxPassword   = 1024 // bytes
)

// minLength returns how many characters a password needs.
func minLength(secondFactor bool) int {
	if secondFactor {
		return minWithSecond
	}

	return minAlone
}

func tooShortAlone(password string) bool { return utf8.RuneCountInString(password) < minAlone }

// normal returns a password in the form that is hashed, NFKC (NIST SP 800-63B): the same letters typed on another
// keyboard are the same password.
func normal(password string) string { return norm.NFKC.String(password) }

// commonText lists words of common passwords in lower case. People add digits, signs and other words to them.
//
//go:embed common_passwords.txt
var commonText string

// blockList is the set of words that a password may not be made of.
type blockList map[string]bool

func newBlockList() blockList {
	b := blockList{}
	for _, word := range strings.Fields(commonText) {
		b[word] = true
	}

	return b
}

// check adds to l why this person may not use a password. The texts never repeat the password.
func (b blockList) check(l *fault.List, pointer, password string, p user.Person, minLength int) {
	folded := strings.ToLower(password)
	local, _, _ := strings.Cut(user.Key(p.Email), "@")

	switch {
	case password == "":
		l.Add(pointer, fault.Required, "is required.")
	case len(password) > maxPassword:
		l.Add(pointer, fault.PasswordWeak, "may have at most %d bytes.", maxPassword)
	case utf8.RuneCountInString(password) < minLength:
		l.Add(pointer, fault.PasswordWeak, "must have at least %d characters.", minLength)
	case b.common(folded):
		l.Add(pointer, fault.PasswordWeak, "is one of the passwords that are tried first.")
	case folded == user.Key(p.Email) || folded == local || sameName(folded, p):
		l.Add(pointer, fault.PasswordWeak, "must not be the name or e-mail address.")
	}
}

// leet replaces signs by the letters that people write them for. 1 and ! stand for two letters, so there are two
// readings, and both are tried.
var leet = []*strings.Replacer{
	strings.NewReplacer(append([]string{"1", "l", "!", "i"}, leetSigns...)...),
	strings.NewReplacer(append([]string{"1", "i", "!", "l"}, leetSigns...)...),
}

// leetSigns are the signs with one reading: sign, letter, sign, letter.
var leetSigns = strings.Fields("0 o  3 e  4 a  5 s  7 t  8 b  9 g  @ a  $ s  + t")

// common reports whether a password is a sequence of keys, or made of listed words with digits and signs added.
func (b blockList) common(folded string) bool {
	if isRepetition(folded) || isKeySequence(folded) {
		return true
	}

	trimmed := strings.TrimFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) })

	readings := []string{folded, trimmed, letters(folded)}
	for _, r := range leet {
		readings = append(readings, letters(r.Replace(folded)), letters(r.Replace(trimmed)))
	}

	return slices.ContainsFunc(readings, func(s string) bool { return b[s] || b.composes(s, maxWords) })
}

// maxWords is how many listed words a password may not be made of: guessers combine two and three.
const maxWords = 3

// minWord and maxComposed bound the search for listed words in a password, in bytes.
const (
	minWord     = 4
	maxComposed = 60
)

// composes reports whether s consists of at most n listed words.
func (b blockList) composes(s string, n int) bool {
	if n == 0 || len(s) > maxComposed {
		return false
	}

	for i := minWord; i <= len(s); i++ {
		if b[s[:i]] && (i == len(s) || b.composes(s[i:], n-1)) {
			return true
		}
	}

	return false
}

// letters returns the letters of s without everything else.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}

		return -1
	}, s)
}

// keyRows are keys in the order in which they lie beside each other.
var keyRows = []string{
	"0123456789012345678901234567890123456789",
	"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
	"qwertyuiopasdfghjklzxcvbnmqwertyuiopasdfghjklzxcvbnm",
	"qwertzuiopasdfghjklyxcvbnmqwertzuiop",
	"1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
	"q1w2e3r4t5y6u7i8o9p0",
	"1q2w3e4r5t6y7u8i9o0p",
	"!@#$%^&*()_+",
}

// isKeySequence reports whether s is part of one of the rows, forwards or backwards.
func isKeySequence(s string) bool {
	back := []rune(s)
	slices.Reverse(back)

	return slices.ContainsFunc(keyRows, func(row string) bool {
		return strings.Contains(row, s) || strings.Contains(row, string(back))
	})
}

// isRepetition reports whether s is one to four bytes over and over.
func isRepetition(s string) bool {
	for n := 1; n <= 4; n++ {
		if n < len(s) && strings.Repeat(s[:n], len(s)/n+1)[:len(s)] == s {
			return true
		}
	}

	return false
}

// sameName reports whether a password is the person's name, whatever stands between its parts.
func sameName(folded string, p user.Person) bool {
	plain := strings.NewReplacer(" ", "", ".", "", "-", "", "_", "")
	first := plain.Replace(strings.ToLower(p.FirstName))
	last := plain.Replace(strings.ToLower(p.LastName))
	s := plain.Replace(folded)

	return s == first || s == last || s == first+last || s == last+first
}
