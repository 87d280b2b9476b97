package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/directory/analysis"
	"slipway/internal/platform/config"
	"slipway/internal/platform/observe"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/screening"
)

// Screening is who says whether somebody may be dealt with.
type Screening struct {
	Addresses screening.Provider
	Names     screening.Names   // nil: names are not screened
	Lists     *screening.Lists  // the files among them, which are read again when they change; nil: there are none
	Oracles   map[string]string // contracts that are asked besides, by network
}

// listsEvery is how often files of lists are looked at for newer ones, and sweepLists how often what is stored is
// held against them.
const (
	listsEvery = time.Minute
	sweepLists = time.Minute
)

// screeningOf makes the live providers: the lists of the configuration, and the oracle of each network.
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
			out.Oracles[networkID(n.ID)] = screening.PublishedOracle(n.ChainID)
		default:
			out.Oracles[networkID(n.ID)] = n.SanctionsOracle
		}
	}

	return out, nil
}

// screening builds the service that asks and remembers, and gives the provider of addresses with the oracles.
func (a *App) screening() screening.Provider {
	o := a.outside.Screening
	c := a.Config.Screening

	var all []screening.Provider
	if o.Addresses != nil { // a tool asks nobody
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
	if lists := o.Lists; lists != nil {
		d.Sources = lists.Sources
		a.Jobs.Every("screening-lists", sweepLists, func(ctx context.Context) error {
			return a.Screenings.Sweep(ctx, func(ctx context.Context) error { return a.Wallets.Rescreen(ctx, lists) })
		})
	}

	a.Screenings = analysis.New(d)

	return d.Addresses
}

// callContract asks a contract on a network by the rail's own nodes.
func (a *App) callContract(ctx context.Context, networkID, contract string, data []byte) ([]byte, error) {
	client, err := a.Rail.Client(networkID)
	if err != nil {
		return nil, err
	}

	return client.Call(ctx, chain.CallMsg{To: common.HexToAddress(contract), Data: data})
}

// screeningGauges are what people have to look at: cases, and lists that grow old.
func (a *App) screeningGauges() {
	a.metrics.Gauges(
		observe.Gauge{
			Name:  "screening_cases",
			Help:  "Names like a listed one that wait for the platform's people.",
			Label: "status",
			Read:  a.openCases,
		},
		observe.Gauge{
			Name:  "screening_list_age_seconds",
			Help:  "Time since the date of a sanctions list.",
			Label: "list",
			Read:  a.listAges,
		})
}

func (a *App) openCases(ctx context.Context) (map[string]float64, error) {
	waiting, err := analysis.Waiting(ctx, a.DB)

	out := map[string]float64{}
	for status, n := range waiting {
		out[string(status)] = float64(n)
	}

	return out, err
}

func (a *App) listAges(context.Context) (map[string]float64, error) {
	out := map[string]float64{}
	if lists := a.outside.Screening.Lists; lists != nil {
		for _, s := range lists.Sources() {
			out[s.Name] = a.DB.Now().Sub(s.Date).Seconds()
		}
	}

	return out, nil
}
