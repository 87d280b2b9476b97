package settlement

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/rails/bank"
)

// A payment that comes back is worth what its fiat is worth then: the conversion was final, and nobody holds an option
// on its rate. The organisation's policy decides whether its value goes back to the wallet in tokens or stays here as
// fiat. The difference to its value when it was paid is booked on an account of its own.

// returnKind is the kind of the job that gives a return back in tokens.
const returnKind = "return"

// Returned is called when money of an executed payout came back (D-09), all of it or a part. The transaction keeps its
// status: COMPLETED never goes back. A payment of which only charges are missing is RETURNED.
func (s *Service) Returned(ctx context.Context, tx *db.Tx, p bank.Payout, r bank.Return) error {
	if entry, ok := refundedDeposit(p.Key); ok {
		return s.depositCameBack(ctx, tx, p, r, entry)
	}

	t, position, ok, err := s.paymentOf(ctx, tx, p)
	if err != nil || !ok {
		return err
	}

	return s.cameBack(ctx, tx, t, position, p, r, ledger.OnBank(p.From, r.Entry.Amount, p.EndToEndID))
}

// settleAsReturn makes a deposit in suspense the return of a payment, as two people have decided (F-10).
func (s *Service) settleAsReturn(
	ctx context.Context,
	tx *db.Tx,
	d reconcile.Deposit,
	key string,
) (transaction.Transaction, error) {
	t, position, ok, err := s.paymentOf(ctx, tx, bank.Payout{Key: key})
	if errors.Is(err, db.ErrNone) || err == nil && !ok {
		return t, reconcile.NoReturn("There is no such payment of ours to a bank account.")
	}

	if err != nil {
		return t, err
	}

	p, r, err := s.Bank.TakeBack(ctx, tx, key, d.Entry)
	if errors.Is(err, bank.ErrNotReturn) {
		return t, reconcile.NoReturn(
			"The payment was not executed from the account of the deposit, or less of it is still out.",
		)
	}

	if err != nil {
		return t, err
	}

	return t, s.cameBack(ctx, tx, t, position, p, r, []ledger.Posting{
		{Account: d.Stands(), Amount: d.Amount.Neg(), Memo: d.Entry},
		{Account: ledger.SenderAccount(p.Currency), Amount: d.Amount, Memo: d.Entry},
	})
}

// cameBack records that money of a payment came back and carries out the organisation's policy. arrived are the
// postings of the money's arrival.
func (s *Service) cameBack(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	position int,
	p bank.Payout,
	r bank.Return,
	arrived []ledger.Posting,
) error {
	before, err := ReturnsOf(ctx, tx, t.ID)
	if err != nil {
		return err
	}

	policy, err := PolicyOf(ctx, tx, t.Organisation)
	if err != nil {
		return fmt.Errorf("return policy of %s: %w", t.Organisation, err)
	}

	x := returned(t, position, p, r, policy)
	if err := ledger.Post(tx, returnJournal(t, x, arrived)); err != nil {
		return err
	}

	insertReturn(tx, x)

	if x.State == ReturnReceived {
		s.Jobs.Enqueue(tx, returnKind, returnKind+"/"+x.ID, x.ID)
	}

	part := fmt.Sprintf("%s %s of payment %d came back.", x.Amount, p.Currency, position+1)
	if r.Complete && latest(before, p.Key, position) &&
		transaction.PaymentTable().Allows(t.Payments[position].Outcome, transaction.PaymentReturned) {
		part = ""

		if err := setOutcome(
			tx,
			&t,
			position,
			transaction.PaymentReturned,
			"sent back by the bank: "+because(r.Reason),
		); err != nil {
			return err
		}
	}

	_, err = s.tellReturn(ctx, tx, t, part)

	return err
}

// returned makes the record of a return.
func returned(t transaction.Transaction, position int, p bank.Payout, r bank.Return, policy Policy) PayoutReturn {
	x := PayoutReturn{
		ID:           r.Entry.ID,
		Payout:       p.Key,
		Transaction:  t.ID,
		Position:     position,
		Organisation: t.Organisation,
		Amount:       r.Amount,
		Deducted:     r.Deducted,
		Reason:       normalised(r.Reason.Code),
		RawReason:    r.Reason.Code,
		Scheme:       schemeOf(p.Rail),
		EndToEndID:   p.EndToEndID,
		Policy:       policy,
		State:        ReturnHeld,
		ReceivedAt:   r.Entry.BookedAt,
	}
	if policy == PolicyRecredit {
		x.State = ReturnReceived
	}

	return x
}

