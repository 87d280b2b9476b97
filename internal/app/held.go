package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/user"
	"slipway/internal/payments/settlement"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
	"slipway/internal/platform/words"
	"slipway/internal/rails/bank"
)

// What is held waits for people because nobody knows whether it took effect, or because something is missing. Each item
// carries what says that it did and what says that it did not, and the choices with what each does to the money. Two
// people decide: one asks, a second one approves, and a job carries it out.

// The kinds of held items on a chain. Those at banks have the names of the bank's alerts.
const (
	sendHeld   = "SEND_HELD"
	tokensKept = "TOKENS_KEPT"
)

// heldView is something that waits for people, as operators see it.
type heldView struct {
	Subject      string       `json:"subject" example:"txn_01kaj3w8r8q2m5x9v7t4b6c1dn/0" doc:"what is held: a payment's key, a file, an entry"`
	Kind         string       `json:"kind" enum:"PAYOUT_HELD,PAYOUT_UNANSWERED,PAYOUT_CONTRADICTED,PAYOUT_PAYEE_DIFFERS,PAYEE_OUT_OF_DATE,FILE_STUCK,STATEMENT_WAITING,STATEMENT_UNBALANCED,FILE_QUARANTINED,ENTRY_DOUBTFUL,DETAILS_LATE,PAYMENT_UNKNOWN,RETURN_UNBOOKED,SEND_HELD,TOKENS_KEPT"`
	Why          string       `json:"why" example:"Nobody knows whether the file reached the bank." doc:"why it waits"`
	Since        time.Time    `json:"since" doc:"since when it waits"`
	Transaction  string       `json:"transaction,omitempty" example:"txn_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"the transaction that it is of"`
	Amount       string       `json:"amount,omitempty" example:"1250.50" doc:"what it moves"`
	Asset        string       `json:"asset,omitempty" example:"EUR" doc:"in what"`
	Payee        string       `json:"payee,omitempty" example:"Alice Keller" doc:"who is to be paid"`
	Account      string       `json:"account,omitempty" example:"DE02120300000000202051" doc:"account or wallet of the payee, whole"`
	File         string       `json:"file,omitempty" example:"bfl_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"the bank file that it is in, or is"`
	TookEffect   []string     `json:"tookEffect" example:"[\"It was certainly at the bank on 2026-11-25T19:57:49Z.\"]" doc:"what says that it took effect"`
	TookNoEffect []string     `json:"tookNoEffect" example:"[\"No statement that was read has booked a debit for it.\"]" doc:"what says that it did not"`
	Choices      []heldChoice `json:"choices" doc:"what two people may decide; none: it ends by itself, or by asking the bank"`
	EndsBy       string       `json:"endsBy" example:"asking the bank" doc:"what ends it without a decision"`
}

// heldChoice is one decision that ends a hold.
type heldChoice struct {
	Action string `json:"action" enum:"ARRIVED,SEND_AGAIN,PLAN_AGAIN,REJECT,BOOK,DROP,CORRECT,RESEND,GIVE_UP" doc:"RESEND and GIVE_UP are asked for at the transaction: POST /operations/transactions/{id}/resend and give-up"`
	Effect string `json:"effect" example:"The amount goes back to the organisation." doc:"what it does to the money"`
}

