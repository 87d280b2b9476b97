// Package trail writes what happened into the same transaction as the change itself: an event for clients, and an audit
// line about who did what from where. Both tables are only ever added to.
//
// Read in this order: trail.go, store_events.go, store_changes.go (for those who follow all changes), store_list.go.
package trail

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jsonout"
)

var (
	insertEvent = db.InsertInto("events", "id, type, organisation, object, sequence, data, created_at")
	insertAudit = db.InsertInto("audit_log",
		"id, organisation, actor, action, object, request_id, source, detail, created_at")
)

// Topic is notified by every transaction that has written an event (db.DB.Listen).
const Topic = "events"

// System is the actor of what no person asked for: jobs, settlement, the command line.
const System = "system"

// Event notes that a record changed. kind is "transaction.completed"; sequence is the record's version, strictly
// rising per record; data is what a client may see of it. A second call writes a second event: call it once for each
// change.
func Event(tx *db.Tx, kind, organisation, object string, sequence int64, data any) error {
	raw, err := jsonout.Marshal(data)
	if err != nil {
		return err
	}

	tx.Insert(insertEvent, id.New("evt", tx.Now), kind, organisation, object, sequence, string(raw), db.Micros(tx.Now))
	tx.Notify(Topic)

	return nil
}

// Audit notes who did what. The actor (a user or an API client), request id and source are taken from the context;
// outside of a request the actor is System. detail is a short sentence and holds no secrets.
func Audit(ctx context.Context, tx *db.Tx, organisation, action, object, detail string) {
	actor := System
	switch p := caller.Of(ctx); {
	case p.Client:
		actor = p.Credential
	case p.User != "":
		actor = p.User
	}

	r := caller.RequestOf(ctx)
	tx.Insert(insertAudit, id.New("aud", tx.Now), organisation, actor, action, object, r.ID, r.Source, detail,
		db.Micros(tx.Now))
}
