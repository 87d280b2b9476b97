package auth

import (
	"context"
	"errors"
	"time"

	"github.com/alexedwards/argon2id"

	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/web"
)

// Config is what auth needs from the rest of the program.
type Config struct {
	DB            *db.DB
	Organisations *organisation.Service
	Cache         *Cache           // shared with the services that change users and members
	Hash          *argon2id.Params // nil: Params(). Tests take cheaper ones
}

// Service holds the use cases of signing in.
type Service struct {
	db     *db.DB
	orgs   *organisation.Service
	cache  *Cache
	hasher *hasher
	common blockList
}

// New makes the service. It computes one password hash.
func New(c Config) (*Service, error) {
	if c.Cache == nil {
		c.Cache = NewCache()
	}
	if c.Hash == nil {
		p := Params()
		c.Hash = &p
	}
	h, err := newHasher(*c.Hash)
	return &Service{db: c.DB, orgs: c.Organisations, cache: c.Cache, hasher: h, common: newBlockList()}, err
}

// registration is what a new user sends.
type registration struct {
	user.Person
	password         string
	invitation       string
	withOrganisation bool
}

// check notes everything that is wrong, and does so for known and unknown addresses alike.
func (r *registration) check(b blockList) error {
	var l fault.List
	r.Person.Check(&l)
	b.check(&l, "/password", r.password, r.Person)
	return l.Err()
}

// errTaken ends a registration whose address has an account. It never leaves this package.
var errTaken = errors.New("the address has an account")

// register makes an account, and with it an organisation or a membership if that was asked for. If the address has an account
// already nothing is changed, and the answer is the same: the hash is computed before anything is looked up.
func (s *Service) register(ctx context.Context, r registration) error {
	if err := r.check(s.common); err != nil {
		return err
	}
	if r.invitation != "" { // a bad invitation is told before the address is looked up, so that it says nothing of the address
		if _, err := organisation.CheckInvitation(ctx, s.db, r.invitation, r.Email, s.db.Now()); err != nil {
			return err
		}
	}
	hash, err := s.hasher.hash(ctx, r.password)
	if err != nil {
		return err
	}
	err = s.db.Write(ctx, func(tx *db.Tx) error { return s.writeAccount(ctx, tx, r, hash) })
	if errors.Is(err, errTaken) || db.IsUnique(err, "users") {
		return nil
	}
	return err
}

func (s *Service) writeAccount(ctx context.Context, tx *db.Tx, r registration, hash string) error {
	_, err := user.ByEmail(ctx, tx, r.Email)
	if err == nil {
		return errTaken
	}
	if !errors.Is(err, db.ErrNone) {
		return err
	}
	u := user.Create(ctx, tx, r.Person)
	tx.Insert(insertPassword, u.ID, hash, int64(1), db.Micros(tx.Now))
	switch {
	case r.invitation != "":
		_, _, err := s.orgs.Join(ctx, tx, r.invitation, u)
		return err
	case r.withOrganisation:
		_, _, err := s.orgs.Create(ctx, tx, u, organisation.Details{Type: organisation.TypeOrganisation})
		return err
	}
	return nil
}

// login checks a password and begins a session. Every failure costs one hash and says the same, except that the owner of the right
// password is told when his account is switched off.
func (s *Service) login(ctx context.Context, email, pass string) (Tokens, error) {
	var l fault.List
	if email = user.CheckEmail(&l, "/email", email); !l.Empty() {
		email = "" // what cannot be an address is nobody's, and costs the same
	}
	u, err := user.ByEmail(ctx, s.db, email)
	known := err == nil
	if err != nil && !errors.Is(err, db.ErrNone) {
		return Tokens{}, err
	}
	var p password
	if p, err = passwordOf(ctx, s.db, u.ID); err != nil && !errors.Is(err, db.ErrNone) { // asked for nobody too, with the empty id
		return Tokens{}, err
	}
	ok, err := s.hasher.matches(ctx, pass, p.hash)
	switch {
	case err != nil:
		return Tokens{}, err
	case !known || !ok:
		return Tokens{}, credentialsInvalid()
	case !u.IsActive:
		return Tokens{}, accountInactive()
	}
	t, source := newTokens(), web.RequestOf(ctx).Source
	return t, s.db.Write(ctx, func(tx *db.Tx) error {
		now, err := passwordOf(ctx, tx, u.ID)
		if err != nil {
			return err
		}
		if now.version != p.version { // changed while the hash was computed: the old password begins nothing any more
			return credentialsInvalid()
		}
		begin(tx, u.ID, source, t)
		trail.Audit(web.WithPrincipal(ctx, web.Principal{User: u.ID}), tx, "", "session.begun", u.ID, "")
		return nil
	})
}

func begin(tx *db.Tx, userID, source string, t Tokens) {
	s := session{id: id.New(sessionPrefix, tx.Now), user: userID, generation: 1, rotatedAt: tx.Now, rotatedSource: source,
		expires: tx.Now.Add(SessionLifetime)}
	writeSession(tx, s)
	writeTokens(tx, s, t)
}

