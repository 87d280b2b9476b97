package transaction

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/db"
)

// View is the transaction as the interface shows it, with the additive fields of
// docs/explanation/interface-decisions.md.
type View struct {
	ID               string          `json:"_id"`
	Type             Type            `json:"type"`
	Status           Status          `json:"status"`
	SettlementStatus string          `json:"settlementStatus"`
	StatusInfo       string          `json:"statusInfo"`
	Organisation     string          `json:"organisation"`
	Token            string          `json:"token"`
	WalletAddress    string          `json:"walletAddress"`
	Wallet           string          `json:"wallet"`
	Network          string          `json:"network"`
	PartnerID        string          `json:"partnerId,omitempty"`
	AmountCurrency   string          `json:"amountCurrency,omitempty" doc:"ONRAMP: identifier of the deposit's currency"`
	CommissionType   string          `json:"commissionType,omitempty" enum:"STANDARD,CUSTOM,PARTNER" doc:"FIAT and ONRAMP: whose terms the commission follows"`
	Reference        string          `json:"reference,omitempty" doc:"ONRAMP, once submitted: what the deposit has to carry"`
	Sender           string          `json:"sender,omitempty" doc:"ONRAMP: who was declared to send the deposit"`
	Payments         []PaymentView   `json:"payments" nullable:"false"`
	Quote            *QuoteView      `json:"quote,omitempty" doc:"FIAT and ONRAMP: the price that was locked last"`
	Fees             []quote.FeeView `json:"fees" nullable:"false"`
	Totals           TotalsView      `json:"totals"`
	Chain            []Effect        `json:"chain" nullable:"false"`
	Bank             []BankEffect    `json:"bank,omitempty" doc:"FIAT and ONRAMP: what the bank was told and what it has answered; of a payment the latest attempt last"`
	Return           *ReturnView     `json:"return,omitempty" doc:"the last money that a bank has sent back"`
	Timeline         []StepView      `json:"timeline" nullable:"false"`
	AllowedActions   []string        `json:"allowedActions" nullable:"false"`
	CreatedBy        string          `json:"createdBy"`
	AcceptedBy       string          `json:"acceptedBy,omitempty"`
	AcceptedAt       time.Time       `json:"acceptedAt,omitzero"`
	IsHidden         bool            `json:"isHidden"`
	IsBatch          bool            `json:"isBatch,omitempty" doc:"made of payables"`
	CreatedAt        time.Time       `json:"createdAt"`
	UpdatedAt        time.Time       `json:"updatedAt"`
	Version          int64           `json:"version"`
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
	Payable            string        `json:"payable,omitempty" doc:"identifier of the payable that it pays; not in lists"`
	Receiver           SnapshotView  `json:"receiver" doc:"the receiver as it was when the transaction was locked"`
	TokenIsoCode       string        `json:"tokenIsoCode,omitempty"`
	Wallet             string        `json:"wallet,omitempty"`
	WalletAddress      string        `json:"walletAddress,omitempty"`
	WalletType         string        `json:"walletType,omitempty"`
	Network            string        `json:"network,omitempty"`
	PaymentTermsView
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// shown truncates a time to milliseconds, the precision of the interface.
func shown(t time.Time) time.Time { return t.Truncate(time.Millisecond) }

// SnapshotView is the stored JSON of a receiver, written without change.
type SnapshotView string

var errNoSnapshot = errors.New("a payment has no snapshot of its receiver")

// MarshalJSONTo writes the stored JSON.
func (v SnapshotView) MarshalJSONTo(enc *jsontext.Encoder) error {
	return enc.WriteValue(jsontext.Value(v))
}

// AppendJSON appends the stored JSON without parsing it again: receiverSnapshot.text has made it.
func (v SnapshotView) AppendJSON(dst []byte) ([]byte, error) {
	if v == "" {
		return dst, errNoSnapshot
	}

	return append(dst, v...), nil
}

// Schema returns the schema of a receiver's snapshot.
func (SnapshotView) Schema(reg huma.Registry) *huma.Schema {
	return reg.Schema(reflect.TypeFor[receiverSnapshot](), true, "ReceiverSnapshot")
}

// TotalsView is the amounts that leave the wallet and that arrive.
type TotalsView struct {
	TokenDebit  string             `json:"tokenDebit" doc:"FIAT: with all fees, at the rates of the quote; of a draft at those of its last change"`
	Token       string             `json:"token"`
	FiatOut     []quote.AmountView `json:"fiatOut,omitempty" doc:"FIAT: what is paid out, by currency"`
	FiatIn      *quote.AmountView  `json:"fiatIn,omitempty" doc:"ONRAMP: what is to be deposited"`
	TokenCredit string             `json:"tokenCredit,omitempty" doc:"ONRAMP: what reaches the wallet, once the deposit is converted"`
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

// viewOf returns the part of the view that the transaction's own rows hold.
func (s *Service) viewOf(t Transaction, p caller.Principal) View {
	v := View{
		ID:               t.ID,
		Type:             t.Type,
		Status:           t.Status,
		SettlementStatus: string(t.Settlement),
		StatusInfo:       t.StatusInfo,
		Organisation:     t.Organisation,
		Token:            t.Token,
		WalletAddress:    t.WalletAddress,
		Wallet:           t.Wallet,
		Network:          t.Network,
		PartnerID:        t.Partner,
		Fees:             []quote.FeeView{},
		Totals:           TotalsView{TokenDebit: money.Format(t.Debit, t.Decimals), Token: t.Token},
		Chain:            []Effect{},
		AllowedActions:   s.allowedActions(t, p),
		CreatedBy:        t.CreatedBy,
		AcceptedBy:       t.AcceptedBy,
		AcceptedAt:       shown(t.AcceptedAt),
		IsHidden:         t.Hidden,
		IsBatch:          t.OfPayables,
		CreatedAt:        shown(t.CreatedAt),
		UpdatedAt:        shown(t.UpdatedAt),
		Version:          t.Version,
	}
	v.Timeline = []StepView{{
		Status:           string(StatusDraft),
		SettlementStatus: string(SettlementIdle),
		Actor:            t.CreatedBy,
		At:               shown(t.CreatedAt),
		Version:          1,
	}}

	v.Payments = make([]PaymentView, len(t.Payments))
	for i := range t.Payments {
		v.Payments[i] = t.paymentView(&t.Payments[i])
	}

	s.Kinds[t.Type].Show(&v, t, p.Organisation == t.Organisation)

	return v
}

// paymentView returns the fields of a payment that every type shows.
func (t *Transaction) paymentView(p *Payment) PaymentView {
	updated := p.UpdatedAt
	if updated.IsZero() {
		updated = t.UpdatedAt
	}

	return PaymentView{
		ID:                 t.PaymentID(p.Position),
		Type:               t.Type,
		Status:             t.PaymentStatus(p.Outcome),
		StatusInfo:         p.StatusInfo,
		Reason:             p.Reason,
		Instructions:       p.Instructions,
		DocumentStorageKey: p.Document,
		Receiver:           SnapshotView(p.Snapshot),
		CreatedAt:          shown(t.CreatedAt),
		UpdatedAt:          shown(updated),
	}
}

// ShowWallet fills in the wallet that the payment goes to.
func (v *PaymentView) ShowWallet(p Payment) {
	v.Wallet = p.Wallet
	v.WalletAddress = p.Address
	v.WalletType = p.WalletType
	v.Network = p.Network
}

// full returns the view with what other tables hold: the timeline and the sends. A draft has neither and needs no
// further read.
func (s *Service) full(ctx context.Context, q db.Querier, t Transaction) (View, error) {
	v := s.viewOf(t, caller.Of(ctx))
	if err := s.showPayables(ctx, q, &v, t); err != nil {
		return v, err
	}

	if t.Version == 1 {
		return v, nil
	}

	if err := s.addAccept(ctx, q, &v, t); err != nil {
		return v, err
	}

	steps, err := history(ctx, q, t.ID)
	if err != nil {
		return v, err
	}

	for _, x := range steps {
		v.Timeline = append(v.Timeline, StepView{
			Status:           x.Status,
			SettlementStatus: x.Settlement,
			Info:             x.Info,
			Actor:            x.Actor,
			At:               shown(db.Time(x.At)),
			Version:          x.Version,
		})
	}

	if t.Type == TypeCrypto && t.AcceptedAt.IsZero() {
		return v, nil // nothing was sent yet
	}

	if err := s.showBank(ctx, q, &v, t); err != nil {
		return v, err
	}

	effects, err := s.Effects(ctx, q, t)
	v.Chain = append(v.Chain, effects...)

	return v, err
}

// addAccept adds accept to the actions of a person who has had a part in the transaction, if the policy allows
// it. Lists and the answers to changes leave it out, because reading the policy costs a statement.
func (s *Service) addAccept(ctx context.Context, q db.Querier, v *View, t Transaction) error {
	p := caller.Of(ctx)
	if t.Status != StatusWaiting || !p.HasPolicy || !p.Is(organisation.Authorized) || !t.hadPart(p.User) ||
		s.Kinds[t.Type].Traits().Accepted == "" {
		return nil
	}

	_, err := s.policyVersion(ctx, q, p, t)
	if fault.Is(err, fault.SecondPersonRequired) {
		return nil
	}

	if err == nil {
		v.AllowedActions = append(v.AllowedActions, "accept")
	}

	return err
}

// allowedActions returns what the caller may do next, as the last path words of the operations.
func (s *Service) allowedActions(t Transaction, p caller.Principal) []string {
	writes := p.User == "" || slices.ContainsFunc(organisation.Writers(), p.Is)
	accepts := p.User == "" || p.Is(organisation.Authorized) && !(p.HasPolicy && t.hadPart(p.User))
	out := []string{}
	add := func(may bool, actions ...string) {
		if may {
			out = append(out, actions...)
		}
	}

	kind := s.Kinds[t.Type]
	traits := kind.Traits()

	switch t.Status {
	case StatusDraft:
		add(writes && !t.OfPayables, "update")
		add(true, traits.Actions[StatusDraft]...)
		add(writes, "submit", "delete")

	case StatusWaiting:
		add(true, traits.Actions[StatusWaiting]...)
		add(accepts && traits.Accepted != "", "accept")
		add(writes && kind.Deletable(t) == nil, "delete")

	case StatusProcess, StatusReleased, StatusCompleted, StatusFailed, StatusRejected: // nobody acts
	}

	return out
}

// ViewFor returns the function that makes the view of a transaction for the caller of ctx.
func (s *Service) ViewFor(ctx context.Context) func(t Transaction) View {
	p := caller.Of(ctx)
	return func(t Transaction) View { return s.viewOf(t, p) }
}
