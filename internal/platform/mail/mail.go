// Package mail sends mail from an outbox: a row is written in the transaction of what the mail tells of, and a job sends it afterwards.
//
// Promised: a mail whose cause committed is sent at least once, and one whose cause was undone never; a second delivery of the same mail
// has the same Message-ID; links lie sealed, are never logged, and are forgotten once sent, unless a sandbox keeps its mailbox. Not
// promised: exactly once, since a server may take a mail and its answer be lost; nor that anybody reads it.
//
// Read in this order: mail.go (what a mail is), templates.go, outbox.go, smtp.go, mailbox.go.
package mail

import (
	"context"
	"fmt"
	"time"
)

// Kind names a template. Its texts are templates/<kind>.txt and .html.
type Kind string

// The kinds. All are about the security of an account or of a person's money, or asked for by a person, so none can be switched off.
const (
	Confirm          Kind = "confirm"            // name, link
	AccountExists    Kind = "account_exists"     // name, link
	Reset            Kind = "reset"              // name, link
	PasswordChanged  Kind = "password_changed"   // name, when, source, clients
	NewKey           Kind = "new_key"            // name, when, source, client, label, organisation, scopes
	RefreshReuse     Kind = "refresh_reuse"      // name, when, source
	TwoFactorChanged Kind = "two_factor_changed" // name, when, source, what
	Invitation       Kind = "invitation"         // organisation, inviter, when, link
	CompleteAccount  Kind = "complete_account"   // name, organisation, link
	VerifyIdentity   Kind = "verify_identity"    // name, link
	EmailChange      Kind = "email_change"       // name, old, new, link

	BankAccountChanged Kind = "bank_account_changed" // name, organisation, when, what, ending, until
)

// Message is a mail to be written: who gets it, and the values of its template. Times are written by When.
type Message struct {
	Kind Kind
	To   string
	Data map[string]string
}

// When writes a time for people.
func When(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") }

// Letter is a mail as it is sent.
type Letter struct {
	ID, From, To, Subject string
	Text, HTML            string
	At                    time.Time
}

// Sender hands a letter over. It may be called again with the same letter. A Refused error is final; every other one is tried again.
type Sender interface {
	Send(ctx context.Context, l Letter) error
}

// Refused says that a server will never take this letter: the address does not exist, for example.
type Refused struct{ Reason string }

// Error gives the server's reason.
func (r *Refused) Error() string { return fmt.Sprintf("the mail was refused: %s", r.Reason) }

// Kept is the sender of a sandbox: nothing leaves, the mailbox page shows it.
type Kept struct{}

// Send does nothing.
func (Kept) Send(context.Context, Letter) error { return nil }
