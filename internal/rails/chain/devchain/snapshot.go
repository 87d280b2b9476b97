//go:build !nosandbox

package devchain

import (
	"bytes"

	"github.com/ethereum/go-ethereum/ethdb"
)

// Snapshot is a chain as it stood at one moment, with all of its blocks and states. It never changes, so that any
// number of chains go on from it.
type Snapshot struct{ keys, values [][]byte }

// Snapshot returns the chain as it stands. What waits in the pool is no part of it.
func (c *Chain) Snapshot() (*Snapshot, error) {
	c.mu.Lock()
	defer c.mu.Unlock()

	out := &Snapshot{}

	rows := c.db.NewIterator(nil, nil)
	defer rows.Release()

	for rows.Next() {
		out.keys = append(out.keys, bytes.Clone(rows.Key()))
		out.values = append(out.values, bytes.Clone(rows.Value()))
	}

	return out, rows.Error()
}

// copyTo writes the snapshot into an empty store. Without a snapshot it writes nothing.
func (s *Snapshot) copyTo(store ethdb.KeyValueWriter) error {
	if s == nil {
		return nil
	}

	for i, key := range s.keys {
		if err := store.Put(key, s.values[i]); err != nil {
			return err
		}
	}

	return nil
}
