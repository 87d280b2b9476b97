package schedule

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

var (
	table    = db.NewTable("schedules", (*row).columns)
	dayTable = db.NewTable("schedule_days", (*Day).columns)
)

type row struct {
	Schedule

	input string
}

func (r *row) columns(c *db.Columns) {
	c.Text("id", &r.ID)
	c.Text("organisation", &r.Organisation)
	c.Text("state", (*string)(&r.State))
	c.Text("input", &r.input)
	c.Text("payees", &r.Payees)
	c.Amount("most_code", "most_decimals", "most_units", &r.Most)

	c.Time("first_day", &r.First)
	c.Text("repeats", (*string)(&r.Repeats))
	c.Time("until_day", &r.Until)
	c.Int("times", &r.Times)
	c.Text("calendars", &r.Calendars)
	c.Int("next_number", &r.Number)
	c.Time("next_day", &r.NextDay)
	c.Time("told_day", &r.ToldDay)

	c.Text("created_by", &r.CreatedBy)
	c.Text("accepted_by", &r.AcceptedBy)
	c.Text("accepted_for", &r.AcceptedFor)
	c.Time("accepted_at", &r.AcceptedAt)
	c.Text("accepted_hash", &r.AcceptedHash)
	c.Text("stopped_by", &r.StoppedBy)
	c.Int64("version", &r.Version)
	c.Time("created_at", &r.CreatedAt)
	c.Time("updated_at", &r.UpdatedAt)
}

func (d *Day) columns(c *db.Columns) {
	c.Text("schedule", &d.Schedule)
	c.Time("day", &d.Planned)
	c.Text("state", (*string)(&d.State))
	c.Text("transaction_id", &d.Transaction)
	c.Text("why", &d.Why)
	c.Time("made_at", &d.MadeAt)
}

func rowOf(x Schedule) *row {
	raw, err := json.Marshal(x.Input)
	if err != nil {
		panic(err) // texts always encode
	}

	return &row{Schedule: x, input: string(raw)}
}

func (r *row) value() (Schedule, error) {
	x := r.Schedule

	var in transaction.Input
	if err := json.Unmarshal([]byte(r.input), &in); err != nil {
		return x, fmt.Errorf("schedule %s: %w", x.ID, err)
	}

	x.Input = in

	return x, nil
}

func where(ctx context.Context, q db.Querier, rest string, args ...any) ([]Schedule, error) {
	rows, err := table.Select(ctx, q, rest, args...)
	if err != nil {
		return nil, err
	}

	return db.Values(rows, (*row).value)
}

// ByID returns a schedule of an organisation. Another one's is refused as unknown.
func ByID(ctx context.Context, q db.Querier, organisation, scheduleID string) (Schedule, error) {
	if !id.Valid(Prefix, scheduleID) {
		return Schedule{}, fault.Missing("schedule")
	}

	x, err := db.First(where(ctx, q, "WHERE id = ? AND organisation = ?", scheduleID, organisation))
	if errors.Is(err, db.ErrNone) {
		return x, fault.Missing("schedule")
	}

	return x, err
}

// update stores a schedule, guarded by the version before its own.
func update(tx *db.Tx, x Schedule) { table.Update(tx, rowOf(x), x.Version-1) }

// page returns a page of the schedules that match, in an order by created_at, and how many match.
func page(
	ctx context.Context, q db.Querier, w db.Where, window caller.Window, order caller.Order,
) ([]Schedule, int64, error) {
	p := db.Page{Where: w, Window: window, Order: order}

	if window.After != "" {
		var err error
		if p.After, p.AfterBy, err = order.Parse(window.After); err != nil {
			return nil, 0, err
		}
	}

	rows, total, err := table.Page(ctx, q, p)
	if err != nil {
		return nil, 0, err
	}

	out, err := db.Values(rows, (*row).value)

	return out, total, err
}

// withID returns any organisation's schedule.
func withID(ctx context.Context, q db.Querier, scheduleID string) (Schedule, error) {
	return db.First(where(ctx, q, "WHERE id = ?", scheduleID))
}

// batch limits how many schedules are read at once.
const batch = 200

