package receiver

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/day"
	"slipway/internal/core/fault"
	"slipway/internal/core/text"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/rails/screening"
	"slipway/internal/standards/mailbox"
)

// personal is what a receiver is known by besides its names: tax number, telephone, address, date of birth.
var personal = db.SealColumn("receivers", "sealed", "id")

// Sealed are the columns that are sealed.
func Sealed() []*db.Sealed { return []*db.Sealed{personal} }

var (
	receiverTable = db.NewTable("receivers", (*row).columns)
	selfTable     = receiverTable.OrIgnore("(organisation) WHERE is_self")
)

// row is a receiver as it is stored.
type row struct {
	Receiver

	birth  string // "" without a date of birth
	search string // text.Searchable of what it is searched by
	key    string // screening.Key of the name without middle names
}

// columns lists every column once. A new field needs one line here.
func (r *row) columns(c *db.Columns) {
	c.Text("id", &r.ID)
	c.Text("organisation", &r.Organisation)
	c.Text("owner", &r.Owner)
	c.Text("type", (*string)(&r.Type))

	c.Text("first_name", &r.FirstName)
	c.Text("middle_name", &r.MiddleName)
	c.Text("last_name", &r.LastName)
	c.Text("legal_name", &r.LegalName)
	c.Text("email", &r.Email)
	c.Sealed(personal, db.Key{&r.ID},
		&r.TaxID, &r.Phone, &r.Address.AddressLine1, &r.Address.PostCode, &r.Address.City, &r.birth)

	c.Text("country", &r.Country)
	c.Bool("is_hidden", &r.Hidden)
	c.Bool("is_self", &r.Self)
	c.Text("partner_id", &r.BankingPartnerID)
	c.Text("partner_client", &r.BankingPartnerClient)

	c.Text("search", &r.search)
	c.Text("name_key", &r.key)
	c.Text("changed_by", (*string)(&r.Mark.ChangedBy))
	c.Text("approval", &r.Mark.Approval)
	c.Time("deleted_at", &r.DeletedAt)
	c.Int64("version", &r.Version)
	c.Time("created_at", &r.CreatedAt)
	c.Time("updated_at", &r.UpdatedAt)
}

func rowOf(r Receiver) *row {
	words := []string{r.ID, r.FirstName, r.MiddleName, r.LastName, r.LegalName, r.Email}
	if shown := mailbox.Show(r.Email); shown != r.Email {
		words = append(words, shown)
	}

	v := &row{Receiver: r, search: text.Searchable(strings.Join(words, " ")), key: screening.Key(r.LegalName)}
	if r.Type == Individual {
		v.key = screening.Key(r.FirstName + " " + r.LastName)
	}

	if r.HasBirth {
		v.birth = r.BirthDate.UTC().Format(time.RFC3339Nano)
	}

	return v
}

func (r *row) receiver() (Receiver, error) {
	out := r.Receiver
	if r.birth == "" {
		return out, nil
	}

	at, err := time.Parse(time.RFC3339Nano, r.birth)
	if err != nil {
		// without the text, which the error of Parse holds
		return out, fmt.Errorf("date of birth of receiver %s cannot be read", r.ID)
	}

	out.BirthDate = day.Of(at)
	out.HasBirth = true

	return out, nil
}

// update writes every column of a receiver that was read at version r.Version, and returns it with its next version.
func update(tx *db.Tx, r Receiver) Receiver {
	before := r.Version
	r.Version++
	r.UpdatedAt = tx.Now
	receiverTable.Update(tx, rowOf(r), before)

	return r
}

// notice is the data of a receiver's events. It holds nothing personal.
type notice struct {
	ID      string `json:"_id"`
	Type    Type   `json:"type"`
	Version int64  `json:"version"`
}

// tell writes an event of a receiver.
func (r Receiver) tell(tx *db.Tx, kind string) error {
	return trail.Event(tx, kind, r.Organisation, r.ID, r.Version, notice{r.ID, r.Type, r.Version})
}

