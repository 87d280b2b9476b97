package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/directory/network"
	"slipway/internal/directory/wallet"
	"slipway/internal/platform/db"
	"slipway/internal/platform/observe"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
)

const (
	startTimeout = 20 * time.Second // of the checks before the service is ready; a slower network is checked later
	checkAgain   = 10 * time.Second // between two checks of a network that is not sound
)

// setUpNetworks writes the deployment's chains into the directory, adds them to the rail, and checks all of them at
// the same time. A network that is not sound, for whatever reason, stops neither the start nor the others: it waits,
// and is checked again whenever something asks for it.
func (a *App) setUpNetworks(ctx context.Context) error {
	for _, n := range a.outside.Networks {
		if err := a.storeNetwork(ctx, n); err != nil {
			return fmt.Errorf("store network %s: %w", n.Record.ID, err)
		}

		rail := n.Rail
		rail.Signer = a.outside.Signer

		if err := a.Rail.AddNetwork(ctx, rail); err != nil {
			return err
		}
	}

	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()

	var wg sync.WaitGroup
	for _, n := range a.outside.Networks {
		wg.Go(func() {
			if err := a.ensureSound(ctx, n.Record.ID); err != nil {
				a.Log.Error("a network is not sound; it waits and is checked again",
					"network", n.Record.ID, "error", err)
			}
		})
	}

	wg.Wait()

	return nil
}

// storeNetwork writes a network and its tokens into the directory. It refuses a treasury that is a stored wallet.
func (a *App) storeNetwork(ctx context.Context, n Network) error {
	return a.DB.Write(ctx, func(tx *db.Tx) error {
		stored, err := wallet.Stored(ctx, tx, n.Record.WalletAddress)
		if err != nil {
			return err
		}

		if stored {
			return fmt.Errorf("the treasury %s is the stored wallet of an organisation", n.Record.WalletAddress)
		}

		if err := network.Upsert(ctx, tx, n.Record); err != nil {
			return err
		}

		have, err := network.Tokens(ctx, tx, n.Record.ID)
		if err != nil {
			return err
		}

		for _, t := range n.Tokens {
			if slices.ContainsFunc(have, t.Same) {
				continue
			}

			if err := network.SetToken(tx, n.Record.ID, t); err != nil {
				return err
			}
		}

		return nil
	})
}

// ensureSound checks a network, with each call until the check has succeeded once in this process. Nothing is
// submitted, planned or accepted on a network that was not checked, or of which a token was found to differ since.
func (a *App) ensureSound(ctx context.Context, networkID string) error {
	if err := a.tokensHold(ctx, networkID); err != nil {
		return err
	}

	if _, done := a.checked.Load(networkID); done {
		return nil
	}

	for _, n := range a.outside.Networks {
		if n.Record.ID != networkID {
			continue
		}

		if err := a.sound(ctx, n); err != nil {
			return fmt.Errorf("network %s: %w", networkID, err)
		}

		if _, known := a.checked.Swap(networkID, true); !known {
			a.Log.Info("network is sound", "network", networkID)
		}
	}

	return nil
}

// sound compares a network's configuration with the chain: the router is a contract, every token is what the directory
// says (E-08: an amount in the wrong unit is a thousandfold payment), and the treasury can pay.
func (a *App) sound(ctx context.Context, n Network) error {
	c, err := a.Rail.Client(n.Record.ID)
	if err != nil {
		return err
	}

	code, err := c.CodeAt(ctx, common.HexToAddress(n.Record.Router()))
	if err != nil {
		return fmt.Errorf("code of the router: %w", err)
	}

	if len(code) == 0 {
		return fmt.Errorf("there is no contract at the router's address %s", n.Record.Router())
	}

	if err := a.operatorsMaySend(ctx, n, c); err != nil {
		return err
	}

	if err := a.tokensAgree(ctx, n); err != nil {
		return err
	}

	if err := a.learnPermits(ctx, n, c); err != nil {
		return err
	}

	return a.treasuryReady(ctx, n, c)
}

// learnPermits asks every token of a network how it takes signatures in place of approvals, and keeps the answer in the
// directory. It asks at every start, because a token's contract can be upgraded.
func (a *App) learnPermits(ctx context.Context, n Network, c *chain.Client) error {
	tokens, err := network.Tokens(ctx, a.DB, n.Record.ID)
	if err != nil {
		return err
	}

	var found []network.Permits

	for _, t := range tokens {
		if t.Address == "" {
			continue
		}

		p, err := c.TokenPermits(ctx, common.HexToAddress(t.Address), common.HexToAddress(n.Record.Router()))
		if err != nil {
			return fmt.Errorf("permits of %s at %s: %w", t.Code, t.Address, err)
		}

		found = append(found, network.Permits{
			Token:   t.Code,
			Address: t.Address,
			Name:    p.Domain.Name,
			Version: p.Domain.Version,
			Manners: mannerNames(p.Manners),
			Wallets: mannerNames(p.Wallets),
		})
	}

	return a.DB.Write(ctx, func(tx *db.Tx) error {
		for _, p := range found {
			if err := network.SetPermits(tx, n.Record.ID, p); err != nil {
				return err
			}
		}

		return nil
	})
}

