package settlement

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/receiver"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/chain"
)

// How a FIAT transaction proceeds: one router batch pulls the whole debit to the treasury; each target currency is
// converted; each payment becomes one bank payout. A payout that the bank books is paid. One that it refuses is
// refunded in tokens at the locked rate.

// stepBank advances a FIAT or ONRAMP transaction by one step and reports whether another step is due now.
//
// It asks the outside first, then decides, then decides again inside the write that carries the decision out. If the
// two decisions differ, nothing is written and the next run starts over. Calling it twice is safe: the second call sees
// what the first one wrote.
func (s *Service) stepBank(ctx context.Context, t transaction.Transaction) (more bool, err error) {
	st, err := s.stand(ctx, s.DB, t)
	if err != nil {
		return false, err
	}

	if t.Type == transaction.TypeFiat && !st.Planned && t.Status == transaction.StatusProcess {
		if st.Facts, _, _, err = s.facts(ctx, t); err != nil {
			return false, err // unknown is not failed: the job asks again
		}

		failpoint.Hit("settle.asked")
	}

	action, _ := next(st)
	if st.moves(action) {
		if st.Look, err = s.look(ctx, t); err != nil {
			return false, err
		}

		action, _ = next(st)
	}

	switch action {
	case Nothing:
		return false, nil
	case PlanSend:
		wanted, _ := st.wanted()
		return s.planSend(ctx, t, wanted)

	case Convert:
		if t.Type == transaction.TypeOnramp {
			return s.convertDeposit(ctx, st)
		}

		return true, s.convert(ctx, st, func(tx *db.Tx, t transaction.Transaction) ([]Conversion, error) {
			return s.fiatOrders(ctx, tx, st, t)
		})

	case Fail, Hold, Send, Wait, PayOut, Deliver, GiveBack: // a write is enough
	}

	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		now, err := s.standAgain(ctx, tx, st)
		if err != nil {
			return err
		}

		again, why := next(now)
		if again != action {
			return nil // it has moved in the meantime: the next run decides again
		}

		return s.carryOut(ctx, tx, now, action, why)
	})

	switch action {
	case Send:
		failpoint.Hit("settle.planned")
	case PayOut:
		failpoint.Hit("payout.planned")
	case Deliver:
		failpoint.Hit("onramp.delivery_planned")
	default: // nothing was planned that could be lost with the process
	}

	if f, ok := fault.As(err); ok && action == GiveBack {
		return false, s.holdOnramp(
			ctx,
			t,
			"The deposit could not be converted, and cannot be sent back by itself: "+f.Detail,
		)
	}

	return action == PayOut || action == Deliver, passed(err)
}

// next returns the decision for the transaction's type, after screening has limited it.
func next(st Stand) (Action, string) {
	decide := NextFiat
	if st.T.Type == transaction.TypeOnramp {
		decide = NextOnramp
	}

	action, why := decide(st)
	if st.moves(action) {
		return screened(action, why, st.Look)
	}

	return action, why
}

// carryOut writes what was decided on the state read in the same write.
func (s *Service) carryOut(ctx context.Context, tx *db.Tx, st Stand, action Action, why string) (err error) {
	t := st.T
	switch action {
	case Wait:
		return s.wait(ctx, tx, t, transaction.SettlementHeld, why)
	case PayOut:
		return s.payOut(ctx, tx, t, st)
	case Deliver:
		return s.deliver(ctx, tx, t)
	case GiveBack:
		return s.sendDepositBack(ctx, tx, t, "The deposit could not be converted.")
	case Nothing, Fail, Hold, Send, Convert, PlanSend: // three of them below, the others are not for here
	}

	if !st.Planned { // one that was held before its tokens were pulled continues there
		if t, err = s.resume(ctx, tx, t, transaction.SettlementPulling); err != nil {
			return err
		}
	}

	switch action {
	case Fail:
		return s.fail(ctx, tx, t, why)
	case Hold:
		return s.hold(ctx, tx, t, why)
	case Send:
		return s.pull(ctx, tx, t)
	default:
		return fmt.Errorf("transaction %s: there is no action %d", t.ID, action)
	}
}

// resume lets a transaction that was held continue.
func (s *Service) resume(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	to transaction.SettlementStatus,
) (transaction.Transaction, error) {
	if t.Settlement != transaction.SettlementHeld {
		return t, nil
	}

	return s.Transactions.Advance(ctx, tx, t, transaction.Step{Status: t.Status, Settlement: to, What: "resumed"})
}

