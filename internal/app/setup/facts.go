package setup

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"

	"slipway/internal/directory/network"
	"slipway/internal/platform/config"
	"slipway/internal/rails/chain/contract"
)

// This file compares a configured network with what is known of its chain (network.FactsOf).

// known prints what is known of a chain that was named by its number, and refuses answers that contradict it.
func (s *setup) known(chainID uint64) error {
	f, ok := network.FactsOf(int64(chainID))
	if !ok {
		s.say("  chain %d is not one that Slipway knows: look up when its blocks are final", chainID)
		return nil
	}

	s.say("  %s: gas is paid in %s; a payment is final by the tag %q, since %s", f.Name, f.Coin, f.Finality.Tag,
		f.FinalityReason)

	if s.Answers.Finality > 0 {
		s.say("  the tag is surer than %d blocks: leave --finality out", s.Answers.Finality)
	}

	if s.Answers.Testnet && !f.Testnet {
		return fmt.Errorf("--testnet: the tokens of chain %d (%s) have worth", chainID, f.Name)
	}

	return nil
}

// facts looks at a network of a known chain: its rule of finality, and its tokens through a node that answers.
func (d *doctor) facts(ctx context.Context, node string, n config.Network) {
	f, ok := network.FactsOf(int64(n.ChainID))
	if !ok {
		return
	}

	part := "network " + n.ID + ", finality"

	switch want := f.Finality.Tag; {
	case n.FinalityTag == want:
		d.say(part, Fine, fmt.Sprintf("the tag %q, as %s has it", want, f.Name), "")
	case n.FinalityTag != "":
		d.say(part, Watch, fmt.Sprintf("the tag %q is weaker than %q, which %s has", n.FinalityTag, want, f.Name),
			"set network."+n.ID+".finality_tag to "+want)
	default:
		d.say(part, Watch, fmt.Sprintf("%d blocks, and %s has the tag %q: %s", n.FinalityDepth, f.Name, want,
			f.FinalityReason), "set network."+n.ID+".finality_tag to "+want+" and take finality_depth out")
	}

	if node == "" || len(f.Tokens) == 0 {
		return
	}

	said, err := tokensOn(ctx, node, f)
	d.check("network "+n.ID+", tokens", said, err, "look whether the node serves "+f.Name+", or replace it")
}

// tokensOn asks a node for the decimals of a chain's tokens, and fails where one has others than it is known to have.
func tokensOn(ctx context.Context, node string, f network.Facts) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()

	c, err := ethclient.DialContext(ctx, node)
	if err != nil {
		return "", errors.New("the node's address cannot be used") // without the cause: an address may hold a key
	}
	defer c.Close()

	said := ""

	for _, token := range f.Tokens {
		at := common.HexToAddress(token.Address)

		answer, err := c.CallContract(ctx, ethereum.CallMsg{To: &at, Data: contract.Token().PackDecimals()}, nil)
		if err != nil {
			return "", errors.New("the node does not answer a call")
		}

		decimals, err := contract.Token().UnpackDecimals(answer)

		switch {
		case err != nil:
			return "", fmt.Errorf("at %s is no token; on %s it is %s", token.Address, f.Name, token.Code)
		case int(decimals) != token.Decimals:
			return "", fmt.Errorf(
				"%s has %d decimals there, and %d on %s",
				token.Code,
				decimals,
				token.Decimals,
				f.Name,
			)
		}

		if said != "" {
			said += ", "
		}

		said += fmt.Sprintf("%s with %d decimals", token.Code, decimals)
	}

	return said, nil
}
