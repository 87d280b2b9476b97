package settlement

import (
	"context"
	"fmt"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/payments/effect"
	"slipway/internal/platform/db"
)

var sendTable = db.NewTable("treasury_sends", (*sendRow).columns)

type sendRow struct {
	TreasurySend

	key              string
	units            string
	created, updated time.Time
}

func (r *sendRow) columns(c *db.Columns) {
	c.Text("key", &r.key)
	c.Text("transaction_id", &r.Transaction)
	c.Int("position", &r.Position)
	c.Text("organisation", &r.Organisation)
	c.Text("network", &r.Network)
	c.Text("token", &r.Token)
	c.Int("decimals", &r.Decimals)
	c.JSON("legs", &r.Legs)
	c.Text("units", &r.units)

	c.Int64("number", &r.Number)
	c.Int64("round", &r.Round)
	c.Int64("attempt", &r.Attempt)
	c.Text("state", (*string)(&r.State))
	c.Text("info", &r.Info)

	c.Time("created_at", &r.created)
	c.Time("updated_at", &r.updated)
	c.Int64("version", &r.Version)
}

func (r *sendRow) value() (TreasurySend, error) {
	s := r.TreasurySend

	var err error
	if s.Key, err = keyOf(r.key); err != nil {
		return s, err
	}

	if s.Units, err = money.ParseUnits(r.units); err != nil {
		return s, fmt.Errorf("sending %s: %w", s.Key, err)
	}

	for _, l := range s.Legs {
		if _, err := money.ParseUnits(l.Units); err != nil {
			return s, fmt.Errorf("legs of sending %s: %w", s.Key, err)
		}
	}

	return s, nil
}

// insertSend stores a sending that is wanted: its first round and attempt, without a number.
func insertSend(tx *db.Tx, s TreasurySend) {
	s.Round = 1
	s.Attempt = 1
	s.State = SendWanted
	s.Version = 1
	sendTable.Insert(tx, &sendRow{
		TreasurySend: s,
		key:          s.Key.String(),
		units:        s.Units.String(),
		created:      tx.Now,
		updated:      tx.Now,
	})
}

// moveSend stores a sending's next state, guarded by the version that was read.
func moveSend(tx *db.Tx, s TreasurySend, to SendState) {
	tx.Change(
		`UPDATE treasury_sends
			SET state = ?, number = ?, round = ?, attempt = ?, info = ?, updated_at = ?, version = ?
			WHERE key = ? AND version = ? AND state = ?`,
		string(to),
		s.Number,
		s.Round,
		s.Attempt,
		s.Info,
		db.Micros(tx.Now),
		s.Version+1,
		s.Key.String(),
		s.Version,
		string(s.State),
	)
}

// sendsOf returns the sendings of one transaction, or of several.
func sendsOf(ctx context.Context, q db.Querier, transactionIDs ...string) ([]TreasurySend, error) {
	if len(transactionIDs) == 0 {
		return nil, nil
	}

	var w db.Where
	db.In(&w, "transaction_id", transactionIDs)

	rows, err := sendTable.Select(ctx, q, w.SQL()+" ORDER BY key", w.Args...)
	if err != nil {
		return nil, err
	}

	return db.Values(rows, (*sendRow).value)
}

func sendByKey(ctx context.Context, q db.Querier, key effect.Key) (TreasurySend, error) {
	x, err := db.First(sendsWhere(ctx, q, "key = ?", key.String()))
	if err != nil {
		return x, fmt.Errorf("sending %s: %w", key, err)
	}

	return x, nil
}

func sendsWhere(ctx context.Context, q db.Querier, condition string, args ...any) ([]TreasurySend, error) {
	rows, err := sendTable.Select(ctx, q, "WHERE "+condition, args...)
	if err != nil {
		return nil, err
	}

	return db.Values(rows, (*sendRow).value)
}
