//go:build !nosandbox

package app

import (
	"context"
	"math/big"
	"regexp"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/app/world"
	"slipway/internal/core/fault"
	"slipway/internal/directory/network"
	"slipway/internal/platform/web"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
	"slipway/internal/rails/chain/devchain"
	"slipway/internal/rails/screening"
	"slipway/internal/standards/eip55"
)

// Sandbox returns the outside parties of a sandbox: the world's chain and key, its bank, its identity provider, the
// screening simulator, and the controls of all of them.
func Sandbox(w *world.World) Outside {
	out := SandboxAt(w.Places)
	out.Clock = w.Clock
	out.Sandbox = func(a *App, api *web.API) {
		a.Organisation.SandboxRoutes(api)
		a.mailboxRoutes(api)
		chainRoutes(w, api)
		a.clockRoute(w, api)
		bankRoutes(w.Bank, api)
		marketRoutes(a, api)
		idvRoutes(w, a, api)
	}

	return out
}

// SandboxAt returns the outside parties of a sandbox whose chain runs in another process, which has the controls.
func SandboxAt(w world.Places) Outside {
	tokens := make([]network.Token, len(w.Tokens))
	for i, t := range w.Tokens {
		tokens[i] = network.Token{Code: t.Code, Address: t.Address.Hex(), Decimals: t.Decimals}
	}

	gwei := big.NewInt(1_000_000_000)
	ceiling := new(big.Int).Mul(big.NewInt(500), gwei)
	record := network.Network{
		ID:              world.NetworkID,
		Name:            "Development chain",
		Type:            network.EVM,
		ChainID:         world.ChainID,
		RPCURL:          w.URL,
		InternalRPCURL:  w.URL,
		ClientVisible:   true,
		Testnet:         true,
		NativeToken:     "ETH",
		Contracts:       network.Contracts{"router": w.Router.Hex()},
		Features:        []string{"C2C", "BATCH"},
		WalletAddress:   w.Treasury.Address.Hex(),
		Finality:        network.Finality{Depth: world.FinalityDepth},
		MaxFeePerGasWei: ceiling.String(),
		StuckAfter:      10 * time.Second,
		BlockTime:       time.Second,
	}

	return Outside{
		Networks: []Network{{
			Record: record,
			Tokens: tokens,
			Rail: chain.Network{
				ID:              world.NetworkID,
				ChainID:         big.NewInt(world.ChainID),
				URLs:            []string{w.URL},
				Router:          w.Router,
				Finality:        chain.Finality{Depth: world.FinalityDepth},
				MaxFeePerGasWei: ceiling,
				GasHeadroom:     contract.GasHeadroom(contract.DefaultLegGas),
				StuckAfter:      10 * time.Second,
				Poll:            200 * time.Millisecond,
			},
		}},
		Signer: chain.NewKeySigner(w.Operator.Key),
		Screening: Screening{
			Addresses: screening.Simulator{},
			Names:     screening.Simulator{},
		},
		PrivateNodes: true,
		Banking:      sandboxBank(w),
		Verification: sandboxVerification(w),
		Sandbox: func(a *App, api *web.API) {
			a.Organisation.SandboxRoutes(api)
			a.mailboxRoutes(api)
		},
	}
}

type chainIn struct {
	Body struct {
		Op    string `json:"op" enum:"mine,reorg,drop,advance" doc:"mine blocks, replace the newest blocks, empty the pool, move the chain's clock"`
		Count int    `json:"count,omitempty" minimum:"1" maximum:"64" doc:"blocks to mine or to replace; default 1"`
		Lose  bool   `json:"lose,omitempty" doc:"reorg: forget the transactions of the replaced blocks instead of returning them to the pool"`
		By    string `json:"by,omitempty" maxLength:"20" doc:"advance: a duration such as PT90S or 24h"`
	}
}

// chainState is the state of the chain after a control.
type chainState struct {
	Height   uint64 `json:"height"`
	Affected int    `json:"affected" doc:"transactions that were dropped or put back"`
}

type faucetIn struct {
	Body struct {
		Address string `json:"address" maxLength:"64"`
		Token   string `json:"token,omitempty" enum:"USDC,USDT,DAI" doc:"without it the address gets gas money"`
	}
}

// control returns an operation that steers a simulator.
func control(path, id, summary string) web.Operation {
	return web.Operation{
		Method:        "POST",
		Path:          path,
		ID:            id,
		Summary:       summary,
		Tag:           "simulators",
		Access:        web.Bearer,
		NoIdempotency: true,
	}
}

