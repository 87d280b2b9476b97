package endpoint

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
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
	"slipway/internal/rails/webhook"
)

// Job is the kind of the job that sends an endpoint's deliveries. It waits for parties outside: run it by a runner of
// its own.
const Job = "webhook"

// The limits of one run of the job.
const (
	inFlight   = 4                // messages to one endpoint at once
	batchLimit = 100              // deliveries that are read at once
	runLimit   = 45 * time.Second // after it no further message is sent; the lease is longer
	turnLimit  = time.Second      // after it no further deliveries are read: a process that stops waits for the run
	waitLimit  = time.Hour        // a job looks at its deliveries at least this often
)

// pauses are those after each failed try. The last one is repeated.
var pauses = []time.Duration{
	5 * time.Second,
	5 * time.Minute,
	30 * time.Minute,
	2 * time.Hour,
	5 * time.Hour,
	10 * time.Hour,
	14 * time.Hour,
	20 * time.Hour,
	24 * time.Hour,
}

const (
	// maxAttempts ends a delivery that its endpoint does not take while it takes others: after some seven days. By then
	// one that takes nothing is off, so nothing of it is given up.
	maxAttempts = 14
	// offAfter is how long nothing must have arrived before an endpoint is switched off.
	offAfter = 5 * 24 * time.Hour
	// maxRetryAfter limits what an endpoint can ask for by Retry-After.
	maxRetryAfter = 24 * time.Hour
)

// pauseAfter returns the pause after a number of failed tries, up to a fifth shorter or longer, so that what has failed
// together is not repeated together.
func pauseAfter(attempts int64, asked time.Duration) time.Duration {
	p := pauses[min(int(attempts), len(pauses))-1]

	return max(limit.Around(p), min(asked, maxRetryAfter))
}

// jobKey is the key of an endpoint's job.
func jobKey(endpoint string) string { return "webhook/" + endpoint }

func (s *Service) demand(tx *db.Tx, endpoint string) {
	s.Jobs.Demand(tx, Job, jobKey(endpoint), endpoint)
}

// run sends what is due at one endpoint, if its organisation and whoever has made that have a place among the workers.
func (s *Service) run(ctx context.Context, j jobs.Job) (jobs.Result, error) {
	leave, again, err := s.place(ctx, j.Payload)
	if err != nil {
		return jobs.Result{}, err
	}

	if leave == nil {
		return jobs.Again(again), nil
	}

	defer leave()

	return s.sendDue(ctx, j)
}

// place takes a place among the workers for the organisation of an endpoint and for the person who has made it.
func (s *Service) place(ctx context.Context, endpoint string) (leave func(), again time.Duration, err error) {
	nobody := func() {}
	if s.Rota == nil {
		return nobody, 0, nil
	}

	r, err := endpointTable.One(ctx, s.DB, "WHERE id = ?", endpoint)
	if errors.Is(err, db.ErrNone) {
		return nobody, 0, nil
	}

	if err != nil {
		return nil, 0, err
	}

	org, err := organisation.ByID(ctx, s.DB, r.Organisation)
	if err != nil {
		return nil, 0, err
	}

	return s.Rota.Take(endpoint, org.ID, org.CreatedBy)
}

// sendDue sends what is due at one endpoint, at most inFlight messages at once and one of a record, until nothing is
// due or the turn is over. The endpoint is read again before each part: it may have been switched off, or have other
// keys.
func (s *Service) sendDue(ctx context.Context, j jobs.Job) (jobs.Result, error) {
	began := s.DB.Clock().Elapsed()

	for s.DB.Clock().Elapsed()-began <= turnLimit {
		r, err := endpointTable.One(ctx, s.DB, "WHERE id = ?", j.Payload)
		if errors.Is(err, db.ErrNone) {
			return jobs.Done(), nil
		}

		if err != nil {
			return jobs.Result{}, err
		}

		e, err := r.value()
		if err != nil || e.Deleted || !e.Enabled {
			return jobs.Done(), err
		}

		all, err := due(ctx, s.DB, e, s.DB.Now(), batchLimit)
		if err != nil {
			return jobs.Result{}, err
		}

		if len(all) == 0 {
			next, err := nextDue(ctx, s.DB, e)
			if err != nil || next.IsZero() {
				return jobs.Done(), err
			}

			return jobs.Again(min(max(next.Sub(s.DB.Now()), 0), waitLimit)), nil
		}

		p := part{service: s, endpoint: e, end: began + runLimit}
		if err := p.send(ctx, all); err != nil {
			return jobs.Again(0), err
		}
	}

	return jobs.Again(0), nil
}

// part is what one run sends between two readings of its endpoint.
type part struct {
	service  *Service
	endpoint Endpoint
	end      time.Duration // after it no further message is sent

	off       atomic.Bool // the endpoint was switched off meanwhile
	recording sync.WaitGroup

	mu     sync.Mutex
	failed error
}

// send sends deliveries side by side until all were tried, the time is over, or the endpoint was switched off. It
// returns when everything that came of it is recorded.
func (p *part) send(ctx context.Context, all []Delivery) error {
	queue := make(chan Delivery, len(all))
	for _, d := range all {
		queue <- d
	}

	close(queue)

	var running sync.WaitGroup

	for range min(inFlight, len(all)) {
		running.Go(func() {
			for d := range queue {
				if p.off.Load() || p.service.DB.Clock().Elapsed() > p.end {
					return
				}

				p.try(ctx, d)
			}
		})
	}

	running.Wait()
	p.recording.Wait()

	return p.failed
}

