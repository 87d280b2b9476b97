package transaction

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/core/money"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// View is the transaction as the interface shows it, with the additive fields of docs/interface-decisions.md.
type View struct {
	ID               string        `json:"_id"`
	Type             Type          `json:"type"`
	Status           Status        `json:"status"`
	SettlementStatus string        `json:"settlementStatus"`
	StatusInfo       string        `json:"statusInfo"`
	Organisation     string        `json:"organisation"`
	Token            string        `json:"token"`
	WalletAddress    string        `json:"walletAddress"`
	Wallet           string        `json:"wallet"`
	Network          string        `json:"network"`
	PartnerID        string        `json:"partnerId,omitempty"`
	Payments         []PaymentView `json:"payments" nullable:"false"`
	Fees             []FeeView     `json:"fees" nullable:"false"`
	Totals           TotalsView    `json:"totals"`
	Chain            []Effect      `json:"chain" nullable:"false"`
	Timeline         []StepView    `json:"timeline" nullable:"false"`
	AllowedActions   []string      `json:"allowedActions" nullable:"false"`
	CreatedBy        string        `json:"createdBy"`
	AcceptedBy       string        `json:"acceptedBy,omitempty"`
	AcceptedAt       time.Time     `json:"acceptedAt,omitzero"`
	IsHidden         bool          `json:"isHidden"`
	CreatedAt        time.Time     `json:"createdAt"`
	UpdatedAt        time.Time     `json:"updatedAt"`
	Version          int64         `json:"version"`
}

// PaymentView is one item as the interface shows it.
type PaymentView struct {
	ID                 string        `json:"_id"`
	Type               Type          `json:"type"`
	Status             PaymentStatus `json:"status"`
	StatusInfo         string        `json:"statusInfo"`
	Amount             string        `json:"amount"`
	Reason             string        `json:"reason"`
	Instructions       string        `json:"instructions"`
	DocumentStorageKey string        `json:"documentStorageKey"`
	Receiver           SnapshotView  `json:"receiver" doc:"the receiver as it was when the transaction was locked"`
	TokenIsoCode       string        `json:"tokenIsoCode"`
	Wallet             string        `json:"wallet,omitempty"`
	WalletAddress      string        `json:"walletAddress"`
	WalletType         string        `json:"walletType"`
	Network            string        `json:"network"`
	CreatedAt          time.Time     `json:"createdAt"`
	UpdatedAt          time.Time     `json:"updatedAt"`
}

// shown cuts a time to the milliseconds that the interface gives.
func shown(t time.Time) time.Time { return t.Truncate(time.Millisecond) }

// SnapshotView is the stored JSON of a receiver, written out as it is.
type SnapshotView string

// MarshalJSONTo writes the JSON.
func (v SnapshotView) MarshalJSONTo(enc *jsontext.Encoder) error {
	return enc.WriteValue(jsontext.Value(v))
}

// Schema says what is in it.
func (SnapshotView) Schema(reg huma.Registry) *huma.Schema {
	return reg.Schema(reflect.TypeFor[receiverSnapshot](), true, "ReceiverSnapshot")
}

// FeeView is one fee with its asset.
type FeeView struct {
	Type   string `json:"type"`
	Amount string `json:"amount"`
	Asset  string `json:"asset"`
}

// TotalsView is what leaves the wallet.
type TotalsView struct {
	TokenDebit string `json:"tokenDebit"`
	Token      string `json:"token"`
}

// StepView is one line of the timeline.
type StepView struct {
	Status           string    `json:"status"`
	SettlementStatus string    `json:"settlementStatus"`
	Info             string    `json:"info,omitempty"`
	Actor            string    `json:"actor"`
	At               time.Time `json:"at"`
	Version          int64     `json:"version"`
}

// viewOf is the part of the view that the transaction's own rows give.
func viewOf(t Transaction, p web.Principal) View {
	v := View{ID: t.ID, Type: t.Type, Status: t.Status, SettlementStatus: string(t.Settlement), StatusInfo: t.StatusInfo, Organisation: t.Organisation,
		Token: t.Token, WalletAddress: t.WalletAddress, Wallet: t.Wallet, Network: t.Network, PartnerID: t.Partner, Fees: []FeeView{},
		Totals: TotalsView{TokenDebit: money.Format(t.Debit, t.Decimals), Token: t.Token}, Chain: []Effect{}, AllowedActions: t.allowedActions(p),
		CreatedBy: t.CreatedBy, AcceptedBy: t.AcceptedBy, AcceptedAt: shown(t.AcceptedAt), IsHidden: t.Hidden, CreatedAt: shown(t.CreatedAt), UpdatedAt: shown(t.UpdatedAt), Version: t.Version}
	v.Timeline = []StepView{{Status: string(StatusDraft), SettlementStatus: string(SettlementIdle), Actor: t.CreatedBy, At: shown(t.CreatedAt), Version: 1}}
	v.Payments = make([]PaymentView, len(t.Payments))
	for i, x := range t.Payments {
		v.Payments[i] = PaymentView{ID: t.PaymentID(x), Type: t.Type, Status: t.PaymentStatus(x), StatusInfo: x.StatusInfo, Amount: money.Format(x.Units, t.Decimals),
			Reason: x.Reason, Instructions: x.Instructions, DocumentStorageKey: x.Document, Receiver: SnapshotView(x.Snapshot), TokenIsoCode: t.Token,
			Wallet: x.Wallet, WalletAddress: x.Address, WalletType: x.WalletType, Network: x.Network, CreatedAt: shown(t.CreatedAt), UpdatedAt: shown(x.UpdatedAt)}
		if x.UpdatedAt.IsZero() {
			v.Payments[i].UpdatedAt = shown(t.UpdatedAt)
		}
	}
	return v
}

// full adds what stands in other tables: the timeline and the sends. A draft has neither, and costs no further read.
func (s *Service) full(ctx context.Context, q db.Querier, t Transaction) (View, error) {
	v := viewOf(t, web.PrincipalOf(ctx))
	if t.Version == 1 {
		return v, nil
	}
	steps, err := history(ctx, q, t.ID)
	if err != nil {
		return v, err
	}
	for _, x := range steps {
		v.Timeline = append(v.Timeline, StepView{Status: x.Status, SettlementStatus: x.Settlement, Info: x.Info, Actor: x.Actor, At: shown(db.Time(x.At)), Version: x.Version})
	}
	if t.AcceptedAt.IsZero() {
		return v, nil
	}
	effects, err := s.Effects(ctx, q, t)
	v.Chain = append(v.Chain, effects...)
	return v, err
}

// allowedActions names what the caller may do next: the operations' last path words.
func (t Transaction) allowedActions(p web.Principal) []string {
	writes := p.User == "" || slices.ContainsFunc(organisation.Writers(), p.Is)
	accepts := p.User == "" || p.Is(organisation.Authorized)
	out := []string{}
	add := func(may bool, actions ...string) {
		if may {
			out = append(out, actions...)
		}
	}
	switch t.Status {
	case StatusDraft:
		add(writes, "update")
		add(true, "validate", "check-allowance")
		add(writes, "submit", "delete")
	case StatusWaiting:
		add(true, "check-allowance")
		add(accepts, "accept")
		add(writes, "delete")
	}
	return out
}

// fold is how texts are compared in a search.
func fold(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// ViewFor gives the function that shows a transaction to the caller of a request.
func ViewFor(ctx context.Context) func(t Transaction) View {
	p := web.PrincipalOf(ctx)
	return func(t Transaction) View { return viewOf(t, p) }
}
