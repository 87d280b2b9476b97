package auth

import (
	"context"
	"errors"
	"time"

	"github.com/alexedwards/argon2id"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/twofactor"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
)

// Config is what auth needs from the rest of the program.
type Config struct {
	DB            *db.DB
	Organisations *organisation.Service
	Users         *user.Service
	Factors       *twofactor.Service
	Mail          *mail.Outbox
	Jobs          *jobs.Runner
	Approvals     *approval.Service // where two operators decide; nil: there is no way back without a code
	Cache         *Cache            // shared with the services that change users and members
	Hash          *argon2id.Params  // nil: Params(). Tests take cheaper ones
	Limits        Limits            // zero: none
	BaseURL       string            // links in mails begin with it, whatever a request says of its host
	Live          bool              // secrets of API clients say whether they open real money
	MustConfirm   bool              // nobody signs in before his address is confirmed
}

// Service holds the use cases of signing in.
type Service struct {
	config  Config
	db      *db.DB
	orgs    *organisation.Service
	users   *user.Service
	factors *twofactor.Service
	mail    *mail.Outbox
	cache   *Cache
	hasher  *hasher
	limits  *limits
	common  blockList
	errands *limit.Limiter
	scopes  func() []string // every scope that an API client can have
}

// New makes the service and registers its jobs.
func New(c Config) *Service {
	if c.Cache == nil {
		c.Cache = NewCache()
	}

	if c.Hash == nil {
		p := Params()
		c.Hash = &p
	}

	s := &Service{
		config:  c,
		db:      c.DB,
		orgs:    c.Organisations,
		users:   c.Users,
		factors: c.Factors,
		mail:    c.Mail,
		cache:   c.Cache,
		hasher:  newHasher(*c.Hash),
		limits:  newLimits(c.Limits, c.DB.Clock()),
		errands: limit.New(staffMails, remembered),
		common:  newBlockList(),
	}
	c.Jobs.Handle(jobForgot, s.sendReset)

	if c.Approvals != nil {
		c.Approvals.Handle(approval.Recovery, approval.Handler{
			Roles:   []string{user.Operator},
			Decided: s.recoveryDecided,
		})
	}

	return s
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
	r.password = normal(r.password)
	b.check(&l, "/password", r.password, r.Person, alone)

	return l.Err()
}

// register makes an account, and with it an organisation or a membership if that was asked for. If the address has an
// account already its owner is told by mail, nothing else is changed, and the answer is the same: the hash is
// computed before anything is looked up, and either way one transaction writes a mail.
func (s *Service) register(ctx context.Context, r registration) error {
	if err := s.limits.fromSource(ctx, s.limits.source, s.db.Now()); err != nil {
		return err
	}

	if err := r.check(s.common); err != nil {
		return err
	}

	// a bad invitation is told before the address is looked up, so that it says nothing of the address
	if r.invitation != "" {
		if _, err := organisation.CheckInvitation(ctx, s.db, r.invitation, r.Email, s.db.Now()); err != nil {
			return err
		}
	}

	if q := s.limits.registrations.Take(s.db.Now()); !q.OK {
		return tooOften(ctx, q)
	}

	hash, err := s.hasher.register(ctx, r.password)
	if err != nil {
		return err
	}

	mayMail := s.limits.mayMail(r.Email, s.db.Now())

	err = s.db.Write(ctx, func(tx *db.Tx) error { return s.writeAccount(ctx, tx, r, hash, mayMail) })
	if db.IsUnique(err, "users") {
		return nil
	}

	return err
}

