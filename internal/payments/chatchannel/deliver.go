package chatchannel

import (
	"context"
	"errors"
	"slices"
	"time"

	"slipway/internal/core/id"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/words"
	"slipway/internal/rails/chat"
	"slipway/internal/rails/webhook"
)

// Job is the kind of the job that sends a channel's messages. It waits for parties outside: run it by a runner of its
// own.
const Job = "chat"

// GiveUp is how long a message is tried. By then people have looked at the pages.
const GiveUp = 24 * time.Hour

// The limits of one run of the job, and of a channel.
const (
	batchLimit = 200         // messages that are read at once, and told together at most
	maxSingle  = 3           // so many that wait together are told one by one
	turnLimit  = time.Second // after it no further messages are read: a process that stops waits for the run
	waitLimit  = time.Hour   // a job looks at its messages at least this often
	offAfter   = 5 * 24 * time.Hour
	kept       = 30 * 24 * time.Hour // how long messages are kept that have ended
	// maxRetryAfter limits what a room can ask for by Retry-After: after it messages are given up anyway.
	maxRetryAfter = GiveUp
)

// pauses are those after each failure in a row. The last one is repeated.
var pauses = []time.Duration{
	10 * time.Second,
	30 * time.Second,
	2 * time.Minute,
	10 * time.Minute,
	30 * time.Minute,
	time.Hour,
	2 * time.Hour,
	4 * time.Hour,
}

// pauseAfter returns the pause after a number of failures in a row, up to a fifth shorter or longer, and never shorter
// than what the room has asked for.
func pauseAfter(failures int64, asked time.Duration) time.Duration {
	p := pauses[min(int(failures), len(pauses))-1]

	return max(limit.Around(p), min(asked, maxRetryAfter))
}

func (s *Service) demand(tx *db.Tx, channel string) { s.Jobs.Demand(tx, Job, "chat/"+channel, channel) }

// tellRoom sends what waits for a channel, if its organisation and whoever has made that have a place among the
// workers.
func (s *Service) tellRoom(ctx context.Context, j jobs.Job) (jobs.Result, error) {
	c, err := byID(ctx, s.DB, j.Payload)
	if errors.Is(err, db.ErrNone) || err == nil && !c.Enabled {
		return jobs.Done(), nil
	}

	if err != nil {
		return jobs.Result{}, err
	}

	org, err := organisation.ByID(ctx, s.DB, c.Organisation)
	if err != nil {
		return jobs.Result{}, err
	}

	leave, later, err := s.Rota.Take(c.ID, org.ID, org.CreatedBy)
	if err != nil {
		return jobs.Result{}, err
	}

	if leave == nil {
		return jobs.Again(later), nil
	}

	defer leave()

	return s.sendAll(ctx, c.ID)
}

// sendAll sends what waits for a channel until nothing does, the room asks for a pause, or the turn is over. The
// channel is read again before each message: it may have been switched off, or have another address.
func (s *Service) sendAll(ctx context.Context, channel string) (jobs.Result, error) {
	began := s.DB.Clock().Elapsed()

	for s.DB.Clock().Elapsed()-began <= turnLimit {
		c, err := byID(ctx, s.DB, channel)
		if errors.Is(err, db.ErrNone) || err == nil && !c.Enabled {
			return jobs.Done(), nil
		}

		if err != nil {
			return jobs.Result{}, err
		}

		if pause := c.NextAt.Sub(s.DB.Now()); pause > 0 {
			return jobs.Again(min(pause, waitLimit)), nil
		}

		more, err := s.sendNext(ctx, c)
		if err != nil {
			return jobs.Again(0), err
		}

		if !more {
			return jobs.Done(), nil
		}
	}

	return jobs.Again(0), nil
}

// sendNext sends the next message to a channel, or one about all that wait if they are many. It reports whether there
// was anything.
func (s *Service) sendNext(ctx context.Context, c Channel) (more bool, err error) {
	all, err := waiting(ctx, s.DB, c.ID, batchLimit)
	if err != nil || len(all) == 0 {
		return false, err
	}

	p, err := s.plan(ctx, c, all)
	if err != nil {
		return false, err
	}

	if len(p.messages) == 0 {
		return true, s.DB.Write(ctx, func(tx *db.Tx) error { return p.drop(tx) })
	}

	answer, problem := s.post(ctx, c, p.text)
	failpoint.Hit("chat.answered_unrecorded")

	return true, s.DB.Write(ctx, func(tx *db.Tx) error {
		if err := p.drop(tx); err != nil {
			return err
		}

		return s.noteOutcome(ctx, tx, c, p.messages, answer, problem)
	})
}

// plan is what is sent next, and what is not sent any more.
type plan struct {
	text          chat.Message
	messages      []Message // that text is about
	old, unwanted []Message
}

