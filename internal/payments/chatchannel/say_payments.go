package chatchannel

import (
	"context"

	"slipway/internal/core/money"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/user"
	"slipway/internal/payments/notice"
	"slipway/internal/payments/payable"
	"slipway/internal/payments/schedule"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/words"
)

// waits begins the title of what a person decides.
const waits = "Waits for approval"

func sayTransaction(ctx context.Context, q db.Querier, m Message) (saying, bool, error) {
	t, err := db.First(transaction.Several(ctx, q, m.Organisation, []string{m.Object}))
	if err != nil {
		return saying{}, false, err
	}

	if m.Type == "transaction.submitted" {
		return sayWaiting(ctx, q, t)
	}

	partly, err := transaction.PartlyPaid(ctx, q, []string{t.ID})
	if err != nil {
		return saying{}, false, err
	}

	_, some := partly[t.ID]

	told, ok := notice.Tell(m.Type, t, some)
	if m.Type == "transaction.accepted" {
		ok = ok && (t.Status == transaction.StatusProcess || t.Status == transaction.StatusReleased)
	}

	out := saying{
		news:   Payments,
		title:  titled(told.Headline, amountOf(t)),
		lines:  []string{words.Phrase(told.Lead), aboutPayees(t), referred(t.ID)},
		place:  mail.PlaceOf(mail.TransactionNews),
		record: t.ID,
	}
	if told.Problem {
		out.news = Problems
	}

	return out, ok, nil
}

// sayWaiting asks for the approval of a transaction that waits for it. A deposit waits for money, not for a person.
func sayWaiting(ctx context.Context, q db.Querier, t transaction.Transaction) (saying, bool, error) {
	names, err := user.NamesOf(ctx, q, t.CreatedBy)
	if err != nil {
		return saying{}, false, err
	}

	return saying{
		news:  Decisions,
		title: titled(waits, amountOf(t)),
		lines: []string{
			words.Phrase("%[1]s asks for %[2]s", names(t.CreatedBy), notice.Describe(t)),
			aboutPayees(t),
			referred(t.ID),
		},
		place:  mail.PlaceOf(mail.ApprovalNeeded),
		record: t.ID,
	}, t.Status == transaction.StatusWaiting && t.Type != transaction.TypeOnramp, nil
}

// aboutPayees returns the line with whom a transaction pays.
func aboutPayees(t transaction.Transaction) string {
	return words.Phrase("To %s", notice.Receivers(t))
}

// amountOf returns what leaves the wallet for a transaction, or what is deposited for it.
func amountOf(t transaction.Transaction) string {
	if t.Type == transaction.TypeOnramp {
		return words.Sum(t.Deposit().String(), t.AmountCurrency)
	}

	return words.Sum(money.Format(t.Debit, t.Decimals), t.Token)
}

func sayPayable(ctx context.Context, q db.Querier, m Message) (saying, bool, error) {
	p, err := payable.ByID(ctx, q, m.Organisation, m.Object)
	if err != nil {
		return saying{}, false, err
	}

	return saying{
		news:   Decisions,
		title:  titled(waits, words.Sum(p.Amount.String(), p.Amount.Asset().Code)),
		lines:  []string{words.Phrase("Payable: %s", p.Name), referred(p.ID)},
		place:  mail.PlaceOf(mail.PayableSummary),
		record: p.ID,
	}, p.Status == payable.Draft, nil
}

func saySchedule(ctx context.Context, q db.Querier, m Message) (saying, bool, error) {
	x, err := schedule.ByID(ctx, q, m.Organisation, m.Object)
	if err != nil {
		return saying{}, false, err
	}

	out := saying{
		news:   Decisions,
		title:  titled(waits, words.Sum(x.Most.String(), x.Most.Asset().Code)),
		record: x.ID,
	}

	var first string

	ok := false

	switch m.Type {
	case "schedule.created":
		first = words.Phrase("A scheduled payment, from %s on", words.OnDay(x.NextDay))
		out.place = mail.PlaceOf(mail.ScheduleWaits)
		ok = x.State == schedule.Waiting

	case "schedule.announced":
		first = words.Phrase("It is paid on %s, unless somebody stops it.", words.OnDay(x.NextDay))
		out.news = Payments
		out.title = titled("Scheduled payment", words.Sum(x.Most.String(), x.Most.Asset().Code))
		out.place = mail.PlaceOf(mail.ScheduleDue)
		ok = x.State == schedule.Active && !x.NextDay.IsZero()

	case "schedule.asked":
		first = words.Phrase("A scheduled payment could not be made as it was accepted, and waits for a person.")
		out.place = mail.PlaceOf(mail.ScheduleAsks)
		ok, err = schedule.StillAsks(ctx, q, x)
	}

	out.lines = []string{first, words.Phrase("To %s", x.Payees), referred(x.ID)}

	return out, ok, err
}

func sayApproval(ctx context.Context, q db.Querier, m Message) (saying, bool, error) {
	a, err := approval.ByID(ctx, q, m.Organisation, m.Object)
	if err != nil {
		return saying{}, false, err
	}

	names, err := user.NamesOf(ctx, q, a.RequestedBy)
	if err != nil {
		return saying{}, false, err
	}

	return saying{
		news:  Decisions,
		title: words.Phrase("Waits for a second person"),
		lines: []string{
			words.Phrase("%s asks for a second person:", names(a.RequestedBy)),
			notice.InMail(a.Kind, a.Object, a.Summary),
		},
		place:  mail.PlaceOf(mail.DecisionNeeded),
		record: a.ID,
	}, a.Status == approval.Pending, nil
}
