package chain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/platform/db"
)

var insertSigner = db.InsertInto("chain_signers", "network, address, chain_id").OrIgnore("(network, address)")

// signerRow is a row of chain_signers.
type signerRow struct {
	chainID    string
	next       int64
	owner      string
	fence      int64
	leaseUntil int64
	paused     bool
	frozen     string
	note       string
	finalBlock int64
	finalHash  string
	finalNonce int64 // of an earlier signer: its transactions at the final block that was read last; -1: none yet
	deposed    bool  // of an earlier signer: the router did not have it as an operator any more at that block
	pausedAt   int64 // when a person has paused it; 0: nobody has
}

func (s *signerRow) dest() []any {
	return []any{
		&s.chainID,
		&s.next,
		&s.owner,
		&s.fence,
		&s.leaseUntil,
		&s.paused,
		&s.frozen,
		&s.note,
		&s.finalBlock,
		&s.finalHash,
		&s.finalNonce,
		&s.deposed,
		&s.pausedAt,
	}
}

const readSigner = `SELECT chain_id, next_nonce, owner, fence, lease_until, paused, frozen, note, final_block,
	final_hash, final_nonce, deposed, paused_at FROM chain_signers WHERE network = ? AND address = ?`

// errLeaseLost means that a write was refused because another process now sends for the signer.
var errLeaseLost = errors.New("another process sends for this signer now")

// bindSigner inserts the signer's row, or forgets what was read while it counted as an earlier one. The chain id of a
// network never changes: the same signer and nonces would move other money.
func (r *Rail) bindSigner(ctx context.Context, network string, address common.Address, chainID *big.Int) error {
	err := r.db.Write(ctx, func(tx *db.Tx) error {
		tx.Insert(insertSigner, network, address.Hex(), chainID.String())

		_, err := tx.Exec(
			`UPDATE chain_signers SET final_nonce = -1, deposed = FALSE
				WHERE network = ? AND address = ? AND final_nonce >= 0`,
			network,
			address.Hex(),
		)

		return err
	})
	if err != nil {
		return fmt.Errorf("bind signer %s: %w", address, err)
	}

	other, err := db.Value[int64](
		ctx,
		r.db,
		"SELECT count(*) FROM chain_signers WHERE network = ? AND chain_id <> ?",
		network,
		chainID.String(),
	)
	if err != nil {
		return fmt.Errorf("bind signer %s: %w", address, err)
	}

	if other > 0 {
		return fmt.Errorf("%w: it was set up for another chain id before", ErrWrongChain)
	}

	return nil
}

// acquireLease makes this process the one that sends for the signer, and reads the signer's row. It returns false while
// another process holds the lease.
func (l *lane) acquireLease(ctx context.Context) (bool, error) {
	row, err := db.One(ctx, l.r.db, (*signerRow).dest, readSigner, l.net.ID, l.address)
	if err != nil {
		return false, fmt.Errorf("read signer: %w", err)
	}

	left := db.Time(row.leaseUntil).Sub(l.r.db.ServerNow())
	if left > l.r.leaseFor+db.ClockTolerance {
		left = 0 // longer than a lease lasts: it was taken before the clock was set back, and is no longer valid
	}

	mine := l.fence != 0 && row.owner == l.r.owner && row.fence == l.fence
	if mine && left > l.r.leaseFor/2 {
		l.row = row
		return true, nil
	}

	others := !mine && row.owner != "" && row.owner != l.r.owner && left > 0
	if others || !mine && l.r.mayTake != nil && !l.r.mayTake() {
		l.dropLease()
		return false, nil
	}

	fence := row.fence
	if !mine {
		fence++
	}

	err = l.r.db.Write(ctx, func(tx *db.Tx) error {
		until := db.Micros(l.r.db.ServerNow().Add(l.r.leaseFor))
		tx.Change(
			`UPDATE chain_signers SET owner = ?, fence = ?, lease_until = ?
				WHERE network = ? AND address = ? AND owner = ? AND fence = ?`,
			l.r.owner,
			fence,
			until,
			l.net.ID,
			l.address,
			row.owner,
			row.fence,
		)

		return nil
	})
	if errors.Is(err, db.ErrStale) {
		l.dropLease()
		return false, nil
	}

	if err != nil {
		return false, fmt.Errorf("take signer lease: %w", err)
	}

	row.owner = l.r.owner
	row.fence = fence

	l.row = row
	if !mine {
		l.reset(fence)
	}

	return true, nil
}

