package mail

import (
	"context"
	"html/template"
	"net/http"
	"time"

	"slipway/internal/platform/db"
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
	Stop      string    `json:"listUnsubscribe" doc:"address that ends mails of this category; empty where they cannot be ended"`
	CreatedAt time.Time `json:"createdAt"`
}

// Mailbox gives the newest mails, those for one address or all, newest first. Only a sandbox shows them: they hold links that open
// accounts. Mails whose content was forgotten are left out.
func (o *Outbox) Mailbox(ctx context.Context, recipient string) ([]Shown, error) {
	var w db.Where
	w.And("payload <> ''")
	if recipient != "" {
		w.And("recipient = ?", recipient)
	}
	rows, err := db.Select(ctx, o.config.DB, (*record).dest, mailColumns+w.SQL()+" ORDER BY id DESC LIMIT ?", append(w.Args, int64(mailboxSize))...)
	out := make([]Shown, 0, len(rows))
	for _, r := range rows {
		l, err := o.letter(r)
		if err != nil {
			return nil, err
		}
		out = append(out, Shown{ID: r.id, Kind: r.kind, Category: r.category, To: r.recipient, Subject: l.Subject, Text: l.Text, HTML: l.HTML, State: r.state, LastError: r.lastError, Stop: l.Stop,
			CreatedAt: l.At.Truncate(time.Millisecond)})
	}
	return out, err
}

var mailboxPage = template.Must(template.New("mailbox").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Mailbox of the sandbox</title><style>
body{font:15px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#1a2530}
details{border:1px solid #d5dbe1;border-radius:6px;margin:.5rem 0;padding:.5rem 1rem} summary{cursor:pointer}
iframe{width:100%;height:26rem;border:0} small{color:#5a6772} </style></head><body>
<h1>Mailbox of the sandbox</h1><p><small>Nothing was sent. The newest {{len .}} mails:</small></p>
{{range .}}<details><summary>{{.Subject}} <small>to {{.To}}, {{.CreatedAt.Format "2006-01-02 15:04:05"}}, {{.State}}</small></summary>
<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="{{.HTML}}" title="{{.Subject}}"></iframe><pre>{{.Text}}</pre></details>
{{else}}<p>No mail yet.</p>{{end}}</body></html>`))

// Page shows the mailbox to people. Mails are shown in frames that run no script.
func (o *Outbox) Page() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mails, err := o.Mailbox(r.Context(), "")
		if err != nil {
			http.Error(w, "the mailbox cannot be read", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'")
		_ = mailboxPage.Execute(w, mails)
	})
}
