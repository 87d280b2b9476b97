package replica

import (
	"context"
	"time"

	"slipway/internal/platform/db"
)

var insertReplica = db.InsertInto("replicas", "id, beat_at").OrIgnore("(id)")

// announced is another replica with its last heartbeat.
type announced struct {
	id     string
	beatAt time.Time
}

func readOthers(ctx context.Context, d *db.DB, mine string) ([]announced, error) {
	type row struct {
		id     string
		beatAt int64
	}

	rows, err := db.Select(ctx, d, func(v *row) []any { return []any{&v.id, &v.beatAt} },
		"SELECT id, beat_at FROM replicas WHERE id <> ?", mine)
	if err != nil {
		return nil, err
	}

	out := make([]announced, len(rows))
	for i, v := range rows {
		out[i] = announced{id: v.id, beatAt: db.Time(v.beatAt)}
	}

	return out, nil
}

func beat(tx *db.Tx, id string, at time.Time) {
	tx.Change("UPDATE replicas SET beat_at = ? WHERE id = ?", db.Micros(at), id)
}

// removeSilent deletes a replica unless it has sent a heartbeat since it was read.
func removeSilent(tx *db.Tx, r announced) {
	tx.Change("DELETE FROM replicas WHERE id = ? AND beat_at = ?", r.id, db.Micros(r.beatAt))
}

func leave(tx *db.Tx, id string) error {
	_, err := tx.Exec("DELETE FROM replicas WHERE id = ?", id)
	return err
}

// notAnnounced is the condition on the owner of leases whose replica is not announced.
const notAnnounced = "owner NOT IN (SELECT id FROM replicas)"

// endLeases ends the leases of some owners and returns how many there were.
func endLeases(tx *db.Tx, table, owner string, args ...any) (int64, error) {
	return tx.Exec("UPDATE "+table+" SET owner = '', lease_until = 0 WHERE lease_until <> 0 AND "+owner, args...)
}
