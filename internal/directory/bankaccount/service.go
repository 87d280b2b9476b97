package bankaccount

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/core/text"
	"slipway/internal/directory/receiver"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/trail"
	"slipway/internal/rails/ibansuite"
	"slipway/internal/standards/bankcode"
	"slipway/internal/standards/iban"
)

// Deps is what the use cases need from elsewhere.
type Deps struct {
	DB  *db.DB
	Log *slog.Logger // nil: the default one
	// OrgApproved refuses with ORG_NOT_APPROVED while the organisation's onboardingStatus is not APPROVED.
	OrgApproved func(ctx context.Context, q db.Querier, organisation string) error
	Tables      Tables
	BICOptional bool               // accounts in SEPA need no bicSwift
	Provider    ibansuite.Provider // nil: accounts are checked offline only
	// Enqueue adds a job in the transaction; one job lives for each key.
	Enqueue func(tx *db.Tx, kind, key, payload string)
	// OrgName returns the name that stands in mails.
	OrgName func(ctx context.Context, q db.Querier, organisation string) (string, error)
	// Mail queues a mail in the transaction.
	Mail func(tx *db.Tx, m mail.Message)
	// Payees are the organisations' rules about payees; nil: none has any.
	Payees *approval.Payees
}

// Service holds the use cases of bank accounts.
type Service struct{ deps Deps }

// New returns the service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.Default()
	}

	return &Service{d}
}

type doneFunc = func(tx *db.Tx, v View) error

// prepare brings an account that a client describes into its stored form, and notes everything that is wrong with it by
// itself. It reports whether its place and numbers are sound. byIBAN is as in complete.
func (s *Service) prepare(a Account, byIBAN bool, l *fault.List) (_ Account, sound bool) {
	before := len(l.Fields())
	a = a.placed(l)

	a = a.formed(l)
	a = s.deps.Tables.describe(a)

	if a.Country != "" && a.Currency != "" {
		a.complete(l, byIBAN)
	}

	s.deps.Tables.fits(a, l)

	sound = len(l.Fields()) == before && l.Sound("/bankCountry", "/currency", "/accountNumber", "/iban", "/bicSwift",
		"/sortCode", "/routingNumber", "/ifscCode", "/accountType", "/achSupport", "/fedSupport")

	return a, sound
}

// reachable notes an account that is right and that no rail reaches.
func (a Account) reachable(l *fault.List) {
	if a.Validation == ValidationRejected || len(a.Rails()) > 0 {
		return
	}

	at := "/bankCountry"
	if a.ACH == No && a.Fed == No {
		at = "/routingNumber"
	}

	l.Add(
		at,
		fault.BankAccountUnreachable,
		"No payment rail reaches an account in %s at this bank in %s.",
		a.Currency,
		a.Country,
	)
}

// validateOffline sets the validation as far as the numbers themselves show it. A right account waits for the provider,
// if there is one to ask about it.
func (s *Service) validateOffline(tx *db.Tx, a *Account) error {
	f := s.deps.Tables.examine(*a)
	a.ErrorCode = f.code
	a.ErrorMessage = cmp.Or(f.message, remark(*a))

	a.ValidatedAt = tx.Now
	switch {
	case f.code != 0:
		return a.validated(ValidationRejected)
	case s.deps.Provider != nil && a.IBAN != "":
		a.ValidatedAt = db.Time(0)
		return a.validated(ValidationPending)
	}

	return a.validated(ValidationVerified)
}

// Create adds an account; a second call adds another. All problems are returned at once.
func (s *Service) Create(ctx context.Context, a Account, done doneFunc) error {
	l := caller.Faults(ctx)
	a, sound := s.prepare(a, s.deps.BICOptional, &l)

	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		if err := s.deps.OrgApproved(ctx, tx, a.Organisation); err != nil {
			return err
		}

		bad := l.Clone()

		if err := checkReceiver(ctx, tx, a, &bad); err != nil {
			return err
		}

		a, err := s.add(ctx, tx, a, sound, &bad)
		if err != nil {
			return err
		}

		return s.finish(ctx, tx, a, done)
	})
}

