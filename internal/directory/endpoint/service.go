package endpoint

import (
	"context"
	"reflect"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/feed"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/trail"
	"slipway/internal/rails/webhook"
)

// maxEndpoints limits the endpoints of an organisation.
const maxEndpoints = 20

// Deps is what the use cases need from elsewhere.
type Deps struct {
	DB     *db.DB
	Jobs   *jobs.Runner // sends deliveries: a runner of its own for Job
	Steady *jobs.Runner // carries out replays
	Sender *webhook.Sender
	Guard  webhook.Guard
	Mail   func(tx *db.Tx, m mail.Message)

	// Rota is that of Jobs' workers. One organisation, and all that one person has made, have a quarter of them. nil:
	// nobody counts.
	Rota *limit.Rota
}

// Service holds the use cases of endpoints.
type Service struct{ Deps }

// New returns the service and registers its jobs.
func New(d Deps) *Service {
	s := &Service{d}
	s.Jobs.Handle(Job, s.run)
	s.Steady.Handle(replayJob, s.replayStep)

	return s
}

type doneFunc = func(tx *db.Tx, e Endpoint) error

// Create adds an endpoint with a new key, and asks its address whether it wants events; a second call adds another.
func (s *Service) Create(ctx context.Context, e Endpoint, done doneFunc) error {
	var l fault.List
	e.check(s.Guard, &l)

	if err := l.Err(); err != nil {
		return err
	}

	key := newKey()

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		n, err := countEndpoints(ctx, tx, e.Organisation)
		if err != nil {
			return err
		}

		if n >= maxEndpoints {
			return fault.New(fault.Conflict, fault.WebhookLimit,
				"There may be %d webhook endpoints. Delete one that is not used.", maxEndpoints)
		}

		e := e
		e.ID = id.New(Prefix, tx.Now)
		e.APIVersion = feed.APIVersion
		e.Enabled = true
		e.Keys = []Key{key}
		e.Version = 1
		e.CreatedAt = tx.Now
		e.UpdatedAt = tx.Now

		if err := s.askForProof(tx, &e); err != nil {
			return err
		}

		endpointTable.Insert(tx, rowOf(e))
		trail.Audit(ctx, tx, e.Organisation, "webhook_endpoint.create", e.ID, e.URL)

		return done(tx, e)
	})
}

// change reads an endpoint, lets f change it, and writes it if it is another one then.
func (s *Service) change(
	ctx context.Context,
	organisation, endpoint, action string,
	f func(tx *db.Tx, e *Endpoint) error,
	done doneFunc,
) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		e, err := ByID(ctx, tx, organisation, endpoint)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, e.Version); err != nil {
			return err
		}

		before := e
		version := e.Version

		if err := f(tx, &e); err != nil {
			return err
		}

		if reflect.DeepEqual(before, e) {
			return done(tx, e)
		}

		e.Version++
		e.UpdatedAt = tx.Now
		endpointTable.Update(tx, rowOf(e), version)
		trail.Audit(ctx, tx, organisation, action, e.ID, e.URL)

		return done(tx, e)
	})
}

// Change changes an endpoint. Switched on again, it gets everything that has waited. A new address, and one that is
// switched on before it has proven itself, is asked whether it wants events.
func (s *Service) Change(
	ctx context.Context,
	organisation, endpoint string,
	apply func(*Endpoint),
	done doneFunc,
) error {
	return s.change(ctx, organisation, endpoint, "webhook_endpoint.change", func(tx *db.Tx, e *Endpoint) error {
		wasOn := e.Enabled
		was := e.URL
		apply(e)

		var l fault.List
		e.check(s.Guard, &l)

		if err := l.Err(); err != nil {
			return err
		}

		switchedOn := e.Enabled && !wasOn
		if e.URL != was || switchedOn && e.Challenge != "" {
			if err := s.askForProof(tx, e); err != nil {
				return err
			}
		}

		if !switchedOn {
			return nil
		}

		e.OffReason = ""
		e.FailingSince = time.Time{}
		s.demand(tx, e.ID)

		return beginAnew(tx, e.ID)
	}, done)
}

// Delete takes an endpoint out of use. What waits for it is never sent.
func (s *Service) Delete(ctx context.Context, organisation, endpoint string, done doneFunc) error {
	return s.change(ctx, organisation, endpoint, "webhook_endpoint.delete", func(_ *db.Tx, e *Endpoint) error {
		e.Deleted = true
		e.Enabled = false
		e.Keys = nil

		return nil
	}, done)
}

// Rotate gives an endpoint a new key. The present one signs beside it for the time of the overlap.
func (s *Service) Rotate(
	ctx context.Context,
	organisation, endpoint string,
	overlap time.Duration,
	done doneFunc,
) error {
	return s.change(ctx, organisation, endpoint, "webhook_endpoint.rotate", func(tx *db.Tx, e *Endpoint) error {
		e.rotate(tx.Now, overlap)
		return nil
	}, done)
}

// TestType is the type of the event that Test sends. It is in no feed.
const TestType = "webhook_endpoint.test"

// Test sends an endpoint an event about itself, before anything else that waits. An address that has not proven itself
// is asked again beside it.
func (s *Service) Test(
	ctx context.Context,
	organisation, endpoint string,
	done func(tx *db.Tx, d Delivery) error,
) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		e, err := ByID(ctx, tx, organisation, endpoint)
		if err != nil {
			return err
		}

		if e.Challenge != "" {
			if err := askAgain(tx, e); err != nil {
				return err
			}
		}

		d, err := deliveryOf(e, feed.Event{
			ID:       id.New("evt", tx.Now),
			Type:     TestType,
			Object:   e.ID,
			Sequence: e.Version,
			Data:     `{"_id":"` + e.ID + `"}`,
			At:       tx.Now,
		}, "test")
		if err != nil {
			return err
		}

		return s.insert(ctx, tx, d, "webhook_endpoint.test", done)
	})
}

// Resend sends a delivery's bytes again, as a delivery of its own.
func (s *Service) Resend(
	ctx context.Context,
	organisation, endpoint, delivery string,
	done func(tx *db.Tx, d Delivery) error,
) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, err := ByID(ctx, tx, organisation, endpoint); err != nil {
			return err
		}

		d, err := deliveryByID(ctx, tx, organisation, endpoint, delivery)
		if err != nil {
			return err
		}

		d.Round = id.New("whr", tx.Now)
		d.Status = Pending
		d.Attempts = 0
		d.EndedAt = time.Time{}
		d.Version = 1

		return s.insert(ctx, tx, d, "webhook_endpoint.resend", done)
	})
}

func (s *Service) insert(
	ctx context.Context,
	tx *db.Tx,
	d Delivery,
	action string,
	done func(tx *db.Tx, d Delivery) error,
) error {
	d.ID = id.New(deliveryPrefix, tx.Now)
	d.CreatedAt = tx.Now
	d.NextAt = tx.Now
	deliveryTable.Insert(tx, &d)
	s.demand(tx, d.Endpoint)
	trail.Audit(ctx, tx, d.Organisation, action, d.Endpoint, d.Event)

	return done(tx, d)
}

// Forget deletes deliveries that are older than the feed keeps events, at most limit of them, and returns how many.
func (s *Service) Forget(ctx context.Context, limit int) (int64, error) {
	var n int64

	err := s.DB.Write(ctx, func(tx *db.Tx) (err error) {
		n, err = forget(tx, tx.Now.Add(-feed.Kept), limit)
		return err
	})

	return n, err
}