// dueIDs returns schedules, after one in the order of their identifiers, that should have paid by today, that pay
// tomorrow and of which nobody was told yet, or whose day is not paid yet.
func dueIDs(ctx context.Context, q db.Querier, today time.Time, after string) ([]string, error) {
	return db.Select(ctx, q, func(id *string) []any { return []any{id} },
		`SELECT id FROM schedules WHERE state = 'ACTIVE' AND next_day > 0 AND next_day <= ?
			AND (next_day <= ? OR told_day <> next_day) AND id > ?
			UNION SELECT schedule FROM schedule_days WHERE state = 'MADE' AND schedule > ? ORDER BY 1 LIMIT ?`,
		db.Micros(today.AddDate(0, 0, 1)), db.Micros(today), after, after, int64(batch))
}

// openOf returns how many schedules of an organisation may still pay.
func openOf(ctx context.Context, q db.Querier, organisation string) (int64, error) {
	return db.Value[int64](ctx, q,
		"SELECT count(*) FROM schedules WHERE organisation = ? AND state IN ('WAITING', 'ACTIVE')", organisation)
}

// Waits returns how many schedules of an organisation wait to be accepted.
func Waits(ctx context.Context, q db.Querier, organisation string) (int64, error) {
	return db.Value[int64](ctx, q,
		"SELECT count(*) FROM schedules WHERE organisation = ? AND state = 'WAITING'", organisation)
}

// NewestAsked returns the newest day of a schedule whose transaction waits for a person, or db.ErrNone.
func NewestAsked(ctx context.Context, q db.Querier, scheduleID string) (Day, error) {
	return db.First(
		dayTable.Select(ctx, q, "WHERE state = 'ASKED' AND schedule = ? ORDER BY day DESC LIMIT 1", scheduleID),
	)
}

// StillAsks reports whether the newest day of a schedule that waits for a person still does.
func StillAsks(ctx context.Context, q db.Querier, x Schedule) (bool, error) {
	d, err := NewestAsked(ctx, q, x.ID)
	if errors.Is(err, db.ErrNone) {
		return false, nil
	}

	if err != nil || d.Transaction == "" {
		return true, err
	}

	t, err := db.First(transaction.Several(ctx, q, x.Organisation, []string{d.Transaction}))
	if errors.Is(err, db.ErrNone) {
		return false, nil
	}

	return t.Status == transaction.StatusDraft || t.Status == transaction.StatusWaiting, err
}

// openDays returns days of a schedule whose transaction is still to be submitted or accepted.
func openDays(ctx context.Context, q db.Querier, scheduleID string) ([]Day, error) {
	return dayTable.Select(ctx, q, "WHERE state = 'MADE' AND schedule = ? ORDER BY day", scheduleID)
}

// moveDay moves a day on from MADE. If it is not MADE any more, the write fails with db.ErrStale.
func moveDay(tx *db.Tx, d Day) {
	tx.Change("UPDATE schedule_days SET state = ?, why = ? WHERE schedule = ? AND day = ? AND state = 'MADE'",
		string(d.State), d.Why, d.Schedule, db.Micros(d.Planned))
}

// haltDays stops what is not accepted yet.
func haltDays(tx *db.Tx, scheduleID string) error {
	_, err := tx.Exec("UPDATE schedule_days SET state = ? WHERE schedule = ? AND state = 'MADE'",
		string(Halted), scheduleID)

	return err
}

// shownDays is how many days that are over a schedule shows.
const shownDays = 12

// daysOf returns the newest days of some schedules on which something was made, the newest first.
func daysOf(ctx context.Context, q db.Querier, all []Schedule) (map[string][]Day, error) {
	if len(all) == 0 {
		return nil, nil
	}

	var w db.Where
	db.In(&w, "schedule", ids(all))

	days, err := dayTable.Select(ctx, q, "WHERE (schedule, day) IN (SELECT schedule, day FROM (SELECT schedule, day, "+
		"row_number() OVER (PARTITION BY schedule ORDER BY day DESC) AS place FROM schedule_days"+w.SQL()+
		") AS newest WHERE place <= ?) ORDER BY day DESC", append(w.Args, int64(shownDays))...)

	out := map[string][]Day{}
	for _, d := range days {
		out[d.Schedule] = append(out[d.Schedule], d)
	}

	return out, err
}

func ids(all []Schedule) []string {
	out := make([]string, len(all))
	for i, x := range all {
		out[i] = x.ID
	}

	return out
}
