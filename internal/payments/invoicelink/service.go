package invoicelink

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/core/money"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/document"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/refdata"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/user"
	"slipway/internal/payments/payable"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/words"
)

// Deps are the use cases' dependencies.
type Deps struct {
	DB      *db.DB
	BaseURL string // address of the hosted page in public, without a slash at the end
	Limits  Limits // of outside parties
	// OrgApproved refuses with ORG_NOT_APPROVED unless the organisation's onboardingStatus is APPROVED.
	OrgApproved func(ctx context.Context, q db.Querier, organisation string) error
	// OrgName returns the organisation's name for the outside party.
	OrgName func(ctx context.Context, q db.Querier, organisation string) (string, error)
	// Recipients returns the users who are mailed when an invoice comes through a link: its maker, or, if he no longer
	// belongs to the organisation, others who do.
	Recipients func(ctx context.Context, q db.Querier, organisation, maker string) ([]string, error)
	// FourEyes reports whether the organisation requires a second person for what one has begun.
	FourEyes     func(ctx context.Context, q db.Querier, organisation string) (bool, error)
	Payees       *approval.Payees // the organisations' rules about payees; nil: no rules
	BankAccounts *bankaccount.Service
	Wallets      *wallet.Service
	// StoreDocument stores a file and calls then in the transaction that makes it visible. If then fails, there is no
	// document.
	StoreDocument func(ctx context.Context, f document.New, then func(tx *db.Tx, d document.Stored) error) error
	// DropDocuments deletes those documents that nothing refers to, and returns the keys of the others.
	DropDocuments func(ctx context.Context, tx *db.Tx, organisation string, keys []string) (kept []string, err error)
	Payables      *payable.Service
	// Mail queues a mail in the transaction.
	Mail func(tx *db.Tx, m mail.Message)
}

// Service holds the use cases of invoice links.
type Service struct {
	deps   Deps
	limits limits
}

// New returns the service.
func New(d Deps) *Service { return &Service{d, newLimits(d.Limits)} }

// hashOf returns the stored hash of a token. A token has 256 random bits and cannot be found by trying, so no slow hash
// is needed.
func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// Wish is a member's request for a link.
type Wish struct {
	Email     string
	Existing  bool   // for a known receiver
	Receiver  string // which one; empty: the only one with this address
	Requested Requested
}

// Made is a new link with its URL, which is shown once.
type Made struct {
	Link Link
	// contains the token behind the #: browsers do not send that part, so no log and no next page learns it
	URL string
}

// Create creates a link for the caller's organisation and mails it. A second call creates a second one. Links are
// limited, because the mail goes to somebody who did not ask for it.
func (s *Service) Create(ctx context.Context, wish Wish, done func(tx *db.Tx, m Made) error) error {
	token := secret.Token(tokenPrefix)
	p := caller.Of(ctx)

	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		if err := s.deps.OrgApproved(ctx, tx, p.Organisation); err != nil {
			return err
		}

		k := Link{
			ID:           id.New(prefix, tx.Now),
			Organisation: p.Organisation,
			Existing:     wish.Existing,
			Requested:    wish.Requested,
			CreatedBy:    p.User,
			Mails:        1,
			MailedAt:     tx.Now,
			ExpiresAt:    tx.Now.Add(Lifetime),
			hash:         hashOf(token),
		}

		k, err := s.withReceiver(ctx, tx, k, wish)
		if err != nil {
			return err
		}

		if err := s.checkMailLimits(ctx, tx, k); err != nil {
			return err
		}

		if err := k.move(Open); err != nil {
			return err
		}

		if k, err = insert(tx, k); err != nil {
			return err
		}

		trail.Audit(ctx, tx, k.Organisation, "invoice_link.created", k.ID, k.Email+" "+k.Receiver)

		m := Made{k, s.deps.BaseURL + "/i#" + token}
		if err := s.mailLink(ctx, tx, m, p.User); err != nil {
			return err
		}

		return done(tx, m)
	})
}