// stand reads everything that the next action is decided from.
func (s *Service) stand(ctx context.Context, q db.Querier, t transaction.Transaction) (st Stand, err error) {
	st.T = t
	st.Changed = !t.ContentUnchanged()

	st.Currencies = []string{t.AmountCurrency}
	if t.Type == transaction.TypeFiat {
		st.Currencies = currencies(t)
		if st.Planned, err = s.planned(ctx, q, t); err != nil {
			return st, err
		}
	}

	if st.Blocked, err = reconcile.Blocked(ctx, q, t.Organisation); err != nil {
		return st, err
	}

	if st.Conversions, err = conversionsOf(ctx, q, t.ID); err != nil {
		return st, err
	}

	st.Sends, err = sendsOf(ctx, q, t.ID)

	return st, err
}

// standAgain reads it again inside a write, and keeps the answers from outside.
func (s *Service) standAgain(ctx context.Context, tx *db.Tx, before Stand) (Stand, error) {
	t, err := transaction.ByID(ctx, tx, before.T.ID)
	if err != nil {
		return Stand{}, err
	}

	st, err := s.stand(ctx, tx, t)
	st.Facts = before.Facts
	st.Look = before.Look

	return st, err
}

// currencies returns the currencies of the payments, each once, in the order of first mention.
func currencies(t transaction.Transaction) []string {
	var out []string
	for _, p := range t.Payments {
		if !slices.Contains(out, p.Currency) {
			out = append(out, p.Currency)
		}
	}

	return out
}

// pull plans the one batch that moves the whole debit from the wallet to the treasury.
func (s *Service) pull(ctx context.Context, tx *db.Tx, t transaction.Transaction) error {
	n, token, err := s.where(ctx, tx, t)
	if err != nil {
		return err
	}

	return s.plan(tx, t, n, token)
}

// pulled records that the debit is final at the treasury, or that it never will be.
func (s *Service) pulled(ctx context.Context, tx *db.Tx, t transaction.Transaction, sent chain.Sent) error {
	outcome, err := s.outcome(ctx, tx, t, sent)
	switch {
	case err != nil:
		return s.hold(ctx, tx, t, contradicts+err.Error())
	case outcome.Reverted:
		return s.doubt(ctx, tx, t, "The batch was reverted as a whole.")
	}

	paid, failed, unclear, why := summary(outcome.Legs)
	if unclear > 0 || paid+failed != 1 {
		return s.hold(ctx, tx, t, why)
	}

	if failed == 1 {
		if err := giveBack(tx, t); err != nil {
			return err
		}

		return s.end(ctx, tx, t, "The tokens could not be taken from the wallet: "+outcome.Legs[0].Reason)
	}

	d := t.DebitAmount()

	lines := append(ledger.OnTreasury(t.Network, d, sent.Hash.Hex()),
		ledger.Posting{Account: ledger.ClearingAccount(t.Network), Amount: d.Neg()},
		ledger.Posting{Account: ledger.ConvertClearing(t.Network), Amount: d})
	if err := ledger.Post(tx, ledger.Journal{
		Key:          pulledKey(t.ID),
		Kind:         "pulled",
		Organisation: t.Organisation,
		Transaction:  t.ID,
		Postings:     lines,
	}); err != nil {
		return err
	}

	transaction.ReleaseReservation(tx, t)
	s.askLater(tx, t.ID)
	_, err = s.Transactions.Advance(ctx, tx, t, transaction.Step{
		Status:     t.Status,
		Settlement: transaction.SettlementReceived,
		What:       "funds_received",
	})

	return err
}

// fiatOrders returns the orders that a FIAT transaction still needs: for each currency, what its payments cost and what
// they are to get.
func (s *Service) fiatOrders(
	ctx context.Context,
	tx *db.Tx,
	st Stand,
	t transaction.Transaction,
) ([]Conversion, error) {
	if _, err := s.resume(ctx, tx, t, transaction.SettlementReceived); err != nil {
		return nil, err
	}

	_, prices, err := s.prices(ctx, tx, t)
	if err != nil {
		return nil, err
	}

	sums := map[string][2]money.Amount{}
	for _, p := range t.Payments {
		pair, ok := sums[p.Currency]
		if !ok {
			pair = [2]money.Amount{money.Zero(t.Asset()), money.Zero(p.Fiat().Asset())}
		}

		sums[p.Currency] = [2]money.Amount{
			pair[0].Add(money.FromUnits(t.Asset(), prices[p.Position].line.TokenUnits)),
			pair[1].Add(p.Fiat()),
		}
	}

	return s.orders(st, sums), nil
}

