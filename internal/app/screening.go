package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/directory/analysis"
	"slipway/internal/platform/config"
	"slipway/internal/rails/screening"
)

const (
	listsEvery = time.Minute // between two looks for newer files of lists
	sweepLists = time.Minute // between two comparisons of what is stored with the lists
)

// screeningOf returns the live providers: the lists of the configuration, and the oracle of each network.
func screeningOf(c *config.Config) (Screening, error) {
	lists, err := screening.NewLists(c.Screening.ListFiles...)
	if err != nil {
		return Screening{}, fmt.Errorf("screening.list_files: %w", err)
	}

	out := Screening{Addresses: lists, Lists: lists, Oracles: map[string]string{}}
	if c.Screening.Names {
		if lists.Names() == 0 {
			return Screening{}, errors.New(
				"screening.names is true, and none of screening.list_files holds a name: nobody would be found",
			)
		}

		out.Names = lists
	}

	for _, n := range c.Networks {
		switch n.SanctionsOracle {
		case config.NoOracle:
		case "":
			out.Oracles[NetworkID(n.ID)] = screening.PublishedOracle(n.ChainID)
		default:
			out.Oracles[NetworkID(n.ID)] = n.SanctionsOracle
		}
	}

	return out, nil
}

// buildScreening builds the service that screens and remembers. It returns the provider of addresses, oracles included,
// which wallets ask directly.
func (a *App) buildScreening() screening.Provider {
	o := a.outside.Screening
	c := a.Config.Screening

	var all []screening.Provider
	if o.Addresses != nil { // a command line tool screens nothing
		all = append(all, o.Addresses)
	}

	if len(o.Oracles) > 0 {
		all = append(all, screening.NewOracle(o.Oracles, a.callContract))
	}

	d := analysis.Deps{
		DB:        a.DB,
		Log:       a.Log,
		Addresses: screening.Several(all...),
		Names:     o.Names,
		Rules:     analysis.Rules{Review: c.NameReview, Reject: c.NameReject, Reuse: c.Reuse},
	}
	if o.Lists != nil {
		d.Sources = o.Lists.Sources
	}

	a.Screenings = analysis.New(d)

	return d.Addresses
}

// callContract reads from a contract by the rail's own nodes.
func (a *App) callContract(ctx context.Context, networkID, contract string, data []byte) ([]byte, error) {
	return a.chains.Call(ctx, networkID, common.HexToAddress(contract), data)
}
