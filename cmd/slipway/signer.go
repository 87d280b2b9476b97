package main

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/platform/clock"
	"slipway/internal/rails/chain/signer"
	"slipway/internal/standards/eip55"
)

type signerCommand struct {
	keyFlags
	Socket     string            `required:"" help:"Unix socket to listen on: the service's chain.signer.remote_url. The folder's permissions decide who reaches it."`
	Journal    string            `required:"" help:"File that records everything signed. Limits and nonces follow from it: keep it."`
	Router     map[string]string `required:"" help:"Router of a chain, as 1=0x…. Repeat it for each chain."`
	Cap        map[string]string `help:"Limit on what all batches move of a token, as 1/0x…=HOUR/DAY in base units. A chain with one limit refuses its tokens without a limit."`
	MaxGas     uint64            `default:"16777216" help:"Limit of gas of one transaction."`
	MaxFeeGwei uint64            `default:"500" help:"Limit of the price of one unit of gas, in gwei."`
	PerHour    int               `default:"2000" help:"Limit of new transactions in an hour; 0: none."`
	PerDay     int               `default:"20000" help:"Limit of new transactions in a day; 0: none."`
}

// Run signs until it gets a signal.
func (c signerCommand) Run(ctx context.Context, g *globals) (err error) {
	policy, err := c.policy()
	if err != nil {
		return err
	}

	if _, err := g.load(); err != nil { // the way to the key service is the setting outgoing.proxy
		return err
	}

	key, release, err := c.open(ctx)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, release()) }()

	s, err := signer.Open(key, policy, c.Journal, clock.New())
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, s.Close()) }()

	log, err := openLog(g.out, "info", "json")
	if err != nil {
		return err
	}

	defer log.Close(logLimit)
	signal.Ignore(syscall.SIGHUP) // whatever rotates logs sends it to everybody

	return s.Serve(ctx, c.Socket, log.Logger)
}

// policy parses the flags. It returns all faults in one error.
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

		address, err2 := eip55.Read(router)
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

// capOf parses chain/token and hour/day.
func capOf(place, bound string) (out signer.Cap, err error) {
	id, token, _ := strings.Cut(place, "/")
	hour, day, _ := strings.Cut(bound, "/")

	var (
		ok1, ok2   bool
		err1, err2 error
	)
	out.ChainID, err1 = strconv.ParseUint(id, 10, 64)
	out.Token, err2 = eip55.Read(token)
	out.Hour, ok1 = new(big.Int).SetString(hour, 10)

	out.Day, ok2 = new(big.Int).SetString(day, 10)
	if !ok1 || !ok2 || out.Hour.Sign() < 0 || out.Day.Sign() < 0 {
		err = errors.New("HOUR/DAY are two whole numbers of base units")
	}

	return out, errors.Join(err1, err2, err)
}
