package settlement

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"slipway/internal/core/money"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/receiver"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
	"slipway/internal/rails/bank"
)

// payoutOf returns a payment as a bank payout, made only from what submit locked (F-09). why is the reason if no
// payment file can carry it.
func (s *Service) payoutOf(
	t transaction.Transaction,
	p transaction.Payment,
	l quote.Line,
	key effect.Key,
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
		return out, words.Phrase("no account of ours pays %[1]s by %[2]s", p.Currency, l.Rail), nil
	}

	if err != nil {
		return out, "", err
	}

	out = bank.Payout{
		Key:        key.String(),
		Object:     t.ID,
		From:       house.ID,
		Rail:       l.Rail,
		Currency:   p.Currency,
		Amount:     p.Fiat(),
		Charges:    string(p.FeesOption),
		Remittance: p.Reason,
		Reference:  p.Reference,
		Creditor:   partyOf(creditor),
		Account:    accountIDsOf(account),
	}

	if l.Charges != "" {
		out.Charges = string(l.Charges)
	}

	err = s.Bank.Check(out)

	var refusal *bank.Refusal
	if errors.As(err, &refusal) {
		return out, words.Detailed(
			"the bank's payment file cannot carry it",
			"the bank's payment file cannot carry it: "+strings.TrimSuffix(refusal.Text(), "."),
		), nil
	}

	return out, "", err
}

// Carries returns what a payment file of the rail cannot carry, as a message for each of the client's fields. It makes
// no call.
func (s *Service) Carries(p transaction.Payment, rail string) map[string]string {
	out, why, err := s.payoutOf(transaction.Transaction{}, p, quote.Line{Rail: rail}, effect.PayoutOf("submit", 0))
	if err != nil { // not a field of the client's
		s.Log.Error("check payment for the bank's file", "rail", rail, "error", err.Error())
		return map[string]string{"bankAccount": "this cannot be checked at the moment"}
	}

	if why == "" {
		return nil
	}

	var refusal *bank.Refusal
	if !errors.As(s.Bank.Check(out), &refusal) {
		return map[string]string{"bankAccount": words.English(why)}
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
	case strings.HasPrefix(path, "creditor/"):
		return "receiver"
	case path == "remittance":
		return "reason"
	case path == "reference":
		return "reference"
	case path == "amount":
		return "amount"
	}

	return "bankAccount"
}

func partyOf(r receiver.Receiver) bank.Party {
	return bank.Party{
		Name:     r.Name(), // what was screened
		Street:   r.Address.AddressLine1,
		PostCode: r.Address.PostCode,
		Town:     r.Address.City,
		Country:  r.Country,
		Person:   r.Type == receiver.Individual,
	}
}

func accountIDsOf(account bankaccount.Account) bank.AccountIDs {
	return bank.AccountIDs{
		IBAN:          account.IBAN,
		BIC:           account.BankBIC(),
		AccountNumber: account.AccountNumber,
		SortCode:      account.SortCode,
		RoutingNumber: account.RoutingNumber,
		IFSC:          account.IFSC,
		AccountType:   account.AccountType,
		BankName:      account.BankName(),
		Country:       account.Country,
	}
}

// paymentOf returns the payment that a payout's key names.
func (s *Service) paymentOf(
	ctx context.Context,
	q db.Querier,
	key effect.Key,
) (t transaction.Transaction, position int, err error) {
	if position, err = key.Position(); err != nil {
		return t, 0, err
	}

	if t, err = transaction.ByID(ctx, q, key.Subject); err != nil {
		return t, position, fmt.Errorf("transaction of payout %s: %w", key, err)
	}

	if position >= len(t.Payments) {
		return t, position, fmt.Errorf("payout %s: the transaction has no such payment", key)
	}

	return t, position, nil
}

// payoutEvent returns what a payout is for the book.
func payoutEvent(t transaction.Transaction, key effect.Key, position int, p bank.Payout) chart.Payout {
	return chart.Payout{
		Of:      ofTransaction(t),
		Key:     key,
		Rail:    p.Rail,
		Payment: t.PaymentID(t.Payments[position].Position),
		Amount:  p.Amount,
	}
}

// bookingOf returns what the bank has booked of a payout.
func bookingOf(p bank.Payout, amount money.Amount) chart.Booking {
	return chart.Booking{House: p.From, Amount: amount, Memo: p.EndToEndID}
}

// daysOf returns the bank's days of an entry.
func daysOf(e bank.Entry) ledger.Days { return ledger.OfBank(e.BookedAt, e.ValueAt) }

// reasonText returns a bank's reason, in the bank's own words, for a statusInfo.
func reasonText(r bank.Reason) string {
	if r.Code == "" && r.Text == "" {
		return words.Phrase("no reason given")
	}

	return strings.TrimSuffix(strings.TrimSpace(r.Code+" "+r.Text), ".")
}
