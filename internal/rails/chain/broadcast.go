package chain

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
)

// outgoing is one attempt to broadcast: the send and its signed bytes.
type outgoing struct {
	row         sendRow
	number      int64
	hash        common.Hash
	raw         []byte
	tip, feeCap *big.Int
	outcome     Outcome
}

// maxBroadcastBytes limits one broadcast request, so that nodes with a body limit of 5 MiB accept it. The bytes travel
// as hexadecimal digits.
const maxBroadcastBytes = 1 << 20

// broadcastFor limits one broadcast. Release waits for one that has begun.
const broadcastFor = 20 * time.Second

// broadcast sends stored bytes to all nodes and marks them SENT whatever the nodes answer: they may be on the network
// now. It leaves out what is not the signer's any more since it was read. The failpoint point lies between sending and
// marking.
func (l *lane) broadcast(ctx context.Context, v view, out []outgoing, point string) error {
	for len(out) > 0 {
		n := 0
		size := 0

		for n < len(out) && n < maxCallsPerBatch && (n == 0 || size+len(out[n].raw) <= maxBroadcastBytes) {
			size += len(out[n].raw)
			n++
		}

		if err := l.broadcastPart(ctx, v, out[:n], point); err != nil {
			return err
		}

		out = out[n:]
	}

	return nil
}

func (l *lane) broadcastPart(ctx context.Context, v view, out []outgoing, point string) error {
	// The claim must not end before the broadcast does, so the time for both begins here.
	sending, cancel := context.WithTimeout(ctx, broadcastFor)
	defer cancel()

	out, until, err := l.claim(ctx, out)
	if err != nil || len(out) == 0 {
		return err
	}

	raws := make([][]byte, len(out))
	for i, o := range out {
		raws[i] = o.raw
	}

	results := l.client.SendRaw(sending, raws, func() { failpoint.Hit("chain.mid_broadcast") })

	if point != "" {
		failpoint.Hit(point)
	}

	foreign := ""

	for i := range out {
		out[i].outcome = bestOutcome(results, i)
		if out[i].outcome == Underpriced {
			foreign = fmt.Sprintf(
				"nonce %d of %s: a node holds another transaction with it",
				out[i].row.Nonce,
				out[i].row.Key,
			)
		}
	}

	if err := l.write(ctx, func(tx *db.Tx) error { return noteBroadcast(tx, out, until) }); err != nil {
		return fmt.Errorf("mark as sent: %w", err)
	}

	now := l.r.db.Now()

	for _, o := range out {
		l.sentAt[o.row.ID] = now
		if _, ok := l.sentOn[o.row.ID]; !ok && v.primary != nil {
			l.sentOn[o.row.ID] = v.head.Number
		}
	}

	l.counts.broadcasts.Add(int64(len(out)))

	if foreign != "" {
		return l.freeze(ctx, foreign)
	}

	return nil
}

// claim marks sends as being broadcast, and returns those that are still to be: a person may have had one sent anew
// since it was read.
func (l *lane) claim(ctx context.Context, out []outgoing) (left []outgoing, until int64, err error) {
	ids := make([]string, len(out))
	for i, o := range out {
		ids[i] = o.row.ID
	}

	err = l.write(ctx, func(tx *db.Tx) error {
		until = db.Micros(l.r.db.ServerNow().Add(broadcastFor))

		nonces, err := claimSends(ctx, tx, l.address, ids, until)
		if err != nil {
			return err
		}

		left = slices.DeleteFunc(slices.Clone(out), func(o outgoing) bool {
			nonce, ok := nonces[o.row.ID]
			return !ok || nonce != o.row.Nonce
		})

		return nil
	})
	if err != nil {
		return nil, 0, fmt.Errorf("claim what is to be sent: %w", err)
	}

	return left, until, nil
}

// bestOutcome returns the best answer of any node for an attempt, except that one node with a competing transaction
// outweighs all.
func bestOutcome(results []SentResult, i int) Outcome {
	best := Unknown

	for _, r := range results {
		switch o := r.Outcomes[i]; {
		case o == Underpriced:
			return Underpriced
		case o == Accepted, o == KnownAlready && best != Accepted, best == Unknown:
			best = o
		}
	}

	return best
}
