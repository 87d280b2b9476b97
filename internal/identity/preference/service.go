package preference

import (
	"context"
	"errors"
	"slices"

	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
)

// How a person has refused a category, as it is stored.
const (
	byLink    = "link"    // of a mail
	byAccount = "account" // signed in
)

// Config is what the service needs.
type Config struct {
	DB      *db.DB
	Keyring *secret.Keyring // signs links; a key must stay in it as long as its links are to work
	BaseURL string          // begins links: this service as people reach it
}

// Service holds the use cases of preferences.
type Service struct{ config Config }

// New returns the service.
func New(c Config) *Service { return &Service{config: c} }

// Wants reports whether a person gets mails of a category now.
func (s *Service) Wants(ctx context.Context, userID string, c mail.Category) (bool, error) {
	w, err := wantsOf(ctx, s.config.DB, userID)
	return w[c], err
}

// Gathers reports whether a person's mails of a category are kept for his morning mail.
func (s *Service) Gathers(ctx context.Context, userID string, c mail.Category) (bool, error) {
	if c != mail.Transaction {
		return false, nil
	}

	chosen, err := chosenOf(ctx, s.config.DB, userID)

	return chosen.Morning, err
}

// Find returns what a person has chosen.
func (s *Service) Find(ctx context.Context, userID string) (Chosen, error) {
	return chosenOf(ctx, s.config.DB, userID)
}

// Check returns the category that a link ends, and changes nothing. It refuses forged and expired links.
func (s *Service) Check(ctx context.Context, token string) (mail.Category, error) {
	l, err := s.linkOf(ctx, s.config.DB, token)
	return l.category, err
}

// Stop ends the category of a link. A second call changes nothing and returns the same.
func (s *Service) Stop(ctx context.Context, token string) (mail.Category, error) {
	var l link
	err := s.config.DB.Write(ctx, func(tx *db.Tx) (err error) {
		if l, err = s.linkOf(ctx, tx, token); err != nil {
			return err
		}

		_, err = set(ctx, tx, l.user, Wants{l.category: false}, byLink)

		return err
	})

	return l.category, err
}

// linkOf verifies a token and returns its link. A person whose account is switched off may still end mails.
func (s *Service) linkOf(ctx context.Context, q db.Querier, token string) (link, error) {
	t, ok := parse(token)
	if !ok || !slices.Contains(mail.Switchable(), t.category) {
		return link{}, invalid()
	}

	u, err := user.ByID(ctx, q, t.user)
	if errors.Is(err, db.ErrNone) {
		return link{}, invalid()
	}

	if err != nil {
		return link{}, err
	}

	if err := s.check(t, u.Email, s.config.DB.Now()); err != nil {
		return link{}, err
	}

	return t.link, nil
}

// Change writes a signed-in person's changes, and how his mails about payments come; empty: as they do. Categories that
// are not named stay as they are. A second call changes nothing.
func (s *Service) Change(
	ctx context.Context,
	userID string,
	changes Wants,
	coming Coming,
	done func(tx *db.Tx, c Chosen) error,
) error {
	var l fault.List
	changes.check(&l)

	if on, named := changes[mail.Transaction]; named && coming != "" && on != (coming != Off) {
		l.Add("/transactionMails", fault.NotAllowed, "says otherwise than categories.transaction.")
	}

	if err := l.Err(); err != nil {
		return err
	}

	if coming != "" {
		changes[mail.Transaction] = coming != Off
	}

	return s.config.DB.Write(ctx, func(tx *db.Tx) error {
		if _, err := set(ctx, tx, userID, changes, byAccount); err != nil {
			return err
		}

		if err := come(ctx, tx, userID, coming); err != nil {
			return err
		}

		c, err := chosenOf(ctx, tx, userID)
		if err != nil {
			return err
		}

		return done(tx, c)
	})
}

// come notes whether the mails about payments come in the morning, if that is not so already.
func come(ctx context.Context, tx *db.Tx, userID string, coming Coming) error {
	if coming == "" || coming == Off { // when they come again, they come as before
		return nil
	}

	before, err := chosenOf(ctx, tx, userID)
	if err != nil || before.Morning == (coming == Morning) {
		return err
	}

	trail.Audit(ctx, tx, "", "email.timing", userID, string(coming))

	return setMorning(tx, userID, coming == Morning)
}

// set writes the changes that are not in force yet, each with a line in the audit log, and returns what the person then
// wants.
func set(ctx context.Context, tx *db.Tx, userID string, changes Wants, how string) (Wants, error) {
	w, err := wantsOf(ctx, tx, userID)
	if err != nil {
		return nil, err
	}

	for _, c := range mail.Switchable() {
		on, named := changes[c]
		if !named || on == w[c] {
			continue
		}

		action := "email.resubscribed"
		if on {
			err = accept(tx, userID, c)
		} else {
			action = "email.unsubscribed"
			refuse(tx, userID, c, how)
		}

		if err != nil {
			return nil, err
		}

		w[c] = on
		trail.Audit(ctx, tx, "", action, userID, string(c)+", by "+how)
	}

	return w, nil
}

// Language returns the code of the language of the person with an address, or "" where it is not known.
func (s *Service) Language(ctx context.Context, address string) (string, error) {
	return user.Language(ctx, s.config.DB, address)
}
