// Package preference keeps which categories of mails people want. A person changes them signed in, or by the link in a
// mail.
//
// It promises:
//   - A link ends the mails of one category to one person and does nothing else, however often it is followed.
//   - Only a POST changes anything. Opening the link, as a scanner or a prefetching browser does, changes nothing.
//   - Mails of the category security cannot be ended.
//
// It does not promise to hold back a mail that was already sent.
//
// Read in this order: preference.go (what a person wants), link.go (tokens in mails), service.go, store.go, http.go.
package preference

import (
	"slices"

	"slipway/internal/core/fault"
	"slipway/internal/platform/mail"
)

// Wants maps every category to whether a person gets its mails.
type Wants map[mail.Category]bool

// everything returns the Wants of a person who has refused nothing.
func everything() Wants {
	w := Wants{mail.Security: true}
	for _, c := range mail.Switchable() {
		w[c] = true
	}

	return w
}

// Unsubscribed reports whether the person has ended every category that can be ended.
func (w Wants) Unsubscribed() bool {
	return !slices.ContainsFunc(mail.Switchable(), func(c mail.Category) bool { return w[c] })
}

// Coming is how the mails about payments come.
type Coming string

// How they come.
const (
	AtOnce  Coming = "AT_ONCE" // each by itself
	Morning Coming = "MORNING" // one each morning, with what waits and what has happened
	Off     Coming = "OFF"     // not at all
)

// Chosen is what a person has chosen.
type Chosen struct {
	Wants
	Morning bool // mails about payments that are wanted come in the morning
}

// Coming returns how the mails about payments come.
func (c Chosen) Coming() Coming {
	switch {
	case !c.Wants[mail.Transaction]:
		return Off
	case c.Morning:
		return Morning
	}

	return AtOnce
}

// check adds to l what cannot be changed as asked.
func (w Wants) check(l *fault.List) {
	if on, named := w[mail.Security]; named && !on {
		l.Add("/categories/security", fault.MailsMandatory,
			"cannot be switched off: these mails keep the account safe.")
	}
}
