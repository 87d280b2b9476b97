package chain

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"slipway/internal/platform/db"
	"slipway/internal/rails/chain/contract"
)

// A network's signer can be replaced: its key has expired or was stolen. What an earlier signer has sent is still
// observed and sent again until it is final, by its own lane that takes no nonces and raises no fees. What was only
// planned for it moves to its successor. What it has left in no block goes to its successor when a person says so
// (Release) and the chain says that the earlier one can move nothing more.

// maxRetired limits the earlier signers of one network that have a lane, the latest first.
const maxRetired = 16

// errReplaced means that a signature was requested from a replaced signer.
var errReplaced = errors.New("the signer was replaced")

// retired is a signer whose key is no longer available.
type retired struct{ address common.Address }

// Address returns the address of the signer.
func (r retired) Address() common.Address { return r.address }

// SignTx always fails.
func (r retired) SignTx(context.Context, *types.Transaction, *big.Int) (*types.Transaction, error) {
	return nil, errReplaced
}

// retiredLanes returns the lanes of a network's earlier signers. Their successor is the first of the present ones.
func (r *Rail) retiredLanes(ctx context.Context, present []*lane) ([]*lane, error) {
	successor := present[0]

	addresses, err := earlierSigners(ctx, r.db, successor.net.ID, present)
	if err != nil {
		return nil, fmt.Errorf("read earlier signers: %w", err)
	}

	var out []*lane
	for _, a := range addresses {
		n := successor.net
		n.Signer = retired{address: common.HexToAddress(a)}

		l, err := newLane(r, n)
		if err != nil {
			return nil, err
		}

		l.successor = successor.address
		out = append(out, l)
	}

	return out, nil
}

// readPower reads, at the newest final block, how many transactions an earlier signer has made, and whether the router
// still has it as an operator. Release rests on that. Of a present signer it reads nothing.
func (l *lane) readPower(ctx context.Context, v view) error {
	known := l.row.finalNonce >= 0 && v.final == l.powerAt
	if l.successor == "" || v.behind || !v.hasFin || known {
		return nil
	}

	var nodes []*provider

	for _, n := range v.nodes {
		if !n.behind && n.v.hasFin && n.v.final >= v.final {
			nodes = append(nodes, n.p)
		}
	}

	router := CallMsg{To: l.net.Router, Data: contract.Router().PackIsOperator(l.from)}
	routed := l.net.Router != (common.Address{})

	_, answers, err := l.client.agreeOnBlock(ctx, nodes, v.final, func(ref string) []call {
		calls := []call{nonceCall(l.from, ref)}
		if routed {
			calls = append(calls, call{"eth_call", []any{router.wire(), ref}})
		}

		return calls
	})
	if err != nil {
		return fmt.Errorf("read what the earlier signer %s may still do: %w", l.address, err)
	}

	count, err := answers[0].count()
	if err != nil {
		return fmt.Errorf("count the transactions of the earlier signer %s: %w", l.address, err)
	}

	may := true

	if routed {
		if may, err = answers[1].operator(); err != nil {
			return fmt.Errorf("ask the router whether %s is an operator: %w", l.address, err)
		}
	}

	if err := l.notePower(ctx, int64(count), !may); err != nil {
		return err
	}

	l.powerAt = v.final

	return nil
}

// operator decodes the router's answer whether an address is an operator.
func (a answer) operator() (bool, error) {
	var out hexutil.Bytes
	if err := a.into(&out); err != nil {
		return false, err
	}

	return contract.Router().UnpackIsOperator(out)
}

// reassignPlanned moves what was planned for an earlier signer to its successor, which takes new nonces for it. Nothing
// of it was signed.
func (l *lane) reassignPlanned(ctx context.Context, _ view) error {
	planned, err := l.inState(ctx, 1, StatePlanned)
	if err != nil || len(planned) == 0 {
		return err
	}

	l.r.log.Warn("planned sends go to the new signer", "network", l.net.ID, "from", l.address, "to", l.successor)

	return l.write(ctx, func(tx *db.Tx) error { return noteReassigned(tx, l.net.ID, l.address, l.successor) })
}
