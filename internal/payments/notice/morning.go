package notice

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/payments/overview"
	"slipway/internal/payments/schedule"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/words"
)

// MorningJob is the name of the job that calls Mornings.Send, and MorningEvery is its interval.
const (
	MorningJob   = "morning-mails"
	MorningEvery = time.Minute
)

// The limits of morning mails.
const (
	morningHour   = 7   // in the person's organisation
	morningPage   = 200 // people read in one statement
	mostMemberOf  = 20  // organisations that one mail is about
	mostInMorning = 50  // items of one mail
)

// Mornings writes one mail each morning to those who have chosen that: what waits for them, and what has happened since
// the last one. What it says is read when it is sent.
//
// It promises one mail for each person and day, whatever process dies: the mail and the time of the next one are
// written together.
type Mornings struct {
	DB   *db.DB
	Mail *mail.Outbox
	// Waits returns what waits for the caller: overview.Service has it.
	Waits func(ctx context.Context) (overview.Waiting, error)
}

// NewMornings returns the service, and has its mails filled when they are sent.
func NewMornings(m Mornings) *Mornings {
	m.Mail.OnSend(mail.Morning, m.says)
	return &m
}

// morning is a person whose mails come in the morning.
type morning struct {
	user string
	next time.Time // zero: it is not known yet
	ends bool
}

// Send writes the mails that are due. An error about one person does not stop the others.
func (s *Mornings) Send(ctx context.Context) error {
	var failed []error

	for after := ""; ctx.Err() == nil; {
		due, err := dueMornings(ctx, s.DB, s.DB.Now(), after, morningPage)
		if err != nil {
			return errors.Join(append(failed, err)...)
		}

		for _, m := range due {
			if err := s.writeMorning(ctx, m); err != nil {
				failed = append(failed, fmt.Errorf("morning mail of %s: %w", m.user, err))
			}
		}

		if len(due) < morningPage {
			return errors.Join(failed...)
		}

		after = due[len(due)-1].user
	}

	return errors.Join(append(failed, ctx.Err())...)
}

// writeMorning writes the mail of one person, and when the next one is due. Whoever is found the first time gets none
// yet.
func (s *Mornings) writeMorning(ctx context.Context, m morning) error {
	people, err := user.BriefsOf(ctx, s.DB, []string{m.user})
	if err != nil {
		return err
	}

	zone, err := s.zoneOf(ctx, m.user)
	if err != nil {
		return err
	}

	kept, err := s.Mail.GatheredOf(ctx, s.DB, m.user)
	if err != nil {
		return err
	}

	to := people[m.user]
	silent := m.next.IsZero() && !m.ends || !to.IsActive || m.ends && len(kept) == 0

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		mine, err := moveMorning(tx, m, nextMorning(tx.Now, zone))
		if err != nil || !mine || silent {
			return err
		}

		s.Mail.Queue(tx, mail.Message{
			Kind: mail.Morning,
			To:   to.Email,
			User: to.ID,
			Data: map[string]string{
				"name": to.FirstName,
				"day":  words.OnDay(tx.Now.In(zone)),
				"lead": "",
				"more": "",
				"go":   "",
			},
		})

		return nil
	})
}

// nextMorning returns the first morning after a time.
func nextMorning(now time.Time, zone *time.Location) time.Time {
	local := now.In(zone)

	at := time.Date(local.Year(), local.Month(), local.Day(), morningHour, 0, 0, 0, zone)
	if !at.After(now) {
		at = time.Date(local.Year(), local.Month(), local.Day()+1, morningHour, 0, 0, 0, zone)
	}

	return at
}

// zoneOf returns the zone of the organisation that a person joined first, or UTC. People have no zone of their own.
func (s *Mornings) zoneOf(ctx context.Context, userID string) (*time.Location, error) {
	of, err := organisation.MembershipsOf(ctx, s.DB, userID)
	if err != nil || len(of) == 0 {
		return time.UTC, err
	}

	o, err := organisation.ByID(ctx, s.DB, of[0].Organisation)

	return o.Zone(), err
}

// says reads what a morning mail says now: first what waits, then what has happened.
func (s *Mornings) says(ctx context.Context, userID string) (f mail.Filled, ok bool, err error) {
	people, err := user.BriefsOf(ctx, s.DB, []string{userID})
	if err != nil {
		return f, false, err
	}

	of, err := organisation.MembershipsOf(ctx, s.DB, userID)
	if err != nil {
		return f, false, err
	}

	of = of[:min(len(of), mostMemberOf)]

	for _, m := range of {
		items, err := s.waiting(ctx, userID, m)
		if err != nil {
			return f, false, err
		}

		f.Items = append(f.Items, items...)
	}

	waits := len(f.Items) > 0

	if err := s.news(ctx, userID, of, &f); err != nil {
		return f, false, err
	}

	zone, err := s.zoneOf(ctx, userID)
	if err != nil {
		return f, false, err
	}

	more := ""
	if n := len(f.Items) - mostInMorning; n > 0 {
		more = words.Phrase("And %s more.", strconv.Itoa(n))
	}

	f.Data = map[string]string{
		"name": people[userID].FirstName,
		"day":  words.OnDay(s.DB.Now().In(zone)),
		"lead": lead(waits, len(f.Items)),
		"more": more,
		"go":   words.Phrase("Look at what waits"),
	}

	if len(of) > 0 {
		f.Data["link"] = s.Mail.LinkTo(mail.Place{App: "/"}, of[0].Organisation, "")
	}

	if len(of) == 1 {
		f.Organisation = of[0].Organisation
	}

	ok = len(f.Items) > 0
	f.Items = f.Items[:min(len(f.Items), mostInMorning)]

	return f, ok, nil
}

