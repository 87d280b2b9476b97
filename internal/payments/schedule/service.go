package schedule

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/day"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/core/money"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/trail"
)

// Deps are the service's dependencies.
type Deps struct {
	DB           *db.DB
	Jobs         *jobs.Runner
	Transactions *transaction.Service
	Mail         func(tx *db.Tx, m mail.Message)
	// Calendars names the calendars of the rails that carry a transaction; Works reads what it has returned and reports
	// whether all of them work on a day.
	Calendars func(t transaction.Transaction) string
	Works     func(calendars string, day time.Time) bool
	// Restored returns when the database was last found to be older than the world outside; zero: never.
	Restored func(ctx context.Context) (time.Time, error)
}

// Service holds the use cases.
type Service struct{ Deps }

// New returns the service and registers its jobs.
func New(d Deps) *Service {
	s := &Service{d}
	d.Jobs.Handle(Job, func(ctx context.Context, j jobs.Job) (jobs.Result, error) {
		return jobs.Done(), s.Step(ctx, j.Payload)
	})
	d.Jobs.Every(JobLook, Every, s.Look)

	return s
}

// Done is called inside the write, at its end. Its error rolls the write back.
type Done = func(tx *db.Tx, x Schedule) error

// Input is a schedule as the client writes it: a transaction, and its days.
type Input struct {
	transaction.Input

	FirstDay string  `json:"firstDay" maxLength:"10" example:"2026-12-31" doc:"first day to pay on, after today"`
	Repeats  Repeats `json:"repeats,omitempty" enum:"ONCE,WEEKLY,MONTHLY" doc:"ONCE when left out. MONTHLY: on the first day's day, or the last day of a month that does not have it"`
	Until    string  `json:"until,omitempty" maxLength:"10" example:"2027-12-31" doc:"last day that may be planned; no end when left out"`
	Times    int     `json:"times,omitempty" example:"12" minimum:"0" maximum:"1000" doc:"how many days are paid at most; no limit when left out or 0"`
	MaxDebit string  `json:"maxDebit,omitempty" maxLength:"64" example:"1250.00" doc:"the most that may leave the wallet on a day, fees included, in the token. Required for FIAT. CRYPTO: the sum of the payments when left out"`
}

// maxOpen is how many schedules of an organisation may wait or be active at once.
const maxOpen = 500

// furthest is how far ahead the first day may be, in years.
const furthest = 5

// plan reads the days of an input, and notes what is wrong with them.
func (in *Input) plan(today time.Time, l *fault.List) Plan {
	p := Plan{Repeats: in.Repeats, Times: in.Times}
	if p.Repeats == "" {
		p.Repeats = Once
	}

	var err error

	if p.First, err = day.Parse(in.FirstDay); err != nil {
		l.Add("/firstDay", fault.FormatInvalid, "must be a day such as 2026-12-31.")
	} else if !p.First.After(today) || p.First.After(today.AddDate(furthest, 0, 0)) {
		l.Add("/firstDay", fault.DayOff, "must be after today, and within %d years.", furthest)
	}

	if in.Until == "" {
		return p
	}

	if p.Until, err = day.Parse(in.Until); err != nil {
		l.Add("/until", fault.FormatInvalid, "must be a day such as 2026-12-31.")
	} else if p.Until.Before(p.First) {
		l.Add("/until", fault.DayOff, "must not be before firstDay.")
	}

	return p
}

// most reads the bound of an input, and notes what is wrong with it.
func (in *Input) most(f transaction.Foreseen, l *fault.List) money.Amount {
	if in.MaxDebit == "" {
		if f.Type == transaction.TypeCrypto {
			return f.DebitAmount()
		}

		l.Add("/maxDebit", fault.Required, "is required: what is paid depends on the rate of the day.")

		return money.Zero(f.Asset())
	}

	units := transaction.ParseUnits(l, "/maxDebit", f.Asset(), in.MaxDebit)
	if units == nil {
		return money.Zero(f.Asset())
	}

	most := money.FromUnits(f.Asset(), units)
	if f.Priced && f.DebitAmount().Cmp(most) > 0 {
		l.Add("/maxDebit", fault.ScheduleBound, "is less than the %s %s that the payments cost at present.",
			f.DebitAmount(), f.Token)
	}

	return most
}

