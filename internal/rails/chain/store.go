package chain

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"slipway/internal/platform/db"
)

// The inserts of this package. An existing key or attempt is left unchanged. PostgreSQL answers a race for one key with
// a serialisation failure, so the transaction runs again and sees the other row.
var (
	insertSend = db.InsertInto(
		"chain_sends",
		"id, key, network, signer, recipient, data, value, gas_asked, object, state, created_at, updated_at",
	).OrIgnore("(key)")
	insertAttempt = db.InsertInto("chain_attempts", "send_id, number, nonce, tx_hash, raw, tip, fee_cap, created_at")
	insertFiller  = db.InsertInto(
		"chain_sends",
		"id, key, network, signer, recipient, data, value, gas_asked, object, state, nonce, gas_limit, created_at, "+
			"updated_at",
	)
	insertReceipt = db.InsertInto(
		"chain_receipts",
		"send_id, network, tx_hash, block, block_hash, ok, gas_used, gas_price, logs, created_at",
	)
)

// sendRow is a row of chain_sends.
type sendRow struct {
	ID, Key, Network, Signer, To string
	Data                         []byte
	Value                        string
	GasAsked                     int64
	Object                       string
	State                        State
	Reason                       string
	Nonce, GasLimit              int64
	TxHash                       string
	Block                        int64
	BlockHash                    string
	CreatedAt                    int64
	Reopened                     bool
	Released                     int64 // attempts up to this number were made before a person had it sent anew
}

const sendColumns = "id, key, network, signer, recipient, data, value, gas_asked, object, state, reason, nonce, " +
	"gas_limit, tx_hash, block, block_hash, created_at, reopened, released"

// briefColumns is sendColumns without the calldata, for all who do not sign: the stored bytes hold it.
const briefColumns = "id, key, network, signer, recipient, '' AS data, value, gas_asked, object, state, reason, " +
	"nonce, gas_limit, tx_hash, block, block_hash, created_at, reopened, released"

func (s *sendRow) dest() []any {
	return []any{
		&s.ID,
		&s.Key,
		&s.Network,
		&s.Signer,
		&s.To,
		&s.Data,
		&s.Value,
		&s.GasAsked,
		&s.Object,
		(*string)(&s.State),
		&s.Reason,
		&s.Nonce,
		&s.GasLimit,
		&s.TxHash,
		&s.Block,
		&s.BlockHash,
		&s.CreatedAt,
		&s.Reopened,
		&s.Released,
	}
}

// attemptRow is a row of chain_attempts.
type attemptRow struct {
	SendID        string
	Number, Nonce int64
	Hash          string
	Raw           []byte
	Tip, FeeCap   string
	Broadcasts    int64
	Outcome       string
	CreatedAt     int64
}

const attemptColumns = "send_id, number, nonce, tx_hash, raw, tip, fee_cap, broadcasts, outcome, created_at"

func (a *attemptRow) dest() []any {
	return []any{
		&a.SendID,
		&a.Number,
		&a.Nonce,
		&a.Hash,
		&a.Raw,
		&a.Tip,
		&a.FeeCap,
		&a.Broadcasts,
		&a.Outcome,
		&a.CreatedAt,
	}
}

func sendByKey(ctx context.Context, q db.Querier, key string) (sendRow, error) {
	return db.One(ctx, q, (*sendRow).dest, "SELECT "+sendColumns+" FROM chain_sends WHERE key = ?", key)
}

// sendsByKey returns the sends that were planned under some keys.
func sendsByKey(ctx context.Context, q db.Querier, keys []string) ([]sendRow, error) {
	if len(keys) == 0 {
		return nil, nil
	}

	var w db.Where
	db.In(&w, "key", keys)

	return db.Select(ctx, q, (*sendRow).dest, "SELECT "+sendColumns+" FROM chain_sends"+w.SQL(), w.Args...)
}

// Holding is a send on hold.
type Holding struct {
	Key   string
	Since time.Time
}

// Holds lists the sends on hold, the longest first. It returns besides how many there are in all.
func Holds(ctx context.Context, q db.Querier, limit int) ([]Holding, int, error) {
	total, err := db.Value[int64](ctx, q, "SELECT count(*) FROM chain_sends WHERE state = ?", string(StateHold))
	if err != nil {
		return nil, 0, err
	}

	type row struct {
		key   string
		since int64
	}

	rows, err := db.Select(ctx, q, func(x *row) []any { return []any{&x.key, &x.since} },
		"SELECT key, updated_at FROM chain_sends WHERE state = ? ORDER BY updated_at, id LIMIT ?",
		string(StateHold), int64(limit))

	out := make([]Holding, len(rows))
	for i, x := range rows {
		out[i] = Holding{Key: x.key, Since: db.Time(x.since)}
	}

	return out, int(total), err
}