// withReceiver returns the link with its receiver, and notes everything that is wrong with the request.
func (s *Service) withReceiver(ctx context.Context, q db.Querier, k Link, wish Wish) (Link, error) {
	var l fault.List
	k.Email = user.CheckEmail(&l, "/email", wish.Email)
	wish.Requested.check(&l)

	switch {
	case !wish.Existing && wish.Receiver != "":
		l.Add("/receiverId", fault.NotAllowed, "is for a receiver that is known: say so by isExistingReceiver.")
	case !wish.Existing:
		k.Receiver = receiver.NewID(s.deps.DB.Now())

	default:
		r, err := s.knownReceiver(ctx, q, k, wish, &l)
		if err != nil {
			return k, err
		}

		k.Receiver = r.ID
		k.OtherAddress = user.Key(r.Email) != user.Key(k.Email)
	}

	return k, l.Err()
}

// knownReceiver returns the known receiver that a link is for.
func (s *Service) knownReceiver(
	ctx context.Context,
	q db.Querier,
	k Link,
	wish Wish,
	l *fault.List,
) (receiver.Receiver, error) {
	named := wish.Receiver
	if named == "" && k.Email != "" {
		same, err := receiver.WithEmail(ctx, q, k.Organisation, k.Email)
		if err != nil {
			return receiver.Receiver{}, err
		}

		if len(same) != 1 {
			l.Add("/receiverId", fault.ReceiverAmbiguous, "is needed: %d receivers have this address.", len(same))
			return receiver.Receiver{}, nil
		}

		named = same[0]
	}

	r, err := receiver.ByID(ctx, q, k.Organisation, named)
	if fault.Is(err, fault.NotFoundCode) || err == nil && r.Self {
		l.Add("/receiverId", fault.ReceiverUnknown, "is not a receiver of your organisation that somebody else is.")
		return receiver.Receiver{}, nil
	}

	return r, err
}

// check notes what is wrong with the requested fields.
func (r *Requested) check(l *fault.List) {
	r.Reason = user.CheckText(l, "/reason", r.Reason, maxReason, false)
	if r.Currency == "" && r.Amount == "" {
		return
	}

	c, ok := refdata.All().Currency(r.Currency)
	if !ok || c.Code != r.Currency {
		l.Add("/currencyIsoCode", fault.CurrencyUnknown, "is not a currency: give the code of one of /currencies.")
		return
	}

	if r.Amount != "" {
		transaction.ParseFiat(l, "/amount", c, r.Amount)
	}
}

// checkMailLimits refuses a link beyond the limits.
func (s *Service) checkMailLimits(ctx context.Context, tx *db.Tx, k Link) error {
	limits := s.deps.Limits

	all, to, err := countRecent(ctx, tx, k.Organisation, k.Email, tx.Now.Add(-oneDay))
	switch {
	case err != nil:
		return err

	case limits.ADay > 0 && all >= limits.ADay:
		return fault.New(
			fault.TooMany,
			fault.InvoiceLinkLimit,
			"An organisation mails at most %d invoice links a day.",
			limits.ADay,
		)

	case limits.ToAddress > 0 && to >= limits.ToAddress:
		return fault.New(
			fault.TooMany,
			fault.InvoiceLinkLimit,
			"At most %d invoice links a day go to one address.",
			limits.ToAddress,
		)
	}

	return nil
}

// move changes the status. It is the only writer of status.
func (k *Link) move(to Status) error {
	if !states.Allows(k.Status, to) {
		return fmt.Errorf("invoice link %s cannot go from %s to %s", k.ID, k.Status, to)
	}

	k.Status = to

	return nil
}

// closedError returns the refusal of a link with which a member can do nothing more.
func (k Link) closedError() error {
	f := fault.New(fault.Conflict, fault.InvoiceLinkClosed, "The invoice link is %s.", k.Status)
	if k.Payable != "" {
		return f.With("payable", k.Payable)
	}

	return f
}

