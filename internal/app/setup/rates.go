package setup

import (
	"context"
	"fmt"
	"log/slog"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/app"
	"slipway/internal/platform/config"
	"slipway/internal/platform/secret"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/rates"
)

// rates looks at each source of exchange rates, where the market is asked for them.
func (d *doctor) rates(ctx context.Context) {
	if d.config.Rates.Source != "market" && (!d.config.Mode.RealMoney() || d.config.Liquidity.Simulated()) {
		return
	}

	nodes := configuredNodes{networks: d.config.Networks}

	_, probes, err := app.Market(d.config.Rates, nodes, d.clock)
	if err != nil {
		d.say("rates", Wrong, err.Error(), "correct [rates]")
		return
	}

	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()

	now := d.clock.Now()

	for _, c := range rates.NewWatch(d.clock, slog.New(slog.DiscardHandler), probes...).Look(ctx) {
		part := "rates, " + c.Name

		if c.Problem != "" {
			d.say(part, Wrong, c.Problem, "see docs/how-to/connect-rates.md, When no rate is to be had")
			continue
		}

		d.say(part, Fine, fmt.Sprintf("its newest rate is %s old", now.Sub(c.AsOf).Round(time.Minute)), "")
	}
}

// configuredNodes reads contracts through the nodes of the configuration, as the service does.
type configuredNodes struct{ networks []config.Network }

// Call simulates a call at the newest block of a network.
func (c configuredNodes) Call(ctx context.Context, network string, to common.Address, data []byte) ([]byte, error) {
	for _, n := range c.networks {
		if app.NetworkID(n.ID) != network {
			continue
		}

		client, err := chain.NewClient(chain.ClientConfig{
			ChainID: new(big.Int).SetUint64(n.ChainID),
			URLs:    secret.RevealAll(n.RPCURLs),
		})
		if err != nil {
			return nil, err
		}
		defer client.Close()

		return client.Call(ctx, chain.CallMsg{To: to, Data: data})
	}

	return nil, fmt.Errorf("%w: %s", chain.ErrUnknownNetwork, network)
}