func mannerNames(manners []contract.Manner) []string {
	out := make([]string, len(manners))
	for i, m := range manners {
		out[i] = string(m)
	}

	return out
}

// operatorsMaySend returns an error unless the router takes batches from every key that sends on the network.
func (a *App) operatorsMaySend(ctx context.Context, n Network, c *chain.Client) error {
	if a.outside.Signer == nil {
		return nil
	}

	at := common.HexToAddress(n.Record.Router())

	for _, operator := range n.operators(a.outside.Signer) {
		answer, err := c.Call(ctx, chain.CallMsg{To: at, Data: contract.Router().PackIsOperator(operator)})
		if err != nil {
			return fmt.Errorf("operators of the router: %w", err)
		}

		may, err := contract.Router().UnpackIsOperator(answer)
		if err != nil {
			return fmt.Errorf("the contract at the router's address %s is no router of this version", at)
		}

		if !may {
			return fmt.Errorf("%s is no operator of the router %s", operator, at)
		}
	}

	return nil
}

// tokensAgree compares every token of the directory with its contract.
func (a *App) tokensAgree(ctx context.Context, n Network) error {
	tokens, err := network.Tokens(ctx, a.DB, n.Record.ID)
	if err != nil {
		return err
	}

	for _, t := range tokens {
		if t.Address == "" {
			continue
		}

		c, err := a.tokenContract(ctx, n.Record, t.Address)
		if err != nil {
			return fmt.Errorf("%s at %s: %w", t.Code, t.Address, err)
		}

		if why := t.Differs(c); why != "" {
			return errors.New(why)
		}
	}

	return nil
}

// treasuryReady returns an error unless the network's treasury has approved the router to move every token: refunds and
// deliveries would wait for ever. Without accounts at banks there are none.
func (a *App) treasuryReady(ctx context.Context, n Network, c *chain.Client) error {
	if a.Bank == nil {
		return nil
	}

	if n.Record.WalletAddress == "" {
		return errors.New("it has no treasury: set network.treasury")
	}

	for _, t := range n.Tokens {
		_, allowance, err := c.Balances(
			ctx,
			common.HexToAddress(t.Address),
			common.HexToAddress(n.Record.WalletAddress),
			common.HexToAddress(n.Record.Router()),
		)
		if err != nil {
			return fmt.Errorf("allowance of the treasury: %w", err)
		}

		if allowance.Sign() == 0 {
			const missing = "the treasury %s has not approved the router to move its %s"
			return fmt.Errorf(missing, n.Record.WalletAddress, t.Code)
		}
	}

	return nil
}

// readiness returns the checks of /readyz: the database reads and writes, each network is sound and its nodes answer,
// and there are rates. The process is ready while at least one network is. Without rates it carries out CRYPTO.
func (a *App) readiness() *observe.Readiness {
	checks := []observe.Check{{Name: "database", Probe: a.databaseServes}}
	for _, n := range a.outside.Networks {
		checks = append(checks, observe.Check{
			Name:  "network " + n.Record.ID,
			Group: "networks",
			Probe: func(ctx context.Context) error { return a.networkServes(ctx, n.Record.ID) },
		})
	}

	if a.rates != nil {
		checks = append(checks, observe.Check{Name: "rates", Optional: true, Probe: a.ratesUsable})
	}

	return observe.NewReadiness(a.Log, checks...)
}

// networkServes returns why nothing can be submitted on a network now, or nil.
func (a *App) networkServes(ctx context.Context, networkID string) error {
	if err := a.ensureSound(ctx, networkID); err != nil {
		return err
	}

	c, err := a.Rail.Client(networkID)
	if err != nil {
		return err
	}

	_, err = c.BlockNumber(ctx)

	return err
}

// awaitNetworks checks the networks that were not sound at the start, until all are. Submit, settlement and /readyz
// check them too; this is for a process that gets no requests.
func (a *App) awaitNetworks(ctx context.Context) error {
	tick := time.NewTicker(checkAgain)
	defer tick.Stop()

	for {
		sound := 0
		for _, n := range a.outside.Networks {
			if a.ensureSound(ctx, n.Record.ID) == nil {
				sound++
			}
		}

		if sound == len(a.outside.Networks) {
			return nil
		}

		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}
