package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
)

var (
	endpointTable = db.NewTable("webhook_endpoints", (*endpointRow).columns)
	deliveryTable = db.NewTable("webhook_deliveries", (*Delivery).columns)
	onceDelivery  = deliveryTable.OrIgnore("(endpoint, event, round)")
	attemptTable  = db.NewTable("webhook_attempts", (*Attempt).columns)
	replayTable   = db.NewTable("webhook_replays", (*replay).columns)

	sealedKeys = db.SealColumn("webhook_endpoints", "keys", "id")
)

// Sealed are the columns that are sealed.
func Sealed() []*db.Sealed { return []*db.Sealed{sealedKeys} }

// endpointRow is an endpoint as it is stored.
type endpointRow struct {
	Endpoint

	types, keys string
}

// columns lists every column once. A new field needs one line here.
func (r *endpointRow) columns(c *db.Columns) {
	c.Text("id", &r.ID)
	c.Text("organisation", &r.Organisation)
	c.Text("url", &r.URL)
	c.Text("description", &r.Description)
	c.Text("types", &r.types)
	c.Text("body", (*string)(&r.Body))
	c.Text("api_version", &r.APIVersion)
	c.Bool("enabled", &r.Enabled)
	c.Text("off_reason", &r.OffReason)
	c.Time("failing_since", &r.FailingSince)
	c.Sealed(sealedKeys, db.Key{&r.ID}, &r.keys)
	c.Text("challenge", &r.Challenge)
	c.Bool("deleted", &r.Deleted)
	c.Int64("version", &r.Version)
	c.Time("created_at", &r.CreatedAt)
	c.Time("updated_at", &r.UpdatedAt)
}

func rowOf(e Endpoint) *endpointRow {
	return &endpointRow{Endpoint: e, types: strings.Join(e.Types, ","), keys: encodeKeys(e.Keys)}
}

func (r *endpointRow) value() (Endpoint, error) {
	e := r.Endpoint
	e.Types = db.Words(r.types)

	if err := json.Unmarshal([]byte(r.keys), &e.Keys); err != nil {
		return e, fmt.Errorf("keys of %s: %w", r.ID, err)
	}

	return e, nil
}

// columns lists every column once.
func (d *Delivery) columns(c *db.Columns) {
	c.Text("id", &d.ID)
	c.Text("organisation", &d.Organisation)
	c.Text("endpoint", &d.Endpoint)
	c.Text("event", &d.Event)
	c.Text("type", &d.Type)
	c.Text("object", &d.Object)
	c.Int64("number", &d.Number)
	c.Text("round", &d.Round)
	c.Text("body", &d.Body)
	c.Text("status", (*string)(&d.Status))
	c.Int64("attempts", &d.Attempts)
	c.Time("next_at", &d.NextAt)
	c.Time("created_at", &d.CreatedAt)
	c.Time("ended_at", &d.EndedAt)
	c.Int64("version", &d.Version)
}

// columns lists every column once.
func (a *Attempt) columns(c *db.Columns) {
	c.Text("id", &a.ID)
	c.Text("organisation", &a.Organisation)
	c.Text("delivery", &a.Delivery)
	c.Time("created_at", &a.CreatedAt)
	c.Duration("elapsed_micros", time.Microsecond, &a.Elapsed)
	c.Int64("http_status", &a.HTTPStatus)
	c.Text("problem", &a.Problem)
	c.Text("signature", &a.Signature)
	c.Text("answer", &a.Answer)
}

// ByID returns an organisation's endpoint, or NOT_FOUND.
func ByID(ctx context.Context, q db.Querier, organisation, id string) (Endpoint, error) {
	r, err := endpointTable.One(ctx, q, "WHERE organisation = ? AND id = ? AND deleted = FALSE", organisation, id)
	if errors.Is(err, db.ErrNone) {
		return Endpoint{}, fault.Missing("webhook endpoint")
	}

	if err != nil {
		return Endpoint{}, err
	}

	return r.value()
}

// list returns a page of an organisation's endpoints, the newest first.
func list(ctx context.Context, q db.Querier, organisation string, p caller.Window) ([]Endpoint, int64, error) {
	var w db.Where
	w.And("organisation = ?", organisation)
	w.And("deleted = FALSE")

	rows, total, err := endpointTable.Page(ctx, q, db.Page{Where: w, Window: p, AfterBy: nil})
	if err != nil {
		return nil, 0, err
	}

	out, err := db.Values(rows, (*endpointRow).value)

	return out, total, err
}

// endpointsOf returns the endpoints of organisations, whether they are on or off.
func endpointsOf(ctx context.Context, q db.Querier, organisations []string) ([]Endpoint, error) {
	var w db.Where
	db.In(&w, "organisation", organisations)
	w.And("deleted = FALSE")

	rows, err := endpointTable.Select(ctx, q, w.SQL(), w.Args...)
	if err != nil {
		return nil, err
	}

	return db.Values(rows, (*endpointRow).value)
}

