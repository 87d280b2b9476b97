package schedule

import (
	"context"
	"slices"
	"sync"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
)

// View is a schedule as its organisation sees it.
type View struct {
	EventView

	WalletAddress  string        `json:"walletAddress" doc:"paying wallet"`
	Network        string        `json:"network,omitempty" doc:"network identifier, if the schedule names one"`
	Payments       []PaymentView `json:"payments" nullable:"false" doc:"as they are created on each day"`
	Payees         string        `json:"payees" example:"Alice Keller" doc:"names of the receivers when it was made"`
	Coming         []ComingView  `json:"coming" nullable:"false" doc:"the next days, at most six"`
	Days           []DayView     `json:"days" nullable:"false" doc:"days on which something was made, newest first, at most twelve"`
	CreatedBy      string        `json:"createdBy" example:"usr_01kaj3w8r8q2m5x9v7t4b6c1dn"`
	AcceptedBy     string        `json:"acceptedBy,omitempty" example:"usr_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"who has accepted it last"`
	AcceptedAt     *time.Time    `json:"acceptedAt" doc:"null: nobody has accepted it yet"`
	StoppedBy      string        `json:"stoppedBy,omitempty" example:"usr_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"who has stopped it"`
	CreatedAt      time.Time     `json:"createdAt"`
	UpdatedAt      time.Time     `json:"updatedAt"`
	AllowedActions []string      `json:"allowedActions" nullable:"false" example:"[\"accept\",\"stop\"]"`
}

// PaymentView is a payment as it is created on each day.
type PaymentView struct {
	Receiver      string `json:"receiver" example:"rcv_01kaj3w8r8q2m5x9v7t4b6c1dn"`
	Amount        string `json:"amount" example:"1200.00" doc:"FIAT: in the currency; CRYPTO: in the token"`
	Reason        string `json:"reason" example:"Rent"`
	Wallet        string `json:"wallet,omitempty" example:"wlt_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"CRYPTO: the receiver's wallet"`
	WalletAddress string `json:"walletAddress,omitempty" doc:"CRYPTO: an address, where no wallet is named"`
	BankAccount   string `json:"bankAccount,omitempty" example:"bac_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"FIAT: the receiver's account"`
	Currency      string `json:"currencyIsoCode,omitempty" example:"EUR" doc:"FIAT"`
	Reference     string `json:"reference,omitempty" doc:"FIAT: creditor reference"`
	FeesOption    string `json:"bankingFeesOption,omitempty" example:"SHA" doc:"FIAT: who bears the banks' fees"`
}

// EventView is the part of View that events carry.
type EventView struct {
	ID           string           `json:"_id" example:"sch_01kaj3w8r8q2m5x9v7t4b6c1dn"`
	Organisation string           `json:"organisation" example:"org_01kaj3w8r8q2m5x9v7t4b6c1dn"`
	State        State            `json:"state" enum:"WAITING,ACTIVE,STOPPED,ENDED" doc:"WAITING: somebody must accept it. ACTIVE: it pays on nextDay"`
	Type         transaction.Type `json:"type" enum:"FIAT,CRYPTO"`
	Token        string           `json:"token" example:"USDC"`
	MaxDebit     string           `json:"maxDebit" example:"1250.00" doc:"the most that may leave the wallet on a day, fees included, in the token"`
	Repeats      Repeats          `json:"repeats" enum:"ONCE,WEEKLY,MONTHLY" doc:"how often it pays"`
	FirstDay     string           `json:"firstDay" example:"2026-12-31" doc:"first planned day"`
	Until        string           `json:"until,omitempty" example:"2027-12-31" doc:"last day that may be planned"`
	Times        int              `json:"times,omitempty" example:"12" doc:"how many days are paid at most"`
	NextDay      string           `json:"nextDay,omitempty" example:"2026-12-31" doc:"on which it is paid next, once it is accepted; missing: on none"`
	Version      int64            `json:"version"`
}

// ComingView is a day to come.
type ComingView struct {
	Planned string `json:"planned" example:"2027-01-31" doc:"as the schedule says"`
	PaidOn  string `json:"paidOn" example:"2027-02-01" doc:"the first day from then on on which the rails work"`
}

// DayView is a day on which something was made.
type DayView struct {
	Planned     string    `json:"planned" example:"2027-01-31" doc:"as the schedule says"`
	State       DayState  `json:"state" enum:"MADE,PAID,ASKED,STOPPED,DROPPED" doc:"MADE: it is being submitted. PAID: accepted; the transaction says the rest. ASKED: it waits for a person. STOPPED: the schedule was stopped first. DROPPED: people have deleted or rejected the transaction"`
	Transaction string    `json:"transaction,omitempty" example:"txn_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"identifier of what was made; missing: nothing could be made"`
	Why         string    `json:"why,omitempty" doc:"why it waits for a person"`
	MadeAt      time.Time `json:"madeAt" doc:"when its transaction was made"`
}

