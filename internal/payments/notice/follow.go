package notice

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/trail"
)

// Job is the name of the job that calls Send, and Every is its interval.
const (
	Job   = "transaction-mails"
	Every = 15 * time.Second
)

// Config holds the service's dependencies.
type Config struct {
	DB   *db.DB
	Mail *mail.Outbox
}

// Service mails people about their transactions and payables.
type Service struct{ config Config }

// New returns the service.
func New(c Config) *Service { return &Service{config: c} }

// Send sends the mails about new events for every organisation that is not in a pause. An error for one organisation
// does not stop the others. If two calls run at once, the slower one is rolled back.
func (s *Service) Send(ctx context.Context) error {
	var failed []error

	for after := ""; ; {
		due, err := dueCursors(ctx, s.config.DB, after, s.config.DB.Now(), orgPage)
		if err != nil {
			return errors.Join(append(failed, fmt.Errorf("read due cursors: %w", err))...)
		}

		for _, c := range due {
			if err := s.notify(ctx, c); err != nil {
				failed = append(failed, fmt.Errorf("notify %s: %w", c.organisation, err))
			}
		}

		if len(due) < orgPage || ctx.Err() != nil {
			return errors.Join(append(failed, ctx.Err())...)
		}

		after = due[len(due)-1].organisation
	}
}

// notify reads one organisation's events after its cursor, and writes the mails and the new cursor together.
func (s *Service) notify(ctx context.Context, c cursor) error {
	now := s.config.DB.Now()
	q := s.config.DB

	upTo, err := trail.Newest(ctx, q, c.organisation, now.Add(-Settle))
	if err != nil {
		return err
	}

	events, err := trail.Events(ctx, q, trail.Span{
		Organisation: c.organisation,
		After:        c.last,
		UpTo:         upTo,
	}, types(), maxEvents)
	if err != nil {
		return err
	}

	full := len(events) == maxEvents
	if full {
		upTo = events[maxEvents-1].ID // the rest is read by the next run
	}

	letters, many, err := s.letters(ctx, c.organisation, ofTransactions(events), now)
	if err != nil {
		return err
	}

	ofPayables, err := s.payableLetters(ctx, c.organisation, events, now)
	if err != nil {
		return err
	}

	letters = append(letters, ofPayables...)

	return s.config.DB.Write(ctx, func(tx *db.Tx) error {
		next := cursor{organisation: c.organisation, last: upTo}
		switch {
		case many && !full:
			next.at = tx.Now.Add(pauseAfterSummary)
		case len(letters) > 0:
			next.at = tx.Now.Add(pauseAfterMails)
		}

		moveCursor(tx, c, next)

		for _, l := range letters {
			l.Organisation = c.organisation
			s.config.Mail.Queue(tx, l)
		}

		return nil
	})
}

// letters writes the mails about transactions. many reports whether somebody gets a summary.
func (s *Service) letters(
	ctx context.Context,
	org string,
	events []trail.Entry,
	now time.Time,
) (out []mail.Message, many bool, err error) {
	items, err := itemsOf(events, now)
	if err != nil || len(items) == 0 {
		return nil, false, err
	}

	ids := make([]string, len(items))
	for i, x := range items {
		ids[i] = x.transaction
	}

	parts, err := transaction.PartiesOf(ctx, s.config.DB, org, ids)
	if err != nil {
		return nil, false, err
	}

	if err := s.explain(ctx, items, ids); err != nil {
		return nil, false, err
	}

	if err := s.qualify(ctx, items); err != nil {
		return nil, false, err
	}

	o, err := organisation.ByID(ctx, s.config.DB, org)
	if err != nil {
		return nil, false, err
	}

	m, err := s.members(ctx, org)
	if err != nil {
		return nil, false, err
	}

	name := cmp.Or(o.Name, o.FirstName+" "+o.LastName)
	byPerson := addressed(items, parts, m)

	read := map[string]transaction.Transaction{}
	for _, userID := range slices.Sorted(maps.Keys(byPerson)) {
		to := m.people[userID]

		mine := byPerson[userID]
		if len(mine) > maxSingleMails {
			out = append(out, summary(to, name, mine))
			many = true
			continue
		}

		for _, x := range mine {
			t, ok := read[x.transaction]
			if !ok {
				if t, err = transaction.ByID(ctx, s.config.DB, x.transaction); err != nil {
					return nil, false, err
				}

				read[x.transaction] = t
			}

			out = append(out, letter(to, name, m, x, t))
		}
	}

	return out, many, nil
}

// explain adds to items why their transactions stood where they did. Events have it in English; the timeline has it so
// that it can be said in any language.
func (s *Service) explain(ctx context.Context, items []item, ids []string) error {
	whys, err := transaction.StatusInfos(ctx, s.config.DB, ids)
	if err != nil {
		return err
	}

	for i, x := range items {
		at := transaction.Moment{Transaction: x.transaction, Version: x.data.Version}
		items[i].why = cmp.Or(whys[at], x.data.StatusInfo)
	}

	return nil
}

// qualify says of completed transactions that only some of their payments were made, and what those come to.
func (s *Service) qualify(ctx context.Context, items []item) error {
	var completed []string
	for _, x := range items {
		if x.event == completedStep {
			completed = append(completed, x.transaction)
		}
	}

	outcomes, err := transaction.PartlyPaid(ctx, s.config.DB, completed)
	if err != nil {
		return err
	}

	for i, x := range items {
		if o, partly := outcomes[x.transaction]; partly && x.event == completedStep {
			items[i].announcement = announcements[partlyStep]
			items[i].partly = &o
		}
	}

	return nil
}

// members reads the active members of an organisation.
func (s *Service) members(ctx context.Context, org string) (m members, err error) {
	if m.authorized, err = organisation.HoldersOf(
		ctx,
		s.config.DB,
		org,
		[]string{organisation.Authorized},
	); err != nil {
		return m, err
	}

	if m.standIns, err = organisation.StandInsOf(ctx, s.config.DB, org, s.config.DB.Now()); err != nil {
		return m, err
	}

	if m.admins, err = organisation.HoldersOf(ctx, s.config.DB, org, []string{organisation.Admin}); err != nil {
		return m, err
	}

	everybody, err := organisation.HoldersOf(
		ctx,
		s.config.DB,
		org,
		append(organisation.Deciders(), organisation.Initiator, organisation.Viewer),
	)
	if err != nil {
		return m, err
	}

	m.people, err = user.BriefsOf(ctx, s.config.DB, everybody)

	return m, err
}