// choices are the decisions about alerts of banks, by kind. For PAYOUT_HELD see payoutChoices.
func bankChoices(kind string) []heldChoice {
	switch kind {
	case bank.AlertWaiting:
		return []heldChoice{
			{string(bank.ActBook), "It is booked although what comes before is missing. Its payments count."},
			{string(bank.ActDrop), "It is laid aside. Nothing of it is booked."},
		}

	case bank.AlertQuarantined:
		return []heldChoice{{
			string(bank.ActDrop),
			"It is laid aside and leaves the list. Nothing of it is booked, also if it is imported again.",
		}}

	case bank.AlertUnbalanced:
		return []heldChoice{{string(bank.ActBook), "The file counts as it is, with the difference. No money moves."}}

	case bank.AlertDoubt:
		return []heldChoice{
			{string(bank.ActBook), "It is a movement of its own and counts, too."},
			{string(bank.ActDrop), "It is the same movement as the other entry and counts once."},
		}

	case bank.AlertCorrection:
		return []heldChoice{
			{
				string(bank.ActCorrect),
				"The payee's account is changed to what the bank says is right. Nothing is paid to it for a day; no money moves.",
			},
			{string(bank.ActDrop), "The account stays as it is. The next payment to it may come back."},
		}

	case bank.AlertUnknown:
		return []heldChoice{{
			string(bank.ActDrop),
			"Its transaction is accounted for. The payment is not sent again, even if it is planned anew.",
		}}
	}

	return []heldChoice{}
}

// payoutChoices returns what ends the hold of a payout.
func payoutChoices(p bank.PayoutStatus) []heldChoice {
	reject := heldChoice{
		string(bank.ActReject),
		"It was not and will not be executed. Its amount goes back to the organisation.",
	}

	if p.Reason.Code == bank.HoldUnwritable {
		again := heldChoice{string(bank.ActPlanAgain), "It was in no file that left. Another file pays it, once."}
		return []heldChoice{again, reject}
	}

	arrived := heldChoice{
		string(bank.ActArrived),
		"The bank has it. Nothing is sent; its payments wait for the bank's reports.",
	}
	if p.Reason.Code != bank.HoldUnknown {
		return []heldChoice{arrived, reject}
	}

	return []heldChoice{arrived, {
		string(bank.ActSendAgain),
		"The bank does not have the file. The same bytes leave once more, under the same name: a bank that has them " +
			"after all refuses the copy.",
	}, reject}
}

// endsBy returns what ends an alert of a bank without a decision.
func endsBy(kind string) string {
	switch kind {
	case bank.AlertWaiting, bank.AlertUnbalanced:
		return "the statement that is missing"
	case bank.AlertLate:
		return "itself, after two weeks"
	case bank.AlertCorrection:
		return "nothing: the bank may refuse the next payment to this account"
	case bank.AlertPayee:
		return "your decision at the bank, in its portal or with a signature"
	}

	return "the bank's word: ask the bank"
}

// heldRoutes registers what operators see of holds, and decide about them.
func (a *App) heldRoutes(api *web.API) {
	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/operations/held",
		ID:      "listHeld",
		Tag:     "operations",
		Access:  web.Operator,
		Summary: "List what waits for people, with the evidence and the choices",
		Description: "Payments whose outcome nobody knows, files and entries of banks that cannot be booked, and sends " +
			"on hold; the oldest come first. At most 200 of each kind; total counts all of them.",
	}, a.listHeld)

	web.Register(api, web.Operation{
		Method:  "POST",
		Path:    "/operations/held/decision",
		ID:      "decideHeld",
		Tag:     "operations",
		Access:  web.Operator,
		StepUp:  true,
		Status:  202,
		Summary: "Ask a second operator to end a hold at a bank",
		Description: "action is one of the item's choices. A job carries it out when the second one has approved (POST " +
			"/operations/approvals/{id}/decision). What is held on a chain is decided at its transaction.",
	}, a.askHeld)

	a.Approvals.Handle(approval.BankHold, approval.Handler{
		Roles:   []string{user.Operator},
		Decided: a.bankHoldDecided,
		After:   a.settleBankHold,
	})
}