// plan decides what is sent next of the messages that wait.
func (s *Service) plan(ctx context.Context, c Channel, all []Message) (p plan, err error) {
	var said []saying

	for _, m := range all {
		if s.DB.Now().Sub(m.CreatedAt) > GiveUp {
			p.old = append(p.old, m)
			continue
		}

		x, ok, err := s.say(ctx, s.DB, m)
		if err != nil {
			return p, err
		}

		if !ok || !slices.Contains(c.News, x.news) {
			p.unwanted = append(p.unwanted, m)
			continue
		}

		said = append(said, x)
		p.messages = append(p.messages, m)
	}

	switch {
	case len(said) > maxSingle:
		p.text = s.together(c, said)
	case len(said) > 0:
		p.text = s.written(c, said[0])
		p.messages = p.messages[:1]
	}

	return p, nil
}

// drop ends what is not sent any more.
func (p plan) drop(tx *db.Tx) error {
	if err := end(tx, p.old, Failed); err != nil {
		return err
	}

	return end(tx, p.unwanted, Unwanted)
}

// post sends a message once.
func (s *Service) post(ctx context.Context, c Channel, m chat.Message) (webhook.Answer, error) {
	body, err := chat.Body(c.Kind, m)
	if err != nil {
		return webhook.Answer{}, err
	}

	now := s.DB.Now()

	return s.Sender.Send(ctx, webhook.Message{ID: id.New(messagePrefix, now), URL: c.Address, At: now, Body: body})
}

// answered returns what a server has answered. An error holds the address, so what it says of it is left out.
func answered(a webhook.Answer, problem error) chat.Answer {
	if problem != nil {
		return chat.Answer{Problem: webhook.Explain(problem)}
	}

	return chat.Answer{Status: a.Status, Body: a.Body}
}

// noteOutcome writes what a send came to: for the messages that it was about, and for the channel.
func (s *Service) noteOutcome(
	ctx context.Context, tx *db.Tx, c Channel, sent []Message, answer webhook.Answer, problem error,
) error {
	said := answered(answer, problem)
	outcome := said.Judge()
	c.Problem = said.Explain()

	if outcome == chat.Taken {
		if err := noteTaken(tx, c); err != nil {
			return err
		}

		return end(tx, sent, Sent)
	}

	if c.FailingSince.IsZero() {
		c.FailingSince = tx.Now
	}

	if outcome == chat.Gone {
		return s.shut(ctx, tx, c, offGone)
	}

	if tx.Now.Sub(c.FailingSince) >= offAfter {
		return s.shut(ctx, tx, c, offFailing)
	}

	if outcome == chat.Refused {
		if err := noteFailure(tx, c); err != nil {
			return err
		}

		return end(tx, sent, Failed)
	}

	c.Failures++
	c.NextAt = tx.Now.Add(pauseAfter(c.Failures, answer.RetryAfter))

	if err := noteFailure(tx, c); err != nil {
		return err
	}

	return again(tx, sent)
}

// shut switches a channel off, drops what waits for it, and mails whoever has made it and the organisation's admins. It
// does nothing if the channel was changed meanwhile.
func (s *Service) shut(ctx context.Context, tx *db.Tx, c Channel, why string) error {
	c.OffReason = why

	was, err := switchOff(tx, c)
	if err != nil || !was {
		return err
	}

	c.Enabled = false
	c.Version++

	if err := endAll(tx, c, Unwanted); err != nil {
		return err
	}

	trail.Audit(ctx, tx, c.Organisation, disabledEvent, c.ID, why)

	if err := trail.Event(tx, disabledEvent, c.Organisation, c.ID, c.Version, show(ctx, c)); err != nil {
		return err
	}

	return s.mailOff(ctx, tx, c)
}

func (s *Service) mailOff(ctx context.Context, tx *db.Tx, c Channel) error {
	org, err := organisation.ByID(ctx, tx, c.Organisation)
	if err != nil {
		return err
	}

	to, err := organisation.HoldersOf(ctx, tx, c.Organisation,
		append(organisation.Deciders(), organisation.Initiator, organisation.Viewer))
	if err != nil {
		return err
	}

	admins, err := organisation.Admins(ctx, tx, c.Organisation)
	if err != nil {
		return err
	}

	to = slices.DeleteFunc(to, func(member string) bool {
		return member != c.CreatedBy && !slices.Contains(admins, member)
	})

	people, err := user.BriefsOf(ctx, tx, to)
	if err != nil {
		return err
	}

	for _, member := range to {
		if !people[member].IsActive {
			continue
		}

		s.Mail(tx, mail.Message{
			Kind:         mail.ChatOff,
			To:           people[member].Email,
			Record:       c.ID,
			Organisation: c.Organisation,
			Data: map[string]string{
				"name":         people[member].FirstName,
				"organisation": org.Name,
				"chat":         c.Name,
				"when":         words.When(tx.Now),
				"why":          words.Phrase(offWords[c.OffReason]),
			},
		})
	}

	return nil
}

// offWords say in a mail why a channel was switched off.
var offWords = map[string]string{
	offGone:    "Its address does not exist any more, or messages are forbidden there.",
	offFailing: "It has taken no message for five days.",
}