// Record returns the identifier and the version.
func (v View) Record() (id string, version int64) { return v.ID, v.Version }

// shownDay returns a day as clients read it, or nothing.
func shownDay(t time.Time) string {
	if t.IsZero() {
		return ""
	}

	return t.Format(time.DateOnly)
}

func (x Schedule) eventData() EventView {
	return EventView{
		ID:           x.ID,
		Organisation: x.Organisation,
		State:        x.State,
		Type:         transaction.Type(x.Input.Type),
		Token:        x.Input.Token,
		MaxDebit:     x.Most.String(),
		Repeats:      x.Repeats,
		FirstDay:     shownDay(x.First),
		Until:        shownDay(x.Until),
		Times:        x.Times,
		NextDay:      shownDay(x.NextDay),
		Version:      x.Version,
	}
}

// shownComing is how many days to come a schedule shows.
const shownComing = 6

// views returns what an organisation sees of schedules.
func (s *Service) views(ctx context.Context, q db.Querier, all []Schedule) ([]View, error) {
	days, err := daysOf(ctx, q, all)
	if err != nil {
		return nil, err
	}

	policy := sync.OnceValues(func() (organisation.Policy, error) {
		return organisation.PolicyOf(ctx, q, caller.Of(ctx).Organisation)
	})

	out := make([]View, len(all))
	for i, x := range all {
		out[i] = s.view(x, days[x.ID])

		accepts, stops, err := x.rights(ctx, policy)
		if err != nil {
			return nil, err
		}

		out[i].AllowedActions = caller.Allowed(ctx,
			caller.Act{Word: "accept", Operation: "acceptSchedule", Refusal: accepts},
			caller.Act{Word: "stop", Operation: "stopSchedule", Refusal: stops},
		)
	}

	return out, nil
}

// rights returns what keeps the caller from accepting a schedule, and from stopping it; nil: nothing that is known. The
// operations themselves judge more, such as the limits of a policy in other currencies.
func (x Schedule) rights(
	ctx context.Context, policy func() (organisation.Policy, error),
) (accepts, stops, err error) {
	p := caller.Of(ctx)
	authorized := p.Is(organisation.Authorized) || p.StandsInFor != ""

	accepts = x.acceptable()
	if accepts == nil && !authorized {
		accepts = fault.New(fault.Forbidden, fault.MemberNotAuthor, "You may not accept transactions.")
	}

	if accepts == nil && p.HasPolicy && p.User == x.CreatedBy {
		rules, err := policy()
		if err != nil {
			return nil, nil, err
		}

		within := rules.OnePersonPays([]money.Amount{x.Most}, x.Most)
		if !within && (len(rules.Limits) == 0 || x.Input.Type == string(transaction.TypeCrypto)) {
			accepts = fault.New(fault.Forbidden, fault.SecondPersonRequired, "Another person accepts it.")
		}
	}

	stops = x.stoppable()
	if stops == nil && !authorized && !slices.ContainsFunc(organisation.Writers(), p.Is) {
		stops = fault.New(fault.Forbidden, fault.MemberNotAuthor, "You may not stop payments.")
	}

	return accepts, stops, nil
}

func (s *Service) view(x Schedule, days []Day) View {
	v := View{
		EventView:     x.eventData(),
		WalletAddress: x.Input.WalletAddress,
		Network:       x.Input.Network,
		Payments:      make([]PaymentView, len(x.Input.Payments)),
		Payees:        x.Payees,
		Coming:        []ComingView{},
		Days:          []DayView{},
		CreatedBy:     x.CreatedBy,
		AcceptedBy:    x.AcceptedBy,
		StoppedBy:     x.StoppedBy,
		CreatedAt:     user.Shown(x.CreatedAt),
		UpdatedAt:     user.Shown(x.UpdatedAt),
	}

	for i, p := range x.Input.Payments {
		v.Payments[i] = PaymentView{
			Receiver:      string(p.Receiver),
			Amount:        p.Amount,
			Reason:        p.Reason,
			Wallet:        string(p.Wallet),
			WalletAddress: p.WalletAddress,
			BankAccount:   string(p.BankAccount),
			Currency:      p.CurrencyIsoCode,
			Reference:     p.Reference,
			FeesOption:    p.BankingFeesOption,
		}
	}

	if !x.AcceptedAt.IsZero() {
		at := user.Shown(x.AcceptedAt)
		v.AcceptedAt = &at
	}

	if x.State == Waiting || x.State == Active {
		for _, c := range s.coming(x, shownComing) {
			v.Coming = append(v.Coming, ComingView{shownDay(c.Planned), shownDay(c.PaidOn)})
		}
	}

	for _, d := range days {
		v.Days = append(v.Days, DayView{
			Planned:     shownDay(d.Planned),
			State:       d.State,
			Transaction: d.Transaction,
			Why:         words.English(d.Why),
			MadeAt:      user.Shown(d.MadeAt),
		})
	}

	return v
}
