package auth

import (
	_ "embed"
	"strings"
	"unicode/utf8"

	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
)

// Limits of a password. The minimum is for accounts without a second factor (NIST SP 800-63B asks for length and a block-list, and
// against rules on character classes). The maximum is in bytes and far above what anyone types: nothing is ever cut off.
const (
	minPassword = 12
	maxPassword = 1024
)

// common is a short list of the passwords everyone tries first, one a line, lower case, of at least minPassword characters when
// their simple endings are taken into account.
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
func (b blockList) check(l *fault.List, pointer, password string, p user.Person) {
	folded := strings.ToLower(password)
	local, _, _ := strings.Cut(user.Key(p.Email), "@")
	switch {
	case password == "":
		l.Add(pointer, fault.Required, "is required.")
	case len(password) > maxPassword:
		l.Add(pointer, fault.PasswordWeak, "may have at most %d bytes.", maxPassword)
	case utf8.RuneCountInString(password) < minPassword:
		l.Add(pointer, fault.PasswordWeak, "must have at least %d characters.", minPassword)
	case b[folded] || b[strings.TrimRight(folded, "0123456789!.?@#$*-_")] || repeats(folded):
		l.Add(pointer, fault.PasswordWeak, "is one of the passwords that are tried first.")
	case folded == user.Key(p.Email) || folded == local || sameName(folded, p):
		l.Add(pointer, fault.PasswordWeak, "must not be the name or e-mail address.")
	}
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
	first, last := plain.Replace(strings.ToLower(p.FirstName)), plain.Replace(strings.ToLower(p.LastName))
	s := plain.Replace(folded)
	return s == first || s == last || s == first+last || s == last+first
}
