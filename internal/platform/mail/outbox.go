package mail

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"regexp"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/words"
)

// Job is the kind of the job that sends one mail.
const Job = "send-mail"

// The states of a mail.
const (
	Queued   = "QUEUED"   // the job acts next
	Sent     = "SENT"     // a server has accepted it
	Failed   = "FAILED"   // a server refused its recipient for good, or it became too old
	Unwanted = "UNWANTED" // the person had switched these mails off by then
	Gathered = "GATHERED" // the person's morning mail tells of it
	Doubtful = "DOUBTFUL" // it waited in a backup that was restored: it may have been sent, and is not sent again
)

// GiveUp is how long sending is retried. The links in older mails no longer work.
const GiveUp = 72 * time.Hour

// Config holds an outbox's dependencies and settings.
type Config struct {
	DB     *db.DB
	Jobs   *jobs.Runner
	Sender Sender
	From   string
	Site   string // shown in every mail: the address of this service
	// App is the address of the program that people work with, without what follows a record's path; empty: mails lead
	// to the console.
	App     string
	Console string // address of the console; empty: there is none
	Keep    bool   // sent mails stay readable, for the mailbox
	Mark    string // begins every subject and stands in every mail of a deployment that moves nothing of worth; empty: none
	// Preferences is called before a mail of a category that can be switched off is sent; nil if none is ever queued.
	Preferences Preferences
	Letterheads Letterheads  // nil: every mail is the service's own
	Log         *slog.Logger // of mails that end undelivered; nil: none
}

// Outbox stores mails until they are sent. It is safe for concurrent use.
type Outbox struct {
	config    Config
	texts     map[string]texts // by language
	onFailure map[Kind]func(ctx context.Context, tx *db.Tx, f Failure) error
	onSend    map[Kind]Filling
}

// New returns an outbox and registers its job.
func New(c Config) (*Outbox, error) {
	t, err := parseTexts()
	if err != nil {
		return nil, err
	}

	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}

	o := &Outbox{config: c, texts: t, onFailure: map[Kind]func(context.Context, *db.Tx, Failure) error{}}
	o.onSend = map[Kind]Filling{}

	if c.Jobs != nil {
		c.Jobs.Handle(Job, o.send)
	}

	return o, nil
}

// content is the encrypted part of a mail: the values of its template, and the items of a list.
type content struct {
	Data     map[string]string `json:",inline"`
	Items    []Item            `json:"items,omitempty"`
	Head     string            `json:"head,omitempty"`     // the organisation in whose name it is sent
	Record   string            `json:"record,omitempty"`   // what it is about
	Language string            `json:"language,omitempty"` // for somebody without an account
}

// Queue writes a mail inside the caller's transaction. It panics, and so rolls the transaction back, on a kind or value
// that the template does not have, and on a mail that can be switched off without a person. Those are programming
// errors, and a mail that cannot be written must not be found out after the commit. A second call queues a second mail.
func (o *Outbox) Queue(tx *db.Tx, m Message) {
	c := content{
		Data:     o.leading(m),
		Items:    m.Items,
		Head:     m.Organisation,
		Record:   m.Record,
		Language: words.Must().Choice(m.Language),
	}
	if _, _, _, err := o.render(m.Kind, c, head{}, "", c.Language); err != nil {
		panic("mail: " + err.Error())
	}

	if m.Kind.Category() != Security && (m.User == "" || o.config.Preferences == nil) {
		panic("mail: nobody can be asked whether he wants " + string(m.Kind))
	}

	raw, err := json.Marshal(c, json.Deterministic(true))
	if err != nil {
		panic("mail: " + err.Error()) // texts always encode
	}

	mailID := id.New("mail", tx.Now)
	tx.Insert(insertMail, mailID, string(m.Kind), m.To, letters.Of(db.Key{mailID}, string(raw)), Queued,
		db.Micros(tx.Now), string(m.Kind.Category()), m.User)

	if o.config.Jobs != nil {
		o.config.Jobs.Enqueue(tx, Job, "mail/"+mailID, mailID)
	}
}

// linkKey is the only value of a template that is a link; Slipway makes it. leadKey holds the words on it.
const (
	linkKey = "link"
	leadKey = "go"
)

// leading returns the values of a message, with the link to where its thing is decided.
func (o *Outbox) leading(m Message) map[string]string {
	if _, ok := places[m.Kind]; !ok {
		return m.Data
	}

	data := maps.Clone(m.Data)
	if data == nil {
		data = map[string]string{}
	}

	link, said := o.lead(m)
	data[linkKey] = link
	data[leadKey] = words.Phrase(said)

	return data
}

// markKey is the value of a template with Config.Mark.
const markKey = "mark"

// render writes a mail in a language.
func (o *Outbox) render(kind Kind, c content, h head, stop, language string) (subject, text, html string, err error) {
	in := words.Must().In(language)
	return o.texts[in.Code()].render(kind, h, o.with(in, c, stop))
}

// with returns the values for a template. Every value but the link may contain somebody's own text: it cannot add
// lines, and nothing in it becomes a link.
func (o *Outbox) with(in *words.Words, c content, stop string) map[string]any {
	items := make([]Item, len(c.Items))
	for i, x := range c.Items {
		items[i] = Item{Title: in.Said(x.Title, unlinked), Text: in.Said(x.Text, unlinked)}
	}

	out := map[string]any{markKey: o.config.Mark, "site": o.config.Site, "stop": stop, "items": items}

	for k, v := range c.Data {
		if k == linkKey {
			out[k] = v
			continue
		}

		out[k] = in.Said(v, unlinked)
	}

	return out
}

