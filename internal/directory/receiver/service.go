package receiver

import (
	"context"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/identity/approval"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Deps is what the use cases need from elsewhere.
type Deps struct {
	DB *db.DB
	// OrgApproved refuses with ORG_NOT_APPROVED while the organisation's onboardingStatus is not APPROVED.
	OrgApproved func(ctx context.Context, q db.Querier, organisation string) error
	Payees      *approval.Payees // nil: no organisation has rules about payees
	// OnDelete runs in the write that deletes a receiver: its bank accounts and wallets are taken out of use there. An
	// error undoes the deletion. nil: it has none.
	OnDelete func(ctx context.Context, tx *db.Tx, r Receiver) error
}

// Service holds the use cases of receivers.
type Service struct{ deps Deps }

// New returns the service.
func New(d Deps) *Service {
	if d.OnDelete == nil {
		d.OnDelete = func(context.Context, *db.Tx, Receiver) error { return nil }
	}

	return &Service{d}
}

type doneFunc = func(tx *db.Tx, r Receiver) error

// Create adds a receiver; a second call adds another.
func (s *Service) Create(ctx context.Context, r Receiver, done doneFunc) error {
	r.Self = false

	l := caller.Faults(ctx)
	r.check(s.deps.DB.Now(), &l)

	if err := l.Err(); err != nil {
		return err
	}

	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		if err := s.deps.OrgApproved(ctx, tx, r.Organisation); err != nil {
			return err
		}

		r, err := Insert(ctx, tx, s.deps.Payees, r)
		if err != nil {
			return err
		}

		return done(tx, r)
	})
}

// Insert writes a receiver that was checked, in the caller's transaction, and returns it with its identifier. It is for
// use cases that make a receiver together with something else; they check the organisation and call Check first. An
// identifier that NewID gave before is kept.
func Insert(ctx context.Context, tx *db.Tx, payees *approval.Payees, r Receiver) (Receiver, error) {
	if r.ID == "" {
		r.ID = NewID(tx.Now)
	}

	r.Version = 1
	r.CreatedAt = tx.Now
	r.UpdatedAt = tx.Now

	if _, err := payees.Changed(ctx, tx, &r.Mark, r.change(isNew)); err != nil {
		return r, err
	}

	receiverTable.Insert(tx, rowOf(r))
	trail.Audit(ctx, tx, r.Organisation, "receiver.create", r.ID, r.Name())

	return r, r.tell(tx, "receiver.created")
}

// Prefix begins the identifiers of receivers.
const Prefix = "rcv"

// NewID makes an identifier, for use cases that name a receiver before it is made.
func NewID(now time.Time) string { return id.New(Prefix, now) }

// isNew describes a receiver that was made just now.
const isNew = "is new."

// change describes a receiver to a second person. A receiver is no new destination of money by itself: its accounts
// and wallets are.
func (r Receiver) change(what string) approval.Change {
	return approval.Change{
		Organisation: r.Organisation,
		Kind:         approval.Receiver,
		Object:       r.ID,
		New:          what == isNew,
		Summary:      "Receiver " + r.Name() + ", " + r.Email + ", " + r.Country + ", " + what,
	}
}

// Decided carries out a second person's decision about a receiver, for approval.Handler.
func Decided(ctx context.Context, tx *db.Tx, a approval.Approval) error {
	r, err := ByID(ctx, tx, a.Organisation, a.Object)
	if fault.Is(err, fault.NotFoundCode) {
		return nil // deleted in the meantime
	}

	if err == nil && r.Mark.Decided(a) {
		update(tx, r)
	}

	return err
}

// Check adds everything that is wrong with a receiver to l. Pointers begin with at; empty: with the body.
func Check(r Receiver, now time.Time, at string, l *fault.List) {
	var own fault.List
	r.check(now, &own)

	for _, f := range own.Fields() {
		f.Pointer = at + f.Pointer
		l.Append(f)
	}
}

// Own is what an organisation says of itself when it is made.
type Own struct {
	Type                           Type
	FirstName, LastName, LegalName string
	Email, Country                 string
	Address                        Address
	BirthDate                      time.Time // zero: not given
}

