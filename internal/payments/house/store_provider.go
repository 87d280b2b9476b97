package house

import (
	"context"
	"fmt"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

const statedColumns = "provider, id, kind, order_key, network, asset, decimals, units, day, restated, gone_at, seen_at"

var insertStated = db.InsertInto("provider_movements", statedColumns)

type statedRow struct {
	Stating

	provider, network, day string
	stored                 money.Stored
	gone, seen             int64
}

func (r *statedRow) dest() []any {
	return []any{
		&r.provider,
		&r.ID,
		&r.Kind,
		&r.Order,
		&r.network,
		&r.stored.Code,
		&r.stored.Decimals,
		&r.stored.Units,
		&r.day,
		&r.Restated,
		&r.gone,
		&r.seen,
	}
}

func (r *statedRow) stating() (out Stating, err error) {
	out = r.Stating
	out.Gone = r.gone > 0
	out.Place = r.network

	if out.Place == "" {
		out.Place = r.stored.Code
	}

	if out.Amount, err = r.stored.Amount(); err == nil {
		out.Day, err = time.Parse(time.DateOnly, r.day)
	}

	if err != nil {
		return out, fmt.Errorf("line %s of the statement of %s: %w", r.ID, r.provider, err)
	}

	return out, nil
}

// text is what a line says, to notice that it says something else.
func (l Stating) text() string {
	a := l.Amount
	return fmt.Sprintf("%s %s %s %s %s %s", l.Kind, l.Order, l.Place, a, a.Asset().Code, l.Day.Format(time.DateOnly))
}

func statedWhere(ctx context.Context, q db.Querier, condition string, args ...any) ([]Stating, error) {
	rows, err := db.Select(ctx, q, (*statedRow).dest,
		"SELECT "+statedColumns+" FROM provider_movements WHERE "+condition+" ORDER BY day, id", args...)
	if err != nil {
		return nil, err
	}

	return db.Values(rows, (*statedRow).stating)
}

// statedSince returns the lines of a provider's statement from a day on, as it was read last.
func statedSince(ctx context.Context, q db.Querier, provider string, from time.Time) ([]Stating, error) {
	return statedWhere(ctx, q, "provider = ? AND day >= ?", provider, from.Format(time.DateOnly))
}

// keepStated stores the lines of a statement from a day on. One that is another one than it was keeps what it was
// first; one that the statement does not have any more stays, marked.
func (s *Service) keepStated(ctx context.Context, provider string, from time.Time, lines []Stating) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		known, err := statedSince(ctx, tx, provider, from)
		if err != nil {
			return err
		}

		before := make(map[string]Stating, len(known))
		for _, l := range known {
			before[l.ID] = l
		}

		for _, l := range lines {
			old, is := before[l.ID]
			delete(before, l.ID)

			switch {
			case !is:
				insertLine(tx, provider, l, "")
			case old.text() != l.text() || old.Gone:
				first := old.Restated
				if first == "" {
					first = old.text()
				}

				if _, err := tx.Exec(
					"DELETE FROM provider_movements WHERE provider = ? AND id = ?",
					provider,
					l.ID,
				); err != nil {
					return err
				}

				if first == l.text() {
					first = "" // it is again as it was
				}

				insertLine(tx, provider, l, first)
			}
		}

		for id, l := range before {
			if !l.Gone {
				tx.Change("UPDATE provider_movements SET gone_at = ? WHERE provider = ? AND id = ?",
					db.Micros(tx.Now), provider, id)
			}
		}

		return nil
	})
}

func insertLine(tx *db.Tx, provider string, l Stating, restated string) {
	network := l.Place
	if network == l.Amount.Asset().Code {
		network = ""
	}

	a := l.Amount.Stored()
	tx.Insert(insertStated, provider, l.ID, l.Kind, l.Order, network, a.Code, a.Decimals, a.Units,
		l.Day.Format(time.DateOnly), restated, int64(0), db.Micros(tx.Now))
}
