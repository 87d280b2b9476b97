package payable

import (
	"context"
	"reflect"
	"strings"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/identity/approval"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Deps are the use cases' dependencies.
type Deps struct {
	DB           *db.DB
	Transactions *transaction.Service
}

// Service holds the use cases of payables.
type Service struct{ Deps }

// New returns the service.
func New(d Deps) *Service { return &Service{d} }

// Done is called inside the write, at its end, with the view that the client will see.
type Done = func(tx *db.Tx, v View) error

// Create makes a DRAFT for the caller's organisation. A second call makes a second one, with a warning about the first.
func (s *Service) Create(ctx context.Context, in Input, done Done) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		p, err := s.New(ctx, tx, in)
		if err != nil {
			return err
		}

		return s.finish(ctx, tx, p, done)
	})
}

// New makes a DRAFT for the caller's organisation inside the caller's write. It refuses all wrong fields of in at once.
func (s *Service) New(ctx context.Context, tx *db.Tx, in Input) (Payable, error) {
	caller := caller.Of(ctx)

	p, to, err := read(ctx, tx, caller.Organisation, in)
	if err != nil {
		return p, err
	}

	if err := p.setStatus(Draft); err != nil {
		return p, err
	}

	p.ID = id.New(Prefix, tx.Now)
	p.CreatedBy = caller.User
	p.Authors = approval.People("").With(caller.User)
	p.Version = 1
	p.CreatedAt = tx.Now
	p.UpdatedAt = tx.Now
	p.search = searchText(p, to.receiver)
	payableRows.Insert(tx, &p)

	return p, record(ctx, tx, p, "created", string(p.Origin))
}

// decide runs a body that reads the payables it decides about. Of two concurrent writes, the second runs once more and
// sees what the first has written.
func (s *Service) decide(ctx context.Context, body func(tx *db.Tx) error) error {
	err := s.DB.Write(ctx, body)
	if db.Overtaken(err, "payable_approvals") {
		err = s.DB.Write(ctx, body)
	}

	return err
}

// finish makes the answer at the end of a write body.
func (s *Service) finish(ctx context.Context, tx *db.Tx, p Payable, done Done) error {
	v, err := s.View(ctx, tx, p)
	if err != nil {
		return err
	}

	return done(tx, v)
}

// Edit is a member's change of a draft. A nil field stays as it is; an empty text clears a field that may be empty.
type Edit struct {
	Name                *string     `json:"name,omitempty" nullable:"false" maxLength:"200" doc:"what the invoice is called"`
	Amount              *string     `json:"amount,omitempty" nullable:"false" maxLength:"64" doc:"decimal text, in the currency or token"`
	Reason              *string     `json:"reason,omitempty" nullable:"false" maxLength:"400" doc:"what is paid for; the receiver reads it"`
	Receiver            *caller.Ref `json:"receiver,omitempty" record:"receiver" nullable:"false" doc:"with a bank account or wallet of his"`
	Type                *string     `json:"type,omitempty" nullable:"false" enum:"FIAT,CRYPTO" doc:"with the fields of the other type"`
	DocumentStorageKey  *string     `json:"documentStorageKey,omitempty" maxLength:"200" doc:"of a document that was uploaded; empty: none"`
	Instructions        *string     `json:"instructions,omitempty" maxLength:"1000" doc:"for people; nothing acts on it; empty: none"`
	ExpectedPaymentDate *string     `json:"expectedPaymentDate,omitempty" maxLength:"64" doc:"empty: none"`
	BankAccount         *caller.Ref `json:"bankAccount,omitempty" record:"bankAccount" doc:"FIAT: a bank account of the receiver"`
	CurrencyIsoCode     *string     `json:"currencyIsoCode,omitempty" maxLength:"3" doc:"FIAT: the bank account's currency"`
	Wallet              *caller.Ref `json:"wallet,omitempty" record:"wallet" doc:"CRYPTO: a wallet of the receiver"`
	TokenIsoCode        *string     `json:"tokenIsoCode,omitempty" maxLength:"16" doc:"CRYPTO: the token"`
	InvoiceNumber       *string     `json:"invoiceNumber,omitempty" maxLength:"70" doc:"the receiver's number of the invoice; empty: none"`
	Reference           *string     `json:"reference,omitempty" maxLength:"50" doc:"FIAT: creditor reference that the payment carries; empty: none"`
}

// apply returns the input with the changes. If the type changes, the fields of the old type are cleared.
func (e Edit) apply(in Input) Input {
	if e.Type != nil && *e.Type != in.Type {
		in.Type = *e.Type
		in.BankAccount = ""
		in.CurrencyIsoCode = ""
		in.Wallet = ""
		in.TokenIsoCode = ""
		in.Reference = ""
	}

	for _, x := range []struct{ into, from *string }{
		{&in.Name, e.Name},
		{&in.Amount, e.Amount},
		{&in.Reason, e.Reason},
		{(*string)(&in.Receiver), (*string)(e.Receiver)},
		{&in.DocumentStorageKey, e.DocumentStorageKey},
		{&in.Instructions, e.Instructions},
		{&in.ExpectedPaymentDate, e.ExpectedPaymentDate},
		{(*string)(&in.BankAccount), (*string)(e.BankAccount)},
		{&in.CurrencyIsoCode, e.CurrencyIsoCode},
		{(*string)(&in.Wallet), (*string)(e.Wallet)},
		{&in.TokenIsoCode, e.TokenIsoCode},
		{&in.InvoiceNumber, e.InvoiceNumber},
		{&in.Reference, e.Reference},
	} {
		if x.from != nil {
			*x.into = *x.from
		}
	}

	return in
}

