package ledger

import (
	"context"
	"errors"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
)

// Filter selects journals. The zero value selects all.
type Filter struct {
	Account, Key, Kind, Organisation, Transaction string
	From, Before                                  time.Time // when they were written; a zero time is no bound
}

// Entered is a journal as it stands in the book.
type Entered struct {
	ID, Key, Kind, Organisation, Transaction string
	Hash                                     string    // of its content, as it was written
	At                                       time.Time // when it was written
	BookedOn, ValueOn                        time.Time // business day and value day, in UTC
	Link                                     Link      // zero: it has none yet
}

// Link is the place of a journal in the chain of hashes.
type Link struct {
	Seq  int64
	Hash string
	At   time.Time
}

// Checked is what a look at one journal finds.
type Checked struct {
	Unchanged bool // its content is what was written
	Genuine   bool // this service has written it
}

// Journals returns a page of journals, newest first, and how many there are on all pages. What is posted to an account
// that has very many postings is found faster within a period.
func Journals(ctx context.Context, q db.Querier, f Filter, page caller.Window) ([]Entered, int64, error) {
	if page.After != "" && !id.Valid(journalPrefix, page.After) {
		return nil, 0, badCursor()
	}

	rows, total, err := db.ReadPage(ctx, q, db.Page{
		Columns: journalColumns,
		Table:   "journals",
		Where:   f.where(),
		Window:  page,
	}, (*journalRow).dest)
	if err != nil {
		return nil, 0, err
	}

	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}

	links, err := linksOf(ctx, q, ids)

	out := make([]Entered, len(rows))
	for i, r := range rows {
		out[i] = r.entered(links)
	}

	return out, total, err
}

// JournalByID returns one journal with its postings and what a look at it finds. keys are those that have signed the
// book. It does not prove the chain; Verify does.
func JournalByID(
	ctx context.Context,
	q db.Querier,
	keys *secret.Keyring,
	journal string,
) (Entered, []Line, Checked, error) {
	r, err := journalOf(ctx, q, journal)
	if errors.Is(err, db.ErrNone) {
		err = fault.Missing("journal")
	}

	if err != nil {
		return Entered{}, nil, Checked{}, err
	}

	links, err := linksOf(ctx, q, []string{journal})
	if err != nil {
		return Entered{}, nil, Checked{}, err
	}

	rows, err := postingsOf(ctx, q, journal)

	lines := make([]Line, len(rows))
	for i, p := range rows {
		lines[i] = Line{
			Journal: r.Key,
			Kind:    r.Kind,
			Account: p.Account,
			Asset:   p.Asset,
			Units:   p.Units,
			Memo:    p.Memo,
			At:      db.Time(r.CreatedAt),
		}
	}

	return r.entered(links), lines, Checked{
		Unchanged: contentHash(r, rows) == r.Hash,
		Genuine:   genuine(keys, signedText(r.Hash), r.Signature),
	}, err
}

func (r *journalRow) entered(links map[string]Link) Entered {
	booked, value := r.days(time.UTC)

	return Entered{
		ID:           r.ID,
		Key:          r.Key,
		Kind:         r.Kind,
		Organisation: r.Organisation,
		Transaction:  r.Transaction,
		Hash:         r.Hash,
		At:           db.Time(r.CreatedAt),
		BookedOn:     booked,
		ValueOn:      value,
		Link:         links[r.ID],
	}
}