// lead returns the sentence before the items.
func lead(waits bool, items int) string {
	switch {
	case !waits:
		return words.Phrase("this has happened since the last mail. Nothing waits for you.")
	case items == 0:
		return words.Phrase("this waits for you now:")
	}

	return words.Phrase("this waits for you now, and has happened since the last mail:")
}

// waiting returns what waits for a person in one organisation, from what is so now.
func (s *Mornings) waiting(ctx context.Context, userID string, m user.Membership) ([]mail.Item, error) {
	standIns, err := organisation.StandInsOf(ctx, s.DB, m.Organisation, s.DB.Now())
	if err != nil {
		return nil, err
	}

	p := caller.Principal{
		User:          userID,
		Organisation:  m.Organisation,
		Roles:         m.Roles,
		StandsInFor:   standIns[userID],
		HasPolicy:     true, // nobody is asked for what he has made himself
		BindsPayers:   true,
		SeveralAccept: true,
	}
	if m.UserType != "" && !slices.Contains(p.Roles, m.UserType) {
		p.Roles = append(slices.Clone(p.Roles), m.UserType)
	}

	w, err := s.Waits(caller.With(ctx, p))
	if err != nil {
		return nil, err
	}

	accepts := p.Is(organisation.Authorized) || p.StandsInFor != ""
	writes := slices.ContainsFunc(organisation.Writers(), p.Is)

	var out []mail.Item

	for _, x := range []struct {
		key string
		n   int64
		his bool
	}{
		{"%d payments wait for your approval", w.MyTransactions, true},
		{"%d scheduled payments wait for your approval", w.Schedules, accepts},
		{"%d changes wait for you as the second person", w.MyApprovals, true},
		{"%d payables wait for your approval", w.Payables.MyApproval, true},
		{"%d invoices that came by a link wait to be taken in", w.Invoices, writes},
	} {
		if x.n > 0 && x.his {
			out = append(out, mail.Item{Title: words.Count(x.key, x.n), Text: m.Name})
		}
	}

	return out, nil
}

// news adds what has happened: what the mails say that were kept. What asked for a decision is left out, since what
// still waits is said already.
func (s *Mornings) news(ctx context.Context, userID string, of []user.Membership, f *mail.Filled) error {
	kept, err := s.Mail.GatheredOf(ctx, s.DB, userID)
	if err != nil {
		return err
	}

	for _, k := range kept {
		f.Tells = append(f.Tells, k.ID)

		member := func(m user.Membership) bool { return m.Organisation == k.Message.Organisation }
		if !slices.ContainsFunc(of, member) {
			continue // he is no member any more
		}

		items, err := s.itemsOf(ctx, k.Message)
		if err != nil {
			return err
		}

		f.Items = append(f.Items, items...)
	}

	return nil
}

// itemsOf returns what a kept mail tells.
func (s *Mornings) itemsOf(ctx context.Context, m mail.Message) ([]mail.Item, error) {
	about := func(what string) []mail.Item {
		return []mail.Item{{
			Title: words.Phrase("%[1]s: %[2]s", what, m.Data["amount"]),
			Text:  words.List(words.Commas, m.Data["receivers"], cmp.Or(m.Data["reference"], m.Record), m.Data["why"]),
		}}
	}

	summary := m.Kind == mail.TransactionSummary || m.Kind == mail.PayableSummary

	switch {
	case summary:
		return newsOf(m), nil
	case m.Kind == mail.TransactionNews:
		return about(m.Data["headline"]), nil
	case m.Kind == mail.ScheduleDue:
		return about(words.Phrase("Scheduled payment")), nil
	case m.Kind != mail.ScheduleAsks:
		return nil, nil // it asks for what is counted above
	}

	x, err := schedule.ByID(ctx, s.DB, m.Organisation, m.Record)
	if fault.Is(err, fault.NotFoundCode) {
		return nil, nil
	}

	if err != nil {
		return nil, err
	}

	still, err := schedule.StillAsks(ctx, s.DB, x)
	if err != nil || !still {
		return nil, err
	}

	return about(words.Phrase("A scheduled payment could not be made as it was accepted, and waits for a person.")), nil
}

// newsOf returns what a summary tells, without what it asks.
func newsOf(m mail.Message) (out []mail.Item) {
	for _, x := range m.Items {
		if !x.Asks {
			out = append(out, x)
		}
	}

	if more := m.Data[moreNews]; more != "" {
		out = append(out, mail.Item{Title: more})
	}

	return out
}

// SkipMissed has mornings of before a time left out: the database comes from a back-up, and they may have been written.
func (s *Mornings) SkipMissed(ctx context.Context, before time.Time) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error { return skipMornings(tx, before) })
}