// schedulable notes what makes sense once alone. It returns false for what is never paid by the organisation.
func (in *Input) schedulable(l *fault.List) bool {
	if in.Type == string(transaction.TypeOnramp) {
		l.Add("/type", fault.TxNotForType, "A deposit is sent by whoever pays it; it cannot be scheduled.")
		return false
	}

	for i, payment := range in.Payments {
		if payment.Again != "" {
			l.Add(transaction.PaymentAt(i)+"/again", fault.NotAllowed, "A payment is made again once, not on days.")
		}
	}

	return true
}

// Create makes a schedule, which waits to be accepted. It refuses what the create of a transaction refuses. A second
// call makes a second one, unless the request carries an Idempotency-Key.
func (s *Service) Create(ctx context.Context, in Input, done Done) error {
	p := caller.Of(ctx)
	today := day.Of(s.DB.Now().UTC())

	l := caller.Faults(ctx)
	plan := in.plan(today, &l)

	if !in.schedulable(&l) {
		return l.Err()
	}

	f, err := s.Transactions.Foresee(ctx, in.Input, p.User)
	if err := l.Note("", err); err != nil {
		return err
	}

	if !l.Empty() {
		return l.Err()
	}

	most := in.most(f, &l)
	if err := l.Err(); err != nil {
		return err
	}

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		x := Schedule{
			ID:           id.New(Prefix, tx.Now),
			Organisation: p.Organisation,
			State:        Waiting,
			Input:        in.Input,
			Payees:       strings.Join(f.Payees(), ", "),
			Most:         most,
			Plan:         plan,
			CreatedBy:    p.User,
			Version:      1,
			CreatedAt:    tx.Now,
			UpdatedAt:    tx.Now,
		}
		x.Calendars = s.Calendars(f.Transaction)
		x = s.next(x, 0, today)

		if x.NextDay.IsZero() {
			return past()
		}

		if n, err := openOf(ctx, tx, p.Organisation); err != nil {
			return err
		} else if n >= maxOpen {
			return fault.New(fault.Conflict, fault.ScheduleLimit, "%d schedules wait or are active. Stop one first.", n)
		}

		if err := f.StillHas(ctx, tx); err != nil {
			return err
		}

		table.Insert(tx, rowOf(x))

		if err := s.askToAccept(ctx, tx, x); err != nil {
			return err
		}

		if err := s.record(ctx, tx, x, "created", ""); err != nil {
			return err
		}

		return done(tx, x)
	})
}

// past returns the refusal of a schedule that has no day to come.
func past() error {
	return fault.New(fault.Conflict, fault.SchedulePast, "All days of the schedule are over. Make another one.")
}

// acceptable refuses what cannot be accepted in its state.
func (x Schedule) acceptable() error {
	if states.Allows(x.State, Active) && x.State != Active {
		return nil
	}

	return fault.New(fault.Conflict, fault.ScheduleState, "The schedule is %s; it cannot be accepted.", x.State)
}

// stoppable refuses what cannot be stopped in its state.
func (x Schedule) stoppable() error {
	if states.Allows(x.State, Stopped) {
		return nil
	}

	return fault.New(fault.Conflict, fault.ScheduleState, "The schedule is %s; it cannot be stopped.", x.State)
}