func (s *Service) writeAccount(ctx context.Context, tx *db.Tx, r registration, hash string, mayMail bool) error {
	u, err := user.ByEmail(ctx, tx, r.Email)
	if err == nil {
		if mayMail && u.IsActive {
			s.mail.Queue(tx, mail.Message{
				Kind: mail.AccountExists,
				To:   u.Email,
				Data: map[string]string{"name": u.FirstName, "link": s.page("forgot", "")},
			})
		}

		return nil
	}

	if !errors.Is(err, db.ErrNone) {
		return err
	}

	u = user.Create(ctx, tx, r.Person)
	writePassword(tx, u.ID, password{hash: hash}, 0)

	if mayMail && r.invitation == "" { // who has an invitation has its mail
		s.sendConfirm(tx, u)
	}

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

// signIn is what comes of a right password: tokens, or a tempToken where the second factor is still missing.
type signIn struct {
	Tokens
	temp  string
	setup bool // the tokens open nothing but the set-up of a second factor
}

// login checks a password. Every failure costs one hash and says the same, except that the owner of the right
// password is told when his account is switched off or his address not confirmed.
func (s *Service) login(ctx context.Context, email, pass string) (signIn, error) {
	var l fault.List
	if email = user.CheckEmail(&l, "/email", email); !l.Empty() {
		email = "" // what cannot be an address is nobody's, and costs the same
	}

	knows := func(source string) (bool, error) { return begunFrom(ctx, s.db, email, source) }

	a, err := s.limits.signingIn(ctx, user.Key(email), s.db.Now(), knows)
	if err != nil {
		return signIn{}, err
	}

	u, p, err := s.rightPassword(ctx, email, pass)
	if err != nil {
		return signIn{}, err
	}

	s.limits.succeeded(a, s.db.Now())

	if s.config.MustConfirm && u.ConfirmedAt.IsZero() {
		return signIn{}, s.remindToConfirm(ctx, u)
	}

	out := signIn{Tokens: newTokens(), temp: secret.Token(tempPrefix)}
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		now, err := passwordOf(ctx, tx, u.ID)
		if err != nil {
			return err
		}

		if now.version != p.version { // changed while the hash was computed: the old password begins nothing any more
			return credentialsInvalid()
		}

		second, err := twofactor.Enabled(ctx, tx, u.ID)
		if err != nil {
			return err
		}

		out.setup = u.TwoFactorRequired && !second
		if second {
			out.Tokens = Tokens{}
			writeChallenge(tx, out.temp, u.ID, p.version)
			return nil
		}

		out.temp = ""
		s.begin(ctx, tx, session{user: u.ID}, out.Tokens)

		return nil
	})

	return out, err
}

// rightPassword finds the user whose password this is.
func (s *Service) rightPassword(ctx context.Context, email, pass string) (user.User, password, error) {
	u, err := user.ByEmail(ctx, s.db, email)

	known := err == nil
	if err != nil && !errors.Is(err, db.ErrNone) {
		return u, password{}, err
	}

	p, err := passwordOf(ctx, s.db, u.ID) // asked for nobody too, with the empty id
	if err != nil && !errors.Is(err, db.ErrNone) {
		return u, p, err
	}

	ok, err := s.hasher.matches(ctx, normal(pass), p.hash)
	switch {
	case err != nil:
		return u, p, err
	case !known || !ok:
		return u, p, credentialsInvalid()
	case !u.IsActive:
		return u, p, accountInactive()
	}

	return u, p, nil
}

// begin writes a session and its first tokens. The session says whose it is, of which API client, and whether a
// second factor was proven.
func (s *Service) begin(ctx context.Context, tx *db.Tx, ses session, t Tokens) {
	source := caller.RequestOf(ctx).Source
	ses.id = id.New(sessionPrefix, tx.Now)
	ses.generation = 1
	ses.rotatedAt = tx.Now
	ses.rotatedSource = source
	ses.begunFrom = limit.SourceKey(source)
	ses.expires = tx.Now.Add(SessionLifetime)
	writeSession(tx, ses)
	writeTokens(tx, ses, t)
	who := caller.Principal{User: ses.user, Client: ses.client != "", Credential: ses.client}
	trail.Audit(caller.With(ctx, who), tx, ses.organisation, "session.begun", ses.id, "")
}

// refresh trades a refresh token for new tokens. A token that was used before ends its session: the refusal comes
// after the commit that does so.
func (s *Service) refresh(ctx context.Context, token string) (signIn, error) {
	if err := s.limits.fromSource(ctx, s.limits.refresh, s.db.Now()); err != nil {
		return signIn{}, err
	}

	if !formed(refreshPrefix, token) {
		return signIn{}, tokenInvalid()
	}

	out := signIn{}
	hash := digest(token)
	t := newTokens()
	source := caller.RequestOf(ctx).Source

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

		if err := s.clientStill(ctx, tx, ses); err != nil {
			return err
		}

		if out.setup, err = mustSetUp(ctx, tx, u, ses); err != nil {
			return err
		}

		refused, err = s.step(ctx, tx, ses, generation, source, t)

		return err
	})
	if err == nil {
		err = refused
	}

	if err != nil {
		return signIn{}, err
	}

	out.Tokens = t

	return out, nil
}

// mustSetUp reports whether a person's tokens open nothing but the set-up of a second factor.
func mustSetUp(ctx context.Context, q db.Querier, u user.User, ses session) (bool, error) {
	if !u.TwoFactorRequired || ses.client != "" {
		return false, nil
	}

	on, err := twofactor.Enabled(ctx, q, u.ID)

	return !on, err
}

