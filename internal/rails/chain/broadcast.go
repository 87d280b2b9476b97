package chain

import (
	"context"
	"fmt"
	"math/big"

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

// broadcast sends stored bytes to all nodes and marks them SENT whatever the nodes answer: they may be on the network
// now. The failpoint point lies between sending and marking.
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
	raws := make([][]byte, len(out))
	for i, o := range out {
		raws[i] = o.raw
	}

	results := l.client.SendRaw(ctx, raws, func() { failpoint.Hit("chain.mid_broadcast") })

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

	if err := l.write(ctx, func(tx *db.Tx) error { return noteBroadcast(tx, out) }); err != nil {
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