// listHeld reads every hold. The chain's come with their attempts, those of banks with their payout.
func (a *App) listHeld(ctx context.Context, _ *struct{}) (*web.List[heldView], error) {
	var (
		all   []heldView
		total int
	)

	err := a.DB.Snapshot(ctx, func(q db.Querier) error {
		all = nil

		sends, onChains, err := a.Settlement.OnHold(ctx, q)
		if err != nil {
			return err
		}

		for _, h := range sends {
			all = append(all, sendView(h))
		}

		total = onChains

		if a.Bank == nil {
			return nil
		}

		alerts, err := a.Bank.Attention(ctx, q)
		if err != nil {
			return err
		}

		atBanks, err := a.alertViews(ctx, q, alerts)
		if err != nil {
			return err
		}

		all = append(all, atBanks...)

		counts, err := a.Bank.Alerts(ctx, q)
		for _, n := range counts {
			total += n
		}

		return err
	})
	slices.SortStableFunc(all, func(x, y heldView) int { return x.Since.Compare(y.Since) })
	l := web.NewList(all, int64(total), "")

	return &l, err
}

// alertViews returns alerts as operators see them.
func (a *App) alertViews(ctx context.Context, q db.Querier, alerts []bank.Alert) (out []heldView, err error) {
	out = make([]heldView, len(alerts))
	for i, x := range alerts {
		if out[i], err = a.alertView(ctx, q, x); err != nil {
			return nil, err
		}
	}

	return out, nil
}

// alertView adds to an alert the payout that it is about, if any, and the choices.
func (a *App) alertView(ctx context.Context, q db.Querier, x bank.Alert) (heldView, error) {
	v := heldView{
		Subject:      x.Subject,
		Kind:         x.Kind,
		Why:          x.Text,
		Since:        x.Since.Truncate(time.Millisecond),
		TookEffect:   []string{},
		TookNoEffect: []string{},
		Choices:      bankChoices(x.Kind),
		EndsBy:       endsBy(x.Kind),
	}

	if x.Kind == bank.AlertCorrection {
		return a.correctionView(ctx, q, v)
	}

	if !strings.HasPrefix(x.Kind, "PAYOUT_") && x.Kind != bank.AlertReturn {
		if strings.HasPrefix(x.Kind, "STATEMENT_") || strings.HasPrefix(x.Kind, "FILE_") {
			v.File = x.Subject
		}

		return v, nil
	}

	p, err := a.Bank.Status(ctx, q, x.Subject)
	if err != nil {
		return v, err
	}

	v.Transaction = p.Object
	v.Amount = p.Amount.String()
	v.Asset = p.Currency
	v.Payee = p.Creditor.Name
	v.Account = cmp.Or(p.Account.IBAN, p.Account.AccountNumber)
	v.File = p.File
	v.TookEffect, v.TookNoEffect = payoutEvidence(p)

	if x.Kind == bank.AlertHeld {
		v.Choices = payoutChoices(p)
		v.Why = cmp.Or(p.Reason.Text, x.Text)
	}

	if x.Kind == bank.AlertPayee {
		v.Why = p.Payee.Text()
	}

	return v, nil
}

// correctionView adds the payment and the payee whose account the bank speaks of.
func (a *App) correctionView(ctx context.Context, q db.Querier, v heldView) (heldView, error) {
	c, p, err := a.Bank.Correction(ctx, q, v.Subject)
	if err != nil {
		return v, err
	}

	v.Transaction = p.Object
	v.Amount = p.Amount.String()
	v.Asset = p.Currency
	v.Payee = p.Creditor.Name
	v.Account = strings.TrimSpace(p.Account.RoutingNumber + " " + p.Account.AccountNumber)

	if !c.Applies() {
		v.Choices = slices.DeleteFunc(v.Choices, func(c heldChoice) bool { return c.Action == string(bank.ActCorrect) })
	}

	return v, nil
}

