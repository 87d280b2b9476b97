package main

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/app/setup"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
)

// deployment is how a router comes onto a chain.
type deployment struct {
	to   *common.Address // the factory; nil: there is none, and the chain chooses the address
	at   common.Address  // with a factory
	done bool            // it is there already
	data []byte
}

// planDeployment looks for a factory on the chain, and for the router where it would be.
func planDeployment(ctx context.Context, net *setup.Chain, code []byte) (deployment, error) {
	for _, factory := range []common.Address{contract.Factory, contract.SafeFactory} {
		there, err := net.HasCode(ctx, factory)
		if err != nil {
			return deployment{}, fmt.Errorf("look for the factory: %w", err)
		}

		if !there {
			continue
		}

		d := deployment{to: &factory, at: contract.DeployedAt(factory, code), data: contract.DeployCall(code)}
		d.done, err = net.HasCode(ctx, d.at)

		return d, err
	}

	return deployment{data: code}, nil
}

// print says what would happen.
func (d deployment) print(ctx context.Context, g *globals, net *setup.Chain, from common.Address) error {
	if d.done {
		_, err := fmt.Fprintf(g.out, "router %s is there already: its address is a hash of this code\n", d.at.Hex())
		return err
	}

	gas, price, err := net.Estimate(ctx, from, d.to, d.data)
	if err != nil {
		return err
	}

	where := "at an address of this chain's own: it has no factory"
	if d.to != nil {
		where = d.at.Hex() + ", by the factory " + d.to.Hex()
	}

	cost := new(big.Int).Mul(price, new(big.Int).SetUint64(gas))
	_, err = fmt.Fprintf(g.out, "router %s\nfrom   %s\ngas    %d, about %s wei now\nnothing was sent\n", where,
		from.Hex(), gas, cost)

	return err
}

// carryOut deploys the router unless it is there, and returns its address.
func (d deployment) carryOut(
	ctx context.Context,
	g *globals,
	net *setup.Chain,
	key chain.Signer,
) (common.Address, error) {
	if d.done {
		_, err := fmt.Fprintf(g.out, "router %s is there already: its address is a hash of this code\n", d.at.Hex())
		return d.at, err
	}

	receipt, err := net.Send(ctx, key, d.to, d.data)
	if err != nil {
		return common.Address{}, err
	}

	at := d.at
	if d.to == nil {
		at = receipt.ContractAddress
	}

	// the transaction may have succeeded without the contract: a factory tells nothing
	there, err := net.HasCode(ctx, at)
	if err != nil || !there {
		return at, fmt.Errorf("transaction %s is in block %s, and there is no router at %s (%w)", receipt.TxHash.Hex(),
			receipt.BlockNumber, at.Hex(), err)
	}

	_, err = fmt.Fprintf(g.out, "router %s, in block %s\n", at.Hex(), receipt.BlockNumber)

	return at, err
}
