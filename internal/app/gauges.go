package app

import (
	"context"
	"math/big"
	"time"

	"slipway/internal/directory/analysis"
	"slipway/internal/directory/endpoint"
	"slipway/internal/payments/chatchannel"
	"slipway/internal/payments/house"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/settlement"
	"slipway/internal/platform/halt"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/observe"
	"slipway/internal/rails/chain"
)

// figures reads a gauge that has several values, by label.
type figures = func(ctx context.Context) (map[string]float64, error)

// registerGauges registers what operators watch: what waits, what fails, what is held up.
func (a *App) registerGauges() {
	a.metrics.Gauges(observe.DatabaseGauges(a.DB)...)
	a.metrics.Gauges(a.collationGauges()...)
	a.metrics.Gauges(a.jobGauges()...)
	a.metrics.Gauges(a.railGauges()...)
	a.metrics.Gauges(a.networkGauges()...)
	a.metrics.Gauges(a.settlementGauges()...)
	a.metrics.Gauges(a.bookGauges()...)
	a.metrics.Gauges(a.houseGauges()...)
	a.metrics.Gauges(a.reviewGauges()...)
	a.metrics.Gauges(a.outgoingGauges()...)
	a.metrics.Gauges(a.rateGauges()...)
	a.metrics.Gauges(a.logGauges()...)
	a.metrics.Gauges(a.backupGauges()...)
	a.metrics.Gauges(a.signOnGauges()...)
}

// logGauges are about the log itself.
func (a *App) logGauges() []observe.Gauge {
	dropped := a.outside.LogDropped
	if dropped == nil {
		dropped = func() int64 { return 0 }
	}

	return []observe.Gauge{{
		Name:  "log_lines_dropped_total",
		Total: true,
		Help:  "Lines of the log that were dropped: its reader was away, or too slow.",
		Read:  observe.Value(dropped),
	}}
}

// jobGauges are about background work.
func (a *App) jobGauges() []observe.Gauge {
	backlog := func(pick func(jobs.Backlog) float64) figures {
		return observe.Query(func(ctx context.Context) (float64, error) {
			b, err := jobs.Look(ctx, a.DB)
			return pick(b), err
		})
	}

	return []observe.Gauge{
		{
			Name: "jobs_due",
			Help: "Jobs that could run now.",
			Read: backlog(func(b jobs.Backlog) float64 { return float64(b.Due) }),
		},
		{
			Name: "jobs_failing",
			Help: "Jobs that failed five times in a row or more.",
			Read: backlog(func(b jobs.Backlog) float64 { return float64(b.Failing) }),
		},
		{
			Name: "rereading",
			Help: "1 while nothing leaves: the world is re-read after a back-up was put back, or two persons have " +
				"to confirm.",
			Read: observe.Query(a.rereading),
		},
	}
}

// railGauges are about what is sent on each network.
func (a *App) railGauges() []observe.Gauge {
	health := func(pick func(chain.Health) float64) figures {
		return func(ctx context.Context) (map[string]float64, error) {
			all, err := a.Rail.Health(ctx)

			out := make(map[string]float64, len(all))
			for _, h := range all {
				out[h.Network] = max(out[h.Network], pick(h)) // of earlier signers too
			}

			return out, err
		}
	}

	return []observe.Gauge{
		{
			Name: "oldest_open_send_seconds",
			Help: "Age of the oldest send that is not final.",
			Read: observe.Query(a.oldestSend),
		},
		{
			Name:  "signer_gas_ether",
			Help:  "Gas money of the operator's key.",
			Label: "network",
			Read:  a.gasMoney,
		},
		{
			Name:  "rail_frozen",
			Help:  "1 while the signer of a network is frozen: a person must look.",
			Label: "network",
			Read:  health(func(h chain.Health) float64 { return oneIf(h.Frozen != "") }),
		},
		{
			Name:  "rail_waiting",
			Help:  "1 while sends of a network wait: fees, gas money, the signer, or no block takes them.",
			Label: "network",
			Read:  health(func(h chain.Health) float64 { return oneIf(h.Note != "") }),
		},
		{
			Name:  "rail_held",
			Help:  "Sends on hold: a person must look.",
			Label: "network",
			Read:  health(func(h chain.Health) float64 { return float64(h.Open[chain.StateHold]) }),
		},
	}
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}

	return 0
}

