package chain

import (
	"context"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/platform/db"
)

// evidence is what the receipt of a final send says.
type evidence struct {
	send, gasPrice string
	ok             bool
	gasUsed        int64
}

// evidenceOf returns the evidence of final sends by their ids; no statement runs if none is final.
func evidenceOf(ctx context.Context, q db.Querier, sends []sendRow) (map[string]evidence, error) {
	var ids []string
	for _, s := range sends {
		if s.State == StateFinal {
			ids = append(ids, s.ID)
		}
	}

	out := make(map[string]evidence, len(ids))
	if len(ids) == 0 {
		return out, nil
	}

	var w db.Where
	db.In(&w, "send_id", ids)

	rows, err := db.Select(ctx, q, func(e *evidence) []any { return []any{&e.send, &e.ok, &e.gasUsed, &e.gasPrice} },
		"SELECT send_id, ok, gas_used, gas_price FROM chain_receipts"+w.SQL(), w.Args...)
	for _, e := range rows {
		out[e.send] = e
	}

	return out, err
}

// oldestIn reads one row through the index on state and age.
func oldestIn(ctx context.Context, q db.Querier, s State) (int64, error) {
	return db.Value[int64](
		ctx,
		q,
		"SELECT created_at FROM chain_sends WHERE state = ? ORDER BY created_at LIMIT 1",
		string(s),
	)
}

func (l *lane) openCounts(ctx context.Context) (map[State]int64, error) {
	type row struct {
		state State
		n     int64
	}
	rows, err := db.Select(ctx, l.r.db, func(r *row) []any { return []any{(*string)(&r.state), &r.n} },
		`SELECT state, count(*) FROM chain_sends WHERE network = ? AND signer = ?
		 AND state IN ('PLANNED', 'NONCED', 'SIGNED', 'SENT', 'SEEN', 'HOLD') GROUP BY state`, l.net.ID, l.address)

	out := make(map[State]int64, len(rows))
	for _, r := range rows {
		out[r.state] = r.n
	}

	return out, err
}

// isAttempt reports whether a transaction is an attempt of one of our sends.
func isAttempt(ctx context.Context, q db.Querier, hash common.Hash) (bool, error) {
	return db.Value[bool](ctx, q, "SELECT EXISTS(SELECT 1 FROM chain_attempts WHERE tx_hash = ?)", hash.Hex())
}

// undecidedSends reads the sends of a signer that may have taken effect or may still do so.
func undecidedSends(ctx context.Context, q db.Querier, network, signer string) ([]SendRef, error) {
	// A PLANNED send that was updated after its creation was released from hold: its old attempts may still be mined.
	const mayHaveLeft = "(state IN ('NONCED', 'SIGNED', 'SENT', 'SEEN', 'HOLD') OR state = 'PLANNED' AND " +
		"updated_at > created_at)"

	return refs(ctx, q, mayHaveLeft, network, signer)
}

// mostOpen limits the sends of a network that are read at once.
const mostOpen = 10_000

// openSends reads the sends of a network that are neither final nor refused. A PLANNED one that was updated after its
// creation was released from hold: its old attempts may still be mined.
func openSends(ctx context.Context, q db.Querier, network string) ([]OpenSend, error) {
	return db.Select(ctx, q, func(s *OpenSend) []any { return []any{&s.Key, &s.Object, &s.Again, &s.Unsigned} },
		"SELECT key, object, reopened, state = 'PLANNED' AND updated_at = created_at FROM chain_sends "+
			"WHERE network = ? AND state NOT IN ('FINAL', 'REFUSED') ORDER BY id LIMIT ?", network, int64(mostOpen))
}

// finalAfter reads the sends of a signer that are FINAL in a later block.
func finalAfter(ctx context.Context, q db.Querier, network, signer string, block uint64) ([]SendRef, error) {
	return refs(ctx, q, "state = 'FINAL' AND block > ?", network, signer, int64(block))
}

func refs(ctx context.Context, q db.Querier, condition string, args ...any) ([]SendRef, error) {
	return db.Select(ctx, q, func(s *SendRef) []any { return []any{&s.Key, &s.Object, &s.Again} },
		"SELECT key, object, reopened FROM chain_sends WHERE network = ? AND signer = ? AND "+condition, args...)
}

// hashPrefixLength is how much of a hash has to be given to find a send by it: 0x and eight digits.
const hashPrefixLength = 10

// objectsLimit limits the records that are found by a hash or by its beginning.
const objectsLimit = 100

// ObjectsByHash returns the records whose sends have an attempt with this hash, or with one that begins so: 0x and at
// least eight hexadecimal digits in lower case. Of any other text it returns none.
func ObjectsByHash(ctx context.Context, q db.Querier, hash string) ([]string, error) {
	const longest = 2 + 2*common.HashLength
	if len(hash) < hashPrefixLength || len(hash) > longest || !strings.HasPrefix(hash, "0x") {
		return nil, nil
	}

	return db.Select(ctx, q, func(s *string) []any { return []any{s} },
		`SELECT DISTINCT s.object FROM chain_attempts a JOIN chain_sends s ON s.id = a.send_id
			WHERE a.tx_hash >= ? AND a.tx_hash <= ? LIMIT ?`,
		hash, hash+strings.Repeat("f", longest-len(hash)), int64(objectsLimit))
}

// HashesOf returns the hash of each send that is in a block, by its key. Keys of no such send are left out.
func HashesOf(ctx context.Context, q db.Querier, keys []string) (map[string]string, error) {
	out := map[string]string{}

	for part := range slices.Chunk(keys, 256) {
		var w db.Where
		w.And("tx_hash <> ''")
		db.In(&w, "key", part)

		rows, err := db.Select(ctx, q, func(r *[2]string) []any { return []any{&r[0], &r[1]} },
			"SELECT key, tx_hash FROM chain_sends"+w.SQL(), w.Args...)
		if err != nil {
			return nil, err
		}

		for _, r := range rows {
			out[r[0]] = r[1]
		}
	}

	return out, nil
}
