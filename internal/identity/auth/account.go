package auth

import (
	"context"
	"errors"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
)

// staffMails is how often the platform's people may have one mail sent to one person.
var staffMails = limit.Rate{Events: 1, Per: 5 * time.Minute}

// errand is a mail that the platform's people may have sent.
type errand string

// The errands of the interface.
const (
	errandConfirm     errand = "send-user-confirmation-email"
	errandIdentity    errand = "send-complete-your-kyc-email"
	errandBeneficiary errand = "send-complete-your-beneficiary-account"
	errandHNWI        errand = "send-complete-your-hnwi"
)

// prepares reports whether the errand opens an account for a person who has none.
func (e errand) prepares() bool { return e == errandBeneficiary || e == errandHNWI }

// addressee names the person a mail goes to: by identifier or address, or nobody: the caller. Names are for an
// account that is opened.
type addressee struct{ userID, email, firstName, lastName string }

// sendErrand queues the mail. sent is false when there is nothing to do any more, since the address is confirmed.
func (s *Service) sendErrand(
	ctx context.Context, p caller.Principal, e errand, to addressee, done func(tx *db.Tx, queued bool) error,
) error {
	var l fault.List
	if to.email != "" {
		to.email = user.CheckEmail(&l, "/email", to.email)
	}

	if to.userID != "" && to.email != "" {
		l.Add("/email", fault.NotAllowed, "may not be given beside userId.")
	}

	to.firstName = user.CheckName(&l, "/firstName", to.firstName, 100, false)

	to.lastName = user.CheckName(&l, "/lastName", to.lastName, 100, false)
	if err := l.Err(); err != nil {
		return err
	}

	if to.userID == "" && to.email == "" {
		to.userID = p.User
	}

	if q := s.errands.Take(string(e)+"/"+to.userID+user.Key(to.email), s.db.Now()); !q.OK {
		return tooOften(ctx, q)
	}

	return s.db.Write(ctx, func(tx *db.Tx) error {
		u, err := s.person(ctx, tx, e, to)
		if err != nil {
			return err
		}

		queued, err := s.run(ctx, tx, e, u)
		if err != nil {
			return err
		}

		trail.Audit(ctx, tx, "", "mail."+string(e), u.ID, "")

		return done(tx, queued)
	})
}

// person finds whom the mail is for, or opens an account for him.
func (s *Service) person(ctx context.Context, tx *db.Tx, e errand, to addressee) (u user.User, err error) {
	if to.userID != "" {
		u, err = user.ByID(ctx, tx, to.userID)
	} else {
		u, err = user.ByEmail(ctx, tx, to.email)
	}

	switch {
	case errors.Is(err, db.ErrNone) && to.email != "" && e.prepares():
		return user.Prepare(ctx, tx, user.Person{FirstName: to.firstName, LastName: to.lastName, Email: to.email}), nil
	case errors.Is(err, db.ErrNone):
		return u, fault.Missing("user")
	}

	return u, err
}

func (s *Service) run(ctx context.Context, tx *db.Tx, e errand, u user.User) (queued bool, err error) {
	switch {
	case e == errandConfirm && !u.ConfirmedAt.IsZero():
		return false, nil

	case e == errandConfirm && u.IsAccountSetup:
		if err := voidLinks(tx, u.ID, linkConfirm); err != nil {
			return false, err
		}

		s.sendConfirm(tx, u)

		return true, nil

	case !u.IsAccountSetup:
		return true, s.sendComplete(ctx, tx, u)
	}

	s.mail.Queue(tx, mail.Message{
		Kind: mail.VerifyIdentity,
		To:   u.Email,
		Data: map[string]string{"name": u.FirstName, "link": s.config.BaseURL},
	})

	return true, nil
}

// sendComplete queues the mail with the link that completes an account.
func (s *Service) sendComplete(ctx context.Context, tx *db.Tx, u user.User) error {
	token, err := newLink(tx, linkComplete, u.ID, "", CompleteLifetime)
	if err != nil {
		return err
	}

	name, err := firstOrganisation(ctx, tx, u.ID)
	if err != nil {
		return err
	}

	s.mail.Queue(tx, mail.Message{
		Kind: mail.CompleteAccount,
		To:   u.Email,
		Data: map[string]string{"name": u.FirstName, "organisation": name, "link": s.page("complete", token)},
	})

	return nil
}

func firstOrganisation(ctx context.Context, q db.Querier, userID string) (string, error) {
	in, err := organisation.MembershipsOf(ctx, q, userID)
	if err != nil || len(in) == 0 {
		return "", err
	}

	return in[0].Name, nil
}

