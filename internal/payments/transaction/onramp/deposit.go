package onramp

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
	"slipway/internal/standards/creditorref"
)

// DepositLifetime is how long a deposit is awaited after the day on which its transfer was to start. A later deposit is
// not matched with the transaction.
const DepositLifetime = 30 * 24 * time.Hour

// Prepare allots a reference. The lock stores what the depositor is told: the account, the reference and the last day.
func (c *check) Prepare(
	_ context.Context,
	t transaction.Transaction,
	d transaction.Draft,
) (transaction.Lock, error) {
	reference, err := NewReference()
	if err != nil {
		return nil, fmt.Errorf("allot a reference for %s: %w", t.ID, err)
	}

	house, err := json.Marshal(c.house)
	if err != nil {
		return nil, fmt.Errorf("encode the account of %s: %w", t.ID, err)
	}

	sender := t.Sender

	return func(
		ctx context.Context,
		tx *db.Tx,
		t transaction.Transaction,
	) (transaction.Transaction, transaction.SettlementStatus, error) {
		if err := c.Quotes.Announce(ctx, tx, t.ID, *d.Quote); err != nil {
			return t, "", err
		}

		t.Reference = reference
		t.Sender = sender
		t.House = string(house)
		t.Treasury = c.request.Network.WalletAddress
		t.ExpiresAt = tx.Now.Add(DepositLifetime)

		if t.ExpectedAt.After(tx.Now) {
			t.ExpiresAt = t.ExpectedAt.Add(DepositLifetime)
		}

		transaction.LockDeposit(tx, t)

		return t, transaction.SettlementAwaiting, nil
	}, nil
}

// NewReference returns a reference with 35 random bits, so that nobody can guess another transaction's.
func NewReference() (string, error) {
	var bits [5]byte
	if _, err := rand.Read(bits[:]); err != nil {
		return "", err
	}

	return creditorref.Deposit(bits), nil
}

// BankDetails returns the account that submit stored; it does not change when the house's accounts do. It is refused
// once a deposit would no longer be matched.
func BankDetails(t transaction.Transaction) (*transaction.BankDetailsView, error) {
	switch {
	case t.Type != transaction.TypeOnramp:
		return nil, notForType("Only ONRAMP transactions have bank details to deposit to.")

	case t.Status == transaction.StatusDraft:
		return nil, fault.New(
			fault.Conflict,
			fault.TxNotSubmitted,
			"The transaction is a DRAFT; bank details are prepared when it is submitted.",
		)

	case t.Status == transaction.StatusFailed || t.Status == transaction.StatusRejected:
		return nil, fault.New(
			fault.Conflict,
			fault.TxNotWaiting,
			"The transaction is %s; a deposit would no longer be matched.",
			t.Status,
		)
	}

	a, err := t.HouseAccount()
	if err != nil {
		return nil, err
	}

	v, err := Details(a, t.Deposit(), t.Reference)
	if err != nil {
		return nil, err
	}

	ends := t.ExpiresAt.Truncate(time.Millisecond)
	v.ExpiresAt = &ends
	v.Instructions = instructions(t)

	if t.Status != transaction.StatusWaiting {
		v.PaymentCode = nil // what has arrived is not offered to be paid again
	}

	return v, nil
}

// Details returns how an amount is paid to an account under a reference. Its Instructions are empty, and it has no end.
func Details(
	a transaction.DepositAccount, amount money.Amount, reference string,
) (v *transaction.BankDetailsView, err error) {
	v = &transaction.BankDetailsView{
		BankName:        a.BankName,
		AccountHolder:   a.Holder,
		IBAN:            a.IBAN,
		BIC:             a.BIC,
		AccountNumber:   a.AccountNumber,
		RoutingNumber:   a.RoutingNumber,
		SortCode:        a.SortCode,
		IFSC:            a.IFSC,
		BankAddress:     a.BankAddress,
		BankCountry:     a.Country,
		CurrencyIsoCode: amount.Asset().Code,
		Amount:          amount.String(),
		Reference:       creditorref.Show(reference),
		Rail:            a.Rail,
	}
	switch v.CurrencyIsoCode {
	case "EUR":
		v.CreditorReference, err = creditorref.RF(reference)
	case "CHF":
		v.QRReference, err = creditorref.QRRFor(reference)
	}

	if err != nil {
		return nil, err
	}

	v.PaymentCode, err = codeView(a, amount, reference)

	return v, err
}

// instructions returns what the depositor has to do, in a sentence.
func instructions(t transaction.Transaction) string {
	if t.Settlement == transaction.SettlementReturned {
		return "The deposit was taken back by its bank. GET /receivables says what is owed for it, and how to pay it."
	}

	if t.Status != transaction.StatusWaiting {
		return "The deposit has arrived. Do not transfer it again."
	}

	sender := ""
	if t.Sender != "" {
		sender = " (" + t.Sender + ")"
	}

	return fmt.Sprintf(
		"Transfer exactly %s %s in one transfer from an account in your organisation's name%s, with the reference %s "+
			"and nothing else in it. What differs in amount, currency, reference or sender is not converted until "+
			"people have looked at it.",
		t.Deposit(),
		t.AmountCurrency,
		sender,
		creditorref.Show(t.Reference),
	)
}

// Expire moves ONRAMP transactions whose deposit has not arrived in time to FAILED, at most limit of them, and returns
// how many. A transaction whose deposit is booked at the same moment continues. The housekeeping job calls it.
func Expire(ctx context.Context, s *transaction.Service, limit int) (int, error) {
	ids, err := transaction.OverdueDeposits(ctx, s.DB, s.DB.Now(), limit)
	if err != nil {
		return 0, fmt.Errorf("look for deposits that are overdue: %w", err)
	}

	count := 0

	var problems []error // one that cannot be ended does not stop the others
	for _, id := range ids {
		expired := false

		err := s.Write(ctx, func(tx *db.Tx) (err error) {
			expired, err = expire(ctx, s, tx, id)
			return err
		})
		if err != nil {
			problems = append(problems, fmt.Errorf("end %s: %w", id, err))
		} else if expired {
			count++
		}
	}

	return count, errors.Join(problems...)
}

// expire ends one transaction and reports whether it did. It does nothing if the deposit was booked or the transaction
// was deleted or rejected in the meantime.
func expire(ctx context.Context, s *transaction.Service, tx *db.Tx, transactionID string) (bool, error) {
	t, err := transaction.ByID(ctx, tx, transactionID)
	if errors.Is(err, db.ErrNone) {
		return false, nil
	}

	if err != nil {
		return false, err
	}

	if t.Status != transaction.StatusWaiting || t.Settlement != transaction.SettlementAwaiting ||
		t.ExpiresAt.After(tx.Now) {
		return false, nil
	}

	why := words.Phrase("No deposit has arrived by %s.", words.OnDay(t.ExpiresAt))
	for _, p := range t.Payments {
		if err := transaction.SetOutcome(tx, t, p.Position, transaction.PaymentFailed, why); err != nil {
			return false, err
		}
	}

	_, err = s.Advance(ctx, tx, t, transaction.Step{
		Status:     transaction.StatusFailed,
		Settlement: transaction.SettlementIdle,
		Info:       why,
		What:       "failed",
	})

	return true, err
}
