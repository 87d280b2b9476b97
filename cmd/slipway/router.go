package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"slipway/internal/app/setup"
	"slipway/internal/core/money"
	"slipway/internal/platform/config"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
	"slipway/internal/standards/eip55"
)

type routerCommand struct {
	Code    codeCommand          `cmd:"" help:"Print the data of the transaction that deploys a router. Any wallet can send it."`
	Deploy  deployCommand        `cmd:"" help:"Deploy a router by the operator's key, and write its address into the configuration file."`
	Approve routerApproveCommand `cmd:"" help:"Let the router of a network send tokens of the treasury: refunds and deliveries."`
}

type codeCommand struct {
	Owner    string `required:"" help:"Address that may change the operator and end a pause: a multi-signature wallet."`
	Operator string `required:"" help:"Address of chain.signer, which sends the batches."`
	Guardian string `required:"" help:"Address that may pause at once, besides the owner."`
	LegGas   uint64 `default:"300000" help:"Gas for the token call of one payment, 100,000 to 1,000,000. It cannot be changed later."`
}

// Run prints the creation code. The address of the deployed contract goes into the network's setting router.
func (c codeCommand) Run(g *globals) error {
	code, err := creationCode(c.Owner, c.Operator, c.Guardian, c.LegGas)
	if err != nil {
		return err
	}

	_, err = fmt.Fprintln(g.out, hexutil.Encode(code))

	return err
}

// creationCode returns the data that deploys a router. It returns all faults in one error.
func creationCode(owner, operator, guardian string, legGas uint64) ([]byte, error) {
	o, err1 := eip55.Read(owner)
	p, err2 := eip55.Read(operator)
	w, err3 := eip55.Read(guardian)

	return contract.RouterCreationCode(o, p, w, legGas), errors.Join(err1, err2, err3)
}

type deployCommand struct {
	Network  string `arg:"" help:"Name of the network in the configuration."`
	Owner    string `required:"" help:"Address that may change the operator and end a pause: a multi-signature wallet."`
	Guardian string `required:"" help:"Address that may pause at once, besides the owner."`
	LegGas   uint64 `default:"300000" help:"Gas for the token call of one payment, 100,000 to 1,000,000. It cannot be changed later."`
	DryRun   bool   `help:"Say where the router would be and what it would cost, and send nothing."`
}

// Run deploys the router. It refuses a network that has one. Where there is a factory the address follows from the code
// and the three addresses, so it is the same on every chain, and a second run finds what the first has deployed.
func (c deployCommand) Run(ctx context.Context, g *globals) error {
	settings, err := g.load()
	if err != nil {
		return err
	}

	signer := settings.Chain.Signer
	if signer.Kind != "keystore" {
		return errors.New("chain.signer is no keystore: send the data of slipway router code by a wallet of yours")
	}

	net, err := setup.ChainOf(ctx, settings, c.Network)
	if err != nil {
		return err
	}
	defer net.Close()

	if at := net.Network().Router; at != "" {
		return fmt.Errorf("network.%s has a router at %s", c.Network, at)
	}

	key, err := chain.OpenKeystore(signer.KeystoreFile, signer.Password.Reveal())
	if err != nil {
		return err
	}

	code, err := creationCode(c.Owner, key.Address().Hex(), c.Guardian, c.LegGas)
	if err != nil {
		return err
	}

	plan, err := planDeployment(ctx, net, code)
	if err != nil {
		return err
	}

	if c.DryRun {
		return plan.print(ctx, g, net, key.Address())
	}

	at, err := plan.carryOut(ctx, g, net, key)
	if err != nil {
		return err
	}

	if g.ConfigFile == "" {
		_, err = fmt.Fprintf(g.out, "set network.%s.router to it\n", c.Network)
		return err
	}

	if err := setup.WriteRouter(g.ConfigFile, c.Network, at); err != nil {
		return fmt.Errorf("the router is deployed and not written down: %w", err)
	}

	_, err = fmt.Fprintf(g.out, "written into %s\n", g.ConfigFile)

	return err
}

type routerApproveCommand struct {
	Network      string `arg:"" help:"Name of the network in the configuration."`
	Token        string `arg:"" help:"Address of the token's contract."`
	Amount       string `arg:"" help:"How much the router may move in all until the next approval, in whole tokens: 250000 or 0.5. 0 takes the approval away."`
	Keystore     string `type:"existingfile" help:"Encrypted key file of the treasury. Without it the call is printed, for a wallet to send."`
	PasswordFile string `type:"existingfile" help:"File whose first line is its password."`
}

// Run sends the approval, or prints it. It is a bounded one: should the operator's key be stolen, the treasury loses
// this sum at most. When it is used up, what the treasury sends waits for the next approval.
func (c routerApproveCommand) Run(ctx context.Context, g *globals) error {
	settings, err := g.load()
	if err != nil {
		return err
	}

	token, err := eip55.Read(c.Token)
	if err != nil {
		return fmt.Errorf("token: %w", err)
	}

	net, err := setup.ChainOf(ctx, settings, c.Network)
	if err != nil {
		return err
	}
	defer net.Close()

	n := net.Network()
	if n.Router == "" || n.Treasury == "" {
		return fmt.Errorf("network.%s needs router and treasury first", n.ID)
	}

	decimals, err := net.Decimals(ctx, token)
	if err != nil {
		return err
	}

	amount, err := money.ParseOrZero(money.Asset{Decimals: decimals}, c.Amount)
	if err != nil {
		return fmt.Errorf("amount: %w", err)
	}

	data := contract.Token().PackApprove(common.HexToAddress(n.Router), amount.Units())

	if c.Keystore == "" {
		_, err = fmt.Fprintf(g.out, "from %s\nto   %s\ndata %s\n", n.Treasury, token.Hex(), hexutil.Encode(data))
		return err
	}

	key, err := c.key(n)
	if err != nil {
		return err
	}

	receipt, err := net.Send(ctx, key, &token, data)
	if err != nil {
		return err
	}

	_, err = fmt.Fprintf(
		g.out,
		"the treasury has approved the router to move %s of %s, in block %s\n",
		c.Amount,
		token.Hex(),
		receipt.BlockNumber,
	)

	return err
}

// key opens the treasury's key.
func (c routerApproveCommand) key(n config.Network) (*chain.KeySigner, error) {
	password, err := os.ReadFile(c.PasswordFile)
	if err != nil {
		return nil, fmt.Errorf("--password-file: %w", err)
	}

	key, err := chain.OpenKeystore(c.Keystore, strings.TrimRight(string(password), "\r\n"))
	if err != nil {
		return nil, err
	}

	if key.Address() != common.HexToAddress(n.Treasury) {
		return nil, fmt.Errorf("the key is of %s, not of the treasury %s", key.Address().Hex(), n.Treasury)
	}

	return key, nil
}
