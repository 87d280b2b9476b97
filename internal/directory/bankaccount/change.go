package bankaccount

import (
	"context"
	"slices"
	"strings"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/directory/receiver"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/words"
)

// Change applies edit to an account of the organisation; edit may run more than once. When it changes where the money
// goes (a number, the country or currency, the receiver), the account is validated anew, and one that was good before
// is not paid to for CoolDown: somebody else's account under a known name is how payments are diverted. The receiver
// that had the account gets a mail. A change that changes nothing does nothing.
func (s *Service) Change(
	ctx context.Context,
	organisation, accountID string,
	edit func(*Account),
	done doneFunc,
) error {
	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		before, err := ByID(ctx, tx, organisation, accountID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, before.Version); err != nil {
			return err
		}

		next := before
		edit(&next)

		if before.BIC == "" && next.IBAN == before.IBAN && next.BIC == before.Found.BIC {
			next.BIC = "" // what the view shows of the bank that was found is nothing that was said
		}

		l := caller.Faults(ctx)

		stays := before.BIC == "" && next.IBAN == before.IBAN // it was added when none was needed

		next, _ = s.prepare(next, stays || s.deps.BICOptional, &l)
		if next.Receiver != before.Receiver {
			if err := checkReceiver(ctx, tx, next, &l); err != nil {
				return err
			}
		}

		if err := l.Err(); err != nil {
			return err
		}

		moved := changed(before, next)
		if len(moved) == 0 {
			return s.finish(ctx, tx, before, done)
		}

		if next, err = s.change(ctx, tx, before, next); err != nil {
			return err
		}

		if next.CoolUntil != before.CoolUntil {
			if err := s.warn(ctx, tx, before, next, moved); err != nil {
				return err
			}
		}

		trail.Audit(ctx, tx, organisation, "bank_account.change", before.ID, strings.Join(moved, " "))

		return s.finish(ctx, tx, next, done)
	})
}

// change writes an edited account.
func (s *Service) change(ctx context.Context, tx *db.Tx, before, next Account) (Account, error) {
	if next.target() != before.target() {
		next.events = append(next.events, "bank_account.changed")
		// CoolUntil stays set for ever once an account was good: who makes it wrong first, and another one a day
		// later, waits again.
		if before.Validation == ValidationVerified || !before.CoolUntil.IsZero() {
			next.CoolUntil = tx.Now.Add(CoolDown)
		}

		from, err := s.deps.Payees.Changed(
			ctx,
			tx,
			&next.Mark,
			next.change("was changed: "+strings.Join(changed(before, next), ", ")+"."),
		)
		if err != nil {
			return next, err
		}

		if from.After(next.CoolUntil) {
			next.CoolUntil = from
		}

		if err := s.validateOffline(tx, &next); err != nil {
			return next, err
		}
	} else {
		next.Found = before.Found
		next.SEPA = before.SEPA // as the provider said
	}

	var l fault.List
	next.reachable(&l)

	if err := l.Err(); err != nil {
		return next, err
	}

	next, err := update(tx, next)
	if err == nil && next.target() != before.target() {
		s.ask(tx, next)
	}

	return next, err
}

// Correct applies edit to an account of the organisation, by the word of a bank that two operators have let in. paid is
// the account as the payment had it that the bank speaks of. It is a change like any other: the account is validated
// anew, nothing is paid to it for CoolDown, its receiver gets a mail, and a second member approves it where the
// organisation's rules say so. It refuses an account that has been deleted or changed since.
func (s *Service) Correct(ctx context.Context, tx *db.Tx, paid Account, edit func(*Account)) error {
	before, err := ByID(ctx, tx, paid.Organisation, paid.ID)
	if fault.Is(err, fault.NotFoundCode) {
		return fault.New(fault.Conflict, fault.ApprovalOvertaken, "The bank account was deleted in the meantime.")
	}

	if err != nil {
		return err
	}

	next := before
	edit(&next)

	moved := changed(before, next)

	switch {
	case len(moved) == 0:
		return nil // somebody has corrected it already
	case before.target() != paid.target():
		return fault.New(
			fault.Conflict,
			fault.ApprovalOvertaken,
			"The bank account was changed since the payment: compare it with what the bank says, and change it by hand.",
		)
	}

	var l fault.List

	next, _ = s.prepare(next, s.deps.BICOptional, &l)
	if err := l.Err(); err != nil {
		return err
	}

	if next, err = s.change(ctx, tx, before, next); err != nil {
		return err
	}

	if err := s.warn(ctx, tx, before, next, moved); err != nil {
		return err
	}

	trail.Audit(ctx, tx, before.Organisation, "bank_account.change", before.ID,
		strings.Join(moved, " ")+" by the word of the bank")

	return nil
}

