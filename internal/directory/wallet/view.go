package wallet

import (
	"context"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/directory/network"
	"slipway/internal/directory/receiver"
	"slipway/internal/platform/db"
)

// OwnershipView is a wallet's proof of ownership.
type OwnershipView struct {
	ApprovedAt    *time.Time `json:"approvedAt,omitempty"`
	Message       string     `json:"message,omitempty" doc:"the text to sign, exactly as it is"`
	ExpiresAt     *time.Time `json:"expiresAt,omitempty" doc:"until when the text can be signed"`
	SignedMessage string     `json:"signedMessage,omitempty" doc:"the signature"`
	Status        string     `json:"status" enum:"PENDING,VERIFIED,FAILED,EXPIRED,REVOKED"`
}

// ShortView is a Wallet of the interface as its receiver shows it.
type ShortView struct {
	ID                   string        `json:"_id"`
	Address              string        `json:"address"`
	Network              network.View  `json:"network"`
	Type                 string        `json:"type" enum:"EOA,MULTISIG"`
	WalletAnalysisStatus string        `json:"walletAnalysisStatus" enum:"PENDING,IN_PROGRESS,APPROVED,REVIEW,REJECTED,ERROR,EXPIRED"`
	ScreeningAnalysisID  string        `json:"screeningAnalysisId,omitempty"`
	ScreeningErrMessage  string        `json:"screeningErrMessage,omitempty"`
	SoftDeleted          bool          `json:"softDeleted"`
	Approval             string        `json:"approval,omitempty" doc:"identifier of the approval that it waits for, or that was refused"`
	PayableFrom          *time.Time    `json:"payableFrom,omitempty" doc:"nothing is paid to it before: it is new"`
	Ownership            OwnershipView `json:"ownership"`
	CreatedAt            time.Time     `json:"createdAt"`
	UpdatedAt            time.Time     `json:"updatedAt"`
}

// View is a Wallet of the interface.
type View struct {
	ShortView
	Receiver receiver.OwnerView `json:"receiver"`
	Warnings []WarningView      `json:"warnings" nullable:"false" doc:"what to look at before you pay to it; nothing is kept from happening by it"`
}

// ReviewView is what the platform's people have said of a wallet in REVIEW. It is for staff; the organisation is not
// shown who decides.
type ReviewView struct {
	Verdict    Analysis  `json:"verdict" enum:"APPROVED,REJECTED"`
	ProposedBy string    `json:"proposedBy"`
	DecidedBy  string    `json:"decidedBy,omitempty" doc:"who agreed; left out while a second person has to decide"`
	Reason     string    `json:"reason" doc:"of the latest word"`
	At         time.Time `json:"at" doc:"of the latest word"`
}

// ReviewedView is a wallet with what people have said of it.
type ReviewedView struct {
	View
	Review ReviewView `json:"review"`
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

// short returns the interface's form of a wallet without its receiver.
func short(w Wallet, n network.Network, now time.Time) ShortView {
	o := OwnershipView{Message: w.Message, SignedMessage: w.Signature, Status: string(w.OwnershipAt(now))}
	if !w.ApprovedAt.IsZero() {
		at := w.ApprovedAt.Truncate(time.Millisecond)
		o.ApprovedAt = &at
	}

	if w.Nonce != "" {
		at := w.ExpiresAt.Truncate(time.Millisecond)
		o.ExpiresAt = &at
	}

	v := ShortView{
		ID:                   w.ID,
		Address:              w.Address,
		Network:              network.ViewOf(n),
		Type:                 string(w.Type),
		WalletAnalysisStatus: string(w.AnalysisAt(now)),
		ScreeningAnalysisID:  w.AnalysisID,
		ScreeningErrMessage:  w.AnalysisErr,
		SoftDeleted:          w.Deleted,
		Ownership:            o,
		Approval:             w.Mark.Approval,
		CreatedAt:            w.CreatedAt.Truncate(time.Millisecond),
		UpdatedAt:            w.UpdatedAt.Truncate(time.Millisecond),
	}
	if now.Before(w.PayableFrom) {
		at := w.PayableFrom.Truncate(time.Millisecond)
		v.PayableFrom = &at
	}

	return v
}

// Views returns the interface's form of wallets with their networks and receivers, in four queries whatever their
// number.
func Views(ctx context.Context, q db.Querier, organisation string, wallets []Wallet, now time.Time) ([]View, error) {
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

	out := make([]View, len(wallets))
	for i, w := range wallets {
		out[i] = View{
			ShortView: short(w, networks[w.Network], now),
			Receiver:  receiver.OwnerViewOf(receivers[w.Receiver]),
			Warnings:  []WarningView{},
		}

		if others := alike[w.Address]; len(others) > 0 {
			out[i].Warnings = append(out[i].Warnings, WarningView{string(fault.AddressLooksAlike), LooksAlike, others})
		}
	}

	return out, nil
}

// OfReceivers returns the wallets that receivers show, by receiver.
func OfReceivers(
	ctx context.Context,
	q db.Querier,
	organisation string,
	receivers []string,
	now time.Time,
) (map[string][]ShortView, error) {
	var where db.Where
	where.And("organisation = ?", organisation)
	where.And("NOT soft_deleted")
	db.In(&where, "receiver", receivers)

	wallets, err := walletTable.Select(ctx, q, where.SQL()+" ORDER BY id LIMIT 5000", where.Args...)
	if err != nil {
		return nil, err
	}

	var ids []string
	for _, w := range wallets {
		ids = append(ids, w.Network)
	}

	networks, err := network.ByIDs(ctx, q, ids)
	if err != nil {
		return nil, err
	}

	out := map[string][]ShortView{}
	for _, w := range wallets {
		out[w.Receiver] = append(out[w.Receiver], short(w, networks[w.Network], now))
	}

	return out, nil
}
