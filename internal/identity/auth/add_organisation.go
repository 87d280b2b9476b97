package auth

import (
	"context"
	"errors"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Customer is an organisation that the platform's people add, with the person who becomes its admin. Of an individual
// (organisation.TypeHNWI) the person is the client.
type Customer struct {
	organisation.Details
	Admin user.Person
}

// AddOrganisation writes a PENDING organisation and mails its admin: the link that completes the account or, to whoever
// has one, where to go on. done gets the organisation in the same transaction.
//
// A second call for the same admin with the same name makes no second organisation. It mails once more.
func (s *Service) AddOrganisation(
	ctx context.Context, c Customer, done func(tx *db.Tx, o organisation.Organisation) error,
) error {
	if q := s.staffMails.Take("organisation/"+user.Key(c.Admin.Email), s.db.Now()); !q.OK {
		return tooOften(ctx, q)
	}

	return s.db.Write(ctx, func(tx *db.Tx) error {
		o, u, err := s.addOrganisation(ctx, tx, c)
		if err != nil {
			return err
		}

		if _, err := s.queueStaffMail(ctx, tx, mailIdentity, u); err != nil {
			return err
		}

		return done(tx, o)
	})
}

// PrepareOrganisation is AddOrganisation without a mail, for whoever runs the deployment and hands the page's address
// over: where the admin completes the account, or the console for whoever has one.
func (s *Service) PrepareOrganisation(
	ctx context.Context, c Customer,
) (o organisation.Organisation, page string, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		var u user.User
		if o, u, err = s.addOrganisation(ctx, tx, c); err != nil {
			return err
		}

		if u.IsAccountSetup {
			page = s.consolePage()
			return nil
		}

		token, err := newLink(tx, linkComplete, u.ID, "", CompleteLifetime)
		page = s.page("complete", token)

		return err
	})

	return o, page, err
}

// addOrganisation writes the organisation, and the account of its admin if there is none.
func (s *Service) addOrganisation(
	ctx context.Context, tx *db.Tx, c Customer,
) (organisation.Organisation, user.User, error) {
	l := caller.Faults(ctx)
	c.Admin.Check(&l)

	if c.Type == organisation.TypeHNWI {
		c.FirstName = c.Admin.FirstName
		c.LastName = c.Admin.LastName
	} else if c.Name == "" {
		l.Add("/name", fault.Required, "is required.")
	}

	details, err := s.orgs.Check(ctx, tx, &l, c.Details, tx.Now)
	if err == nil {
		err = l.Err()
	}

	if err != nil {
		return organisation.Organisation{}, user.User{}, err
	}

	u, err := user.ByEmail(ctx, tx, c.Admin.Email)
	if errors.Is(err, db.ErrNone) {
		u = user.Prepare(ctx, tx, c.Admin)
		err = nil
	}

	if err == nil && !u.IsActive {
		err = accountInactive()
	}

	if err != nil {
		return organisation.Organisation{}, u, err
	}

	o, err := s.organisationOf(ctx, tx, u, details)

	return o, u, err
}

// organisationOf returns the organisation of this name that was made for the user before, or makes it.
func (s *Service) organisationOf(
	ctx context.Context, tx *db.Tx, u user.User, details organisation.Details,
) (organisation.Organisation, error) {
	known, err := organisation.MembershipsOf(ctx, tx, u.ID)
	if err != nil {
		return organisation.Organisation{}, err
	}

	for _, m := range known {
		if o, err := organisation.ByID(
			ctx,
			tx,
			m.Organisation,
		); err != nil ||
			o.CreatedBy == u.ID && o.Name == details.CalledName() {
			return o, err
		}
	}

	o, _, err := s.orgs.Create(ctx, tx, u, details)
	trail.Audit(ctx, tx, o.ID, "organisation.added", o.ID, "by the platform")

	return o, err
}
