// Package mail sends mail from an outbox: a row is written in the transaction of the event that the mail is about, and
// a job sends it afterwards.
//
// It promises that a mail whose transaction committed is sent at least once, and one whose transaction was rolled back
// never. A second delivery of the same mail has the same Message-ID. Links are encrypted, are never logged, and are
// deleted once sent, unless a sandbox keeps its mailbox. A mail that a person has switched off before it is sent does
// not go out, and a mail that can be switched off says how (RFC 2369, RFC 8058). A mail is written in its reader's
// language when it is sent, and is under the letterhead of the organisation in whose name it is. No picture is loaded
// from anywhere, so nothing reports who reads. It does not promise exactly once, since a server may accept a mail and
// its answer may be lost; nor that anybody reads it. Only a refusal of its recipient ends a mail early: while a server
// refuses this deployment, mails wait. What a mail is about learns that it was not delivered (OnFailure).
//
// Read in this order: mail.go (types), places.go (where mails lead), head.go (in whose name), templates.go, outbox.go,
// gather.go (what waits for the morning mail), failure.go (what follows from a mail that was not delivered), store.go,
// smtp.go, refusal.go, mailbox.go.
package mail

import (
	"context"
	"time"
)

// Category is what a person can switch off, as a whole.
type Category string

// The categories. Security is everything about an account, what was asked for, and what protects money. It cannot be
// switched off.
const (
	Security    Category = "security"
	Transaction Category = "transaction" // results of payments, and what waits for a person
	Product     Category = "product"     // news of the service itself
)

// Switchable returns the categories that a person can switch off, in the order they are shown.
func Switchable() []Category { return []Category{Product, Transaction} }

// Kind is the name of a template, templates/<kind>.txt.
type Kind string

// The kinds, with the values that their templates need.
const (
	Confirm          Kind = "confirm"            // name, link
	AccountExists    Kind = "account_exists"     // name, link
	Reset            Kind = "reset"              // name, link
	PasswordChanged  Kind = "password_changed"   // name, when, source, clients
	NewKey           Kind = "new_key"            // name, when, source, client, label, organisation, scopes
	KeyExpires       Kind = "key_expires"        // name, client, label, organisation, when
	RefreshReuse     Kind = "refresh_reuse"      // name, when, source
	TwoFactorChanged Kind = "two_factor_changed" // name, when, source, what
	RoleGranted      Kind = "role_granted"       // name, who, email, what, when
	SignOnChanged    Kind = "sign_on_changed"    // name, organisation, when, source, what
	Invitation       Kind = "invitation"         // organisation, inviter, when, link
	CompleteAccount  Kind = "complete_account"   // name, organisation, link
	VerifyIdentity   Kind = "verify_identity"    // name, link
	EmailChange      Kind = "email_change"       // name, old, new, link

	BankAccountChanged Kind = "bank_account_changed" // name, organisation, when, what, ending, until
	DecisionNeeded     Kind = "decision_needed"      // name, organisation, asker, summary, approval
	PayeeAdded         Kind = "payee_added"          // name, organisation, asker, when, summary, until

	// InvoiceRequest goes to an outside party: nobody can switch it off, and it names who asks. amount and reason may
	// be empty.
	InvoiceRequest    Kind = "invoice_request"     // organisation, asker, when, link, amount, reason
	PayeeDetailsAdded Kind = "payee_details_added" // name, organisation, when, what, ending, until, email
	InvoiceSubmitted  Kind = "invoice_submitted"   // name, organisation, email, amount, reason, reference

	// That a mail was not delivered, to whoever let it be sent. why is Problem.Words.
	InvoiceUndelivered    Kind = "invoice_undelivered"    // name, organisation, email, why, when, reference
	InvitationUndelivered Kind = "invitation_undelivered" // name, organisation, email, why

	// InvoiceReceipt goes to the address of the link, so that its use by somebody else is noticed. where follows "to".
	InvoiceReceipt Kind = "invoice_receipt" // organisation, amount, where, reference

	// Verification reports the result of verifying a person or an organisation. subject is "Your identity" or the
	// organisation's name, outcome follows it ("is verified", "could not be verified"), why may be empty, next is what
	// the person can do now.
	Verification Kind = "verification" // name, subject, outcome, why, next, link

	// name, organisation, creator, what, amount, receivers, reference, when
	ApprovalNeeded Kind = "approval_needed"
	// name, organisation, headline, lead, what, amount, receivers, reference, when, why
	TransactionNews Kind = "transaction_news"
	// name, organisation, count, more; items: what happened and how often, or to which transaction
	TransactionSummary Kind = "transaction_summary"
	// name, organisation, count, more; items: what happened, and to which payable
	PayableSummary Kind = "payable_summary"

	// That a schedule waits to be accepted, the day before it pays, and that a day of it waits for a person.
	ScheduleWaits Kind = "schedule_waits" // name, organisation, amount, receivers, reference, day
	ScheduleDue   Kind = "schedule_due"   // name, organisation, amount, receivers, reference, day
	ScheduleAsks  Kind = "schedule_asks"  // name, organisation, amount, receivers, reference, day, why

	// name, day, lead, more; items: what waits for the person, and what has happened. What it says is read when it is
	// sent (OnSend).
	Morning Kind = "morning"

	WebhookOff Kind = "webhook_off" // name, organisation, url, when, why
	ChatOff    Kind = "chat_off"    // name, organisation, chat, when, why
)

