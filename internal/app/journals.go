package app

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/directory/network"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// JournalView is a journal of the book as operators see it.
type JournalView struct {
	ID           string    `json:"_id" example:"jrn_01kaj3w8r8q2m5x9v7t4b6c1dn"`
	Key          string    `json:"key" example:"transaction/txn_01kaj3w8r8q2m5x9v7t4b6c1dn/hold" doc:"the effect that it books; no other journal has the same"`
	Kind         string    `json:"kind" example:"hold" doc:"what happened"`
	Organisation string    `json:"organisation,omitempty" example:"org_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"whose value moved; null: only the house's"`
	Name         string    `json:"organisationName,omitempty" example:"Muster AG"`
	Transaction  string    `json:"transaction,omitempty" example:"txn_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"the transaction that it is of"`
	Hash         string    `json:"hash" example:"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" doc:"SHA-256 of its content, as it was written"`
	Link         *linkView `json:"link,omitempty" doc:"its place in the chain of hashes; null: it is so new that it has none"`
	BookedOn     string    `json:"bookedOn" format:"date" doc:"business day: the bank's booking day, or the day of the block, in UTC"`
	ValueOn      string    `json:"valueOn" format:"date" doc:"value day: from which the bank counts it"`
	CreatedAt    time.Time `json:"createdAt" doc:"when it was written"`
}

// linkView is the place of a journal in the chain of hashes.
type linkView struct {
	Number   int64     `json:"number" example:"1842" doc:"place in the chain, from 1"`
	Hash     string    `json:"hash" example:"2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae" doc:"SHA-256 of the link before it and the journal"`
	SealedAt time.Time `json:"sealedAt" doc:"when it was linked"`
}

// journalDetailView is a journal with its postings.
type journalDetailView struct {
	JournalView

	Postings  []postingView `json:"postings" nullable:"false" doc:"they sum to zero for each asset"`
	Unchanged bool          `json:"isUnchanged" doc:"whether its content is the one that was written"`
	Genuine   bool          `json:"isGenuine" doc:"whether this service has written it"`
}

// postingView is a line of a journal.
type postingView struct {
	Account string `json:"account" example:"hold/net_dev/org_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"identifier of the account"`
	Name    string `json:"accountName" example:"reserved for Muster AG, Development chain" doc:"what the account is, in words"`
	Asset   string `json:"asset" example:"USDC"`
	Amount  string `json:"amount,omitempty" example:"-12.50" doc:"in whole units; below zero: the account gave. null: nobody knows the asset's decimals any more"`
	Units   string `json:"units" example:"-12500000" doc:"the same in base units, as it is booked"`
	Memo    string `json:"memo,omitempty" example:"Refund" doc:"what the line is about"`
}

type journalsIn struct {
	web.Paging
	web.Period

	Account      string `query:"account" maxLength:"200" example:"treasury/net_dev" doc:"with a posting to this account"`
	Key          string `query:"key" maxLength:"200" example:"transaction/txn_01kaj3w8r8q2m5x9v7t4b6c1dn/hold" doc:"of this effect"`
	Kind         string `query:"kind" maxLength:"64" example:"hold" doc:"of this kind"`
	Organisation string `query:"organisation" maxLength:"64" doc:"of this organisation's value"`
	Transaction  string `query:"transaction" maxLength:"64" doc:"of this transaction"`
}

type journalIn struct {
	ID string `path:"id" maxLength:"64"`
}

// journalRoutes registers what operators see of the book.
func (a *App) journalRoutes(api *web.API) {
	op := func(method, path, id, summary, description string, codes ...fault.Code) web.Operation {
		return web.Operation{
			Method:      method,
			Path:        "/operations/ledger" + path,
			ID:          id,
			Tag:         "operations",
			Access:      web.Operator,
			Summary:     summary,
			Description: description,
			Codes:       codes,
		}
	}

	web.Register(api, op(
		"GET",
		"/journals",
		"listJournals",
		"List the journals of the book",
		"The newest come first. An account that nearly every payment touches is read faster within a period.",
		fault.FormatInvalid,
	), a.listJournals)
	web.Register(api, op(
		"GET",
		"/journals/{id}",
		"readJournal",
		"Show a journal with its postings, and whether it is as it was written",
		"Whether the chain of hashes is complete is what a verification finds.",
	), a.readJournal)

	a.verificationRoutes(api, op)
}