// isNew describes an account that was added just now.
const isNew = "is new."

// change describes an account to a second person: where money would go, in full, since that is what he approves.
func (a Account) change(what string) approval.Change {
	numbers := []string{
		"Bank account",
		a.IBAN,
		a.AccountNumber,
		a.SortCode,
		a.RoutingNumber,
		a.IFSC,
		a.BIC,
		a.Currency,
		a.Country,
		"of receiver",
		a.Receiver,
		what,
	}

	return approval.Change{
		Organisation: a.Organisation,
		Kind:         approval.BankAccount,
		Object:       a.ID,
		Destination:  true,
		New:          what == isNew,
		Summary:      strings.Join(slices.DeleteFunc(numbers, func(s string) bool { return s == "" }), " "),
	}
}

// Decided carries out a second person's decision about an account, for approval.Handler.
func Decided(ctx context.Context, tx *db.Tx, d approval.Approval) error {
	a, err := ByID(ctx, tx, d.Organisation, d.Object)
	if fault.Is(err, fault.NotFoundCode) {
		return nil // deleted in the meantime
	}

	if err == nil && a.Mark.Decided(d) {
		_, err = update(tx, a)
	}

	return err
}

// warn mails the receiver that had the account that it was changed. The mail holds the number's last digits alone.
func (s *Service) warn(ctx context.Context, tx *db.Tx, before, next Account, moved []string) error {
	names, err := receiver.WithDeleted(ctx, tx, before.Organisation, []string{before.Receiver})
	if err != nil {
		return err
	}

	organisation, err := s.deps.OrgName(ctx, tx, before.Organisation)
	if err != nil {
		return err
	}

	number := next.IBAN
	if number == "" {
		number = next.AccountNumber
	}

	r := names[before.Receiver]
	if r.Email == "" {
		return nil // an organisation's own receiver may have none yet
	}

	s.deps.Mail(tx, mail.Message{
		Kind:         mail.BankAccountChanged,
		To:           r.Email,
		Organisation: next.Organisation,
		Data: map[string]string{
			"name":         r.Name(),
			"organisation": organisation,
			"when":         words.When(tx.Now),
			"what":         inMail(moved),
			"ending":       number[max(0, len(number)-4):],
			"until":        words.When(next.CoolUntil),
		},
	})

	return nil
}

// inMail returns the names of changed fields in words.
func inMail(moved []string) string {
	fields := make([]string, len(moved))
	for i, name := range moved {
		fields[i] = words.Phrase(fieldWords[name])
	}

	return words.List(words.Commas, fields...)
}

// fieldWords are what mails call the fields that say where an account's money goes.
var fieldWords = map[string]string{
	"receiver":      "the payee",
	"bankCountry":   "the bank's country",
	"currency":      "the currency",
	"iban":          "the IBAN",
	"bicSwift":      "the BIC",
	"accountNumber": "the account number",
	"sortCode":      "the sort code",
	"routingNumber": "the routing number",
	"ifscCode":      "the IFSC",
	"accountType":   "the type of account",
	"achSupport":    "whether ACH reaches it",
	"fedSupport":    "whether Fedwire reaches it",
	"bank":          "the bank",
}

// target is where money goes that is paid to the account.
func (a Account) target() [10]string {
	return [10]string{
		a.Receiver,
		a.Country,
		a.Currency,
		a.IBAN,
		a.BIC,
		a.AccountNumber,
		a.SortCode,
		a.RoutingNumber,
		a.IFSC,
		a.AccountType,
	}
}

// changed names what was changed, without the values.
func changed(a, b Account) []string {
	var out []string
	for name, differs := range map[string]bool{
		"receiver":      a.Receiver != b.Receiver,
		"bankCountry":   a.Country != b.Country,
		"currency":      a.Currency != b.Currency,
		"iban":          a.IBAN != b.IBAN,
		"bicSwift":      a.BIC != b.BIC,
		"accountNumber": a.AccountNumber != b.AccountNumber,
		"sortCode":      a.SortCode != b.SortCode,
		"routingNumber": a.RoutingNumber != b.RoutingNumber,
		"ifscCode":      a.IFSC != b.IFSC,
		"accountType":   a.AccountType != b.AccountType,
		"achSupport":    a.ACHSaid != b.ACHSaid,
		"fedSupport":    a.FedSaid != b.FedSaid,
		"bank":          a.Bank != b.Bank,
	} {
		if differs {
			out = append(out, name)
		}
	}

	slices.Sort(out)

	return out
}
