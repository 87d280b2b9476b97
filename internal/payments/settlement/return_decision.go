package settlement

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/analysis"
	"slipway/internal/identity/approval"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
	"slipway/internal/rails/bank"
)

// Z-09: a returned payment that is kept as fiat leaves only when two operators decide so. One requests it and sees what
// would happen; the other agrees; a job carries it out after screening or the market was asked again. The approval
// covers what the operators saw: the money that came back, and the version of the bank account.

// ReturnAction is a decision about a return that is kept as fiat.
type ReturnAction string

// The actions.
const (
	Resend   ReturnAction = "RESEND"   // pay it again
	Recredit ReturnAction = "RECREDIT" // send its value to the wallet in tokens
)

// returnDecision is what an operator requests, and the facts it is based on.
type returnDecision struct {
	Transaction    string       `json:"transaction"`
	Position       int          `json:"position"`
	Action         ReturnAction `json:"action"`
	BankAccount    string       `json:"bankAccount,omitempty"`
	AccountVersion int64        `json:"accountVersion,omitempty"`
	Return         string       `json:"return"`
	Units          string       `json:"units"` // of the money that came back, in minor units
}

// askReturn requests a second operator's agreement to an action on a return. It returns RETURN_NOT_OPEN if the action
// could not be carried out now. It refuses to pay again unless screening approves everybody concerned. A second call
// replaces the first request.
func (s *Service) askReturn(ctx context.Context, want returnDecision, done approval.Done) error {
	t, x, err := s.heldReturn(ctx, s.DB, want.Transaction, want.Position)
	if err != nil {
		return err
	}

	screening, err := s.screen(ctx, t)
	if err != nil {
		return err
	}

	if want.Action == Resend && !screening.Clear() {
		return notResendable("%s", screening.Why())
	}

	worth, err := s.worthOf(ctx, t, x, want.Action)
	if err != nil {
		return err
	}

	want.Return = x.ID
	want.Units = x.Amount.Units().String()

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		t, x, payout, version, err := s.returnToSettle(ctx, tx, want)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, t.Version); err != nil {
			return err
		}

		asked := want
		asked.AccountVersion = version

		raw, err := json.Marshal(asked)
		if err != nil {
			return fmt.Errorf("encode decision about return %s: %w", x.ID, err)
		}

		a, err := s.Approvals.Ask(ctx, tx, approval.Request{
			Kind:    approval.Return,
			Object:  t.PaymentID(t.Payments[x.Position].Position),
			Data:    string(raw),
			Summary: want.summary(t, x, payout, worth, screening),
		})
		if err != nil {
			return err
		}

		return done(tx, a)
	})
}

// summary describes to the second operator what would happen, as a value of words.Phrase.
func (d returnDecision) summary(
	t transaction.Transaction,
	x PayoutReturn,
	payout bank.Payout,
	worth quote.Worth,
	screening analysis.Outcome,
) string {
	back := words.Phrase(
		"%[1]s of payment %[2]s of transaction %[3]s came back (%[4]s).",
		approval.Sum(x.Amount),
		strconv.Itoa(x.Position+1),
		t.ID,
		x.RawReason,
	)

	next := payingAgain(payout, d.BankAccount)
	if d.Action == Recredit {
		rate := worth.RateText()
		next = words.Phrase(
			"Its worth goes to the wallet %[1]s on %[2]s: now %[3]s at %[4]s; what counts is the worth when it is "+
				"sent.",
			t.WalletAddress,
			t.Network,
			approval.Sum(money.FromUnits(t.Asset(), worth.Units)),
			words.InEnglish(rate, words.Sum(rate, "")),
		)
	}

	screened := words.Phrase("Screening approves everybody concerned.")
	if !screening.Clear() {
		screened = notCleared(screening)
	}

	return words.List(words.Spaces, back, next, screened)
}

// payingAgain says where a payout goes, as a value of words.Phrase. otherAccount is the bank account that takes the
// place of the first one; empty: none does.
func payingAgain(p bank.Payout, otherAccount string) string {
	account := words.Phrase("the same bank account")
	if otherAccount != "" {
		account = words.Phrase("the other bank account %s", otherAccount)
	}

	return words.Phrase(
		"%[1]s are paid again by %[2]s to %[3]s, to %[4]s (%[5]s, %[6]s).",
		approval.Sum(p.Amount),
		p.Rail,
		p.Creditor.Name,
		account,
		p.Account.Country,
		transaction.Masked(cmp.Or(p.Account.IBAN, p.Account.AccountNumber)),
	)
}