// step does what the session's rule says. refused is what the caller is told although the transaction commits.
func (s *Service) step(
	ctx context.Context, tx *db.Tx, ses session, generation int64, source string, t Tokens,
) (refused, err error) {
	oldGeneration := ses.generation

	oldSiblings := ses.siblings
	switch ses.next(generation, source, tx.Now) {
	case rotate:
		ses.generation = ses.generation + 1
		ses.siblings = 0
		ses.rotatedAt = tx.Now
		ses.rotatedSource = source

	case repeat:
		ses.siblings++
	case tooMany:
		return nil, fault.New(fault.TooMany, fault.Overloaded, "This refresh token was sent too often.")

	case revoke:
		trail.Audit(caller.With(ctx, caller.Principal{User: ses.user}), tx, "", "session.token_reused", ses.id,
			"the session was ended")
		tx.OnCommit(func() { s.cache.DropUser(ses.user) })

		if err := s.alarm(ctx, tx, ses.user, mail.RefreshReuse, nil); err != nil {
			return nil, err
		}

		return fault.New(
				fault.Unauthenticated,
				fault.RefreshReused,
				"The refresh token was used before. Its session has been ended; log in again.",
			),
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
		var (
			ses  session
			ends time.Time
			err  error
		)
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
		trail.Audit(caller.With(ctx, caller.Principal{User: ses.user}), tx, "", "session.ended", ses.id, "logout")

		return revokeSession(tx, ses.id, "logout")
	})
}

// changePassword sets a new password and ends every other session of the user; the one that asks goes on.
func (s *Service) changePassword(
	ctx context.Context, p caller.Principal, old, fresh string, done func(tx *db.Tx) error,
) error {
	if err := count(ctx, s.limits.signIn, p.User, s.db.Now()); err != nil {
		return err
	}

	u, err := user.ByID(ctx, s.db, p.User)
	if err != nil {
		return err
	}

	var l fault.List
	old = normal(old)
	fresh = normal(fresh)
	s.common.check(&l, "/newPassword", fresh, personOf(u), least(p.TwoFactor))

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

		if err := s.setPassword(ctx, tx, u, password{
			hash:  hash,
			short: tooShortAlone(fresh),
		}, was.version, p.Credential); err != nil {
			return err
		}

		return done(tx)
	})
}

// setPassword writes a new password, ends every session of the person but one, voids links that set another, and
// tells him.
func (s *Service) setPassword(
	ctx context.Context, tx *db.Tx, u user.User, fresh password, old int64, keep string,
) error {
	// it was allowed because of the second factor, which another request may have switched off meanwhile
	if fresh.short {
		on, err := twofactor.Enabled(ctx, tx, u.ID)
		if err != nil {
			return err
		}

		if !on {
			return fault.New(fault.Conflict, fault.PasswordTooShortBy,
				"Without a second factor a password needs at least %d characters.", alone)
		}
	}

	writePassword(tx, u.ID, fresh, old)

	if _, err := revokeOthers(tx, u.ID, keep, "password changed"); err != nil {
		return err
	}

	if err := voidLinks(tx, u.ID, linkReset); err != nil {
		return err
	}

	trail.Audit(ctx, tx, "", "password.changed", u.ID, "")
	tx.OnCommit(func() { s.cache.DropUser(u.ID) })

	clients, err := liveClients(ctx, tx, u.ID, tx.Now)
	if err != nil {
		return err
	}

	return s.alarm(ctx, tx, u.ID, mail.PasswordChanged, map[string]string{"clients": clients})
}

// alarm tells a person by mail what happened to his account: when, and from where.
func (s *Service) alarm(ctx context.Context, tx *db.Tx, userID string, kind mail.Kind, data map[string]string) error {
	u, err := user.ByID(ctx, tx, userID)
	if err != nil {
		return err
	}

	all := map[string]string{"name": u.FirstName, "when": mail.When(tx.Now), "source": caller.RequestOf(ctx).Source}
	for k, v := range data {
		all[k] = v
	}

	s.mail.Queue(tx, mail.Message{Kind: kind, To: u.Email, Data: all})

	return nil
}

func personOf(u user.User) user.Person {
	return user.Person{FirstName: u.FirstName, LastName: u.LastName, Email: u.Email}
}

// ForgetExpired deletes tokens and sessions long past their end, at most limit of each kind; the housekeeping job
// calls it.
func (s *Service) ForgetExpired(ctx context.Context, limit int) (int64, error) {
	var n int64
	err := s.db.Write(ctx, func(tx *db.Tx) (err error) {
		n, err = forgetExpired(tx, limit)
		return err
	})

	return n, err
}
