package ledger

import (
	"context"
	"errors"

	"slipway/internal/platform/db"
)

type journalRow struct {
	ID, Key, Kind, Organisation, Transaction string
	Hash, Signature                          string
	CreatedAt                                int64
	on
}

type postingRow struct {
	Journal               string
	Line                  int64
	Account, Asset, Units string
	Memo                  string
}

const (
	journalColumns = "id, key, kind, organisation, transaction_id, hash, signature, created_at, " +
		"happened_at, booked_on, value_on"
	postingColumns = "journal, line, account, asset, units, memo"
)

var (
	insertJournal = db.InsertInto("journals", journalColumns)
	insertPosting = db.InsertInto("postings", postingColumns)
	insertSeal    = db.InsertInto("ledger_chain", "seq, journal, hash, sealed_at")
)

func (r *journalRow) dest() []any {
	return append([]any{
		&r.ID,
		&r.Key,
		&r.Kind,
		&r.Organisation,
		&r.Transaction,
		&r.Hash,
		&r.Signature,
		&r.CreatedAt,
	}, r.on.dest()...)
}

func (p *postingRow) dest() []any {
	return []any{&p.Journal, &p.Line, &p.Account, &p.Asset, &p.Units, &p.Memo}
}

func insert(tx *db.Tx, r journalRow, lines []postingRow) {
	tx.Insert(
		insertJournal,
		r.ID,
		r.Key,
		r.Kind,
		r.Organisation,
		r.Transaction,
		r.Hash,
		r.Signature,
		r.CreatedAt,
		r.happenedAt,
		r.booked,
		r.value,
	)

	if r.late() {
		tx.Insert(insertLate, r.Organisation, r.ID, r.happenedAt)
	}

	for _, l := range lines {
		tx.Insert(insertPosting, l.Journal, l.Line, l.Account, l.Asset, l.Units, l.Memo)
	}
}

func journalsAfter(ctx context.Context, q db.Querier, after string, limit int) ([]journalRow, error) {
	return db.Select(ctx, q, (*journalRow).dest,
		"SELECT "+journalColumns+" FROM journals WHERE id > ? ORDER BY id LIMIT ?", after, int64(limit))
}

// linesBetween calls each with the lines of one journal after another, for ids from first to last, both included. It
// never holds all lines, because some journals have thousands. The slice is valid until each returns.
func linesBetween(
	ctx context.Context,
	q db.Querier,
	first, last string,
	each func(journal string, lines []postingRow),
) error {
	rows, err := q.Query(
		ctx,
		"SELECT "+postingColumns+" FROM postings WHERE journal >= ? AND journal <= ? ORDER BY journal, line",
		first,
		last,
	)
	if err != nil {
		return err
	}
	defer rows.Close()

	var lines []postingRow

	flush := func() {
		if len(lines) > 0 {
			each(lines[0].Journal, lines)
			lines = lines[:0]
		}
	}
	for rows.Next() {
		var l postingRow
		if err := rows.Scan(l.dest()...); err != nil {
			return err
		}

		if len(lines) > 0 && lines[0].Journal != l.Journal {
			flush()
		}

		lines = append(lines, l)
	}

	if err := rows.Err(); err != nil {
		return err
	}

	flush()

	return nil
}

// lineRow is a posting with columns of its journal.
type lineRow struct {
	line Line
	at   int64
}

func (r *lineRow) dest() []any {
	l := &r.line
	return []any{&l.Journal, &l.Kind, &l.Account, &l.Asset, &l.Units, &l.Memo, &r.at}
}

// linesOf returns the lines of a transaction's journals that satisfy a further condition, journal by journal.
func linesOf(ctx context.Context, q db.Querier, transaction, and string, args ...any) ([]lineRow, error) {
	return db.Select(
		ctx,
		q,
		(*lineRow).dest,
		`SELECT j.key, j.kind, p.account, p.asset, p.units, p.memo, j.created_at
			FROM journals j JOIN postings p ON p.journal = j.id
			WHERE j.transaction_id = ?`+and+" ORDER BY j.id, p.line",
		append([]any{transaction}, args...)...)
}

func postingsOfAccount(ctx context.Context, q db.Querier, account Account) ([]postingRow, error) {
	return db.Select(ctx, q, (*postingRow).dest,
		"SELECT "+postingColumns+" FROM postings WHERE account = ?", string(account))
}

type sealRow struct {
	Seq           int64
	Journal, Hash string
}

func (s *sealRow) dest() []any { return []any{&s.Seq, &s.Journal, &s.Hash} }

func lastSeal(ctx context.Context, q db.Querier) (sealRow, error) {
	return db.One(ctx, q, (*sealRow).dest, "SELECT seq, journal, hash FROM ledger_chain ORDER BY seq DESC LIMIT 1")
}

func sealsAfter(ctx context.Context, q db.Querier, seq int64, limit int) ([]sealRow, error) {
	return db.Select(ctx, q, (*sealRow).dest,
		"SELECT seq, journal, hash FROM ledger_chain WHERE seq > ? ORDER BY seq LIMIT ?", seq, int64(limit))
}

// sealedUntil returns the time of the newest link's journal, or 0 if there is no link or its journal is gone.
func sealedUntil(ctx context.Context, q db.Querier, last sealRow) (int64, error) {
	at, err := db.Value[int64](ctx, q, "SELECT created_at FROM journals WHERE id = ?", last.Journal)
	if errors.Is(err, db.ErrNone) {
		return 0, nil
	}

	return at, err
}

func countRows(ctx context.Context, q db.Querier) (journals, postings int64, err error) {
	if journals, err = db.Value[int64](ctx, q, "SELECT count(*) FROM journals"); err != nil {
		return 0, 0, err
	}

	postings, err = db.Value[int64](ctx, q, "SELECT count(*) FROM postings")

	return journals, postings, err
}

// unsealed returns journals without a link, oldest first.
func unsealed(ctx context.Context, q db.Querier, since int64, limit int) ([]journalRow, error) {
	return db.Select(
		ctx,
		q,
		(*journalRow).dest,
		"SELECT "+journalColumns+" FROM journals WHERE created_at >= ? AND NOT EXISTS (SELECT 1 "+
			"FROM ledger_chain c WHERE c.journal = journals.id) ORDER BY id LIMIT ?",
		since,
		int64(limit),
	)
}

func countUnsealed(ctx context.Context, q db.Querier, since int64) (int64, error) {
	return db.Value[int64](
		ctx,
		q,
		`SELECT count(*) FROM journals WHERE created_at >= ? AND NOT EXISTS (SELECT 1
			FROM ledger_chain c WHERE c.journal = journals.id)`,
		since,
	)
}

// sealOf returns one link, or db.ErrNone.
func sealOf(ctx context.Context, q db.Querier, seq int64) (sealRow, error) {
	return db.One(ctx, q, (*sealRow).dest, "SELECT seq, journal, hash FROM ledger_chain WHERE seq = ?", seq)
}