func (a *App) listJournals(ctx context.Context, in *journalsIn) (*web.List[JournalView], error) {
	from, before, err := in.Times()
	if err != nil {
		return nil, err
	}

	f := ledger.Filter{
		Account:      in.Account,
		Key:          in.Key,
		Kind:         in.Kind,
		Organisation: in.Organisation,
		Transaction:  in.Transaction,
		From:         from,
		Before:       before,
	}

	return web.ListOf(ctx, a.DB, in.Paging, func(q db.Querier, page caller.Window) ([]ledger.Entered, int64, error) {
		return ledger.Journals(ctx, q, f, page)
	}, func(j ledger.Entered) string { return j.ID }, func(q db.Querier, rows []ledger.Entered) ([]JournalView, error) {
		return journalViews(ctx, q, rows)
	})
}

// journalViews shows journals with the names of their organisations.
func journalViews(ctx context.Context, q db.Querier, rows []ledger.Entered) ([]JournalView, error) {
	owners := make([]string, len(rows))
	for i, j := range rows {
		owners[i] = j.Organisation
	}

	calls, err := namesIn(ctx, q, "", owners)
	if err != nil {
		return nil, err
	}

	out := make([]JournalView, len(rows))
	for i, j := range rows {
		out[i] = JournalView{
			ID:           j.ID,
			Key:          j.Key,
			Kind:         j.Kind,
			Organisation: j.Organisation,
			Name:         calls(j.Organisation),
			Transaction:  j.Transaction,
			Hash:         j.Hash,
			BookedOn:     j.BookedOn.Format(time.DateOnly),
			ValueOn:      j.ValueOn.Format(time.DateOnly),
			CreatedAt:    j.At.Truncate(time.Millisecond),
		}

		if j.Link.Seq > 0 {
			out[i].Link = &linkView{j.Link.Seq, j.Link.Hash, j.Link.At.Truncate(time.Millisecond)}
		}
	}

	return out, nil
}

func (a *App) readJournal(ctx context.Context, in *journalIn) (*journalDetailView, error) {
	var v journalDetailView

	err := a.DB.Snapshot(ctx, func(q db.Querier) error {
		j, lines, checked, err := ledger.JournalByID(ctx, q, a.Keys, in.ID)
		if err != nil {
			return err
		}

		views, err := journalViews(ctx, q, []ledger.Entered{j})
		if err != nil {
			return err
		}

		v = journalDetailView{JournalView: views[0], Unchanged: checked.Unchanged, Genuine: checked.Genuine}
		v.Postings, err = postingViews(ctx, q, j.Organisation, lines)

		return err
	})

	return &v, err
}

// postingViews shows lines of the book. Receivers have the names that an organisation has given them.
func postingViews(ctx context.Context, q db.Querier, org string, lines []ledger.Line) ([]postingView, error) {
	accounts := accountsOf(lines)

	calls, err := namesIn(ctx, q, org, accounts)
	if err != nil {
		return nil, err
	}

	token, err := tokensIn(ctx, q, accounts)
	if err != nil {
		return nil, err
	}

	out := make([]postingView, len(lines))
	for i, l := range lines {
		amount, _, err := postedAmount(l.Account, l.Asset, l.Units, func(asset string) (int, bool) {
			return token(l.Account, asset)
		})
		if err != nil {
			return nil, fmt.Errorf("journal %s: %w", l.Journal, err)
		}

		out[i] = postingView{
			Account: l.Account,
			Name:    ledger.Account(l.Account).Words(calls),
			Asset:   l.Asset,
			Amount:  amount,
			Units:   l.Units,
			Memo:    l.Memo,
		}
	}

	return out, nil
}

// tokensIn returns the function that returns the decimals of a token on an account, by the network that the account's
// name has. An account without a network has those of the networks of the other accounts, if these agree.
func tokensIn(
	ctx context.Context,
	q db.Querier,
	accounts []string,
) (func(account, token string) (int, bool), error) {
	on := map[string]map[string]int{}

	for _, n := range wordsOf(accounts)["net"] {
		tokens, err := network.Tokens(ctx, q, n)
		if err != nil {
			return nil, err
		}

		on[n] = map[string]int{}
		for _, t := range tokens {
			on[n][t.Code] = t.Decimals
		}
	}

	return func(account, token string) (int, bool) {
		networks := wordsOf([]string{account})["net"]
		if len(networks) == 0 {
			networks = slices.Collect(maps.Keys(on))
		}

		var all []int

		for _, n := range networks {
			if decimals, ok := on[n][token]; ok {
				all = append(all, decimals)
			}
		}

		slices.Sort(all)
		all = slices.Compact(all)

		if len(all) != 1 {
			return 0, false
		}

		return all[0], true
	}, nil
}