// checkOpen refuses a link that is over. A link submitted in time stays workable: only its token expires.
func (k Link) checkOpen(tx *db.Tx) error {
	return k.openAt(tx.Now)
}

// openAt is checkOpen at a time.
func (k Link) openAt(now time.Time) error {
	if k.Status = k.StatusAt(now); k.Status != Open && k.Status != Submitted {
		return k.closedError()
	}

	return nil
}

// decidable refuses a decision while nothing is proposed that nobody has decided about.
func (k Link) decidable(now time.Time) error {
	if err := k.openAt(now); err != nil {
		return err
	}

	if a := k.Given.Account; a != nil && a.Proposal == Proposed {
		return nil
	}

	if w := k.Given.Wallet; w != nil && w.Proposal == Proposed {
		return nil
	}

	return fault.New(fault.Conflict, fault.ProposalChanged, "The link proposes nothing.")
}

// Done is called inside the write, at its end, with the link as it is then.
type Done = func(tx *db.Tx, k Link) error

// Revoke ends a link and deletes what was handed in through it. A second call changes nothing. It is refused for a link
// whose payable was made, or that has expired.
func (s *Service) Revoke(ctx context.Context, organisation, linkID string, done Done) error {
	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		k, err := ByID(ctx, tx, organisation, linkID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, k.Version); err != nil {
			return err
		}

		if k.Status == Revoked {
			return done(tx, k)
		}

		if err := k.checkOpen(tx); err != nil {
			return err
		}

		if k, err = s.end(ctx, tx, k, Revoked, "invoice_link.revoked"); err != nil {
			return err
		}

		return done(tx, k)
	})
}

const expiredEvent = "invoice_link.expired"

// end moves a link to a final status. It deletes what the outside party has entered, which must not be stored without a
// purpose, and its files, except those that a member uses elsewhere.
func (s *Service) end(ctx context.Context, tx *db.Tx, k Link, to Status, event string) (Link, error) {
	if err := k.move(to); err != nil {
		return k, err
	}

	if err := s.dropUnused(ctx, tx, &k); err != nil {
		return k, err
	}

	k.Given = Given{}
	k.Counts = Counts{}
	k, err := update(tx, k, event)
	trail.Audit(ctx, tx, k.Organisation, event, k.ID, "")

	return k, err
}

// dropUnused deletes the files of a link that nothing refers to.
func (s *Service) dropUnused(ctx context.Context, tx *db.Tx, k *Link) error {
	if len(k.Given.Documents) == 0 {
		return nil
	}

	keys := make([]string, len(k.Given.Documents))
	for i, d := range k.Given.Documents {
		keys[i] = d.Key
	}

	kept, err := s.deps.DropDocuments(ctx, tx, k.Organisation, keys)
	k.Given.Documents = slices.DeleteFunc(slices.Clone(k.Given.Documents), func(d ShownDocument) bool {
		return !slices.Contains(kept, d.Key)
	})

	return err
}

// Expire ends links that nobody submitted in time, at most most of them, each in its own write, and returns how many. A
// job calls it.
func (s *Service) Expire(ctx context.Context, most int) (n int, err error) {
	old, err := overdue(ctx, s.deps.DB, s.deps.DB.Now(), most)
	for i := 0; i < len(old) && err == nil; i++ {
		err = s.deps.DB.Write(ctx, func(tx *db.Tx) error {
			_, err := s.end(ctx, tx, old[i], Expired, expiredEvent)
			return err
		})

		switch {
		case errors.Is(err, db.ErrStale): // another process has it
			err = nil
		case err == nil:
			n++
		}
	}

	return n, err
}

