package transaction

import (
	"context"
	"slices"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/money"
	"slipway/internal/identity/comment"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
)

// View is the transaction as the interface shows it, with the additive fields of
// docs/explanation/interface-decisions.md.
type View struct {
	ID               string          `json:"_id"`
	Type             Type            `json:"type"`
	Status           Status          `json:"status"`
	SettlementStatus string          `json:"settlementStatus"`
	StatusInfo       string          `json:"statusInfo,omitempty"`
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
	Outcome          OutcomeView     `json:"outcome" doc:"what has become of its payments so far"`
	Chain            []Effect        `json:"chain" nullable:"false"`
	Stopped          *StoppedView    `json:"stopped,omitempty" doc:"the operator has stopped the network that it is to be sent on: it waits, and goes on by itself when the network does"`
	Bank             []BankEffect    `json:"bank,omitempty" doc:"FIAT and ONRAMP: what the bank was told and what it has answered; of a payment the latest attempt last"`
	Return           *ReturnView     `json:"return,omitempty" doc:"the last money that a bank has sent back"`
	Timeline         []StepView      `json:"timeline" nullable:"false"`
	AllowedActions   []string        `json:"allowedActions" nullable:"false"`
	CreatedBy        string          `json:"createdBy"`
	AcceptedBy       string          `json:"acceptedBy,omitempty"`
	AcceptedAt       time.Time       `json:"acceptedAt,omitzero"`
	Acceptance       *AcceptanceView `json:"acceptance,omitempty" doc:"while it waits and the organisation's policy wants several people to accept it together"`
	IsHidden         bool            `json:"isHidden"`
	IsBatch          bool            `json:"isBatch,omitempty" doc:"made of payables"`
	Comments         []comment.View  `json:"comments" nullable:"false" doc:"what people have written about it, the newest last"`
	LoanView
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
	Version   int64     `json:"version"`
}

// StoppedView is a network on which nothing new is sent at present.
type StoppedView struct {
	Network string     `json:"network"`
	Since   *time.Time `json:"since" doc:"when a person has stopped it; null: a check has"`
}

// LoanView holds the fields of a loan against collateral. They are of the interface; Slipway lends nothing, so each is
// null.
type LoanView struct {
	LoanAmount             *string         `json:"loanAmount" doc:"null: Slipway lends nothing"`
	BorrowTokenAmount      *string         `json:"borrowTokenAmount" doc:"null: Slipway lends nothing"`
	BorrowTokenAmountInUSD *string         `json:"borrowTokenAmountInUSD" doc:"null: Slipway lends nothing"`
	CollateralAmount       *string         `json:"collateralAmount" doc:"null: Slipway lends nothing"`
	CollateralAmountInUSD  *string         `json:"collateralAmountInUSD" doc:"null: Slipway lends nothing"`
	CollateralToken        *CollateralView `json:"collateralToken" doc:"null: Slipway lends nothing"`
}

// CollateralView is the token that a loan is secured with.
type CollateralView struct {
	Symbol                   string `json:"symbol"`
	UnderlyingAsset          string `json:"underlyingAsset"`
	Provider                 string `json:"provider"`
	UsageAsCollateralEnabled bool   `json:"usageAsCollateralEnabled"`
	BorrowingEnabled         bool   `json:"borrowingEnabled"`
	Decimals                 int    `json:"decimals"`
	SupplyAPY                string `json:"supplyAPY"`
}

// Record returns the identifier and the version.
func (v View) Record() (id string, version int64) { return v.ID, v.Version }