// returnToSettle returns what a decision is about, as it is now. It returns APPROVAL_OVERTAKEN if that differs from
// what the operators saw: other money came back, or the bank account was changed. Before a request exists, it compares
// no version.
func (s *Service) returnToSettle(ctx context.Context, q db.Querier, d returnDecision) (
	t transaction.Transaction, x PayoutReturn, payout bank.Payout, version int64, err error,
) {
	if t, x, err = s.heldReturn(ctx, q, d.Transaction, d.Position); err != nil {
		return t, x, payout, 0, err
	}

	if x.ID != d.Return || x.Amount.Units().String() != d.Units { // a part may have been set off
		return t, x, payout, 0, overtaken("Other money came back")
	}

	if d.Action == Recredit {
		return t, x, payout, 0, nil
	}

	payout, version, err = s.resendPayout(ctx, q, t, x, d.BankAccount, s.DB.Now())
	if err == nil && d.AccountVersion != 0 && d.AccountVersion != version {
		err = overtaken("The bank account was changed")
	}

	return t, x, payout, version, err
}

func overtaken(what string) error {
	return fault.New(fault.Conflict, fault.ApprovalOvertaken, "%s since this was asked for. Ask again.", what)
}

// returnDecided refuses to approve a decision that can no longer be carried out.
func (s *Service) returnDecided(ctx context.Context, tx *db.Tx, a approval.Approval) error {
	if a.Status != approval.Approved {
		return nil
	}

	d, err := decisionOf[returnDecision](a)
	if err != nil {
		return err
	}

	_, _, _, _, err = s.returnToSettle(ctx, tx, d)

	return err
}

// settleReturn carries out what two operators have decided about a return. It is called again until it has succeeded or
// was refused.
func (s *Service) settleReturn(ctx context.Context, a approval.Approval, done func(tx *db.Tx) error) error {
	d, err := decisionOf[returnDecision](a)
	if err != nil {
		return err
	}

	t, x, err := s.heldReturn(ctx, s.DB, d.Transaction, d.Position)
	if err != nil {
		return err
	}

	if d.Action == Resend { // what the treasury sends has its own screening
		if err := s.checkScreening(ctx, t); err != nil {
			return err
		}
	}

	worth, err := s.worthOf(ctx, t, x, d.Action)
	if err != nil {
		return err
	}

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		t, x, payout, _, err := s.returnToSettle(ctx, tx, d)
		if err != nil {
			return err
		}

		if d.Action == Resend {
			err = s.payAgain(ctx, tx, t, x, payout)
		} else {
			err = s.giveWorthBack(ctx, tx, t, x, worth)
		}

		if err != nil {
			return err
		}

		return done(tx)
	})
}

// giveWorthBack converts a return that was kept as fiat back into tokens and requests their sending to the wallet.
func (s *Service) giveWorthBack(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	x PayoutReturn,
	worth quote.Worth,
) error {
	if err := s.recredit(ctx, tx, t, x, worth); err != nil {
		return err
	}

	return s.progress(ctx, tx, t)
}

// worthOf asks the market for the present value of a return, if it is to be given back in tokens.
func (s *Service) worthOf(
	ctx context.Context,
	t transaction.Transaction,
	x PayoutReturn,
	action ReturnAction,
) (quote.Worth, error) {
	if action != Recredit {
		return quote.Worth{}, nil
	}

	return s.Quotes.Worth(ctx, x.Amount, t.Asset())
}

// checkScreening refuses to pay anybody whom screening rejects. While a screening question is open it returns another
// error, and the job retries.
func (s *Service) checkScreening(ctx context.Context, t transaction.Transaction) error {
	screening, err := s.screen(ctx, t)

	switch {
	case err != nil:
		return err
	case screening.Rejected():
		return notResendable("%s", screening.Why())
	case !screening.Clear():
		return fmt.Errorf("pay again for %s: %s", t.ID, screening.Why())
	}

	return nil
}

// decisionOf decodes the decision of an approval.
func decisionOf[D any](a approval.Approval) (d D, err error) {
	if err := json.Unmarshal([]byte(a.Data), &d); err != nil {
		return d, fmt.Errorf("decode decision of approval %s: %w", a.ID, err)
	}

	return d, nil
}