// chainRoutes registers the controls of the development chain.
func chainRoutes(w *world.World, api *web.API) {
	height := func() uint64 { return w.Chain.Head().Number.Uint64() }

	steerOp := control("/sandbox/chain", "sandboxChain", "Steer the development chain")
	web.Register(api, steerOp, func(_ context.Context, in *chainIn) (*chainState, error) {
		n, err := steer(w.Chain, in)
		return &chainState{Height: height(), Affected: n}, err
	})

	faucetOp := control("/sandbox/faucet", "sandboxFaucet", "Get test tokens or gas money")
	web.Register(api, faucetOp, func(_ context.Context, in *faucetIn) (*chainState, error) {
		at, err := eip55.Read(in.Body.Address)
		if err != nil {
			var l fault.List
			l.Add("/address", fault.AddressInvalid, "%s.", err)

			return nil, l.Err()
		}

		if err := give(w, in.Body.Token, at); err != nil {
			return nil, err
		}

		return &chainState{Height: height()}, nil
	})
}

// clockRoute registers the control of the clock, which the service and the world beside it share.
func (a *App) clockRoute(w *world.World, api *web.API) {
	op := control("/sandbox/clock", "sandboxClock", "Move the service's clock forward")
	web.Register(api, op, func(_ context.Context, in *clockIn) (*clockState, error) {
		d, err := parseSpan(in.Body.Advance)

		var l fault.List

		switch {
		case err != nil || d <= 0:
			l.Add("/advance", fault.FormatInvalid, notASpan)

		case d > maxAdvance || a.DB.Now().Add(d).Year() > lastYear:
			const far = "may be at most 366 days at once, and not beyond the year %d."
			l.Add("/advance", fault.OutOfRange, far, lastYear)
		}

		if err := l.Err(); err != nil {
			return nil, err
		}

		if err := w.Advance(d); err != nil {
			return nil, err
		}

		a.Jobs.Poke()

		return &clockState{Now: a.DB.Now()}, nil
	})
}

// notASpan is the refusal of a text that parseSpan does not know.
const notASpan = "must be a duration such as P3D, PT90S or 24h."

// iso8601 matches a duration of weeks, days, hours, minutes and seconds (ISO 8601-1, 5.5.2.4). Months and years have no
// length of their own.
var iso8601 = regexp.MustCompile(
	`^P(?:(\d{1,3})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,7})M)?(?:(\d{1,9}(?:\.\d{1,3})?)S)?)?$`,
)

// parseSpan reads a duration, as ISO 8601 writes it or as the settings do.
func parseSpan(text string) (time.Duration, error) {
	parts := iso8601.FindStringSubmatch(text)
	if parts == nil || strings.HasSuffix(text, "P") || strings.HasSuffix(text, "T") {
		return time.ParseDuration(text)
	}

	var sum time.Duration

	for i, unit := range []time.Duration{7 * 24 * time.Hour, 24 * time.Hour, time.Hour, time.Minute, time.Second} {
		if parts[i+1] == "" {
			continue
		}

		seconds, err := time.ParseDuration(parts[i+1] + "s")
		if err != nil {
			return 0, err
		}

		sum += seconds * (unit / time.Second)
	}

	return sum, nil
}

// Limits of the clock: beyond 292 years its offset overflows, and time goes back.
const (
	maxAdvance = 366 * 24 * time.Hour
	lastYear   = 2200
)

type clockIn struct {
	Body struct {
		Advance string `json:"advance" maxLength:"20" doc:"a duration, as ISO 8601 writes it or in hours, minutes and seconds" example:"P3D"`
	}
}

type clockState struct {
	Now time.Time `json:"now"`
}

// steer carries out a control of the chain and returns how many transactions it affected.
func steer(c world.Chain, in *chainIn) (int, error) {
	count := max(1, in.Body.Count)
	switch in.Body.Op {
	case "mine":
		c.Mine(count)
		return 0, nil

	case "reorg":
		fate := devchain.Return
		if in.Body.Lose {
			fate = devchain.Drop
		}

		return c.Reorg(count, fate)

	case "drop":
		return c.DropPending(), nil
	}

	d, err := parseSpan(in.Body.By)
	if err != nil {
		var l fault.List
		l.Add("/by", fault.FormatInvalid, notASpan)
		return 0, l.Err()
	}

	return 0, c.AdjustTime(d)
}

// give sends 10,000 of a token to an address, or one ether without a token.
func give(w *world.World, token string, to common.Address) error {
	if token == "" {
		return w.Chain.Fund(to, big.NewInt(1_000_000_000_000_000_000))
	}

	t := w.Token(token)
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Decimals)), nil)

	return w.Mint(t, to, new(big.Int).Mul(big.NewInt(10_000), unit))
}
