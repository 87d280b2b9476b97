package chain

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"

	"slipway/internal/platform/db"
)

// Several signers can send on one network. Each has a lane: nonces, fees, gas money and stuck transactions of its own.
// A send is planned for one of them by its key, so that planning it twice names the same. What is planned for a signer
// that cannot take it moves to one that can: nothing of it was signed, so the other takes a nonce for it. What has a
// nonce stays where it is.

// maxSigners limits the signers of one network.
const maxSigners = 16

// furtherLanes returns the lanes of a network's signers besides the first.
func furtherLanes(r *Rail, n Network) ([]*lane, error) {
	if len(n.Further) >= maxSigners {
		return nil, fmt.Errorf("more than %d signers", maxSigners)
	}

	known := map[string]bool{n.Signer.Address().Hex(): true}

	var out []*lane

	for _, s := range n.Further {
		own := n
		own.Signer = s

		l, err := newLane(r, own)
		if err != nil {
			return nil, err
		}

		if known[l.address] {
			return nil, fmt.Errorf("the signer %s is named twice", l.address)
		}

		known[l.address] = true
		out = append(out, l)
	}

	return out, nil
}

// laneOf returns the lane that a send is planned for: of a network's signers the one that its key falls on.
func (r *Rail) laneOf(network, key string) (*lane, error) {
	lanes, err := r.present(network)
	if err != nil {
		return nil, err
	}

	h := fnv.New32a()
	_, _ = h.Write([]byte(key)) // never fails

	return lanes[h.Sum32()%uint32(len(lanes))], nil
}

// handOver moves what is planned for this signer, which cannot take it now, to the first other one of the network that
// nothing holds up. Without one it stays.
func (l *lane) handOver(ctx context.Context) error {
	lanes, err := l.r.present(l.net.ID)
	if err != nil {
		return err
	}

	for _, other := range lanes {
		if other.address == l.address {
			continue
		}

		row, err := db.One(ctx, l.r.db, (*signerRow).dest, readSigner, l.net.ID, other.address)
		if err != nil {
			return fmt.Errorf("read signer: %w", err)
		}

		if row.frozen != "" || row.note != "" || row.paused {
			continue
		}

		l.r.log.Warn("planned sends go to another signer", "network", l.net.ID, "from", l.address, "to", other.address)

		err = l.write(ctx, func(tx *db.Tx) error { return noteReassigned(tx, l.net.ID, l.address, other.address) })
		if err == nil {
			other.notify()
		}

		return err
	}

	return nil
}

// prepareOrHandOver prepares what is planned, and hands it over while something of this signer's own holds it up:
// frozen, out of gas money, or a key that does not sign.
func (l *lane) prepareOrHandOver(ctx context.Context, v view) (more bool, err error) {
	l.short = false
	more, err = l.prepare(ctx, v)

	if l.row.frozen == "" && l.waitsForSigner == "" && !l.short || errors.Is(err, errLeaseLost) {
		return more, err
	}

	planned, readErr := l.inState(ctx, 1, StatePlanned)
	if readErr != nil || len(planned) == 0 {
		return more, errors.Join(err, readErr)
	}

	return more, errors.Join(err, l.handOver(ctx))
}
