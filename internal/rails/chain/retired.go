package chain

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"slipway/internal/platform/db"
)

// A network's signer can be replaced: the operator's key is due, or stolen. What an earlier signer has sent is still
// observed and sent again to its end, by a lane of its own that takes no nonces and raises no fees. What it was only
// planned to send goes to its heir.

// maxRetired bounds the earlier signers of one network that are still looked after, the latest first.
const maxRetired = 16

// errReplaced is a signature that was asked of a signer which has none any more.
var errReplaced = errors.New("the signer was replaced")

// retired stands for a signer whose key is here no more.
type retired struct{ address common.Address }

// Address is whose transactions it signed.
func (r retired) Address() common.Address { return r.address }

// SignTx always fails.
func (r retired) SignTx(context.Context, *types.Transaction, *big.Int) (*types.Transaction, error) {
	return nil, errReplaced
}

// retiredLanes makes the lanes of a network's earlier signers.
func (r *Rail) retiredLanes(ctx context.Context, heir *lane) ([]*lane, error) {
	addresses, err := db.Select(ctx, r.db, func(s *string) []any { return []any{s} },
		"SELECT address FROM chain_signers WHERE network = ? AND address <> ? ORDER BY fence DESC, address LIMIT ?",
		heir.net.ID, heir.address, int64(maxRetired))
	if err != nil {
		return nil, fmt.Errorf("read earlier signers: %w", err)
	}

	var out []*lane
	for _, a := range addresses {
		n := heir.net
		n.Signer = retired{address: common.HexToAddress(a)}

		l, err := newLane(r, n)
		if err != nil {
			return nil, err
		}

		l.heir = heir.address
		out = append(out, l)
	}

	return out, nil
}

// handOver gives what was planned for an earlier signer to its heir, which takes nonces of its own for it. Nothing of
// it was signed.
func (l *lane) handOver(ctx context.Context, _ view) error {
	planned, err := l.inState(ctx, 1, StatePlanned)
	if err != nil || len(planned) == 0 {
		return err
	}

	l.r.log.Warn("planned sends go to the new signer", "network", l.net.ID, "from", l.address, "to", l.heir)

	return l.write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(
			"UPDATE chain_sends SET signer = ?, updated_at = ? WHERE network = ? AND signer = ? AND state = 'PLANNED'",
			l.heir,
			db.Micros(tx.Now),
			l.net.ID,
			l.address,
		)

		return err
	})
}