func countEndpoints(ctx context.Context, q db.Querier, organisation string) (int64, error) {
	return db.Value[int64](ctx, q,
		"SELECT count(*) FROM webhook_endpoints WHERE organisation = ? AND deleted = FALSE", organisation)
}

// noteFailure notes the first failure after a success.
func noteFailure(tx *db.Tx, e Endpoint) error {
	_, err := tx.Exec("UPDATE webhook_endpoints SET failing_since = ? WHERE id = ? AND failing_since = 0",
		db.Micros(tx.Now), e.ID)

	return err
}

func noteSuccess(tx *db.Tx, e Endpoint) error {
	_, err := tx.Exec("UPDATE webhook_endpoints SET failing_since = 0 WHERE id = ?", e.ID)
	return err
}

// switchOff reports whether the endpoint was on until now.
func switchOff(tx *db.Tx, e Endpoint, why string) (bool, error) {
	n, err := tx.Exec("UPDATE webhook_endpoints SET enabled = FALSE, off_reason = ?, version = version + 1, "+
		"updated_at = ? WHERE id = ? AND enabled = TRUE AND deleted = FALSE", why, db.Micros(tx.Now), e.ID)

	return n == 1, err
}

// noteProof notes that the address has answered, and reports whether it was asked for this answer until now.
func noteProof(tx *db.Tx, e Endpoint) (bool, error) {
	n, err := tx.Exec("UPDATE webhook_endpoints SET challenge = '', failing_since = 0, version = version + 1, "+
		"updated_at = ? WHERE id = ? AND challenge = ? AND deleted = FALSE", db.Micros(tx.Now), e.ID, e.Challenge)

	return n == 1, err
}

// endVerifications gives up what an endpoint was asked so far.
func endVerifications(tx *db.Tx, e Endpoint) error {
	_, err := tx.Exec("UPDATE webhook_deliveries SET status = 'FAILED', ended_at = ?, version = version + 1 "+
		"WHERE organisation = ? AND endpoint = ? AND type = ? AND status = 'PENDING'",
		db.Micros(tx.Now), e.Organisation, e.ID, VerificationType)

	return err
}

// askAgain lets what an endpoint is asked be tried at once.
func askAgain(tx *db.Tx, e Endpoint) error {
	_, err := tx.Exec("UPDATE webhook_deliveries SET attempts = 0, next_at = ?, version = version + 1 "+
		"WHERE organisation = ? AND endpoint = ? AND type = ? AND status = 'PENDING'",
		db.Micros(tx.Now), e.Organisation, e.ID, VerificationType)

	return err
}

// unproven admits what is sent to an address that has not proven itself.
const unproven = " AND type IN ('" + VerificationType + "', '" + TestType + "')"

// onlyFor returns the condition on what is sent to an endpoint.
func onlyFor(e Endpoint) string {
	if e.Challenge == "" {
		return ""
	}

	return unproven
}

// headOfLine is a scalar subquery, which PostgreSQL answers by the index for each row. Of NOT EXISTS it makes a join,
// and of a table that it has not analysed yet the wrong one: that took seconds.
const headOfLine = " AND (SELECT 1 FROM webhook_deliveries b WHERE b.endpoint = webhook_deliveries.endpoint " +
	"AND b.object = webhook_deliveries.object AND b.status = 'PENDING' AND (b.number < webhook_deliveries.number OR " +
	"b.number = webhook_deliveries.number AND b.id < webhook_deliveries.id) LIMIT 1) IS NULL "

// due returns deliveries whose time has come: for each record the first that has not arrived.
func due(ctx context.Context, q db.Querier, e Endpoint, now time.Time, limit int) ([]Delivery, error) {
	return deliveryTable.Select(ctx, q, "WHERE endpoint = ? AND status = 'PENDING' AND next_at <= ?"+onlyFor(e)+
		headOfLine+"ORDER BY number, id LIMIT ?", e.ID, db.Micros(now), int64(limit))
}

// nextDue returns when the next delivery of an endpoint is due; zero if none is left.
func nextDue(ctx context.Context, q db.Querier, e Endpoint) (time.Time, error) {
	at, err := db.Value[int64](ctx, q, "SELECT coalesce(min(next_at), 0) FROM webhook_deliveries "+
		"WHERE endpoint = ? AND status = 'PENDING'"+onlyFor(e)+headOfLine, e.ID)

	return db.Time(at), err
}

// beginAnew lets everything that waits for an endpoint be tried at once.
func beginAnew(tx *db.Tx, endpoint string) error {
	_, err := tx.Exec("UPDATE webhook_deliveries SET attempts = 0, next_at = ?, version = version + 1 "+
		"WHERE endpoint = ? AND status = 'PENDING'", db.Micros(tx.Now), endpoint)

	return err
}

