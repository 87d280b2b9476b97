package auth

import (
	"context"
	"errors"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
)

// What a link can be for. The names stand in the database.
const (
	linkConfirm  = "confirm"   // the address is the person's
	linkReset    = "reset"     // a new password
	linkComplete = "complete"  // the first password
	linkOldEmail = "email_old" // the change of address, as the old one sees it
	linkNewEmail = "email_new" // and the new one
)

// link is one token in a mail. It is good once, until it expires or a newer one of the same purpose takes its place.
type link struct {
	hash, purpose, user, data string
	used, expires             int64
}

// newLink writes a link and returns its token; earlier ones of the same purpose are void.
func newLink(tx *db.Tx, purpose, userID, data string, lifetime time.Duration) (string, error) {
	if err := voidLinks(tx, userID, purpose); err != nil {
		return "", err
	}

	token := secret.Token(linkPrefix)
	writeLink(tx, token, purpose, userID, data, lifetime)

	return token, nil
}

func linkInvalid() error {
	return fault.New(fault.Gone, fault.LinkInvalid, "The link is unknown, used, replaced by a newer one, or expired.")
}

// openLink finds what a token is for and whose it is, without using it up. Every token that is not good is refused
// alike.
func openLink(
	ctx context.Context, q db.Querier, token string, now time.Time, purposes ...string,
) (link, user.User, error) {
	if !secret.TokenForm(linkPrefix, token) {
		return link{}, user.User{}, linkInvalid()
	}

	k, err := linkByHash(ctx, q, digest(token))
	if errors.Is(err, db.ErrNone) {
		return k, user.User{}, linkInvalid()
	}

	if err != nil {
		return k, user.User{}, err
	}

	fits := false
	for _, p := range purposes {
		fits = fits || k.purpose == p
	}

	if !fits || k.used != 0 || !now.Before(db.Time(k.expires)) {
		return k, user.User{}, linkInvalid()
	}

	u, err := user.ByID(ctx, q, k.user)
	if err == nil && !u.IsActive {
		err = accountInactive()
	}

	return k, u, err
}

// spent turns the loser of two uses at the same moment into the refusal of a used link.
func spent(err error) error {
	if errors.Is(err, db.ErrStale) {
		return linkInvalid()
	}

	return err
}

// page is the address of a page for people. The token stands behind the #, which browsers send to nobody: neither a
// log nor the next page learns it.
func (s *Service) page(name, token string) string {
	out := s.config.BaseURL + "/account/" + name
	if token != "" {
		out += "#" + token
	}

	return out
}
