package app

import (
	"context"
	"fmt"
	"math/big"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/directory/network"
	"slipway/internal/directory/wallet"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/settlement"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/observe"
	"slipway/internal/rails/chain"
)

// startTimeout bounds what is asked of nodes before the service is ready: a network that takes longer is checked later.
const startTimeout = 20 * time.Second

// checkAgain is the time between two checks of a network that is not sound.
const checkAgain = 10 * time.Second

// networks writes the deployment's chains into the directory, sets up the rail and checks all of them at the same time.
// One that is not sound, for whatever reason, does not stop the start or the others: it waits, and is checked again
// whenever something asks for it.
func (a *App) networks(ctx context.Context) error {
	for _, n := range a.outside.Networks {
		err := a.DB.Write(ctx, func(tx *db.Tx) error {
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

			for _, t := range n.Tokens {
				if err := network.SetToken(tx, n.Record.ID, t); err != nil {
					return err
				}
			}

			return nil
		})
		if err != nil {
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
				a.Log.Error(
					"a network is not sound; it waits and is checked again",
					"network",
					n.Record.ID,
					"error",
					err,
				)
			}
		})
	}

	wg.Wait()

	return nil
}

// ensureSound checks a network once in the life of this process, and until that has succeeded with each call. Nothing
// is submitted, planned or accepted on a network that was not checked.
func (a *App) ensureSound(ctx context.Context, networkID string) error {
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

// sound compares what is configured with what the chain says: every token's decimals (E-08: an amount in the wrong
// unit is a thousandfold payment), and that the router is a contract.
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

	tokens, err := network.Tokens(ctx, a.DB, n.Record.ID)
	if err != nil {
		return err
	}

	for _, t := range tokens {
		if t.Address == "" {
			continue
		}

		decimals, err := c.TokenDecimals(ctx, common.HexToAddress(t.Address))
		if err != nil {
			return fmt.Errorf("decimals of %s at %s: %w", t.Code, t.Address, err)
		}

		if decimals != t.Decimals {
			return fmt.Errorf(
				"%s at %s has %d decimals on the chain and %d in the directory",
				t.Code,
				t.Address,
				decimals,
				t.Decimals,
			)
		}
	}

	return a.treasuryReady(ctx, n, c)
}

// readiness is what /readyz asks: the database, and whether each network is sound and its nodes answer. While one
// network serves, the process does.
func (a *App) readiness() *observe.Readiness {
	checks := []observe.Check{{Name: "database", Probe: a.DB.Ping}}
	for _, n := range a.outside.Networks {
		checks = append(checks, observe.Check{
			Name:  "network " + n.Record.ID,
			Group: "networks",
			Probe: func(ctx context.Context) error { return a.networkServes(ctx, n.Record.ID) },
		})
	}

	return observe.NewReadiness(a.Log, checks...)
}

// networkServes returns why nothing can be submitted on a network now.
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

// awaitNetworks checks those networks again that were not sound at the start, until all are. Submit, settlement and
// /readyz do so as well; this is for a process that nobody asks.
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

// soundNetworks is 1 for each network that has passed its check, and 0 for one that waits for it.
func (a *App) soundNetworks(context.Context) (map[string]float64, error) {
	out := map[string]float64{}
	for _, n := range a.outside.Networks {
		out[n.Record.ID] = 0
		if _, sound := a.checked.Load(n.Record.ID); sound {
			out[n.Record.ID] = 1
		}
	}

	return out, nil
}

// refutedNodes is how often each node was refuted by the others or by a proof.
func (a *App) refutedNodes(context.Context) (map[string]float64, error) {
	out := map[string]float64{}
	for _, n := range a.outside.Networks {
		c, err := a.Rail.Client(n.Record.ID)
		if err != nil {
			return nil, err
		}

		for _, p := range c.Providers() {
			out[n.Record.ID+"/"+p.Name] = float64(p.Refuted)
		}
	}

	return out, nil
}

