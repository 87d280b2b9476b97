package setup

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"

	"slipway/internal/app"
	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/platform/config"
	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
)

// This file is what doctor says of keys and networks.

// keys looks at the sealing keys and at those that sign.
func (d *doctor) keys(ctx context.Context) {
	d.sealingKeys()

	d.signer = d.signingKey(ctx, "signing key", d.config.Chain.Signer)

	for _, f := range d.config.FurtherSigners {
		d.signingKey(ctx, "signing key "+f.ID, f.Signer())
	}
}

// sealingKeys looks at the keyring.
func (d *doctor) sealingKeys() {
	const part = "sealing keys"

	if d.config.PublicKeyring() {
		d.say(part, Watch, "the sandbox's own key seals, which is public", "set security.keyring before that matters")
		return
	}

	_, err := d.config.SealingKeys()
	d.check(part, "can be used", err, "put the keyring back: without it nothing that is sealed can be read")
}

// signingKey looks at a key that signs, or at the process that holds it, and returns its address; zero if it is not
// known.
func (d *doctor) signingKey(ctx context.Context, part string, s config.Signer) common.Address {
	switch s.Kind {
	case "keystore":
		key, err := chain.OpenKeystore(s.KeystoreFile, s.Password.Reveal())
		if err != nil {
			d.say(part, Wrong, err.Error(), "put the key file and its password back")
			return common.Address{}
		}

		d.say(part, Fine, key.Address().Hex(), "")

		return key.Address()

	case "remote":
		address := common.HexToAddress(s.Address)
		d.check(part, "another process signs for "+address.Hex(), reachable(ctx, s.RemoteURL),
			"start the signer process (slipway signer run), or correct remote_url")

		return address

	case "":
		d.say(part, Watch, "the sandbox's own key signs", "set chain.signer before a network is configured")
	default:
		d.say(part, Watch, "kind "+s.Kind, "use keystore or remote")
	}

	return common.Address{}
}

// networks looks at each node, and at the router through the first that answers.
func (d *doctor) networks(ctx context.Context) {
	for _, n := range d.config.Networks {
		part := "network " + n.ID
		urls := secret.RevealAll(n.RPCURLs)
		good := ""

		for i, address := range urls {
			name := fmt.Sprintf("%s, node %d", part, i+1)

			state, err := lookAtNode(ctx, address, n.ChainID)

			switch {
			case err != nil:
				d.say(name, Wrong, err.Error(), "look at the node, or replace it")
			case state.old():
				d.say(name, Watch, state.String(), "look whether the chain stands, or the node")
			case state.ahead():
				d.say(name, Watch, state.String(), "set the clock of this machine by NTP")
			default:
				d.say(name, Fine, state.String(), "")
			}

			if err == nil {
				d.limits(ctx, name+", limits", address, n.ChainID)
			}

			if err == nil && good == "" {
				good = address
			}
		}

		if len(urls) == 1 {
			d.say(part, Watch, "has one node", "add one of another provider: two must agree before a payment is final")
		}

		d.facts(ctx, good, n)

		if good != "" {
			said, err := d.router(ctx, good, n)
			d.check(part+", router", said, err, "correct network."+n.ID+".router, or deploy it: slipway router deploy")
			d.treasury(ctx, good, n)
		}
	}
}

// tokens reads which tokens the networks have. A database whose schema is older does not tell.
func (d *doctor) tokens(ctx context.Context, open *db.DB) {
	if d.said("schema") != Fine {
		return
	}

	for _, n := range d.config.Networks {
		if found, err := network.Tokens(ctx, open, app.NetworkID(n.ID)); err == nil {
			d.placed[n.ID] = found
		}
	}
}