// moveDelivery stores the outcome of a try, unless somebody else has tried since.
func moveDelivery(tx *db.Tx, d Delivery) {
	tx.Change(
		"UPDATE webhook_deliveries SET status = ?, attempts = ?, next_at = ?, ended_at = ?, version = version + 1 "+
			"WHERE id = ? AND version = ?",
		string(d.Status),
		d.Attempts,
		db.Micros(d.NextAt),
		db.Micros(d.EndedAt),
		d.ID,
		d.Version,
	)
}

// Waiting returns the number of deliveries that have not arrived at proven endpoints which are on, and when the oldest
// of them was made; zero if there is none. It reads those that wait alone, by their index: SQLite keeps the order of a
// cross join, and would read every delivery otherwise.
func Waiting(ctx context.Context, q db.Querier) (count int64, oldest time.Time, err error) {
	return db.Backlog(ctx, q, `SELECT count(*), COALESCE(MIN(d.created_at), 0)
		FROM webhook_endpoints e CROSS JOIN webhook_deliveries d
		WHERE e.enabled = TRUE AND e.deleted = FALSE AND e.challenge = '' AND d.endpoint = e.id AND d.status = 'PENDING'`)
}

// States returns the number of endpoints that take what they are sent ("working"), that do not ("failing"), that have
// not proven themselves ("unverified"), and that are switched off ("off"). One that was never sent anything works.
func States(ctx context.Context, q db.Querier) (map[string]int64, error) {
	type row struct {
		state string
		count int64
	}

	rows, err := db.Select(ctx, q, func(r *row) []any { return []any{&r.state, &r.count} },
		`SELECT CASE WHEN enabled = FALSE THEN 'off' WHEN challenge <> '' THEN 'unverified'
			WHEN failing_since > 0 THEN 'failing' ELSE 'working' END, count(*)
			FROM webhook_endpoints WHERE deleted = FALSE GROUP BY 1`)

	out := map[string]int64{"working": 0, "failing": 0, "unverified": 0, "off": 0}
	for _, r := range rows {
		out[r.state] = r.count
	}

	return out, err
}

func deliveryByID(ctx context.Context, q db.Querier, organisation, endpoint, id string) (Delivery, error) {
	d, err := deliveryTable.One(
		ctx,
		q,
		"WHERE organisation = ? AND endpoint = ? AND id = ?",
		organisation,
		endpoint,
		id,
	)
	if errors.Is(err, db.ErrNone) {
		return d, fault.Missing("webhook delivery")
	}

	return d, err
}

func deliveries(
	ctx context.Context,
	q db.Querier,
	organisation, endpoint string,
	statuses []string,
	p caller.Window,
) ([]Delivery, int64, error) {
	var w db.Where
	w.And("organisation = ?", organisation)
	w.And("endpoint = ?", endpoint)
	db.In(&w, "status", statuses)

	return deliveryTable.Page(ctx, q, db.Page{Where: w, Window: p})
}

// attemptsOf returns the tries of a delivery, oldest first.
func attemptsOf(ctx context.Context, q db.Querier, d Delivery) ([]Attempt, error) {
	return attemptTable.Select(ctx, q, "WHERE organisation = ? AND delivery = ? ORDER BY id LIMIT 100",
		d.Organisation, d.ID)
}

// forget deletes deliveries made before a time, with their tries.
func forget(tx *db.Tx, before time.Time, limit int) (int64, error) {
	const old = "SELECT id FROM webhook_deliveries WHERE created_at < ? ORDER BY created_at LIMIT ?"

	if _, err := tx.Exec("DELETE FROM webhook_attempts WHERE delivery IN ("+old+")",
		db.Micros(before), int64(limit)); err != nil {
		return 0, err
	}

	return tx.Exec("DELETE FROM webhook_deliveries WHERE id IN ("+old+")", db.Micros(before), int64(limit))
}

// columns lists every column once.
func (r *replay) columns(c *db.Columns) {
	c.Text("id", &r.ID)
	c.Text("organisation", &r.Organisation)
	c.Text("endpoint", &r.Endpoint)
	c.Int64("next_number", &r.Next)
	c.Int64("last_number", &r.Last)
	c.Bool("only_failed", &r.OnlyFailed)
	c.Int64("made", &r.Made)
	c.Int64("version", &r.Version)
	c.Time("created_at", &r.CreatedAt)
}

// undelivered returns those of the events that an endpoint has a FAILED delivery of and no DELIVERED one.
func undelivered(ctx context.Context, q db.Querier, endpoint string, first, last int64) (map[string]bool, error) {
	type row struct{ event, status string }

	rows, err := db.Select(ctx, q, func(r *row) []any { return []any{&r.event, &r.status} },
		"SELECT event, status FROM webhook_deliveries WHERE endpoint = ? AND status IN ('FAILED', 'DELIVERED') "+
			"AND number >= ? AND number <= ?", endpoint, first, last)

	out := map[string]bool{}

	for _, r := range rows {
		if _, seen := out[r.event]; !seen || r.status == string(Delivered) {
			out[r.event] = r.status == string(Failed)
		}
	}

	return out, err
}
