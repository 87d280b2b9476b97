package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"slipway/internal/app/setup"
	"slipway/internal/platform/config"
	"slipway/internal/rails/chain"
	"slipway/internal/standards/eip55"
)

// signerGroup is the signer process, and what is done about its key.
type signerGroup struct {
	Run    signerCommand `cmd:"" default:"withargs" help:"Run the signer: a process of its own that holds the operator's key and signs what its policy allows. slipway signer does the same."`
	Rotate rotateCommand `cmd:"" help:"Replace the operator's key at the routers, or say what would keep that from working: on every network, or on one."`
}

type rotateCommand struct {
	Address      string `arg:"" help:"Address of the new key."`
	Network      string `help:"Only this network, by its name in the configuration. Without it every one."`
	Old          string `help:"Address of the further key that it replaces. Without it chain.signer's, the router's first operator."`
	Keystore     string `type:"existingfile" help:"Encrypted key file of the routers' owner. Without it the calls are printed, for the owner's wallet to send."`
	PasswordFile string `type:"existingfile" help:"File whose first line is its password."`
	DryRun       bool   `help:"The drill: simulate the guardian's pause and the owner's calls, look at the new key's gas money and at what the old one has under way, and send nothing."`
}

// Run rotates, network by network. A network that has the new key already is left as it is, so a second run goes on
// where the first was broken off. It changes no configuration: which key signs is a setting of the service.
func (c rotateCommand) Run(ctx context.Context, g *globals) error {
	settings, err := g.load()
	if err != nil {
		return err
	}

	to, err := eip55.Read(c.Address)
	if err != nil {
		return fmt.Errorf("address: %w", err)
	}

	var old common.Address
	if c.Old != "" {
		if old, err = eip55.Read(c.Old); err != nil {
			return fmt.Errorf("--old: %w", err)
		}
	}

	owner, err := c.owner()
	if err != nil {
		return err
	}

	var faults []error

	found := false
	for _, n := range settings.Networks {
		if c.Network != "" && n.ID != c.Network {
			continue
		}

		found = true

		if err := c.one(ctx, g, settings, n.ID, setup.Rotation{Old: old, New: to, Owner: owner}); err != nil {
			faults = append(faults, fmt.Errorf("network.%s: %w", n.ID, err))
		}
	}

	if !found {
		faults = append(faults, fmt.Errorf("there is no network %s in the configuration", c.Network))
	}

	return errors.Join(faults...)
}

// owner opens the key of the routers' owner; nil without one.
func (c rotateCommand) owner() (chain.Signer, error) {
	if c.Keystore == "" {
		return nil, nil //nolint:nilnil // no key, and no error
	}

	password, err := firstLine(c.PasswordFile)
	if err != nil {
		return nil, err
	}

	key, err := chain.OpenKeystore(c.Keystore, password)
	if err != nil {
		return nil, err
	}

	return key, nil
}

// one rotates on one network.
func (c rotateCommand) one(ctx context.Context, g *globals, s *config.Config, network string, r setup.Rotation) error {
	net, err := setup.ChainOf(ctx, s, network)
	if err != nil {
		return err
	}
	defer net.Close()

	found, err := net.Drill(ctx, r)
	if err != nil {
		return err
	}

	wrong := 0

	for _, f := range found.Findings {
		_, _ = fmt.Fprintf(g.out, "%-4s  %s: %s\n", f.State, f.Part, f.Found)
		if f.Do != "" {
			_, _ = fmt.Fprintf(g.out, "      %s\n", f.Do)
		}

		if f.State == setup.Wrong {
			wrong++
		}
	}

	switch {
	case wrong > 0:
		return fmt.Errorf("%d things would keep the rotation from working", wrong)
	case c.DryRun:
		_, err = fmt.Fprintln(g.out, "nothing was sent")
		return err
	}

	return c.carryOut(ctx, g, net, r, found)
}

// carryOut sends the owner's calls, or prints them.
func (c rotateCommand) carryOut(
	ctx context.Context,
	g *globals,
	net *setup.Chain,
	r setup.Rotation,
	found setup.Drilled,
) error {
	for _, data := range found.Calls {
		if r.Owner == nil {
			_, err := fmt.Fprintf(
				g.out,
				"from %s\nto   %s\ndata %s\n",
				found.Owner.Hex(),
				found.Router.Hex(),
				hexutil.Encode(data),
			)
			if err != nil {
				return err
			}

			continue
		}

		receipt, err := net.Send(ctx, r.Owner, &found.Router, data)
		if err != nil {
			return err
		}

		if _, err := fmt.Fprintf(g.out, "sent %s\n", receipt.TxHash.Hex()); err != nil {
			return err
		}
	}

	if r.Owner == nil || len(found.Calls) == 0 {
		return nil
	}

	if err := net.Rotated(ctx, found.Router, r.New, found.Old); err != nil {
		return err
	}

	_, err := fmt.Fprintf(g.out, "%s is an operator and %s is none\n", r.New.Hex(), found.Old.Hex())

	return err
}
