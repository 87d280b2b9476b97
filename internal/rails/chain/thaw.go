package chain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/platform/db"
)

// maxReplaced limits the blocks that are searched for the beginning of a reorganisation.
const maxReplaced = 10_000

// Thaw resumes a frozen network after a person has found the cause. It asks the chain what happened to each send, and
// continues from there:
//
//   - The next nonce moves up to the chain's own count if that is higher.
//   - If blocks were replaced on which something was posted, their sends are searched again. Those that the chain lacks
//     are broadcast again with the same bytes. What was posted stays posted; a send with another outcome than the
//     posted one is put on HOLD.
//   - A send on HOLD whose nonce is free again, since the other transaction was undone, continues with its own bytes.
//
// No send gets another nonce: that is Release. A second call finds nothing to do. Thaw returns ErrBehind or
// ErrUnreachable if the nodes cannot answer yet; the network stays frozen then.
func (r *Rail) Thaw(ctx context.Context, network string) error {
	lanes, err := r.signers(network)
	if err != nil {
		return err
	}

	for _, l := range lanes {
		found, err := l.readForThaw(ctx)
		if err != nil {
			return fmt.Errorf("thaw %s: %w", network, err)
		}

		if err := r.db.Write(ctx, func(tx *db.Tx) error { return l.noteThawed(tx, found) }); err != nil {
			return fmt.Errorf("thaw %s: %w", network, err)
		}

		l.notify()
	}

	return nil
}

// thawed is what the chain shows when a network is resumed.
type thawed struct {
	mined    int64 // transactions of the signer that enough nodes count at least
	replaced bool  // the newest block on which something was posted was replaced
	block    int64 // if so, the newest one that was not replaced; -1: none
	hash     string
}

// readForThaw asks every node. Enough of them must agree.
func (l *lane) readForThaw(ctx context.Context) (thawed, error) {
	row, err := db.One(ctx, l.r.db, (*signerRow).dest, readSigner, l.net.ID, l.address)
	if err != nil {
		return thawed{}, fmt.Errorf("read signer: %w", err)
	}

	all, err := l.askEnough(ctx, []call{nonceCall(l.from, "latest")})
	if err != nil {
		return thawed{}, err
	}

	var counts []uint64
	for _, a := range all {
		n, err := a.answers[0].count()
		if err != nil {
			return thawed{}, err
		}

		counts = append(counts, n)
	}

	slices.Sort(counts) // counts only rise: enough nodes count at least this

	out := thawed{mined: int64(counts[len(counts)-l.client.enough()])}
	if row.finalBlock < 0 {
		return out, nil
	}

	there, err := l.inChain(ctx, []postedBlock{{row.finalBlock, row.finalHash}})
	if err != nil || there[0] {
		return out, err
	}

	out.replaced = true
	out.block, out.hash, err = l.newestUnreplaced(ctx, row.finalBlock)

	return out, err
}

// postedBlock is a block on which something was posted.
type postedBlock struct {
	number int64
	hash   string
}

// newestUnreplaced returns the newest block with something posted that was not replaced, below a height; -1 if there is
// none.
func (l *lane) newestUnreplaced(ctx context.Context, below int64) (number int64, hash string, err error) {
	for looked := 0; looked < maxReplaced; {
		blocks, err := l.postedBelow(ctx, below, maxCallsPerBatch)
		if err != nil {
			return 0, "", fmt.Errorf("read posted blocks: %w", err)
		}

		if len(blocks) == 0 {
			return -1, "", nil
		}

		there, err := l.inChain(ctx, blocks)
		if err != nil {
			return 0, "", err
		}

		for i, b := range blocks {
			if there[i] {
				return b.number, b.hash, nil
			}
		}

		looked += len(blocks)
		below = blocks[len(blocks)-1].number
	}

	return 0, "", fmt.Errorf("more than %d blocks were replaced", maxReplaced)
}

// inChain reports for each block whether it is in the chain. It fails if too few nodes agree, or have reached it.
func (l *lane) inChain(ctx context.Context, blocks []postedBlock) ([]bool, error) {
	calls := make([]call, len(blocks))
	for i, b := range blocks {
		calls[i] = blockCall(numberRef(uint64(b.number)))
	}

	all, err := l.askEnough(ctx, calls)
	if err != nil {
		return nil, err
	}

	out := make([]bool, len(blocks))
	for i, b := range blocks {
		var votes []vote[bool]

		for _, a := range all {
			got, ok, err := a.answers[i].block()
			if err == nil && ok {
				votes = append(votes, vote[bool]{by: a.by, value: got.Hash == common.HexToHash(b.hash)})
			}
		}

		agreed, _, ok := count(votes, l.client.enough())
		if !ok {
			return nil, fmt.Errorf(
				"%w: too few nodes agree on block %d, on which something was posted",
				ErrBehind,
				b.number,
			)
		}

		out[i] = agreed
	}

	return out, nil
}

// answered is the answer of one node.
type answered struct {
	by      *provider
	answers []answer
}

// askEnough asks all nodes the same, and fails if fewer answer than must agree.
func (l *lane) askEnough(ctx context.Context, calls []call) ([]answered, error) {
	all := make([]answered, len(l.client.providers))
	errs := make([]error, len(all))

	var wg sync.WaitGroup
	for i, p := range l.client.providers {
		wg.Go(func() {
			all[i].by = p
			all[i].answers, errs[i] = l.client.askOne(ctx, p, calls)
		})
	}

	wg.Wait()

	var out []answered
	for i := range all {
		if errs[i] == nil {
			out = append(out, all[i])
		}
	}

	if len(out) < l.client.enough() {
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, errors.Join(errs...))
	}

	return out, nil
}
