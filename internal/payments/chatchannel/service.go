package chatchannel

import (
	"context"
	"reflect"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/trail"
	"slipway/internal/rails/chat"
	"slipway/internal/rails/webhook"
)

// maxChannels limits the channels of an organisation.
const maxChannels = 10

// Deps is what the use cases need from elsewhere.
type Deps struct {
	DB     *db.DB
	Jobs   *jobs.Runner // sends messages: a runner for jobs that wait for parties outside
	Sender *webhook.Sender
	Guard  webhook.Guard
	Mail   func(tx *db.Tx, m mail.Message)
	// LinkTo returns the address of a page, or "": mail.Outbox has it.
	LinkTo func(p mail.Place, organisation, record string) string
	Mark   string      // of a deployment that moves nothing of worth; empty: none
	Rota   *limit.Rota // of Jobs' workers; nil: nobody counts
}

// Service holds the use cases of channels.
type Service struct{ Deps }

// New returns the service and registers its job.
func New(d Deps) *Service {
	s := &Service{d}
	s.Jobs.Handle(Job, s.tellRoom)

	return s
}

type doneFunc = func(tx *db.Tx, c Channel) error

// Create adds a channel; a second call adds another.
func (s *Service) Create(ctx context.Context, c Channel, done doneFunc) error {
	var l fault.List
	c.checkAddress(s.Guard, &l)

	if err := l.Err(); err != nil {
		return err
	}

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		n, err := countChannels(ctx, tx, c.Organisation)
		if err != nil {
			return err
		}

		if n >= maxChannels {
			return fault.New(fault.Conflict, fault.ChatLimit,
				"There may be %d chat channels. Delete one that is not used.", maxChannels)
		}

		c := c
		c.ID = id.New(Prefix, tx.Now)
		c.Enabled = true
		c.CreatedBy = caller.Of(ctx).User
		c.Version = 1
		c.CreatedAt = tx.Now
		c.UpdatedAt = tx.Now

		channelTable.Insert(tx, rowOf(c))
		trail.Audit(ctx, tx, c.Organisation, "chat_channel.create", c.ID, detail(c))

		return done(tx, c)
	})
}

// detail is what the audit log has of a channel: nothing of what lets people write there.
func detail(c Channel) string { return c.Name + ", " + chat.Shown(c.Address) }

// alter reads a channel, lets f change it, and writes it if it is another one then.
func (s *Service) alter(
	ctx context.Context,
	organisation, channel, action string,
	f func(tx *db.Tx, c *Channel) error,
	done doneFunc,
) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		c, err := ByID(ctx, tx, organisation, channel)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, c.Version); err != nil {
			return err
		}

		before := c
		version := c.Version
		said := detail(c)

		if err := f(tx, &c); err != nil {
			return err
		}

		if reflect.DeepEqual(before, c) {
			return done(tx, c)
		}

		if c.Address != "" {
			said = detail(c)
		}

		c.Version++
		c.UpdatedAt = tx.Now
		channelTable.Update(tx, rowOf(c), version)
		trail.Audit(ctx, tx, organisation, action, c.ID, said)

		return done(tx, c)
	})
}

// Change changes a channel. What waits for one that is switched off is dropped. With a new address, or switched on
// again, it begins anew.
func (s *Service) Change(
	ctx context.Context,
	organisation, channel string,
	apply func(*Channel),
	done doneFunc,
) error {
	return s.alter(ctx, organisation, channel, "chat_channel.change", func(tx *db.Tx, c *Channel) error {
		was := *c
		apply(c)

		var l fault.List
		c.checkAddress(s.Guard, &l)

		if err := l.Err(); err != nil {
			return err
		}

		if !c.Enabled {
			return endAll(tx, *c, Unwanted)
		}

		if c.Address == was.Address && was.Enabled {
			return nil
		}

		c.OffReason = ""
		c.Failures = 0
		c.NextAt = time.Time{}
		c.FailingSince = time.Time{}
		c.Problem = ""
		s.demand(tx, c.ID)

		return nil
	}, done)
}

// Delete takes a channel out of use, and forgets its address. What waits for it is not sent.
func (s *Service) Delete(ctx context.Context, organisation, channel string, done doneFunc) error {
	return s.alter(ctx, organisation, channel, "chat_channel.delete", func(tx *db.Tx, c *Channel) error {
		c.Deleted = true
		c.Enabled = false
		c.Address = ""

		return endAll(tx, *c, Unwanted)
	}, done)
}

// Tested is what a test came to.
type Tested struct {
	Outcome chat.Outcome
	Status  int // of the answer; 0: there was none
	Said    string
}

// Test sends a channel a message about nothing, and returns what its server has answered. It is sent whether the
// channel is on or off, and switches it neither off nor on. A second call sends another one.
func (s *Service) Test(ctx context.Context, organisation, channel string) (Tested, error) {
	c, err := ByID(ctx, s.DB, organisation, channel)
	if err != nil {
		return Tested{}, err
	}

	answer, problem := s.post(ctx, c, s.testMessage(c))
	said := answered(answer, problem)
	outcome := said.Judge()

	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		trail.Audit(ctx, tx, organisation, "chat_channel.test", c.ID, c.Name+": "+string(outcome))

		if outcome == chat.Taken {
			return noteTaken(tx, c)
		}

		return nil
	})

	return Tested{outcome, said.Status, said.Explain()}, err
}