// categories of the kinds that can be switched off. Every other kind is Security.
var categories = map[Kind]Category{
	ApprovalNeeded:     Transaction,
	TransactionNews:    Transaction,
	TransactionSummary: Transaction,
	InvoiceSubmitted:   Transaction,
	PayableSummary:     Transaction,
	ScheduleWaits:      Transaction,
	ScheduleDue:        Transaction,
	ScheduleAsks:       Transaction,
	Morning:            Transaction,
}

// Category returns the category that the kind belongs to.
func (k Kind) Category() Category {
	if c, ok := categories[k]; ok {
		return c
	}

	return Security
}

// Message is a mail to be written: its recipient, and the values of its template. Write what is to be said in the
// reader's language with words.Phrase, amounts with words.Sum and times with words.When.
type Message struct {
	Kind   Kind
	To     string
	User   string // whose preferences apply; required if the kind can be switched off
	Record string // identifier of what the mail is about: for its link, and for OnFailure
	Data   map[string]string
	Items  []Item // of the kinds with a list
	// Organisation is whose letterhead the mail has; empty: the service's own.
	Organisation string
	// Language is the header Accept-Language of the request that the mail goes out by. It counts for recipients without
	// an account. Empty: English.
	Language string
}

// Item is a line of a list.
type Item struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	Asks  bool   `json:"asks,omitempty"` // for a decision: a morning mail leaves it out, and says what waits then
}

// Letter is a mail as it is sent.
type Letter struct {
	ID, From, To, Subject string
	Text, HTML            string
	At                    time.Time
	Stop                  string // URL that ends mails of this category by one POST; empty: they cannot be ended
	Logo                  []byte // PNG, which HTML shows as the part logoID; empty: none
}

// Letterhead is how an organisation shows itself at the head of its mails. Zero fields mean what the service shows.
type Letterhead struct {
	Name   string
	Colour string // #rrggbb, on which white can be read
	Logo   []byte // PNG
}

// Preferences stores which mails a person wants. Wants is called when a mail is sent, not when it is queued. StopLink
// returns the URL that ends the category; for the same mail it is always the same.
type Preferences interface {
	Wants(ctx context.Context, user string, c Category) (bool, error)
	// Gathers reports whether mails of a category that a person wants are kept for his morning mail.
	Gathers(ctx context.Context, user string, c Category) (bool, error)
	StopLink(user, address string, c Category, at time.Time) string
	// Language returns the code of the language of the person with an address, or "" where it is not known.
	Language(ctx context.Context, address string) (string, error)
}

// Letterheads returns the letterhead of an organisation. It is called when a mail is sent.
type Letterheads func(ctx context.Context, organisation string) (Letterhead, error)

// Sender delivers a letter. It may be called again with the same letter. A Refused error is final; every other one is
// retried.
type Sender interface {
	Send(ctx context.Context, l Letter) error
}

// Kept is the sender of a sandbox: nothing is delivered, and the mailbox page shows it.
type Kept struct{}

// Send does nothing.
func (Kept) Send(context.Context, Letter) error { return nil }