// payoutEvidence returns what is known of a payout, for and against that the bank has executed it or will.
func payoutEvidence(p bank.PayoutStatus) (took, tookNot []string) {
	took, tookNot = []string{}, []string{}

	if p.Movement != "" {
		took = append(took, "A statement has booked the debit: entry "+p.Movement+".")
	} else {
		tookNot = append(tookNot, "No statement that was read has booked a debit for it.")
	}

	if !p.HandedOverAt.IsZero() {
		took = append(took, "It was certainly at the bank on "+p.HandedOverAt.UTC().Format(time.RFC3339)+".")
	}

	switch {
	case p.File == "":
		tookNot = append(tookNot, "It is in no file that left.")
	case p.HandedOverAt.IsZero():
		took = append(
			took,
			fmt.Sprintf("It is in the file %s (message %s), which may have left.", p.FileName, p.MessageID),
		)
		tookNot = append(tookNot, "No report of the bank names the file or the payment.")
	}

	if p.Conflict != "" {
		took = append(took, "The bank has reported what contradicts its state: "+p.Conflict)
	}

	return took, tookNot
}

// sendView is a hold on a chain.
func sendView(h settlement.OnHold) heldView {
	v := heldView{
		Subject:      h.Key,
		Kind:         sendHeld,
		Why:          h.Why,
		Since:        h.Since.Truncate(time.Millisecond),
		Transaction:  h.Transaction,
		Amount:       h.Amount.String(),
		Asset:        h.Amount.Asset().Code,
		Account:      h.To,
		TookEffect:   []string{},
		TookNoEffect: []string{},
		Choices: []heldChoice{{
			string(settlement.SendAgain),
			"It is sent anew. The router takes each number once, so even a mistake cannot pay twice.",
		}},
		EndsBy: "an attempt that is in a block after all",
	}

	if h.Kept {
		v.Kind = tokensKept
		v.EndsBy = "nothing: the wallet has to accept tokens first"
		v.TookNoEffect = append(
			v.TookNoEffect,
			"The call was reverted: the wallet refused the tokens. They are in the treasury.",
		)

		return v
	}

	v.Choices = append(v.Choices, heldChoice{
		string(settlement.GiveUp),
		"The router is asked whether it has taken the number. If it has not, the transaction ends and its amount goes back.",
	})

	for _, x := range h.Status.Attempts {
		if x.Broadcasts > 0 {
			v.TookEffect = append(
				v.TookEffect,
				fmt.Sprintf("%s was broadcast %d times, last answer %s.", x.Hash, x.Broadcasts, x.Outcome),
			)
		}
	}

	if h.Status.Block < 0 {
		v.TookNoEffect = append(v.TookNoEffect, "None of its attempts is in a block.")
	} else {
		v.TookEffect = append(v.TookEffect, fmt.Sprintf("%s is in block %d.", h.Status.Hash, h.Status.Block))
	}

	if len(h.Status.Attempts) == 0 {
		v.TookNoEffect = append(v.TookNoEffect, "It was never broadcast.")
	}

	return v
}

type heldDecisionIn struct {
	Body struct {
		Subject string `json:"subject" maxLength:"200" doc:"as the list of holds names it"`
		Action  string `json:"action" enum:"ARRIVED,SEND_AGAIN,PLAN_AGAIN,REJECT,BOOK,DROP,CORRECT" doc:"one of its choices"`
		Reason  string `json:"reason" minLength:"1" maxLength:"500" doc:"why, for the second operator. It is recorded"`
	}
}

// bankHold is what an operator has asked for.
type bankHold struct {
	Action bank.Action `json:"action"`
	Why    string      `json:"why"` // the item waits for, when it was asked
	Note   string      `json:"note"`
}

// corrected returns what exactly is approved about a payee's account: all that the bank says of it, whose it is, and
// what it is now. It is empty for other holds.
func corrected(v heldView) string {
	if v.Kind != bank.AlertCorrection {
		return ""
	}

	return v.Payee + ", " + v.Account + ". " + v.Why
}

func (a *App) askHeld(ctx context.Context, in *heldDecisionIn) (*approval.View, error) {
	return web.OnceOf(ctx, 202, a.Approvals.Show(ctx), func(done func(*db.Tx, approval.Approval) error) error {
		return a.AskHold(ctx, in.Body.Subject, bank.Action(in.Body.Action), in.Body.Reason, done)
	})
}