// oldestSend returns the age in seconds of the oldest send that is not final.
func (a *App) oldestSend(ctx context.Context) (float64, error) {
	at, err := a.Rail.OldestOpen(ctx, a.DB)
	return a.age(at), err
}

// age returns the seconds since a time, 0 for the zero time: nothing waits.
func (a *App) age(at time.Time) float64 {
	if at.IsZero() {
		return 0
	}

	return a.DB.Now().Sub(at).Seconds()
}

// gasMoney returns what the operator's key has for gas. A network whose nodes do not answer is left out.
func (a *App) gasMoney(ctx context.Context) (map[string]float64, error) {
	out := map[string]float64{}

	for _, n := range a.outside.Networks {
		c, err := a.Rail.Client(n.Record.ID)
		if err != nil {
			return nil, err
		}

		for _, operator := range n.operators(a.outside.Signer) {
			wei, err := c.NativeBalance(ctx, operator)
			if err != nil {
				continue
			}

			units := whole(wei, 18)
			if least, known := out[n.Record.ID]; !known || units < least { // the one that runs dry first
				out[n.Record.ID] = units
			}
		}
	}

	return out, nil
}

// whole returns base units as units of the asset. Metrics alone may be a float.
func whole(units *big.Int, decimals int) float64 {
	base := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	f, _ := new(big.Rat).SetFrac(units, base).Float64()

	return f
}

// networkGauges are about the networks' nodes and contracts.
func (a *App) networkGauges() []observe.Gauge {
	return []observe.Gauge{
		{
			Name:  "network_sound",
			Help:  "1 when a network's router and tokens are as configured; 0 while it waits for that.",
			Label: "network",
			Read:  a.soundNetworks,
		},
		{
			Name:  "node_refuted_total",
			Help:  "Answers of a node that others or a proof refuted.",
			Label: "node",
			Total: true,
			Read:  a.refutedNodes,
		},
	}
}

// soundNetworks returns 1 for each network that has passed its check and whose tokens are what is recorded, and 0 for
// the others.
func (a *App) soundNetworks(ctx context.Context) (map[string]float64, error) {
	out := map[string]float64{}

	for _, n := range a.outside.Networks {
		halts, err := a.tokenHalts(ctx, n.Record.ID)
		if err != nil {
			return nil, err
		}

		_, sound := a.checked.Load(n.Record.ID)
		out[n.Record.ID] = oneIf(sound && len(halts) == 0)
	}

	return out, nil
}

// refutedNodes returns how often each node was refuted by the others or by a proof.
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

// settlementGauges are about what settlement and the bank wait for.
func (a *App) settlementGauges() []observe.Gauge {
	items := func(pick func(settlement.Open) float64) figures {
		return func(ctx context.Context) (map[string]float64, error) {
			all, err := settlement.OpenItems(ctx, a.DB)

			out := make(map[string]float64, len(all))
			for _, o := range all {
				out[o.Kind] = pick(o)
			}

			return out, err
		}
	}

	return []observe.Gauge{
		{
			Name:  "settlement_open",
			Help:  "Orders, refunds, deposits, claims and returns that wait.",
			Label: "kind",
			Read:  items(func(o settlement.Open) float64 { return float64(o.Count) }),
		},
		{
			Name:  "settlement_oldest_seconds",
			Help:  "Age of the oldest of them.",
			Label: "kind",
			Read:  items(func(o settlement.Open) float64 { return a.age(o.Oldest) }),
		},
		{
			Name: "bank_alerts",
			Help: "What a person has to look at about the bank: payouts held, unanswered or of a payee whose name " +
				"the bank does not find, files refused or waiting.",
			Label: "kind",
			Read:  a.bankAlerts,
		},
	}
}