func one(ctx context.Context, q db.Querier, what, where string, args ...any) (Receiver, error) {
	v, err := receiverTable.One(ctx, q, "WHERE "+where+" AND deleted_at = 0", args...)
	switch {
	case errors.Is(err, db.ErrNone):
		return Receiver{}, fault.Missing("receiver")
	case err != nil:
		return Receiver{}, fmt.Errorf("read receiver %s: %w", what, err)
	}

	return v.receiver()
}

// ByID returns a receiver of the organisation that is not deleted. An unknown one and another organisation's are
// refused word for word the same.
func ByID(ctx context.Context, q db.Querier, organisation, id string) (Receiver, error) {
	return one(ctx, q, id, "id = ? AND organisation = ?", id, organisation)
}

// OrganisationOf returns the organisation of any receiver that is not deleted, or db.ErrNone.
func OrganisationOf(ctx context.Context, q db.Querier, receiverID string) (string, error) {
	return db.Value[string](ctx, q, "SELECT organisation FROM receivers WHERE id = ? AND deleted_at = 0", receiverID)
}

// Self returns the organisation's own receiver.
func Self(ctx context.Context, q db.Querier, organisation string) (Receiver, error) {
	return one(ctx, q, "of "+organisation, "organisation = ? AND is_self", organisation)
}

// WithEmail returns the identifiers of the organisation's receivers with this address (mailbox.Key) that are not
// deleted and not the organisation itself; oldest first, at most 10.
func WithEmail(ctx context.Context, q db.Querier, organisation, email string) ([]string, error) {
	return others(ctx, q, organisation, "LOWER(email) = ?", mailbox.Key(email))
}

// WithName is WithEmail for receivers of this name, as Name returns it, but for middle names. Names are compared as
// they are read (screening.Key). A name of which nothing can be read is no other's.
func WithName(ctx context.Context, q db.Querier, organisation, name string) ([]string, error) {
	return others(ctx, q, organisation, "name_key = ? AND name_key <> ''", screening.Key(name))
}