// stands returns the account on which a return's money is until it is given back or paid again.
func (x PayoutReturn) stands() ledger.Account {
	if x.State == ReturnReceived {
		return ledger.ReturnClearing(x.Amount.Asset().Code)
	}

	return ledger.HeldAccount(x.Amount.Asset().Code, x.Organisation)
}

// returnJournal returns the journal that takes the returned money from the payee.
func returnJournal(t transaction.Transaction, x PayoutReturn, arrived []ledger.Posting) ledger.Journal {
	payment := t.Payments[x.Position]
	memo := t.PaymentID(payment.Position)

	return ledger.Journal{
		Key:          x.Payout + "/returned/" + x.ID,
		Kind:         "returned",
		Organisation: t.Organisation,
		Transaction:  t.ID,
		Postings: append(arrived,
			ledger.Posting{Account: ledger.PayeeAccount(payment.Receiver), Amount: x.Amount.Neg(), Memo: memo},
			ledger.Posting{Account: x.stands(), Amount: x.Amount, Memo: memo}),
	}
}

// latest reports whether a payout is the last one of its payment, so that none was paid again after it.
func latest(returns []PayoutReturn, key string, position int) bool {
	resent := 0
	for _, r := range returns {
		if r.Position == position && r.State == ReturnResent {
			resent++
		}
	}

	return attempt(key) > resent
}

// tellReturn moves a transaction to RETURNED with the event transaction.returned, if it has come far enough. One that
// still has payments at the bank reports the return when it is completed. part is the statusInfo for a payment that
// stays paid.
func (s *Service) tellReturn(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	part string,
) (transaction.Transaction, error) {
	step := transaction.Step{
		Status: t.Status,
		Info:   strings.TrimSpace(info(t, tally(t), 0, 0) + " " + part),
		What:   "returned",
	}
	if t.Status == transaction.StatusCompleted &&
		transaction.SettlementTableOf(t.Type).Allows(t.Settlement, transaction.SettlementReturned) {
		step.Settlement = transaction.SettlementReturned
	}

	return s.Transactions.Advance(ctx, tx, t, step)
}

// Revalue gives a return back in tokens: it asks the market for the fiat's present value and requests that the treasury
// sends that. While there is no rate, or while the organisation owes the house, the return stays where it is and is
// retried. A second call finds what the first has written.
func (s *Service) Revalue(ctx context.Context, id string) error {
	x, err := returnByID(ctx, s.DB, id)
	if errors.Is(err, db.ErrNone) || err == nil && x.State != ReturnReceived {
		return nil
	}

	if err != nil {
		return err
	}

	t, err := transaction.ByID(ctx, s.DB, x.Transaction)
	if err != nil {
		return fmt.Errorf("transaction of return %s: %w", x.ID, err)
	}

	if !t.ContentUnchanged() {
		return s.keepReturn(ctx, x, changedWhy)
	}

	worth, err := s.Quotes.Worth(ctx, x.Amount, t.Asset())
	if f, ok := fault.As(err); ok && f.Kind != fault.Unavailable {
		return s.keepReturn(ctx, x, f.Detail)
	}

	if err != nil {
		return fmt.Errorf("worth of return %s: %w", x.ID, err) // unknown is not zero: the job asks again
	}

	failpoint.Hit("return.valued")

	return passed(s.DB.Write(ctx, func(tx *db.Tx) error {
		now, err := returnByID(ctx, tx, x.ID)
		if err != nil || now.State != ReturnReceived {
			return err
		}

		blocked, err := reconcile.Blocked(ctx, tx, x.Organisation)
		if err != nil || blocked {
			return err // the sweep retries
		}

		t, err := transaction.ByID(ctx, tx, x.Transaction)
		if err != nil {
			return err
		}

		return s.recredit(ctx, tx, t, now, worth)
	}))
}