// write runs body under the lane's fence: if another process has taken the lease, nothing is written. It renews the
// lease.
func (l *lane) write(ctx context.Context, body func(tx *db.Tx) error) error {
	return l.fenced(ctx, "", nil, body)
}

// fenced is write with additional assignments to the signer's row.
func (l *lane) fenced(ctx context.Context, set string, setArgs []any, body func(tx *db.Tx) error) error {
	err := l.r.db.Write(ctx, func(tx *db.Tx) error {
		args := append([]any{db.Micros(l.r.db.ServerNow().Add(l.r.leaseFor))}, setArgs...)
		args = append(args, l.net.ID, l.address, l.r.owner, l.fence)

		n, err := tx.Exec(
			"UPDATE chain_signers SET lease_until = ?"+set+" WHERE network = ? AND address = ? AND owner = ? AND "+
				"fence = ?",
			args...)
		if err != nil {
			return err
		}

		if n != 1 {
			return errLeaseLost
		}

		return body(tx)
	})
	if errors.Is(err, errLeaseLost) {
		l.dropLease()
	}

	return err
}

// takeNonces raises the signer's next nonce, unless the signer was paused or frozen in the meantime.
func takeNonces(tx *db.Tx, network, address string, from, to int64) {
	tx.Change(
		`UPDATE chain_signers SET next_nonce = ? WHERE network = ? AND address = ? AND next_nonce = ? AND frozen = '' AND paused = FALSE`,
		to,
		network,
		address,
		from,
	)
}

// freeze stops new nonces and raised fees of the signer until a person thaws it. Signed sends are still observed and
// sent again. It does nothing if a person has thawed the signer since its row was read, and the nonce or final block
// that the reason rests on with it.
func (l *lane) freeze(ctx context.Context, reason string) error {
	if l.row.frozen != "" {
		return nil
	}

	var frozen bool

	err := l.write(ctx, func(tx *db.Tx) error {
		n, err := tx.Exec(
			`UPDATE chain_signers SET frozen = ?
				WHERE network = ? AND address = ? AND next_nonce = ? AND final_block = ?`,
			reason,
			l.net.ID,
			l.address,
			l.row.next,
			l.row.finalBlock,
		)
		frozen = n == 1

		return err
	})
	if err != nil || !frozen {
		return err
	}

	l.row.frozen = reason
	l.r.log.Error("signer frozen", "network", l.net.ID, "signer", l.address, "reason", reason)

	return nil
}

// storeNote stores why sends wait; "" if they do not. It writes only changes.
func (l *lane) storeNote(ctx context.Context) error {
	note := cmp.Or(l.waits, l.waitsForSigner)
	if l.stuck != "" {
		note = strings.TrimPrefix(note+"; "+l.stuck, "; ")
	}

	if l.row.note == note {
		return nil
	}

	if note != "" {
		l.r.log.Warn("sends wait", "network", l.net.ID, "signer", l.address, "reason", note)
	}

	err := l.fenced(ctx, ", note = ?", []any{note}, func(*db.Tx) error { return nil })
	if err == nil {
		l.row.note = note
	}

	return err
}

// notePower stores what an earlier signer may still do, if it is not what is stored.
func (l *lane) notePower(ctx context.Context, finalNonce int64, deposed bool) error {
	if l.row.finalNonce == finalNonce && l.row.deposed == deposed {
		return nil
	}

	set := []any{finalNonce, deposed}

	err := l.fenced(ctx, ", final_nonce = ?, deposed = ?", set, func(*db.Tx) error { return nil })
	if err == nil {
		l.row.finalNonce = finalNonce
		l.row.deposed = deposed
	}

	return err
}

