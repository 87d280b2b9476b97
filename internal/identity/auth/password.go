package auth

import (
	"context"
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
)

// Limits of a password. NIST SP 800-63B-4 (3.1.1.2) asks for 15 characters where nothing else is asked for and 8
// beside a second factor, for a block-list, and against rules on character classes. The maximum is in bytes and far
// above what anyone types: nothing is ever cut off.
const (
	alone       = 15 // characters of a password that stands alone
	withSecond  = 8  // beside a second factor
	maxPassword = 1024
)

// least is how many characters a password needs.
func least(second bool) int {
	if second {
		return withSecond
	}

	return alone
}

func tooShortAlone(password string) bool { return utf8.RuneCountInString(password) < alone }

// normal is the form in which passwords are hashed: the same letters typed on another keyboard are the same password
// (NIST SP 800-63B, NFKC).
func normal(password string) string { return norm.NFKC.String(password) }

// commonText is the words of the passwords that everyone tries first, lower case: what people put digits, signs and
// each other to.
//
//go:embed common_passwords.txt
var commonText string

type blockList map[string]bool

func newBlockList() blockList {
	b := blockList{}
	for _, line := range strings.Fields(commonText) {
		b[line] = true
	}

	return b
}

// check notes why a password may not be used by this person. It never repeats the password.
func (b blockList) check(l *fault.List, pointer, password string, p user.Person, least int) {
	folded := strings.ToLower(password)

	local, _, _ := strings.Cut(user.Key(p.Email), "@")
	switch {
	case password == "":
		l.Add(pointer, fault.Required, "is required.")
	case len(password) > maxPassword:
		l.Add(pointer, fault.PasswordWeak, "may have at most %d bytes.", maxPassword)
	case utf8.RuneCountInString(password) < least:
		l.Add(pointer, fault.PasswordWeak, "must have at least %d characters.", least)
	case b.common(folded):
		l.Add(pointer, fault.PasswordWeak, "is one of the passwords that are tried first.")
	case folded == user.Key(p.Email) || folded == local || sameName(folded, p):
		l.Add(pointer, fault.PasswordWeak, "must not be the name or e-mail address.")
	}
}

// leet undoes what people do to letters. One sign stands for two letters; both are tried.
var leet = []*strings.Replacer{
	strings.NewReplacer(
		"0",
		"o",
		"1",
		"l",
		"3",
		"e",
		"4",
		"a",
		"5",
		"s",
		"7",
		"t",
		"8",
		"b",
		"9",
		"g",
		"@",
		"a",
		"$",
		"s",
		"!",
		"i",
		"+",
		"t",
	),
	strings.NewReplacer(
		"0",
		"o",
		"1",
		"i",
		"3",
		"e",
		"4",
		"a",
		"5",
		"s",
		"7",
		"t",
		"8",
		"b",
		"9",
		"g",
		"@",
		"a",
		"$",
		"s",
		"!",
		"l",
		"+",
		"t",
	),
}

// common reports whether a password is a word of the list with ornaments, a few of them, or a run of keys.
func (b blockList) common(folded string) bool {
	if repeats(folded) || run(folded) {
		return true
	}

	trimmed := strings.TrimFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) })
	for _, s := range []string{folded, trimmed, letters(folded), letters(leet[0].Replace(folded)), letters(leet[1].Replace(folded)), letters(leet[0].Replace(trimmed)), letters(leet[1].Replace(trimmed))} {
		if b[s] || b.made(s, maxWords) {
			return true
		}
	}

	return false
}

// maxWords is of how many listed words a password may not be made: guessers put two and three together.
const maxWords = 3

func (b blockList) made(s string, words int) bool {
	if words == 0 || len(s) > 60 {
		return false
	}

	for i := 4; i <= len(s); i++ {
		if b[s[:i]] && (i == len(s) || b.made(s[i:], words-1)) {
			return true
		}
	}

	return false
}

func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}

		return -1
	}, s)
}

// rows are keys in the order in which fingers find them.
var rows = []string{
	"0123456789012345678901234567890123456789",
	"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
	"qwertyuiopasdfghjklzxcvbnmqwertyuiopasdfghjklzxcvbnm",
	"qwertzuiopasdfghjklyxcvbnmqwertzuiop",
	"1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
	"q1w2e3r4t5y6u7i8o9p0",
	"1q2w3e4r5t6y7u8i9o0p",
	"!@#$%^&*()_+",
}

// run: a stretch of one of the rows, forwards or backwards.
func run(s string) bool {
	back := []rune(s)
	for i, j := 0, len(back)-1; i < j; i, j = i+1, j-1 {
		back[i], back[j] = back[j], back[i]
	}

	for _, r := range rows {
		if strings.Contains(r, s) || strings.Contains(r, string(back)) {
			return true
		}
	}

	return false
}

// repeats: one to four characters over and over.
func repeats(s string) bool {
	for n := 1; n <= 4; n++ {
		if n < len(s) && strings.Repeat(s[:n], len(s)/n+1)[:len(s)] == s {
			return true
		}
	}

	return false
}

func sameName(folded string, p user.Person) bool {
	plain := strings.NewReplacer(" ", "", ".", "", "-", "", "_", "")
	first := plain.Replace(strings.ToLower(p.FirstName))
	last := plain.Replace(strings.ToLower(p.LastName))
	s := plain.Replace(folded)

	return s == first || s == last || s == first+last || s == last+first
}

// provePassword is nil when a text is the person's password, else the refusal of the field password. What an access
// token alone must not do asks for it, since a token may be somebody else's by now. Tries are counted like sign-ins.
func (s *Service) provePassword(ctx context.Context, userID, pass string) error {
	var l fault.List

	if pass == "" {
		l.Add("/password", fault.Required, "is required: an access token alone does not open this.")
		return l.Err()
	}

	if err := count(ctx, s.limits.signIn, userID, s.db.Now()); err != nil {
		return err
	}

	was, err := passwordOf(ctx, s.db, userID)
	if err != nil {
		return err
	}

	ok, err := s.hasher.matches(ctx, normal(pass), was.hash)
	if err != nil {
		return err
	}

	if !ok {
		l.Add("/password", fault.CredentialsInvalid, "is not the current password.")
	}

	return l.Err()
}
