package house

import (
	"context"
	"math/big"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
	"slipway/internal/platform/halt"
	"slipway/internal/platform/web"
)

// view is a check as operators see it.
type view struct {
	Subject    string    `json:"subject" doc:"treasury/<network>/<token>, bank/<house account> or provider/<provider>/<network or currency>"`
	Asset      string    `json:"asset"`
	State      State     `json:"state" enum:"AGREES,ACCEPTED,SHORT,EXCESS,UNKNOWN" doc:"what the latest check has found; figures of UNKNOWN are of the last one that knew"`
	Books      string    `json:"books" doc:"what the ledger has"`
	Outside    string    `json:"outside" doc:"what the chain, the bank's or the provider's statement say"`
	Low        string    `json:"low" doc:"what they must say at least: what is under way may have left"`
	High       string    `json:"high" doc:"and at most: what is under way may have arrived"`
	Difference string    `json:"difference" doc:"by how much they lie outside of that; below zero: something is missing there"`
	Accepted   string    `json:"accepted" doc:"the difference that two operators have accepted"`
	Point      string    `json:"point" doc:"the block or statement that the figures are of"`
	InRow      int64     `json:"inRow" doc:"checks in a row that found a difference"`
	Note       string    `json:"note" doc:"of UNKNOWN: why"`
	Halts      string    `json:"halts" doc:"what a difference halts; empty: nothing"`
	Halted     string    `json:"halted" doc:"why it is halted by this check; empty: it is not"`
	AgreedAt   time.Time `json:"agreedAt" doc:"the last check that found no difference; before the first one, when checking began"`
	CheckedAt  time.Time `json:"checkedAt"`
}

func viewOf(c Check, halted string) view {
	amount := func(units *big.Int) string { return money.FromUnits(c.Asset, units).String() }

	return view{
		Subject:    c.Subject,
		Asset:      c.Asset.Code,
		State:      c.State,
		Books:      amount(c.Figures.Books),
		Outside:    amount(c.Figures.Outside),
		Low:        amount(c.Figures.Low),
		High:       amount(c.Figures.High),
		Difference: amount(c.Difference),
		Accepted:   amount(c.Accepted),
		Point:      c.Point,
		InRow:      c.InRow,
		Note:       c.Note,
		Halts:      c.Halts,
		Halted:     halted,
		AgreedAt:   c.AgreedAt.Truncate(time.Millisecond),
		CheckedAt:  c.CheckedAt.Truncate(time.Millisecond),
	}
}

type movementIn struct {
	Body struct {
		Network string `json:"network" maxLength:"64" doc:"id of the network"`
		Hash    string `json:"transactionHash" pattern:"^0x[0-9a-fA-F]{64}$" doc:"of the transaction that moved tokens into the treasury, or out of it"`
		Reason  string `json:"reason" minLength:"1" maxLength:"500" doc:"why it was made, for the second operator"`
	}
}

type releaseIn struct {
	Body struct {
		Subject string `json:"subject" maxLength:"200" doc:"as the list of balances names it"`
		Reason  string `json:"reason" minLength:"1" maxLength:"500" doc:"why the difference is accepted, for the second operator"`
	}
}

// Routes registers what operators see of the house's balances, and decide about them.
func (s *Service) Routes(api *web.API) {
	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/operations/balances",
		ID:      "listHouseBalances",
		Tag:     "operations",
		Access:  web.Operator,
		Summary: "Show what the house has by its books, against chains and banks",
		Description: "Looked at every minute. A treasury that is short halts its network, a bank account that " +
			"differs halts new files from it. What a provider of liquidity states is read every ten minutes, and halts " +
			"nothing.",
	}, s.list)
	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/operations/provider-differences",
		ID:      "listProviderDifferences",
		Tag:     "operations",
		Access:  web.Operator,
		Summary: "Show in which orders the statements of providers of liquidity differ from the books",
		Description: "Of the last 35 days, and every line of theirs that nobody has booked. POST " +
			"/operations/provider-movements books one.",
	}, s.listDifferences)

	ask := func(path, id, summary, description string, codes ...fault.Code) web.Operation {
		return web.Operation{
			Method:      "POST",
			Path:        path,
			ID:          id,
			Tag:         "operations",
			Access:      web.Operator,
			StepUp:      true,
			Status:      202,
			Summary:     summary,
			Description: description,
			Codes:       codes,
		}
	}
	web.Register(
		api,
		ask(
			"/operations/treasury-movements",
			"recordTreasuryMovement",
			"Record what the house's owners moved themselves",
			"A top-up of a treasury, or a withdrawal. What was moved is read from the transaction itself, once it "+
				"is final; a second operator approves.",
			fault.MovementUnproven,
			fault.MovementRecorded,
		),
		s.handleMovement,
	)
	web.Register(
		api,
		ask(
			"/operations/provider-movements",
			"recordProviderMovement",
			"Book a line of a provider's statement",
			"A fee is a worse price; what he has paid out to the house's owners, or got from them, stands against equity. "+
				"A second operator approves. Lines of orders are booked by the orders themselves.",
			fault.MovementUnproven,
			fault.MovementRecorded,
		),
		s.handleProviderMovement,
	)
	web.Register(
		api,
		ask(
			"/operations/balances/release",
			"releaseHouseBalance",
			"Accept a difference, and let what it has halted go on",
			"A second operator approves. A greater difference halts again.",
			fault.NothingToRelease,
		),
		s.handleRelease,
	)
}

func (s *Service) list(ctx context.Context, _ *struct{}) (*web.List[view], error) {
	var views []view

	err := s.DB.Snapshot(ctx, func(q db.Querier) error {
		all, err := Checks(ctx, q)
		if err != nil {
			return err
		}

		halts, err := halt.All(ctx, q)
		if err != nil {
			return err
		}

		why := map[string]string{}
		for _, h := range halts {
			why[h.Cause] = h.Reason
		}

		views = make([]view, len(all))
		for i, c := range all {
			views[i] = viewOf(c, why[c.Subject])
		}

		return nil
	})
	l := web.NewList(views, int64(len(views)), "")

	return &l, err
}

func (s *Service) handleMovement(ctx context.Context, in *movementIn) (*approval.View, error) {
	return web.OnceOf(ctx, 202, s.Approvals.Show(ctx), func(done func(*db.Tx, approval.Approval) error) error {
		return s.AskMovement(ctx, in.Body.Network, strings.ToLower(in.Body.Hash), in.Body.Reason, done)
	})
}

func (s *Service) handleRelease(ctx context.Context, in *releaseIn) (*approval.View, error) {
	return web.OnceOf(ctx, 202, s.Approvals.Show(ctx), func(done func(*db.Tx, approval.Approval) error) error {
		return s.AskRelease(ctx, in.Body.Subject, in.Body.Reason, done)
	})
}