// open lists the states in which the signer has sends. released means that the network has planned ones, of whichever
// signer, with attempts that may be the signer's.
type open struct{ planned, nonced, signed, sent, seen, hold, released bool }

func (l *lane) openStates(ctx context.Context) (open, error) {
	const (
		one      = "EXISTS(SELECT 1 FROM chain_sends WHERE network = ? AND signer = ? AND state = ?)"
		released = "EXISTS(SELECT 1 FROM chain_sends WHERE network = ? AND state = 'PLANNED' AND released > 0)"
	)

	var args []any
	for _, s := range []State{StatePlanned, StateNonced, StateSigned, StateSent, StateSeen, StateHold} {
		args = append(args, l.net.ID, l.address, string(s))
	}

	return db.One(ctx, l.r.db, func(o *open) []any {
		return []any{&o.planned, &o.nonced, &o.signed, &o.sent, &o.seen, &o.hold, &o.released}
	},
		"SELECT "+strings.Repeat(one+", ", len(args)/3)+released, append(args, l.net.ID)...)
}

// inState reads the signer's sends in some states with their calldata, sorted by nonce and then by planning.
func (l *lane) inState(ctx context.Context, limit int, states ...State) ([]sendRow, error) {
	return l.read(ctx, sendColumns, limit, -1, 1<<62, states...)
}

// between reads those with a nonce of at least from and less than to, without their calldata.
func (l *lane) between(ctx context.Context, limit int, from, to int64, states ...State) ([]sendRow, error) {
	return l.read(ctx, briefColumns, limit, from, to, states...)
}

func (l *lane) read(
	ctx context.Context,
	columns string,
	limit int,
	from, to int64,
	states ...State,
) ([]sendRow, error) {
	var w db.Where
	w.And("network = ? AND signer = ?", l.net.ID, l.address)

	names := make([]string, len(states))
	for i, s := range states {
		names[i] = string(s)
	}

	db.In(&w, "state", names)
	w.And("nonce >= ? AND nonce < ?", from, to)

	return db.Select(
		ctx,
		l.r.db,
		(*sendRow).dest,
		"SELECT "+columns+" FROM chain_sends"+w.SQL()+" ORDER BY nonce, id LIMIT ?",
		append(w.Args, int64(limit))...)
}

// firstNonce returns the lowest nonce of a send, starting at from.
func (l *lane) firstNonce(ctx context.Context, from int64) (int64, error) {
	return db.Value[int64](
		ctx,
		l.r.db,
		"SELECT nonce FROM chain_sends WHERE network = ? AND signer = ? AND nonce >= ? ORDER BY nonce LIMIT 1",
		l.net.ID,
		l.address,
		from,
	)
}

func (l *lane) inFlight(ctx context.Context) (int, error) {
	n, err := db.Value[int64](
		ctx,
		l.r.db,
		"SELECT count(*) FROM chain_sends WHERE network = ? AND signer = ? AND state IN ('NONCED', 'SIGNED', 'SENT')",
		l.net.ID,
		l.address,
	)

	return int(n), err
}

// reserved returns the most that sends which are not in a block yet may cost the signer, in wei. Values are added in
// Go, never in SQL.
func (l *lane) reserved(ctx context.Context, fromNonce uint64) (*big.Int, error) {
	type row struct {
		id, value, feeCap string
		gas               int64
	}

	const query = `SELECT s.id, s.value, a.fee_cap, s.gas_limit FROM chain_sends s
		JOIN chain_attempts a ON a.send_id = s.id
		WHERE s.network = ? AND s.signer = ? AND s.state IN ('SIGNED', 'SENT') AND s.nonce >= ?`

	rows, err := db.Select(ctx, l.r.db, func(r *row) []any { return []any{&r.id, &r.value, &r.feeCap, &r.gas} },
		query, l.net.ID, l.address, int64(fromNonce))
	if err != nil {
		return nil, err
	}

	most := map[string]*big.Int{}
	for _, r := range rows {
		cost := cost(uint64(r.gas), number(r.feeCap), number(r.value))
		if m := most[r.id]; m == nil || m.Cmp(cost) < 0 {
			most[r.id] = cost
		}
	}

	sum := new(big.Int)
	for _, c := range most {
		sum.Add(sum, c)
	}

	return sum, nil
}

