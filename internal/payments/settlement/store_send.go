package settlement

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

const sendColumns = "key, transaction_id, position, organisation, network, token, decimals, legs, units, " +
	"number, round, attempt, state, info, created_at, updated_at, version"

var insertSendRow = db.InsertInto("treasury_sends", sendColumns)

type sendRow struct {
	s                                    TreasurySend
	position, decimals, created, updated int64
	legs, units                          string
}

func (r *sendRow) dest() []any {
	s := &r.s

	return []any{
		&s.Key,
		&s.Transaction,
		&r.position,
		&s.Organisation,
		&s.Network,
		&s.Token,
		&r.decimals,
		&r.legs,
		&r.units,
		&s.Number,
		&s.Round,
		&s.Attempt,
		(*string)(&s.State),
		&s.Info,
		&r.created,
		&r.updated,
		&s.Version,
	}
}

func (r *sendRow) value() (TreasurySend, error) {
	s := r.s
	s.Position = int(r.position)
	s.Decimals = int(r.decimals)

	var err error
	if s.Units, err = money.ParseUnits(r.units); err != nil {
		return s, fmt.Errorf("sending %s: %w", s.Key, err)
	}

	if err = json.Unmarshal([]byte(r.legs), &s.Legs); err != nil {
		return s, fmt.Errorf("legs of sending %s: %w", s.Key, err)
	}

	for _, l := range s.Legs {
		if _, err := money.ParseUnits(l.Units); err != nil {
			return s, fmt.Errorf("legs of sending %s: %w", s.Key, err)
		}
	}

	return s, nil
}

func insertSend(tx *db.Tx, s TreasurySend) error {
	legs, err := json.Marshal(s.Legs)
	if err != nil {
		return fmt.Errorf("encode legs of sending %s: %w", s.Key, err)
	}

	now := db.Micros(tx.Now)
	tx.Insert(
		insertSendRow,
		s.Key,
		s.Transaction,
		int64(s.Position),
		s.Organisation,
		s.Network,
		s.Token,
		int64(s.Decimals),
		string(legs),
		s.Units.String(),
		int64(0),
		int64(1),
		int64(1),
		string(SendWanted),
		"",
		now,
		now,
		int64(1),
	)

	return nil
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
		s.Key,
		s.Version,
		string(s.State),
	)
}

func sendsOf(ctx context.Context, q db.Querier, transactionID string) ([]TreasurySend, error) {
	return sendsWhere(ctx, q, "transaction_id = ? ORDER BY key", transactionID)
}

func sendByKey(ctx context.Context, q db.Querier, key string) (TreasurySend, error) {
	x, err := db.First(sendsWhere(ctx, q, "key = ?", key))
	if err != nil {
		return x, fmt.Errorf("sending %s: %w", key, err)
	}

	return x, nil
}

func sendsWhere(ctx context.Context, q db.Querier, condition string, args ...any) ([]TreasurySend, error) {
	rows, err := db.Select(ctx, q, (*sendRow).dest,
		"SELECT "+sendColumns+" FROM treasury_sends WHERE "+condition, args...)
	if err != nil {
		return nil, fmt.Errorf("read treasury sends: %w", err)
	}

	return db.Values(rows, (*sendRow).value)
}
