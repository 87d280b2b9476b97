package chain

import (
	"context"
	"maps"
	"slices"

	"slipway/internal/platform/db"
)

// claimSends marks sends as being broadcast until a time, and returns the nonces of those that are the signer's still.
// Release changes the same rows: what it has taken is not claimed, and what was claimed before it waits for.
func claimSends(ctx context.Context, tx *db.Tx, signer string, ids []string, until int64) (map[string]int64, error) {
	type claimed struct {
		id    string
		nonce int64
	}

	var w db.Where
	w.And("signer = ? AND state IN ('SIGNED', 'SENT')", signer)
	db.In(&w, "id", ids)

	rows, err := db.Select(ctx, tx, func(c *claimed) []any { return []any{&c.id, &c.nonce} },
		"UPDATE chain_sends SET sending_until = ?"+w.SQL()+" RETURNING id, nonce", append([]any{until}, w.Args...)...)

	out := make(map[string]int64, len(rows))
	for _, c := range rows {
		out[c.id] = c.nonce
	}

	return out, err
}

// endClaims ends the claims of a signer's sends.
func endClaims(tx *db.Tx, network, signer string) error {
	_, err := tx.Exec(
		`UPDATE chain_sends SET sending_until = 0
			WHERE network = ? AND signer = ? AND state IN ('SIGNED', 'SENT') AND sending_until > 0`,
		network,
		signer,
	)

	return err
}

// noteBroadcast marks what was sent, with the nodes' answers, and moves sends that were only SIGNED. It ends the claim
// that lasts until the given time.
func noteBroadcast(tx *db.Tx, sent []outgoing, until int64) error {
	byOutcome := map[Outcome][]string{}

	var all, fresh []string
	for _, o := range sent {
		byOutcome[o.outcome] = append(byOutcome[o.outcome], o.hash.Hex())
		all = append(all, o.row.ID)

		if o.row.State == StateSigned {
			fresh = append(fresh, o.row.ID)
		}
	}

	for _, outcome := range slices.Sorted(maps.Keys(byOutcome)) {
		var w db.Where
		db.In(&w, "tx_hash", byOutcome[outcome])

		if _, err := tx.Exec(
			"UPDATE chain_attempts SET broadcasts = broadcasts + 1, outcome = ?"+w.SQL(),
			append([]any{string(outcome)}, w.Args...)...); err != nil {
			return err
		}
	}

	var over db.Where
	over.And("sending_until = ?", until)
	db.In(&over, "id", all)

	if _, err := tx.Exec("UPDATE chain_sends SET sending_until = 0"+over.SQL(), over.Args...); err != nil {
		return err
	}

	return noteSent(tx, sent[0].row.Signer, fresh)
}

// noteSent moves sends of a signer from SIGNED to SENT.
func noteSent(tx *db.Tx, signer string, fresh []string) error {
	if len(fresh) == 0 {
		return nil
	}

	var w db.Where
	w.And("state = 'SIGNED' AND signer = ?", signer)
	db.In(&w, "id", fresh)

	n, err := tx.Exec("UPDATE chain_sends SET state = 'SENT', updated_at = ?"+w.SQL(),
		append([]any{db.Micros(tx.Now)}, w.Args...)...)
	if err == nil && n != int64(len(fresh)) {
		return db.ErrStale
	}

	return err
}