// unlinked returns a text as one line in which mail programs recognise no link: an invisible space (U+200B) splits what
// looks like one. E-mail addresses and numbers stay whole.
func unlinked(s string) string {
	words := strings.Fields(s)
	for i, word := range words {
		if !strings.Contains(word, "@") {
			words[i] = linkLike.ReplaceAllString(word, "$1\u200b$2")
		}
	}

	return strings.Join(words, " ")
}

// linkLike is a dot or colon followed by the rest of a name: example.com, https://example.
var linkLike = regexp.MustCompile(`([.:])(\pL|//)`)

// content returns the content of a stored mail.
func (r record) content() (c content, err error) {
	if err := json.Unmarshal([]byte(r.payload), &c); err != nil {
		return c, fmt.Errorf("read mail %s: %w", r.id, err)
	}

	return c, nil
}

// letter writes out a stored mail, in its reader's language. filled is what it says if that was read just now.
func (o *Outbox) letter(ctx context.Context, r record, filled *Filled) (l Letter, err error) {
	c, err := r.content()
	if err != nil {
		return Letter{}, err
	}

	if filled != nil {
		c = c.filledWith(filled)
	}

	l = Letter{ID: r.id, From: o.config.From, To: r.recipient, At: db.Time(r.created)}
	if r.switchable() && o.config.Preferences != nil {
		l.Stop = o.config.Preferences.StopLink(r.user, r.recipient, Category(r.category), l.At)
	}

	language, err := o.languageOf(ctx, r.recipient)
	if err != nil {
		return l, err
	}

	h, err := o.headOf(ctx, c.Head)
	if err != nil {
		return l, err
	}

	l.Logo = h.logo
	l.Subject, l.Text, l.HTML, err = o.render(Kind(r.kind), c, h, l.Stop, cmp.Or(language, c.Language))

	return l, err
}

// headOf returns the head of a mail that is sent in the name of an organisation, or the service's own for none.
func (o *Outbox) headOf(ctx context.Context, organisation string) (head, error) {
	if organisation == "" || o.config.Letterheads == nil {
		return head{}, nil
	}

	l, err := o.config.Letterheads(ctx, organisation)
	if err != nil {
		return head{}, fmt.Errorf("letterhead of %s: %w", organisation, err)
	}

	return newHead(l), nil
}

// languageOf returns the language of the person with an address, or "".
func (o *Outbox) languageOf(ctx context.Context, address string) (string, error) {
	if o.config.Preferences == nil {
		return "", nil
	}

	return o.config.Preferences.Language(ctx, address)
}

func (r record) switchable() bool { return Category(r.category) != Security }

// wanted reports whether the person still wants this mail. If nobody can be asked, it returns false.
func (o *Outbox) wanted(ctx context.Context, r record) (bool, error) {
	if !r.switchable() {
		return true, nil
	}

	if o.config.Preferences == nil {
		return false, nil
	}

	return o.config.Preferences.Wants(ctx, r.user, Category(r.category))
}

// send runs the job of one mail. If it runs again after an answer was lost, it sends the mail again with the same
// Message-ID.
func (o *Outbox) send(ctx context.Context, j jobs.Job) (jobs.Result, error) {
	r, err := find(ctx, o.config.DB, j.Payload)
	if errors.Is(err, db.ErrNone) || err == nil && r.state != Queued {
		return jobs.Done(), nil
	}

	if err != nil {
		return jobs.Done(), err
	}

	ok, err := o.wanted(ctx, r)
	if err != nil {
		return jobs.Done(), fmt.Errorf("ask who wants mail %s: %w", r.id, err)
	}

	if !ok {
		return jobs.Done(), o.unwanted(ctx, r)
	}

	gathers, err := o.gathers(ctx, r)
	if err != nil {
		return jobs.Done(), fmt.Errorf("ask how mail %s comes: %w", r.id, err)
	}

	if gathers {
		return jobs.Done(), o.gather(ctx, r.id)
	}

	filled, ok, err := o.readAnew(ctx, r)
	if err != nil {
		return jobs.Done(), err
	}

	if !ok {
		return jobs.Done(), o.empty(ctx, r, filled)
	}

	l, err := o.letter(ctx, r, filled)
	if err != nil {
		return jobs.Done(), err
	}

	err = o.config.Sender.Send(ctx, l)
	failpoint.Hit("mail_sent_unmarked")

	var (
		refused *Refused
		setUp   *SetUp
	)

	switch {
	case err == nil:
		return jobs.Done(), o.endSent(ctx, r, filled)
	case errors.As(err, &refused):
		return jobs.Done(), o.fail(ctx, r, refused.Problem, refused.Answer)
	case o.config.DB.Now().Sub(db.Time(r.created)) > GiveUp:
		return jobs.Done(), o.fail(ctx, r, NotTaken, err.Error())
	case errors.As(err, &setUp):
		return jobs.Done(), errors.Join(err, o.note(ctx, r.id, SetUpRefused, err.Error()))
	}

	return jobs.Done(), errors.Join(err, o.note(ctx, r.id, "", err.Error()))
}