// startFrom stores the first nonce of a signer that is new here.
func (l *lane) startFrom(ctx context.Context, nonce uint64) error {
	err := l.fenced(ctx, ", next_nonce = ?", []any{int64(nonce)}, func(*db.Tx) error { return nil })
	if err == nil {
		l.row.next = int64(nonce)
	}

	return err
}

// release gives up the lease at an orderly shutdown, so that another process need not wait for its end, nor a person
// for that of a broadcast.
func (l *lane) release(ctx context.Context) {
	if l.fence == 0 {
		return
	}

	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	_ = l.r.db.Write(ctx, func(tx *db.Tx) error {
		tx.Change(
			`UPDATE chain_signers SET owner = '', lease_until = 0
				WHERE network = ? AND address = ? AND owner = ? AND fence = ?`,
			l.net.ID,
			l.address,
			l.r.owner,
			l.fence,
		)

		return endClaims(tx, l.net.ID, l.address)
	})
	l.dropLease()
}

// Pause stops or resumes new nonces on a network. Sends with a nonce are still sent and observed. It works across
// processes and restarts. A second call with the same value changes nothing.
func (r *Rail) Pause(ctx context.Context, network string, paused bool) error {
	return r.PauseFor(ctx, network, paused, "", "")
}

// PauseFor is Pause by a person, for a reason. Both are kept until it is resumed.
func (r *Rail) PauseFor(ctx context.Context, network string, paused bool, person, reason string) error {
	return r.db.Write(ctx, func(tx *db.Tx) error {
		p := PauseNote{By: person, Reason: reason, At: tx.Now}
		if !paused {
			p = PauseNote{At: db.Time(0)}
		}

		n, err := tx.Exec(
			"UPDATE chain_signers SET paused = ?, pause_reason = ?, paused_by = ?, paused_at = ? WHERE network = ?",
			paused,
			p.Reason,
			p.By,
			db.Micros(p.At),
			network,
		)
		if err == nil && n == 0 {
			return fmt.Errorf("%w: %s", ErrUnknownNetwork, network)
		}

		return err
	})
}

// PauseNote is who has paused a network, why, and when.
type PauseNote struct {
	By, Reason string
	At         time.Time
}

// Pauses returns the notes of paused networks, by network.
func Pauses(ctx context.Context, q db.Querier) (map[string]PauseNote, error) {
	type row struct {
		network string
		note    PauseNote
		at      int64
	}

	rows, err := db.Select(ctx, q, func(r *row) []any { return []any{&r.network, &r.note.Reason, &r.note.By, &r.at} },
		"SELECT network, pause_reason, paused_by, paused_at FROM chain_signers WHERE paused")

	out := make(map[string]PauseNote, len(rows))
	for _, r := range rows {
		r.note.At = db.Time(r.at)
		out[r.network] = r.note
	}

	return out, err
}

// signersOf lists every signer that a network ever had.
func signersOf(ctx context.Context, q db.Querier, network string) ([]string, error) {
	return db.Select(ctx, q, func(s *string) []any { return []any{s} },
		"SELECT address FROM chain_signers WHERE network = ? ORDER BY address", network)
}

// earlierSigners lists the signers of a network except the present ones, the latest first.
func earlierSigners(ctx context.Context, q db.Querier, network string, present []*lane) ([]string, error) {
	var w db.Where
	w.And("network = ?", network)

	for _, l := range present {
		w.And("address <> ?", l.address)
	}

	return db.Select(ctx, q, func(s *string) []any { return []any{s} },
		"SELECT address FROM chain_signers"+w.SQL()+" ORDER BY fence DESC, address LIMIT ?",
		append(w.Args, int64(maxRetired))...)
}

// noteReassigned moves the planned sends of a signer to another one.
func noteReassigned(tx *db.Tx, network, from, to string) error {
	_, err := tx.Exec(
		"UPDATE chain_sends SET signer = ?, updated_at = ? WHERE network = ? AND signer = ? AND state = 'PLANNED'",
		to,
		db.Micros(tx.Now),
		network,
		from,
	)

	return err
}
