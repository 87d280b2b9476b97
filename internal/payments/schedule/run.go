package schedule

import (
	"context"
	"errors"
	"slices"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/day"
	"slipway/internal/core/fault"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/platform/words"
)

// Job is the kind of the jobs that do what is due for one schedule. JobLook asks for them, and Every is its interval.
const (
	Job     = "schedule"
	JobLook = "schedules"
	Every   = 15 * time.Second
)

// Look asks for a job for each schedule for which something is due. Each has its own, so that what keeps one from being
// paid keeps no other. For a job that lives nothing is asked.
func (s *Service) Look(ctx context.Context) error {
	after := ""

	for {
		due, err := dueIDs(ctx, s.DB, day.Of(s.DB.Now().UTC()), after)
		if err != nil || len(due) == 0 {
			return err
		}

		after = due[len(due)-1]

		err = s.DB.Write(ctx, func(tx *db.Tx) error {
			for _, scheduleID := range due {
				s.Jobs.Enqueue(tx, Job, Job+"/"+scheduleID, scheduleID)
			}

			return nil
		})
		if err != nil {
			return err
		}
	}
}

// Step does what is due for one schedule: it pays what was made, makes what is due today and pays it, and tells people
// of tomorrow. Several calls at once do nothing twice.
func (s *Service) Step(ctx context.Context, scheduleID string) error {
	today := day.Of(s.DB.Now().UTC())

	x, err := withID(ctx, s.DB, scheduleID)
	if err != nil {
		return err
	}

	open, err := openDays(ctx, s.DB, scheduleID)
	if err != nil {
		return err
	}

	var failed error

	note := func(err error) {
		if !errors.Is(err, db.ErrStale) { // another one has done it, or it was stopped
			failed = errors.Join(failed, err)
		}
	}

	for _, d := range open {
		note(s.pay(ctx, x, d))
	}

	if x, err = withID(ctx, s.DB, scheduleID); err != nil {
		return errors.Join(failed, err)
	}

	switch {
	case x.State != Active || x.NextDay.IsZero():
	case !x.NextDay.After(today):
		note(s.payDue(ctx, x, today))
	case x.NextDay.Equal(today.AddDate(0, 0, 1)) && !x.ToldDay.Equal(x.NextDay):
		note(s.tell(ctx, x))
	}

	return failed
}

// payDue makes the transaction of the day that is due, and pays it.
func (s *Service) payDue(ctx context.Context, x Schedule, today time.Time) error {
	x, d, err := s.make(ctx, x, today)
	if err != nil || d.State != Made {
		return err
	}

	return s.pay(ctx, x, d)
}

// as returns a context in which a person of the organisation calls, for what a day does on his behalf. The schedule
// stands for the request in the audit log. Policies are read, whatever a session would know of them.
func (x Schedule) as(ctx context.Context, user, standsInFor string) context.Context {
	return caller.WithCall(ctx, &caller.Call{
		Principal: &caller.Principal{
			User:          user,
			Organisation:  x.Organisation,
			StandsInFor:   standsInFor,
			HasPolicy:     true,
			BindsPayers:   true,
			SeveralAccept: true,
		},
		Request: caller.Request{ID: x.ID},
	})
}

// make creates the draft of the day that is due, as the person who made the schedule. The row of the day is written in
// the same write, so there is one draft for each day. If create is refused, the day waits for a person without one.
func (s *Service) make(ctx context.Context, x Schedule, today time.Time) (Schedule, Day, error) {
	number := s.due(x, today)
	d := Day{Schedule: x.ID, Planned: x.planned(number), State: Made}

	next := s.next(x, number+1, today)
	next.Version++

	err := s.Transactions.Create(x.as(ctx, x.CreatedBy, ""), x.Input, "",
		func(tx *db.Tx, t transaction.Transaction) error {
			d.Transaction = t.ID
			d.MadeAt = tx.Now
			next.UpdatedAt = tx.Now
			dayTable.Insert(tx, &d)
			update(tx, next)

			return s.record(ctx, tx, next, "made", t.ID)
		})

	switch {
	case err == nil:
		failpoint.Hit("schedule.made")
		return next, d, nil
	case db.IsUnique(err, "schedule_days"):
		return x, d, db.ErrStale
	case passing(err):
		return x, d, err
	}

	d.State = Asked
	d.Transaction = ""
	d.Why = why(err)

	return next, d, s.DB.Write(ctx, func(tx *db.Tx) error {
		d.MadeAt = tx.Now
		next.UpdatedAt = tx.Now
		dayTable.Insert(tx, &d)
		next = next.endedIfOver()
		update(tx, next)

		return s.ask(ctx, tx, next, d)
	})
}

// endedIfOver returns the schedule ENDED if it has no further day.
func (x Schedule) endedIfOver() Schedule {
	if x.State == Active && x.NextDay.IsZero() {
		x.State = Ended
	}

	return x
}

// pay submits the draft of a day and accepts it, as the people who made and accepted the schedule. What is refused for
// good waits for a person. What may pass is tried again until the day is over.
func (s *Service) pay(ctx context.Context, x Schedule, d Day) error {
	t, err := transaction.ByID(ctx, s.DB, d.Transaction)

	switch {
	case errors.Is(err, db.ErrNone), err == nil && t.Status == transaction.StatusRejected:
		return s.close(ctx, x, d, Dropped, "")
	case err != nil:
		return err
	case t.Status != transaction.StatusDraft && t.Status != transaction.StatusWaiting:
		return s.close(ctx, x, d, Paid, "") // somebody was faster
	}

	if day.Of(s.DB.Now().UTC()).After(day.Of(d.MadeAt.UTC())) {
		return s.close(ctx, x, d, Asked, words.Phrase("It could not be paid on its day."))
	}

	err = s.submitAndAccept(ctx, x, d, t)
	if err == nil || errors.Is(err, db.ErrStale) || passing(err) {
		return err
	}

	return s.close(ctx, x, d, Asked, why(err))
}

