package settlement

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"slipway/internal/core/fault"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
	"slipway/internal/rails/bank"
)

// depositsOf returns booked credits as deposits to match.
func depositsOf(entries []bank.Entry) []reconcile.Deposit {
	out := make([]reconcile.Deposit, len(entries))
	for i, e := range entries {
		reading := e.Reading
		if reading == nil {
			reading = read(e)
		}

		out[i] = reconcile.Deposit{
			Entry:         e.ID,
			House:         e.Account,
			Amount:        e.Amount,
			Texts:         reading.Texts,
			References:    reading.References,
			Sealed:        reading.Sealed,
			BankRef:       e.BankRef,
			SenderName:    e.Counterparty,
			SenderAccount: e.CounterpartyAccount,
			SenderBank:    e.CounterpartyBank,
			BookedAt:      e.BookedAt,
			ValueAt:       e.ValueAt,
			Claim:         reconcile.Claim(e.Claims),
		}
	}

	return out
}

// Read returns what bank.Config calls for each booked credit while its statement is parsed, outside of writes: it finds
// the texts of the credit and the deposit references in them, and encrypts the texts for the database.
func Read(d *db.DB) func(bank.Entry) *bank.Reading {
	return func(e bank.Entry) *bank.Reading {
		r := read(e)
		r.Sealed = reconcile.SealTexts(d, e.ID, r.Texts, e.CounterpartyAccount)

		return r
	}
}

func read(e bank.Entry) *bank.Reading {
	texts := textsOf(e)
	return &bank.Reading{Texts: texts, References: reconcile.References(texts)}
}

func debitsOf(entries []bank.Entry) []reconcile.Debit {
	out := make([]reconcile.Debit, len(entries))
	for i, e := range entries {
		out[i] = reconcile.Debit{
			Entry:         e.ID,
			House:         e.Account,
			Amount:        e.Amount,
			Reversal:      e.Reversal,
			Texts:         textsOf(e),
			References:    e.References,
			BankRef:       e.BankRef,
			BookedAt:      e.BookedAt,
			ValueAt:       e.ValueAt,
			SenderName:    e.Counterparty,
			SenderAccount: e.CounterpartyAccount,
		}
		if e.EndToEndID != "" {
			out[i].References = append(slices.Clone(e.References), e.EndToEndID)
		}
	}

	return out
}

// textsOf returns every text of an entry in which a payer's reference may stand. It also joins the lines of the free
// text, because banks break references at line ends.
func textsOf(e bank.Entry) []string {
	texts := append([]string{e.Remittance, e.EndToEndID, e.Info}, e.References...)

	var out []string
	for _, s := range texts {
		if s = strings.TrimSpace(strings.ReplaceAll(s, "\n", " ")); s != "" {
			out = append(out, s)
		}
	}

	return out
}

// houseOf returns the account that a transaction's payer was told to pay to.
func houseOf(t transaction.Transaction) string {
	a, err := t.HouseAccount()
	if err != nil {
		return ""
	}

	return a.ID
}

// ownOf returns the names and accounts from which organisations send money themselves.
func ownOf(ctx context.Context, q db.Querier, organisations []string) (map[string]reconcile.Own, error) {
	names, err := organisation.NamesOf(ctx, q, organisations)
	if err != nil {
		return nil, err
	}

	accounts, err := bankaccount.OfOrganisations(ctx, q, organisations)
	if err != nil {
		return nil, err
	}

	out := make(map[string]reconcile.Own, len(names))
	for id, n := range names {
		out[id] = reconcile.Own{Names: n, Accounts: map[string][]string{}}
	}

	for _, a := range accounts {
		if own, ok := out[a.Organisation]; ok {
			own.Accounts[a.Currency] = append(own.Accounts[a.Currency], a.IBAN, a.AccountNumber)
		}
	}

	return out, nil
}

// sendBack plans the bank payout that returns a deposit to the account it came from, and posts that it is under way.
func (s *Service) sendBack(_ context.Context, tx *db.Tx, d reconcile.Deposit) error {
	house, err := s.Bank.Account(d.House)
	if err != nil {
		return fmt.Errorf("house account of deposit %s: %w", d.Entry, err)
	}

	p := bank.Payout{
		Key:        d.RefundKey().String(),
		Object:     d.Entry,
		From:       house.ID,
		Currency:   d.Amount.Asset().Code,
		Amount:     d.Amount,
		Charges:    "SHA",
		Creditor:   bank.Party{Name: d.SenderName, Country: house.Country},
		Account:    accountOf(d, house),
		Remittance: "Return of your payment " + d.Entry,
	}

	refused := fmt.Errorf("the house account %s pays by no rail", house.ID)
	for _, p.Rail = range house.Rails { // the first that can carry it
		if refused = s.Bank.Check(p); refused == nil {
			break
		}
	}

	if refused != nil {
		return fault.New(
			fault.Conflict,
			fault.DepositNotReturnable,
			"The deposit cannot be sent back by the bank's files: %v.",
			refused,
		)
	}

	e := chart.SendBackBegun{SentBack: d.ReturnForBook(d.RefundKey(), p.Rail), From: d.Account()}
	if err := chart.Post(tx, e); err != nil {
		return err
	}

	return s.Bank.Plan(tx, p)
}