func others(ctx context.Context, q db.Querier, organisation, condition string, args ...any) ([]string, error) {
	ids, err := db.Select(
		ctx,
		q,
		func(id *string) []any { return []any{id} },
		"SELECT id FROM receivers WHERE organisation = ? AND "+condition+" AND deleted_at = 0 AND NOT is_self "+
			"ORDER BY id LIMIT 10",
		append([]any{organisation}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("look for a receiver of %s: %w", organisation, err)
	}

	return ids, nil
}

// ByIDs returns those of the receivers that are the organisation's and not deleted, in one query.
func ByIDs(ctx context.Context, q db.Querier, organisation string, ids []string) (map[string]Receiver, error) {
	return byIDs(ctx, q, organisation, ids, false)
}

// WithDeleted is ByIDs that gives deleted receivers too, for records that outlive them.
func WithDeleted(ctx context.Context, q db.Querier, organisation string, ids []string) (map[string]Receiver, error) {
	return byIDs(ctx, q, organisation, ids, true)
}

// Deletions is the number of receivers that the organisation has deleted whose id a column of another table has. It
// grows with each deletion: where it is as it was, nothing was deleted.
func Deletions(column string) string {
	return "COALESCE((SELECT n FROM receiver_deletions d WHERE d.organisation = " + column + "), 0)"
}

// countDeletion counts one more deleted receiver.
func countDeletion(tx *db.Tx, organisation string) error {
	_, err := tx.Exec(
		`INSERT INTO receiver_deletions (organisation, n)
			VALUES (?, 1)
			ON CONFLICT (organisation) DO UPDATE SET n = receiver_deletions.n + 1`,
		organisation,
	)

	return err
}

// Deleted returns which of the organisation's receivers are deleted, in one query.
func Deleted(ctx context.Context, q db.Querier, organisation string, ids []string) (map[string]bool, error) {
	out := map[string]bool{}
	if len(ids) == 0 {
		return out, nil
	}

	var w db.Where
	w.And("organisation = ?", organisation)
	w.And("deleted_at <> 0")
	db.In(&w, "id", ids)

	gone, err := db.Select(
		ctx,
		q,
		func(id *string) []any { return []any{id} },
		"SELECT id FROM receivers"+w.SQL(),
		w.Args...,
	)
	if err != nil {
		return nil, fmt.Errorf("look for deleted receivers of %s: %w", organisation, err)
	}

	for _, id := range gone {
		out[id] = true
	}

	return out, nil
}

func byIDs(
	ctx context.Context,
	q db.Querier,
	organisation string,
	ids []string,
	deleted bool,
) (map[string]Receiver, error) {
	out := make(map[string]Receiver, len(ids))
	if len(ids) == 0 {
		return out, nil
	}

	var w db.Where
	w.And("organisation = ?", organisation)
	db.In(&w, "id", ids)

	if !deleted {
		w.And("deleted_at = 0")
	}

	rows, err := receiverTable.Select(ctx, q, w.SQL(), w.Args...)
	if err != nil {
		return nil, fmt.Errorf("read %d receivers: %w", len(ids), err)
	}

	all, err := db.Values(rows, (*row).receiver)
	for _, r := range all {
		out[r.ID] = r
	}

	return out, err
}

// Filter is which receivers of an organisation List returns.
type Filter struct {
	Organisation string
	Self         *bool  // nil: with its own and the others
	Hidden       bool   // with hidden ones
	Search       string // words, each of which is part of a name, the e-mail address or the identifier
	// OrHas is another way to be found by Search: a condition on id, such as bankaccount.ReceiverNumbered.
	OrHas     db.Where
	Type      string
	Countries []string // alpha-2
	// Has is a condition in SQL on receivers.id, such as wallet.ReceiverUsable; empty: none.
	Has       string
	HasArgs   []any
	Ascending bool // oldest first
}

func (f Filter) where() db.Where {
	var w db.Where
	w.And("organisation = ?", f.Organisation)
	w.And("deleted_at = 0")

	if !f.Hidden {
		w.And("NOT is_hidden")
	}

	if f.Self != nil && *f.Self {
		w.And("is_self")
	} else if f.Self != nil {
		w.And("NOT is_self")
	}

	if f.Type != "" {
		w.And("type = ?", f.Type)
	}

	db.In(&w, "country", f.Countries)

	var words db.Where
	words.Contains("search", f.Search)
	w.Either(words, f.OrHas)

	if f.Has != "" {
		w.And(f.Has, f.HasArgs...)
	}

	return w
}

// Found is the condition in SQL, on a column with identifiers of receivers, that a word is part of the receiver's name,
// its e-mail address or its identifier.
func Found(column, organisation, word string) db.Where {
	var w db.Where
	w.And("organisation = ?", organisation)
	w.Contains("search", word)

	var out db.Where
	out.And(column+" IN (SELECT id FROM receivers"+w.SQL()+")", w.Args...)

	return out
}

// List returns a page of the receivers that match, newest first unless Ascending, and how many match. When more follow
// there is one more than the page has.
func List(ctx context.Context, q db.Querier, f Filter, page caller.Window) ([]Receiver, int64, error) {
	order := caller.Order{Ascending: f.Ascending}

	rows, total, err := receiverTable.Page(ctx, q, db.Page{Where: f.where(), Window: page, Order: order})
	if err != nil {
		return nil, 0, err
	}

	out, err := db.Values(rows, (*row).receiver)

	return out, total, err
}

// AnyPayee reports whether the organisation has a receiver other than its own.
func AnyPayee(ctx context.Context, q db.Querier, organisation string) (bool, error) {
	n, err := db.Value[int64](ctx, q,
		`SELECT count(*) FROM (SELECT 1 FROM receivers
			WHERE organisation = ? AND NOT is_self AND deleted_at = 0 LIMIT 1) AS found`, organisation)

	return n > 0, err
}

// Shown is how many bank accounts and how many wallets a receiver shows.
const Shown = 250

// Newest returns the conditions of the rows of a table that receivers show: of those that where chooses the newest of
// each receiver, in the order in which they were added.
func Newest(table string, where db.Where) string {
	placed := "SELECT id, row_number() OVER (PARTITION BY receiver ORDER BY id DESC) AS place FROM " + table + where.SQL()

	return " WHERE id IN (SELECT id FROM (" + placed + ") AS placed WHERE place <= " + strconv.Itoa(
		Shown,
	) + ") ORDER BY id"
}
