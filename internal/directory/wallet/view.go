package wallet

import (
	"cmp"
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/record"
	"slipway/internal/directory/network"
	"slipway/internal/directory/receiver"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
)

// View is a Wallet of the interface.
type View struct {
	record.WalletFields
	Network        network.Embedded  `json:"network"`
	Receiver       receiver.Embedded `json:"receiver"`
	Warnings       []WarningView     `json:"warnings" nullable:"false" doc:"what to look at before you pay to it; nothing is kept from happening by it"`
	AllowedActions []string          `json:"allowedActions" nullable:"false" example:"[\"challenge\",\"verify-wallet\",\"update\",\"delete\"]"`
}

// ReviewView is what the platform's people have said of a wallet in REVIEW. It is for staff; the organisation is not
// shown who decides.
type ReviewView struct {
	Verdict    Analysis  `json:"verdict" enum:"APPROVED,REJECTED"`
	ProposedBy string    `json:"proposedBy"`
	Proposer   string    `json:"proposedByName,omitempty" example:"Olga Keller" doc:"what that person is called"`
	DecidedBy  string    `json:"decidedBy,omitempty" doc:"who agreed; left out while a second person has to decide"`
	Decider    string    `json:"decidedByName,omitempty" example:"Otto Weber" doc:"what that person is called"`
	Reason     string    `json:"reason" doc:"of the latest word"`
	At         time.Time `json:"at" doc:"of the latest word"`
}

// ReviewedView is a wallet with what people have said of it.
type ReviewedView struct {
	View
	Review ReviewView `json:"review"`
}

// reviewViews returns what was said of wallets, with the names of who said it.
func reviewViews(ctx context.Context, q db.Querier, wallets []Wallet) ([]ReviewView, error) {
	var people []string
	for _, w := range wallets {
		people = append(people, w.Review.ProposedBy, w.Review.DecidedBy)
	}

	names, err := user.NamesOf(ctx, q, people...)
	if err != nil {
		return nil, err
	}

	out := make([]ReviewView, len(wallets))
	for i, w := range wallets {
		out[i] = w.reviewView()
		out[i].Proposer = names(w.Review.ProposedBy)
		out[i].Decider = names(w.Review.DecidedBy)
	}

	return out, nil
}

func (w Wallet) reviewView() ReviewView {
	return ReviewView{
		Verdict:    w.Review.Verdict,
		ProposedBy: w.Review.ProposedBy,
		DecidedBy:  w.Review.DecidedBy,
		Reason:     w.Review.Reason,
		At:         w.ReviewedAt.Truncate(time.Millisecond),
	}
}

// short returns the interface's form of a wallet within another record.
func short(w Wallet, n network.Network, now time.Time) record.Wallet {
	return record.Wallet{
		WalletFields: fieldsOf(w, now),
		Network:      record.Named{ID: n.ID, Name: n.Name},
		Receiver:     record.Ref{ID: w.Receiver},
	}
}

// fieldsOf returns the interface's form of what is a wallet's own.
func fieldsOf(w Wallet, now time.Time) record.WalletFields {
	o := record.Ownership{Message: w.Message, SignedMessage: w.Signature, Status: string(w.OwnershipAt(now))}
	if !w.ApprovedAt.IsZero() {
		at := w.ApprovedAt.Truncate(time.Millisecond)
		o.ApprovedAt = &at
	}

	if w.Nonce != "" {
		at := w.ExpiresAt.Truncate(time.Millisecond)
		o.ExpiresAt = &at
	}

	v := record.WalletFields{
		ID:                   w.ID,
		Address:              w.Address,
		Type:                 string(w.Type),
		WalletAnalysisStatus: string(w.AnalysisAt(now)),
		ScreeningAnalysisID:  w.AnalysisID,
		ScreeningErrMessage:  w.AnalysisErr,
		SoftDeleted:          w.Deleted,
		Ownership:            o,
		Approval:             w.Mark.Approval,
		Version:              w.Version,
		CreatedAt:            w.CreatedAt.Truncate(time.Millisecond),
		UpdatedAt:            w.UpdatedAt.Truncate(time.Millisecond),
	}
	if now.Before(w.PayableFrom) {
		at := w.PayableFrom.Truncate(time.Millisecond)
		v.PayableFrom = &at
	}

	return v
}

