package ledger

import (
	"context"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
)

func journalOf(ctx context.Context, q db.Querier, journal string) (journalRow, error) {
	return db.One(ctx, q, (*journalRow).dest, "SELECT "+journalColumns+" FROM journals WHERE id = ?", journal)
}

func postingsOf(ctx context.Context, q db.Querier, journal string) ([]postingRow, error) {
	return db.Select(ctx, q, (*postingRow).dest,
		"SELECT "+postingColumns+" FROM postings WHERE journal = ? ORDER BY line", journal)
}

type linkRow struct {
	sealRow
	at int64
}

func (l *linkRow) dest() []any { return append(l.sealRow.dest(), &l.at) }

// linksOf returns the links of those journals that have one.
func linksOf(ctx context.Context, q db.Querier, journals []string) (map[string]Link, error) {
	if len(journals) == 0 {
		return map[string]Link{}, nil
	}

	var w db.Where
	db.In(&w, "journal", journals)

	rows, err := db.Select(ctx, q, (*linkRow).dest,
		"SELECT seq, journal, hash, sealed_at FROM ledger_chain"+w.SQL(), w.Args...)

	out := make(map[string]Link, len(rows))
	for _, l := range rows {
		out[l.Journal] = Link{Seq: l.Seq, Hash: l.Hash, At: db.Time(l.at)}
	}

	return out, err
}

func (f Filter) where() db.Where {
	var w, of db.Where

	between := func(column string, w *db.Where) {
		if !f.From.IsZero() {
			w.And(column+" >= ?", id.First(f.From).String(journalPrefix))
		}

		if !f.Before.IsZero() {
			w.And(column+" < ?", id.First(f.Before).String(journalPrefix))
		}
	}
	between("id", &w)

	if f.Account != "" {
		of.And("account = ?", f.Account)
		between("journal", &of)
		w.And("id IN (SELECT journal FROM postings"+of.SQL()+")", of.Args...)
	}

	for _, x := range []struct{ column, value string }{
		{"key", f.Key},
		{"kind", f.Kind},
		{"organisation", f.Organisation},
		{"transaction_id", f.Transaction},
	} {
		if x.value != "" {
			w.And(x.column+" = ?", x.value)
		}
	}

	return w
}