// try sends a delivery once and records what came of it. That a message has arrived is recorded while others are on
// their way; anything else decides whether others are sent, so it is recorded first.
func (p *part) try(ctx context.Context, d Delivery) {
	s := p.service
	now := s.DB.Now()

	answer, problem := s.Sender.Send(ctx, webhook.Message{
		ID:   d.Event,
		URL:  p.endpoint.URL,
		At:   now,
		Body: []byte(d.Body),
		Keys: p.endpoint.signers(now),
	})

	failpoint.Hit("webhook.answered_unrecorded")

	a := Attempt{
		Organisation: d.Organisation,
		Delivery:     d.ID,
		Elapsed:      answer.Elapsed,
		HTTPStatus:   int64(answer.Status),
		Problem:      webhook.Explain(problem),
		Signature:    answer.Signature,
		Answer:       text(answer.Body),
	}

	asks := asksForProof(p.endpoint, d)
	a.taken = arrived(answer) && (!asks || proves(p.endpoint.Challenge, answer.Body))

	if arrived(answer) && !a.taken {
		a.Problem = notProven
	}

	if a.taken && !asks {
		p.recording.Go(func() { p.write(ctx, d, a, answer) })
	} else {
		p.write(ctx, d, a, answer)
	}
}

// write records a try.
func (p *part) write(ctx context.Context, d Delivery, a Attempt, answer webhook.Answer) {
	s := p.service

	err := s.DB.Write(ctx, func(tx *db.Tx) error {
		off, err := s.record(ctx, tx, p.endpoint, d, a, answer)
		if off {
			p.off.Store(true)
		}

		return err
	})

	if err == nil || errors.Is(err, db.ErrStale) { // it was begun anew meanwhile
		return
	}

	p.mu.Lock()
	defer p.mu.Unlock()

	p.failed = errors.Join(p.failed, err)
}

// arrived reports whether an answer says that the receiver has taken the message.
func arrived(a webhook.Answer) bool { return a.Status >= 200 && a.Status < 300 }

// text returns bytes as text that both databases store.
func text(b []byte) string {
	return strings.ReplaceAll(strings.ToValidUTF8(string(b), "\uFFFD"), "\x00", "\uFFFD")
}

// record writes a try, what it means for the delivery, and what it means for the endpoint.
func (s *Service) record(
	ctx context.Context,
	tx *db.Tx,
	e Endpoint,
	d Delivery,
	a Attempt,
	answer webhook.Answer,
) (off bool, err error) {
	a.ID = id.New("wha", tx.Now)
	a.CreatedAt = tx.Now
	attemptTable.Insert(tx, &a)

	d.Attempts++

	taken := a.taken
	gone := answer.Status == 410
	failingFor := tx.Now.Sub(e.FailingSince)

	switch {
	case taken:
		d.Status = Delivered
		d.EndedAt = tx.Now
	case d.Attempts >= maxAttempts:
		d.Status = Failed
		d.EndedAt = tx.Now
	default:
		d.NextAt = tx.Now.Add(pauseAfter(d.Attempts, answer.RetryAfter))
	}

	switch {
	case taken && asksForProof(e, d):
		err = s.proven(ctx, tx, e)
	case taken && e.FailingSince.IsZero():
	case taken:
		err = noteSuccess(tx, e)
	case gone:
		off, err = s.off(ctx, tx, e, offGone)
	case !e.FailingSince.IsZero() && failingFor >= offAfter:
		off, err = s.off(ctx, tx, e, offFailing)
	case e.FailingSince.IsZero():
		err = noteFailure(tx, e)
	}

	if off && d.Status == Failed { // nothing is given up while nobody can be told
		d.Status = Pending
		d.EndedAt = time.Time{}
	}

	moveDelivery(tx, d)

	return off, err
}

// off switches an endpoint off, and tells the organisation's admins.
func (s *Service) off(ctx context.Context, tx *db.Tx, e Endpoint, why string) (bool, error) {
	was, err := switchOff(tx, e, why)
	if err != nil || !was {
		return true, err
	}

	e.Enabled = false
	e.OffReason = why
	e.Version++

	trail.Audit(ctx, tx, e.Organisation, "webhook_endpoint.disabled", e.ID, why)

	if err := trail.Event(tx, "webhook_endpoint.disabled", e.Organisation, e.ID, e.Version, show(ctx, e)); err != nil {
		return true, err
	}

	org, err := organisation.ByID(ctx, tx, e.Organisation)
	if err != nil {
		return true, err
	}

	admins, err := organisation.Admins(ctx, tx, e.Organisation)
	if err != nil {
		return true, err
	}

	for _, admin := range admins {
		u, err := user.ByID(ctx, tx, admin)
		if err != nil {
			return true, err
		}

		s.Mail(tx, mail.Message{
			Kind:   mail.WebhookOff,
			To:     u.Email,
			Record: e.ID,
			Data: map[string]string{
				"name":         u.FirstName,
				"organisation": org.Name,
				"url":          e.URL,
				"when":         words.When(tx.Now),
				"why":          words.Phrase(offWords[why]),
			},
		})
	}

	return true, nil
}

// offWords say in a mail why an endpoint was switched off.
var offWords = map[string]string{
	offGone:    "It answered 410, which says that it is gone.",
	offFailing: "It has taken no event for five days.",
}
