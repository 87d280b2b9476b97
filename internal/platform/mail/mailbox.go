package mail

import (
	"context"
	"html/template"
	"net/http"
	"strings"
	"time"
)

// mailboxSize is how many mails the mailbox shows.
const mailboxSize = 100

// Shown is a mail of the mailbox.
type Shown struct {
	ID        string    `json:"_id"`
	Kind      string    `json:"kind"`
	Category  string    `json:"category" enum:"product,transaction,security"`
	To        string    `json:"to"`
	Subject   string    `json:"subject"`
	Text      string    `json:"text"`
	HTML      string    `json:"html"`
	State     string    `json:"state" enum:"QUEUED,SENT,FAILED,UNWANTED"`
	LastError string    `json:"lastError"`
	Stop      string    `json:"listUnsubscribe" doc:"address that ends mails of this category, if they can be"`
	CreatedAt time.Time `json:"createdAt"`
}

// Mailbox returns the newest mails, for one address or all, newest first. Only a sandbox shows them, because they
// contain links that open accounts. Mails whose content was deleted are left out.
func (o *Outbox) Mailbox(ctx context.Context, recipient string) ([]Shown, error) {
	rows, err := newest(ctx, o.config.DB, recipient, mailboxSize)

	out := make([]Shown, 0, len(rows))
	for _, r := range rows {
		l, err := o.letter(ctx, r, nil)
		if err != nil {
			return nil, err
		}

		out = append(out, Shown{
			ID:        r.id,
			Kind:      r.kind,
			Category:  r.category,
			To:        r.recipient,
			Subject:   l.Subject,
			Text:      l.Text,
			HTML:      l.standalone(),
			State:     r.state,
			LastError: r.lastError,
			Stop:      l.Stop,
			CreatedAt: l.At.Truncate(time.Millisecond),
		})
	}

	return out, err
}

var mailboxPage = template.Must(template.ParseFS(files, "templates/mailbox.page"))

const mailboxPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// shownMailbox is what the page shows.
type shownMailbox struct {
	Recipient string // show only this address; empty: everybody's
	Mails     []Shown
}

// Page serves the mailbox for people: everybody's mails, or those to the address in the query's recipient. Mails are
// shown in frames that run no script.
func (o *Outbox) Page() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recipient := strings.TrimSpace(r.URL.Query().Get("recipient"))

		mails, err := o.Mailbox(r.Context(), recipient)
		if err != nil {
			http.Error(w, "the mailbox cannot be read", http.StatusInternalServerError)
			return
		}

		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", mailboxPolicy)
		_ = mailboxPage.Execute(w, shownMailbox{recipient, mails})
	})
}