// CreateWithReceiver adds a receiver and an account of it, both or neither. The problems of both are returned at once.
func (s *Service) CreateWithReceiver(ctx context.Context, r receiver.Receiver, a Account, done doneFunc) error {
	l := caller.Faults(ctx)
	receiver.Check(r, s.deps.DB.Now(), "", &l)
	a, sound := s.prepare(a, s.deps.BICOptional, &l)

	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		if err := s.deps.OrgApproved(ctx, tx, a.Organisation); err != nil {
			return err
		}

		bad := l.Clone()

		if err := s.judge(tx, &a, sound, &bad); err != nil {
			return err
		}

		r, err := receiver.Insert(ctx, tx, s.deps.Payees, r)
		if err != nil {
			return err
		}

		a := a

		a.Receiver = r.ID
		if a, err = s.add(ctx, tx, a, sound, &bad); err != nil {
			return err
		}

		return done(tx, viewOf(ctx, a, r, tx.Now))
	})
}

// checkReceiver notes a receiver that is not the organisation's, or deleted.
func checkReceiver(ctx context.Context, q db.Querier, a Account, l *fault.List) error {
	_, err := receiver.ByID(ctx, q, a.Organisation, a.Receiver)
	if fault.Is(err, fault.NotFoundCode) {
		l.Add("/receiver", fault.ReceiverUnknown, "is not a receiver of your organisation.")
		return nil
	}

	return err
}

// judge validates a prepared account, if it is sound, and refuses one with which anything is wrong.
func (s *Service) judge(tx *db.Tx, a *Account, sound bool, bad *fault.List) error {
	if sound {
		if err := s.validateOffline(tx, a); err != nil {
			return err
		}

		a.reachable(bad)
	}

	return bad.Err()
}

// add validates a prepared account and writes it if nothing is wrong with it.
func (s *Service) add(ctx context.Context, tx *db.Tx, a Account, sound bool, bad *fault.List) (Account, error) {
	if a.ID == "" {
		a.ID = NewID(tx.Now)
	}

	a.events = append(a.events, "bank_account.created")

	if err := s.judge(tx, &a, sound, bad); err != nil {
		return a, err
	}

	from, err := s.deps.Payees.Changed(ctx, tx, &a.Mark, a.change(isNew))
	if err != nil {
		return a, err
	}

	replaced, err := coolAfter(ctx, tx, a, tx.Now)
	if err != nil {
		return a, err
	}

	for _, until := range []time.Time{from, replaced} {
		if until.After(a.CoolUntil) {
			a.CoolUntil = until
		}
	}

	if a, err = insert(tx, a); err != nil {
		return a, err
	}

	s.ask(tx, a)
	trail.Audit(ctx, tx, a.Organisation, "bank_account.create", a.ID, a.Country+" "+a.Currency)

	return a, nil
}

// coolAfter returns until when a new account is not paid to because it stands in for one of its receiver, in the same
// currency, that was deleted a moment ago: to delete and add is to change. The same account again keeps what the
// deleted one had to wait.
func coolAfter(ctx context.Context, q db.Querier, a Account, now time.Time) (time.Time, error) {
	var until time.Time

	gone, err := deletedSince(ctx, q, a, now)
	for _, old := range gone {
		wait := old.CoolUntil
		if old.target() != a.target() && old.Validation == ValidationVerified {
			wait = old.UpdatedAt.Add(CoolDown)
		}

		if wait.After(until) {
			until = wait
		}
	}

	return until, err
}

// BankOf returns the bank of an IBAN, as the table of banks has it. ok is false for an IBAN that is wrong, or not in
// the table.
func (s *Service) BankOf(number string) (bank bankcode.Bank, ok bool) {
	x, err := iban.Parse(iban.Normalise(number))
	if err != nil {
		return bank, false
	}

	return s.deps.Tables.Banks.Lookup(x)
}