// treasury looks at what the treasury has of each token, and whether the router may send it: without that, deliveries
// of on-ramps and refunds wait.
func (d *doctor) treasury(ctx context.Context, node string, n config.Network) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()

	c, err := ethclient.DialContext(ctx, node)
	if err != nil {
		return // the router's line says so
	}
	defer c.Close()

	treasury, router := common.HexToAddress(n.Treasury), common.HexToAddress(n.Router)

	for _, t := range d.placed[n.ID] {
		part := "network " + n.ID + ", treasury, " + t.Code
		at := common.HexToAddress(t.Address)

		amount := func(data []byte) (money.Amount, error) {
			answer, err := c.CallContract(ctx, ethereum.CallMsg{To: &at, Data: data}, nil)
			if err != nil {
				return money.Amount{}, err
			}

			units, err := chain.Word(answer)
			if err != nil {
				return money.Amount{}, err
			}

			return money.FromUnits(money.Asset{Code: t.Code, Decimals: t.Decimals}, units), nil
		}

		has, err := amount(contract.Token().PackBalanceOf(treasury))
		may, mayErr := amount(contract.Token().PackAllowance(treasury, router))

		switch {
		case errors.Join(err, mayErr) != nil:
			d.say(part, Wrong, "the node does not answer a call", "look at the node, or where the token is placed")
		case may.Sign() == 0:
			d.say(
				part,
				Watch,
				"it has "+has.String()+", and has not approved the router: deliveries and refunds wait",
				"have the treasury approve what you could bear to lose: slipway router approve "+n.ID+" "+t.Address+" AMOUNT",
			)
		case may.Cmp(has) < 0:
			d.say(part, Fine, "it has "+has.String()+", of which the router may send "+may.String(), "")
		default:
			d.say(part, Fine, "it has "+has.String()+", which the router may send", "")
		}
	}
}

// router asks the router whether everybody who signs for the network is an operator of it.
func (d *doctor) router(ctx context.Context, node string, n config.Network) (string, error) {
	if n.Router == "" {
		return "", errors.New("its address is not configured")
	}

	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()

	c, err := ethclient.DialContext(ctx, node)
	if err != nil {
		return "", errors.New("the node's address cannot be used") // without the cause: an address may hold a key
	}
	defer c.Close()

	at := common.HexToAddress(n.Router)
	binding := contract.NewSlipwayRouter()

	answer, err := c.CallContract(ctx, ethereum.CallMsg{To: &at, Data: binding.PackOperator()}, nil)
	if err != nil {
		return "", errors.New("the node does not answer a call")
	}

	operator, err := binding.UnpackOperator(answer)
	if err != nil {
		return "", fmt.Errorf("at %s is no router", n.Router)
	}

	for _, signs := range d.signersOn(n.ID) {
		answer, err := c.CallContract(ctx, ethereum.CallMsg{To: &at, Data: binding.PackIsOperator(signs)}, nil)
		if err != nil {
			return "", errors.New("the node does not answer a call")
		}

		switch may, err := binding.UnpackIsOperator(answer); {
		case err != nil:
			return "", fmt.Errorf("at %s is no router of this version", n.Router)
		case !may:
			return "", fmt.Errorf("its operator is %s, and %s signs", operator.Hex(), signs.Hex())
		}
	}

	answer, err = c.CallContract(ctx, ethereum.CallMsg{To: &at, Data: binding.PackLegGas()}, nil)
	if err != nil {
		return "", errors.New("the node does not answer a call")
	}

	switch legGas, err := binding.UnpackLegGas(answer); {
	case err != nil:
		return "", fmt.Errorf("at %s is no router of this version", n.Router)
	case legGas.Cmp(big.NewInt(network.NextForkLegGas)) < 0:
		return "", fmt.Errorf("a leg has %s gas; under the rules of %s a new holder takes up to %d", legGas,
			network.NextFork, network.NextForkLegGas)
	}

	return n.Router + ", its operator is " + operator.Hex(), nil
}

// signersOn returns the addresses that sign for a network, as far as the configuration tells them.
func (d *doctor) signersOn(network string) []common.Address {
	var out []common.Address
	if d.signer != (common.Address{}) {
		out = append(out, d.signer)
	}

	for _, f := range d.config.FurtherSigners {
		if f.On(network) && f.Address != "" {
			out = append(out, common.HexToAddress(f.Address))
		}
	}

	return out
}
