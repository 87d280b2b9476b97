package auth

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/twofactor"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
)

// Platform stands where an organisation would, for the provider of the platform's own people.
const Platform = "platform"

// Governs returns the organisation, or Platform, whose provider must sign a person in, because the person's address is
// in one of its domains; "" if a password may.
type Governs func(ctx context.Context, q db.Querier, u user.User) (string, error)

// SignOnBy sets who governs. Call it before the first request.
func (s *Service) SignOnBy(g Governs) { s.governs = g }

// bind completes a session that begins: where it acts, and where it does not. by is whose provider has signed the
// person in; "": a password or a passkey did.
//
// An organisation's provider can name any person of its domain. So its session acts in that organisation alone, and has
// none of the person's powers elsewhere (S-03). Where the provider is required, a password begins a session that acts
// elsewhere only; if there is no elsewhere it is refused.
func (s *Service) bind(ctx context.Context, tx *db.Tx, u user.User, ses session, by string) (session, error) {
	if by != "" {
		ses.signOn = by
		if by != Platform {
			ses.organisation = by
		}

		p, err := passwordOf(ctx, tx, u.ID)
		if p.version != 0 { // what asks for the password asks the person, and not the provider
			ses.passwordAt = db.Time(0)
		}

		return ses, err
	}

	if s.governs == nil {
		return ses, nil
	}

	required, err := s.governs(ctx, tx, u)
	if err != nil || required == "" {
		return ses, err
	}

	ses.without = required

	in, err := organisation.MembershipsOf(ctx, tx, u.ID)
	if err != nil {
		return ses, err
	}

	elsewhere := required != Platform && u.Staff != user.NoStaff
	for _, m := range in {
		elsewhere = elsewhere || m.Organisation != required
	}

	if !elsewhere {
		return ses, signOnRequired()
	}

	return ses, nil
}

func signOnRequired() error {
	return fault.New(
		fault.Forbidden,
		fault.SignOnRequired,
		"People of this organisation sign in by its provider. On the sign-in page, give your e-mail address and choose "+
			"the organisation's sign-in.",
	)
}

// boundByProvider reports whether an organisation's provider has begun the session.
func (b bearer) boundByProvider() bool {
	return b.signOn != "" && b.signOn != Platform && b.client == ""
}

// limitSignOn takes from a principal what his session is not for.
func (b bearer) limitSignOn(p *caller.Principal) {
	p.Without = b.without

	if b.boundByProvider() {
		p.SignedOn = true
		p.Staff = user.NoStaff
	}

	if b.without == Platform {
		p.Staff = user.NoStaff
	}
}

// SignOn is a person whom a provider has named.
type SignOn struct {
	User   string
	By     string // the organisation, or Platform
	Proven bool   // the provider has checked a second factor, and its owner lets that count for signing in
}

// BeginSignOn begins a session of the console in the caller's transaction, or a challenge if the account has a second
// factor that was not proven yet. The caller has checked what the provider said.
func (s *Service) BeginSignOn(ctx context.Context, tx *db.Tx, n SignOn) (ConsoleSignIn, error) {
	u, err := user.ByID(ctx, tx, n.User)
	if err != nil {
		return ConsoleSignIn{}, err
	}

	if !u.IsActive {
		return ConsoleSignIn{}, accountInactive()
	}

	second, err := twofactor.Enabled(ctx, tx, u.ID)
	if err != nil {
		return ConsoleSignIn{}, err
	}

	if second && !n.Proven {
		p, err := passwordOf(ctx, tx, u.ID)
		temp := secret.Token(tempPrefix)
		writeChallenge(tx, temp, u.ID, p.version, n.By)

		return ConsoleSignIn{Temp: temp}, err
	}

	t := newCookie()

	ses, err := s.bind(ctx, tx, u, session{user: u.ID, passwordAt: tx.Now}, n.By)
	if err != nil {
		return ConsoleSignIn{}, err
	}

	s.begin(ctx, tx, ses, t)

	return ConsoleSignIn{Cookie: t.Cookie, SetUp: u.TwoFactorRequired && !second}, user.NoteLanguage(ctx, tx, u.ID)
}

// TakeOver makes an account that nobody has confirmed the person's whom a provider has named: whoever has registered
// his address before him loses the password, the second factor, the sessions and the API clients that he has made
// (S-04).
func (s *Service) TakeOver(ctx context.Context, tx *db.Tx, u user.User) (user.User, error) {
	if !u.ConfirmedAt.IsZero() && u.IsAccountSetup {
		return u, nil
	}

	if err := deletePassword(tx, u.ID); err != nil {
		return u, err
	}

	on, err := twofactor.Enabled(ctx, tx, u.ID)
	if err != nil {
		return u, err
	}

	if on {
		if err := s.factors.Remove(ctx, tx, u.ID); err != nil {
			return u, err
		}
	}

	if err := s.passkeys.DeleteAll(ctx, tx, u.ID); err != nil {
		return u, err
	}

	if err := s.EndAll(tx, u.ID, "taken over by sign-on"); err != nil {
		return u, err
	}

	if _, err := writeRevoked(tx, u.ID, ""); err != nil {
		return u, err
	}

	for _, purpose := range []string{linkConfirm, linkReset, linkComplete} {
		if err := voidLinks(tx, u.ID, purpose); err != nil {
			return u, err
		}
	}

	if !u.IsAccountSetup {
		return user.Complete(ctx, tx, u, personOf(u), ""), nil
	}

	return user.Confirm(ctx, tx, u), nil
}

// EndAll ends every session of a person in the caller's transaction, also those of API clients.
func (s *Service) EndAll(tx *db.Tx, userID, reason string) error {
	tx.OnCommit(func() { s.cache.DropUser(userID) })
	return revokeAll(tx, userID, reason)
}

// EndPersonal ends the sessions of a person, but for one and for those of API clients.
func (s *Service) EndPersonal(tx *db.Tx, userID, keep, reason string) error {
	tx.OnCommit(func() { s.cache.DropUser(userID) })
	_, err := revokeOthers(tx, userID, keep, reason)

	return err
}

// CountSignOn counts a sign-in by a provider from where the request comes.
func (s *Service) CountSignOn(ctx context.Context) error {
	return s.limits.fromSource(ctx, s.limits.source, s.db.Now())
}

// GrantRole makes a person one of the platform's people as its provider says, who must have a second factor. Every
// operator gets a mail. A second call with the same role changes nothing.
func (s *Service) GrantRole(ctx context.Context, tx *db.Tx, email, role string) error {
	if err := s.grant(ctx, tx, email, role); err != nil {
		return err
	}

	_, err := user.RequireTwoFactor(ctx, tx, email, true)

	return err
}

// HasPassword reports whether a person has a password, and does not sign in by a provider alone.
func (s *Service) HasPassword(ctx context.Context, q db.Querier, userID string) (bool, error) {
	p, err := passwordOf(ctx, q, userID)
	return p.version != 0, err
}

// EndSignedOn ends the sessions of a person that an organisation's provider has begun.
func (s *Service) EndSignedOn(tx *db.Tx, userID, organisation string) error {
	tx.OnCommit(func() { s.cache.DropUser(userID) })
	return revokeSignedOn(tx, userID, organisation)
}

// CountToken counts a call by a token of a directory from where the request comes.
func (s *Service) CountToken(ctx context.Context) error {
	return s.limits.fromSource(ctx, s.limits.refresh, s.db.Now())
}
