package settlement

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank"
)

// Returned is called when money of an executed payout came back (D-09). The transaction's status stays what it is: COMPLETED never goes
// back. The payment is RETURNED, and what becomes of the money is the organisation's policy.
func (s *Service) Returned(ctx context.Context, tx *db.Tx, p bank.Payout, r bank.Return) error {
	if entry, ok := refundedDeposit(p.Key); ok {
		return s.depositCameBack(ctx, tx, p, r, entry)
	}
	t, position, ok, err := s.paymentOf(ctx, tx, p)
	if err != nil || !ok {
		return err
	}
	policy, err := PolicyOf(ctx, tx, t.Organisation)
	if err != nil {
		return fmt.Errorf("return policy of %s: %w", t.Organisation, err)
	}
	x := PayoutReturn{ID: r.Entry.ID, Payout: p.Key, Transaction: t.ID, Position: position, Organisation: t.Organisation, Amount: r.Amount, Deducted: r.Deducted,
		Reason: normalised(r.Reason.Code), RawReason: r.Reason.Code, Scheme: schemeOf(p.Rail), EndToEndID: p.EndToEndID, Policy: policy, State: ReturnHeld, ReceivedAt: r.Entry.BookedAt}
	payment := t.Payments[position]
	memo := t.PaymentID(payment.Position)
	to := ledger.HeldAccount(r.Amount.Asset().Code, t.Organisation)
	if policy == PolicyRecredit {
		x.State, to = ReturnRefunding, ledger.ReturnClearing(r.Amount.Asset().Code)
	}
	lines := append(ledger.OnBank(p.From, r.Entry.Amount, p.EndToEndID), ledger.Posting{Account: ledger.PayeeAccount(payment.Receiver), Amount: r.Amount.Neg(), Memo: memo},
		ledger.Posting{Account: to, Amount: r.Amount, Memo: memo})
	if err := ledger.Post(tx, ledger.Journal{Key: p.Key + "/returned", Kind: "returned", Organisation: t.Organisation, Transaction: t.ID, Postings: lines}); err != nil {
		return err
	}
	insertReturn(tx, x)
	if err := setOutcome(tx, &t, position, transaction.PaymentReturned, "sent back by the bank: "+because(r.Reason)); err != nil {
		return err
	}
	if t, err = s.tellReturn(ctx, tx, t); err != nil {
		return err
	}
	if policy != PolicyRecredit {
		return nil
	}
	return s.recredit(ctx, tx, t, x, ledger.ReturnClearing(r.Amount.Asset().Code))
}

// tellReturn moves a transaction to RETURNED with the event transaction.returned, where it is far enough for that; one that still has
// payments at the bank tells it when it is completed.
func (s *Service) tellReturn(ctx context.Context, tx *db.Tx, t transaction.Transaction) (transaction.Transaction, error) {
	step := transaction.Step{Status: t.Status, Info: info(t, tally(t), 0, 0), What: "returned"}
	if t.Status == transaction.StatusCompleted && transaction.SettlementTableOf(t.Type).Allows(t.Settlement, transaction.SettlementReturned) {
		step.Settlement = transaction.SettlementReturned
	}
	return s.Transactions.Advance(ctx, tx, t, step)
}

// recredit takes the returned fiat back into tokens at the rate of the transaction and wants them sent to the wallet. What the banks kept is
// missing in the same proportion; the remainder of a base unit stays with the house.
func (s *Service) recredit(ctx context.Context, tx *db.Tx, t transaction.Transaction, x PayoutReturn, from ledger.Account) error {
	_, prices, err := s.prices(ctx, tx, t)
	if err != nil {
		return err
	}
	units := proportion(prices[x.Position].line.TokenUnits, x.Amount.Units(), t.Payments[x.Position].FiatUnits)
	tokens, memo := money.FromUnits(t.Asset(), units), t.PaymentID(t.Payments[x.Position].Position)
	fx := ledger.FxAccount(t.Token, x.Amount.Asset().Code)
	if err := ledger.Post(tx, ledger.Journal{Key: x.Payout + "/recredit", Kind: "recredit", Organisation: t.Organisation, Transaction: t.ID, Postings: []ledger.Posting{
		{Account: from, Amount: x.Amount.Neg(), Memo: memo}, {Account: fx, Amount: x.Amount, Memo: memo},
		{Account: fx, Amount: tokens.Neg(), Memo: memo}, {Account: ledger.ConvertClearing(t.Network), Amount: tokens, Memo: memo},
	}}); err != nil {
		return err
	}
	if units.Sign() == 0 {
		moveReturn(tx, x, ReturnRefunded)
		return nil
	}
	s.askLater(tx, t.ID)
	return s.want(tx, t, returnKey(t, x.Position), x.Position, t.WalletAddress, units)
}

func returnKey(t transaction.Transaction, position int) string {
	return fmt.Sprintf("transaction/%s/%s/%d", t.ID, returnWord, position)
}

// proportion is units × part ÷ all, rounded down, and never more than units.
func proportion(units, part, all *big.Int) *big.Int {
	if part.Cmp(all) >= 0 {
		return new(big.Int).Set(units)
	}
	out := new(big.Int).Mul(units, part)
	return out.Quo(out, all)
}

// returnEnded moves the return that a sending was for from one state to the next; a sending for another reason has none.
func (s *Service) returnEnded(ctx context.Context, tx *db.Tx, t transaction.Transaction, x TreasurySend, from, to ReturnState) error {
	if _, word, _, _ := keyParts(x.Key); word != returnWord {
		return nil
	}
	all, err := ReturnsOf(ctx, tx, t.ID)
	if err != nil {
		return err
	}
	for _, r := range all {
		if r.Position == x.Position && r.State == from {
			moveReturn(tx, r, to)
		}
	}
	return nil
}

