package invoicelink

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/trail"
)

var linkRows = db.NewTable("invoice_links", (*row).columns)

// handedIn is what the outside party has handed in, as JSON.
var handedIn = db.SealColumn("invoice_links", "sealed", "id")

// Sealed are the columns that are sealed.
func Sealed() []*db.Sealed { return []*db.Sealed{handedIn} }

// row is the database row of a link.
type row struct {
	Link
	given string // as JSON
}

func (r *row) columns(c *db.Columns) {
	c.Text("id", &r.ID)
	c.Text("organisation", &r.Organisation)
	c.Text("token_hash", &r.hash)
	c.Text("email", &r.Email)
	c.Written("email_key", func() string { return user.Key(r.Email) })
	c.Bool("is_existing", &r.Existing)
	c.Text("receiver", &r.Receiver)
	c.Bool("other_address", &r.OtherAddress)

	c.JSON("requested", &r.Requested)
	c.Sealed(handedIn, db.Key{&r.ID}, &r.given)
	c.Int64("receiver_changes", &r.Counts.Receiver)
	c.Int64("target_changes", &r.Counts.Target)

	c.Text("status", (*string)(&r.Status))
	c.Text("payable", &r.Payable)
	c.Text("created_by", &r.CreatedBy)
	c.Time("submitted_at", &r.SubmittedAt)
	c.Time("expires_at", &r.ExpiresAt)
	c.Int64("version", &r.Version)
	c.Time("created_at", &r.CreatedAt)
	c.Time("updated_at", &r.UpdatedAt)
	c.Text("mail_problem", (*string)(&r.MailProblem))
	c.Int64("mails", &r.Mails)
	c.Time("mailed_at", &r.MailedAt)
}

func (r *row) link() (Link, error) {
	if err := json.Unmarshal([]byte(r.given), &r.Given); err != nil {
		return Link{}, fmt.Errorf("read invoice link %s: %w", r.ID, err)
	}

	return r.Link, nil
}

func rowOf(k Link) *row { return &row{k, encoded(k.Given)} }

func encoded(v any) string {
	raw, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		panic(err) // structs of texts and times always encode
	}

	return string(raw)
}

// notice is the content of a link's events: which link, and its status; nothing of what was handed in.
type notice struct {
	ID          string       `json:"_id"`
	Status      Status       `json:"status"`
	MailProblem mail.Problem `json:"mailProblem,omitempty"`
	Receiver    string       `json:"receiver"`
	Payable     string       `json:"payable,omitempty"`
}

func insert(tx *db.Tx, k Link) (Link, error) {
	k.Version = 1
	k.CreatedAt = tx.Now
	k.UpdatedAt = tx.Now
	linkRows.Insert(tx, rowOf(k))

	return k, k.tell(tx, "invoice_link.created")
}

// update writes every column of a link that was read at version k.Version, with one event, and returns it with its next
// version.
func update(tx *db.Tx, k Link, event string) (Link, error) {
	was := k.Version
	k.Version = was + 1
	k.UpdatedAt = tx.Now
	linkRows.Update(tx, rowOf(k), was)

	return k, k.tell(tx, event)
}

func (k Link) tell(tx *db.Tx, event string) error {
	return trail.Event(tx, event, k.Organisation, k.ID, k.Version, notice{
		ID:          k.ID,
		Status:      k.Status,
		MailProblem: k.MailProblem,
		Receiver:    k.Receiver,
		Payable:     k.Payable,
	})
}

func one(ctx context.Context, q db.Querier, what, where string, args ...any) (Link, error) {
	v, err := linkRows.One(ctx, q, "WHERE "+where, args...)

	switch {
	case errors.Is(err, db.ErrNone):
		return Link{}, fault.Missing("invoice link")
	case err != nil:
		return Link{}, fmt.Errorf("read invoice link %s: %w", what, err)
	}

	return v.link()
}

// ByID returns a link of the organisation. An unknown one and another organisation's are refused word for word the
// same.
func ByID(ctx context.Context, q db.Querier, organisation, id string) (Link, error) {
	return one(ctx, q, id, "id = ? AND organisation = ?", id, organisation)
}

// byHash returns the link of a token, whatever its status.
func byHash(ctx context.Context, q db.Querier, hash string) (Link, error) {
	return one(ctx, q, "by its token", "token_hash = ?", hash)
}

func links(rows []row) ([]Link, error) {
	return db.Values(rows, (*row).link)
}

// list returns a page of links that match, newest first unless ascending, and how many match.
func list(ctx context.Context, q db.Querier, w db.Where, page caller.Window, ascending bool) ([]Link, int64, error) {
	rows, total, err := linkRows.Page(ctx, q, db.Page{
		Where:  w,
		Window: page,
		Order:  caller.Order{Ascending: ascending},
	})
	if err != nil {
		return nil, 0, err
	}

	out, err := links(rows)

	return out, total, err
}

// statusAt returns the SQL condition for a status as StatusAt computes it.
func statusAt(s Status, now time.Time) (string, []any) {
	switch s {
	case Open:
		return "(status = 'OPEN' AND expires_at > ?)", []any{db.Micros(now)}
	case Expired:
		return "(status = 'EXPIRED' OR status = 'OPEN' AND expires_at <= ?)", []any{db.Micros(now)}
	case Submitted, Used, Revoked: // the stored column
	}

	return "(status = ?)", []any{string(s)}
}

// overdue returns links that nobody submitted in time, of any organisation, in the order in which they ended.
func overdue(ctx context.Context, q db.Querier, now time.Time, most int) ([]Link, error) {
	rows, err := linkRows.Select(ctx, q, "WHERE status = 'OPEN' AND expires_at <= ? ORDER BY expires_at LIMIT ?",
		db.Micros(now), int64(most))
	if err != nil {
		return nil, fmt.Errorf("read expired invoice links: %w", err)
	}

	return links(rows)
}

// countRecent returns how many mails with links an organisation has sent since a moment, and how many of them to one
// address. A link that was mailed since then counts with all its mails.
func countRecent(
	ctx context.Context,
	q db.Querier,
	organisation, email string,
	since time.Time,
) (all, to int64, err error) {
	type sent struct {
		to    string
		mails int64
	}

	links, err := db.Select(
		ctx,
		q,
		func(r *sent) []any { return []any{&r.to, &r.mails} },
		"SELECT email_key, mails FROM invoice_links WHERE organisation = ? AND mailed_at > ?",
		organisation,
		db.Micros(since),
	)

	for _, link := range links {
		all += link.mails

		if link.to == user.Key(email) {
			to += link.mails
		}
	}

	return all, to, err
}

// Waiting returns how many invoices of an organisation have come by links and wait for a member.
func Waiting(ctx context.Context, q db.Querier, organisation string) (int64, error) {
	return db.Value[int64](ctx, q,
		"SELECT count(*) FROM invoice_links WHERE organisation = ? AND status = 'SUBMITTED'", organisation)
}
