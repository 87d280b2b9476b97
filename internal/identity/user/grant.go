package user

import (
	"context"
	"errors"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
)

// GrantDelay is how long a new operator cannot be the second person. It is time for the other operators to notice a
// grant that none of them wanted. It begins when the user has the role and the account is complete: a role that was
// given to an account long ago makes nobody a second person on the day on which somebody completes the account.
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

// noteGrant records that a user becomes an operator now, unless the account is still to be completed.
func (u User) noteGrant(tx *db.Tx) {
	if u.Staff == Operator && u.IsAccountSetup {
		insertGrant(tx, u.ID)
	}
}

// SecondPerson refuses a user who is not an operator now, and one who became an operator less than GrantDelay ago. On
// the platform's first day nobody is too new: it ends GrantDelay after a second person was made an operator for the
// first time. Taking roles away does not bring it back.
func SecondPerson(ctx context.Context, q db.Querier, userID string, now time.Time) error {
	u, err := ByID(ctx, q, userID)
	if err != nil && !errors.Is(err, db.ErrNone) {
		return err
	}

	if u.Staff != Operator || !u.IsActive || !u.IsAccountSetup {
		return fault.New(fault.Forbidden, fault.RoleRequired, "Only an operator decides about this.")
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
		"You became an operator at %s. You can be the second person from %s on.",
		granted.UTC().Format(time.RFC3339), granted.Add(GrantDelay).UTC().Format(time.RFC3339))
}