// NewID makes an identifier, for use cases that name an account before it is added.
func NewID(now time.Time) string { return id.New("bac", now) }

// Check brings an account that an outside party describes into its stored form, and notes everything that would keep
// money from reaching it: what Create refuses, and what Create stores for a member to correct (wrong check digits, a
// QR-IBAN).
func (s *Service) Check(a Account, l *fault.List) Account {
	if a = s.CheckPayable(a, l); a.qr() && l.Sound("/iban") {
		l.Add(
			"/iban",
			fault.BankAccountUnreachable,
			"is a QR-IBAN, which takes only payments with a QR reference: give the account's ordinary IBAN.",
		)
	}

	return a
}

// CheckPayable is Check for a member, who may name a QR-IBAN: the payments to it say whether they have a QR reference.
func (s *Service) CheckPayable(a Account, l *fault.List) Account {
	var own fault.List

	a, _ = s.prepare(a, s.deps.BICOptional, &own)
	if own.Empty() {
		s.payable(a, &own)
	} else if f := s.deps.Tables.examine(Account{IBAN: a.IBAN}); f.code != 0 && text.OneLine(a.IBAN) { // besides the rest
		own.Add("/iban", fault.BankAccountNotValidated, "is wrong: %s.", f.message)
	}

	l.Append(own.Fields()...)

	return a
}

// payable notes what is wrong with an account whose fields are all there and well formed.
func (s *Service) payable(a Account, l *fault.List) {
	at := "/iban"
	if a.IBAN == "" {
		at = "/accountNumber"
	}

	if f := s.deps.Tables.examine(a); f.code != 0 {
		l.Add(at, fault.BankAccountNotValidated, "is wrong: %s.", f.message)
		return
	}

	a.reachable(l)
}

// Add adds an account that Check has passed, in the caller's transaction; its receiver is the organisation's. Nothing
// is paid to it for cool. An identifier that NewID gave before is kept.
func (s *Service) Add(ctx context.Context, tx *db.Tx, a Account, cool time.Duration) (Account, error) {
	if cool > 0 {
		a.CoolUntil = tx.Now.Add(cool)
	}

	return s.add(ctx, tx, a, true, &fault.List{})
}

// finish passes the answer to done, at the end of a write body.
func (s *Service) finish(ctx context.Context, tx *db.Tx, a Account, done doneFunc) error {
	v, err := Views(ctx, tx, a.Organisation, []Account{a}, tx.Now)
	if err != nil {
		return err
	}

	return done(tx, v[0])
}

// Delete takes an account out of use. Transactions that name it go on with their own copy. A second call returns
// NOT_FOUND.
func (s *Service) Delete(ctx context.Context, organisation, accountID string, done doneFunc) error {
	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		a, err := ByID(ctx, tx, organisation, accountID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, a.Version); err != nil {
			return err
		}

		if a, err = s.delete(ctx, tx, a); err != nil {
			return err
		}

		return s.finish(ctx, tx, a, done)
	})
}

// DeleteOf takes all accounts of a receiver out of use, in the write that deletes it. A second call finds none.
func (s *Service) DeleteOf(ctx context.Context, tx *db.Tx, organisation, receiverID string) error {
	all, err := OfReceiver(ctx, tx, organisation, receiverID)
	for _, a := range all {
		if _, err := s.delete(ctx, tx, a); err != nil {
			return err
		}
	}

	return err
}

func (s *Service) delete(ctx context.Context, tx *db.Tx, a Account) (Account, error) {
	if err := s.deps.Payees.Removed(ctx, tx, a.change("was deleted.")); err != nil {
		return a, err
	}

	a.Deleted = true

	a, err := update(tx, a)
	if err == nil {
		trail.Audit(ctx, tx, a.Organisation, "bank_account.delete", a.ID, "")
	}

	return a, err
}
