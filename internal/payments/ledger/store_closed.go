package ledger

import (
	"context"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
)

const (
	closedPage = 1000    // journals that are read at once while a period is closed
	mostClosed = 500_000 // that one write keeps; everything else that is to be written waits for it
)

var insertClosed = db.InsertInto("closed_journals", "journal, organisation, period, day, booked_on, value_on")

// Close keeps the journals that an organisation's book has before a day, and that are in no closed period yet, with
// their days. name is that of the period, in which they all count. From then on they never leave it, whatever happens
// to the time zone, and none joins it. It returns how many they are. A second call finds none. It refuses more than
// mostClosed with PERIOD_TOO_LARGE.
func Close(ctx context.Context, tx *db.Tx, p Period, name string) (int, error) {
	return closeAtMost(ctx, tx, p, name, mostClosed, closedPage)
}

func closeAtMost(ctx context.Context, tx *db.Tx, p Period, name string, most, page int) (int, error) {
	type row struct {
		id string
		on on
	}

	p.From = p.Open // what is in closed periods stays there

	all := 0
	after := ""

	for {
		var w db.Where
		w.And("j.organisation = ?", p.Organisation)
		w.And("j.id > ?", after)
		p.within(&w)

		rows, err := db.Select(ctx, tx, func(r *row) []any { return append([]any{&r.id}, r.on.dest()...) },
			"SELECT j.id, j.happened_at, j.booked_on, j.value_on FROM journals j"+w.SQL()+" ORDER BY j.id LIMIT ?",
			append(w.Args, int64(page))...)
		if err != nil {
			return all, err
		}

		all += len(rows)
		if all > most {
			return all, fault.New(fault.Conflict, fault.PeriodTooLarge,
				"%s has more than %d journals, which is more than can be closed at once.", name, most)
		}

		for _, r := range rows {
			booked, value := r.on.days(p.Location())
			day := p.counts(booked)
			tx.Insert(insertClosed, r.id, p.Organisation, name, text(day), text(booked), text(value))

			after = r.id
		}

		if len(rows) < page {
			return all, nil
		}
	}
}

// Reopen forgets which journals a closed period has. Each counts again on its own day. Without such a period it does
// nothing.
func Reopen(tx *db.Tx, organisation, name string) error {
	_, err := tx.Exec("DELETE FROM closed_journals WHERE organisation = ? AND period = ?", organisation, name)

	return err
}

// FirstDay returns the earliest business day of an organisation's book; ok is false for an empty one.
func FirstDay(
	ctx context.Context,
	q db.Querier,
	organisation string,
	zone *time.Location,
) (first time.Time, ok bool, err error) {
	const journals = "SELECT happened_at, booked_on, value_on FROM journals WHERE organisation = ? AND "

	for _, of := range []string{
		journals + "booked_on = '' ORDER BY happened_at LIMIT 1",
		journals + "booked_on <> '' ORDER BY booked_on LIMIT 1",
	} {
		found, err := db.Select(ctx, q, (*on).dest, of, organisation)
		if err != nil {
			return first, ok, err
		}

		for _, o := range found {
			booked, _ := o.days(zone)
			if !ok || booked.Before(first) {
				first = booked
			}

			ok = true
		}
	}

	return first, ok, nil
}

func text(day time.Time) string { return day.Format(time.DateOnly) }