// mailLink mails the link to the outside party and names the user who asks.
func (s *Service) mailLink(ctx context.Context, tx *db.Tx, m Made, asker string) error {
	name, err := s.deps.OrgName(ctx, tx, m.Link.Organisation)
	if err != nil {
		return err
	}

	people, err := user.BriefsOf(ctx, tx, []string{asker})
	if err != nil {
		return err
	}

	asks := people[asker]
	r := m.Link.Requested
	s.deps.Mail(tx, mail.Message{
		Kind:         mail.InvoiceRequest,
		To:           m.Link.Email,
		Record:       m.Link.ID,
		Organisation: m.Link.Organisation,
		Language:     caller.RequestOf(ctx).Language,
		Data: map[string]string{
			"organisation": name,
			"asker":        strings.TrimSpace(asks.FirstName + " " + asks.LastName),
			"when":         words.When(m.Link.ExpiresAt),
			"link":         m.URL,
			"amount":       sum(r.Amount, r.Currency, ""),
			"reason":       r.Reason,
		},
	})

	return nil
}

// mailSubmitted mails the members concerned that the invoice has come. It also mails the link's address what was handed
// in. So if somebody else uses the link, the intended recipient finds out. That mail contains no free text of the other
// party's.
func (s *Service) mailSubmitted(ctx context.Context, tx *db.Tx, k Link) error {
	name, err := s.deps.OrgName(ctx, tx, k.Organisation)
	if err != nil {
		return err
	}

	recipients, err := s.recipients(ctx, tx, k)
	if err != nil {
		return err
	}

	in := k.Given.Invoice

	amount := k.Sum()
	for _, to := range recipients {
		s.deps.Mail(tx, mail.Message{
			Kind:         mail.InvoiceSubmitted,
			To:           to.Email,
			User:         to.ID,
			Record:       k.ID,
			Organisation: k.Organisation,
			Data: map[string]string{
				"name":         to.FirstName,
				"organisation": name,
				"email":        k.Email,
				"amount":       amount,
				"reason":       in.Reason,
				"reference":    k.ID,
			},
		})
	}

	s.deps.Mail(tx, mail.Message{
		Kind:         mail.InvoiceReceipt,
		To:           k.Email,
		Organisation: k.Organisation,
		Language:     caller.RequestOf(ctx).Language,
		Data: map[string]string{
			"organisation": name, "amount": amount,
			"where": k.where(), "reference": k.ID,
		},
	})

	return nil
}

// recipients returns the active members who are mailed about a link.
func (s *Service) recipients(ctx context.Context, tx *db.Tx, k Link) ([]user.Brief, error) {
	ids, err := s.deps.Recipients(ctx, tx, k.Organisation, k.CreatedBy)
	if err != nil {
		return nil, err
	}

	people, err := user.BriefsOf(ctx, tx, ids)

	var out []user.Brief
	for _, id := range ids {
		if people[id].IsActive {
			out = append(out, people[id])
		}
	}

	return out, err
}

// sum returns an amount as somebody has written it, for a mail: with the decimals of its currency, or two at least of a
// token. An amount that is not given leaves the currency.
func sum(amount, currency, token string) string {
	asset := money.Asset{Code: token, Decimals: maxDecimals}
	if c, ok := refdata.All().Currency(currency); ok {
		asset = money.Asset{Code: c.Code, Decimals: c.Decimals}
	}

	if amount == "" {
		return asset.Code
	}

	if a, err := money.Parse(asset, amount); err == nil {
		amount = a.String()
	}

	return words.Sum(amount, asset.Code)
}

// Sum returns what a submitted invoice asks for, a value of package words.
func (k Link) Sum() string {
	in := k.Given.Invoice
	return sum(in.Amount, in.Currency, in.Token)
}

// where returns the destination of a submitted invoice, for a mail.
func (k Link) where() string {
	switch seen := k.shown(); {
	case k.Given.Invoice.Token != "" && seen.Wallet != nil:
		return words.Phrase("a wallet, %s", seen.Wallet.Ending)
	case k.Given.Invoice.Token == "" && seen.Account != nil:
		return words.Phrase("a bank account that ends in %s", seen.Account.Ending)
	}

	return words.Phrase("where you were paid before")
}