// accountOf returns the account a deposit came from, as the bank named it. An IBAN names its country itself; any other
// number is taken to be in the house account's country.
func accountOf(d reconcile.Deposit, house bank.HouseAccount) bank.AccountIDs {
	out := bank.AccountIDs{BIC: d.SenderBank, Country: house.Country}
	if n := strings.ReplaceAll(d.SenderAccount, " ", ""); len(n) > 14 && n[0] >= 'A' && n[0] <= 'Z' {
		out.IBAN = n
		out.Country = n[:2]
	} else {
		out.AccountNumber = n
	}

	return out
}

// refundBooked records that the bank has booked the return of a deposit.
func (s *Service) refundBooked(ctx context.Context, tx *db.Tx, key effect.Key, p bank.Payout, e bank.Entry) error {
	d, err := s.Deposits.SentBack(ctx, tx, key.Subject)
	if err != nil {
		return err
	}

	if err := chart.PostOn(tx, daysOf(e), chart.SendBackBooked{
		SentBack: d.ReturnForBook(key, p.Rail),
		Booked:   bookingOf(p, e.Amount),
	}); err != nil {
		return err
	}

	return s.afterRefund(
		ctx,
		tx,
		d,
		transaction.SettlementRefunded,
		words.Phrase("The deposit went back to the account it came from."),
	)
}

// refundRejected records that the bank refuses to send a deposit back. The deposit stays in suspense; a person acts
// next.
func (s *Service) refundRejected(ctx context.Context, tx *db.Tx, key effect.Key, p bank.Payout, why string) error {
	d, err := s.Deposits.NotBack(ctx, tx, key.Subject, words.English(why))
	if err != nil {
		return err
	}

	if err := chart.Post(tx, chart.SendBackRefused{SentBack: d.ReturnForBook(key, p.Rail)}); err != nil {
		return err
	}

	return s.afterRefund(
		ctx,
		tx,
		d,
		transaction.SettlementNoRefund,
		words.Phrase("The bank refused to send the deposit back; it is being looked at."),
	)
}

// refundReturned books money that was sent back to a depositor and was returned from there. It becomes a deposit of its
// own, and the same organisation's; the record of the first one stays as it was.
func (s *Service) refundReturned(ctx context.Context, tx *db.Tx, deposit string, r bank.Return) error {
	s.alarm(tx, "refund of a deposit returned by its bank", "deposit", deposit, "reason", reasonText(r.Reason))
	back := r.Entry
	back.Amount = r.Amount

	deposits := depositsOf([]bank.Entry{back})

	var err error
	if deposits[0].Owner, err = reconcile.OwnerOf(ctx, tx, deposit); err != nil {
		return fmt.Errorf("owner of deposit %s: %w", deposit, err)
	}

	return s.Deposits.Credited(ctx, tx, deposits)
}

// afterRefund moves the transaction of a refunded deposit, if there is one, to FAILED: nothing of it was delivered.
func (s *Service) afterRefund(
	ctx context.Context,
	tx *db.Tx,
	d reconcile.Deposit,
	to transaction.SettlementStatus,
	why string,
) error {
	if d.Transaction == "" {
		return nil
	}

	t, err := transaction.ByID(ctx, tx, d.Transaction)
	if err != nil || t.Settlement != transaction.SettlementRefunding && t.Settlement != transaction.SettlementNoRefund {
		return err
	}

	// people have ordered another attempt
	if t.Settlement == transaction.SettlementNoRefund && to == transaction.SettlementRefunded {
		if t, err = s.Transactions.Advance(ctx, tx, t, transaction.Step{
			Status:     t.Status,
			Settlement: transaction.SettlementRefunding,
			Info:       t.StatusInfo,
			What:       "refunding",
		}); err != nil {
			return err
		}
	}

	step := transaction.Step{Status: t.Status, Settlement: to, Info: why, What: "refunded"}
	if t.Settlement == to {
		return nil
	}

	if to == transaction.SettlementRefunded && t.Status != transaction.StatusFailed {
		step.Status = transaction.StatusFailed
		step.What = "failed"

		for _, p := range t.Payments {
			if err := setOutcome(tx, &t, p.Position, transaction.PaymentFailed, why); err != nil {
				return err
			}
		}
	}

	return s.advance(ctx, tx, t, step)
}