// CreateSelf makes the organisation's own receiver, in the transaction that makes the organisation. A second call
// changes nothing: each organisation has one.
func CreateSelf(ctx context.Context, tx *db.Tx, organisation string, o Own) error {
	if o.Type != Individual {
		o.Type = Company
	}

	r := Receiver{
		ID:           NewID(tx.Now),
		Organisation: organisation,
		Type:         o.Type,
		FirstName:    o.FirstName,
		LastName:     o.LastName,
		LegalName:    o.LegalName,
		Email:        o.Email,
		Country:      o.Country,
		Address:      o.Address,
		BirthDate:    o.BirthDate,
		HasBirth:     !o.BirthDate.IsZero(),
		Self:         true,
		Version:      1,
		CreatedAt:    tx.Now,
		UpdatedAt:    tx.Now,
	}
	selfTable.Insert(tx, rowOf(r))

	return nil
}

// RenameSelf sets the names of the self-receiver to its organisation's. A second call changes nothing.
func RenameSelf(ctx context.Context, tx *db.Tx, organisation string, o Own) error {
	r, err := Self(ctx, tx, organisation)
	if err != nil || r.FirstName == o.FirstName && r.LastName == o.LastName && r.LegalName == o.LegalName {
		return err
	}

	r.FirstName = o.FirstName
	r.LastName = o.LastName
	r.LegalName = o.LegalName
	update(tx, r)
	trail.Audit(ctx, tx, organisation, "receiver.change", r.ID, "name, as its organisation's")

	return nil
}

// Change applies edit to a receiver of the organisation. edit may run more than once. A change that changes nothing
// does nothing. The type and names of the self-receiver are those of the verified organisation and stay.
func (s *Service) Change(
	ctx context.Context,
	organisation, receiverID string,
	edit func(*Receiver),
	done doneFunc,
) error {
	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		r, err := ByID(ctx, tx, organisation, receiverID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, r.Version); err != nil {
			return err
		}

		next := r
		edit(&next)

		if next == r {
			return done(tx, r)
		}

		if r.Self && (next.Type != r.Type || next.Name() != r.Name() || next.LegalName != r.LegalName) {
			return fault.New(
				fault.Conflict,
				fault.ReceiverSelf,
				"The type and names of the organisation's own receiver are those of the organisation.",
			)
		}

		l := caller.Faults(ctx)
		next.check(tx.Now, &l)

		if err := l.Err(); err != nil {
			return err
		}

		what := changed(r, next)
		if what != "" && what != onlyHidden && !r.Self {
			if _, err := s.deps.Payees.Changed(ctx, tx, &next.Mark, next.change("was changed: "+what+".")); err != nil {
				return err
			}
		}

		next = update(tx, next)
		trail.Audit(ctx, tx, organisation, "receiver.change", r.ID, what)

		if err := next.tell(tx, "receiver.changed"); err != nil {
			return err
		}

		return done(tx, next)
	})
}

// onlyHidden is a change that has nothing to do with who is paid.
const onlyHidden = "hidden"

// changed names what was changed, without the values: they are personal data.
func changed(a, b Receiver) string {
	var out []string
	for name, differs := range map[string]bool{
		"type":    a.Type != b.Type,
		"name":    a.Name() != b.Name(),
		"email":   a.Email != b.Email,
		"country": a.Country != b.Country,
		"address": a.Address != b.Address,
		"hidden":  a.Hidden != b.Hidden,
	} {
		if differs {
			out = append(out, name)
		}
	}

	slices.Sort(out)

	return strings.Join(out, " ")
}

// Delete takes a receiver out of use, with its bank accounts and wallets. Nothing finds them from then on, and
// transactions that were submitted go on. A second call returns NOT_FOUND.
func (s *Service) Delete(ctx context.Context, organisation, receiverID string, done doneFunc) error {
	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		r, err := ByID(ctx, tx, organisation, receiverID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, r.Version); err != nil {
			return err
		}

		if err := r.deletable(); err != nil {
			return err
		}

		if err := s.deps.Payees.Removed(ctx, tx, r.change("was deleted.")); err != nil {
			return err
		}

		if err := s.deps.OnDelete(ctx, tx, r); err != nil {
			return err
		}

		if err := countDeletion(tx, organisation); err != nil {
			return err
		}

		r.DeletedAt = tx.Now
		r = update(tx, r)
		trail.Audit(ctx, tx, organisation, "receiver.delete", r.ID, "")

		return done(tx, r)
	})
}

// deletable refuses to delete the organisation's own receiver, and one that is deleted already.
func (r Receiver) deletable() error {
	if r.Self {
		return fault.New(fault.Conflict, fault.ReceiverSelf, "The organisation's own receiver cannot be deleted.")
	}

	return r.gone()
}

// gone refuses what was deleted: nothing finds it any more.
func (r Receiver) gone() error {
	if r.DeletedAt.IsZero() {
		return nil
	}

	return fault.Missing("receiver")
}