// Change changes a draft. The caller becomes one of its authors. A change that changes nothing does nothing.
func (s *Service) Change(ctx context.Context, payableID string, e Edit, done Done) error {
	caller := caller.Of(ctx)

	return s.decide(ctx, func(tx *db.Tx) error {
		p, err := ByID(ctx, tx, caller.Organisation, payableID)
		if err != nil {
			return err
		}

		if err := p.draft(ctx); err != nil {
			return err
		}

		in := e.apply(p.input())
		if reflect.DeepEqual(in, p.input()) {
			return s.finish(ctx, tx, p, done)
		}

		next, to, err := read(ctx, tx, p.Organisation, in)
		if err != nil {
			return err
		}

		next.ID = p.ID
		next.CreatedBy = p.CreatedBy
		next.CreatedAt = p.CreatedAt
		next.Authors = p.Authors.With(caller.User)

		next.search = searchText(next, to.receiver)
		if next, err = write(tx, p, next, Draft); err != nil {
			return err
		}

		if err := record(ctx, tx, next, "updated", ""); err != nil {
			return err
		}

		return s.finish(ctx, tx, next, done)
	})
}

// Reject refuses a draft for good.
func (s *Service) Reject(ctx context.Context, payableID, reason string, done Done) error {
	var l fault.List
	if reason = strings.TrimSpace(reason); reason == "" {
		l.Add("/reason", fault.Required, "is required.")
	}

	caller := caller.Of(ctx)

	return s.decide(ctx, func(tx *db.Tx) error {
		p, err := ByID(ctx, tx, caller.Organisation, payableID)
		if err != nil {
			return err
		}

		if err := l.Err(); err != nil {
			return err
		}

		if err := p.draft(ctx); err != nil {
			return err
		}

		next := p
		next.RejectReason = reason
		next.RejectedBy = caller.User

		next.RejectedAt = tx.Now
		if next, err = write(tx, p, next, Rejected); err != nil {
			return err
		}

		if err := record(ctx, tx, next, "rejected", ""); err != nil {
			return err
		}

		return s.finish(ctx, tx, next, done)
	})
}

// Duplicate makes a DRAFT with the same content, whatever the status of the other. It warns of the other, as of any
// that looks alike.
func (s *Service) Duplicate(ctx context.Context, payableID string, done Done) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		p, err := ByID(ctx, tx, caller.Of(ctx).Organisation, payableID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, p.Version); err != nil {
			return err
		}

		in := p.input()
		in.Origin = ByMember

		in.Link = ""

		in.LinkWarnings = nil
		if p, err = s.New(ctx, tx, in); err != nil {
			return err
		}

		return s.finish(ctx, tx, p, done)
	})
}

// draft refuses a payable that is not DRAFT, or not at the version that the caller has seen.
func (p Payable) draft(ctx context.Context) error {
	if p.Status != Draft {
		return fault.New(
			fault.Conflict,
			fault.PayableNotDraft,
			"The payable is %s; only one that is DRAFT can be changed, rejected or approved.",
			p.Status,
		)
	}

	return caller.Unchanged(ctx, p.Version)
}

// setStatus changes the status in the value. It is the only way to do so.
func (p *Payable) setStatus(to Status) error {
	if !table.Allows(p.Status, to) {
		return fault.New(fault.Conflict, fault.PayableNotDraft, "The payable is %s and cannot become %s.", p.Status, to)
	}

	p.Status = to

	return nil
}

// write stores a payable that was read in this write body, with its new state and a new version.
func write(tx *db.Tx, was, next Payable, to Status) (Payable, error) {
	next.Status = was.Status
	if err := next.setStatus(to); err != nil {
		return was, err
	}

	next.Version = was.Version + 1
	next.UpdatedAt = tx.Now
	update(tx, next, was.Status, was.Version, was.Transaction)

	return next, nil
}

// eventView is the part of View that events carry: each member has the name and the value that GET shows.
type eventView struct {
	ID              string        `json:"_id"`
	Status          Status        `json:"status"`
	Type            Type          `json:"type"`
	Amount          string        `json:"amount"`
	CurrencyIsoCode string        `json:"currencyIsoCode,omitempty"`
	TokenIsoCode    string        `json:"tokenIsoCode,omitempty"`
	Receiver        string        `json:"receiver"`
	Payment         *eventPayment `json:"payment,omitempty"`
	Version         int64         `json:"version"`
}

type eventPayment struct {
	Transaction string `json:"transactionId"`
}

// record writes the event and the audit line of a change.
func record(ctx context.Context, tx *db.Tx, p Payable, what, detail string) error {
	trail.Audit(ctx, tx, p.Organisation, "payable."+what, p.ID, detail)

	in := p.input()

	v := eventView{
		ID:              p.ID,
		Status:          p.Status,
		Type:            p.Type,
		Amount:          in.Amount,
		CurrencyIsoCode: in.CurrencyIsoCode,
		TokenIsoCode:    in.TokenIsoCode,
		Receiver:        p.Receiver,
		Version:         p.Version,
	}
	if p.Transaction != "" {
		v.Payment = &eventPayment{p.Transaction}
	}

	return trail.Event(tx, "payable."+what, p.Organisation, p.ID, p.Version, v)
}
