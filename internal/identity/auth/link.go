package auth

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
)

// Purposes of links, as they are stored.
const (
	linkConfirm  = "confirm"   // confirms that the address is the person's
	linkReset    = "reset"     // sets a new password
	linkComplete = "complete"  // sets the first password
	linkOldEmail = "email_old" // confirms a change of address, sent to the old one
	linkNewEmail = "email_new" // the same, sent to the new one
)

// link is a token in a mail. It works once, until it expires or a newer one of the same purpose replaces it.
type link struct {
	hash, purpose, user, data string
	used, expires             int64
}

// newLink writes a link and returns its token. Earlier links of the same purpose stop working.
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

// openLink returns the link of a token and its user, without using the link up. Unknown, used, replaced and expired
// tokens, and those of other purposes, are refused alike.
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

	if !slices.Contains(purposes, k.purpose) || k.used != 0 || !now.Before(db.Time(k.expires)) {
		return k, user.User{}, linkInvalid()
	}

	u, err := user.ByID(ctx, q, k.user)
	if err == nil && !u.IsActive {
		err = accountInactive()
	}

	return k, u, err
}

// usedLink turns db.ErrStale into the refusal of a used link: another request has used it at the same moment.
func usedLink(err error) error {
	if errors.Is(err, db.ErrStale) {
		return linkInvalid()
	}

	return err
}

// consolePage returns where people work: the console, or the program that takes its place.
func (s *Service) consolePage() string { return cmp.Or(s.config.ConsoleURL, s.config.BaseURL) }

// page returns the address of a page for people. The token stands behind the #, which browsers do not send: it reaches
// no log and no other site.
func (s *Service) page(name, token string) string {
	out := s.config.BaseURL + "/account/" + name
	if token != "" {
		out += "#" + token
	}

	return out
}