// attempts reads all attempts of some sends, in order, by send.
func attempts(ctx context.Context, q db.Querier, sends []sendRow) (map[string][]attemptRow, error) {
	out := make(map[string][]attemptRow, len(sends))
	for part := range slices.Chunk(sends, 128) {
		ids := make([]string, len(part))
		for i, s := range part {
			ids[i] = s.ID
		}

		var w db.Where
		db.In(&w, "send_id", ids)

		rows, err := db.Select(
			ctx,
			q,
			(*attemptRow).dest,
			"SELECT "+attemptColumns+" FROM chain_attempts"+w.SQL()+" ORDER BY send_id, number",
			w.Args...)
		if err != nil {
			return nil, err
		}

		for _, a := range rows {
			out[a.SendID] = append(out[a.SendID], a)
		}
	}

	return out, nil
}

// seenBlocks reads the blocks with sends that are seen and not final.
func (l *lane) seenBlocks(ctx context.Context) (map[uint64]sighting, error) {
	type row struct {
		block int64
		hash  string
	}
	rows, err := db.Select(
		ctx,
		l.r.db,
		func(r *row) []any { return []any{&r.block, &r.hash} },
		"SELECT DISTINCT block, block_hash FROM chain_sends WHERE network = ? AND signer = ? AND state = 'SEEN'",
		l.net.ID,
		l.address,
	)

	out := make(map[uint64]sighting, len(rows))
	for _, r := range rows {
		out[uint64(r.block)] = sighting{hash: common.HexToHash(r.hash)}
	}

	return out, err
}

// seenIn reads the sends seen in a block of any hash, but not final.
func (l *lane) seenIn(ctx context.Context, block uint64) ([]sendRow, error) {
	const query = "SELECT " + briefColumns +
		" FROM chain_sends WHERE network = ? AND signer = ? AND state = 'SEEN' AND block = ? ORDER BY nonce"

	return db.Select(ctx, l.r.db, (*sendRow).dest, query, l.net.ID, l.address, int64(block))
}

// The moves. Each names the state it leaves, so that a row that has changed since it was read undoes the write.

// noteNonced assigns a nonce of its signer to a send, unless the signer was replaced.
func noteNonced(tx *db.Tx, s sendRow, nonce int64) {
	tx.Change(
		`UPDATE chain_sends
			SET state = 'NONCED', nonce = ?, gas_limit = ?, updated_at = ?
			WHERE id = ? AND state = 'PLANNED' AND signer = ?`,
		nonce,
		s.GasLimit,
		db.Micros(tx.Now),
		s.ID,
		s.Signer,
	)
}

func noteRefused(tx *db.Tx, id, reason string, to State) {
	tx.Change(
		"UPDATE chain_sends SET state = ?, reason = ?, updated_at = ? WHERE id = ? AND state = 'PLANNED'",
		string(to),
		reason,
		db.Micros(tx.Now),
		id,
	)
}

// noteSigned names signer and nonce: the bytes of another one must not become the send's.
func noteSigned(tx *db.Tx, s sendRow) {
	tx.Change(
		`UPDATE chain_sends SET state = 'SIGNED', updated_at = ?
			WHERE id = ? AND state = 'NONCED' AND signer = ? AND nonce = ?`,
		db.Micros(tx.Now),
		s.ID,
		s.Signer,
		s.Nonce,
	)
}

// noteRaised belongs to a further attempt of a send, which has to be its signer's still.
func noteRaised(tx *db.Tx, s sendRow) {
	tx.Change(
		"UPDATE chain_sends SET updated_at = ? WHERE id = ? AND state = 'SENT' AND signer = ? AND nonce = ?",
		db.Micros(tx.Now),
		s.ID,
		s.Signer,
		s.Nonce,
	)
}

func noteSeen(tx *db.Tx, s sendRow, r *types.Receipt) {
	tx.Change(
		`UPDATE chain_sends
			SET state = 'SEEN', reason = '', tx_hash = ?, block = ?, block_hash = ?, updated_at = ?
			WHERE id = ? AND state = ?`,
		r.TxHash.Hex(),
		r.BlockNumber.Int64(),
		r.BlockHash.Hex(),
		db.Micros(tx.Now),
		s.ID,
		string(s.State),
	)
}

// noteLost moves a send back to SENT whose block was replaced.
func noteLost(tx *db.Tx, s sendRow) {
	tx.Change(
		`UPDATE chain_sends
			SET state = 'SENT', tx_hash = '', block = -1, block_hash = '', updated_at = ?
			WHERE id = ? AND state = 'SEEN' AND block_hash = ?`,
		db.Micros(tx.Now),
		s.ID,
		s.BlockHash,
	)
}

