package sso

import (
	"context"
	"errors"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
)

// A directory says by SCIM (RFC 7643, RFC 7644) who may sign in by the provider and who may not any more. It brings
// nobody in: accounts and memberships begin with a sign-in. What it ends, it ends at once.

// maxPeople limits the people whom a directory lists of one organisation.
const maxPeople = 5000

// person is somebody whom a directory lists.
type person struct {
	ID, Organisation, UserName string
	ExternalID, Given, Family  string
	Active                     bool
	Version                    int64
	CreatedAt, UpdatedAt       time.Time
}

// check adds to l what is wrong with a person and returns him as he is stored.
func (p person) check(l *fault.List) person {
	p.UserName = user.CheckEmail(l, "/userName", p.UserName)
	p.ExternalID = line(l, "/externalId", p.ExternalID, false)
	p.Given = line(l, "/name/givenName", p.Given, false)
	p.Family = line(l, "/name/familyName", p.Family, false)

	return p
}

// newToken gives the directory of an organisation a token, in place of the one before. It is shown once.
func (s *Service) newToken(ctx context.Context, orgID string, done func(tx *db.Tx, token string) error) error {
	token := secret.Token(scimPrefix)

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, _, err := organisation.ForAdmin(ctx, tx, orgID, caller.Of(ctx).User); err != nil {
			return err
		}

		if err := deleteToken(tx, orgID); err != nil {
			return err
		}

		writeToken(tx, orgID, digest(token), caller.Of(ctx).User)
		trail.Audit(ctx, tx, orgID, "sign_on.scim_token_made", orgID, "")

		return done(tx, token)
	})
}

// dropToken ends the directory's token. A second call does the same.
func (s *Service) dropToken(ctx context.Context, orgID string, done func(tx *db.Tx) error) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, _, err := organisation.ForAdmin(ctx, tx, orgID, caller.Of(ctx).User); err != nil {
			return err
		}

		if err := deleteToken(tx, orgID); err != nil {
			return err
		}

		trail.Audit(ctx, tx, orgID, "sign_on.scim_token_ended", orgID, "")

		return done(tx)
	})
}

// directoryOf returns whose directory has a token, or TOKEN_INVALID.
func (s *Service) directoryOf(ctx context.Context, token string) (string, error) {
	invalid := fault.New(fault.Unauthenticated, fault.TokenInvalid, "The token is unknown or was replaced.")

	if !secret.TokenForm(scimPrefix, token) {
		return "", invalid
	}

	orgID, err := organisationOfToken(ctx, s.DB, digest(token))
	if errors.Is(err, db.ErrNone) {
		err = invalid
	}

	return orgID, err
}

// put creates a person, or replaces what the directory has said of him. personID is "" for a new one.
func (s *Service) put(ctx context.Context, orgID, personID string, next person) (out person, err error) {
	var l fault.List

	next = next.check(&l)
	if err := l.Err(); err != nil {
		return out, err
	}

	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		if personID != "" {
			out, err = personByID(ctx, tx, orgID, personID)
			if err != nil {
				return err
			}

			return s.change(ctx, tx, &out, next)
		}

		n, err := countPeople(ctx, tx, orgID)
		if err != nil {
			return err
		}

		if n >= maxPeople {
			return fault.New(fault.Conflict, fault.MemberLimit, "A directory may list at most %d people.", maxPeople)
		}

		out = next
		out.ID = id.New(personPrefix, tx.Now)
		out.Organisation = orgID
		out.Version = 1
		out.CreatedAt = tx.Now
		out.UpdatedAt = tx.Now
		personRows.Insert(tx, &out)
		trail.Audit(ctx, tx, orgID, "sign_on.person_listed", out.ID, user.Key(out.UserName))

		if out.Active {
			return nil
		}

		return s.end(ctx, tx, out)
	})

	return out, err
}

// update changes some of what the directory has said of a person.
func (s *Service) update(ctx context.Context, orgID, personID string, edit func(p *person)) (out person, err error) {
	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		if out, err = personByID(ctx, tx, orgID, personID); err != nil {
			return err
		}

		next := out
		edit(&next)

		var l fault.List

		next = next.check(&l)
		if err := l.Err(); err != nil {
			return err
		}

		return s.change(ctx, tx, &out, next)
	})

	return out, err
}

// change writes what has changed about a person, and ends what he has where he is not active any more. The same once
// more changes nothing, but ends what has begun since.
func (s *Service) change(ctx context.Context, tx *db.Tx, p *person, next person) error {
	next.ID = p.ID
	next.Organisation = p.Organisation
	next.Version = p.Version
	next.CreatedAt = p.CreatedAt
	next.UpdatedAt = p.UpdatedAt

	if next != *p {
		before := *p
		*p = next
		p.Version++
		p.UpdatedAt = tx.Now
		personChange.Change(tx, p, "organisation = ? AND id = ? AND version = ?", p.Organisation, p.ID, before.Version)

		if before.Active != p.Active {
			trail.Audit(ctx, tx, p.Organisation, "sign_on.person_switched", p.ID, onOff(p.Active))
		}

		if user.Key(before.UserName) != user.Key(p.UserName) && !p.Active { // who he was ends, too
			if err := s.end(ctx, tx, before); err != nil {
				return err
			}
		}
	}

	if p.Active {
		return nil
	}

	return s.end(ctx, tx, *p)
}

func onOff(active bool) string {
	if active {
		return "on"
	}

	return "off"
}

// end takes from a person what he has in the organisation: the membership, and with it his API clients there, and every
// session that could act in it. Whoever the organisation needs as its last admin is refused, and so is who signs in
// when the provider cannot: an admin decides on them.
func (s *Service) end(ctx context.Context, tx *db.Tx, p person) error {
	u, err := user.ByEmail(ctx, tx, p.UserName)
	if errors.Is(err, db.ErrNone) {
		return nil
	}

	if err != nil {
		return err
	}

	// A directory speaks of people of its own domains alone.
	owner, err := ownerOf(ctx, tx, domainOf(u.Email))
	if err != nil || owner != p.Organisation {
		return err
	}

	live, err := liveOf(ctx, tx, p.Organisation)
	if err != nil && !errors.Is(err, db.ErrNone) {
		return err
	}

	if strings.Contains(","+strings.Join(live.Emergency, ",")+",", ","+u.ID+",") {
		return fault.New(fault.Conflict, fault.LastAdmin,
			"%s signs in when the provider cannot. An admin must take that from him first, in the console.", u.Email)
	}

	if err := s.Organisations.Leave(ctx, tx, p.Organisation, u.ID); err != nil {
		return err
	}

	return s.Auth.EndPersonal(tx, u.ID, "", "switched off by the directory")
}

// mayCome refuses whom the organisation's directory has switched off. back reports that it lets him in, so that a
// membership which it has ended begins again.
func (s *Service) mayCome(ctx context.Context, tx *db.Tx, x setting, email string) (back bool, err error) {
	if x.organisation == "" {
		return false, nil
	}

	p, err := personByName(ctx, tx, x.organisation, user.Key(email))
	if errors.Is(err, db.ErrNone) {
		return false, nil
	}

	if err != nil {
		return false, err
	}

	if !p.Active {
		return false, noAccess("Your organisation's directory has switched you off for this application.")
	}

	return endedByDirectory(ctx, tx, p)
}
