package chain

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
)

// Limits of one send.
const (
	maxKey  = 200
	maxData = 120_000 // nodes accept transactions of up to 128 KiB
)

// Plan inserts a send in the transaction that decides on it. After the commit it will have exactly one effect, or none
// and be REFUSED or on HOLD. A second call with the same key adds nothing; it returns ErrKeyReused if the send differs.
func (r *Rail) Plan(tx *db.Tx, s Send) error {
	l, err := r.laneOf(s.Network, s.Key)
	if err != nil {
		return err
	}

	if err := checkSend(s); err != nil {
		return fmt.Errorf("plan %s: %w", s.Key, err)
	}

	value := "0"
	if s.Value != nil {
		value = s.Value.String()
	}

	known, err := sendByKey(context.Background(), tx, s.Key)
	switch {
	case err == nil:
		if known.Network != s.Network || known.To != s.To.Hex() || known.Value != value || known.Object != s.Object ||
			known.GasAsked != int64(s.GasLimit) || !bytes.Equal(known.Data, s.Data) {
			return fmt.Errorf("%w: %s", ErrKeyReused, s.Key)
		}

		return nil

	case !errors.Is(err, db.ErrNone):
		return fmt.Errorf("plan %s: %w", s.Key, err)
	}

	now := db.Micros(tx.Now)

	data := s.Data
	if data == nil {
		data = []byte{}
	}

	tx.Insert(
		insertSend,
		id.New("snd", tx.Now),
		s.Key,
		s.Network,
		l.from.Hex(),
		s.To.Hex(),
		data,
		value,
		int64(s.GasLimit),
		s.Object,
		string(StatePlanned),
		now,
		now,
	)
	tx.OnCommit(l.notify)

	return nil
}

func checkSend(s Send) error {
	switch {
	case s.Key == "" || len(s.Key) > maxKey:
		return errors.New("a key has 1 to 200 bytes")
	case s.To == [20]byte{}:
		return errors.New("a send needs a recipient")
	case len(s.Data) > maxData:
		return errors.New("more calldata than a node accepts")
	case s.Value != nil && (s.Value.Sign() < 0 || s.Value.BitLen() > 256):
		return errors.New("the value is not an amount of wei")
	case s.GasLimit > 1<<40:
		return errors.New("the gas limit is out of range")
	}

	return nil
}