// bankAlerts returns the number of alerts of each kind, none without accounts at banks.
func (a *App) bankAlerts(ctx context.Context) (map[string]float64, error) {
	if a.Bank == nil {
		return nil, nil
	}

	counts, err := a.Bank.Alerts(ctx, a.DB)

	out := make(map[string]float64, len(counts))
	for kind, n := range counts {
		out[kind] = float64(n)
	}

	return out, err
}

// bookGauges are about the ledger. Whoever records them keeps a trace of the newest link outside of the database.
func (a *App) bookGauges() []observe.Gauge {
	return []observe.Gauge{
		{
			Name: "ledger_head",
			Help: "Number of the newest link in the book's chain of hashes.",
			Read: observe.Query(func(ctx context.Context) (int64, error) {
				seq, _, err := ledger.Head(ctx, a.DB)
				return seq, err
			}),
		},
		{
			Name: "ledger_unsealed",
			Help: "Journals without a link in the chain of hashes.",
			Read: observe.Query(func(ctx context.Context) (int64, error) { return ledger.Unsealed(ctx, a.DB) }),
		},
	}
}

// houseGauges are about the house's own balances.
func (a *App) houseGauges() []observe.Gauge {
	checks := func(pick func(c house.Check) float64) figures {
		return func(ctx context.Context) (map[string]float64, error) {
			all, err := house.Checks(ctx, a.DB)

			out := make(map[string]float64, len(all))
			for _, c := range all {
				out[c.Subject] = pick(c)
			}

			return out, err
		}
	}

	return []observe.Gauge{
		{
			Name: "house_difference",
			Help: "What a chain or bank has more (or less) of the house's own than the books explain, in the " +
				"asset's units.",
			Label: "subject",
			Read:  checks(func(c house.Check) float64 { return whole(c.Difference, c.Asset.Decimals) }),
		},
		{
			Name:  "house_agreed_seconds",
			Help:  "Time since the books last agreed with a chain or bank.",
			Label: "subject",
			Read:  checks(func(c house.Check) float64 { return a.DB.Now().Sub(c.AgreedAt).Seconds() }),
		},
		{
			Name:  "house_halted",
			Help:  "1 for each network or bank account whose new sends are halted.",
			Label: "name",
			Read:  a.halted,
		},
	}
}

func (a *App) halted(ctx context.Context) (map[string]float64, error) {
	all, err := halt.All(ctx, a.DB)

	out := make(map[string]float64, len(all))
	for _, h := range all {
		out[h.Name] = 1
	}

	return out, err
}

// reviewGauges are about screening and verification: what people have to look at.
func (a *App) reviewGauges() []observe.Gauge {
	return []observe.Gauge{
		{
			Name:  "screening_cases",
			Help:  "Names like a listed one that wait for the platform's people.",
			Label: "status",
			Read:  a.openCases,
		},
		{
			Name:  "screening_list_age_seconds",
			Help:  "Time since the date of a sanctions list.",
			Label: "list",
			Read:  a.listAges,
		},
		{
			Name:  "idv_webhooks_refused_total",
			Total: true,
			Help:  "Events that did not carry the identity provider's signature, or came from elsewhere.",
			Read:  observe.Value(a.Verification.Refused),
		},
	}
}

// openCases returns the number of screening cases in each status.
func (a *App) openCases(ctx context.Context) (map[string]float64, error) {
	waiting, err := analysis.Waiting(ctx, a.DB)

	out := make(map[string]float64, len(waiting))
	for status, n := range waiting {
		out[string(status)] = float64(n)
	}

	return out, err
}

// listAges returns the age in seconds of each sanctions list.
func (a *App) listAges(context.Context) (map[string]float64, error) {
	out := map[string]float64{}

	if lists := a.outside.Screening.Lists; lists != nil {
		for _, s := range lists.Sources() {
			out[s.Name] = a.DB.Now().Sub(s.Date).Seconds()
		}
	}

	return out, nil
}