// keepReturn keeps as fiat a return that cannot be given back in tokens; a person acts next.
func (s *Service) keepReturn(ctx context.Context, x PayoutReturn, why string) error {
	return passed(s.DB.Write(ctx, func(tx *db.Tx) error {
		now, err := returnByID(ctx, tx, x.ID)
		if err != nil || now.State != ReturnReceived {
			return err
		}

		s.alarm(tx, "a returned payment is kept as fiat", "return", x.ID, "transaction", x.Transaction, "why", why)
		moveReturn(tx, now, ReturnHeld)

		return ledger.Post(tx, ledger.Journal{
			Key:          x.Payout + "/kept/" + x.ID,
			Kind:         "kept",
			Organisation: x.Organisation,
			Transaction:  x.Transaction,
			Postings: []ledger.Posting{
				{Account: now.stands(), Amount: x.Amount.Neg()},
				{Account: ledger.HeldAccount(x.Amount.Asset().Code, x.Organisation), Amount: x.Amount},
			},
		})
	}))
}

// SweepReturns enqueues again the jobs of returns that wait longer than a job takes, because the job was lost or there
// was no rate.
func (s *Service) SweepReturns(ctx context.Context) error {
	waiting, err := unvaluedReturns(ctx, s.DB, db.Micros(s.DB.Now().Add(-strandedIn)), sweepPage)
	if err != nil || len(waiting) == 0 {
		return err
	}

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		for _, x := range waiting {
			s.Jobs.Demand(tx, returnKind, returnKind+"/"+x.ID, x.ID)
		}

		return nil
	})
}

// recredit converts returned fiat back into tokens at its present value and requests their sending to the wallet.
func (s *Service) recredit(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	x PayoutReturn,
	worth quote.Worth,
) error {
	_, prices, err := s.prices(ctx, tx, t)
	if err != nil {
		return err
	}

	then := proportion(prices[x.Position].line.TokenUnits, x.Amount.Units(), t.Payments[x.Position].FiatUnits)
	if err := ledger.Post(tx, recreditJournal(t, x, then, worth.Units)); err != nil {
		return err
	}

	x.Rate = worth.RateText()

	x.TokenUnits = worth.Units.String()
	if worth.Units.Sign() == 0 {
		moveReturn(tx, x, ReturnRefunded)
		return nil
	}

	moveReturn(tx, x, ReturnRefunding)
	s.askLater(tx, t.ID)

	return s.want(tx, t, returnKey(x), x.Position, t.WalletAddress, worth.Units)
}

// recreditJournal returns the journal that reverses the conversion of what came back. then is its value in base units
// of the token at the transaction's rate; now is what is given back. The rest is the change of the rate.
func recreditJournal(t transaction.Transaction, x PayoutReturn, then, now *big.Int) ledger.Journal {
	memo := t.PaymentID(t.Payments[x.Position].Position)
	fx := ledger.FxAccount(t.Token, x.Amount.Asset().Code)

	lines := []ledger.Posting{
		{Account: x.stands(), Amount: x.Amount.Neg(), Memo: memo},
		{Account: fx, Amount: x.Amount, Memo: memo},
	}

	for _, tokens := range []struct {
		account ledger.Account
		units   *big.Int
	}{
		{fx, new(big.Int).Neg(then)},
		{ledger.ConvertClearing(t.Network), now},
		{ledger.ReturnDifference(t.Network), new(big.Int).Sub(then, now)},
	} {
		if tokens.units.Sign() != 0 {
			lines = append(lines, ledger.Posting{
				Account: tokens.account,
				Amount:  money.FromUnits(t.Asset(), tokens.units),
				Memo:    memo,
			})
		}
	}

	return ledger.Journal{
		Key:          x.Payout + "/recredit/" + x.ID,
		Kind:         "recredit",
		Organisation: t.Organisation,
		Transaction:  t.ID,
		Postings:     lines,
	}
}

// returnKey returns the key of what the treasury sends for a return. It follows from the bank's entry, so that a
// restored database makes the same key.
func returnKey(x PayoutReturn) string {
	return fmt.Sprintf("transaction/%s/%s/%s", x.Transaction, returnWord, strings.ReplaceAll(x.ID, "/", "."))
}

// proportion returns units × part ÷ all, rounded down, and at most units.
func proportion(units, part, all *big.Int) *big.Int {
	if part.Cmp(all) >= 0 {
		return new(big.Int).Set(units)
	}

	out := new(big.Int).Mul(units, part)

	return out.Quo(out, all)
}

// returnEnded moves the return that a sending belongs to from one state to the next. It does nothing for a sending with
// another reason.
func (s *Service) returnEnded(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	x TreasurySend,
	from, to ReturnState,
) error {
	all, err := ReturnsOf(ctx, tx, t.ID)
	if err != nil {
		return err
	}

	for _, r := range all {
		if returnKey(r) == x.Key && r.State == from {
			moveReturn(tx, r, to)
		}
	}

	return nil
}