// Accept commits the organisation to what the schedule pays from its next day on. The caller must be one who may accept
// a transaction of these payments that costs as much as the bound: the same statement asks, with the same gates. What
// is accepted is stored: the payments with their payees as they are now. Days before today are left out.
//
// A second call is refused: the schedule is ACTIVE. Of many concurrent calls, one takes effect.
func (s *Service) Accept(ctx context.Context, scheduleID string, done Done) error {
	p := caller.Of(ctx)

	x, err := ByID(ctx, s.DB, p.Organisation, scheduleID)
	if err != nil {
		return err
	}

	if err := caller.Unchanged(ctx, x.Version); err != nil {
		return err
	}

	if err := x.acceptable(); err != nil {
		return err
	}

	f, err := s.Transactions.Foresee(ctx, x.Input, x.CreatedBy)
	if err != nil {
		return err
	}

	if f.Priced && f.DebitAmount().Cmp(x.Most) > 0 {
		return overBound(f.DebitAmount(), x.Most)
	}

	f.Debit = x.Most.Units() // the policy judges the most that may be paid

	by, err := s.Transactions.Judge(ctx, f.Transaction)
	if err != nil {
		return err
	}

	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		next := s.next(x, x.Number, day.Of(tx.Now.UTC()))
		if next.NextDay.IsZero() {
			return past()
		}

		if err := f.StillHas(ctx, tx); err != nil {
			return err
		}

		next.State = Active
		next.Calendars = s.Calendars(f.Transaction)
		next.AcceptedBy = p.User
		next.AcceptedFor = by.StandsInFor
		next.AcceptedAt = tx.Now
		next.AcceptedHash = f.PaymentsHash()
		next.StoppedBy = ""
		next.UpdatedAt = tx.Now
		next.Version++

		by := by // a write body may run twice

		var err error
		if by.Several, err = s.Transactions.EnoughAccept(ctx, tx, f.Transaction); err != nil {
			return err
		}

		args := []any{x.ID, x.Version}
		args = append(args, organisation.GateArgs(x.Organisation, p.User, by, tx.Now)...)
		args = append(args, wallet.UsableGateArgs(f.Wallet, tx.Now)...)
		table.Change(tx, rowOf(next),
			"id = ? AND version = ? AND "+organisation.AcceptGate+" AND "+wallet.UsableGate, args...)

		if err := s.record(ctx, tx, next, "accepted", by.StandsInFor); err != nil {
			return err
		}

		return done(tx, next)
	})
	if errors.Is(err, db.ErrStale) {
		return s.whyNot(ctx, x, f)
	}

	return err
}

// whyNot returns the gate that was closed when the accepting statement found no row.
func (s *Service) whyNot(ctx context.Context, x Schedule, f transaction.Foreseen) error {
	now, err := ByID(ctx, s.DB, x.Organisation, x.ID)
	if err != nil {
		return err
	}

	if err := now.acceptable(); err != nil {
		return err
	}

	if err := s.Transactions.CheckGates(ctx, f.Transaction); err != nil {
		return err
	}

	return fault.New(fault.Conflict, fault.TxChanged, "The schedule was changed at the same moment. Read it again.")
}

// overBound returns the refusal of a debit above the bound.
func overBound(debit, most money.Amount) error {
	return fault.New(
		fault.Conflict,
		fault.ScheduleBound,
		"At the present rate %[1]s %[3]s would leave the wallet; the schedule allows %[2]s %[3]s at most.",
		debit, most, most.Asset().Code,
	)
}

// Stop ends what is to come. A day's transaction that was accepted before is paid; one that was not is left to people.
// Whoever may write, and whoever may accept, may stop. A second call is refused: the schedule is STOPPED.
func (s *Service) Stop(ctx context.Context, scheduleID string, done Done) error {
	p := caller.Of(ctx)
	if err := s.mayStop(ctx, p); err != nil {
		return err
	}

	body := func(tx *db.Tx) error {
		x, err := ByID(ctx, tx, p.Organisation, scheduleID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, x.Version); err != nil {
			return err
		}

		if err := x.stoppable(); err != nil {
			return err
		}

		x.State = Stopped
		x.StoppedBy = p.User
		x.UpdatedAt = tx.Now
		x.Version++
		update(tx, x)

		if err := haltDays(tx, x.ID); err != nil {
			return err
		}

		if err := s.record(ctx, tx, x, "stopped", ""); err != nil {
			return err
		}

		return done(tx, x)
	}

	err := s.DB.Write(ctx, body)
	if errors.Is(err, db.ErrStale) { // the job has moved it on: once more, on what it says now
		err = s.DB.Write(ctx, body)
	}

	return err
}

func (s *Service) mayStop(ctx context.Context, p caller.Principal) error {
	if slices.ContainsFunc(organisation.Writers(), p.Is) {
		return nil
	}

	m, err := organisation.MemberOf(ctx, s.DB, p.Organisation, p.User)
	if err != nil {
		return err
	}

	return organisation.MayAccept(ctx, s.DB, m, p.StandsInFor, s.DB.Now())
}

// record writes the event and the audit line of a change.
func (s *Service) record(ctx context.Context, tx *db.Tx, x Schedule, what, detail string) error {
	trail.Audit(ctx, tx, x.Organisation, "schedule."+what, x.ID, detail)
	return trail.Event(tx, "schedule."+what, x.Organisation, x.ID, x.Version, x.eventData())
}