// refresh trades a refresh token for new tokens. A token that was used before ends its session: the refusal comes after the commit
// that does so.
func (s *Service) refresh(ctx context.Context, token string) (Tokens, error) {
	if !formed(refreshPrefix, token) {
		return Tokens{}, tokenInvalid()
	}
	hash, t, source := digest(token), newTokens(), web.RequestOf(ctx).Source
	var refused error
	err := s.db.Write(ctx, func(tx *db.Tx) error {
		refused = nil
		ses, generation, idle, err := sessionOfRefresh(ctx, tx, hash)
		if errors.Is(err, db.ErrNone) {
			return tokenInvalid()
		}
		if err != nil {
			return err
		}
		if !ses.good(tx.Now) {
			return tokenInvalid()
		}
		if generation == ses.generation && !tx.Now.Before(idle) {
			return tokenInvalid()
		}
		u, err := user.ByID(ctx, tx, ses.user)
		if err != nil {
			return err
		}
		if !u.IsActive {
			return accountInactive()
		}
		refused, err = s.step(ctx, tx, ses, generation, source, t)
		return err
	})
	if err == nil {
		err = refused
	}
	if err != nil {
		return Tokens{}, err
	}
	return t, nil
}

// step does what the session's rule says. refused is what the caller is told although the transaction commits.
func (s *Service) step(ctx context.Context, tx *db.Tx, ses session, generation int64, source string, t Tokens) (refused, err error) {
	oldGeneration, oldSiblings := ses.generation, ses.siblings
	switch ses.next(generation, source, tx.Now) {
	case rotate:
		ses.generation, ses.siblings, ses.rotatedAt, ses.rotatedSource = ses.generation+1, 0, tx.Now, source
	case repeat:
		ses.siblings++
	case tooMany:
		return nil, fault.New(fault.TooMany, fault.Overloaded, "This refresh token was sent too often.")
	case revoke:
		trail.Audit(web.WithPrincipal(ctx, web.Principal{User: ses.user}), tx, "", "session.token_reused", ses.id, "the session was ended")
		tx.OnCommit(func() { s.cache.DropUser(ses.user) })
		return fault.New(fault.Unauthenticated, fault.RefreshReused, "The refresh token was used before. Its session has been ended; log in again."),
			revokeSession(tx, ses.id, "refresh token used twice")
	}
	writeRotation(tx, ses, oldGeneration, oldSiblings)
	writeTokens(tx, ses, t)
	return nil, nil
}

// logout ends the session of an access or refresh token. The second call finds an ended session and is refused.
func (s *Service) logout(ctx context.Context, token string) error {
	access := formed(accessPrefix, token)
	if !access && !formed(refreshPrefix, token) {
		return tokenInvalid()
	}
	hash := digest(token)
	return s.db.Write(ctx, func(tx *db.Tx) error {
		var ses session
		var ends time.Time
		var err error
		if access {
			ses, ends, err = sessionOfAccess(ctx, tx, hash)
		} else {
			ses, _, ends, err = sessionOfRefresh(ctx, tx, hash)
		}
		if errors.Is(err, db.ErrNone) || (err == nil && (!ses.good(tx.Now) || !tx.Now.Before(ends))) {
			return tokenInvalid()
		}
		if err != nil {
			return err
		}
		tx.OnCommit(func() { s.cache.DropUser(ses.user) })
		trail.Audit(web.WithPrincipal(ctx, web.Principal{User: ses.user}), tx, "", "session.ended", ses.id, "logout")
		return revokeSession(tx, ses.id, "logout")
	})
}

// changePassword sets a new password and ends every other session of the user; the one that asks goes on.
func (s *Service) changePassword(ctx context.Context, p web.Principal, old, fresh string, done func(tx *db.Tx) error) error {
	u, err := user.ByID(ctx, s.db, p.User)
	if err != nil {
		return err
	}
	var l fault.List
	s.common.check(&l, "/newPassword", fresh, user.Person{FirstName: u.FirstName, LastName: u.LastName, Email: u.Email})
	if old == fresh && l.Empty() {
		l.Add("/newPassword", fault.PasswordWeak, "must differ from the old one.")
	}
	if err := l.Err(); err != nil {
		return err
	}
	was, err := passwordOf(ctx, s.db, u.ID)
	if err != nil {
		return err
	}
	ok, err := s.hasher.matches(ctx, old, was.hash)
	if err != nil {
		return err
	}
	if !ok {
		l.Add("/oldPassword", fault.CredentialsInvalid, "is not the current password.")
		return l.Err()
	}
	hash, err := s.hasher.hash(ctx, fresh)
	if err != nil {
		return err
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		now, err := passwordOf(ctx, tx, u.ID)
		if err != nil {
			return err
		}
		if now.version != was.version {
			return fault.New(fault.Conflict, fault.VersionMismatch, "The password was changed by another request.")
		}
		writePassword(tx, u.ID, hash, was.version)
		if _, err := revokeOthers(tx, u.ID, p.Credential, "password changed"); err != nil {
			return err
		}
		trail.Audit(ctx, tx, "", "password.changed", u.ID, "")
		tx.OnCommit(func() { s.cache.DropUser(u.ID) })
		return done(tx)
	})
}

// ForgetExpired deletes tokens and sessions long past their end, at most limit of each kind; the housekeeping job calls it.
func (s *Service) ForgetExpired(ctx context.Context, limit int) (int64, error) {
	var n int64
	err := s.db.Write(ctx, func(tx *db.Tx) (err error) {
		n, err = forgetExpired(tx, limit)
		return err
	})
	return n, err
}
