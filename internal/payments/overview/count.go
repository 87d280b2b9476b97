package overview

import (
	"context"
	"errors"
	"fmt"
	"time"

	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Job is the name of the job that calls Count, and Every is its interval.
const (
	Job   = "overview"
	Every = 15 * time.Second
)

const (
	organisationPage = 200 // organisations read at once
	eventPage        = 500 // completed transactions counted in one write
	mostUncounted    = 500 // completed transactions that an answer adds by itself

	// settle is the age from which events are counted: earlier ones may not be committed before.
	settle = 15 * time.Second

	completed = "transaction.completed"
)

// Count adds up what was completed since the last count, for every organisation. An error of one organisation does not
// stop the others. If two calls run at once, the slower one is rolled back.
func (s *Service) Count(ctx context.Context) error {
	var failed []error

	for after := ""; ; {
		cursors, err := dueCursors(ctx, s.DB, after, s.DB.Now().Add(-settle), organisationPage)
		if err != nil {
			return errors.Join(append(failed, fmt.Errorf("read due cursors: %w", err))...)
		}

		for _, c := range cursors {
			if err := s.countAll(ctx, c.organisation); err != nil {
				failed = append(failed, fmt.Errorf("count %s: %w", c.organisation, err))
			}
		}

		if len(cursors) < organisationPage || ctx.Err() != nil {
			return errors.Join(append(failed, ctx.Err())...)
		}

		after = cursors[len(cursors)-1].organisation
	}
}

// countAll counts an organisation's settled events, a page in each write.
func (s *Service) countAll(ctx context.Context, organisation string) error {
	for more := true; more && ctx.Err() == nil; {
		c, err := cursorOf(ctx, s.DB, organisation)
		if err != nil {
			return err
		}

		if more, err = s.countPage(ctx, c); err != nil {
			return err
		}
	}

	return ctx.Err()
}

// countPage counts the next page, and reports whether another one follows.
func (s *Service) countPage(ctx context.Context, c cursor) (more bool, err error) {
	upTo, err := trail.Newest(ctx, s.DB, c.organisation, s.DB.Now().Add(-settle))
	if errors.Is(err, db.ErrNone) || err == nil && upTo <= c.last {
		return false, nil
	}

	if err != nil {
		return false, err
	}

	f := newFigures()

	read, err := addEvents(ctx, s.DB, f, trail.Span{Organisation: c.organisation, After: c.last, UpTo: upTo}, eventPage)
	if err != nil {
		return false, err
	}

	if len(read) == eventPage {
		more = true
		upTo = read[eventPage-1].ID
	}

	return more, s.DB.Write(ctx, func(tx *db.Tx) error {
		moveCursor(tx, c, upTo)
		return addFigures(ctx, tx, c.organisation, f)
	})
}

// addEvents adds the transactions whose completion a span of events tells, at most so many, and returns those events.
func addEvents(
	ctx context.Context, q db.Querier, f figures, span trail.Span, limit int,
) (read []trail.Entry, err error) {
	read, err = trail.Events(ctx, q, span, []string{completed}, limit)
	if err != nil || len(read) == 0 {
		return read, err
	}

	ids := make([]string, len(read))
	at := map[string]time.Time{}

	for i, e := range read {
		ids[i] = e.Object
		at[e.Object] = e.At
	}

	all, err := transaction.Several(ctx, q, span.Organisation, ids)
	for _, t := range all {
		f.add(t, at[t.ID])
	}

	return read, err
}

// addUncounted adds what was completed since the last count, and returns until when the figures are complete.
func addUncounted(
	ctx context.Context, q db.Querier, f figures, organisation string, from, now time.Time,
) (asOf time.Time, err error) {
	c, err := cursorOf(ctx, q, organisation)
	if err != nil {
		return now, err
	}

	upTo, err := trail.Newest(ctx, q, organisation, now.Add(time.Hour))
	if errors.Is(err, db.ErrNone) {
		return now, nil
	}

	if err != nil {
		return now, err
	}

	recent := newFigures()

	read, err := addEvents(
		ctx,
		q,
		recent,
		trail.Span{Organisation: organisation, After: c.last, UpTo: upTo},
		mostUncounted,
	)
	if err != nil {
		return now, err
	}

	f.join(recent, from)

	if len(read) == mostUncounted {
		return read[mostUncounted-1].At, nil
	}

	return now, nil
}
