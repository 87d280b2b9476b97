package user

import (
	"context"
	"errors"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
)

// GrantDelay is how long whoever has got a role of the platform cannot be the second person. It is time for the other
// operators to notice a grant that none of them wanted. It begins when the user has the role and the account is
// complete: a role that was given to an account long ago makes nobody a second person on the day on which somebody
// completes the account.
const GrantDelay = 24 * time.Hour

// Grant makes a user one of the platform's people, or a plain user again (NoStaff). It is for the command line: no
// operation of the API calls it. changed reports whether the user had another role before; a second call with the same
// word changes nothing and returns no error.
func Grant(ctx context.Context, tx *db.Tx, email, staff string) (u User, changed bool, err error) {
	if staff != NoStaff && staff != Staff && staff != Operator {
		return u, false, fault.New(fault.Invalid, fault.NotInEnum,
			"The platform's people are %q or %q.", Staff, Operator)
	}

	u, err = ByEmail(ctx, tx, email)
	if errors.Is(err, db.ErrNone) {
		return u, false, fault.Missing("user")
	}

	if err != nil || u.Staff == staff {
		return u, false, err
	}

	u.Staff = staff
	u.noteGrant(tx)

	return save(ctx, tx, u, "user.staff", "staff: "+staff), true, nil
}

// noteGrant records that a user has the role from now on, unless there is none or the account is still to be completed.
func (u User) noteGrant(tx *db.Tx) {
	if u.Staff != NoStaff && u.IsAccountSetup {
		insertGrant(tx, u)
	}
}

// SecondPerson refuses a user who does not have a role now (Staff: that or Operator), and one who got a role less than
// GrantDelay ago. On the platform's first day nobody is too new: it ends GrantDelay after a second person became an
// operator for the first time. Taking roles away does not bring it back.
func SecondPerson(ctx context.Context, q db.Querier, userID, role string, now time.Time) error {
	u, err := ByID(ctx, q, userID)
	if err != nil && !errors.Is(err, db.ErrNone) {
		return err
	}

	hasRole := u.Staff == role || u.Staff == Operator && role == Staff
	if !hasRole || !u.IsActive || !u.IsAccountSetup {
		return fault.New(fault.Forbidden, fault.RoleRequired, "Only who has the role %s decides about this.", role)
	}

	granted, err := lastGrant(ctx, q, userID)
	if err != nil || now.Sub(granted) >= GrantDelay {
		return err
	}

	founded, err := secondOperatorAt(ctx, q)
	if err != nil || founded.IsZero() || now.Sub(founded) < GrantDelay {
		return err
	}

	return fault.New(fault.Forbidden, fault.OperatorTooNew,
		"You got your role at %s. You can be the second person from %s on.",
		granted.UTC().Format(time.RFC3339), granted.Add(GrantDelay).UTC().Format(time.RFC3339))
}

// CallerAsSecond returns the refusal of SecondPerson for the caller, apart from errors. It is nil for whoever is none
// of the platform's people.
func CallerAsSecond(ctx context.Context, q db.Querier, role string, now time.Time) (refusal, err error) {
	p := caller.Of(ctx)
	if p.Staff == NoStaff {
		return nil, nil
	}

	err = SecondPerson(ctx, q, p.User, role, now)
	if _, refused := fault.As(err); refused {
		return err, nil
	}

	return nil, err
}