// gauges are the figures that operators watch: what waits, what fails, what is held up.
func (a *App) gauges() {
	a.metrics.Gauges(observe.DatabaseGauges(a.DB)...)

	backlog := func(pick func(jobs.Backlog) float64) func(context.Context) (map[string]float64, error) {
		return observe.Query(func(ctx context.Context) (float64, error) {
			b, err := jobs.Look(ctx, a.DB)
			return pick(b), err
		})
	}

	a.metrics.Gauges(
		observe.Gauge{
			Name: "jobs_due",
			Help: "Jobs that could run now.",
			Read: backlog(func(b jobs.Backlog) float64 { return float64(b.Due) }),
		},
		observe.Gauge{
			Name: "jobs_failing",
			Help: "Jobs that failed five times in a row or more.",
			Read: backlog(func(b jobs.Backlog) float64 { return float64(b.Failing) }),
		},
		observe.Gauge{
			Name: "oldest_open_send_seconds",
			Help: "Age of the oldest send that is not final.",
			Read: observe.Query(a.oldestSend),
		},
		observe.Gauge{
			Name:  "settlement_open",
			Help:  "Orders, refunds, deposits, claims and returns that wait.",
			Label: "kind",
			Read:  a.openItems(func(o settlement.Open) float64 { return float64(o.Count) }),
		},
		observe.Gauge{
			Name:  "settlement_oldest_seconds",
			Help:  "Age of the oldest of them.",
			Label: "kind",
			Read: a.openItems(func(o settlement.Open) float64 {
				if o.Oldest.IsZero() {
					return 0
				}

				return a.DB.Now().Sub(o.Oldest).Seconds()
			}),
		},
		observe.Gauge{
			Name: "rereading",
			Help: "1 while nothing leaves: the world is re-read after a back-up was put back, or two persons have " +
				"to confirm.",
			Read: observe.Query(a.rereading),
		},
		observe.Gauge{
			Name:  "signer_gas_ether",
			Help:  "Gas money of the operator's key.",
			Label: "network",
			Read:  a.gasMoney,
		},
		observe.Gauge{
			Name:  "network_sound",
			Help:  "1 when a network's router and tokens are as configured; 0 while it waits for that.",
			Label: "network",
			Read:  a.soundNetworks,
		},
		observe.Gauge{
			Name:  "node_refuted_total",
			Help:  "Answers of a node that others or a proof refuted.",
			Label: "node",
			Total: true,
			Read:  a.refutedNodes,
		},
		observe.Gauge{
			Name:  "rail_frozen",
			Help:  "1 while the signer of a network is frozen: a person must look.",
			Label: "network",
			Read:  a.rail(func(h chain.Health) float64 { return oneIf(h.Frozen != "") }),
		},
		observe.Gauge{
			Name:  "rail_waiting",
			Help:  "1 while sends of a network wait: fees, gas money, the signer, or no block takes them.",
			Label: "network",
			Read:  a.rail(func(h chain.Health) float64 { return oneIf(h.Note != "") }),
		},
		observe.Gauge{
			Name:  "rail_held",
			Help:  "Sends on hold: a person must look.",
			Label: "network",
			Read:  a.rail(func(h chain.Health) float64 { return float64(h.Open[chain.StateHold]) }),
		},
		a.headGauge(),
		observe.Gauge{
			Name: "ledger_unsealed",
			Help: "Journals without a link in the chain of hashes.",
			Read: observe.Query(func(ctx context.Context) (int64, error) { return ledger.Unsealed(ctx, a.DB) }),
		},
		observe.Gauge{
			Name:  "idv_webhooks_refused_total",
			Total: true,
			Help:  "Events that did not carry the identity provider's signature, or came from elsewhere.",
			Read:  observe.Value(a.Verification.Refused),
		},
		observe.Gauge{
			Name:  "bank_alerts",
			Help:  "What a person has to look at about the bank: payouts held or unanswered, files refused or waiting.",
			Label: "kind",
			Read:  a.bankAlerts,
		},
	)
}

// rail reads one figure of every network's sending.
func (a *App) rail(pick func(chain.Health) float64) func(context.Context) (map[string]float64, error) {
	return func(ctx context.Context) (map[string]float64, error) {
		all, err := a.Rail.Health(ctx)

		out := make(map[string]float64, len(all))
		for _, h := range all {
			out[h.Network] = max(out[h.Network], pick(h)) // of earlier signers too
		}

		return out, err
	}
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}

	return 0
}

func (a *App) bankAlerts(ctx context.Context) (map[string]float64, error) {
	if a.Bank == nil {
		return nil, nil
	}

	counts, err := a.Bank.Alerts(ctx)

	out := map[string]float64{}
	for kind, n := range counts {
		out[kind] = float64(n)
	}

	return out, err
}

// openItems reads one figure of everything that waits, by kind.
func (a *App) openItems(pick func(settlement.Open) float64) func(ctx context.Context) (map[string]float64, error) {
	return func(ctx context.Context) (map[string]float64, error) {
		all, err := settlement.OpenItems(ctx, a.DB)

		out := make(map[string]float64, len(all))
		for _, o := range all {
			out[o.Kind] = pick(o)
		}

		return out, err
	}
}

func (a *App) oldestSend(ctx context.Context) (float64, error) {
	at, err := a.Rail.OldestOpen(ctx, a.DB)
	if err != nil || at.IsZero() {
		return 0, err
	}

	return a.DB.Now().Sub(at).Seconds(), nil
}

func (a *App) gasMoney(ctx context.Context) (map[string]float64, error) {
	out := map[string]float64{}
	for _, n := range a.outside.Networks {
		c, err := a.Rail.Client(n.Record.ID)
		if err != nil {
			return nil, err
		}

		wei, err := c.NativeBalance(ctx, a.outside.Signer.Address())
		if err != nil {
			continue // the others' figures are worth having
		}

		f, _ := new(big.Rat).SetFrac(wei, new(big.Int).Exp(big.NewInt(10), big.NewInt(18), nil)).Float64()
		out[n.Record.ID] = f
	}

	return out, nil
}