// moreCameBack reports whether more of a payment came back than a sending covers, and is not finished yet.
func moreCameBack(returns []PayoutReturn, x TreasurySend) bool {
	return slices.ContainsFunc(returns, func(r PayoutReturn) bool {
		open := r.State == ReturnReceived || r.State == ReturnHeld || r.State == ReturnRefunding
		return r.Position == x.Position && returnKey(r) != x.Key && open
	})
}

// payAgain pays a returned payment again with what came back, by a payout that repayment has made.
func (s *Service) payAgain(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	x PayoutReturn,
	payout bank.Payout,
) error {
	memo := t.PaymentID(t.Payments[x.Position].Position)
	journal := ledger.Journal{
		Key:          payout.Key + "/resend",
		Kind:         "resend",
		Organisation: t.Organisation,
		Transaction:  t.ID,
		Postings: []ledger.Posting{
			{Account: ledger.HeldAccount(x.Amount.Asset().Code, t.Organisation), Amount: x.Amount.Neg(), Memo: memo},
			{Account: ledger.BankClearing(payout.Rail), Amount: x.Amount, Memo: memo},
		},
	}

	if err := ledger.Post(tx, journal); err != nil {
		return err
	}

	if err := s.Bank.Plan(tx, payout); err != nil {
		return err
	}

	moveReturn(tx, x, ReturnResent)

	_, err := s.Transactions.Advance(ctx, tx, t, transaction.Step{
		Status:     t.Status,
		Settlement: t.Settlement,
		Info:       t.StatusInfo,
		What:       "resent",
	})

	return err
}

// repayment returns the payout that pays a returned payment again with what came back. It goes to the locked bank
// account or to another one of the same receiver, whose version repayment also returns. The payout has its own key and
// so another end-to-end identification.
func (s *Service) repayment(
	ctx context.Context, q db.Querier, t transaction.Transaction, x PayoutReturn, bankAccount string, now time.Time,
) (payout bank.Payout, version int64, err error) {
	p := t.Payments[x.Position]
	if p.Outcome != transaction.PaymentReturned {
		return payout, 0, notResendable(
			"A part of payment %d came back, and the rest is paid; have the worth of the part sent to the wallet.",
			x.Position+1,
		)
	}

	number, err := s.nextAttempt(ctx, q, t, x.Position)
	if err != nil {
		return payout, 0, err
	}

	if p.BankSnapshot, version, err = repaired(ctx, q, t, p, bankAccount, now); err != nil {
		return payout, 0, err
	}

	_, prices, err := s.prices(ctx, q, t)
	if err != nil {
		return payout, 0, err
	}

	p.FiatUnits = x.Amount.Units()

	payout, why, err := s.payoutOf(t, p, prices[x.Position].line, fmt.Sprintf("%s/%d", t.PayoutKey(x.Position), number))
	if err == nil && why != "" {
		err = notResendable("%s.", why)
	}

	return payout, version, err
}

// nextAttempt returns the number of the next attempt to pay a payment.
func (s *Service) nextAttempt(ctx context.Context, q db.Querier, t transaction.Transaction, position int) (int, error) {
	all, err := s.Bank.Payouts(ctx, q, bank.PayoutFilter{Object: t.ID})
	if err != nil {
		return 0, fmt.Errorf("payouts of %s: %w", t.ID, err)
	}

	last := 1

	for _, p := range all {
		if first := t.PayoutKey(position); p.Key == first || strings.HasPrefix(p.Key, first+"/") {
			last = max(last, attempt(p.Key))
		}
	}

	return last + 1, nil
}

