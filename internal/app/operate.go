package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/payments/outbound"
	"slipway/internal/platform/db"
	"slipway/internal/platform/halt"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/web"
	"slipway/internal/rails/chain"
)

// railView is the state of one network's sending.
type railView struct {
	Network   string           `json:"network"`
	Signer    string           `json:"signer" doc:"the operator's address"`
	Sending   bool             `json:"sending" doc:"whether the process that answers is the one that sends"`
	Paused    bool             `json:"paused" doc:"true stops new sends, false lets them go on"`
	Pause     *pauseView       `json:"pause,omitempty" doc:"who has paused it, and why; null: nobody"`
	GoesOn    []string         `json:"goesOn" nullable:"false" doc:"what a pause does not stop, in words" example:"[\"Sends that have a nonce are sent and observed: 2 now.\"]"`
	Frozen    string           `json:"frozen" doc:"why a rule stopped the signer; empty: it is not"`
	Halted    string           `json:"halted" doc:"why a look at the house's balances stopped new sends; empty: it did not. It goes on when a look agrees, or two operators accept the difference"`
	Waiting   string           `json:"waiting" doc:"why planned sends wait; empty: they do not"`
	Short     []string         `json:"short" doc:"refunds and deliveries that wait since the treasury is short, and what is missing"`
	LastError string           `json:"lastError"`
	NextNonce int64            `json:"nextNonce"`
	Open      map[string]int64 `json:"open" doc:"sends by state that are neither final nor refused"`
	Sound     bool             `json:"sound" doc:"whether router and tokens are as configured; nothing is submitted before"`
	Nodes     []nodeView       `json:"nodes" doc:"in the configured order"`
}

// pauseView is who has paused a network, and why.
type pauseView struct {
	Reason string    `json:"reason" example:"The provider's nodes disagree" doc:"in the words of who paused it"`
	By     string    `json:"by" example:"usr_01kaj3w8r8q2m5x9v7t4b6c1dn"`
	Name   string    `json:"byName,omitempty" example:"Olga Keller" doc:"what that person is called"`
	At     time.Time `json:"at" doc:"since when"`
}

// nodeView is what is known of one node.
type nodeView struct {
	Host     string `json:"host"`
	Verified bool   `json:"verified" doc:"whether it has answered with the network's chain id"`
	Behind   bool   `json:"behind" doc:"whether it answers from old state: nothing is concluded from it"`
	Aside    bool   `json:"aside" doc:"whether its word was refuted lately: it is asked last"`
	Head     int64  `json:"head" doc:"the newest block it shows"`
	Failures int64  `json:"failures" doc:"exchanges that failed, in a row"`
	Refuted  int64  `json:"refuted" doc:"how often others or a proof refuted it since the start"`
	Said     string `json:"said" doc:"what was refuted, the last time"`
}

type networkIn struct {
	ID string `path:"id"`
}

type pauseIn struct {
	ID   string `path:"id"`
	Body struct {
		Paused bool   `json:"paused" doc:"true stops new sends, false lets them go on"`
		Reason string `json:"reason,omitempty" maxLength:"500" example:"The provider's nodes disagree" doc:"why; needed to pause. It is shown while the network is paused, and kept in the audit log"`
	}
}

// operateRoutes registers what operators need when sending is held: to see why, to stop a network, to let it go on.
func (a *App) operateRoutes(api *web.API) {
	op := func(method, path, id, summary, description string) web.Operation {
		return web.Operation{
			Method:        method,
			Path:          path,
			ID:            id,
			Summary:       summary,
			Description:   description,
			Tag:           "operations",
			Access:        web.Operator,
			NoIdempotency: true,
		}
	}

	web.Register(api, op("GET", "/operations/rails", "listRails", "Show how sending on each network stands", ""),
		func(ctx context.Context, _ *struct{}) (*web.List[railView], error) { return a.rails(ctx) })

	web.Register(api, op("POST", "/operations/rails/{id}/pause", "pauseRail", "Stop or resume new sends on a network",
		"What has a nonce is still sent and observed. Holds across processes and restarts."),
		func(ctx context.Context, in *pauseIn) (*web.List[railView], error) {
			reason := strings.TrimSpace(in.Body.Reason)
			if in.Body.Paused && reason == "" {
				var l fault.List
				l.Add("/reason", fault.Required, "is needed to pause: who looks at it later has to know why.")

				return nil, l.Err()
			}

			action := "rail.resume"
			if in.Body.Paused {
				action = "rail.pause"
			}

			return a.operate(ctx, action, in.ID, reason, func() error {
				return a.Rail.PauseFor(ctx, in.ID, in.Body.Paused, caller.Of(ctx).User, reason)
			})
		})

	web.Register(api, op(
		"POST",
		"/operations/rails/{id}/thaw",
		"thawRail",
		"Let a frozen signer go on",
		"For a person who has found out why. The chain is asked what became of each send: what a reorganisation "+
			"undid is sent again with the same bytes, and the next nonce moves up "+
			"to the chain's own count. It stays frozen while the nodes cannot tell: 503.",
	),
		func(ctx context.Context, in *networkIn) (*web.List[railView], error) {
			return a.operate(ctx, "rail.thaw", in.ID, "", func() error { return a.Rail.Thaw(ctx, in.ID) })
		})
}