// AskHold asks a second operator to end a hold at a bank. It refuses an action that does not end it. A second call
// replaces the first request.
func (a *App) AskHold(
	ctx context.Context, subject string, action bank.Action, reason string, done approval.Done,
) error {
	reason, err := approval.Reason("/reason", reason)
	if err != nil {
		return err
	}

	return a.DB.Write(ctx, func(tx *db.Tx) error {
		v, c, err := a.heldChoiceOf(ctx, tx, subject, string(action))
		if err != nil {
			return err
		}

		raw, err := json.Marshal(bankHold{Action: action, Why: v.Why, Note: reason})
		if err != nil {
			return fmt.Errorf("encode the decision about %s: %w", v.Subject, err)
		}

		ap, err := a.Approvals.Ask(ctx, tx, approval.Request{
			Kind:   approval.BankHold,
			Object: v.Subject,
			Data:   string(raw),
			Summary: words.Phrase(
				"%[1]s: %[2]s",
				c.Action,
				words.List(words.Spaces, v.Subject, words.Phrase(c.Effect), corrected(v), reason),
			),
		})
		if err != nil {
			return err
		}

		return done(tx, ap)
	})
}

// heldChoiceOf returns what is held under a subject, and one of its choices.
func (a *App) heldChoiceOf(ctx context.Context, q db.Querier, subject, action string) (heldView, heldChoice, error) {
	if a.Bank == nil {
		return heldView{}, heldChoice{}, fault.Missing("hold")
	}

	alerts, err := a.Bank.AttentionTo(ctx, q, subject)
	if err != nil {
		return heldView{}, heldChoice{}, err
	}

	all, err := a.alertViews(ctx, q, alerts)
	if err != nil {
		return heldView{}, heldChoice{}, err
	}

	for _, v := range all {
		for _, c := range v.Choices {
			if c.Action == action {
				return v, c, nil
			}
		}
	}

	if len(all) == 0 {
		return heldView{}, heldChoice{}, fault.Missing("hold")
	}

	var l fault.List
	l.Add("/action", fault.NotAllowed, "does not end this hold; its choices do.")

	return heldView{}, heldChoice{}, l.Err()
}

// bankHoldDecided refuses the approval if it is no longer held as it was when the request was made.
func (a *App) bankHoldDecided(ctx context.Context, tx *db.Tx, ap approval.Approval) error {
	if ap.Status != approval.Approved {
		return nil
	}

	var asked bankHold
	if err := json.Unmarshal([]byte(ap.Data), &asked); err != nil {
		return fmt.Errorf("decode the decision of %s: %w", ap.ID, err)
	}

	v, _, err := a.heldChoiceOf(ctx, tx, ap.Object, string(asked.Action))
	if _, known := fault.As(err); known || err == nil && v.Why != asked.Why {
		return fault.New(
			fault.Conflict,
			fault.ApprovalOvertaken,
			"It is no longer held as it was. Look again, and ask again.",
		)
	}

	return err
}

// settleBankHold carries out what two operators have decided. What is no longer held was carried out by an earlier
// call.
func (a *App) settleBankHold(ctx context.Context, ap approval.Approval, done func(tx *db.Tx) error) error {
	var asked bankHold
	if err := json.Unmarshal([]byte(ap.Data), &asked); err != nil {
		return fmt.Errorf("decode the decision of %s: %w", ap.ID, err)
	}

	err := a.Bank.End(ctx, ap.Object, bank.Decision{
		Action:     asked.Action,
		AskedBy:    ap.RequestedBy,
		ApprovedBy: ap.DecidedBy,
		Note:       asked.Note,
	})
	if err != nil && !errors.Is(err, bank.ErrNotHeld) && !errors.Is(err, bank.ErrNotWaiting) {
		return err
	}

	return a.DB.Write(ctx, done)
}
