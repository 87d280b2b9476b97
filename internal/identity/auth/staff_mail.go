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
	"slipway/internal/platform/trail"
)

// staffMailRate is how often the platform's staff may send one mail to one person.
var staffMailRate = limit.Rate{Events: 1, Per: 5 * time.Minute}

// staffMail is a mail that the platform's staff may send. Its text is the last part of the operation's path.
type staffMail string

// The mails of the interface.
const (
	mailConfirm     staffMail = "send-user-confirmation-email"
	mailIdentity    staffMail = "send-complete-your-kyc-email"
	mailBeneficiary staffMail = "send-complete-your-beneficiary-account"
	mailHNWI        staffMail = "send-complete-your-hnwi"
)

// opensAccount reports whether the mail opens an account for a person who has none.
func (m staffMail) opensAccount() bool { return m == mailBeneficiary || m == mailHNWI }

// recipient is the person a mail goes to: by identifier or by address; neither means the caller. The names are for an
// account that is opened.
type recipient struct{ userID, email, firstName, lastName string }

// check puts the fields into the form in which they are stored, or returns everything that is wrong with them.
func (r *recipient) check() error {
	var l fault.List
	if r.email != "" {
		r.email = user.CheckEmail(&l, "/email", r.email)
	}

	if r.userID != "" && r.email != "" {
		l.Add("/email", fault.NotAllowed, "cannot be sent together with userId.")
	}

	r.firstName = user.CheckName(&l, "/firstName", r.firstName, 100, false)
	r.lastName = user.CheckName(&l, "/lastName", r.lastName, 100, false)

	return l.Err()
}

// sendStaffMail queues a mail. queued is false if there is nothing to send because the address is confirmed already.
func (s *Service) sendStaffMail(
	ctx context.Context, p caller.Principal, m staffMail, to recipient, done func(tx *db.Tx, queued bool) error,
) error {
	if err := to.check(); err != nil {
		return err
	}

	if to.userID == "" && to.email == "" {
		to.userID = p.User
	}

	if q := s.staffMails.Take(string(m)+"/"+to.userID+user.Key(to.email), s.db.Now()); !q.OK {
		return tooOften(ctx, q)
	}

	return s.db.Write(ctx, func(tx *db.Tx) error {
		u, err := s.findOrPrepare(ctx, tx, m, to)
		if err != nil {
			return err
		}

		queued, err := s.queueStaffMail(ctx, tx, m, u)
		if err != nil {
			return err
		}

		trail.Audit(ctx, tx, "", "mail."+string(m), u.ID, "")

		return done(tx, queued)
	})
}

// findOrPrepare returns the user a mail is for. If there is none, a mail that opens accounts opens one.
func (s *Service) findOrPrepare(
	ctx context.Context, tx *db.Tx, m staffMail, to recipient,
) (u user.User, err error) {
	if to.userID != "" {
		u, err = user.ByID(ctx, tx, to.userID)
	} else {
		u, err = user.ByEmail(ctx, tx, to.email)
	}

	switch {
	case errors.Is(err, db.ErrNone) && to.email != "" && m.opensAccount():
		return user.Prepare(ctx, tx, user.Person{FirstName: to.firstName, LastName: to.lastName, Email: to.email}), nil
	case errors.Is(err, db.ErrNone):
		return u, fault.Missing("user")
	}

	return u, err
}

// queueStaffMail queues the mail that fits the state of the account. Whoever has not completed the account gets the
// link to do so, whichever mail was asked for.
func (s *Service) queueStaffMail(ctx context.Context, tx *db.Tx, m staffMail, u user.User) (queued bool, err error) {
	switch {
	case m == mailConfirm && !u.ConfirmedAt.IsZero():
		return false, nil

	case m == mailConfirm && u.IsAccountSetup:
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
		Data: map[string]string{"name": u.FirstName, "link": s.consolePage()},
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

// firstOrganisation returns the name of the organisation that the user joined first, or "".
func firstOrganisation(ctx context.Context, q db.Querier, userID string) (string, error) {
	in, err := organisation.MembershipsOf(ctx, q, userID)
	if err != nil || len(in) == 0 {
		return "", err
	}

	return in[0].Name, nil
}