// Resend pays a returned payment again, after its details were repaired: with what came back, to a bank account of the same receiver. The
// payout has a key of its own and so another end-to-end identification. It is refused for a payment whose return is not kept as fiat, and while
// screening does not let the transaction pay.
func (s *Service) Resend(ctx context.Context, transactionID string, position int, bankAccount string) error {
	if err := s.resendable(ctx, transactionID); err != nil {
		return err
	}
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		t, x, err := s.heldReturn(ctx, tx, transactionID, position)
		if err != nil {
			return err
		}
		p := t.Payments[position]
		if p.BankSnapshot, err = s.repaired(ctx, tx, t, p, bankAccount); err != nil {
			return err
		}
		_, prices, err := s.prices(ctx, tx, t)
		if err != nil {
			return err
		}
		p.FiatUnits = x.Amount.Units()
		payout, why, err := s.payoutOf(t, p, prices[position].line, fmt.Sprintf("%s/%d", t.PayoutKey(position), attempt(x.Payout)+1))
		if err != nil {
			return err
		}
		if why != "" {
			return notResendable("%s.", why)
		}
		memo := t.PaymentID(p.Position)
		if err := ledger.Post(tx, ledger.Journal{Key: payout.Key + "/resend", Kind: "resend", Organisation: t.Organisation, Transaction: t.ID, Postings: []ledger.Posting{
			{Account: ledger.HeldAccount(x.Amount.Asset().Code, t.Organisation), Amount: x.Amount.Neg(), Memo: memo},
			{Account: ledger.BankClearing(payout.Rail), Amount: x.Amount, Memo: memo}}}); err != nil {
			return err
		}
		if err := s.Bank.Plan(tx, payout); err != nil {
			return err
		}
		moveReturn(tx, x, ReturnResent)
		_, err = s.Transactions.Advance(ctx, tx, t, transaction.Step{Status: t.Status, Settlement: t.Settlement, Info: t.StatusInfo, What: "resent"})
		return err
	})
}

// Recredit sends the tokens of a return that is kept as fiat to the wallet after all.
func (s *Service) Recredit(ctx context.Context, transactionID string, position int) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		t, x, err := s.heldReturn(ctx, tx, transactionID, position)
		if err != nil {
			return err
		}
		moveReturn(tx, x, ReturnRefunding)
		x.State = ReturnRefunding
		if err := s.recredit(ctx, tx, t, x, ledger.HeldAccount(x.Amount.Asset().Code, t.Organisation)); err != nil {
			return err
		}
		return s.progress(ctx, tx, t)
	})
}

// heldReturn finds a return that is kept as fiat, unless nothing may go out for it: the organisation owes the house (D-08), or the content is
// not what was locked (I8).
func (s *Service) heldReturn(ctx context.Context, tx *db.Tx, transactionID string, position int) (t transaction.Transaction, x PayoutReturn, err error) {
	if t, err = transaction.ByID(ctx, tx, transactionID); errors.Is(err, db.ErrNone) {
		return t, x, fault.Missing("transaction")
	} else if err != nil {
		return t, x, err
	}
	blocked, err := reconcile.Blocked(ctx, tx, t.Organisation)
	switch {
	case err != nil:
		return t, x, err
	case blocked:
		return t, x, notResendable("The organisation owes for a deposit that was taken back; settle that first.")
	case !t.ContentUnchanged():
		return t, x, notResendable(changedWhy)
	}
	all, err := ReturnsOf(ctx, tx, transactionID)
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

// repaired is the bank account that a payment is paid to again: the one given, of the same receiver, else the locked one.
func (s *Service) repaired(ctx context.Context, tx *db.Tx, t transaction.Transaction, p transaction.Payment, id string) (string, error) {
	if id == "" {
		return p.BankSnapshot, nil
	}
	a, err := bankaccount.ByID(ctx, tx, t.Organisation, id)
	if err != nil {
		return "", err
	}
	if a.Receiver != p.Receiver || a.Currency != p.Currency {
		return "", notResendable("The bank account is not one of the receiver's in %s.", p.Currency)
	}
	if err := a.Takes(p.Reference); err != nil {
		return "", err
	}
	return a.Snapshot(), a.Usable(tx.Now)
}

func notResendable(format string, args ...any) error {
	return fault.New(fault.Conflict, fault.ReturnNotOpen, format, args...)
}

// resendRefused keeps a payment's fiat again: it was paid a second time, and the bank refused that.
func (s *Service) resendRefused(ctx context.Context, tx *db.Tx, t transaction.Transaction, position int, p bank.Payout, why string) error {
	memo := t.PaymentID(t.Payments[position].Position)
	if err := ledger.Post(tx, ledger.Journal{Key: p.Key + "/rejected", Kind: "rejected", Organisation: t.Organisation, Transaction: t.ID, Postings: []ledger.Posting{
		{Account: ledger.BankClearing(p.Rail), Amount: p.Amount.Neg(), Memo: memo},
		{Account: ledger.HeldAccount(p.Amount.Asset().Code, t.Organisation), Amount: p.Amount, Memo: memo}}}); err != nil {
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
		if err := setOutcome(tx, &t, position, transaction.PaymentReturned, "refused when it was paid again: "+why); err != nil {
			return err
		}
	}
	_, err = s.tellReturn(ctx, tx, t)
	return err
}

// normalised is a bank's reason in the words that clients are told, whatever the scheme: ISO 20022 external return reasons (EPC135-18
// lists those of SEPA) and NACHA's R-codes.
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

// schemeOf is the scheme of a rail as returns name it.
func schemeOf(rail string) string {
	switch rail {
	case "SEPA_INSTANT":
		return "SEPA"
	case "FASTER_PAYMENTS":
		return "FPS"
	}
	return rail
}