// payOut decides about every payment in one write, once each order has a final state: it plans payouts for what was
// converted and refunds the rest. If nothing can be paid, everything goes back, fees included.
func (s *Service) payOut(ctx context.Context, tx *db.Tx, t transaction.Transaction, st Stand) error {
	locked, prices, err := s.prices(ctx, tx, t)
	if err != nil {
		return err
	}

	refused := map[int]string{}

	payouts := map[int]bank.Payout{}
	for _, p := range t.Payments {
		if why := rejected(st, p.Currency); why != "" {
			refused[p.Position] = why
			continue
		}

		payout, why, err := s.payoutOf(t, p, prices[p.Position].line, t.PayoutKey(p.Position))
		if err != nil {
			return err
		}

		if why != "" {
			refused[p.Position] = why
			continue
		}

		payouts[p.Position] = payout
	}

	if len(payouts) == 0 {
		return s.refundAll(ctx, tx, t, st, refused)
	}

	if err := ledger.Post(tx, convertJournal(t, st, locked, prices, payouts)); err != nil {
		return err
	}

	for _, p := range t.Payments {
		if why, ok := refused[p.Position]; ok {
			if err := s.failPayment(
				tx,
				&t,
				p.Position,
				why,
				t.RefundKey(p.Position),
				refundOf(t, locked, prices, p.Position),
			); err != nil {
				return err
			}

			continue
		}

		if err := s.Bank.Plan(tx, payouts[p.Position]); err != nil {
			return fmt.Errorf("plan payout %d of %s: %w", p.Position, t.ID, err)
		}
	}

	if len(refused) > 0 {
		s.askLater(tx, t.ID)
	}

	_, err = s.Transactions.Advance(ctx, tx, t, transaction.Step{
		Status:     t.Status,
		Settlement: transaction.SettlementConverted,
		Info:       info(t, tally(t), len(refused), 0),
		What:       "converted",
	})

	return err
}

// rejected returns why a currency was not converted, or "" if it was.
func rejected(st Stand, currency string) string {
	for _, c := range st.Conversions {
		if c.Key == st.T.ConvertKey(currency) && c.State == ConversionFilled {
			return ""
		}
	}

	return "no conversion into " + currency + " could be had at the locked rate"
}

// payoutOf returns a payment as a bank payout, made only from what submit locked (F-09). why is the reason if no
// payment file can carry it.
func (s *Service) payoutOf(
	t transaction.Transaction,
	p transaction.Payment,
	l quote.Line,
	key string,
) (out bank.Payout, why string, err error) {
	account, err := p.Account()
	if err != nil {
		return out, "", fmt.Errorf("bank account of payment %d of %s: %w", p.Position, t.ID, err)
	}

	creditor, err := p.Creditor()
	if err != nil {
		return out, "", fmt.Errorf("payee of payment %d of %s: %w", p.Position, t.ID, err)
	}

	house, err := s.Bank.AccountFor(p.Currency, l.Rail)
	if errors.Is(err, bank.ErrUnknownAccount) {
		return out, "no account of ours pays " + p.Currency + " by " + l.Rail, nil
	}

	if err != nil {
		return out, "", err
	}

	out = bank.Payout{
		Key:        key,
		Object:     t.ID,
		From:       house.ID,
		Rail:       l.Rail,
		Currency:   p.Currency,
		Amount:     p.Fiat(),
		Charges:    string(p.FeesOption),
		Remittance: remittance(p.Reason),
		Reference:  p.Reference,
		Creditor: bank.Party{
			Name:     nameOf(creditor),
			Street:   creditor.Address.AddressLine1,
			PostCode: creditor.Address.PostCode,
			Town:     creditor.Address.City,
			Country:  creditor.Country,
		},
		Account: bank.AccountIDs{
			IBAN:          account.IBAN,
			BIC:           account.BIC,
			AccountNumber: account.AccountNumber,
			SortCode:      account.SortCode,
			RoutingNumber: account.RoutingNumber,
			IFSC:          account.IFSC,
			AccountType:   account.AccountType,
			BankName:      account.BankName(),
			Country:       account.Country,
		},
	}
	if l.Charges != "" {
		out.Charges = string(l.Charges)
	}

	err = s.Bank.Check(out)

	var refusal *bank.Refusal
	if errors.As(err, &refusal) {
		return out, "the bank's payment file cannot carry it: " + refusal.Text(), nil
	}

	return out, "", err
}

// Carries returns what a payment file of the rail cannot carry, as a message for each of the client's fields. It makes
// no call.
func (s *Service) Carries(p transaction.Payment, rail string) map[string]string {
	out, why, err := s.payoutOf(transaction.Transaction{}, p, quote.Line{Rail: rail}, "submit")
	if err != nil { // not a field of the client's
		s.Log.Error("whether a bank can be told of a payment is not known", "rail", rail, "error", err.Error())
		return map[string]string{"bankAccount": "this cannot be found out at the moment"}
	}

	if why == "" {
		return nil
	}

	var refusal *bank.Refusal
	if !errors.As(s.Bank.Check(out), &refusal) {
		return map[string]string{"bankAccount": why}
	}

	faults := map[string]string{}
	for _, reason := range refusal.Reasons {
		field := fieldOf(reason.Path)
		faults[field] = strings.TrimPrefix(faults[field]+"; "+strings.TrimSuffix(reason.Detail, "."), "; ")
	}

	return faults
}