// heldReturn returns a return that is kept as fiat. It refuses if nothing may be paid for it: the organisation owes the
// house (D-08), or the content is not what was locked (I8).
func (s *Service) heldReturn(
	ctx context.Context,
	q db.Querier,
	transactionID string,
	position int,
) (t transaction.Transaction, x PayoutReturn, err error) {
	if t, err = transaction.ByID(ctx, q, transactionID); errors.Is(err, db.ErrNone) {
		return t, x, fault.Missing("transaction")
	} else if err != nil {
		return t, x, err
	}

	blocked, err := reconcile.Blocked(ctx, q, t.Organisation)

	switch {
	case err != nil:
		return t, x, err
	case blocked:
		return t, x, notResendable("The organisation owes for a deposit that was taken back; settle that first.")
	case !t.ContentUnchanged():
		return t, x, notResendable(changedWhy)
	}

	all, err := ReturnsOf(ctx, q, transactionID)
	if err != nil {
		return t, x, err
	}

	for _, r := range all {
		if r.Position == position && r.State == ReturnHeld {
			return t, r, nil
		}
	}

	return t, x, notResendable("Nothing of payment %d is kept as fiat.", position+1)
}

// repaired returns the bank account for a second payout: the given one of the same receiver, with its version, or else
// the locked one.
func repaired(
	ctx context.Context, q db.Querier, t transaction.Transaction, p transaction.Payment, id string, now time.Time,
) (snapshot string, version int64, err error) {
	if id == "" {
		return p.BankSnapshot, 0, nil
	}

	a, err := bankaccount.ByID(ctx, q, t.Organisation, id)
	if err != nil {
		return "", 0, err
	}

	if a.Receiver != p.Receiver || a.Currency != p.Currency {
		return "", 0, notResendable("The bank account is not one of the receiver's in %s.", p.Currency)
	}

	if err := a.Takes(p.Reference); err != nil {
		return "", 0, err
	}

	return a.Snapshot(), a.Version, a.Usable(now)
}

func notResendable(format string, args ...any) error {
	return fault.New(fault.Conflict, fault.ReturnNotOpen, format, args...)
}

// resendRefused keeps a payment's fiat again, after the bank has refused the second payout.
func (s *Service) resendRefused(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	position int,
	p bank.Payout,
	why string,
) error {
	memo := t.PaymentID(t.Payments[position].Position)

	if err := ledger.Post(tx, ledger.Journal{
		Key:          p.Key + "/rejected",
		Kind:         "rejected",
		Organisation: t.Organisation,
		Transaction:  t.ID,
		Postings: []ledger.Posting{
			{Account: ledger.BankClearing(p.Rail), Amount: p.Amount.Neg(), Memo: memo},
			{Account: ledger.HeldAccount(p.Amount.Asset().Code, t.Organisation), Amount: p.Amount, Memo: memo},
		},
	}); err != nil {
		return err
	}

	all, err := ReturnsOf(ctx, tx, t.ID)
	if err != nil {
		return err
	}

	for _, r := range slices.Backward(all) { // the last one is what was paid again
		if r.Position == position && r.State == ReturnResent {
			moveReturn(tx, r, ReturnHeld)
			break
		}
	}

	if t.Payments[position].Outcome != transaction.PaymentReturned {
		if err := setOutcome(
			tx,
			&t,
			position,
			transaction.PaymentReturned,
			"refused when it was paid again: "+why,
		); err != nil {
			return err
		}
	}

	_, err = s.tellReturn(ctx, tx, t, "")

	return err
}

// normalised returns a bank's reason as the code that clients see, whatever the scheme: ISO 20022 external return
// reasons (EPC135-18 lists those of SEPA) and NACHA's R-codes.
func normalised(code string) string {
	switch code {
	case "AC04", "AC07", "R02":
		return "ACCOUNT_CLOSED"
	case "AC01", "AC02", "AC03", "AC13", "R03", "R04", "R13":
		return "ACCOUNT_UNKNOWN"
	case "AC06", "AC14", "R16", "R20":
		return "ACCOUNT_BLOCKED"
	case "BE01", "BE04", "BE05", "R17":
		return "NAME_MISMATCH"
	case "MS02", "MS03", "MD07", "CUST", "R23":
		return "REFUSED_BY_BENEFICIARY"
	case "RR01", "RR02", "RR03", "RR04", "AG01", "R31":
		return "REGULATORY"
	case "AM05", "DUPL", "R24":
		return "DUPLICATE"
	case "FRAD", "FRTR":
		return "FRAUD"
	case "TECH", "CNOR", "DNOR", "ED05", "TM01":
		return "TECHNICAL"
	}

	return "NOT_SPECIFIED"
}

// schemeOf returns the name of a rail's scheme, as returns use it.
func schemeOf(rail string) string {
	switch rail {
	case "SEPA_INSTANT":
		return "SEPA"
	case "FASTER_PAYMENTS":
		return "FPS"
	}

	return rail
}