// allowedActions returns what the caller may do with a wallet. notSecond is as in analysis.Proposal.Say.
func (w Wallet) allowedActions(ctx context.Context, notSecond error) []string {
	who := caller.Of(ctx).User

	return caller.Allowed(ctx,
		caller.Act{Word: "challenge", Operation: "challengeWallet", Refusal: cmp.Or(w.gone(), w.provable())},
		caller.Act{Word: "verify-wallet", Operation: "verifyWallet", Refusal: cmp.Or(w.gone(), w.provable())},
		caller.Act{Word: "update", Operation: "changeWallet", Refusal: w.gone()},
		caller.Act{Word: "delete", Operation: "deleteWallet", Refusal: w.gone()},
		caller.Act{Word: "revoke", Operation: "revokeWallet", Refusal: cmp.Or(w.gone(), w.revocable())},
		caller.Act{
			Word:      "approve-screening",
			Operation: "decideWalletScreening",
			Refusal:   cmp.Or(w.gone(), w.sayable(who, notSecond, AnalysisApproved)),
		},
		caller.Act{
			Word:      "reject-screening",
			Operation: "decideWalletScreening",
			Refusal:   cmp.Or(w.gone(), w.sayable(who, notSecond, AnalysisRejected)),
		},
	)
}

// Views returns the interface's form of wallets with their networks and receivers. The number of statements does not
// depend on the number of wallets.
func (s *Service) Views(
	ctx context.Context,
	q db.Querier,
	organisation string,
	wallets []Wallet,
	now time.Time,
) ([]View, error) {
	var networkIDs, receiverIDs, addresses []string
	for _, w := range wallets {
		networkIDs = append(networkIDs, w.Network)
		receiverIDs = append(receiverIDs, w.Receiver)
		addresses = append(addresses, w.Address)
	}

	networks, err := network.ByIDs(ctx, q, networkIDs)
	if err != nil {
		return nil, err
	}

	receivers, err := receiver.WithDeleted(ctx, q, organisation, receiverIDs)
	if err != nil {
		return nil, err
	}

	alike, err := Alike(ctx, q, organisation, addresses)
	if err != nil {
		return nil, err
	}

	notSecond, err := user.CallerAsSecond(ctx, q, user.Staff, now)
	if err != nil {
		return nil, err
	}

	out := make([]View, len(wallets))
	for i, w := range wallets {
		out[i] = View{
			WalletFields:   fieldsOf(w, now),
			Network:        network.Embed(networks[w.Network]),
			Receiver:       receiver.Embed(receivers[w.Receiver]),
			Warnings:       []WarningView{},
			AllowedActions: w.allowedActions(ctx, notSecond),
		}

		if others := alike[w.Address]; len(others) > 0 {
			out[i].Warnings = append(out[i].Warnings, WarningView{string(fault.AddressLooksAlike), LooksAlike, others})
		}
	}

	return out, nil
}

// OfReceivers returns the wallets that receivers show, by receiver: the newest of each, at most receiver.Shown.
func OfReceivers(
	ctx context.Context,
	q db.Querier,
	organisation string,
	receivers []string,
	now time.Time,
) (map[string][]record.Wallet, error) {
	if len(receivers) == 0 {
		return nil, nil
	}

	var where db.Where
	where.And("organisation = ?", organisation)
	where.And("NOT soft_deleted")
	db.In(&where, "receiver", receivers)

	wallets, err := walletTable.Select(ctx, q, receiver.Newest("wallets", where), where.Args...)
	if err != nil {
		return nil, err
	}

	return shortBy(ctx, q, wallets, now, func(w Wallet) string { return w.Receiver })
}

// OfOrganisations returns the wallets of the organisations' own receivers, by organisation.
func OfOrganisations(
	ctx context.Context,
	q db.Querier,
	organisations []string,
	now time.Time,
) (map[string][]record.Wallet, error) {
	wallets, err := ofOwnReceivers(ctx, q, organisations)
	if err != nil {
		return nil, err
	}

	return shortBy(ctx, q, wallets, now, func(w Wallet) string { return w.Organisation })
}

// shortBy returns the views of wallets by what key returns of each.
func shortBy(
	ctx context.Context,
	q db.Querier,
	wallets []Wallet,
	now time.Time,
	key func(w Wallet) string,
) (map[string][]record.Wallet, error) {
	var ids []string
	for _, w := range wallets {
		ids = append(ids, w.Network)
	}

	networks, err := network.ByIDs(ctx, q, ids)
	if err != nil {
		return nil, err
	}

	out := map[string][]record.Wallet{}
	for _, w := range wallets {
		out[key(w)] = append(out[key(w)], short(w, networks[w.Network], now))
	}

	return out, nil
}