// outgoingGauges are about what people and programs outside are told: mails and webhooks.
func (a *App) outgoingGauges() []observe.Gauge {
	return []observe.Gauge{
		{
			Name:  "outgoing_waiting",
			Help:  "Mails and webhook deliveries that nobody has taken yet, without those of endpoints that are off.",
			Label: "kind",
			Read:  a.outgoing(func(count int64, _ time.Time) float64 { return float64(count) }),
		},
		{
			Name:  "outgoing_oldest_seconds",
			Help:  "Age of the oldest mail and webhook delivery that nobody has taken yet.",
			Label: "kind",
			Read:  a.outgoing(func(_ int64, oldest time.Time) float64 { return a.age(oldest) }),
		},
		{
			Name: "mails_undelivered",
			Help: "Mails that wait because the mail server refuses this deployment (SET_UP_REFUSED), and mails of " +
				"the last 30 days that have ended undelivered.",
			Label: "problem",
			Read:  a.undelivered,
		},
		{
			Name:  "webhook_endpoints",
			Help:  "Endpoints of webhooks: working, failing since the last message that they took, unverified, or off.",
			Label: "state",
			Read:  a.endpointStates,
		},
		{
			Name:  "chat_channels",
			Help:  "Chat channels: working, failing since the last message that they took, or off.",
			Label: "state",
			Read:  a.chatStates,
		},
	}
}

// outgoing reads a figure of the mails that wait and of the webhook deliveries that do.
func (a *App) outgoing(pick func(count int64, oldest time.Time) float64) figures {
	return func(ctx context.Context) (map[string]float64, error) {
		mails, oldestMail, err := jobs.Waiting(ctx, a.DB, mail.Job)
		if err != nil {
			return nil, err
		}

		deliveries, oldestDelivery, err := endpoint.Waiting(ctx, a.DB)
		if err != nil {
			return nil, err
		}

		messages, oldestMessage, err := chatchannel.Waiting(ctx, a.DB)

		return map[string]float64{
			"chat":    pick(messages, oldestMessage),
			"mail":    pick(mails, oldestMail),
			"webhook": pick(deliveries, oldestDelivery),
		}, err
	}
}

// undelivered returns the number of mails with each problem.
func (a *App) undelivered(ctx context.Context) (map[string]float64, error) {
	problems, err := mail.Problems(ctx, a.DB)
	out := map[string]float64{string(mail.SetUpRefused): 0}

	for problem, n := range problems {
		out[string(problem)] = float64(n)
	}

	return out, err
}

// endpointStates returns the number of endpoints in each state.
func (a *App) endpointStates(ctx context.Context) (map[string]float64, error) {
	return floats(endpoint.States(ctx, a.DB))
}

// chatStates returns the number of chat channels in each state.
func (a *App) chatStates(ctx context.Context) (map[string]float64, error) {
	return floats(chatchannel.States(ctx, a.DB))
}

// floats returns counts as figures.
func floats(counts map[string]int64, err error) (map[string]float64, error) {
	out := make(map[string]float64, len(counts))
	for name, n := range counts {
		out[name] = float64(n)
	}

	return out, err
}

// rateGauges are about the sources of exchange rates.
func (a *App) rateGauges() []observe.Gauge {
	return []observe.Gauge{
		{
			Name:  "rate_source_usable",
			Help:  "1 while a price feed or the central bank has a rate that may be used.",
			Label: "source",
			Read: func(ctx context.Context) (map[string]float64, error) {
				out := map[string]float64{}
				for _, c := range a.ratesWatch.Look(ctx) {
					out[c.Name] = oneIf(c.Problem == "")
				}

				return out, nil
			},
		},
		{
			Name:  "rate_source_age_seconds",
			Help:  "Age of the newest rate of a price feed or of the central bank.",
			Label: "source",
			Read: func(ctx context.Context) (map[string]float64, error) {
				out := map[string]float64{}
				for _, c := range a.ratesWatch.Look(ctx) {
					if !c.AsOf.IsZero() {
						out[c.Name] = a.age(c.AsOf)
					}
				}

				return out, nil
			},
		},
	}
}
