package main

import (
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"slipway/internal/rails/chain/contract"
	"slipway/internal/standards/eip55"
)

type routerCommand struct {
	Code codeCommand `cmd:"" help:"Print the data of the transaction that deploys a router. Any wallet can send it."`
}

type codeCommand struct {
	Owner    string `required:"" help:"Address that may change the operator and end a pause: a multi-signature wallet."`
	Operator string `required:"" help:"Address of chain.signer, which sends the batches."`
	Guardian string `required:"" help:"Address that may pause at once, besides the owner."`
	LegGas   uint64 `default:"300000" help:"Gas for the token call of one payment, 100,000 to 1,000,000. It cannot be changed later."`
}

// Run prints the creation code. The address of the deployed contract goes into the network's setting router.
func (c codeCommand) Run(g *globals) error {
	owner, err1 := eip55.Parse(c.Owner)
	operator, err2 := eip55.Parse(c.Operator)

	guardian, err3 := eip55.Parse(c.Guardian)
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}

	_, err := fmt.Fprintln(g.out, hexutil.Encode(contract.RouterCreationCode(owner, operator, guardian, c.LegGas)))

	return err
}