// PaymentView is one item as the interface shows it.
type PaymentView struct {
	ID                 string        `json:"_id"`
	Type               Type          `json:"type"`
	Status             PaymentStatus `json:"status"`
	StatusInfo         string        `json:"statusInfo,omitempty"`
	Amount             string        `json:"amount"`
	Reason             string        `json:"reason,omitempty"`
	Instructions       string        `json:"instructions,omitempty"`
	DocumentStorageKey string        `json:"documentStorageKey,omitempty"`
	Payable            string        `json:"payable,omitempty" doc:"identifier of the payable that it pays"`
	Again              string        `json:"again,omitempty" example:"pay_06f2k8s0m4x3v7q9.1" doc:"identifier of the payment that failed and that this one makes again"`
	MadeAgainIn        string        `json:"madeAgainIn,omitempty" example:"txn_06f2k8s0m4x3v7q9" doc:"identifier of the transaction that makes this failed payment again"`
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
	Actor            string    `json:"actor,omitempty"`
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
		StatusInfo:       words.English(t.StatusInfo),
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
		Comments:         []comment.View{},
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

	if t.Fees != nil {
		v.Fees = t.Fees
	}

	v.Outcome = t.Outcome().view()
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
		StatusInfo:         words.English(p.StatusInfo),
		Reason:             p.Reason,
		Instructions:       p.Instructions,
		DocumentStorageKey: p.Document,
		Again:              p.Again,
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

// View returns a transaction as its caller sees it, with what other tables hold.
func (s *Service) View(ctx context.Context, q db.Querier, t Transaction) (View, error) {
	views, err := s.Views(ctx, q, []Transaction{t})
	if err != nil {
		return View{}, err
	}

	return views[0], nil
}

// Views returns transactions as their caller sees them. It is the one way in which they are shown: by GET, in lists and
// in the answers to changes. The number of statements does not depend on the number of transactions, and a draft that
// was made or a CRYPTO transaction that was submitted or accepted in the same write needs none.
func (s *Service) Views(ctx context.Context, q db.Querier, all []Transaction) ([]View, error) {
	r, err := s.readRelated(ctx, q, all)
	if err != nil {
		return nil, err
	}

	p := caller.Of(ctx)

	views := make([]View, len(all))
	for i, t := range all {
		views[i] = s.viewOf(t, p)
		r.addTo(&views[i], t)
	}

	if err := noteDeletedReceivers(ctx, q, views, all); err != nil {
		return nil, err
	}

	if err := s.addAccept(ctx, q, views, all); err != nil {
		return nil, err
	}

	return views, s.addAgreed(ctx, q, views, all)
}

// related is what other tables hold about transactions, by transaction.
type related struct {
	steps    map[string][]step
	payables map[string]map[int]string
	quotes   map[string]quote.Quote
	banks    map[string]BankSide
	effects  map[string][]Effect
	comments map[string][]comment.View
	again    map[string]string // transactions that make payments again, by payment
}

// readRelated reads what other tables can hold about transactions.
func (s *Service) readRelated(ctx context.Context, q db.Querier, all []Transaction) (r related, err error) {
	var (
		moved, ofPayables, priced, commented []string
		atBank, sent                         []Transaction
	)

	for _, t := range all {
		if t.Status != StatusDraft && t.steps == nil {
			moved = append(moved, t.ID)
		}

		if t.Comments > 0 {
			commented = append(commented, t.ID)
		}

		if t.OfPayables {
			ofPayables = append(ofPayables, t.ID)
		}

		if t.Type != TypeCrypto && !(t.begun && t.Status == StatusDraft) {
			priced = append(priced, t.ID)
		}

		if t.Type != TypeCrypto && !t.begun && t.Status != StatusDraft {
			atBank = append(atBank, t)
		}

		if !t.begun && t.Status != StatusDraft && t.Status != StatusWaiting {
			sent = append(sent, t)
		}
	}

	if r.steps, err = histories(ctx, q, moved); err != nil {
		return r, err
	}

	if r.comments, err = comment.Of(ctx, q, commented...); err != nil {
		return r, err
	}

	if r.again, err = madeAgainOf(ctx, q, all); err != nil {
		return r, err
	}

	if len(ofPayables) > 0 {
		if r.payables, err = s.Payables.Of(ctx, q, ofPayables); err != nil {
			return r, err
		}
	}

	if len(priced) > 0 && s.Quotes != nil { // nil: no longer offered
		if r.quotes, err = s.Quotes.ForTransactions(ctx, q, priced); err != nil {
			return r, err
		}
	}

	if len(atBank) > 0 && s.Bank != nil {
		if r.banks, err = s.Bank(ctx, q, atBank); err != nil {
			return r, err
		}
	}

	if len(sent) > 0 {
		r.effects, err = s.Effects(ctx, q, sent)
	}

	return r, err
}

// addTo adds to a view what is related to its transaction.
func (r related) addTo(v *View, t Transaction) {
	steps := t.steps
	if steps == nil {
		steps = r.steps[t.ID]
	}

	for _, x := range steps {
		if x.Version > t.Version { // written after the transaction was read
			break
		}

		v.Timeline = append(v.Timeline, StepView{
			Status:           x.Status,
			SettlementStatus: x.Settlement,
			Info:             words.English(x.Info),
			Actor:            x.Actor,
			At:               shown(x.At),
			Version:          x.Version,
		})
	}

	for i, payable := range r.payables[t.ID] {
		if i < len(v.Payments) {
			v.Payments[i].Payable = payable
		}
	}

	open := 0

	for _, p := range t.failedPayments() {
		in := r.again[t.PaymentID(p.Position)]
		v.Payments[p.Position].MadeAgainIn = in

		if in == "" {
			open++
		}
	}

	if open == 0 {
		v.AllowedActions = slices.DeleteFunc(v.AllowedActions, func(action string) bool { return action == payAgain })
	}

	if price, ok := r.quotes[t.ID]; ok {
		locked := QuoteView(price.View())
		v.Quote = &locked
		v.Fees = price.FeeViews()
		noteGivenBack(v.Fees, price.FeesGivenBack(r.banks[t.ID].Refunded))
	}

	v.Comments = append(v.Comments, r.comments[t.ID]...)

	side := r.banks[t.ID]
	v.Bank = side.Bank

	for i := range v.Payments {
		if found, ok := side.Payees[v.Payments[i].ID]; ok {
			v.Payments[i].PayeeVerification = &found
		}
	}

	v.Return = side.Return
	v.Chain = append(v.Chain, r.effects[t.ID]...)
	v.addStopped(t)
}

// addStopped says that the transaction waits for a network on which nothing is sent at present.
func (v *View) addStopped(t Transaction) {
	i := slices.IndexFunc(v.Chain, func(x Effect) bool { return x.Stopped })
	if i < 0 {
		return
	}

	v.Stopped = &StoppedView{Network: v.Chain[i].Network}
	if at := shown(v.Chain[i].StoppedAt); !at.IsZero() {
		v.Stopped.Since = &at
	}

	v.StatusInfo = words.English(words.List(words.Spaces, t.StatusInfo, words.Phrase(stoppedWhy)))
}

// stoppedWhy is the statusInfo of a transaction while the network is stopped that it is to be sent on.
const stoppedWhy = "The operator has stopped the network: nothing leaves on it at present. The payment waits, and goes " +
	"on by itself when the network does."

func noteGivenBack(fees []quote.FeeView, back []money.Amount) {
	for i, a := range back {
		if a.Sign() > 0 {
			fees[i].GivenBack = a.String()
		}
	}
}

// addAccept adds accept to the actions of a person who has had a part in a transaction, if the policy allows it. The
// policy is read only for such a person.
func (s *Service) addAccept(ctx context.Context, q db.Querier, views []View, all []Transaction) error {
	p := caller.Of(ctx)
	if !p.HasPolicy || !mayAccept(p) {
		return nil
	}

	policies := map[string]organisation.Policy{}

	for i, t := range all {
		if t.Status != StatusWaiting || !t.touchedBy(p) || s.Kinds[t.Type].Traits().Accepted == "" {
			continue
		}

		policy, known := policies[t.Organisation]
		if !known {
			var err error
			if policy, err = organisation.PolicyOf(ctx, q, t.Organisation); err != nil {
				return err
			}

			policies[t.Organisation] = policy
		}

		if policy.OnePersonPays(t.sums(), t.DebitAmount()) {
			views[i].AllowedActions = append(views[i].AllowedActions, "accept")
		}
	}

	return nil
}

// mayAccept reports whether the caller accepts transactions, himself or for another member.
func mayAccept(p caller.Principal) bool { return p.Is(organisation.Authorized) || p.StandsInFor != "" }

// payAgain makes a draft of the payments that have failed.
const payAgain = "pay-again"

// allowedActions returns what the caller may do next, as the last path words of the operations.
func (s *Service) allowedActions(t Transaction, p caller.Principal) []string {
	writes := MayWrite(p)
	accepts := p.User == "" || mayAccept(p) && !(p.HasPolicy && t.touchedBy(p))
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

	add(writes && len(t.failedPayments()) > 0, payAgain)

	return out
}

// MayWrite reports whether a caller may change drafts.
func MayWrite(p caller.Principal) bool {
	return p.User == "" || slices.ContainsFunc(organisation.Writers(), p.Is)
}
