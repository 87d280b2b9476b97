package setup

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"slipway/internal/rails/chain"
)

const (
	// fewCalls is what one look at a node asks for. A node that takes fewer in one request costs several round trips.
	fewCalls = 6

	// fewBlocks is so little that nodes of fast chains make more blocks in the time of a few requests.
	fewBlocks = 1000
)

// limits asks a node for as much in one request as the service does, and says what it answers.
func (d *doctor) limits(ctx context.Context, part, node string, chainID uint64) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()

	bears, err := nodeLimits(ctx, node, chainID)
	if err != nil {
		d.say(part, Watch, err.Error(), "look at the plan of the node's provider, or replace the node")
		return
	}

	found := fmt.Sprintf("%d calls in one request, logs of %d blocks", bears.Calls, bears.Blocks)
	most := chain.Most()

	switch {
	case bears.Blocks < fewBlocks:
		d.say(part, Watch, found+": what wallets pay themselves may be found late",
			"choose a plan of the provider with more blocks of eth_getLogs, or replace the node")
	case bears.Calls < fewCalls:
		d.say(part, Watch, found+": more requests are needed", "choose a plan of the provider that takes batches")
	case bears == most:
		d.say(part, Fine, found+", which is all that is ever asked for", "")
	default:
		d.say(part, Fine, found, "")
	}
}

func nodeLimits(ctx context.Context, node string, chainID uint64) (chain.NodeLimits, error) {
	c, err := chain.NewClient(chain.ClientConfig{
		ChainID: new(big.Int).SetUint64(chainID),
		URLs:    []string{node},
	})
	if err != nil {
		return chain.NodeLimits{}, errors.New("the node's address cannot be used") // it may hold a key
	}
	defer c.Close()

	bears := c.Bears(ctx)[0]

	return bears, bears.Err
}