// completing is what a person is shown before he completes his account.
type completing struct {
	user         user.User
	organisation string
	expires      time.Time
}

// mayComplete keeps callers without any credential out of the two operations that complete an account. The interface
// names them among those with a Bearer, yet whoever completes an account has none: so the link's token itself is
// taken as the Bearer, beside access tokens.
func (s *Service) mayComplete(ctx context.Context) error {
	token := caller.TokenOf(ctx)
	if token == "" {
		return tokenMissing()
	}

	if secret.TokenForm(linkPrefix, token) {
		return s.limits.fromSource(ctx, s.limits.source, s.db.Now())
	}

	_, _, err := s.Authenticate(ctx, token, "")

	return err
}

func (s *Service) completeInfo(ctx context.Context, token string) (completing, error) {
	if err := s.mayComplete(ctx); err != nil {
		return completing{}, err
	}

	k, u, err := openLink(ctx, s.db, token, s.db.Now(), linkComplete)
	if err != nil {
		return completing{}, err
	}

	name, err := firstOrganisation(ctx, s.db, u.ID)

	return completing{user: u, organisation: name, expires: db.Time(k.expires)}, err
}

// completion is what a person gives to complete his account.
type completion struct {
	user.Person // without the address: the link has proven it
	token       string
	password    string
	phone       string
}

// complete returns a prepared account its password and its person's name.
func (s *Service) complete(ctx context.Context, c completion, done func(tx *db.Tx, u user.User) error) error {
	if err := s.mayComplete(ctx); err != nil {
		return err
	}

	_, u, err := openLink(ctx, s.db, c.token, s.db.Now(), linkComplete)
	if err != nil {
		return err
	}

	c.Person.Email = u.Email

	var l fault.List
	c.Person.Check(&l)
	c.phone = user.CheckPhone(&l, "/phoneNumber", c.phone)
	c.password = normal(c.password)
	s.common.check(&l, "/password", c.password, c.Person, alone)

	if err := l.Err(); err != nil {
		return err
	}

	hash, err := s.hasher.hash(ctx, c.password)
	if err != nil {
		return err
	}

	return spent(s.db.Write(ctx, func(tx *db.Tx) error {
		k, u, err := openLink(ctx, tx, c.token, tx.Now, linkComplete)
		if err != nil {
			return err
		}

		if u.IsAccountSetup {
			return fault.New(fault.Conflict, fault.AccountSetUp, "The account has been set up already.")
		}

		k.use(tx)
		writePassword(tx, u.ID, password{hash: hash}, 0)
		ctx := caller.With(ctx, caller.Principal{User: u.ID})

		return done(tx, user.Complete(ctx, tx, u, c.Person, c.phone))
	}))
}

// changeStatus switches an account on or off: to what is wished, or to the other state. Off ends every session and
// keeps API clients from new ones. Nobody switches himself off, nor the last active admin of an organisation, and
// nobody but an operator an operator.
func (s *Service) changeStatus(
	ctx context.Context, p caller.Principal, userID string, wish *bool, done func(tx *db.Tx, u user.User) error,
) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		u, err := user.ByID(ctx, tx, userID)
		if errors.Is(err, db.ErrNone) {
			return fault.Missing("user")
		}

		if err != nil {
			return err
		}

		if u.Staff == user.Operator && p.Staff != user.Operator {
			return fault.New(fault.Forbidden, fault.RoleRequired,
				"An operator's account is switched by operators alone.")
		}

		active := !u.IsActive
		if wish != nil {
			active = *wish
		}

		if active == u.IsActive {
			return done(tx, u)
		}

		if u.ID == p.User {
			return fault.New(fault.Conflict, fault.ChangeStatusSelf, "Nobody switches himself off.")
		}

		if !active {
			if err := s.mayGo(ctx, tx, u); err != nil {
				return err
			}
		}

		tx.OnCommit(func() { s.cache.DropUser(u.ID) })

		return done(tx, user.SetActive(ctx, tx, u, active))
	})
}

// mayGo ends what a person has open, unless an organisation would be left without an admin.
func (s *Service) mayGo(ctx context.Context, tx *db.Tx, u user.User) error {
	sole, err := organisation.SoleAdmin(ctx, tx, u.ID)
	if err != nil {
		return err
	}

	if sole != "" {
		return fault.New(fault.Conflict, fault.LastAdmin,
			"The organisation %s would be left without an active admin.", sole)
	}

	return revokeAll(tx, u.ID, "account switched off")
}