// operate carries out an operator's action on a network, writes it into the audit log, and returns all networks anew.
func (a *App) operate(
	ctx context.Context,
	action, object, detail string,
	do func() error,
) (*web.List[railView], error) {
	err := do()

	switch {
	case errors.Is(err, chain.ErrUnknownNetwork):
		return nil, fault.Missing("network")

	case errors.Is(err, chain.ErrUnreachable), errors.Is(err, chain.ErrBehind):
		return nil, fault.New(
			fault.Unavailable,
			fault.UpstreamFailed,
			"The network's nodes do not answer, do not agree, or are not that far yet; nothing was changed.",
		)

	case err != nil:
		return nil, err
	}

	if err := a.DB.Write(ctx, func(tx *db.Tx) error {
		trail.Audit(ctx, tx, "", action, object, detail)
		return nil
	}); err != nil {
		return nil, err
	}

	return a.rails(ctx)
}

// rails returns how sending on each network stands.
func (a *App) rails(ctx context.Context) (*web.List[railView], error) {
	all, err := a.Rail.Health(ctx)
	if err != nil {
		return nil, err
	}

	short, err := outbound.Shortages(ctx, a.DB)
	if err != nil {
		return nil, err
	}

	halted, err := halt.All(ctx, a.DB)
	if err != nil {
		return nil, err
	}

	pauses, err := chain.Pauses(ctx, a.DB)
	if err != nil {
		return nil, err
	}

	var people []string
	for _, p := range pauses {
		people = append(people, p.By)
	}

	names, err := user.NamesOf(ctx, a.DB, people...)
	if err != nil {
		return nil, err
	}

	views := make([]railView, len(all))

	for i, h := range all {
		views[i] = a.railViewOf(h, halted)
		views[i].Short = slices.Clip(append([]string{}, short[h.Network]...))

		if p, ok := pauses[h.Network]; ok {
			views[i].Pause = &pauseView{
				Reason: p.Reason,
				By:     p.By,
				Name:   names(p.By),
				At:     p.At.Truncate(time.Millisecond),
			}
		}
	}

	l := web.NewList(views, int64(len(views)), "")

	return &l, nil
}

// railViewOf shows one network's sending, without what waits for the treasury and who has paused it.
func (a *App) railViewOf(h chain.Health, halted []halt.Halt) railView {
	v := railView{
		Network:   h.Network,
		Signer:    h.Signer,
		Sending:   h.Holder,
		Paused:    h.Paused,
		Frozen:    h.Frozen,
		Waiting:   h.Note,
		LastError: h.LastErr,
		NextNonce: h.NextNonce,
		Open:      map[string]int64{},
		GoesOn:    a.goesOn(h),
		Nodes:     nodesOf(h.Nodes),
	}

	for _, x := range halted {
		if x.Name == chain.HaltName(h.Network) {
			v.Halted = strings.TrimPrefix(v.Halted+"; "+x.Reason, "; ")
		}
	}

	for s, n := range h.Open {
		v.Open[string(s)] = n
	}

	_, v.Sound = a.checked.Load(h.Network)

	return v
}

// goesOn says what a pause of a network does not stop.
func (a *App) goesOn(h chain.Health) []string {
	var open int64

	for state, n := range h.Open {
		if state != chain.StatePlanned {
			open += n
		}
	}

	out := []string{
		fmt.Sprintf("Sends that have a nonce are sent and observed: %d now.", open),
		"Transactions are submitted and accepted; what they send waits here.",
	}

	if a.Bank != nil {
		out = append(out, "Deposits at our banks are booked, and payments through banks leave.")
	}

	return out
}

func nodesOf(all []chain.ProviderHealth) []nodeView {
	out := make([]nodeView, len(all))

	for i, p := range all {
		out[i] = nodeView{
			Host:     p.Name,
			Verified: p.Verified,
			Behind:   p.Behind,
			Aside:    p.Aside,
			Head:     int64(p.Head),
			Failures: int64(p.Failures),
			Refuted:  p.Refuted,
			Said:     p.Lie,
		}
	}

	return out
}
