package endpoint

import (
	"context"
	"errors"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/feed"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/trail"
)

const (
	replayJob   = "webhook-replay"
	replayBatch = 200
	replayLimit = 50_000 // numbers of one replay
)

// replay is a part of the feed that an endpoint gets again.
type replay struct {
	ID, Organisation, Endpoint string
	Next, Last                 int64
	OnlyFailed                 bool
	Made                       int64
	Version                    int64
	CreatedAt                  time.Time
}

// Range is what is replayed: events with these numbers, or those of them that have failed.
type Range struct {
	First, Last int64
	OnlyFailed  bool
}

// Preview returns how many deliveries a replay would make.
func (s *Service) Preview(ctx context.Context, organisation, endpoint string, r Range) (int64, error) {
	e, err := ByID(ctx, s.DB, organisation, endpoint)
	if err != nil {
		return 0, err
	}

	if err := r.check(); err != nil {
		return 0, err
	}

	n := int64(0)

	for next := r.First; next <= r.Last; {
		part, after, err := s.part(ctx, e, replay{Next: next, Last: r.Last, OnlyFailed: r.OnlyFailed})
		if err != nil {
			return 0, err
		}

		n += int64(len(part))
		next = after
	}

	return n, nil
}

func (r Range) check() error {
	var l fault.List
	if r.Last < r.First || r.Last-r.First >= replayLimit {
		l.Add("/to", fault.OutOfRange, "must not be below from, and at most %d numbers above.", replayLimit-1)
	}

	return l.Err()
}

// Replay has a part of the feed delivered again. It returns when that is decided; a job makes the deliveries.
func (s *Service) Replay(
	ctx context.Context,
	organisation, endpoint string,
	r Range,
	done func(tx *db.Tx, started string) error,
) error {
	if err := r.check(); err != nil {
		return err
	}

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		e, err := ByID(ctx, tx, organisation, endpoint)
		if err != nil {
			return err
		}

		_, err = replayTable.One(ctx, tx,
			"WHERE organisation = ? AND endpoint = ? AND next_number <= last_number LIMIT 1", organisation, endpoint)
		if err == nil {
			return fault.New(fault.Conflict, fault.WebhookReplayOpen,
				"A replay to this endpoint is under way. Try again when it has ended.")
		}

		if !errors.Is(err, db.ErrNone) {
			return err
		}

		p := replay{
			ID:           id.New("whr", tx.Now),
			Organisation: organisation,
			Endpoint:     e.ID,
			Next:         r.First,
			Last:         r.Last,
			OnlyFailed:   r.OnlyFailed,
			Version:      1,
			CreatedAt:    tx.Now,
		}
		replayTable.Insert(tx, &p)
		s.Steady.Enqueue(tx, replayJob, "webhook-replay/"+p.ID, p.ID)
		trail.Audit(ctx, tx, organisation, "webhook_endpoint.replay", e.ID, p.ID)

		return done(tx, p.ID)
	})
}

// replayStep makes the next deliveries of a replay. The deliveries and the place up to which it has come are written
// together; a step that is repeated makes none twice.
func (s *Service) replayStep(ctx context.Context, j jobs.Job) (jobs.Result, error) {
	p, err := replayTable.One(ctx, s.DB, "WHERE id = ?", j.Payload)
	if err != nil || p.Next > p.Last {
		return jobs.Done(), err
	}

	e, err := ByID(ctx, s.DB, p.Organisation, p.Endpoint)
	if fault.Is(err, fault.NotFoundCode) {
		return jobs.Done(), nil // deleted meanwhile
	}

	if err != nil {
		return jobs.Result{}, err
	}

	made, next, err := s.part(ctx, e, p)
	if err != nil {
		return jobs.Result{}, err
	}

	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		n := p
		n.Next = next
		n.Made += int64(len(made))
		n.Version++
		replayTable.Update(tx, &n, p.Version)
		s.add(tx, made)

		return nil
	})
	if err != nil || next > p.Last {
		return jobs.Done(), err
	}

	return jobs.Again(0), nil
}

// part returns the next deliveries of a replay, and the number after which they end.
func (s *Service) part(ctx context.Context, e Endpoint, p replay) (made []Delivery, next int64, err error) {
	events, err := feed.Read(ctx, s.DB, e.Organisation, p.Next-1, replayBatch)
	if err != nil {
		return nil, 0, err
	}

	if len(events) == 0 {
		return nil, p.Last + 1, nil
	}

	var failed map[string]bool

	if p.OnlyFailed {
		failed, err = undelivered(ctx, s.DB, e.ID, p.Next, events[len(events)-1].Number)
		if err != nil {
			return nil, 0, err
		}
	}

	for _, v := range events {
		if v.Number > p.Last {
			return made, p.Last + 1, nil
		}

		if !e.wants(v.Type) || p.OnlyFailed && !failed[v.ID] {
			continue
		}

		d, err := deliveryOf(e, v, p.ID)
		if err != nil {
			return nil, 0, err
		}

		made = append(made, d)
	}

	return made, events[len(events)-1].Number + 1, nil
}
