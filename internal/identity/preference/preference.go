// Package preference keeps which mails people want: by category, changed by the link of a mail or by the person who
// is signed in.
//
// Promised: a link ends the mails of one category to one person and does nothing else, however often it is followed,
// and only by a POST: what merely opens it (a scanner, a browser that reads ahead) changes nothing; mails of the
// category security cannot be ended. Not promised: that a mail already handed over is held back.
//
// Read in this order: preference.go (what a person wants), link.go (what stands in a mail), service.go, store.go,
// http.go.
package preference

import (
	"slices"

	"slipway/internal/core/fault"
	"slipway/internal/platform/mail"
)

// Wants says of every category whether a person gets its mails.
type Wants map[mail.Category]bool

// everything is what a person gets who has refused nothing.
func everything() Wants {
	w := Wants{mail.Security: true}
	for _, c := range mail.Switchable() {
		w[c] = true
	}

	return w
}

// Unsubscribed reports whether the person gets nothing that he could have ended.
func (w Wants) Unsubscribed() bool {
	return !slices.ContainsFunc(mail.Switchable(), func(c mail.Category) bool { return w[c] })
}

// check notes what cannot be changed as asked.
func (w Wants) check(l *fault.List) {
	if on, named := w[mail.Security]; named && !on {
		l.Add("/categories/security", fault.MailsMandatory,
			"cannot be switched off: these mails keep the account safe.")
	}
}
