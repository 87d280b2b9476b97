package comment

import (
	"context"
	"fmt"

	"slipway/internal/core/caller"
	"slipway/internal/platform/db"
)

// text is what was written. It may hold what people know of each other, so it is sealed.
var text = db.SealColumn("comments", "sealed", "id")

// Sealed returns the sealed columns.
func Sealed() []*db.Sealed { return []*db.Sealed{text} }

var (
	commentTable   = db.NewTable("comments", (*Comment).columns)
	insertDocument = db.InsertInto("comment_documents", "comment, position, organisation, document")
)

// columns lists every column once. A new field needs one line here.
func (c *Comment) columns(in *db.Columns) {
	in.Text("id", &c.ID)
	in.Text("organisation", &c.Organisation)
	in.Text("object", &c.Object)
	in.Text("author", &c.Author)
	in.Sealed(text, db.Key{&c.ID}, &c.Text)
	in.Bool("internal", &c.Internal)
	in.Time("created_at", &c.CreatedAt)
}

func insert(tx *db.Tx, c Comment) {
	commentTable.Insert(tx, &c)

	for i, document := range c.Documents {
		tx.Insert(insertDocument, c.ID, int64(i), c.Organisation, document)
	}
}

// page returns one page of the comments on a record, and how many there are on all pages.
func page(
	ctx context.Context,
	q db.Querier,
	object string,
	internal, ascending bool,
	window caller.Window,
) ([]Comment, int64, error) {
	p := db.Page{Order: caller.Order{Ascending: ascending}, Window: window}
	p.Where.And("object = ?", object)

	if !internal {
		p.Where.And("NOT internal")
	}

	all, total, err := commentTable.Page(ctx, q, p)
	if err != nil {
		return nil, 0, fmt.Errorf("comments on %s: %w", object, err)
	}

	return all, total, attachDocuments(ctx, q, all)
}

// Of returns the comments that records show, by record, oldest first: the latest of each, without those for the
// platform's people alone. It takes two statements, however many records there are, and one if nobody has commented.
func Of(ctx context.Context, q db.Querier, objects ...string) (map[string][]View, error) {
	return shown(ctx, q, "NOT internal AND ", objects)
}

// OfCases is Of for records that only the platform's people see: it returns their notes, too.
func OfCases(ctx context.Context, q db.Querier, objects ...string) (map[string][]View, error) {
	return shown(ctx, q, "", objects)
}

func shown(ctx context.Context, q db.Querier, condition string, objects []string) (map[string][]View, error) {
	out := map[string][]View{}
	if len(objects) == 0 {
		return out, nil
	}

	var w db.Where
	db.In(&w, condition+"object", objects)

	all, err := commentTable.Select(ctx, q, w.SQL()+" ORDER BY id DESC LIMIT 10000", w.Args...)
	if err != nil {
		return nil, fmt.Errorf("comments on %d records: %w", len(objects), err)
	}

	var latest []Comment
	count := map[string]int{}

	for _, c := range all {
		if count[c.Object]++; count[c.Object] <= maxShown {
			latest = append(latest, c)
		}
	}

	if err := attachDocuments(ctx, q, latest); err != nil {
		return nil, err
	}

	for i := len(latest) - 1; i >= 0; i-- {
		c := latest[i]
		out[c.Object] = append(out[c.Object], ViewOf(c))
	}

	return out, nil
}

// attachDocuments reads the documents of comments in one statement.
func attachDocuments(ctx context.Context, q db.Querier, all []Comment) error {
	if len(all) == 0 {
		return nil
	}

	ids := make([]string, len(all))
	at := make(map[string]int, len(all))

	for i, c := range all {
		ids[i] = c.ID
		at[c.ID] = i
	}

	var w db.Where
	db.In(&w, "comment", ids)

	type row struct{ comment, document string }

	rows, err := db.Select(ctx, q, func(r *row) []any { return []any{&r.comment, &r.document} },
		"SELECT comment, document FROM comment_documents"+w.SQL()+" ORDER BY comment, position", w.Args...)
	if err != nil {
		return fmt.Errorf("documents of %d comments: %w", len(all), err)
	}

	for _, r := range rows {
		c := &all[at[r.comment]]
		c.Documents = append(c.Documents, r.document)
	}

	return nil
}

// Referred returns those of some documents that comments on records of the organisation refer to. Pass it to
// document.Deps.
func Referred(ctx context.Context, q db.Querier, organisation string, keys []string) ([]string, error) {
	var w db.Where
	w.And("organisation = ?", organisation)
	w.And("document <> ''")
	db.In(&w, "document", keys)

	return db.Select(ctx, q, func(s *string) []any { return []any{s} },
		"SELECT DISTINCT document FROM comment_documents"+w.SQL(), w.Args...)
}