func (s *Service) submitAndAccept(ctx context.Context, x Schedule, d Day, t transaction.Transaction) error {
	if err := s.notRestored(ctx, x); err != nil {
		return err
	}

	if t.Status == transaction.StatusDraft {
		err := s.Transactions.Submit(x.as(ctx, x.CreatedBy, ""), t.ID, "", transaction.Rests{},
			func(_ *db.Tx, t transaction.Transaction) error { return x.agreed(t) })
		if err != nil {
			return err
		}

		failpoint.Hit("schedule.submitted")
	}

	return s.Transactions.Accept(x.as(ctx, x.AcceptedBy, x.AcceptedFor), t.ID,
		func(tx *db.Tx, t transaction.Transaction) error {
			if err := x.agreed(t); err != nil {
				return err
			}

			return s.move(ctx, tx, x, d, Paid, "")
		})
}

// agreed refuses a transaction that is not what was accepted: it costs more, or its payments or payees are others.
func (x Schedule) agreed(t transaction.Transaction) error {
	if t.DebitAmount().Asset() != x.Most.Asset() || t.DebitAmount().Cmp(x.Most) > 0 {
		return overBound(t.DebitAmount(), x.Most)
	}

	if t.PaymentsHash() != x.AcceptedHash {
		return fault.New(fault.Conflict, fault.ScheduleChanged,
			"The payments, or a receiver, wallet or bank account of theirs, are not what was accepted.")
	}

	return nil
}

// notRestored refuses what was accepted before the database was put back from a back-up: nobody knows whether the day
// was paid, or the schedule stopped, since.
func (s *Service) notRestored(ctx context.Context, x Schedule) error {
	at, err := s.Restored(ctx)
	if err != nil || at.IsZero() || x.AcceptedAt.After(at) {
		return err
	}

	return fault.New(fault.Conflict, fault.ScheduleRestored,
		"A back-up of the service was restored after the schedule was accepted. Look whether the day was paid already.")
}

// close moves a day on by itself.
func (s *Service) close(ctx context.Context, x Schedule, d Day, to DayState, why string) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error { return s.move(ctx, tx, x, d, to, why) })
}

// move moves a day on, inside the caller's write. The write fails with db.ErrStale if the schedule was stopped, or if
// another one has moved the day.
func (s *Service) move(ctx context.Context, tx *db.Tx, x Schedule, d Day, to DayState, why string) error {
	d.State = to
	d.Why = why
	moveDay(tx, d)

	x = x.endedIfOver()
	x.UpdatedAt = tx.Now
	x.Version++
	update(tx, x)

	switch to {
	case Asked:
		return s.ask(ctx, tx, x, d)
	case Dropped:
		return s.record(ctx, tx, x, "dropped", d.Transaction)
	case Paid, Made, Halted:
	}

	return s.record(ctx, tx, x, "paid", d.Transaction)
}

// moved are refusals of what another process, or a person, has moved on meanwhile, and of a price that was locked anew.
var moved = []fault.Code{fault.QuoteExpired, fault.TxChanged, fault.TxNotDraft, fault.TxNotWaiting}

// passing reports whether an error may pass by itself: what is no refusal, an outside party that does not answer, and
// what has moved. The next run reads it again.
func passing(err error) bool {
	f, ok := fault.As(err)
	return !ok || f.Kind == fault.Unavailable || f.Kind == fault.TooMany || slices.Contains(moved, f.Code)
}

// why returns a refusal as a value for a mail. In English it is what the caller of an operation would be told.
func why(err error) string {
	f, _ := fault.As(err)

	english := f.Detail
	if len(f.Fields) > 0 {
		english = f.Fields[0].Pointer + " " + f.Fields[0].Message
	}

	return words.InEnglish(english, reason(f.Code))
}

var shortOfTokens = words.Phrase("The wallet does not hold enough, or has not approved enough.")

// reasons are refusals in other languages than English.
var reasons = map[fault.Code]string{
	fault.ScheduleBound:   words.Phrase("It would cost more than the schedule allows."),
	fault.ScheduleChanged: words.Phrase("The payments or their payees are not what was accepted."),
	fault.ScheduleRestored: words.Phrase(
		"A back-up of the service was restored since. Look whether the day was paid already."),
	fault.AllowanceShort:       shortOfTokens,
	fault.BalanceShort:         shortOfTokens,
	fault.ReservationShort:     shortOfTokens,
	fault.MorePeopleRequired:   words.Phrase("Your organisation’s policy wants several people to accept it."),
	fault.SecondPersonRequired: words.Phrase("Your organisation’s policy wants another person to accept it."),
	fault.MemberNotAuthor:      words.Phrase("The person who accepted the schedule may not accept payments any more."),
}

// reason returns a refusal in other languages than English.
func reason(code fault.Code) string {
	if said := reasons[code]; said != "" {
		return said
	}

	return words.Phrase("It was refused (%s).", string(code))
}