// fieldOf returns the client's field that a place in a payment file is filled from.
func fieldOf(path string) string {
	switch {
	case strings.Contains(path, "/creditor/"):
		return "receiver"
	case strings.HasSuffix(path, "/remittance"):
		return "reason"
	case strings.HasSuffix(path, "/reference"):
		return "reference"
	case strings.HasSuffix(path, "/amount"):
		return "amount"
	}

	return "bankAccount"
}

func nameOf(r receiver.Receiver) string {
	if r.LegalName != "" {
		return r.LegalName
	}

	return strings.Join(slices.DeleteFunc([]string{r.FirstName, r.MiddleName, r.LastName}, func(s string) bool {
		return s == ""
	}), " ")
}

// remittance returns the text that the payee reads: at most 140 characters (ISO 20022 Max140Text), never cut inside a
// character.
func remittance(reason string) string {
	const limit = 140
	r := []rune(strings.Join(strings.Fields(reason), " "))
	return string(r[:min(len(r), limit)])
}

// failPayment records that a payment will not be paid and that its tokens go back to the wallet.
func (s *Service) failPayment(
	tx *db.Tx,
	t *transaction.Transaction,
	position int,
	why, key string,
	units *big.Int,
) error {
	if err := setOutcome(tx, t, position, transaction.PaymentFailed, why); err != nil {
		return err
	}

	return s.want(tx, *t, key, position, t.WalletAddress, units)
}

// setOutcome stores a payment's outcome and sets it in t too, so that the next decision sees it.
func setOutcome(
	tx *db.Tx,
	t *transaction.Transaction,
	position int,
	outcome transaction.PaymentStatus,
	why string,
) error {
	if err := transaction.SetOutcome(tx, *t, position, outcome, why); err != nil {
		return err
	}

	t.Payments = slices.Clone(t.Payments)
	t.Payments[position].Outcome = outcome
	t.Payments[position].StatusInfo = why

	return nil
}

// refundAll gives the whole debit back, fees included, because no payment could be made.
func (s *Service) refundAll(
	ctx context.Context,
	tx *db.Tx,
	t transaction.Transaction,
	st Stand,
	refused map[int]string,
) error {
	for _, p := range t.Payments {
		if err := setOutcome(tx, &t, p.Position, transaction.PaymentFailed, refused[p.Position]); err != nil {
			return err
		}
	}

	if err := s.want(tx, t, "transaction/"+t.ID+"/"+refundWord+"/all", whole, t.WalletAddress, t.Debit); err != nil {
		return err
	}

	s.askLater(tx, t.ID)
	_, err := s.Transactions.Advance(ctx, tx, t, transaction.Step{
		Status:     t.Status,
		Settlement: transaction.SettlementRefunding,
		Info:       info(t, tally(t), 1, 0),
		What:       "refunding",
	})

	return err
}

// progress moves a FIAT transaction to the status that follows from its payments, refunds and returns. Every write that
// changes one of them calls it at its end.
func (s *Service) progress(ctx context.Context, tx *db.Tx, t transaction.Transaction) error {
	sends, err := sendsOf(ctx, tx, t.ID)
	if err != nil {
		return err
	}

	returns, err := ReturnsOf(ctx, tx, t.ID)
	if err != nil {
		return err
	}

	_, err = s.Transactions.Advance(ctx, tx, t, standing(t, sends, returns))

	return err
}

// refunded records that a refund is final in the wallet. A payment becomes REFUNDED with the last of its returned
// parts; one of which only a part came back stays paid.
func (s *Service) refunded(ctx context.Context, tx *db.Tx, t transaction.Transaction, x TreasurySend) error {
	returns, err := ReturnsOf(ctx, tx, t.ID)
	if err != nil {
		return err
	}

	for _, p := range t.Payments {
		if x.Position != whole && x.Position != p.Position {
			continue
		}

		if moreCameBack(returns, x) || !transaction.PaymentTable().Allows(p.Outcome, transaction.PaymentRefunded) {
			continue
		}

		if err := setOutcome(tx, &t, p.Position, transaction.PaymentRefunded, p.StatusInfo); err != nil {
			return err
		}
	}

	if err := s.returnEnded(ctx, tx, t, x, ReturnRefunding, ReturnRefunded); err != nil {
		return err
	}

	return s.progress(ctx, tx, t)
}
