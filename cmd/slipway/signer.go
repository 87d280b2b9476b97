package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"os"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/platform/clock"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/signer"
	"slipway/internal/standards/eip55"
)

type signerCommand struct {
	Keystore     string            `required:"" type:"existingfile" help:"Encrypted key file (Ethereum keystore, version 3)."`
	PasswordFile string            `required:"" type:"existingfile" help:"File whose first line is its password."`
	Socket       string            `required:"" help:"Unix socket to listen on; its folder decides who reaches it. The service's chain.signer.remote_url."`
	Journal      string            `required:"" help:"File in which everything signed is written down. Limits and nonces follow from it: keep it."`
	Router       map[string]string `required:"" help:"Router of a chain, as 1=0x…; once for each chain."`
	Cap          map[string]string `help:"Most that batches together may move of a token, as 1/0x…=HOUR/DAY in base units. With one, tokens of that chain without one are refused."`
	MaxGas       uint64            `default:"16777216" help:"Most gas of one transaction."`
	MaxFeeGwei   uint64            `default:"500" help:"Most that is offered for one unit of gas."`
	PerHour      int               `default:"2000" help:"Most new transactions in an hour; 0: no limit."`
	PerDay       int               `default:"20000" help:"Most new transactions in a day; 0: no limit."`
}

// Run signs until it is told to stop.
func (c signerCommand) Run(ctx context.Context, g *globals) (err error) {
	policy, err := c.policy()
	if err != nil {
		return err
	}

	password, err := os.ReadFile(c.PasswordFile)
	if err != nil {
		return err
	}

	key, err := chain.OpenKeystore(c.Keystore, strings.TrimRight(string(password), "\r\n"))
	if err != nil {
		return err
	}

	s, err := signer.Open(key, policy, c.Journal, clock.New())
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, s.Close()) }()

	return s.Serve(ctx, c.Socket, slog.New(slog.NewJSONHandler(g.out, nil)))
}

// policy reads the flags. Every fault is told at once.
func (c signerCommand) policy() (signer.Policy, error) {
	p := signer.Policy{
		Routers:         map[uint64]common.Address{},
		MaxGas:          c.MaxGas,
		MaxFeePerGasWei: new(big.Int).Mul(new(big.Int).SetUint64(c.MaxFeeGwei), big.NewInt(1_000_000_000)),
		PerHour:         c.PerHour,
		PerDay:          c.PerDay,
	}

	var faults []error
	for id, router := range c.Router {
		chainID, err1 := strconv.ParseUint(id, 10, 64)

		address, err2 := eip55.Parse(router)
		if err := errors.Join(err1, err2); err != nil {
			faults = append(faults, fmt.Errorf("--router %s=%s: %w", id, router, err))
		}

		p.Routers[chainID] = address
	}

	for place, bound := range c.Cap {
		one, err := capOf(place, bound)
		if err != nil {
			faults = append(faults, fmt.Errorf("--cap %s=%s: %w", place, bound, err))
		}

		p.Caps = append(p.Caps, one)
	}

	return p, errors.Join(faults...)
}

// capOf reads chain/token and hour/day.
func capOf(place, bound string) (out signer.Cap, err error) {
	id, token, _ := strings.Cut(place, "/")
	hour, day, _ := strings.Cut(bound, "/")

	var (
		ok1, ok2   bool
		err1, err2 error
	)
	out.ChainID, err1 = strconv.ParseUint(id, 10, 64)
	out.Token, err2 = eip55.Parse(token)
	out.Hour, ok1 = new(big.Int).SetString(hour, 10)

	out.Day, ok2 = new(big.Int).SetString(day, 10)
	if !ok1 || !ok2 || out.Hour.Sign() < 0 || out.Day.Sign() < 0 {
		err = errors.New("HOUR/DAY are two whole numbers of base units")
	}

	return out, errors.Join(err1, err2, err)
}