// noteSignerRefused puts a send on HOLD that has a nonce but no signature. The nonce is free for a filler at once.
func noteSignerRefused(tx *db.Tx, s sendRow, reason string) error {
	n, err := tx.Exec(
		`UPDATE chain_sends
			SET state = 'HOLD', reason = ?, refused_nonce = nonce, nonce = -1, updated_at = ?
			WHERE id = ? AND state = 'NONCED' AND nonce = ?`,
		reason,
		db.Micros(tx.Now),
		s.ID,
		s.Nonce,
	)
	if err == nil && n != 1 {
		return db.ErrStale
	}

	return err
}

func noteHold(tx *db.Tx, id, reason string) {
	tx.Change(
		"UPDATE chain_sends SET state = 'HOLD', reason = ?, updated_at = ? WHERE id = ? AND state = 'SENT'",
		reason,
		db.Micros(tx.Now),
		id,
	)
}

// noteFinal moves a send to FINAL and stores its evidence. A send that was FINAL before is compared with what was
// posted.
func noteFinal(ctx context.Context, tx *db.Tx, row sendRow, s Sent) error {
	logs, err := json.Marshal(briefLogs(s.Logs))
	if err != nil {
		return fmt.Errorf("logs of %s: %w", s.Hash, err)
	}

	if row.Reopened {
		return noteFinalAgain(ctx, tx, row, s, string(logs))
	}

	tx.Insert(
		insertReceipt,
		row.ID,
		s.Network,
		s.Hash.Hex(),
		int64(s.Block),
		s.BlockHash.Hex(),
		s.OK,
		int64(s.GasUsed),
		s.GasPrice.String(),
		string(logs),
		db.Micros(tx.Now),
	)
	tx.Change(
		"UPDATE chain_sends SET state = 'FINAL', released = ?, updated_at = ? "+
			"WHERE id = ? AND state = 'SEEN' AND block_hash = ?",
		row.Released,
		db.Micros(tx.Now),
		row.ID,
		s.BlockHash.Hex(),
	)

	return nil
}

// noteFinalAgain ends a send whose first final block was replaced. If the outcome is the posted one, the evidence moves
// to the new block. Otherwise the send is put on HOLD: what was posted is not what happened.
func noteFinalAgain(ctx context.Context, tx *db.Tx, row sendRow, s Sent, logs string) error {
	type posted struct {
		ok   bool
		logs string
	}

	before, err := db.One(ctx, tx, func(p *posted) []any { return []any{&p.ok, &p.logs} },
		"SELECT ok, logs FROM chain_receipts WHERE send_id = ?", row.ID)
	if err != nil {
		return fmt.Errorf("read what was posted of %s: %w", row.Key, err)
	}

	state := StateFinal

	reason := ""
	if before.ok != s.OK || before.logs != logs {
		state = StateHold
		reason = fmt.Sprintf("final again in block %d with another outcome than was posted", s.Block)
	} else {
		tx.Change(
			`UPDATE chain_receipts
				SET tx_hash = ?, block = ?, block_hash = ?, gas_used = ?, gas_price = ?
				WHERE send_id = ?`,
			s.Hash.Hex(),
			int64(s.Block),
			s.BlockHash.Hex(),
			int64(s.GasUsed),
			s.GasPrice.String(),
			row.ID,
		)
	}

	tx.Change(
		`UPDATE chain_sends SET state = ?, reason = ?, reopened = ?, released = ?, updated_at = ?
			WHERE id = ? AND state = 'SEEN' AND block_hash = ?`,
		string(state),
		reason,
		state != StateFinal,
		row.Released,
		db.Micros(tx.Now),
		row.ID,
		s.BlockHash.Hex(),
	)

	return nil
}

func saveAttempt(tx *db.Tx, o outgoing) {
	tx.Insert(
		insertAttempt,
		o.row.ID,
		o.number,
		o.row.Nonce,
		o.hash.Hex(),
		o.raw,
		o.tip.String(),
		o.feeCap.String(),
		db.Micros(tx.Now),
	)
}

// briefLog is a log as the evidence stores it: what the receipt's root proves.
type briefLog struct {
	Address common.Address `json:"a"`
	Topics  []common.Hash  `json:"t"`
	Data    hexutil.Bytes  `json:"d"`
}

func briefLogs(logs []*types.Log) []briefLog {
	out := make([]briefLog, len(logs))
	for i, l := range logs {
		out[i] = briefLog{Address: l.Address, Topics: l.Topics, Data: l.Data}
	}

	return out
}

// number parses a stored amount of wei; the columns hold digits only.
func number(s string) *big.Int {
	n, ok := new(big.Int).SetString(s, 10)
	if !ok {
		return new(big.Int)
	}

	return n
}

// cost returns the most that a transaction can take from its signer.
func cost(gas uint64, feeCap, value *big.Int) *big.Int {
	c := new(big.Int).Mul(new(big.Int).SetUint64(gas), feeCap)
	return c.Add(c, value)
}
